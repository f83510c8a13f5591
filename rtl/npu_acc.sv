// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators: 256 rows of 16 x int32 in four banks (half, parity of the row).
//
// The array adds to (or overwrites) one row a cycle: it reads the row beside the last step
// of the column adders and writes one cycle later; a row that is accumulated twice in a row
// is forwarded. The drain reads one row a cycle; the array has priority on a bank, and where
// both walk through the same half the two parities let them fall into step after one cycle.
// The rows read as zero until they are first written, so no reset sweep is needed.

module npu_acc
  import npu_platform_pkg::*;
  import npu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // Array: the row to read for the step that brings its sums in the next cycle, and the
  // step that has them.
  input  logic                     early_read_i,
  input  logic [7:0]               early_row_i,
  input  logic                     write_i,
  input  logic                     acc_i,
  input  logic [7:0]               row_i,
  input  logic [MacCols-1:0][31:0] sums_i,

  // Drain: rdata only in the cycle after the grant.
  input  logic                     drain_req_i,
  input  logic [7:0]               drain_row_i,
  output logic                     drain_gnt_o,
  output logic [MacCols-1:0][31:0] drain_rdata_o
);

  localparam int unsigned Banks = 4;
  localparam int unsigned Width = MacCols * 32;

  logic                     forward_q;
  logic [MacCols-1:0][31:0] result_d, result_q;
  logic [MacAccRows-1:0]    written_q;
  logic                     array_known_q, drain_known_q;
  logic [1:0]               early_bank, write_bank, drain_bank, array_bank_q, drain_bank_q;

  logic [Banks-1:0]            bank_read, bank_write;
  logic [Banks-1:0][5:0]       bank_raddr;
  logic [Banks-1:0][Width-1:0] bank_rdata;

  assign early_bank = {early_row_i[7], early_row_i[0]};
  assign write_bank = {row_i[7], row_i[0]};
  assign drain_bank = {drain_row_i[7], drain_row_i[0]};

  assign drain_gnt_o = drain_req_i && !(early_read_i && early_bank == drain_bank);

  for (genvar b = 0; b < int'(Banks); b++) begin : gen_banks
    logic array_here;

    assign array_here    = early_read_i && early_bank == 2'(b);
    assign bank_read[b]  = array_here || (drain_gnt_o && drain_bank == 2'(b));
    assign bank_raddr[b] = array_here ? early_row_i[6:1] : drain_row_i[6:1];
    assign bank_write[b] = write_i && write_bank == 2'(b);

    npu_acc_bank #(
      .Rows (MacAccRows / Banks),
      .Width(Width)
    ) u_bank (
      .clk_i,
      .read_i (bank_read[b]),
      .raddr_i(bank_raddr[b]),
      .rdata_o(bank_rdata[b]),
      .write_i(bank_write[b]),
      .waddr_i(row_i[6:1]),
      .wdata_i(result_d)
    );
  end

  always_comb begin
    result_d = sums_i;
    if (write_i && acc_i && (forward_q || array_known_q)) begin
      for (int unsigned n = 0; n < MacCols; n++) begin
        result_d[n] = sums_i[n]
                      + (forward_q ? result_q[n] : bank_rdata[array_bank_q][32*n+:32]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_i) result_q <= result_d;
    if (early_read_i) begin
      forward_q     <= write_i && row_i == early_row_i;
      array_known_q <= written_q[early_row_i];
      array_bank_q  <= early_bank;
    end
    if (drain_gnt_o) begin
      drain_known_q <= written_q[drain_row_i];
      drain_bank_q  <= drain_bank;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
    end else if (write_i) begin
      written_q[row_i] <= 1'b1;
    end
  end

  assign drain_rdata_o = drain_known_q ? bank_rdata[drain_bank_q] : '0;

endmodule : npu_acc
