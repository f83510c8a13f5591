// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads up to 64 consecutive words from the scratchpad: weights into the shadow registers,
// or a quantization table. Word i goes to lane i mod 16 as chunk i / 16.
//
// Sixteen consecutive words lie in sixteen banks, so each bank serves the same number of
// words (at most 4); a bank that is refused does not hold up the others, since the
// activation fetch may keep a few banks busy for a whole run. Words outside TCM are not
// delivered: the owner clears its registers at the start.

module npu_matrix_load
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize = DefaultTcmSize
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,   // only while idle_o
  input  logic [31:0]       addr_i,    // multiple of 4
  input  logic [6:0]        words_i,   // 0..64
  output logic              idle_o,
  output logic              done_o,    // pulse: the last lanes are being delivered
  output logic              error_o,   // with done_o: a byte was outside TCM
  output logic [31:0]       error_addr_o,

  output tcm_req_t          tcm_req_o,
  input  tcm_gnt_t          tcm_gnt_i,
  input  tcm_rdata_t        tcm_rdata_i,

  output logic [15:0]       lane_we_o,
  output logic [15:0][1:0]  lane_chunk_o,
  output logic [15:0][31:0] lane_data_o
);

  localparam logic [29:0] TcmWords = TcmSize[31:2];

  logic                       active_q, finish_q;
  logic [29:0]                word_q;          // of lane 0, chunk 0, from the start of TCM
  logic [6:0]                 words_q;
  logic                       error_q;
  logic [31:0]                error_addr_q;
  logic [TcmBanks-1:0][2:0]   chunk_q;
  logic [TcmBanks-1:0]        got_d, got_q;
  logic [TcmBanks-1:0][1:0]   got_chunk_q;
  logic                       all_done;

  // ------------------------------------------------------------------ start

  logic [31:0] first_byte, last_byte;
  logic        first_outside, last_outside;

  assign first_byte    = addr_i - TcmBase;
  assign last_byte     = first_byte + {23'd0, words_i, 2'b00} - 32'd1;
  assign first_outside = first_byte >= TcmSize;
  assign last_outside  = last_byte >= TcmSize;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      word_q       <= first_byte[31:2];
      words_q      <= words_i;
      error_q      <= words_i != 7'd0 && (first_outside || last_outside);
      error_addr_q <= first_outside ? addr_i : TcmBase + TcmSize;
    end
  end

  // ------------------------------------------------------------------ requests

  // Per bank: a word is still to be read, it is the bank's last, and where it lies.
  logic [TcmBanks-1:0] more, last, in_tcm;

  always_comb begin
    logic [6:0]  index;
    logic [29:0] word;
    index     = '0;
    word      = '0;
    more      = '0;
    last      = '0;
    in_tcm    = '0;
    tcm_req_o = '0;
    if (active_q) begin
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        index     = {chunk_q[b], 4'(b) - word_q[3:0]};
        word      = word_q + 30'(index);
        more[b]   = index < words_q;
        last[b]   = index + 7'd16 >= words_q;
        in_tcm[b] = word < TcmWords;
        tcm_req_o.req[b]  = more[b] && in_tcm[b];
        tcm_req_o.addr[b] = word[4+:TcmAddrWidth];
      end
    end
  end

  logic [TcmBanks-1:0] step;
  assign step     = more & (tcm_gnt_i | ~in_tcm);
  assign got_d    = more & tcm_gnt_i & in_tcm;
  assign all_done = (more & ~(step & last)) == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      finish_q <= 1'b0;
      chunk_q  <= '0;
      got_q    <= '0;
    end else begin
      finish_q <= active_q && all_done;
      if (start_i) begin
        active_q <= 1'b1;
        chunk_q  <= '0;
      end else if (active_q) begin
        active_q <= !all_done;
        for (int unsigned b = 0; b < TcmBanks; b++) begin
          if (step[b]) chunk_q[b] <= chunk_q[b] + 3'd1;
        end
      end
      if (active_q || finish_q) got_q <= got_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_q) begin
      for (int unsigned b = 0; b < TcmBanks; b++) got_chunk_q[b] <= chunk_q[b][1:0];
    end
  end

  // ------------------------------------------------------------------ delivery

  always_comb begin
    logic [3:0] bank;
    bank         = '0;
    lane_we_o    = '0;
    lane_chunk_o = '0;
    lane_data_o  = '0;
    if (|got_q) begin
      for (int unsigned o = 0; o < 16; o++) begin
        bank            = word_q[3:0] + 4'(o);
        lane_we_o[o]    = got_q[bank];
        lane_chunk_o[o] = got_chunk_q[bank];
        lane_data_o[o]  = tcm_rdata_i[bank];
      end
    end
  end

  assign idle_o       = !active_q && !finish_q;
  assign done_o       = finish_q;
  assign error_o      = error_q;
  assign error_addr_o = error_addr_q;

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  StartOnlyWhenIdle: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start_i |-> idle_o);
`endif

endmodule : npu_matrix_load
