// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators: 256 rows of 16 x int32 in four banks (half, parity of the row).
//
// The array adds to (or overwrites) one row a cycle: it reads the row beside the last step
// of the column adders and writes one cycle later; a row that is accumulated twice in a row
// is forwarded. The drain reads one row a cycle; the array has priority on a bank, and where
// both walk through the same half the two parities let them fall into step after one cycle.
// The rows read as zero until they are first written, so no reset sweep is needed.
//
// The vector unit reads in the place of the drain, before it, and writes in a cycle in which
// the array does not write the same bank.

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
  output logic [MacCols-1:0][31:0] drain_rdata_o,

  // Vector unit: one row; rdata in the cycle after the grant of a read.
  input  logic                     vec_req_i,
  input  logic                     vec_we_i,
  input  logic [7:0]               vec_row_i,
  input  logic [MacCols-1:0][31:0] vec_wdata_i,
  output logic                     vec_gnt_o,
  output logic [MacCols-1:0][31:0] vec_rdata_o
);

  localparam int unsigned Banks = 4;
  localparam int unsigned Width = MacCols * 32;

  logic                     forward_q;
  logic [MacCols-1:0][31:0] result_d, result_q;
  logic [MacAccRows-1:0]    written_q;
  logic                     array_known_q, read_known_q;
  logic [1:0]               early_bank, write_bank, drain_bank, vec_bank, array_bank_q;
  logic [1:0]               read_bank_q;      // of the drain or the vector unit
  logic [7:0]               read_row;
  logic                     vec_read, vec_write, read;

  logic [Banks-1:0]            bank_read, bank_write;
  logic [Banks-1:0][5:0]       bank_raddr;
  logic [Banks-1:0][Width-1:0] bank_rdata;

  assign early_bank = {early_row_i[7], early_row_i[0]};
  assign write_bank = {row_i[7], row_i[0]};
  assign drain_bank = {drain_row_i[7], drain_row_i[0]};

  assign vec_bank   = {vec_row_i[7], vec_row_i[0]};

  assign vec_read    = vec_req_i && !vec_we_i && !(early_read_i && early_bank == vec_bank);
  assign vec_write   = vec_req_i && vec_we_i && !(write_i && write_bank == vec_bank);
  assign vec_gnt_o   = vec_read || vec_write;
  assign drain_gnt_o = drain_req_i && !vec_read && !(early_read_i && early_bank == drain_bank);
  assign read        = vec_read || drain_gnt_o;
  assign read_row    = vec_read ? vec_row_i : drain_row_i;

  for (genvar b = 0; b < int'(Banks); b++) begin : gen_banks
    logic array_reads, array_writes;

    assign array_reads   = early_read_i && early_bank == 2'(b);
    assign array_writes  = write_i && write_bank == 2'(b);
    assign bank_read[b]  = array_reads || (read && {read_row[7], read_row[0]} == 2'(b));
    assign bank_raddr[b] = array_reads ? early_row_i[6:1] : read_row[6:1];
    assign bank_write[b] = array_writes || (vec_write && vec_bank == 2'(b));

    npu_acc_bank #(
      .Rows (MacAccRows / Banks),
      .Width(Width)
    ) u_bank (
      .clk_i,
      .read_i (bank_read[b]),
      .raddr_i(bank_raddr[b]),
      .rdata_o(bank_rdata[b]),
      .write_i(bank_write[b]),
      .waddr_i(array_writes ? row_i[6:1] : vec_row_i[6:1]),
      .wdata_i(array_writes ? result_d : vec_wdata_i)
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
    if (read) begin
      read_known_q <= written_q[read_row];
      read_bank_q  <= {read_row[7], read_row[0]};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
    end else begin
      if (write_i) written_q[row_i] <= 1'b1;
      if (vec_write) written_q[vec_row_i] <= 1'b1;
    end
  end

  assign drain_rdata_o = read_known_q ? bank_rdata[read_bank_q] : '0;
  assign vec_rdata_o   = drain_rdata_o;

endmodule : npu_acc
