// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks through the rows of a descriptor, the first repetition fastest, and checks each row
// before it is handed on. A row that is not wholly in TCM or wholly in DRAM ends the walk.

module npu_dma_walk
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize  = DefaultTcmSize,
  parameter logic [31:0] DramSize = DefaultDramSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        start_i,    // len and both repetitions are not zero
  input  dma_shape_t  shape_i,
  input  logic        fill_i,
  input  logic        stop_i,     // no further rows
  output logic        active_o,
  output logic        error_o,    // pulse: the row at this address failed, the walk is over
  output logic [31:0] error_addr_o,

  output logic        row_valid_o,
  output dma_row_t    row_o,
  input  logic        row_ready_i
);

  logic        active_q, fill_q;
  logic [31:0] len_q, src_stride1_q, dst_stride1_q, src_stride2_q, dst_stride2_q;
  logic [15:0] reps1_q;
  logic [31:0] src_q, dst_q, src_plane_q, dst_plane_q;
  logic [15:0] left1_q, left2_q;   // rows and planes left, the current one included
  logic        row_fire, plane_end;
  logic        src_tcm, src_dram, dst_tcm, dst_dram, src_ok, dst_ok;

  // [addr, addr + len) in [base, base + size)
  function automatic logic wholly_in(logic [31:0] addr, logic [31:0] len, logic [31:0] base,
                                  logic [31:0] size);
    logic [31:0] offset;
    offset = addr - base;
    return offset < size && len <= size - offset;
  endfunction

  always_comb begin
    src_tcm  = 1'b0;
    src_dram = 1'b0;
    dst_tcm  = 1'b0;
    dst_dram = 1'b0;
    if (active_q) begin
      src_tcm  = wholly_in(src_q, len_q, TcmBase, TcmSize);
      src_dram = wholly_in(src_q, len_q, DramBase, DramSize);
      dst_tcm  = wholly_in(dst_q, len_q, TcmBase, TcmSize);
      dst_dram = wholly_in(dst_q, len_q, DramBase, DramSize);
    end
  end

  assign src_ok = fill_q || src_tcm || src_dram;
  assign dst_ok = dst_tcm || dst_dram;

  assign row_valid_o = active_q && !stop_i && src_ok && dst_ok;

  // DRAM gives beats as they are aligned there, TCM as the destination wants them.
  assign row_o = '{fill: fill_q, src_tcm: src_tcm, dst_tcm: dst_tcm,
                   offset: src_tcm || fill_q ? dst_q[3:0] : src_q[3:0],
                   src: src_q, dst: dst_q, len: len_q[DmaLenW-1:0]};

  assign error_o      = active_q && !stop_i && !(src_ok && dst_ok);
  assign error_addr_o = src_ok ? dst_q : src_q;
  assign row_fire     = row_valid_o && row_ready_i;
  assign plane_end    = left1_q == 16'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
    end else if (stop_i || error_o || (row_fire && plane_end && left2_q == 16'd1)) begin
      active_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      fill_q        <= fill_i;
      len_q         <= shape_i.len;
      reps1_q       <= shape_i.reps1[15:0];
      src_stride1_q <= shape_i.src_stride1;
      dst_stride1_q <= shape_i.dst_stride1;
      src_stride2_q <= shape_i.src_stride2;
      dst_stride2_q <= shape_i.dst_stride2;
      src_q       <= shape_i.src;
      dst_q       <= shape_i.dst;
      src_plane_q <= shape_i.src;
      dst_plane_q <= shape_i.dst;
      left1_q     <= shape_i.reps1[15:0];
      left2_q     <= shape_i.reps2[15:0];
    end else if (row_fire) begin
      if (plane_end) begin
        src_q       <= fill_q ? src_q : src_plane_q + src_stride2_q;
        dst_q       <= dst_plane_q + dst_stride2_q;
        src_plane_q <= fill_q ? src_plane_q : src_plane_q + src_stride2_q;
        dst_plane_q <= dst_plane_q + dst_stride2_q;
        left1_q     <= reps1_q;
        left2_q     <= left2_q - 16'd1;
      end else begin
        src_q   <= fill_q ? src_q : src_q + src_stride1_q;
        dst_q   <= dst_q + dst_stride1_q;
        left1_q <= left1_q - 16'd1;
      end
    end
  end

  assign active_o = active_q;

endmodule : npu_dma_walk
