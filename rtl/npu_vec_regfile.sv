// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector registers: three combinational read ports, one write port. Reads are evaluated only
// for an instruction that uses them.

module npu_vec_regfile
  import npu_vec_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       re1_i,
  input  logic [4:0] raddr1_i,
  output vec_t       rdata1_o,
  input  logic       re2_i,
  input  logic [4:0] raddr2_i,
  output vec_t       rdata2_o,
  input  logic       red_i,
  input  logic [4:0] raddrd_i,
  output vec_t       rdatad_o,

  input  logic       we_i,
  input  logic [4:0] waddr_i,
  input  vec_t       wdata_i
);

  vec_t mem [32] /* verilator public_flat_rw */;

  assign rdata1_o = re1_i ? mem[raddr1_i] : '0;
  assign rdata2_o = re2_i ? mem[raddr2_i] : '0;
  assign rdatad_o = red_i ? mem[raddrd_i] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < 32; i++) mem[i] <= '0;
    end else if (we_i) begin
      mem[waddr_i] <= wdata_i;
    end
  end

endmodule : npu_vec_regfile
