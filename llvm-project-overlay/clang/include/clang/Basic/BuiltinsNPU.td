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

// Vector unit. A vector is a vector_size(64) type of signed elements.
class NPUVectorWidth<string suffix, string type> {
  string Suffix = suffix;
  string Type = type;
}
def NPUVectorB : NPUVectorWidth<"b", "_Vector<64, signed char>">;
def NPUVectorH : NPUVectorWidth<"h", "_Vector<32, short>">;
def NPUVectorW : NPUVectorWidth<"w", "_Vector<16, int>">;

foreach W = [NPUVectorB, NPUVectorH, NPUVectorW] in {
  def v_bcast_#W.Suffix : NPUBuiltin<W.Type#"(int)">;
  def v_extract_#W.Suffix : NPUBuiltin<"int("#W.Type#", unsigned int)">;
  def v_insert_#W.Suffix : NPUBuiltin<W.Type#"("#W.Type#", int, unsigned int)">;
  def v_lanes_#W.Suffix : NPUBuiltin<W.Type#"(unsigned int, unsigned int)">;
  def v_id_#W.Suffix : NPUBuiltin<W.Type#"()">;
  foreach Op = ["redsum", "redsumu", "redmin", "redminu", "redmax", "redmaxu", "redand",
                "redor", "redxor"] in
    def v_#Op#_#W.Suffix : NPUBuiltin<"int("#W.Type#")">;
}
foreach W = [NPUVectorB] in {
  def v_perm : NPUBuiltin<W.Type#"("#W.Type#", "#W.Type#")">;
  foreach Q = 0...3 in
    def v_lut#Q : NPUBuiltin<W.Type#"("#W.Type#", "#W.Type#", "#W.Type#")">;
}
