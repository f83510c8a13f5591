// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bench of the vector unit without its memories: decode and execute stage as the core has them,
// one instruction word a cycle.

// Outputs that the bench has no use for.
// verilator lint_off PINCONNECTEMPTY

module vector_bench
  import npu_isa_pkg::*;
  import npu_platform_pkg::*;
  import npu_pkg::*;
  import npu_vec_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         valid_i,
  input  logic [31:0]  word_i,
  input  logic [31:0]  rs1_i,
  input  logic [31:0]  rs2_i,
  input  logic [23:0]  oquant_i,
  output logic         ready_o,

  output logic         result_valid_o,
  output logic         result_to_x_o,
  output logic [4:0]   result_index_o,
  output logic [511:0] result_value_o
);

  insn_e       insn;
  logic        hazard, issue, ex_valid_q;
  logic [31:0] rs1_q, rs2_q;
  npu_csr_t    csr;
  vec_result_t result;

  assign insn    = insn_decode(word_i);
  assign issue   = valid_i && !hazard;
  assign ready_o = issue;

  always_comb begin
    csr            = '0;
    csr.zero_point = oquant_i[7:0];
    csr.clamp_min  = oquant_i[15:8];
    csr.clamp_max  = oquant_i[23:16];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ex_valid_q <= 1'b0;
      rs1_q      <= '0;
      rs2_q      <= '0;
    end else begin
      ex_valid_q <= issue;
      rs1_q      <= rs1_i;
      rs2_q      <= rs2_i;
    end
  end

  npu_vec u_vec (
    .clk_i,
    .rst_ni,
    .id_insn_i      (insn),
    .id_reg1_i      (word_i[19:15]),
    .id_reg2_i      (word_i[24:20]),
    .id_regd_i      (word_i[11:7]),
    .id_rs1_i       (rs1_i),
    .id_rs2_i       (rs2_i),
    .id_issue_i     (issue),
    .id_vector_o    (),
    .id_hazard_o    (hazard),
    .ex_active_i    (ex_valid_q),
    .ex_commit_i    (ex_valid_q),
    .ex_rs1_i       (rs1_q),
    .ex_rs2_i       (rs2_q),
    .ex_addr_i      ('0),
    .stride_i       ('0),
    .csr_i          (csr),
    .ex_done_o      (),
    .ex_exception_o (),
    .ex_cause_o     (),
    .ex_tval_o      (),
    .ex_busy_o      (),
    .pending_o      (),
    .tcm_req_o      (),
    .tcm_rdata_i    ('0),
    .itcm_req_o     (),
    .itcm_we_o      (),
    .itcm_be_o      (),
    .itcm_addr_o    (),
    .itcm_wdata_o   (),
    .itcm_rdata_i   ('0),
    .axi_req_o      (),
    .axi_rsp_i      ('0),
    .acc_req_o      (),
    .acc_we_o       (),
    .acc_row_o      (),
    .acc_wdata_o    (),
    .acc_gnt_i      (1'b0),
    .acc_rdata_i    ('0),
    .result_o       (result)
  );

  assign result_valid_o = result.valid;
  assign result_to_x_o  = result.to_x;
  assign result_index_o = result.index;
  assign result_value_o = result.value;

  logic unused;
  assign unused = ^word_i;

endmodule : vector_bench
