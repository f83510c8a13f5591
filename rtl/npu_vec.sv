// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector unit. An instruction reads its vector operands in decode and issues from the scalar
// pipeline's execute stage, which is stage 1 here; nothing can fail behind it.
//
//   stage    1        2          3           4
//   result   ALU      permute,   multiply,   requantize,      then register file
//                     acc row    load        reductions (x)
//
// Every result travels to stage 4 and is written there, so one write port suffices, writes are
// in program order, and no instruction ever waits for the port. An operand comes from the
// youngest stage that has it; decode waits only for what no stage has yet.

module npu_vec
  import npu_isa_pkg::*;
  import npu_platform_pkg::*;
  import npu_core_pkg::*;
  import npu_pkg::*;
  import npu_vec_pkg::*;
#(
  parameter int unsigned ItcmSize = DefaultItcmSize,
  parameter int unsigned TcmSize  = DefaultTcmSize,
  parameter int unsigned DramSize = DefaultDramSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Decode: every instruction is looked at, since scalar ones may use x registers that are
  // still to be written here.
  input  insn_e       id_insn_i,
  input  logic [4:0]  id_reg1_i,    // register fields: bits 19..15, 24..20, 11..7
  input  logic [4:0]  id_reg2_i,
  input  logic [4:0]  id_regd_i,
  input  logic [31:0] id_rs1_i,     // forwarded
  input  logic [31:0] id_rs2_i,
  input  logic        id_issue_i,   // it goes to execute
  output logic        id_vector_o,  // it is one of this unit
  output logic        id_hazard_o,  // some operand is not there yet

  // Execute. What computes is done at once; memory accesses and accumulator rows may wait.
  input  logic        ex_active_i,  // a valid instruction that may have effects
  input  logic        ex_commit_i,
  input  logic [31:0] ex_rs1_i,
  input  logic [31:0] ex_rs2_i,
  input  logic [31:0] ex_addr_i,
  input  logic [31:0] stride_i,
  input  npu_csr_t    csr_i,
  output logic        ex_done_o,
  output logic        ex_exception_o,
  output logic [4:0]  ex_cause_o,
  output logic [31:0] ex_tval_o,
  output logic        ex_busy_o,    // must not be withdrawn any more
  output logic        pending_o,    // results are on their way

  // Memory
  output tcm_req_t    tcm_req_o,
  input  tcm_rdata_t  tcm_rdata_i,
  output logic        itcm_req_o,
  output logic        itcm_we_o,
  output logic [3:0]  itcm_be_o,
  output logic [31:0] itcm_addr_o,
  output logic [31:0] itcm_wdata_o,
  input  logic [31:0] itcm_rdata_i,
  output axi_req_t    axi_req_o,
  input  axi_rsp_t    axi_rsp_i,

  // Accumulators: granted in the cycle of the request, read data in the next one.
  output logic                     acc_req_o,
  output logic                     acc_we_o,
  output logic [7:0]               acc_row_o,
  output logic [MacCols-1:0][31:0] acc_wdata_o,
  input  logic                     acc_gnt_i,
  input  logic [MacCols-1:0][31:0] acc_rdata_i,

  // Written in this cycle: a vector register, or the x register of a reduction.
  output vec_result_t result_o
);

  // What a stage knows of its instruction; write is false for stores.
  typedef struct packed {
    logic       write;
    logic       to_x;
    logic [4:0] rd;
  } dest_t;

  typedef struct packed {
    dest_t       dest;
    insn_class_e kind;
  } stage_t;

  // ------------------------------------------------------------------ decode

  insn_class_e id_kind;
  vec_op_e     id_op;
  vec_type_e   id_type;
  elem_e       id_elem;
  stage_t      id;
  logic [4:0]  vs1, vs2, vd;

  assign id_op   = insn_vec_op(id_insn_i);
  assign id_type = insn_vec_type(id_insn_i);
  assign id_elem = reg_elem(id_type);
  assign id_kind = insn_class(id_insn_i);
  assign vs1     = id_reg1_i;
  assign vs2     = id_reg2_i;
  assign vd      = id_regd_i;

  assign id_vector_o = id_op != VecNone;
  assign id.kind     = id_kind;
  assign id.dest     = '{write: id_vector_o && (insn_writes_vd(id_insn_i) ||
                                                (insn_writes_rd(id_insn_i) && vd != '0)),
                         to_x:  insn_writes_rd(id_insn_i),
                         rd:    vd};

  logic uses_vs1, uses_vs2, uses_vd;
  assign uses_vs1 = id_vector_o && insn_uses_vs1(id_insn_i);
  assign uses_vs2 = id_vector_o && insn_uses_vs2(id_insn_i);
  assign uses_vd  = id_vector_o && insn_uses_vd(id_insn_i);

  // The accumulator of a multiplication is needed late: that of a multiplication in stage 1 or 2
  // comes out of stage 4 in time.
  logic chain1, chain2, chain1_q, chain2_q;

  // ------------------------------------------------------------------ stages

  logic      ex_vector_q, ex_all_lanes_q;
  vec_op_e   ex_op_q;
  vec_type_e ex_type_q;
  elem_e     ex_elem;
  stage_t    stage1, stage1_q, stage2_q, stage3_q, stage4_q;
  vec_t      a_q, b_q, d_q;
  vec_t      alu_result, perm_result, mul_result, load_result, requant_result;
  vec_t      result2, result3, result4, result2_q, result3_q, result4_q;
  logic [31:0] reduced;

  always_comb begin
    stage1       = stage1_q;
    stage1.dest.write = stage1_q.dest.write && ex_vector_q && ex_active_i;
  end

  assign result2 = stage2_q.kind == ClassVPerm ? perm_result : result2_q;

  always_comb begin
    unique case (stage3_q.kind)
      ClassVMul:                result3 = mul_result;
      ClassVLoad, ClassVStrided: result3 = load_result;
      default:                  result3 = result3_q;
    endcase
  end

  always_comb begin
    unique case (stage4_q.kind)
      ClassVRequant: result4 = requant_result;
      ClassVReduce:  result4 = VecWidth'(reduced);
      default:       result4 = result4_q;
    endcase
  end

  assign result_o  = '{valid: stage4_q.dest.write, to_x: stage4_q.dest.to_x, index: stage4_q.dest.rd,
                       value: result4};
  assign pending_o = stage2_q.dest.write || stage3_q.dest.write || stage4_q.dest.write;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage2_q <= '0;
      stage3_q <= '0;
      stage4_q <= '0;
    end else begin
      stage2_q       <= stage1;
      stage2_q.dest.write <= stage1.dest.write && ex_commit_i;
      stage3_q       <= stage2_q;
      stage4_q       <= stage3_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (stage1.dest.write && stage1.kind == ClassVAlu) result2_q <= alu_result;
    if (stage2_q.dest.write) result3_q <= result2;
    if (stage3_q.dest.write) result4_q <= result3;
  end

  // ------------------------------------------------------------------ operands

  function automatic logic writes_v(dest_t dest, logic [4:0] index);
    return dest.write && !dest.to_x && dest.rd == index;
  endfunction

  function automatic logic writes_x(dest_t dest, logic [4:0] index);
    return dest.write && dest.to_x && dest.rd == index;
  endfunction

  // The youngest instruction that writes the register has not got its result yet.
  function automatic logic not_ready(logic [4:0] index, stage_t s1, stage_t s2, stage_t s3);
    if (writes_v(s1.dest, index)) return s1.kind != ClassVAlu;
    if (writes_v(s2.dest, index)) return !(s2.kind inside {ClassVAlu, ClassVPerm});
    if (writes_v(s3.dest, index)) return s3.kind == ClassVRequant;
    return 1'b0;
  endfunction

  logic v_hazard, x_hazard;

  always_comb begin
    v_hazard = 1'b0;
    if (id_vector_o) begin
      v_hazard = (uses_vs1 && not_ready(vs1, stage1, stage2_q, stage3_q)) ||
                 (uses_vs2 && not_ready(vs2, stage1, stage2_q, stage3_q)) ||
                 (uses_vd && !chain1 && !chain2 && not_ready(vd, stage1, stage2_q, stage3_q));
    end
  end

  assign chain1 = id_kind == ClassVMul && uses_vd &&
                  writes_v(stage1.dest, vd) && stage1.kind == ClassVMul;
  assign chain2 = id_kind == ClassVMul && uses_vd && !writes_v(stage1.dest, vd) &&
                  writes_v(stage2_q.dest, vd) && stage2_q.kind == ClassVMul;

  // An x result is there in stage 4. A scalar instruction that writes the register must not
  // overtake it.
  function automatic logic x_pending(logic [4:0] index, dest_t d1, dest_t d2, dest_t d3);
    return writes_x(d1, index) || writes_x(d2, index) || writes_x(d3, index);
  endfunction

  assign x_hazard =
      (insn_uses_rs1(id_insn_i) && x_pending(vs1, stage1.dest, stage2_q.dest, stage3_q.dest)) ||
      (insn_uses_rs2(id_insn_i) && x_pending(vs2, stage1.dest, stage2_q.dest, stage3_q.dest)) ||
      (insn_writes_rd(id_insn_i) && !id_vector_o &&
       (writes_x(stage1.dest, vd) || writes_x(stage2_q.dest, vd)));

  assign id_hazard_o = v_hazard || x_hazard;

  vec_t rf_a, rf_b, rf_d;

  npu_vec_regfile u_regfile (
    .clk_i,
    .rst_ni,
    .re1_i    (uses_vs1),
    .raddr1_i (vs1),
    .rdata1_o (rf_a),
    .re2_i    (uses_vs2),
    .raddr2_i (vs2),
    .rdata2_o (rf_b),
    .red_i    (uses_vd),
    .raddrd_i (vd),
    .rdatad_o (rf_d),
    .we_i     (stage4_q.dest.write && !stage4_q.dest.to_x),
    .waddr_i  (stage4_q.dest.rd),
    .wdata_i  (result4)
  );

  // A scalar operand is spread over the elements.
  vec_t a, b, d;

  always_comb begin
    a = '0;
    b = '0;
    d = '0;
    if (uses_vs1) begin
      if (writes_v(stage1.dest, vs1))        a = alu_result;
      else if (writes_v(stage2_q.dest, vs1)) a = result2;
      else if (writes_v(stage3_q.dest, vs1)) a = result3;
      else if (writes_v(stage4_q.dest, vs1)) a = result4;
      else                              a = rf_a;
    end else if (id_vector_o) begin
      a = broadcast(id_elem, id_rs1_i);
    end
    if (uses_vs2) begin
      if (writes_v(stage1.dest, vs2))        b = alu_result;
      else if (writes_v(stage2_q.dest, vs2)) b = result2;
      else if (writes_v(stage3_q.dest, vs2)) b = result3;
      else if (writes_v(stage4_q.dest, vs2)) b = result4;
      else                              b = rf_b;
    end else if (id_vector_o) begin
      b = broadcast(id_elem, id_rs2_i);
    end
    if (uses_vd) begin
      if (writes_v(stage1.dest, vd))        d = alu_result;
      else if (writes_v(stage2_q.dest, vd)) d = result2;
      else if (writes_v(stage3_q.dest, vd)) d = result3;
      else if (writes_v(stage4_q.dest, vd)) d = result4;
      else                             d = rf_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ex_vector_q <= 1'b0;
      stage1_q    <= '0;
    end else if (id_issue_i) begin
      ex_vector_q <= id_vector_o;
      stage1_q    <= id;
    end
  end

  always_ff @(posedge clk_i) begin
    if (id_issue_i && id_vector_o) begin
      ex_op_q        <= id_op;
      ex_type_q      <= id_type;
      ex_all_lanes_q <= !insn_uses_rs2(id_insn_i) || vs2 == '0;
      a_q            <= a;
      b_q            <= b;
      chain1_q       <= chain1;
      chain2_q       <= chain2;
      if (uses_vd) d_q <= d;
    end
  end

  // ------------------------------------------------------------------ execute

  logic        enter;      // the instruction in execute goes to stage 2
  insn_class_e ex_kind;
  assign ex_kind = stage1_q.kind;
  assign ex_elem = reg_elem(ex_type_q);
  assign enter   = ex_vector_q && ex_commit_i;

  npu_vec_alu u_alu (
    .en_i     (stage1.dest.write && ex_kind == ClassVAlu),
    .op_i     (ex_op_q),
    .elem_i   (ex_elem),
    .a_i      (a_q),
    .b_i      (b_q),
    .d_i      (d_q),
    .rs1_i    (ex_rs1_i),
    .rs2_i    (ex_rs2_i),
    .result_o (alu_result)
  );

  npu_vec_perm u_perm (
    .clk_i,
    .rst_ni,
    .en_i     (enter && ex_kind == ClassVPerm),
    .op_i     (ex_op_q),
    .elem_i   (ex_elem),
    .a_i      (a_q),
    .b_i      (b_q),
    .d_i      (d_q),
    .rs1_i    (ex_rs1_i),
    .rs2_i    (ex_rs2_i),
    .acc_i    (acc_rdata_i),
    .result_o (perm_result)
  );

  npu_vec_mul u_mul (
    .clk_i,
    .rst_ni,
    .en_i     (enter && ex_kind == ClassVMul),
    .op_i     (ex_op_q),
    .elem_i   (ex_elem),
    .a_i      (a_q),
    .b_i      (b_q),
    .d_i      (d_q),
    .chain1_i (chain1_q),
    .chain2_i (chain2_q),
    .chain_i  (result4),
    .result_o (mul_result)
  );

  npu_vec_requant u_requant (
    .clk_i,
    .rst_ni,
    .en_i         (enter && ex_kind == ClassVRequant),
    .clamp_i      (ex_op_q == VecRq),
    .x_i          (d_q),
    .multiplier_i (a_q),
    .shift_i      (b_q),
    .zero_point_i (csr_i.zero_point),
    .clamp_min_i  (csr_i.clamp_min),
    .clamp_max_i  (csr_i.clamp_max),
    .result_o     (requant_result)
  );

  npu_vec_reduce u_reduce (
    .clk_i,
    .rst_ni,
    .en_i     (enter && ex_kind == ClassVReduce),
    .op_i     (ex_op_q),
    .elem_i   (ex_elem),
    .a_i      (a_q),
    .index_i  (ex_rs2_i[5:0]),
    .result_o (reduced)
  );

  // ------------------------------------------------------------------ accumulators

  logic ex_acc;
  assign ex_acc      = ex_vector_q && ex_op_q inside {VecAccrd, VecAccwr};
  assign acc_req_o   = ex_acc && ex_active_i;
  assign acc_we_o    = ex_op_q == VecAccwr;
  assign acc_row_o   = acc_we_o ? ex_rs2_i[7:0] : ex_rs1_i[7:0];
  assign acc_wdata_o = a_q;

  // ------------------------------------------------------------------ memory

  logic mem_req, mem_done;

  assign mem_req = ex_vector_q && ex_active_i && !ex_acc &&
                   ex_kind inside {ClassVLoad, ClassVStore, ClassVStrided};

  npu_vec_lsu #(
    .ItcmSize(ItcmSize),
    .TcmSize(TcmSize),
    .DramSize(DramSize)
  ) u_lsu (
    .clk_i,
    .rst_ni,
    .req_i       (mem_req),
    .op_i        (ex_op_q),
    .type_i      (ex_type_q),
    .addr_i      (ex_addr_i),
    .all_lanes_i (ex_all_lanes_q),
    .count_i     (ex_rs2_i),
    .stride_i,
    .mask_i      (b_q),
    .data_i      (ex_op_q == VecSt ? b_q : d_q),
    .done_o      (mem_done),
    .exception_o (ex_exception_o),
    .cause_o     (ex_cause_o),
    .tval_o      (ex_tval_o),
    .busy_o      (ex_busy_o),
    .result_o    (load_result),
    .tcm_req_o,
    .tcm_rdata_i,
    .itcm_req_o,
    .itcm_we_o,
    .itcm_be_o,
    .itcm_addr_o,
    .itcm_wdata_o,
    .itcm_rdata_i,
    .axi_req_o,
    .axi_rsp_i
  );

  always_comb begin
    unique case (ex_kind)
      ClassVLoad, ClassVStore, ClassVStrided: ex_done_o = ex_acc ? acc_gnt_i : mem_done;
      default:                                ex_done_o = !ex_acc || acc_gnt_i;
    endcase
  end

  logic unused;
  assign unused = ^csr_i;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  VecX0IsNotWritten_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      result_o.valid && result_o.to_x |-> result_o.index != '0);
  // What the accumulator forwarding rests on.
  VecMultiplicationNeverWaits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ex_vector_q && ex_active_i && ex_kind == ClassVMul |-> ex_done_o);
`endif

endmodule : npu_vec
