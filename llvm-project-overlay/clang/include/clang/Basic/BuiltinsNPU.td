// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtins of the NPU: each maps to the intrinsic of the same name in
// llvm/IR/IntrinsicsNPU.td. SemaNPU checks the ranges of the constant operands.

include "clang/Basic/BuiltinsBase.td"

def NPUPrefix : NamePrefix<"__builtin_npu_">;

class NPUBuiltin<string prototype> : TargetBuiltin {
  let Spellings = [NAME];
  let Attributes = [NoThrow];
  let RequiredNamePrefix = NPUPrefix;
  let Prototype = prototype;
}

def mac_ldw   : NPUBuiltin<"unsigned int(void const *, unsigned int)">;
def mac_run   : NPUBuiltin<"unsigned int(void const *, unsigned int)">;
def mac_dw    : NPUBuiltin<"unsigned int(void const *, unsigned int)">;
def mac_ldq   : NPUBuiltin<"unsigned int(void const *)">;
def mac_drain : NPUBuiltin<"unsigned int(void *, unsigned int)">;

def dma_start : NPUBuiltin<"unsigned int(void const *, _Constant unsigned int)">;

def wait  : NPUBuiltin<"void(unsigned int)">;
def poll  : NPUBuiltin<"unsigned int(unsigned int)">;
def fence : NPUBuiltin<"void(_Constant unsigned int)">;

def csr_read  : NPUBuiltin<"unsigned int(_Constant unsigned int)">;
def csr_write : NPUBuiltin<"void(_Constant unsigned int, unsigned int)">;

// Vector unit. A vector is a vector_size(64) type of signed elements; types of the same
// size convert implicitly.
class NPUVectorWidth<string suffix, string type> {
  string Suffix = suffix;
  string Type = type;
}
def NPUVectorB : NPUVectorWidth<"b", "_Vector<64, signed char>">;
def NPUVectorH : NPUVectorWidth<"h", "_Vector<32, short>">;
def NPUVectorW : NPUVectorWidth<"w", "_Vector<16, int>">;
class NPUVectorBuiltin<string result, list<string> operands>
    : NPUBuiltin<result#"("#!interleave(operands, ", ")#")">;
defvar Bytes = NPUVectorB.Type;
defvar Words = NPUVectorW.Type;

foreach W = [NPUVectorB, NPUVectorH, NPUVectorW] in {
  defvar V = W.Type;
  foreach Op = ["avg", "avgu", "absd", "absdu", "srlr", "srar", "ssll", "rdpot", "mulh",
                "mulhu", "dmulh", "ziplo", "ziphi", "unzipe", "unzipo"] in
    def v_#Op#_#W.Suffix : NPUVectorBuiltin<V, [V, V]>;
  def v_bcast_#W.Suffix : NPUVectorBuiltin<V, ["int"]>;
  def v_extract_#W.Suffix : NPUVectorBuiltin<"int", [V, "unsigned int"]>;
  def v_insert_#W.Suffix : NPUVectorBuiltin<V, [V, "int", "unsigned int"]>;
  def v_lanes_#W.Suffix : NPUVectorBuiltin<V, ["unsigned int", "unsigned int"]>;
  def v_id_#W.Suffix : NPUVectorBuiltin<V, []>;
  foreach Op = ["redsum", "redsumu", "redmin", "redminu", "redmax", "redmaxu", "redand",
                "redor", "redxor"] in
    def v_#Op#_#W.Suffix : NPUVectorBuiltin<"int", [V]>;
}

// Between a width and twice of it.
class NPUVectorPair<NPUVectorWidth narrow, NPUVectorWidth wide> {
  string Suffix = narrow.Suffix;
  string Type = narrow.Type;
  string Wide = wide.Type;
}
foreach P = [NPUVectorPair<NPUVectorB, NPUVectorH>, NPUVectorPair<NPUVectorH, NPUVectorW>] in {
  defvar V = P.Type;
  foreach Op = ["wmullo", "wmulhi", "wmululo", "wmuluhi"] in
    def v_#Op#_#P.Suffix : NPUVectorBuiltin<P.Wide, [V, V]>;
  foreach Op = ["wmacclo", "wmacchi", "wmacculo", "wmaccuhi"] in
    def v_#Op#_#P.Suffix : NPUVectorBuiltin<P.Wide, [P.Wide, V, V]>;
  foreach Op = ["dot", "dotu", "dotus"] in
    def v_#Op#_#P.Suffix : NPUVectorBuiltin<Words, [Words, V, V]>;
  foreach Op = ["sxlo", "sxhi", "zxlo", "zxhi"] in
    def v_#Op#_#P.Suffix : NPUVectorBuiltin<P.Wide, [V]>;
  foreach Op = ["pack", "packs", "packsu", "packu"] in
    def v_#Op#_#P.Suffix : NPUVectorBuiltin<V, [P.Wide, P.Wide]>;
  def v_extractu_#P.Suffix : NPUVectorBuiltin<"int", [V, "unsigned int"]>;
}
foreach Q = 0...3 in {
  def v_sxq#Q#_b : NPUVectorBuiltin<Words, [Bytes]>;
  def v_zxq#Q#_b : NPUVectorBuiltin<Words, [Bytes]>;
}

def v_sel : NPUVectorBuiltin<Bytes, [Bytes, Bytes, Bytes]>;
def v_perm : NPUVectorBuiltin<Bytes, [Bytes, Bytes]>;
foreach Q = 0...3 in
  def v_lut#Q : NPUVectorBuiltin<Bytes, [Bytes, Bytes, Bytes]>;
foreach Op = ["slidedn", "slideup"] in
  def v_#Op : NPUVectorBuiltin<Bytes, [Bytes, "unsigned int"]>;
def v_align : NPUVectorBuiltin<Bytes, [Bytes, Bytes, "unsigned int"]>;
foreach Op = ["mbqm", "rq"] in
  def v_#Op : NPUVectorBuiltin<Words, [Words, Words, Words]>;
def v_accrd : NPUVectorBuiltin<Words, ["unsigned int"]>;
def v_accwr : NPUVectorBuiltin<"void", [Words, "unsigned int"]>;

// Memory, by the elements in the register.
class NPUVectorMemory<NPUVectorWidth register, list<string> loads, list<string> stores> {
  string Type = register.Type;
  string Plain = register.Suffix;
  list<string> Loads = loads;
  list<string> Stores = stores;
}
foreach M = [NPUVectorMemory<NPUVectorB, ["b"], ["b"]>,
             NPUVectorMemory<NPUVectorH, ["h", "bh", "bhu"], ["h", "hb", "hbs", "hbu"]>,
             NPUVectorMemory<NPUVectorW, ["w", "bw", "bwu", "hw", "hwu"],
                             ["w", "wb", "wbs", "wbu", "wh", "whs", "whu"]>] in {
  defvar V = M.Type;
  foreach T = M.Loads in {
    def v_ldl_#T : NPUVectorBuiltin<V, ["void const *", "unsigned int"]>;
    def v_ldm_#T : NPUVectorBuiltin<V, ["void const *", V]>;
  }
  foreach T = M.Stores in {
    def v_stl_#T : NPUVectorBuiltin<"void", [V, "void *", "unsigned int"]>;
    def v_stm_#T : NPUVectorBuiltin<"void", [V, "void *", V]>;
  }
  def v_lds_#M.Plain : NPUVectorBuiltin<V, ["void const *", "unsigned int"]>;
  def v_sts_#M.Plain : NPUVectorBuiltin<"void", [V, "void *", "unsigned int"]>;
}
