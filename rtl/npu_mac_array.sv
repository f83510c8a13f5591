// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16 x 16 weight-stationary array of multiply-accumulators.
//
// A cell holds eight bits of weights: one int8 weight, or two int4 weights of successive k. It
// multiplies two activations by four bits each and adds the products, for int8 the same
// activation by both halves of the weight. Dense vectors are broadcast along the rows; in
// depthwise mode each column has the taps of its own channel, a window that shifts by a tap
// with each new column of the image. Each column adds its products in two pipelined steps
// (four groups of four rows, then the groups). All weights are used in one pipeline step, so
// active weights can change between two consecutive pixels: the shadow copy happens at the
// edge that brings the first pixel of its run to the multipliers.
//
//   cycle 0  item_i, step_i    cycle 1  products, groups     cycle 2  column sums
//   cycle 3  sums_o, step_o (and early_* one cycle before, to read the accumulators)

module npu_mac_array
  import npu_platform_pkg::*;
  import npu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // Shadow weights: lane o of chunk c holds bytes 64 c + 4 o .. + 3 of the loaded rows.
  input  logic                  shadow_clear_i,
  input  logic [15:0]           shadow_we_i,
  input  logic [15:0][1:0]      shadow_chunk_i,
  input  logic [15:0][31:0]     shadow_data_i,
  input  logic                  shadow_int4_i,   // their format

  // An item of the run in work is taken; with valid_i it completes a pixel.
  input  logic                  load_i,
  input  fetch_item_t           item_i,
  input  logic                  depthwise_i,
  input  logic [4:0]            taps_x_i,
  input  logic [4:0]            taps_y_i,

  // A step enters; swap copies the shadow weights for this and all following steps.
  input  logic                  valid_i,
  input  logic                  swap_i,
  input  mac_step_t             step_i,

  output logic                  early_read_o,
  output logic [7:0]            early_row_o,
  output logic                  valid_o,
  output mac_step_t             step_o,
  output logic [MacCols-1:0][31:0] sums_o
);

  localparam int unsigned GroupW = 18;  // four products of 16 bits
  localparam int unsigned SumW   = 20;  // sixteen of them

  // ------------------------------------------------------------------ shadow weights

  logic [3:0][15:0][31:0]    shadow_q;
  logic [MacRows-1:0][127:0] shadow_rows;

  assign shadow_rows = shadow_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shadow_q <= '0;
    end else if (shadow_clear_i) begin
      shadow_q <= '0;
    end else if (|shadow_we_i) begin
      for (int unsigned c = 0; c < 4; c++) begin
        for (int unsigned o = 0; o < 16; o++) begin
          if (shadow_we_i[o] && shadow_chunk_i[o] == 2'(c)) shadow_q[c][o] <= shadow_data_i[o];
        end
      end
    end
  end

  // ------------------------------------------------------------------ pipeline control

  logic      vec_valid_q, group_valid_q, sum_valid_q;
  mac_step_t vec_step_q, group_step_q, sum_step_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vec_valid_q   <= 1'b0;
      group_valid_q <= 1'b0;
      sum_valid_q   <= 1'b0;
    end else begin
      vec_valid_q   <= valid_i;
      group_valid_q <= vec_valid_q;
      sum_valid_q   <= group_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) vec_step_q <= step_i;
    if (vec_valid_q) group_step_q <= vec_step_q;
    if (group_valid_q) sum_step_q <= group_step_q;
  end

  // ------------------------------------------------------------------ activations

  logic multiply, add, swap, int4_d, int4_q, depthwise_q;

  // Registers move for pixels only: an idle array neither toggles nor costs simulation time.
  assign multiply = vec_valid_q && vec_step_q.write;
  assign add      = group_valid_q && group_step_q.write;
  assign swap     = valid_i && swap_i;
  assign int4_d   = swap ? shadow_int4_i : int4_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      int4_q <= 1'b0;
    end else begin
      int4_q <= int4_d;
    end
  end

  // Dense: the activations of the low and of the high half of the cells' weights.
  logic [MacRows-1:0][7:0] low_q, high_q;
  logic [8*VectorK-1:0]    vec;

  assign vec = item_i.data[1:0];

  always_ff @(posedge clk_i) begin
    if (load_i) depthwise_q <= depthwise_i;
    if (load_i && !depthwise_i) begin
      for (int unsigned k = 0; k < MacRows; k++) begin
        low_q[k]  <= int4_d ? vec[16*k+:8] : vec[8*k+:8];
        high_q[k] <= int4_d ? vec[16*k+8+:8] : vec[8*k+:8];
      end
    end
  end

  // Depthwise: where the taps of the item go (tap r of each column gets those of window row
  // row_of[r] if take[r]), and the taps of the window.
  logic [MacRows-1:0]      take, in_window;
  logic [MacRows-1:0][1:0] row_of;

  always_comb begin
    logic [9:0] taps, row_end;   // behind the last tap of a window row
    taps      = '0;
    row_end   = '0;
    take      = '0;
    row_of    = '0;
    in_window = '0;
    if (load_i && depthwise_i) begin
      taps = 10'(taps_x_i) * 10'(taps_y_i);
      for (int unsigned r = 0; r < MacRows; r++) in_window[r] = 10'(r) < taps;
      for (int unsigned j = 0; j < FetchSegs; j++) begin
        row_end = 10'(taps_x_i) * (10'({item_i.group, 2'(j)}) + 10'd1);
        for (int unsigned r = 0; r < MacRows; r++) begin
          if (row_end == 10'(r) + 10'd1) begin
            take[r]   = 1'b1;
            row_of[r] = 2'(j);
          end
        end
      end
    end
  end

  // ------------------------------------------------------------------ columns

  function automatic logic signed [GroupW-1:0] dot4(logic [31:0] low, logic [31:0] high,
                                                    logic [31:0] w, logic int4);
    logic signed [GroupW-1:0] low_sum, high_sum;
    low_sum  = '0;
    high_sum = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      low_sum  = low_sum + GroupW'(signed'(low[8*k+:8]))
                           * GroupW'(signed'({int4 && w[8*k+3], w[8*k+:4]}));
      high_sum = high_sum + GroupW'(signed'(high[8*k+:8])) * GroupW'(signed'(w[8*k+4+:4]));
    end
    return low_sum + (int4 ? high_sum : high_sum <<< 4);
  endfunction

  for (genvar n = 0; n < int'(MacCols); n++) begin : gen_columns
    logic [MacRows-1:0][7:0]   shadow_column;
    logic [MacRows*8-1:0]      weight_q, low, high;
    logic [MacRows-1:0][7:0]   taps_q;
    logic signed [GroupW-1:0]  group0_q, group1_q, group2_q, group3_q;
    logic signed [SumW-1:0]    sum_q;

    // Row k of cells: the byte of n in the k-th 16 bytes, or the nibbles of n in their halves.
    for (genvar k = 0; k < int'(MacRows); k++) begin : gen_rows
      assign shadow_column[k] = shadow_int4_i
                                ? {shadow_rows[k][64+4*n+:4], shadow_rows[k][4*n+:4]}
                                : shadow_rows[k][8*n+:8];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        weight_q <= '0;
      end else if (swap) begin
        weight_q <= shadow_column;
      end
    end

    always_ff @(posedge clk_i) begin
      if (load_i && depthwise_i) begin
        for (int unsigned r = 0; r < MacRows; r++) begin
          if (!in_window[r]) taps_q[r] <= '0;
          else if (take[r]) taps_q[r] <= item_i.data[row_of[r]][8*n+:8];
          else if (item_i.column && r + 1 < MacRows) taps_q[r] <= taps_q[(r+1)%MacRows];
        end
      end
    end

    assign low  = depthwise_q ? taps_q : low_q;
    assign high = depthwise_q ? taps_q : high_q;

    always_ff @(posedge clk_i) begin
      if (multiply) begin
        group0_q <= dot4(low[31:0], high[31:0], weight_q[31:0], int4_q);
        group1_q <= dot4(low[63:32], high[63:32], weight_q[63:32], int4_q);
        group2_q <= dot4(low[95:64], high[95:64], weight_q[95:64], int4_q);
        group3_q <= dot4(low[127:96], high[127:96], weight_q[127:96], int4_q);
      end
      if (add) begin
        sum_q <= SumW'(group0_q) + SumW'(group1_q) + SumW'(group2_q) + SumW'(group3_q);
      end
    end

    assign sums_o[n] = 32'(sum_q);
  end

  logic unused_last;
  assign unused_last = item_i.last;

  assign early_read_o = group_valid_q && group_step_q.write && group_step_q.acc;
  assign early_row_o  = group_step_q.row;
  assign valid_o      = sum_valid_q;
  assign step_o       = sum_step_q;

endmodule : npu_mac_array
