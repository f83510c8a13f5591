// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tickets: what an issued operation returns, and when npu.wait, npu.poll and npu.fence
// are satisfied. Unit 0 and 1 are the DMA channels, unit 2 is the matrix unit.

module npu_sync
  import npu_isa_pkg::*;
  import npu_pkg::*;
(
  input  insn_e                       insn_i,
  input  logic [31:0]                 ticket_i,   // rs1
  input  logic [2:0]                  mask_i,     // of npu.fence
  input  logic                        channel_i,  // of dma.start

  input  logic [2:0][TicketWidth-1:0] issued_i,
  input  logic [2:0][TicketWidth-1:0] done_i,

  output logic                        complete_o, // the ticket's operation
  output logic                        fenced_o,   // all operations of the mask
  output logic [31:0]                 ticket_o    // of the operation that issues now
);

  logic [2:0] idle;

  always_comb begin
    for (int unsigned u = 0; u < 3; u++) idle[u] = issued_i[u] == done_i[u];
  end

  // A ticket is complete when done has reached it, in arithmetic modulo 2^30; one that was
  // never issued when nothing is under way.
  logic [1:0]             unit;
  logic [TicketWidth-1:0] ahead;
  assign unit = ticket_i[1:0];

  always_comb begin
    ahead = '0;
    if (unit != 2'd3) ahead = done_i[unit] - ticket_i[31:2];
    complete_o = unit == 2'd3 || !ahead[TicketWidth-1] || idle[unit];
  end

  assign fenced_o = &(idle | ~mask_i);

  always_comb begin
    if (insn_i == InsnDmaStart) begin
      ticket_o = {issued_i[{1'b0, channel_i}] + TicketWidth'(1), 1'b0, channel_i};
    end else begin
      ticket_o = {issued_i[2] + TicketWidth'(1), 2'd2};
    end
  end

endmodule : npu_sync
