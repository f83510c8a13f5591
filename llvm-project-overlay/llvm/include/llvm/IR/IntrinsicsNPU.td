// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One intrinsic for each Xnpu instruction, and the two CSR accesses. The unit behind
// an intrinsic reads and writes memory after the call returns, so none of them
// promises anything about memory: they keep their order among loads, stores and
// each other. Each has its builtin in clang/Basic/BuiltinsNPU.td.
//
// Intrinsic numbers are dense in the order of the prefixes. The prefix is the
// extension's name, xnpu, because it sorts last: every other target keeps its numbers,
// and code compiled against them stays valid.

// Element widths of vector instructions.
class NPUVectorWidth<string suffix, LLVMType type> {
  string Suffix = suffix;
  LLVMType Type = type;
}
def NPUVectorB : NPUVectorWidth<"b", llvm_v64i8_ty>;
def NPUVectorH : NPUVectorWidth<"h", llvm_v32i16_ty>;
def NPUVectorW : NPUVectorWidth<"w", llvm_v16i32_ty>;

let TargetPrefix = "xnpu" in {

class NPUIntrinsic<list<LLVMType> results, list<LLVMType> operands,
                   list<IntrinsicProperty> properties = []>
    : Intrinsic<results, operands,
                !listconcat([IntrHasSideEffects, IntrNoCallback, IntrNoFree, IntrWillReturn],
                            properties),
                !subst("_", ".", !subst("int_npu_", "llvm.xnpu_", NAME))>,
      ClangBuiltin<!subst("int_npu_", "__builtin_npu_", NAME)>;

// Matrix unit. Each returns the ticket of the operation it issues.
def int_npu_mac_ldw   : NPUIntrinsic<[llvm_i32_ty], [llvm_ptr_ty, llvm_i32_ty]>;
def int_npu_mac_run   : NPUIntrinsic<[llvm_i32_ty], [llvm_ptr_ty, llvm_i32_ty]>;
def int_npu_mac_dw    : NPUIntrinsic<[llvm_i32_ty], [llvm_ptr_ty, llvm_i32_ty]>;
def int_npu_mac_ldq   : NPUIntrinsic<[llvm_i32_ty], [llvm_ptr_ty]>;
def int_npu_mac_drain : NPUIntrinsic<[llvm_i32_ty], [llvm_ptr_ty, llvm_i32_ty]>;

// DMA: descriptor chain and channel to ticket.
def int_npu_dma_start : NPUIntrinsic<[llvm_i32_ty], [llvm_ptr_ty, llvm_i32_ty],
                                     [ImmArg<ArgIndex<1>>]>;

// Ordering against the asynchronous operations.
def int_npu_wait  : NPUIntrinsic<[], [llvm_i32_ty]>;
def int_npu_poll  : NPUIntrinsic<[llvm_i32_ty], [llvm_i32_ty]>;
def int_npu_fence : NPUIntrinsic<[], [llvm_i32_ty], [ImmArg<ArgIndex<0>>]>;

// Control and status registers, by number.
def int_npu_csr_read  : NPUIntrinsic<[llvm_i32_ty], [llvm_i32_ty], [ImmArg<ArgIndex<0>>]>;
def int_npu_csr_write : NPUIntrinsic<[], [llvm_i32_ty, llvm_i32_ty], [ImmArg<ArgIndex<0>>]>;

//===----------------------------------------------------------------------===//
// Vector unit: an intrinsic for each instruction, named after it. A scalar operand is
// a broadcast, which selection folds into the .x form.
//===----------------------------------------------------------------------===//

class NPUVectorIntrinsic<list<LLVMType> results, list<LLVMType> operands,
                         list<IntrinsicProperty> properties = [IntrNoMem, IntrSpeculatable]>
    : Intrinsic<results, operands,
                !listconcat([IntrNoCallback, IntrNoFree, IntrWillReturn], properties),
                !subst("_", ".", !subst("int_npu_", "llvm.xnpu_", NAME))>,
      ClangBuiltin<!subst("int_npu_", "__builtin_npu_", NAME)>;

foreach W = [NPUVectorB, NPUVectorH, NPUVectorW] in {
  defvar V = W.Type;
  defvar S = W.Suffix;
  // Elements from and to scalars, by index; lane numbers and masks.
  def int_npu_v_bcast_#S : NPUVectorIntrinsic<[V], [llvm_i32_ty]>;
  def int_npu_v_extract_#S : NPUVectorIntrinsic<[llvm_i32_ty], [V, llvm_i32_ty]>;
  def int_npu_v_insert_#S : NPUVectorIntrinsic<[V], [V, llvm_i32_ty, llvm_i32_ty]>;
  def int_npu_v_lanes_#S : NPUVectorIntrinsic<[V], [llvm_i32_ty, llvm_i32_ty]>;
  def int_npu_v_id_#S : NPUVectorIntrinsic<[V], []>;
  foreach Op = ["redsum", "redsumu", "redmin", "redminu", "redmax", "redmaxu", "redand",
                "redor", "redxor"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[llvm_i32_ty], [V]>;
}

// Bytes of the last operand by index.
def int_npu_v_perm : NPUVectorIntrinsic<[llvm_v64i8_ty], [llvm_v64i8_ty, llvm_v64i8_ty]>;
foreach Q = 0...3 in
  def int_npu_v_lut#Q : NPUVectorIntrinsic<[llvm_v64i8_ty],
                                           [llvm_v64i8_ty, llvm_v64i8_ty, llvm_v64i8_ty]>;

}
