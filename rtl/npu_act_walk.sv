// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walk of the activation fetch over the pixels of a run: one item a cycle, each of up to four
// pieces of window rows ("segments") that are contiguous in the scratchpad.
//
//   dense      an item is a pixel: the bytes of its vector from up to four window rows
//   depthwise  an item is up to four taps of one column of the window; the columns of a
//              pixel follow each other, and where the window slides along the line by one
//              or two taps, only the columns that the last pixel did not have. Where the
//              lines of a run follow each other by one or two window rows, the taps that the
//              line above had in this column come from the line buffer
//
// Bytes outside the valid region are cut off the segments and marked as padding. The
// constants of the following run are prepared while the current one streams, so that runs
// follow each other without a gap.

module npu_act_walk
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned TagW  = 2,
  parameter int unsigned SlotW = 5     // columns of a line that the line buffer holds: 2^SlotW
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            run_valid_i,
  input  fetch_run_t      run_i,     // count > 0, checked
  input  logic [TagW-1:0] run_tag_i,
  output logic            run_ready_o,

  output logic            item_valid_o,
  output logic [TagW-1:0] item_tag_o,
  output logic            item_depthwise_o,
  output logic            item_last_o,     // of its pixel
  output logic            item_column_o,   // starts a column
  output logic [1:0]      item_group_o,
  output logic            item_end_o,      // of its run
  output logic [FetchSegs-1:0][31:0] seg_addr_o,
  output logic [FetchSegs-1:0][5:0]  seg_length_o,  // 0: nothing to read
  output logic [FetchSegs-1:0][5:0]  seg_place_o,   // byte of the vector or of the tap
  output logic [FetchSegs*16-1:0]    pad_mask_o,    // bytes of the item's data
  output logic [7:0]                 pad_value_o,
  output logic                       keep_o,        // the line below wants the item's taps
  output logic [1:0]                 reuse_o,       // 1, 2: tap j is tap j + reuse of the slot
  output logic [SlotW-1:0]           slot_o,
  input  logic            item_ready_i
);

  // What stays the same for all pixels of a run.
  typedef struct packed {
    logic [FetchSegs-1:0][31:0] offset;       // from the item's address to the segment
    logic [FetchSegs-1:0][5:0]  length;
    logic [FetchSegs-1:0][5:0]  place;
    logic [FetchSegs-1:0][15:0] line_offset;
    logic [15:0]                back;         // column of the second and later rows
    logic                       depthwise;
    logic [4:0]                 columns;      // of a whole window; dense: 1
    logic [1:0]                 groups_last;  // last group of four window rows
    logic [4:0]                 rows;         // depthwise: window rows
    logic                       slide;        // the window moves by slide_columns taps
    logic [4:0]                 slide_columns;
    logic [1:0]                 advance;      // window rows from line to line if that is 1 or 2
                                              // and the line above can help, otherwise 0
    logic [31:0]                group_step;
    logic [15:0]                group_lines;
    logic [31:0]                tapstride;
    logic [15:0]                xcount;
    logic [31:0]                xstride;
    logic [31:0]                ystride;
    window_pos_t                xstep;
    window_pos_t                ystep;
    logic [14:0]                valid_bytes;
    logic [14:0]                valid_lines;
    logic [7:0]                 pad_value;
    logic [TagW-1:0]            tag;
  } window_t;

  // An address and the position that belongs to it.
  typedef struct packed {
    logic [31:0] addr;
    window_pos_t pos;
  } place_t;

  function automatic place_t moved(place_t from, logic [31:0] stride, window_pos_t step);
    return '{addr: from.addr + stride,
             pos:  '{line:   from.pos.line + step.line,
                     column: from.pos.column + step.column}};
  endfunction

  // ------------------------------------------------------------------ next run

  logic       next_valid_q, next_take;
  window_t    next_q, next_d;
  place_t     next_place_q;
  logic [8:0] next_count_q;

  always_comb begin
    logic [5:0]  left, piece;
    logic [31:0] row_offset;
    logic        pos_slides, pos_advances;
    logic [15:0] advance_lines;
    next_d             = '0;
    next_d.depthwise   = run_i.depthwise;
    next_d.tapstride   = run_i.csr.tapstride;
    next_d.xcount      = run_i.csr.xcount;
    next_d.xstride     = run_i.csr.xstride;
    next_d.ystride     = run_i.csr.ystride;
    next_d.xstep       = run_i.csr.xstep;
    next_d.ystep       = run_i.csr.ystep;
    next_d.valid_bytes = run_i.csr.valid_bytes;
    next_d.valid_lines = run_i.csr.valid_lines;
    next_d.pad_value   = run_i.csr.pad_value;
    next_d.tag         = run_tag_i;
    next_d.columns     = 5'd1;
    for (int unsigned j = 1; j < FetchSegs; j++) begin
      next_d.line_offset[j] = next_d.line_offset[j-1] + 16'(run_i.csr.line_step);
    end
    left       = run_i.length - run_i.first;
    piece      = '0;
    row_offset = '0;
    pos_slides = 1'b0;
    pos_advances  = 1'b0;
    advance_lines = '0;
    if (run_i.depthwise) begin
      next_d.columns     = run_i.taps_x;
      next_d.rows        = run_i.taps_y;
      next_d.groups_last = 2'((run_i.taps_y - 5'd1) >> 2);
      next_d.group_step  = run_i.csr.rowstride << 2;
      next_d.group_lines = {6'd0, run_i.csr.line_step, 2'd0};
      pos_slides = run_i.csr.valid_bytes == '0
                   || (run_i.csr.xstep.line == '0
                       && run_i.csr.xstep.column == run_i.csr.xstride[15:0]);
      if (run_i.csr.xstride == run_i.csr.tapstride) begin
        next_d.slide         = pos_slides;
        next_d.slide_columns = 5'd1;
      end else begin
        next_d.slide         = pos_slides && run_i.taps_x >= 5'd2
                               && run_i.csr.xstride == run_i.csr.tapstride << 1;
        next_d.slide_columns = 5'd2;
      end
      if (run_i.csr.ystride == run_i.csr.rowstride) begin
        next_d.advance = 2'd1;
        advance_lines  = 16'(run_i.csr.line_step);
      end else if (run_i.csr.ystride == run_i.csr.rowstride << 1) begin
        next_d.advance = 2'd2;
        advance_lines  = 16'({run_i.csr.line_step, 1'b0});
      end
      pos_advances = run_i.csr.valid_bytes == '0
                     || (run_i.csr.ystep.column == '0 && run_i.csr.ystep.line == advance_lines);
      // A line of one item would read its slot in the cycle in which it is written.
      if (!pos_advances || run_i.csr.xcount == '0 || run_i.taps_y > 5'(FetchSegs)
          || 5'(next_d.advance) >= run_i.taps_y
          || (run_i.csr.xcount == 16'd1 && run_i.taps_x == 5'd1)) begin
        next_d.advance = 2'd0;
      end
      for (int unsigned j = 0; j < FetchSegs; j++) begin
        next_d.length[j] = 6'(MacCols);
        next_d.offset[j] = row_offset;
        row_offset = row_offset + run_i.csr.rowstride;
      end
    end else begin
      next_d.back      = 16'(run_i.first) - run_i.csr.rowlen;
      next_d.length[0] = run_i.first;
      row_offset = 32'(run_i.first) - 32'(run_i.csr.rowlen) + run_i.csr.rowstride;
      for (int unsigned j = 1; j < FetchSegs; j++) begin
        piece = run_i.csr.rowlen < 16'(left) ? run_i.csr.rowlen[5:0] : left;
        next_d.place[j]  = run_i.length - left;
        next_d.length[j] = piece;
        next_d.offset[j] = row_offset;
        left       = left - piece;
        row_offset = row_offset + run_i.csr.rowstride;
      end
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
      next_place_q <= '{addr: run_i.addr, pos: run_i.csr.pos};
      next_count_q <= run_i.count;
    end
  end

  // ------------------------------------------------------------------ walk

  logic       win_valid_q;
  window_t    win_q;
  place_t     line_q, pixel_q, column_q, item_q;
  logic [15:0] x_q;
  logic [8:0] todo_q;           // pixels left, this one included
  logic [4:0] columns_left_q;   // of the pixel, this one included
  logic [1:0] group_q;
  logic       below_q;          // not in the run's first line
  logic [SlotW:0] slot_q;       // item of the line, at most 2^SlotW
  logic       item_taken, group_last, pixel_last, run_last, wrap, slides;
  place_t     line_d, pixel_d, column_d, column_next;

  assign item_taken = win_valid_q && item_ready_i;
  assign group_last = group_q == win_q.groups_last;
  assign pixel_last = group_last && columns_left_q == 5'd1;
  assign run_last   = pixel_last && todo_q == 9'd1;
  assign next_take  = next_valid_q && (!win_valid_q || (item_taken && run_last));

  assign wrap        = win_q.xcount != 16'd0 && x_q + 16'd1 == win_q.xcount;
  assign slides      = win_q.slide && !wrap;
  assign line_d      = wrap ? moved(line_q, win_q.ystride, win_q.ystep) : line_q;
  assign pixel_d     = wrap ? line_d : moved(pixel_q, win_q.xstride, win_q.xstep);
  assign column_next = moved(column_q, win_q.tapstride,
                             '{line: 16'd0, column: win_q.tapstride[15:0]});
  // A window that slides by s taps goes on with the column behind its last one.
  assign column_d    = pixel_last && !slides ? pixel_d : column_next;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      win_valid_q <= 1'b0;
    end else if (!win_valid_q || (item_taken && run_last)) begin
      win_valid_q <= next_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (next_take) begin
      win_q          <= next_q;
      line_q         <= next_place_q;
      pixel_q        <= next_place_q;
      column_q       <= next_place_q;
      item_q         <= next_place_q;
      x_q            <= '0;
      todo_q         <= next_count_q;
      columns_left_q <= next_q.columns;
      group_q        <= '0;
      below_q        <= 1'b0;
      slot_q         <= '0;
    end else if (item_taken) begin
      if (group_last) begin
        group_q        <= '0;
        item_q         <= column_d;
        if (win_q.depthwise) column_q <= column_d;
        columns_left_q <= !pixel_last ? columns_left_q - 5'd1
                          : slides ? win_q.slide_columns : win_q.columns;
      end else begin
        group_q <= group_q + 2'd1;
        item_q  <= moved(item_q, win_q.group_step,
                         '{line: win_q.group_lines, column: 16'd0});
      end
      if (!slot_q[SlotW]) slot_q <= slot_q + (SlotW + 1)'(1);
      if (pixel_last && wrap) begin
        below_q <= 1'b1;
        slot_q  <= '0;
      end
      if (pixel_last) begin
        pixel_q <= pixel_d;
        line_q  <= line_d;
        x_q     <= wrap ? 16'd0 : x_q + 16'd1;
        todo_q  <= todo_q - 9'd1;
      end
    end
  end

  assign item_valid_o     = win_valid_q;
  assign item_tag_o       = win_q.tag;
  assign item_depthwise_o = win_q.depthwise;
  assign item_last_o      = pixel_last;
  assign item_column_o    = group_q == 2'd0;
  assign item_group_o     = group_q;
  assign item_end_o       = run_last;
  assign pad_value_o      = win_q.pad_value;
  assign keep_o           = win_q.advance != 2'd0 && !slot_q[SlotW];
  assign reuse_o          = keep_o && below_q ? win_q.advance : 2'd0;
  assign slot_o           = slot_q[SlotW-1:0];

  // ------------------------------------------------------------------ valid region

  // How many bytes of a segment lie before a bound that is `distance` bytes behind its start.
  function automatic logic [5:0] bytes_before(logic signed [16:0] distance, logic [5:0] length);
    if (distance < 17'sd0) return 6'd0;
    return distance < 17'(length) ? distance[5:0] : length;
  endfunction

  always_comb begin
    logic [15:0] column, line;
    logic [5:0]  length, start, stop;
    logic [VectorK-1:0] all, kept;
    column       = '0;
    line         = '0;
    length       = '0;
    start        = '0;
    stop         = '0;
    all          = '0;
    kept         = '0;
    pad_mask_o   = '0;
    seg_addr_o   = '0;
    seg_length_o = '0;
    seg_place_o  = '0;
    if (win_valid_q) begin
      for (int unsigned j = 0; j < FetchSegs; j++) begin
        length = win_q.length[j];
        if (win_q.depthwise && {1'b0, group_q, 2'(j)} >= win_q.rows) length = '0;
        if (reuse_o != 2'd0 && 5'(j) + 5'(reuse_o) < win_q.rows) length = '0;
        seg_addr_o[j]   = item_q.addr + win_q.offset[j];
        seg_length_o[j] = length;
        seg_place_o[j]  = win_q.place[j];
        if (win_q.valid_bytes != '0 && length != '0) begin
          column = item_q.pos.column + (j == 0 || win_q.depthwise ? 16'd0 : win_q.back);
          line   = item_q.pos.line + win_q.line_offset[j];
          start  = bytes_before(17'sd0 - 17'(signed'(column)), length);
          stop   = bytes_before({2'b0, win_q.valid_bytes} - 17'(signed'(column)), length);
          if (line[15] || line[14:0] >= win_q.valid_lines || stop < start) stop = start;
          seg_addr_o[j]   = item_q.addr + win_q.offset[j] + 32'(start);
          seg_length_o[j] = stop - start;
          seg_place_o[j]  = win_q.place[j] + start;
          all  = VectorK'((33'd1 << length) - 33'd1);
          kept = VectorK'((33'd1 << stop) - (33'd1 << start));
          if (win_q.depthwise) begin
            pad_mask_o[16*j+:16] = all[15:0] & ~kept[15:0];
          end else begin
            pad_mask_o[VectorK-1:0] = pad_mask_o[VectorK-1:0]
                                      | ((all & ~kept) << win_q.place[j]);
          end
        end
      end
    end
  end

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  ItemStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    item_valid_o && !item_ready_i |=> item_valid_o && $stable(item_last_o));
  RunEndsWithAPixel: assert property (@(posedge clk_i) disable iff (!rst_ni)
    item_valid_o && item_end_o |-> item_last_o);
  for (genvar j = 0; j < int'(FetchSegs); j++) begin : gen_assert
    SegmentFits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      item_valid_o && seg_length_o[j] != '0 |->
      7'(seg_place_o[j]) + 7'(seg_length_o[j]) <= (item_depthwise_o ? 7'd16 : 7'd32));
  end
`endif

endmodule : npu_act_walk
