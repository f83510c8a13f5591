// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct-mapped instruction cache for code in DRAM: 128 lines of 32 bytes. A lookup is
// answered in the next cycle with the latency of ITCM; a refill reads the line in one
// burst of two beats, and no lookup is granted meanwhile.
//
// A line whose burst ended with an error is not kept: the address is remembered, the
// next lookup in it reports the error, and the one after that asks the bus again.

module npu_icache
  import npu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        invalidate_i,    // FENCE.I

  input  logic        req_i,
  input  logic [31:0] addr_i,
  output logic        gnt_o,
  output logic        hit_o,
  output logic        error_o,
  output logic [31:0] rdata_o,

  input  logic        refill_i,
  input  logic [31:0] refill_addr_i,

  output axi_req_t    axi_req_o,
  input  axi_rsp_t    axi_rsp_i
);

  localparam int unsigned Lines      = 128;
  localparam int unsigned IndexWidth = $clog2(Lines);
  localparam int unsigned TagWidth   = 32 - 5 - IndexWidth;

  typedef enum logic [1:0] {
    Idle,
    Address,
    Data
  } state_e;

  state_e              state_d, state_q;
  logic [31:5]         line_q;          // of the refill
  logic                beat_q;
  logic                failed_d, failed_q;
  logic                void_q;          // FENCE.I came during the refill
  logic                beat_done, refill_done;

  logic [Lines-1:0]    valid_q;
  logic                error_valid_q;
  logic [31:5]         error_line_q;

  logic [31:2]         lookup_q;
  logic                lookup_valid_q;
  logic                answer_q;        // this cycle answers a lookup

  logic [TagWidth-1:0]   tag [Lines];
  logic [TagWidth-1:0]   tag_q;
  logic [127:0]          row;

  // Lookup
  assign gnt_o = req_i && state_q == Idle;

  always_ff @(posedge clk_i) begin
    if (gnt_o) begin
      tag_q    <= tag[addr_i[5 +: IndexWidth]];
      lookup_q <= addr_i[31:2];
    end
    if (refill_done) tag[line_q[5 +: IndexWidth]] <= line_q[31 -: TagWidth];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lookup_valid_q <= 1'b0;
      answer_q       <= 1'b0;
    end else begin
      answer_q <= gnt_o;
      if (gnt_o) lookup_valid_q <= valid_q[addr_i[5 +: IndexWidth]];
    end
  end

  assign hit_o   = lookup_valid_q && tag_q == lookup_q[31 -: TagWidth];
  assign error_o = error_valid_q && error_line_q == lookup_q[31:5] && !hit_o;
  assign rdata_o = row[32 * lookup_q[3:2] +: 32];

  npu_ram_1p #(
    .Width(128),
    .Depth(2 * Lines)
  ) u_data (
    .clk_i,
    .req_i   (gnt_o || beat_done),
    .we_i    (beat_done),
    .be_i    ('1),
    .addr_i  (beat_done ? {line_q[5 +: IndexWidth], beat_q} : addr_i[4 +: IndexWidth + 1]),
    .wdata_i (axi_rsp_i.r_data),
    .rdata_o (row)
  );

  // Refill
  assign beat_done   = state_q == Data && axi_rsp_i.r_valid;
  assign refill_done = beat_done && axi_rsp_i.r_last;
  assign failed_d    = failed_q || axi_rsp_i.r_resp != 2'b00;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (refill_i) state_d = Address;
      Address: if (axi_rsp_i.ar_ready) state_d = Data;
      Data:    if (refill_done) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_comb begin
    axi_req_o          = '0;
    axi_req_o.ar_valid = state_q == Address;
    axi_req_o.ar_addr  = {line_q, 5'b0};
    axi_req_o.ar_len   = 8'd1;
    axi_req_o.r_ready  = state_q == Data;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= Idle;
      line_q        <= '0;
      beat_q        <= 1'b0;
      failed_q      <= 1'b0;
      void_q        <= 1'b0;
      valid_q       <= '0;
      error_valid_q <= 1'b0;
      error_line_q  <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == Idle) begin
        line_q   <= refill_addr_i[31:5];
        beat_q   <= 1'b0;
        failed_q <= 1'b0;
        void_q   <= 1'b0;
      end else if (beat_done) begin
        beat_q   <= 1'b1;
        failed_q <= failed_d;
      end

      // The old line dies as soon as its data rows are overwritten.
      if (beat_done) valid_q[line_q[5 +: IndexWidth]] <= 1'b0;
      if (refill_done && !void_q) begin
        valid_q[line_q[5 +: IndexWidth]] <= !failed_d;
        error_valid_q                    <= failed_d;
        error_line_q                     <= line_q;
      end else if (error_o && answer_q) begin
        error_valid_q <= 1'b0;
      end
      if (invalidate_i) begin
        valid_q       <= '0;
        error_valid_q <= 1'b0;
        if (state_q != Idle || refill_i) void_q <= 1'b1;
      end
    end
  end

  logic unused;
  assign unused = ^{axi_rsp_i.aw_ready, axi_rsp_i.w_ready, axi_rsp_i.b_valid, axi_rsp_i.b_resp,
                    refill_addr_i[4:0], addr_i[1:0], lookup_q[4]};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  IcacheStateIsLegal_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      state_q inside {Idle, Address, Data});
  IcacheAddressStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      axi_req_o.ar_valid && !axi_rsp_i.ar_ready |=> axi_req_o.ar_valid && $stable(axi_req_o.ar_addr));
`endif

endmodule : npu_icache
