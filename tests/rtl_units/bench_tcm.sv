// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratchpad of the unit benches: requesters in the order of their priority, and banks that
// the test can keep busy. Read data of a bank that was not read are garbage, so that a unit
// that uses them fails.

module bench_tcm
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned Units = 1
) (
  input  logic        clk_i,
  input  tcm_req_t    req_i [Units],
  output tcm_gnt_t    gnt_o [Units],
  output tcm_rdata_t  rdata_o,
  input  logic [15:0] hold_i
);

  localparam int unsigned Words = DefaultTcmSize / 4;
  localparam int unsigned RowW  = $clog2(Words / TcmBanks);

  logic [31:0] mem [Words] /*verilator public_flat_rw*/;
  tcm_rdata_t  rdata_q;
  tcm_gnt_t    taken, used;

  always_comb begin
    taken = hold_i;
    used  = '0;
    for (int unsigned u = 0; u < Units; u++) begin
      gnt_o[u] = req_i[u].req & ~taken;
      taken    = taken | req_i[u].req;
      used     = used | gnt_o[u];
    end
  end

  for (genvar b = 0; b < int'(TcmBanks); b++) begin : gen_bank
    logic                     we;
    logic [3:0]               be;
    logic [TcmAddrWidth-1:0]  row;
    logic [RowW+3:0]          word;
    logic [31:0]              wdata, old;

    always_comb begin
      we    = 1'b0;
      be    = '0;
      row   = '0;
      wdata = '0;
      for (int unsigned u = 0; u < Units; u++) begin
        if (gnt_o[u][b]) begin
          we    = req_i[u].we[b];
          be    = req_i[u].be[b];
          row   = req_i[u].addr[b];
          wdata = req_i[u].wdata[b];
        end
      end
    end

    assign word = {row[RowW-1:0], 4'(b)};
    assign old  = mem[word];

    always_ff @(posedge clk_i) begin
      rdata_q[b] <= used[b] && !we ? old : 32'hdead_beef;
      if (used[b] && we) begin
        mem[word] <= {be[3] ? wdata[31:24] : old[31:24], be[2] ? wdata[23:16] : old[23:16],
                      be[1] ? wdata[15:8] : old[15:8], be[0] ? wdata[7:0] : old[7:0]};
      end
      if (used[b]) AddressInTcm: assert (row[TcmAddrWidth-1:RowW] == '0);
    end
  end

  assign rdata_o = rdata_q;

endmodule : bench_tcm
