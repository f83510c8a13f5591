// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small first-in first-out queue of registers; the oldest entry is visible while valid_o.

module npu_fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 4,
  localparam int unsigned PtrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             ready_o,

  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i
);

  logic [Width-1:0] entry_q [Depth];
  logic [PtrW-1:0]  in_q, out_q;
  logic [PtrW:0]    count_q;

  assign ready_o = count_q != (PtrW + 1)'(Depth);
  assign valid_o = count_q != '0;
  assign data_o  = entry_q[out_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q    <= '0;
      out_q   <= '0;
      count_q <= '0;
    end else begin
      if (push_i) in_q <= in_q + PtrW'(1);
      if (pop_i) out_q <= out_q + PtrW'(1);
      count_q <= count_q + (PtrW + 1)'(push_i) - (PtrW + 1)'(pop_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) entry_q[in_q] <= data_i;
  end

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  NoOverflow: assert property (@(posedge clk_i) disable iff (!rst_ni) push_i |-> ready_o);
  NoUnderflow: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> valid_o);
  DepthIsPowerOfTwo: assert property (@(posedge clk_i) Depth == 2 ** PtrW);
  CountsWhatIsInside: assert property (@(posedge clk_i) disable iff (!rst_ni)
    count_q <= (PtrW + 1)'(Depth) && PtrW'(in_q - out_q) == count_q[PtrW-1:0]);
  OldestStays: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_o && !pop_i |=> valid_o && $stable(data_o));
`endif

endmodule : npu_fifo
