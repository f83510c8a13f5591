// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation fetch: turns a run into a stream of vectors, one a cycle when the words of a
// vector lie in different banks.
//
//   next     constants of the following run (segments of the window), prepared while the
//            current one streams, so that runs follow each other without a gap
//   address  addresses of the up to four segments of one pixel, check against the TCM
//   request  the banks of the segments; repeated until every word is granted
//   gather   the words that came back are shifted into place and ORed into the vector
//   FIFO     vectors wait for the array, which hides cycles that the scratchpad refuses
//
// A byte outside TCM reads as zero; the first one of a run is reported with the run's tag.

module npu_act_fetch
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize   = DefaultTcmSize,
  parameter int unsigned FifoDepth = 8,
  parameter int unsigned TagW      = 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               run_valid_i,
  input  fetch_run_t         run_i,     // count > 0, checked
  input  logic [TagW-1:0]    run_tag_i,
  output logic               run_ready_o,

  output logic               error_valid_o,
  output logic [31:0]        error_addr_o,
  output logic [TagW-1:0]    error_tag_o,

  output tcm_req_t           tcm_req_o,
  input  tcm_gnt_t           tcm_gnt_i,
  input  tcm_rdata_t         tcm_rdata_i,

  output logic               vec_valid_o,
  output logic [MacRows*8-1:0] vec_o,
  input  logic               vec_ready_i
);

  localparam int unsigned Segs     = 4;
  localparam int unsigned SegWords = 5;   // 16 bytes at any alignment
  localparam logic [29:0] TcmWords = TcmSize[31:2];
  localparam int unsigned FifoW    = $clog2(FifoDepth);

  // What stays the same for all pixels of a run.
  typedef struct packed {
    logic [Segs-1:0][31:0] offset;  // from the pixel's address to the segment
    logic [Segs-1:0][4:0]  length;
    logic [Segs-1:0][4:0]  place;   // byte of the vector where the segment goes
    logic [Segs-1:0]       used;
    logic [15:0]           xcount;
    logic [31:0]           xstride;
    logic [31:0]           ystride;
    logic [TagW-1:0]       tag;
  } window_t;

  // One segment on its way through request and gather.
  typedef struct packed {
    logic [3:0]              bank;   // of its first word
    logic [TcmAddrWidth-1:0] row;    // of its first word
    logic [1:0]              align;
    logic [4:0]              length;
    logic [4:0]              place;
  } segment_t;

  // ------------------------------------------------------------------ next run

  logic        next_valid_q;
  window_t     next_q, next_d;
  logic [31:0] next_addr_q;
  logic [8:0]  next_count_q;
  logic        next_take;

  always_comb begin
    logic [4:0] left, piece;
    logic [31:0] row_offset;
    next_d         = '0;
    next_d.xcount  = run_i.xcount;
    next_d.xstride = run_i.xstride;
    next_d.ystride = run_i.ystride;
    next_d.tag     = run_tag_i;

    next_d.length[0] = run_i.first;
    next_d.used[0]   = run_i.first != 5'd0;
    left       = run_i.length - run_i.first;
    row_offset = 32'(run_i.first) - 32'(run_i.rowlen) + run_i.rowstride;
    for (int unsigned j = 1; j < Segs; j++) begin
      piece = run_i.rowlen < 16'(left) ? run_i.rowlen[4:0] : left;
      next_d.place[j]  = run_i.length - left;
      next_d.length[j] = piece;
      next_d.offset[j] = row_offset;
      next_d.used[j]   = piece != 5'd0;
      left       = left - piece;
      row_offset = row_offset + run_i.rowstride;
    end
  end

  assign run_ready_o = !next_valid_q || next_take;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_valid_q <= 1'b0;
    end else if (run_ready_o) begin
      next_valid_q <= run_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (run_valid_i && run_ready_o) begin
      next_q       <= next_d;
      next_addr_q  <= run_i.addr;
      next_count_q <= run_i.count;
    end
  end

  // ------------------------------------------------------------------ address

  logic        win_valid_q;
  window_t     win_q;
  logic [31:0] pixel_q, line_q;
  logic [15:0] x_q;
  logic [8:0]  todo_q;       // pixels left, this one included
  logic        reported_q;   // an error of this run has been reported
  logic        pixel_issue, pixel_last, wrap;
  logic [31:0] pixel_d, line_d;

  assign pixel_last = todo_q == 9'd1;
  assign next_take  = next_valid_q && (!win_valid_q || (pixel_issue && pixel_last));
  assign wrap       = win_q.xcount != 16'd0 && x_q + 16'd1 == win_q.xcount;
  assign line_d     = wrap ? line_q + win_q.ystride : line_q;
  assign pixel_d    = wrap ? line_d : pixel_q + win_q.xstride;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      win_valid_q <= 1'b0;
    end else if (!win_valid_q || (pixel_issue && pixel_last)) begin
      win_valid_q <= next_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (next_take) begin
      win_q      <= next_q;
      pixel_q    <= next_addr_q;
      line_q     <= next_addr_q;
      x_q        <= '0;
      todo_q     <= next_count_q;
      reported_q <= 1'b0;
    end else if (pixel_issue) begin
      pixel_q    <= pixel_d;
      line_q     <= line_d;
      x_q        <= wrap ? 16'd0 : x_q + 16'd1;
      todo_q     <= todo_q - 9'd1;
      reported_q <= reported_q || error_valid_o;
    end
  end

  segment_t [Segs-1:0]               seg_d, seg_q;
  logic [Segs-1:0][TcmBanks-1:0]     pend_d, pend_q;
  logic                              outside;
  logic [31:0]                       outside_addr;

  always_comb begin
    logic [31:0] addr, last;
    logic [29:0] word;
    logic [2:0]  words;
    logic [SegWords-1:0] in_tcm;
    addr         = '0;
    last         = '0;
    word         = '0;
    words        = '0;
    in_tcm       = '0;
    seg_d        = seg_q;
    pend_d       = '0;
    outside      = 1'b0;
    outside_addr = '0;
    if (pixel_issue) begin
      for (int unsigned j = 0; j < Segs; j++) begin
        if (win_q.used[j]) begin
          addr  = pixel_q + win_q.offset[j];
          last  = addr - TcmBase + 32'(win_q.length[j]) - 32'd1;
          word  = 30'((addr - TcmBase) >> 2);
          words = 3'((6'(addr[1:0]) + 6'(win_q.length[j]) + 6'd3) >> 2);
          for (int unsigned i = 0; i < SegWords; i++) begin
            in_tcm[i] = 3'(i) < words && word + 30'(i) < TcmWords;
          end
          if (!outside && (word >= TcmWords || last >= TcmSize)) begin
            outside      = 1'b1;
            outside_addr = word >= TcmWords ? addr : TcmBase + TcmSize;
          end
          seg_d[j].bank   = word[3:0];
          seg_d[j].row    = word[4+:TcmAddrWidth];
          seg_d[j].align  = addr[1:0];
          seg_d[j].length = win_q.length[j];
          seg_d[j].place  = win_q.place[j];
          pend_d[j] = 16'({2{16'(in_tcm)}} >> (5'd16 - 5'(word[3:0])));
        end
      end
    end
  end

  assign error_valid_o = pixel_issue && outside && !reported_q;
  assign error_addr_o  = outside_addr;
  assign error_tag_o   = win_q.tag;

  // ------------------------------------------------------------------ request

  logic                          req_valid_q, req_done;
  logic [Segs-1:0][TcmBanks-1:0] hit, got, left_pend;
  logic [FifoW:0]                credit_q;   // vectors requested and not yet taken

  always_comb begin
    logic [TcmAddrWidth-1:0] row;
    row       = '0;
    tcm_req_o = '0;
    hit       = '0;
    if (req_valid_q) begin
      for (int unsigned j = 0; j < Segs; j++) begin
        if (|pend_q[j]) begin
          for (int unsigned b = 0; b < TcmBanks; b++) begin
            if (pend_q[j][b]) begin
              row = seg_q[j].row + TcmAddrWidth'(4'(b) < seg_q[j].bank);
              // Two segments may share a word; otherwise the later one waits for the bank.
              if (!tcm_req_o.req[b]) begin
                tcm_req_o.req[b]  = 1'b1;
                tcm_req_o.addr[b] = row;
                hit[j][b]         = 1'b1;
              end else begin
                hit[j][b] = tcm_req_o.addr[b] == row;
              end
            end
          end
        end
      end
    end
  end

  for (genvar j = 0; j < int'(Segs); j++) begin : gen_got
    assign got[j]       = hit[j] & tcm_gnt_i;
    assign left_pend[j] = pend_q[j] & ~got[j];
  end

  assign req_done    = left_pend == '0;
  assign pixel_issue = win_valid_q && (!req_valid_q || req_done)
                       && credit_q != (FifoW + 1)'(FifoDepth);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_valid_q <= 1'b0;
      pend_q      <= '0;
    end else if (pixel_issue) begin
      req_valid_q <= 1'b1;
      pend_q      <= pend_d;
    end else if (req_valid_q) begin
      req_valid_q <= !req_done;
      pend_q      <= left_pend;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pixel_issue) seg_q <= seg_d;
  end

  // ------------------------------------------------------------------ gather

  logic                          gather_valid_q, gather_last_q;
  segment_t [Segs-1:0]           gather_seg_q;
  logic [Segs-1:0][TcmBanks-1:0] gather_got_q;
  logic [MacRows*8-1:0]          partial_q, vec_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gather_valid_q <= 1'b0;
      gather_last_q  <= 1'b0;
    end else begin
      gather_valid_q <= req_valid_q;
      gather_last_q  <= req_valid_q && req_done;
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_valid_q) begin
      gather_seg_q <= seg_q;
      gather_got_q <= got;
    end
  end

  always_comb begin
    logic [SegWords*32-1:0] words;
    logic [3:0]             bank;
    logic [127:0]           bytes;
    words = '0;
    bank  = '0;
    bytes = '0;
    vec_d = partial_q;
    if (gather_valid_q) begin
      for (int unsigned j = 0; j < Segs; j++) begin
        if (|gather_got_q[j]) begin
          words = '0;
          for (int unsigned i = 0; i < SegWords; i++) begin
            bank = gather_seg_q[j].bank + 4'(i);
            if (gather_got_q[j][bank]) words[32*i+:32] = tcm_rdata_i[bank];
          end
          bytes = 128'(words >> {gather_seg_q[j].align, 3'b000});
          // Keep the segment's bytes and move them to their place.
          bytes = bytes << {5'd16 - gather_seg_q[j].length, 3'b000};
          bytes = bytes >> {5'd16 - gather_seg_q[j].length, 3'b000};
          vec_d = vec_d | (bytes << {gather_seg_q[j].place, 3'b000});
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      partial_q <= '0;
    end else if (gather_valid_q) begin
      partial_q <= gather_last_q ? '0 : vec_d;
    end
  end

  // ------------------------------------------------------------------ FIFO

  logic [MacRows*8-1:0] fifo_q [FifoDepth];
  logic [FifoW-1:0]     fifo_in_q, fifo_out_q;
  logic [FifoW:0]       fifo_count_q;
  logic                 fifo_push, fifo_pop;

  assign fifo_push   = gather_last_q;
  assign fifo_pop    = vec_valid_o && vec_ready_i;
  assign vec_valid_o = fifo_count_q != '0;
  assign vec_o       = fifo_q[fifo_out_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fifo_in_q    <= '0;
      fifo_out_q   <= '0;
      fifo_count_q <= '0;
      credit_q     <= '0;
    end else begin
      if (fifo_push) fifo_in_q <= fifo_in_q + FifoW'(1);
      if (fifo_pop) fifo_out_q <= fifo_out_q + FifoW'(1);
      fifo_count_q <= fifo_count_q + (FifoW + 1)'(fifo_push) - (FifoW + 1)'(fifo_pop);
      credit_q     <= credit_q + (FifoW + 1)'(pixel_issue) - (FifoW + 1)'(fifo_pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (fifo_push) fifo_q[fifo_in_q] <= vec_d;
  end

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  FifoNeverOverflows: assert property (@(posedge clk_i) disable iff (!rst_ni)
    fifo_push |-> fifo_count_q != (FifoW + 1)'(FifoDepth) || fifo_pop);
  FifoDepthIsPowerOfTwo: assert property (@(posedge clk_i) FifoDepth == 2 ** FifoW);
`endif

endmodule : npu_act_fetch
