// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data buffer between the reader and the writer of a DMA channel: a RAM with one read and
// one write port, and the two oldest beats in registers in front of it.

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
  output logic             next_valid_o,
  output logic [Width-1:0] next_o,     // the beat behind it
  input  logic             pop_i,

  output logic [PtrW:0]    count_o     // beats in the RAM and in the registers
);

  localparam int unsigned CountW = PtrW + 1;

  logic [Width-1:0]  mem [Depth];
  logic [PtrW-1:0]   in_q, out_q;
  logic [CountW-1:0] mem_count_q;      // without the registers
  logic              head_valid_q, next_valid_q;
  logic [Width-1:0]  head_q, next_q, load;
  logic              head_free, next_free, fill, from_mem, to_mem;

  // A beat enters the first free register, from the RAM if that holds any.
  assign head_free = !head_valid_q || (pop_i && !next_valid_q);
  assign next_free = !next_valid_q || pop_i;
  assign from_mem  = (head_free || next_free) && mem_count_q != '0;
  assign fill      = from_mem || ((head_free || next_free) && push_i);
  assign to_mem    = push_i && (from_mem || !fill);
  assign load      = from_mem ? mem[out_q] : data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q         <= '0;
      out_q        <= '0;
      mem_count_q  <= '0;
      head_valid_q <= 1'b0;
      next_valid_q <= 1'b0;
    end else begin
      if (to_mem) in_q <= in_q + PtrW'(1);
      if (from_mem) out_q <= out_q + PtrW'(1);
      mem_count_q  <= mem_count_q + CountW'(to_mem) - CountW'(from_mem);
      head_valid_q <= !head_free || fill;
      next_valid_q <= !head_free && (!next_free || fill);
    end
  end

  always_ff @(posedge clk_i) begin
    if (to_mem) mem[in_q] <= data_i;
    if (head_free) begin
      head_q <= load;
    end else begin
      if (pop_i) head_q <= next_q;
      if (next_free) next_q <= load;
    end
  end

  assign valid_o      = head_valid_q;
  assign data_o       = head_q;
  assign next_valid_o = next_valid_q;
  assign next_o       = next_q;
  assign count_o      = mem_count_q + CountW'(head_valid_q) + CountW'(next_valid_q);

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  NoOverflow: assert property (@(posedge clk_i) disable iff (!rst_ni)
    to_mem |-> mem_count_q != CountW'(Depth));
  NoUnderflow: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> head_valid_q);
  NextNeedsHead: assert property (@(posedge clk_i) disable iff (!rst_ni)
    next_valid_q |-> head_valid_q);
`endif

endmodule : npu_dma_buffer
