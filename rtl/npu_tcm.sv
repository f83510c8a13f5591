// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data scratchpad: 16 word-interleaved single-port banks with a fixed-priority arbiter
// each. The scalar core comes first and is always granted; then the units in the order of
// their index: vector unit (which never asks beside the scalar core), activation fetch, drain,
// weight load, DMA 0, DMA 1. A unit that is not granted a bank repeats its request for it.

module npu_tcm
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned Size  = DefaultTcmSize,
  parameter int unsigned Units = 6
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        core_req_i,
  input  logic        core_we_i,
  input  logic [3:0]  core_be_i,
  input  logic [31:0] core_addr_i,
  input  logic [31:0] core_wdata_i,
  output logic [31:0] core_rdata_o,

  input  tcm_req_t    unit_req_i [Units],
  output tcm_gnt_t    unit_gnt_o [Units],
  output tcm_rdata_t  unit_rdata_o
);

  localparam int unsigned BankWords  = Size / (TcmBanks * TcmBankBytes);
  localparam int unsigned BankAddrW  = $clog2(BankWords);
  localparam int unsigned BankIndexW = $clog2(TcmBanks);

  logic [TcmBanks-1:0]     core_bank_req;
  logic [TcmAddrWidth-1:0] core_word;
  assign core_word = core_addr_i[2 + BankIndexW +: TcmAddrWidth];

  always_comb begin
    core_bank_req = '0;
    core_bank_req[core_addr_i[2 +: BankIndexW]] = core_req_i;
  end

  // Grants: what nobody before wants.
  tcm_gnt_t taken;

  always_comb begin
    taken = core_bank_req;
    for (int unsigned u = 0; u < Units; u++) begin
      unit_gnt_o[u] = unit_req_i[u].req & ~taken;
      taken         = taken | unit_req_i[u].req;
    end
  end

  for (genvar b = 0; b < TcmBanks; b++) begin : gen_bank
    logic                    we;
    logic [3:0]              be;
    logic [TcmAddrWidth-1:0] addr;
    logic [31:0]             wdata;

    always_comb begin
      we    = core_we_i;
      be    = core_be_i;
      addr  = core_word;
      wdata = core_wdata_i;
      for (int unsigned u = 0; u < Units; u++) begin
        if (unit_gnt_o[u][b]) begin
          we    = unit_req_i[u].we[b];
          be    = unit_req_i[u].be[b];
          addr  = unit_req_i[u].addr[b];
          wdata = unit_req_i[u].wdata[b];
        end
      end
    end

    npu_ram_1p #(
      .Width(32),
      .Depth(BankWords)
    ) u_ram (
      .clk_i,
      .req_i   (taken[b]),
      .we_i    (we),
      .be_i    (be),
      .addr_i  (addr[BankAddrW-1:0]),
      .wdata_i (wdata),
      .rdata_o (unit_rdata_o[b])
    );

    // Requesters check addresses against the size; smaller configurations leave bits over.
    if (BankAddrW < TcmAddrWidth) begin : gen_unused_addr
      logic unused_addr;
      assign unused_addr = ^addr[TcmAddrWidth-1:BankAddrW];
    end
  end

  logic [BankIndexW-1:0] core_bank_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_bank_q <= '0;
    end else if (core_req_i) begin
      core_bank_q <= core_addr_i[2 +: BankIndexW];
    end
  end

  assign core_rdata_o = unit_rdata_o[core_bank_q];

  logic unused_core_addr;
  assign unused_core_addr = ^{core_addr_i[31:2 + BankIndexW + TcmAddrWidth], core_addr_i[1:0]};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  for (genvar b = 0; b < TcmBanks; b++) begin : gen_grants
    logic [Units:0] granted;
    always_comb begin
      granted[Units] = core_bank_req[b];
      for (int unsigned u = 0; u < Units; u++) granted[u] = unit_gnt_o[u][b];
    end
    TcmOneAccessABank_A: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(granted));
    TcmBankServesSomeone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        taken[b] |-> |granted);
  end
  for (genvar u = 0; u < Units; u++) begin : gen_bounded
    int unsigned waits_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waits_q <= 0;
      else waits_q <= unit_req_i[u].req != '0 && unit_gnt_o[u] == '0 ? waits_q + 1 : 0;
    end
    TcmWaitIsBounded_A: assert property (@(posedge clk_i) disable iff (!rst_ni) waits_q < 1_000_000);
  end
`endif

endmodule : npu_tcm
