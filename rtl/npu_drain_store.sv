// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores requantized pixels (or raw accumulator rows, 16 bytes a cycle) to the scratchpad at
// any byte alignment.
//
// The commands come in program order; the pixels of a command are taken in order from the
// requantizer. A command without pixels (table load, error, count 0) passes through the
// store buffer as an empty item, so completions leave in order.

module npu_drain_store
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize = DefaultTcmSize
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  // Command whose pixels arrive next; taken with its last item.
  input  logic                     cmd_valid_i,
  input  drain_store_t             cmd_i,
  input  logic                     cmd_empty_i,   // there are no pixels to wait for
  output logic                     cmd_ready_o,

  input  logic                     pixel_valid_i,
  input  logic                     pixel_raw_i,
  input  logic [MacCols-1:0][31:0] pixel_i,
  output logic                     pixel_ready_o,

  output tcm_req_t                 tcm_req_o,
  input  tcm_gnt_t                 tcm_gnt_i,

  output logic                     done_o,        // pulse: the oldest command is stored
  output logic                     error_o,       // with done_o: a byte was outside TCM
  output logic [31:0]              error_addr_o,
  output logic                     busy_o
);

  localparam int unsigned Words    = 5;  // 16 bytes at any alignment
  localparam logic [29:0] TcmWords = TcmSize[31:2];

  // ------------------------------------------------------------------ walk over the pixels

  logic        started_q;       // inside a command: the walk registers are valid
  logic [31:0] pixel_addr_q, line_q;
  logic [15:0] x_q;
  logic [8:0]  todo_q;
  logic [1:0]  chunk_q;

  logic [31:0] pixel_addr, line;
  logic [15:0] x;
  logic [8:0]  todo;
  logic        load, chunk_last, pixel_last, wrap;
  logic [4:0]  chunk_bytes;

  assign pixel_addr = started_q ? pixel_addr_q : cmd_i.addr;
  assign line       = started_q ? line_q : cmd_i.addr;
  assign x          = started_q ? x_q : 16'd0;
  assign todo       = started_q ? todo_q : cmd_i.count;
  assign wrap       = cmd_i.xcount != 16'd0 && x + 16'd1 == cmd_i.xcount;

  // A raw pixel is up to four chunks of four channels.
  assign chunk_last  = !pixel_raw_i || {1'b0, chunk_q, 2'b00} + 5'd4 >= cmd_i.channels;
  assign chunk_bytes = !pixel_raw_i ? cmd_i.channels
                       : chunk_last ? (cmd_i.channels - {1'b0, chunk_q, 2'b00}) << 2 : 5'd16;
  assign pixel_last  = todo == 9'd1;

  logic buf_valid_q, buf_done;
  assign load          = cmd_valid_i && (cmd_empty_i || pixel_valid_i)
                         && (!buf_valid_q || buf_done);
  assign pixel_ready_o = load && !cmd_empty_i && chunk_last;
  assign cmd_ready_o   = load && (cmd_empty_i || (chunk_last && pixel_last));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      chunk_q   <= '0;
    end else if (load) begin
      started_q <= !cmd_ready_o;
      chunk_q   <= pixel_ready_o || cmd_empty_i ? 2'd0 : chunk_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load && !cmd_empty_i) begin
      pixel_addr_q <= !chunk_last ? pixel_addr
                      : wrap ? line + cmd_i.ystride : pixel_addr + cmd_i.xstride;
      line_q       <= chunk_last && wrap ? line + cmd_i.ystride : line;
      x_q          <= !chunk_last ? x : wrap ? 16'd0 : x + 16'd1;
      todo_q       <= chunk_last ? todo - 9'd1 : todo;
    end
  end

  // ------------------------------------------------------------------ store buffer

  logic [TcmBanks-1:0]     pend_q, pend_d;
  logic [3:0]              bank_q, bank_d;
  logic [TcmAddrWidth-1:0] row_q, row_d;
  logic [Words*4-1:0]      be_q, be_d;
  logic [Words*32-1:0]     data_q, data_d;
  logic                    last_q;
  logic                    outside;
  logic [31:0]             outside_addr;

  function automatic logic [7:0] quantize(logic [31:0] value, logic [7:0] zero_point,
                                          logic [7:0] clamp_min, logic [7:0] clamp_max);
    logic signed [31:0] v;
    v = signed'(value) + 32'(signed'(zero_point));
    if (v < 32'(signed'(clamp_min))) v = 32'(signed'(clamp_min));
    if (v > 32'(signed'(clamp_max))) v = 32'(signed'(clamp_max));
    return v[7:0];
  endfunction

  always_comb begin
    logic [31:0]       addr, offset, last;
    logic [29:0]       word;
    logic [127:0]      bytes;
    logic [Words-1:0]  in_tcm;
    addr         = '0;
    offset       = '0;
    last         = '0;
    word         = '0;
    bytes        = '0;
    in_tcm       = '0;
    pend_d       = '0;
    bank_d       = bank_q;
    row_d        = row_q;
    be_d         = be_q;
    data_d       = data_q;
    outside      = 1'b0;
    outside_addr = '0;
    if (load && !cmd_empty_i && chunk_bytes != 5'd0) begin
      addr   = pixel_addr + {26'd0, chunk_q, 4'd0};
      offset = addr - TcmBase;
      last   = offset + 32'(chunk_bytes) - 32'd1;
      word   = offset[31:2];
      if (pixel_raw_i) begin
        bytes = {pixel_i[{chunk_q, 2'd3}], pixel_i[{chunk_q, 2'd2}],
                 pixel_i[{chunk_q, 2'd1}], pixel_i[{chunk_q, 2'd0}]};
      end else begin
        for (int unsigned n = 0; n < MacCols; n++) begin
          bytes[8*n+:8] = quantize(pixel_i[n], cmd_i.zero_point, cmd_i.clamp_min,
                                   cmd_i.clamp_max);
        end
      end
      be_d   = 20'((20'd1 << chunk_bytes) - 20'd1) << addr[1:0];
      data_d = 160'(bytes) << {addr[1:0], 3'b000};
      for (int unsigned i = 0; i < Words; i++) begin
        in_tcm[i] = be_d[4*i+:4] != 4'd0 && word + 30'(i) < TcmWords;
      end
      pend_d = 16'({2{16'(in_tcm)}} >> (5'd16 - 5'(word[3:0])));
      bank_d = word[3:0];
      row_d  = word[4+:TcmAddrWidth];
      outside      = offset >= TcmSize || last >= TcmSize;
      outside_addr = offset >= TcmSize ? addr : TcmBase + TcmSize;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      buf_valid_q <= 1'b0;
      pend_q      <= '0;
    end else if (load) begin
      buf_valid_q <= 1'b1;
      pend_q      <= pend_d;
    end else if (buf_valid_q) begin
      buf_valid_q <= !buf_done;
      pend_q      <= pend_q & ~tcm_gnt_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      bank_q <= bank_d;
      row_q  <= row_d;
      be_q   <= be_d;
      data_q <= data_d;
      last_q <= cmd_ready_o;
    end
  end

  assign buf_done = (pend_q & ~tcm_gnt_i) == '0;

  always_comb begin
    logic [3:0] index;
    index     = '0;
    tcm_req_o = '0;
    if (buf_valid_q) begin
      tcm_req_o.req = pend_q;
      tcm_req_o.we  = pend_q;
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        if (pend_q[b]) begin
          index = 4'(b) - bank_q;
          tcm_req_o.addr[b]  = row_q + TcmAddrWidth'(4'(b) < bank_q);
          tcm_req_o.be[b]    = be_q[4*index+:4];
          tcm_req_o.wdata[b] = data_q[32*index+:32];
        end
      end
    end
  end

  // ------------------------------------------------------------------ completion

  // The error of a command is known when its last item is loaded, one cycle before done at
  // the earliest; the next command's first item may be loaded beside done.
  logic        error_q, error_out_q, first_error;
  logic [31:0] error_addr_q, error_addr_out_q;

  assign first_error = outside && !error_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_q     <= 1'b0;
      error_out_q <= 1'b0;
    end else if (load) begin
      error_q     <= (error_q || outside) && !cmd_ready_o;
      error_out_q <= (error_q || outside) && cmd_ready_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      if (first_error) error_addr_q <= outside_addr;
      error_addr_out_q <= first_error ? outside_addr : error_addr_q;
    end
  end

  assign done_o       = buf_valid_q && buf_done && last_q;
  assign error_o      = error_out_q;
  assign error_addr_o = error_addr_out_q;
  assign busy_o       = buf_valid_q && buf_done && |pend_q;

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  RawFollowsCommand: assert property (@(posedge clk_i) disable iff (!rst_ni)
    load && !cmd_empty_i |-> pixel_raw_i == cmd_i.raw);
`endif

endmodule : npu_drain_store
