// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Restoring divider: one cycle for the magnitudes, 32 for the quotient bits, one for
// the signs, whatever the operands. req_i is held until done_o; dropping it aborts.

module npu_div
  import npu_isa_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,
  input  insn_e       insn_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,

  output logic        done_o,
  output logic [31:0] result_o
);

  localparam logic [5:0] LastStep = 6'd33;

  logic        is_signed, is_rem;
  assign is_signed = insn_i inside {InsnDiv, InsnRem};
  assign is_rem    = insn_i inside {InsnRem, InsnRemu};

  logic        a_neg, b_neg;
  assign a_neg = is_signed && a_i[31];
  assign b_neg = is_signed && b_i[31];

  logic [5:0]  step_q;
  logic [31:0] rem_q, quo_q, divisor_q;

  // One bit of the quotient: the remainder moves up by the next dividend bit, which
  // leaves quo_q at its top while the quotient bit enters at its bottom.
  logic [32:0] shifted, difference;
  assign shifted    = {rem_q, quo_q[31]};
  assign difference = shifted - {1'b0, divisor_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= '0;
    end else if (!req_i || step_q == LastStep) begin
      step_q <= '0;
    end else begin
      step_q <= step_q + 6'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_q == '0) begin
      rem_q     <= '0;
      quo_q     <= a_neg ? -a_i : a_i;
      divisor_q <= b_neg ? -b_i : b_i;
    end else if (step_q != LastStep) begin
      rem_q <= difference[32] ? shifted[31:0] : difference[31:0];
      quo_q <= {quo_q[30:0], !difference[32]};
    end
  end

  // Division by zero leaves the dividend as remainder and all ones as quotient; only
  // the sign of that quotient must stay as it is.
  always_comb begin
    if (is_rem) begin
      result_o = a_neg ? -rem_q : rem_q;
    end else begin
      result_o = (a_neg != b_neg) && b_i != '0 ? -quo_q : quo_q;
    end
  end

  assign done_o = step_q == LastStep;

endmodule : npu_div
