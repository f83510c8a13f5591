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
// An element and the one of twice its width.
class NPUVectorPair<NPUVectorWidth narrow, NPUVectorWidth wide> {
  string Suffix = narrow.Suffix;
  LLVMType Type = narrow.Type;
  LLVMType Wide = wide.Type;
}
defvar NPUVectorPairs = [NPUVectorPair<NPUVectorB, NPUVectorH>,
                         NPUVectorPair<NPUVectorH, NPUVectorW>];
// What lies in memory, extended or narrowed, and the elements in the register.
class NPUVectorMemory<NPUVectorWidth register, list<string> loads,
                      list<string> stores> {
  LLVMType Type = register.Type;
  string Plain = register.Suffix;
  list<string> Loads = loads;
  list<string> Stores = stores;
}
defvar NPUVectorMemories = [
  NPUVectorMemory<NPUVectorB, ["b"], ["b"]>,
  NPUVectorMemory<NPUVectorH, ["h", "bh", "bhu"], ["h", "hb", "hbs", "hbu"]>,
  NPUVectorMemory<NPUVectorW, ["w", "bw", "bwu", "hw", "hwu"],
                  ["w", "wb", "wbs", "wbu", "wh", "whs", "whu"]>];

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
// Vector unit: an intrinsic for each instruction that generic operations do not say,
// named after it. A scalar operand is a broadcast, which selection folds into the .x
// form.
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
  foreach Op = ["avg", "avgu", "absd", "absdu", "srlr", "srar", "ssll", "rdpot", "mulh",
                "mulhu", "dmulh", "ziplo", "ziphi", "unzipe", "unzipo"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[V], [V, V]>;
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

// Between a width and twice of it; dot products are of words.
foreach P = NPUVectorPairs in {
  defvar V = P.Type;
  defvar S = P.Suffix;
  foreach Op = ["wmullo", "wmulhi", "wmululo", "wmuluhi"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[P.Wide], [V, V]>;
  foreach Op = ["wmacclo", "wmacchi", "wmacculo", "wmaccuhi"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[P.Wide], [P.Wide, V, V]>;
  foreach Op = ["dot", "dotu", "dotus"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[llvm_v16i32_ty], [llvm_v16i32_ty, V, V]>;
  foreach Op = ["sxlo", "sxhi", "zxlo", "zxhi"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[P.Wide], [V]>;
  foreach Op = ["pack", "packs", "packsu", "packu"] in
    def int_npu_v_#Op#_#S : NPUVectorIntrinsic<[V], [P.Wide, P.Wide]>;
  def int_npu_v_extractu_#S : NPUVectorIntrinsic<[llvm_i32_ty], [V, llvm_i32_ty]>;
}
foreach Q = 0...3 in {
  def int_npu_v_sxq#Q#_b : NPUVectorIntrinsic<[llvm_v16i32_ty], [llvm_v64i8_ty]>;
  def int_npu_v_zxq#Q#_b : NPUVectorIntrinsic<[llvm_v16i32_ty], [llvm_v64i8_ty]>;
}

// Bits: mask, where ones, where zeros.
def int_npu_v_sel : NPUVectorIntrinsic<[llvm_v64i8_ty],
                                       [llvm_v64i8_ty, llvm_v64i8_ty, llvm_v64i8_ty]>;

// Bytes of the last operand by index.
def int_npu_v_perm : NPUVectorIntrinsic<[llvm_v64i8_ty], [llvm_v64i8_ty, llvm_v64i8_ty]>;
foreach Q = 0...3 in
  def int_npu_v_lut#Q : NPUVectorIntrinsic<[llvm_v64i8_ty],
                                           [llvm_v64i8_ty, llvm_v64i8_ty, llvm_v64i8_ty]>;
// Bytes by distance.
foreach Op = ["slidedn", "slideup"] in
  def int_npu_v_#Op : NPUVectorIntrinsic<[llvm_v64i8_ty], [llvm_v64i8_ty, llvm_i32_ty]>;
def int_npu_v_align : NPUVectorIntrinsic<[llvm_v64i8_ty],
                                         [llvm_v64i8_ty, llvm_v64i8_ty, llvm_i32_ty]>;

// Requantization: value, multiplier, shift. rq reads a CSR.
def int_npu_v_mbqm : NPUVectorIntrinsic<[llvm_v16i32_ty],
                                        [llvm_v16i32_ty, llvm_v16i32_ty, llvm_v16i32_ty]>;
def int_npu_v_rq : NPUVectorIntrinsic<[llvm_v16i32_ty],
                                      [llvm_v16i32_ty, llvm_v16i32_ty, llvm_v16i32_ty],
                                      [IntrReadMem, IntrInaccessibleMemOnly]>;

// Accumulator rows, in order with the operations of the matrix unit.
def int_npu_v_accrd : NPUVectorIntrinsic<[llvm_v16i32_ty], [llvm_i32_ty],
                                         [IntrInaccessibleMemOnly, IntrHasSideEffects]>;
def int_npu_v_accwr : NPUVectorIntrinsic<[], [llvm_v16i32_ty, llvm_i32_ty],
                                         [IntrInaccessibleMemOnly, IntrHasSideEffects]>;

// Memory: some lanes, by number or by mask, with what else than all 64 bytes from or to
// one place is not a load or store. The stride of lds and sts stands in a CSR.
defvar NPULoadProperties = [NoCapture<ArgIndex<0>>, ReadOnly<ArgIndex<0>>, IntrReadMem];
defvar NPUStoreProperties = [NoCapture<ArgIndex<1>>, WriteOnly<ArgIndex<1>>];
foreach M = NPUVectorMemories in {
  defvar V = M.Type;
  foreach T = M.Loads in {
    def int_npu_v_ldl_#T
        : NPUVectorIntrinsic<[V], [llvm_ptr_ty, llvm_i32_ty],
                             !listconcat(NPULoadProperties, [IntrArgMemOnly])>;
    def int_npu_v_ldm_#T
        : NPUVectorIntrinsic<[V], [llvm_ptr_ty, V],
                             !listconcat(NPULoadProperties, [IntrArgMemOnly])>;
  }
  foreach T = M.Stores in {
    def int_npu_v_stl_#T
        : NPUVectorIntrinsic<[], [V, llvm_ptr_ty, llvm_i32_ty],
                             !listconcat(NPUStoreProperties,
                                         [IntrWriteMem, IntrArgMemOnly])>;
    def int_npu_v_stm_#T
        : NPUVectorIntrinsic<[], [V, llvm_ptr_ty, V],
                             !listconcat(NPUStoreProperties,
                                         [IntrWriteMem, IntrArgMemOnly])>;
  }
  def int_npu_v_lds_#M.Plain
      : NPUVectorIntrinsic<[V], [llvm_ptr_ty, llvm_i32_ty],
                           !listconcat(NPULoadProperties,
                                       [IntrInaccessibleMemOrArgMemOnly])>;
  def int_npu_v_sts_#M.Plain
      : NPUVectorIntrinsic<[], [V, llvm_ptr_ty, llvm_i32_ty],
                           !listconcat(NPUStoreProperties,
                                       [IntrInaccessibleMemOrArgMemOnly])>;
}

}
