// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gdb_target.h"

#include "isa.h"

#include <cstring>

namespace npu {

namespace {

constexpr unsigned kPc = 32;
constexpr unsigned kFirstCsr = 65, kCsrs = 4096; // where gdb itself puts them
constexpr unsigned kFirstVector = kFirstCsr + kCsrs, kVectors = 32;

struct CsrEntry {
  std::string_view name;
  unsigned number;
  bool own() const { return name[0] == 'n'; } // of the NPU; standard names begin otherwise
  // Event counters and their selectors, which read as zero.
  bool hidden() const { return name.starts_with("mhpm"); }
};

constexpr CsrEntry kCsrTable[] = {
#define NPU_CSR(name, number, access) {#name, number},
#include "generated/npu_isa.inc"
};

std::string registerLine(std::string_view name, unsigned number, unsigned bits,
                         std::string_view attributes) {
  return "<reg name=\"" + std::string(name) + "\" bitsize=\"" + std::to_string(bits) +
         "\" regnum=\"" + std::to_string(number) + "\" " + std::string(attributes) + "/>\n";
}

std::string csrLines(bool own) {
  std::string text;
  for (const CsrEntry &csr : kCsrTable)
    if (csr.own() == own && !csr.hidden())
      text += registerLine(csr.name, kFirstCsr + csr.number, 32,
                           own ? "type=\"int\" group=\"npu\" save-restore=\"no\""
                               : "type=\"int\" group=\"csr\" save-restore=\"no\"");
  return text;
}

std::string describe() {
  std::string text = "<?xml version=\"1.0\"?>\n"
                     "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
                     "<target version=\"1.0\">\n"
                     "<architecture>riscv:rv32</architecture>\n"
                     "<feature name=\"org.gnu.gdb.riscv.cpu\">\n";
  for (unsigned number = 0; number < 32; ++number) {
    const bool pointer = number >= 2 && number <= 4, code = number == 1;
    // gdb knows x8 by this name.
    const std::string_view name = number == 8 ? "fp" : registerName(number);
    text += registerLine(name, number, 32,
                         code      ? "type=\"code_ptr\""
                         : pointer ? "type=\"data_ptr\""
                                   : "type=\"int\"");
  }
  text += registerLine("pc", kPc, 32, "type=\"code_ptr\"");
  text += "</feature>\n<feature name=\"org.gnu.gdb.riscv.csr\">\n" + csrLines(false);
  text += "</feature>\n<feature name=\"org.npu.csr\">\n" + csrLines(true);
  // By this name gdb finds the registers that DWARF has variables in.
  text += "</feature>\n<feature name=\"org.gnu.gdb.riscv.vector\">\n";
  for (const unsigned bytes : {1u, 2u, 4u}) {
    const std::string bits = std::to_string(bytes * 8);
    text += "<vector id=\"v" + std::to_string(kVectorBytes / bytes) + "i" + bits +
            "\" type=\"int" + bits + "\" count=\"" + std::to_string(kVectorBytes / bytes) +
            "\"/>\n";
  }
  text += "<union id=\"npu_vector\">\n"
          "<field name=\"i32\" type=\"v16i32\"/>\n"
          "<field name=\"i16\" type=\"v32i16\"/>\n"
          "<field name=\"i8\" type=\"v64i8\"/>\n"
          "</union>\n";
  for (unsigned number = 0; number < kVectors; ++number)
    text += registerLine("v" + std::to_string(number), kFirstVector + number, kVectorBytes * 8,
                         "type=\"npu_vector\" group=\"vector\" save-restore=\"no\"");
  return text + "</feature>\n</target>\n";
}

const CsrEntry *findCsr(unsigned number) {
  for (const CsrEntry &csr : kCsrTable)
    if (csr.number == number)
      return &csr;
  return nullptr;
}

template <typename T> std::string bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

} // namespace

const std::string &gdbTargetDescription() {
  static const std::string text = describe();
  return text;
}

std::string readGdbRegister(DebugMachine &machine, unsigned number) {
  if (number < kPc)
    return bytesOf(machine.readRegister(number));
  if (number == kPc)
    return bytesOf(machine.pc());
  if (number - kFirstVector < kVectors)
    return bytesOf(machine.readVector(number - kFirstVector));
  if (number >= kFirstCsr && findCsr(number - kFirstCsr))
    return bytesOf(machine.readCsr(number - kFirstCsr));
  return {};
}

bool writeGdbRegister(DebugMachine &machine, unsigned number, std::string_view bytes) {
  if (number - kFirstVector < kVectors) {
    VectorValue value;
    if (bytes.size() != sizeof value)
      return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    machine.writeVector(number - kFirstVector, value);
    return true;
  }
  uint32_t value;
  if (bytes.size() != sizeof value)
    return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  if (number < kPc)
    machine.writeRegister(number, value);
  else if (number == kPc)
    machine.setPc(value);
  else if (number >= kFirstCsr && findCsr(number - kFirstCsr))
    machine.writeCsr(number - kFirstCsr, value);
  else
    return false;
  return true;
}

} // namespace npu
