// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "assembler.h"

#include <llvm/BinaryFormat/ELF.h>

#include <cstring>

namespace npu::fuzz {

namespace ELF = llvm::ELF;

void Section::li(unsigned rd, uint32_t value) {
  const int32_t low = static_cast<int32_t>(value << 20) >> 20;
  const uint32_t high = value - static_cast<uint32_t>(low);
  if (high != 0)
    emit(Insn::LUI, {rd, 0, 0, static_cast<int32_t>(high)});
  if (low != 0 || high == 0)
    i(Insn::ADDI, rd, high != 0 ? rd : 0, low);
}

void Section::retarget(uint32_t pc, uint32_t target) {
  uint32_t &word = words_[(pc - base_) / 4];
  word = encode(decode(word), {rdField(word), rs1Field(word), rs2Field(word),
                               static_cast<int32_t>(target - pc)});
}

std::vector<uint8_t> makeElf(uint32_t entry, const std::vector<Data> &pieces) {
  ELF::Elf32_Ehdr header{};
  std::memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS32;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_type = ELF::ET_EXEC;
  header.e_machine = ELF::EM_RISCV;
  header.e_version = ELF::EV_CURRENT;
  header.e_entry = entry;
  header.e_ehsize = sizeof(ELF::Elf32_Ehdr);
  header.e_phoff = sizeof(ELF::Elf32_Ehdr);
  header.e_phentsize = sizeof(ELF::Elf32_Phdr);
  header.e_phnum = static_cast<ELF::Elf32_Half>(pieces.size());

  std::vector<uint8_t> file(sizeof header + pieces.size() * sizeof(ELF::Elf32_Phdr));
  std::memcpy(file.data(), &header, sizeof header);
  for (size_t n = 0; n < pieces.size(); ++n) {
    const Data &piece = pieces[n];
    ELF::Elf32_Phdr segment{};
    segment.p_type = ELF::PT_LOAD;
    segment.p_offset = static_cast<ELF::Elf32_Off>(file.size());
    segment.p_vaddr = segment.p_paddr = piece.address;
    segment.p_filesz = segment.p_memsz = static_cast<ELF::Elf32_Word>(piece.bytes.size());
    segment.p_flags = ELF::PF_R | ELF::PF_W | ELF::PF_X;
    segment.p_align = 4;
    std::memcpy(file.data() + sizeof header + n * sizeof segment, &segment, sizeof segment);
    file.insert(file.end(), piece.bytes.begin(), piece.bytes.end());
  }
  return file;
}

} // namespace npu::fuzz
