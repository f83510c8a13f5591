// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "elf_image.h"

#include "generated/npu_platform.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/ELF.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

namespace npu {

namespace {

using llvm::formatv;
using ElfFile = llvm::object::ELFFile<llvm::object::ELF32LE>;
namespace ELF = llvm::ELF;

std::string hex(uint32_t value) { return formatv("{0:x8}", value); }

// The first rule that the ELF header breaks, or an empty string.
std::string checkHeader(const ElfFile::Elf_Ehdr &header) {
  if (header.e_machine != ELF::EM_RISCV)
    return formatv("machine {0} is not RISC-V ({1})", header.e_machine, ELF::EM_RISCV);
  if (header.e_type != ELF::ET_EXEC)
    return formatv("type {0} is not an executable (ET_EXEC, {1}); link it first", header.e_type,
                   ELF::ET_EXEC);
  if (header.e_flags & ELF::EF_RISCV_RVC)
    return formatv("flags {0} say compressed instructions (RVC), which the core does not execute",
                   hex(header.e_flags));
  if (header.e_flags & ELF::EF_RISCV_FLOAT_ABI)
    return formatv("flags {0} say a hard-float ABI; the core has no floating point",
                   hex(header.e_flags));
  if (header.e_entry % 4 != 0)
    return formatv("entry {0} is not a multiple of 4", hex(header.e_entry));
  return {};
}

// Checks magic, class and byte order before LLVM casts the bytes to its structures.
std::string checkIdent(llvm::StringRef bytes) {
  if (!bytes.starts_with(ELF::ElfMagic))
    return "not an ELF file";
  if (bytes.size() < sizeof(ElfFile::Elf_Ehdr))
    return formatv("truncated: {0} bytes, an ELF header has {1}", bytes.size(),
                   sizeof(ElfFile::Elf_Ehdr));
  if (bytes[ELF::EI_CLASS] != ELF::ELFCLASS32)
    return formatv("class {0} is not 32-bit ({1})", int(bytes[ELF::EI_CLASS]),
                   int(ELF::ELFCLASS32));
  if (bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return formatv("byte order {0} is not little endian ({1})", int(bytes[ELF::EI_DATA]),
                   int(ELF::ELFDATA2LSB));
  return {};
}

bool fits(const MachineConfig &config, uint64_t address, uint64_t bytes) {
  const std::pair<uint64_t, uint64_t> regions[] = {{NPU_ITCM_BASE, config.itcmSize},
                                                   {NPU_TCM_BASE, config.tcmSize},
                                                   {NPU_DRAM_BASE, config.dramSize}};
  return std::any_of(std::begin(regions), std::end(regions), [&](const auto &region) {
    return address >= region.first && address + bytes <= region.first + region.second;
  });
}

} // namespace

std::optional<uint32_t> ElfImage::symbol(const std::string &name) const {
  const auto found = symbols.find(name);
  return found == symbols.end() ? std::nullopt : std::optional<uint32_t>(found->second);
}

std::optional<ElfImage> ElfImage::load(const std::string &path, const MachineConfig &config,
                                       std::string &error) {
  // A device may have no end.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() != llvm::sys::fs::file_type::regular_file) {
    error = path + ": not a regular file";
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    error = path + ": " + buffer.getError().message();
    return std::nullopt;
  }
  return parse(path, (*buffer)->getBuffer(), config, error);
}

std::optional<ElfImage> ElfImage::parse(const std::string &path, std::string_view contents,
                                        const MachineConfig &config, std::string &error) {
  const auto fail = [&](const std::string &what) {
    error = path + ": " + what;
    return std::nullopt;
  };
  const llvm::StringRef bytes(contents.data(), contents.size());
  if (std::string rule = checkIdent(bytes); !rule.empty())
    return fail(rule);
  auto file = ElfFile::create(bytes);
  if (!file)
    return fail(llvm::toString(file.takeError()));
  if (std::string rule = checkHeader(file->getHeader()); !rule.empty())
    return fail(rule);
  auto headers = file->program_headers();
  if (!headers)
    return fail("truncated: " + llvm::toString(headers.takeError()));

  ElfImage image;
  image.entry = file->getHeader().e_entry;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_LOAD || header.p_memsz == 0)
      continue;
    const uint64_t offset = header.p_offset, fileSize = header.p_filesz;
    if (offset + fileSize > bytes.size())
      return fail(formatv("truncated: the segment at {0} ends at file offset {1}, the file at {2}",
                          hex(header.p_paddr), offset + fileSize, bytes.size()));
    if (fileSize > header.p_memsz)
      return fail(formatv("the segment at {0} has {1} bytes in the file but {2} in memory",
                          hex(header.p_paddr), fileSize, uint32_t(header.p_memsz)));
    const bool runsWhereLoaded = header.p_paddr == header.p_vaddr;
    const uint64_t loadSize = runsWhereLoaded ? uint64_t(header.p_memsz) : fileSize;
    for (auto [address, size] : {std::pair<uint64_t, uint64_t>(header.p_paddr, loadSize),
                                 std::pair<uint64_t, uint64_t>(header.p_vaddr, header.p_memsz)})
      if (!fits(config, address, size))
        return fail(formatv("the segment at {0} of {1} bytes is not inside one memory of the "
                            "configuration '{2}'",
                            hex(uint32_t(address)), size,
                            llvm::StringRef(config.name.data(), config.name.size())));
    if (loadSize == 0)
      continue;
    Segment segment{header.p_paddr, {}};
    segment.bytes.assign(bytes.begin() + offset, bytes.begin() + offset + fileSize);
    segment.bytes.resize(loadSize);
    image.segments.push_back(std::move(segment));
  }
  if (image.segments.empty())
    return fail("nothing to load: no PT_LOAD segment");

  std::sort(image.segments.begin(), image.segments.end(),
            [](const Segment &a, const Segment &b) { return a.address < b.address; });
  for (size_t i = 1; i < image.segments.size(); ++i) {
    const Segment &before = image.segments[i - 1], &after = image.segments[i];
    if (before.address + before.bytes.size() > after.address)
      return fail(formatv("the segments at {0} ({1} bytes) and {2} overlap", hex(before.address),
                          before.bytes.size(), hex(after.address)));
  }
  const bool fetchable =
      fits(config, image.entry, 4) &&
      !(image.entry >= NPU_TCM_BASE && image.entry - NPU_TCM_BASE < config.tcmSize);
  if (!fetchable)
    return fail(formatv("entry {0} is not in memory that instructions are fetched from",
                        hex(image.entry)));

  auto sections = file->sections();
  if (!sections)
    return fail("truncated: " + llvm::toString(sections.takeError()));
  // Symbols are a convenience: a stripped or damaged table leaves them out.
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = file->symbols(&section);
    auto names = file->getStringTableForSymtab(section);
    if (symbols && names) {
      for (const auto &symbol : *symbols) {
        auto name = symbol.getName(*names);
        if (!name) {
          llvm::consumeError(name.takeError());
          continue;
        }
        image.symbols.emplace(name->str(), symbol.st_value);
        if (symbol.getType() == ELF::STT_FUNC)
          image.functions.emplace(symbol.st_value, name->str());
      }
    }
    if (!symbols)
      llvm::consumeError(symbols.takeError());
    if (!names)
      llvm::consumeError(names.takeError());
  }
  return image;
}

} // namespace npu
