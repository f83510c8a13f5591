// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16 x 16 weight-stationary array of int8 multiply-accumulators.
//
// An activation vector is broadcast along the rows; each column adds its 16 products in two
// pipelined steps (four groups of four rows, then the groups). All weights are used in one
// pipeline step, so active weights can change between two consecutive pixels: the shadow
// copy happens at the edge that brings the first pixel of its run to the multipliers.
//
//   cycle 0  vec_i, step_i     cycle 1  products, groups     cycle 2  column sums
//   cycle 3  sums_o, step_o (and early_* one cycle before, to read the accumulators)

module npu_mac_array
  import npu_platform_pkg::*;
  import npu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // Shadow weights: lane o of chunk c holds bytes 64 c + 4 o .. + 3 of S in row-major order.
  input  logic                  shadow_clear_i,
  input  logic [15:0]           shadow_we_i,
  input  logic [15:0][1:0]      shadow_chunk_i,
  input  logic [15:0][31:0]     shadow_data_i,

  // A step enters; swap copies the shadow weights for this and all following steps.
  input  logic                  valid_i,
  input  logic                  swap_i,
  input  logic [MacRows*8-1:0]  vec_i,
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

  logic [3:0][15:0][31:0] shadow_q;

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

  // ------------------------------------------------------------------ columns

  logic                 multiply, add, swap;
  logic [MacRows*8-1:0] vec_q;

  // Registers move for pixels only: an idle array neither toggles nor costs simulation time.
  assign multiply = vec_valid_q && vec_step_q.write;
  assign add      = group_valid_q && group_step_q.write;
  assign swap     = valid_i && swap_i;

  always_ff @(posedge clk_i) begin
    if (valid_i && step_i.write) vec_q <= vec_i;
  end

  function automatic logic signed [GroupW-1:0] dot4(logic [31:0] a, logic [31:0] w);
    return GroupW'(signed'(a[7:0])) * GroupW'(signed'(w[7:0]))
         + GroupW'(signed'(a[15:8])) * GroupW'(signed'(w[15:8]))
         + GroupW'(signed'(a[23:16])) * GroupW'(signed'(w[23:16]))
         + GroupW'(signed'(a[31:24])) * GroupW'(signed'(w[31:24]));
  endfunction

  for (genvar n = 0; n < int'(MacCols); n++) begin : gen_columns
    logic [MacRows-1:0][7:0]   shadow_column;
    logic [MacRows*8-1:0]      weight_q;
    logic signed [GroupW-1:0]  group0_q, group1_q, group2_q, group3_q;
    logic signed [SumW-1:0]    sum_q;

    for (genvar k = 0; k < int'(MacRows); k++) begin : gen_rows
      assign shadow_column[k] = shadow_q[k/4][4*(k%4)+n/4][8*(n%4)+:8];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        weight_q <= '0;
      end else if (swap) begin
        weight_q <= shadow_column;
      end
    end

    always_ff @(posedge clk_i) begin
      if (multiply) begin
        group0_q <= dot4(vec_q[31:0], weight_q[31:0]);
        group1_q <= dot4(vec_q[63:32], weight_q[63:32]);
        group2_q <= dot4(vec_q[95:64], weight_q[95:64]);
        group3_q <= dot4(vec_q[127:96], weight_q[127:96]);
      end
      if (add) begin
        sum_q <= SumW'(group0_q) + SumW'(group1_q) + SumW'(group2_q) + SumW'(group3_q);
      end
    end

    assign sums_o[n] = 32'(sum_q);
  end

  assign early_read_o = group_valid_q && group_step_q.write && group_step_q.acc;
  assign early_row_o  = group_step_q.row;
  assign valid_o      = sum_valid_q;
  assign step_o       = sum_step_q;

endmodule : npu_mac_array
