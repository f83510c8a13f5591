// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation fetch: turns a run into a stream of items (npu_act_walk), one a cycle when the
// words of an item lie in different banks. An item is a pixel's vector, or up to four taps of
// a depthwise window.
//
//   walk     addresses of the up to four segments of an item; check against the TCM
//   request  the banks of the segments; repeated until every word is granted
//   gather   the words that came back are shifted into place and ORed into the data; taps
//            that the line above has fetched come from the line buffer
//   FIFO     items wait for the array, which hides cycles that the scratchpad refuses
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

  output logic               item_valid_o,
  output fetch_item_t        item_o,
  input  logic               item_ready_i
);

  localparam int unsigned Segs     = FetchSegs;
  localparam int unsigned SegWords = 9;   // 32 bytes at any alignment
  localparam int unsigned Bytes    = 16 * Segs;
  localparam logic [29:0] TcmWords = TcmSize[31:2];
  localparam int unsigned FifoW    = $clog2(FifoDepth);
  localparam int unsigned SlotW    = 5;   // the line buffer holds 32 columns of a line

  // One segment on its way through request and gather.
  typedef struct packed {
    logic [3:0]              bank;   // of its first word
    logic [TcmAddrWidth-1:0] row;    // of its first word
    logic [1:0]              align;
    logic [5:0]              length;
    logic [5:0]              place;
  } segment_t;

  // What goes with the segments of an item.
  typedef struct packed {
    logic             last;
    logic             column;
    logic [1:0]       group;
    logic             depthwise;
    logic [7:0]       pad_value;
    logic [Bytes-1:0] pad_mask;
    logic             keep;
    logic [1:0]       reuse;
    logic [SlotW-1:0] slot;
  } attributes_t;

  // ------------------------------------------------------------------ walk

  logic                      item_valid, item_end, issue;
  logic                      item_depthwise, item_last, item_column;
  logic [1:0]                item_group;
  logic [Segs-1:0][31:0]     seg_addr;
  logic [Segs-1:0][5:0]      seg_length, seg_place;
  logic [Bytes-1:0]          pad_mask;
  logic [7:0]                pad_value;
  logic                      item_keep;
  logic [1:0]                item_reuse;
  logic [SlotW-1:0]          item_slot;

  npu_act_walk #(
    .TagW(TagW),
    .SlotW(SlotW)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .run_valid_i,
    .run_i,
    .run_tag_i,
    .run_ready_o,
    .item_valid_o    (item_valid),
    .item_tag_o      (error_tag_o),
    .item_depthwise_o(item_depthwise),
    .item_last_o     (item_last),
    .item_column_o   (item_column),
    .item_group_o    (item_group),
    .item_end_o      (item_end),
    .seg_addr_o      (seg_addr),
    .seg_length_o    (seg_length),
    .seg_place_o     (seg_place),
    .pad_mask_o      (pad_mask),
    .pad_value_o     (pad_value),
    .keep_o          (item_keep),
    .reuse_o         (item_reuse),
    .slot_o          (item_slot),
    .item_ready_i    (issue)
  );

  segment_t [Segs-1:0]           seg_d, seg_q;
  logic [Segs-1:0][TcmBanks-1:0] pend_d, pend_q;
  attributes_t                   attr_q;
  logic                          outside, reported_q;
  logic [31:0]                   outside_addr;

  always_comb begin
    logic [31:0] last;
    logic [29:0] word;
    logic [3:0]  words;
    logic [SegWords-1:0] in_tcm;
    last         = '0;
    word         = '0;
    words        = '0;
    in_tcm       = '0;
    seg_d        = seg_q;
    pend_d       = '0;
    outside      = 1'b0;
    outside_addr = '0;
    if (issue) begin
      for (int unsigned j = 0; j < Segs; j++) begin
        if (seg_length[j] != '0) begin
          last  = seg_addr[j] - TcmBase + 32'(seg_length[j]) - 32'd1;
          word  = 30'((seg_addr[j] - TcmBase) >> 2);
          words = 4'((7'(seg_addr[j][1:0]) + 7'(seg_length[j]) + 7'd3) >> 2);
          for (int unsigned i = 0; i < SegWords; i++) begin
            in_tcm[i] = 4'(i) < words && word + 30'(i) < TcmWords;
          end
          if (!outside && (word >= TcmWords || last >= TcmSize)) begin
            outside      = 1'b1;
            outside_addr = word >= TcmWords ? seg_addr[j] : TcmBase + TcmSize;
          end
          seg_d[j].bank   = word[3:0];
          seg_d[j].row    = word[4+:TcmAddrWidth];
          seg_d[j].align  = seg_addr[j][1:0];
          seg_d[j].length = seg_length[j];
          seg_d[j].place  = seg_place[j];
          pend_d[j] = 16'({2{16'(in_tcm)}} >> (5'd16 - 5'(word[3:0])));
        end
      end
    end
  end

  assign error_valid_o = issue && outside && !reported_q;
  assign error_addr_o  = outside_addr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reported_q <= 1'b0;
    end else if (issue) begin
      reported_q <= !item_end && (reported_q || outside);
    end
  end

  // ------------------------------------------------------------------ request

  logic                          req_valid_q, req_done;
  logic [Segs-1:0][TcmBanks-1:0] hit, got, left_pend;
  logic [FifoW:0]                credit_q;   // items requested and not yet taken

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

  assign req_done = left_pend == '0;
  assign issue    = item_valid && (!req_valid_q || req_done)
                    && credit_q != (FifoW + 1)'(FifoDepth);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_valid_q <= 1'b0;
      pend_q      <= '0;
    end else if (issue) begin
      req_valid_q <= 1'b1;
      pend_q      <= pend_d;
    end else if (req_valid_q) begin
      req_valid_q <= !req_done;
      pend_q      <= left_pend;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      seg_q  <= seg_d;
      attr_q <= '{last: item_last, column: item_column, group: item_group,
                  depthwise: item_depthwise, pad_value: pad_value, pad_mask: pad_mask,
                  keep: item_keep, reuse: item_reuse, slot: item_slot};
    end
  end

  // ------------------------------------------------------------------ gather

  logic                          gather_valid_q, gather_last_q;
  segment_t [Segs-1:0]           gather_seg_q;
  logic [Segs-1:0][TcmBanks-1:0] gather_got_q;
  attributes_t                   gather_attr_q;
  logic [Bytes*8-1:0]            partial_q, data_d;

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
      gather_seg_q  <= seg_q;
      gather_got_q  <= got;
      gather_attr_q <= attr_q;
    end
  end

  // Taps 1 to 3 of the columns of the last line.
  localparam int unsigned KeptBits = 128 * (Segs - 1);
  logic [KeptBits-1:0] kept;

  npu_ram_1r1w #(
    .Width(KeptBits),
    .Depth(2 ** SlotW)
  ) u_line_buffer (
    .clk_i,
    .re_i   (req_valid_q && attr_q.reuse != 2'd0),
    .raddr_i(attr_q.slot),
    .rdata_o(kept),
    .we_i   (gather_last_q && gather_attr_q.keep),
    .waddr_i(gather_attr_q.slot),
    .wdata_i(data_d[Bytes*8-1:128])
  );

  always_comb begin
    logic [SegWords*32-1:0] words;
    logic [3:0]             bank;
    logic [8*VectorK-1:0]   bytes;
    words  = '0;
    bank   = '0;
    bytes  = '0;
    data_d = partial_q;
    if (gather_valid_q) begin
      for (int unsigned j = 0; j < Segs; j++) begin
        if (|gather_got_q[j]) begin
          words = '0;
          for (int unsigned i = 0; i < SegWords; i++) begin
            bank = gather_seg_q[j].bank + 4'(i);
            if (gather_got_q[j][bank]) words[32*i+:32] = tcm_rdata_i[bank];
          end
          bytes = (8*VectorK)'(words >> {gather_seg_q[j].align, 3'b000});
          // Keep the segment's bytes and move them to their place.
          bytes = bytes << {6'(VectorK) - gather_seg_q[j].length, 3'b000};
          bytes = bytes >> {6'(VectorK) - gather_seg_q[j].length, 3'b000};
          bytes = bytes << {gather_seg_q[j].place, 3'b000};
          if (gather_attr_q.depthwise) begin
            data_d[128*j+:128] = data_d[128*j+:128] | bytes[127:0];
          end else begin
            data_d[8*VectorK-1:0] = data_d[8*VectorK-1:0] | bytes;
          end
        end
      end
      if (gather_attr_q.pad_mask != '0) begin
        for (int unsigned i = 0; i < Bytes; i++) begin
          if (gather_attr_q.pad_mask[i]) data_d[8*i+:8] = gather_attr_q.pad_value;
        end
      end
      if (gather_last_q && gather_attr_q.reuse == 2'd1) begin
        data_d = data_d | (8*Bytes)'(kept);
      end else if (gather_last_q && gather_attr_q.reuse == 2'd2) begin
        data_d = data_d | (8*Bytes)'(kept[KeptBits-1:128]);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      partial_q <= '0;
    end else if (gather_valid_q) begin
      partial_q <= gather_last_q ? '0 : data_d;
    end
  end

  // ------------------------------------------------------------------ FIFO

  fetch_item_t      fifo_q [FifoDepth];
  logic [FifoW-1:0] fifo_in_q, fifo_out_q;
  logic [FifoW:0]   fifo_count_q;
  logic             fifo_push, fifo_pop;

  assign fifo_push    = gather_last_q;
  assign fifo_pop     = item_valid_o && item_ready_i;
  assign item_valid_o = fifo_count_q != '0;
  assign item_o       = fifo_q[fifo_out_q];

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
      credit_q     <= credit_q + (FifoW + 1)'(issue) - (FifoW + 1)'(fifo_pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (fifo_push) begin
      fifo_q[fifo_in_q] <= '{last: gather_attr_q.last, column: gather_attr_q.column,
                             group: gather_attr_q.group, data: data_d};
    end
  end

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  FifoNeverOverflows: assert property (@(posedge clk_i) disable iff (!rst_ni)
    fifo_push |-> fifo_count_q != (FifoW + 1)'(FifoDepth) || fifo_pop);
  FifoDepthIsPowerOfTwo: assert property (@(posedge clk_i) FifoDepth == 2 ** FifoW);
`endif

endmodule : npu_act_fetch
