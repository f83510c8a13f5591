// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data buffer between the reader and the writer of a DMA channel: a RAM with one read and
// one write port, and the oldest beat in a register in front of it.

module npu_dma_buffer #(
  parameter int unsigned Width = 128,
  parameter int unsigned Depth = 128,
  localparam int unsigned PtrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // The reader reserves space before it asks for data, so a push is always accepted.
  input  logic             push_i,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i,

  output logic [PtrW:0]    count_o   // beats that can be popped, now or after the register
);

  logic [Width-1:0] mem [Depth];
  logic [PtrW-1:0]  in_q, out_q;
  logic [PtrW:0]    mem_count_q;     // without the register
  logic             head_valid_q;
  logic [Width-1:0] head_q;
  logic             head_load, from_mem, bypass, to_mem;

  assign head_load = !head_valid_q || pop_i;
  assign from_mem  = head_load && mem_count_q != '0;
  assign bypass    = head_load && mem_count_q == '0 && push_i;
  assign to_mem    = push_i && !bypass;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q         <= '0;
      out_q        <= '0;
      mem_count_q  <= '0;
      head_valid_q <= 1'b0;
    end else begin
      if (to_mem) in_q <= in_q + PtrW'(1);
      if (from_mem) out_q <= out_q + PtrW'(1);
      mem_count_q <= mem_count_q + (PtrW + 1)'(to_mem) - (PtrW + 1)'(from_mem);
      if (head_load) head_valid_q <= from_mem || bypass;
    end
  end

  always_ff @(posedge clk_i) begin
    if (to_mem) mem[in_q] <= data_i;
    if (from_mem) head_q <= mem[out_q];
    else if (bypass) head_q <= data_i;
  end

  assign valid_o = head_valid_q;
  assign data_o  = head_q;
  assign count_o = mem_count_q + (PtrW + 1)'(head_valid_q);

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  NoOverflow: assert property (@(posedge clk_i) disable iff (!rst_ni)
    to_mem |-> mem_count_q != (PtrW + 1)'(Depth));
  NoUnderflow: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> head_valid_q);
`endif

endmodule : npu_dma_buffer
