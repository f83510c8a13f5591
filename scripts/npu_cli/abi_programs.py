# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs whose two halves call each other's functions: arguments and results of all types,
variable arguments, structures with bit-fields, odd alignment and packing, C++ classes. Each half
checks what arrives, that what it passed by value is unchanged, and how structures are laid out."""

import random

INTEGERS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
            "long long", "unsigned long long"]
FLOATS = ["float", "double", "long double"]
COMPLEX = ["_Complex float", "_Complex double", "_Complex long double"]
# What GCC 12 does not have.
CLANG_ONLY = ["_BitInt(7)", "unsigned _BitInt(33)", "_BitInt(64)", "unsigned _BitInt(65)", "_BitInt(100)",
              "_BitInt(128)", "__int128", "_Float16"]
BIT_FIELDS = {"signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32,
              "unsigned": 32, "long long": 64, "unsigned long long": 64}
FUNCTIONS, STRUCTURES = 10, 9

PREAMBLE = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef __cplusplus
#define API extern "C"
#else
#define API extern
typedef _Bool bool;
#endif
#define TYPE static __attribute__((unused))
API void fail(int function, int place);
API void sink(const void *value);
enum color { RED, GREEN, BLUE, WHITE };
// Values that tell which one they are.
TYPE unsigned long long mix(unsigned seed) {
  unsigned long long x = (seed + 1) * 0x9e3779b97f4a7c15ull;
  return x ^ x >> 29;
}
"""

MAIN = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>
void run_a(void);
void run_b(void);
extern const unsigned layout_a[], layout_b[], layout_words_a, layout_words_b;
static int failures;
static const void *volatile last;
void fail(int function, int place) {
  if (++failures < 20)
    printf("function %d: wrong value at %d\\n", function, place);
}
void sink(const void *value) { last = value; }
int main(void) {
  if (layout_words_a != layout_words_b)
    printf("layouts of %u and %u words\\n", layout_words_a, layout_words_b), ++failures;
  for (unsigned i = 0; i < layout_words_a && !failures; ++i)
    if (layout_a[i] != layout_b[i])
      printf("word %u of the layout: %u and %u\\n", i, layout_a[i], layout_b[i]), ++failures;
  run_a();
  run_b();
  puts(failures ? "bad" : "good");
  return failures != 0;
}
"""


class Generator:
    def __init__(self, seed, cpp, clang_only):
        self.random = random.Random(f"abi {seed}")
        self.cpp = cpp
        self.text = [PREAMBLE]
        self.layout = []
        # Names of types, by what they may be used for.
        self.values, self.variadic, self.bases = [], [], []
        self.not_trivial, self.empty = set(), set()
        self.count = 0
        scalars = INTEGERS + FLOATS + COMPLEX + ["bool", "void *", "enum color"]
        for name in scalars + (CLANG_ONLY if clang_only else []):
            self.scalar(name)
        for _ in range(STRUCTURES):
            self.structure()

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def define(self, declaration, fill, same):
        """A typedef with functions that fill an object of it and compare two."""
        name = f"t{self.count}"
        self.count += 1
        self.text.append(f"{declaration.replace('@', name)};\n"
                         f"TYPE void set_{name}({name} *p, unsigned seed) {{ {fill} }}\n"
                         f"TYPE int same_{name}(const {name} *p, const {name} *q) {{ return {same}; }}\n")
        return name

    def scalar(self, name):
        same = "*p == *q"
        if name in COMPLEX:
            fill = "__real__ *p = (int)(mix(seed) & 0xffff) - 32768; __imag__ *p = (int)(mix(seed) >> 48) - 32768;"
            same = "__real__ *p == __real__ *q && __imag__ *p == __imag__ *q"
        elif name in FLOATS:
            fill = "*p = (int)(mix(seed) & 0xffff) - 32768;"
        elif name == "_Float16":
            fill = "*p = (_Float16)((int)(mix(seed) & 0x7ff) - 1024);"
        elif name == "bool":
            fill = "*p = (mix(seed) & 1) != 0;"
        elif name == "void *":
            fill = "*p = (void *)(unsigned long)mix(seed);"
        elif name == "enum color":
            fill = "*p = (enum color)(mix(seed) & 3);"
        elif name in CLANG_ONLY:
            fill = f"*p = ({name})((unsigned __int128)mix(seed) << 64 | mix(seed + 9));"
        else:
            fill = f"*p = ({name})mix(seed);"
        made = self.define(f"typedef {name} @", fill, same)
        self.values.append(made)
        promoted = name in ("signed char", "unsigned char", "short", "unsigned short", "float", "bool",
                            "_Float16", "_BitInt(7)")
        # In C++, an enumeration is promoted, too.
        if not promoted and not (self.cpp and name == "enum color"):
            self.variadic.append(made)

    def array(self):
        element, length = self.random.choice(self.values), self.random.choice([1, 2, 3, 4, 7, 16])
        made = self.define(f"typedef {element} @[{length}]",
                           f"for (int i = 0; i < {length}; ++i) set_{element}(*p + i, seed + i);",
                           " && ".join(f"same_{element}(*p + {i}, *q + {i})" for i in range(length)))
        for kinds in (self.not_trivial, self.empty):
            if element in kinds:
                kinds.add(made)
        return made

    def fields(self, seed):
        """Declarations, statements that fill them, expressions that compare them, the names of
        those that have an address, and whether all are of trivial types and of empty ones."""
        declared, fill, same, offsets, trivial, empty = [], [], [], [], True, True
        for i in range(self.random.choice([0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 8])):
            name = f"f{i}"
            if self.chance(25):
                kind = self.random.choice(list(BIT_FIELDS))
                if self.chance(10):
                    declared.append(f"{kind} : 0;")
                    continue
                width, empty = self.random.randint(1, BIT_FIELDS[kind]), False
                declared.append(f"{kind} {name} : {width};")
                fill.append(f"p->{name} = ({kind})mix(seed + {7 * i + seed});")
                same.append(f"p->{name} == q->{name}")
                continue
            kind = self.array() if self.chance(20) else self.random.choice(self.values)
            trivial = trivial and kind not in self.not_trivial
            empty = empty and kind in self.empty
            aligned = f" __attribute__((aligned({self.random.choice([2, 4, 8, 16, 32])})))" if self.chance(8) else ""
            declared.append(f"{kind} {name}{aligned};")
            offsets.append(name)
            # By way of a copy: the member may be packed.
            fill.append(f"{{ {kind} v; set_{kind}(&v, seed + {7 * i + seed}); "
                        f"__builtin_memcpy((void *)&p->{name}, &v, sizeof v); }}")
            same.append(f"({{ {kind} v, w; __builtin_memcpy((void *)&v, &p->{name}, sizeof v); "
                        f"__builtin_memcpy((void *)&w, &q->{name}, sizeof w); same_{kind}(&v, &w); }})")
        return declared, fill, same, offsets, trivial, empty

    def structure(self):
        # Members first: their types must stand in front of this one.
        declared, fill, same, offsets, trivial, empty = self.fields(self.random.randrange(1000))
        name = f"s{self.count}"
        word, base = ("union", "") if self.chance(10) and len(same) > 1 and trivial else ("struct", "")
        if word == "union":
            fill, same = fill[-1:], same[-1:]  # the member written last counts
        elif self.cpp and self.bases and self.chance(30):
            parent = self.random.choice(self.bases)
            base = f" : {parent}"
            fill.insert(0, f"set_{parent}(p, seed + 500);")
            same.insert(0, f"same_{parent}(p, q)")
        # GCC reads a variadic argument of an empty structure with an alignment from a wrong place.
        attribute = ""
        # Compilers disagree about packed structures of members that are not plain data.
        if self.chance(15) and trivial:
            attribute = " __attribute__((packed))"
        elif self.chance(15) and not empty:
            attribute = f" __attribute__((aligned({self.random.choice([4, 8, 16, 32])})))"
        if self.cpp and word == "struct" and self.chance(25):
            trivial = False
            declared.append(f"{name}() {{}} {name}(const {name} &o) {{ __builtin_memcpy((void *)this, &o, sizeof o); }} "
                            f"~{name}() {{ sink(this); }}")
        made = self.define(f"{word}{attribute} {name}{base} {{ {' '.join(declared)} }};\ntypedef {word} {name} @",
                           " ".join(fill), " && ".join(same) or "1")
        self.values.append(made)
        if empty and not base:
            self.empty.add(made)
        if not trivial or base:
            self.not_trivial.add(made)
        # In C++, clang passes a variadic argument of an empty structure, but va_arg does not read it.
        elif not (self.cpp and empty):
            self.variadic.append(made)
        if word == "struct":
            self.bases.append(made)
        self.layout += [f"sizeof({made})", f"__alignof__({made})"]
        self.layout += [f"__builtin_offsetof({made}, {field})" for field in offsets]

    def compare(self, kind, value, seed, number, place):
        return (f"  {{ {kind} e; set_{kind}(&e, {seed}); if (!same_{kind}(&{value}, &e)) fail({number}, {place}); }}\n")

    def function(self, number):
        """Definition, caller and declarations of one function."""
        params = [self.random.choice(self.values) for _ in range(self.random.choice([0, 1, 2, 3, 4, 5, 6, 8, 9, 12]))]
        extra = []
        if params and self.chance(35):
            extra = [self.random.choice(self.variadic) for _ in range(self.random.randint(1, 7))]
        result = self.random.choice(self.values) if self.chance(80) else "void"
        seeds = [self.random.randrange(1 << 20) for _ in range(len(params) + len(extra) + 1)]
        head = f"{result} f{number}({', '.join(f'{kind} a{i}' for i, kind in enumerate(params)) or 'void'}"
        head += ", ...)" if extra else ")"
        body, helper = "", ""
        for i, kind in enumerate(params):
            body += self.compare(kind, f"a{i}", seeds[i], number, i)
        if extra:
            # The other half reads the rest of the list.
            half = self.random.randint(0, len(extra))
            reads = []
            for j, kind in enumerate(extra):
                k = len(params) + j
                reads.append(f"  {{ {kind} v = __builtin_va_arg(ap, {kind});\n  "
                             + self.compare(kind, "v", seeds[k], number, k) + "  }\n")
            body += f"  __builtin_va_list ap, rest;\n  __builtin_va_start(ap, a{len(params) - 1});\n"
            body += "".join(reads[:half]) + "  __builtin_va_copy(rest, ap);\n"
            body += f"  v{number}(rest);\n  __builtin_va_end(rest);\n  __builtin_va_end(ap);\n"
            helper = f"void v{number}(__builtin_va_list ap) {{\n{''.join(reads[half:])}  sink(&ap);\n}}\n"
        for i, kind in enumerate(params):
            body += f"  set_{kind}(&a{i}, {seeds[i] + 77}); sink(&a{i});\n"
        if result != "void":
            body += f"  {result} r; set_{result}(&r, {seeds[-1]}); return r;\n"
        call, kinds = "", params + extra
        for i, kind in enumerate(kinds):
            call += f"  {kind} a{i}; set_{kind}(&a{i}, {seeds[i]}); sink(&a{i});\n"
        pointer = ""
        if self.chance(30):
            types = ", ".join(params) or "void"
            call += f"  {result} (*volatile pointer)({types}{', ...' if extra else ''}) = f{number};\n"
            pointer = "pointer"
        arguments = ", ".join(f"a{i}" for i in range(len(kinds)))
        call += f"  {'' if result == 'void' else f'{result} r = '}{pointer or f'f{number}'}({arguments});\n"
        if result != "void":
            call += self.compare(result, "r", seeds[-1], number, 100)
        for i, kind in enumerate(kinds):
            call += self.compare(kind, f"a{i}", seeds[i], number, 200 + i)
        declarations = f"{head};\n" + (f"void v{number}(__builtin_va_list ap);\n" if helper else "")
        return (declarations, f"{head} {{\n{body}}}\n", helper,
                f"static __attribute__((noinline)) void call_{number}(void) {{\n{call}}}\n")

    def halves(self):
        made = [self.function(number) for number in range(FUNCTIONS)]
        common = "".join(self.text + [declarations for declarations, *_ in made])
        table = ", ".join(self.layout) or "0"
        texts = []
        for half, name in enumerate("ab"):
            text = common
            text += f"API const unsigned layout_{name}[], layout_words_{name};\n"
            text += f"const unsigned layout_{name}[] = {{{table}}};\n"
            text += f"const unsigned layout_words_{name} = sizeof layout_{name} / sizeof layout_{name}[0];\n"
            calls = ""
            for number, (_, definition, helper, caller) in enumerate(made):
                if number % 2 == half:
                    text += definition
                else:
                    text += helper + caller
                    calls += f"  call_{number}();\n"
            texts.append(text + f"API void run_{name}(void);\nvoid run_{name}(void) {{\n{calls}}}\n")
        return texts


def halves(seed, cpp, clang_only):
    """The sources of the two halves of the program of a seed."""
    return Generator(seed, cpp, clang_only).halves()
