// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that the generators give to what they write.

#ifndef NPU_GENERATOR_C_NAME_H
#define NPU_GENERATOR_C_NAME_H

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace npu {

// The rule that a name breaks which is to be that of a C or C++ function; "" for a good one. A function of the C library
// would be replaced by one of its name in the whole program.
inline std::string cNameFault(const std::string &name) {
  static constexpr const char *kTaken[] = {
      "alignas",   "alignof",     "and",       "and_eq",    "asm",      "auto",      "bitand",   "bitor",    "bool",
      "break",     "case",        "catch",     "char",      "class",    "compl",     "const",    "constexpr", "continue",
      "decltype",  "default",     "delete",    "do",        "double",   "else",      "enum",     "explicit", "export",
      "extern",    "false",       "float",     "for",       "friend",   "goto",      "if",       "inline",   "int",
      "long",      "main",        "mutable",   "namespace", "new",      "noexcept",  "not",      "not_eq",   "nullptr",
      "operator",  "or",          "or_eq",     "private",   "protected", "public",   "register", "restrict", "return",
      "short",     "signed",      "sizeof",    "static",    "static_assert", "struct", "switch", "template", "this",
      "thread_local", "throw",    "true",      "try",       "typedef",  "typeid",    "typename", "typeof",   "typeof_unqual",
      "union",     "unsigned",    "using",     "virtual",   "void",     "volatile",  "while",    "xor",      "xor_eq",
      "concept",   "requires",    "co_await",  "co_return", "co_yield", "consteval", "constinit", "char8_t",
      // functions and macros of the C library that programs of the NPU have
      "NULL",      "NDEBUG",      "offsetof",  "assert",    "errno",    "abort",     "abs",      "atexit",   "atoi",
      "bsearch",   "calloc",      "clock",     "exit",      "fclose",   "fflush",    "fopen",    "fprintf",  "fputc",
      "fputs",     "fread",       "free",      "fwrite",    "getchar",  "isalpha",   "isdigit",  "labs",     "malloc",
      "memchr",    "memcmp",      "memcpy",    "memmove",   "memset",   "printf",    "putc",     "putchar",  "puts",
      "qsort",     "rand",        "read",      "realloc",   "remove",   "rename",    "signal",   "snprintf", "sprintf",
      "srand",     "stderr",      "stdin",     "stdout",    "strcat",   "strchr",    "strcmp",   "strcpy",   "strlen",
      "strncmp",   "strncpy",     "strtol",    "system",    "time",     "vfprintf",  "vprintf",  "write",
      "acos",      "asin",        "atan",      "ceil",      "cos",      "exp",       "fabs",     "floor",    "fmax",
      "fmin",      "fmod",        "frexp",     "ldexp",     "lrint",    "log",       "pow",      "rint",     "round",
      "sin",       "sinh",        "sqrt",      "tan",       "tanh",     "trunc"};
  const auto isWord = [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ||
      !std::all_of(name.begin(), name.end(), isWord))
    return "must be a C identifier";
  if (name.size() > 64)
    return "must be of at most 64 characters";
  const auto begins = [&](const char *with) { return name.rfind(with, 0) == 0; };
  if (begins("npu_") || begins("NPU_"))
    return "must not begin as the library's names do";
  const bool reserved =
      name[0] == '_' || (name.size() > 2 && name.compare(name.size() - 2, 2, "_t") == 0);
  if (reserved || std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken))
    return "has a meaning of its own in C";
  return "";
}

} // namespace npu

#endif
