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

  localparam int unsigned Groups   = 4;
  localparam int unsigned RowsEach = MacRows / Groups;
  localparam int unsigned GroupW   = 18;  // four products of 16 bits
  localparam int unsigned SumW     = 20;  // sixteen of them

  // ------------------------------------------------------------------ weights

  logic [3:0][15:0][31:0]            shadow_q;
  logic [MacRows-1:0][MacCols-1:0][7:0] weight_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shadow_q <= '0;
    end else if (shadow_clear_i) begin
      shadow_q <= '0;
    end else if (|shadow_we_i) begin
      for (int unsigned o = 0; o < 16; o++) begin
        if (shadow_we_i[o]) shadow_q[shadow_chunk_i[o]][o] <= shadow_data_i[o];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      weight_q <= '0;
    end else if (valid_i && swap_i) begin
      weight_q <= shadow_q;
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

  // ------------------------------------------------------------------ arithmetic

  logic [MacRows*8-1:0] vec_q;
  logic [Groups-1:0][MacCols-1:0][GroupW-1:0] group_q, group_d;
  logic [MacCols-1:0][31:0] sum_q, sum_d;

  // Only evaluated for a pixel: an idle array neither toggles nor costs simulation time.
  always_comb begin
    group_d = group_q;
    if (vec_valid_q && vec_step_q.write) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        for (int unsigned n = 0; n < MacCols; n++) begin
          group_d[g][n] = '0;
          for (int unsigned r = 0; r < RowsEach; r++) begin
            group_d[g][n] = group_d[g][n] + GroupW'(signed'(vec_q[(RowsEach*g+r)*8+:8]))
                                          * GroupW'(signed'(weight_q[RowsEach*g+r][n]));
          end
        end
      end
    end
  end

  always_comb begin
    sum_d = sum_q;
    if (group_valid_q && group_step_q.write) begin
      for (int unsigned n = 0; n < MacCols; n++) begin
        sum_d[n] = 32'(signed'(SumW'(signed'(group_q[0][n])) + SumW'(signed'(group_q[1][n]))
                             + SumW'(signed'(group_q[2][n])) + SumW'(signed'(group_q[3][n]))));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && step_i.write) vec_q <= vec_i;
    if (vec_valid_q && vec_step_q.write) group_q <= group_d;
    if (group_valid_q && group_step_q.write) sum_q <= sum_d;
  end

  assign early_read_o = group_valid_q && group_step_q.write && group_step_q.acc;
  assign early_row_o  = group_step_q.row;
  assign valid_o      = sum_valid_q;
  assign step_o       = sum_step_q;
  assign sums_o       = sum_q;

endmodule : npu_mac_array
