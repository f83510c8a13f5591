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

}
