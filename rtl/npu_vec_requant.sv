// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requantization of 16 words a cycle with multiplier and shift of each lane, four stages,
// bit-exact with TFLite's reference (double rounding):
//
//   stage 1  t = x << left
//   stage 2  t * m
//   stage 3  u = saturating rounding doubling high half
//   stage 4  u / 2^right rounded half away from zero; v.rq: + zero point, clamp

module npu_vec_requant
  import npu_vec_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       en_i,
  input  logic       clamp_i,       // v.rq
  input  vec_t       x_i,
  input  vec_t       multiplier_i,
  input  vec_t       shift_i,       // low bytes of the words
  input  logic [7:0] zero_point_i,
  input  logic [7:0] clamp_min_i,
  input  logic [7:0] clamp_max_i,
  output vec_t       result_o       // in stage 4
);

  // Shift counts beyond 31 count as 31, in both directions.
  function automatic logic [4:0] left_shift(logic [7:0] shift);
    if (shift[7]) return 5'd0;
    return |shift[6:5] ? 5'd31 : shift[4:0];
  endfunction

  function automatic logic [4:0] right_shift(logic [7:0] shift);
    if (!shift[7]) return 5'd0;
    return shift < 8'd225 ? 5'd31 : 5'd0 - shift[4:0];
  endfunction

  typedef struct packed {
    logic       clamp;
    logic [7:0] zero_point;
    logic [7:0] min;
    logic [7:0] max;
  } output_t;

  logic    [4:2]              valid_q;
  output_t                    output2_q, output3_q, output4_q;
  logic    [VecWords-1:0][4:0]  right2_q, right3_q, right4_q;
  logic    [VecWords-1:0][31:0] scaled_d, scaled_q, multiplier_q, high_d, high_q;
  logic    [VecWords-1:0][63:0] product_d, product_q;
  logic    [VecWords-1:0][4:0]  right_d;

  always_comb begin
    scaled_d = '0;
    right_d  = '0;
    if (en_i) begin
      for (int unsigned n = 0; n < VecWords; n++) begin
        scaled_d[n] = x_i[32*n+:32] << left_shift(shift_i[32*n+:8]);
        right_d[n]  = right_shift(shift_i[32*n+:8]);
      end
    end
  end

  always_comb begin
    product_d = '0;
    if (valid_q[2]) begin
      for (int unsigned n = 0; n < VecWords; n++) begin
        product_d[n] = 64'($signed(scaled_q[n])) * 64'($signed(multiplier_q[n]));
      end
    end
  end

  // (ab + (ab >= 0 ? 2^30 : 1 - 2^30)) / 2^31 towards zero is the floor of (ab + 2^30) / 2^31
  // in both cases. Only (-2^31)^2 does not fit 32 bits.
  always_comb begin
    logic [32:0] rounded;
    high_d  = '0;
    rounded = '0;
    if (valid_q[3]) begin
      for (int unsigned n = 0; n < VecWords; n++) begin
        rounded   = 33'((product_q[n] + 64'h4000_0000) >> 31);
        high_d[n] = rounded[32:31] == 2'b01 ? 32'h7fff_ffff : rounded[31:0];
      end
    end
  end

  always_comb begin
    logic        [31:0] mask, rest, half;
    logic signed [31:0] value;
    result_o = '0;
    mask     = '0;
    rest     = '0;
    half     = '0;
    value    = '0;
    if (valid_q[4]) begin
      for (int unsigned n = 0; n < VecWords; n++) begin
        mask  = (32'd1 << right4_q[n]) - 32'd1;
        rest  = high_q[n] & mask;
        half  = (mask >> 1) + 32'(high_q[n][31]);
        value = $signed(32'($signed(high_q[n]) >>> right4_q[n]) + 32'(rest > half));
        if (output4_q.clamp) begin
          value = value + 32'($signed(output4_q.zero_point));
          if (value < 32'($signed(output4_q.min))) value = 32'($signed(output4_q.min));
          if (value > 32'($signed(output4_q.max))) value = 32'($signed(output4_q.max));
        end
        result_o[32*n+:32] = value;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[3:2], en_i};
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      scaled_q     <= scaled_d;
      multiplier_q <= multiplier_i;
      right2_q     <= right_d;
      output2_q    <= '{clamp: clamp_i, zero_point: zero_point_i, min: clamp_min_i, max: clamp_max_i};
    end
    if (valid_q[2]) begin
      product_q <= product_d;
      right3_q  <= right2_q;
      output3_q <= output2_q;
    end
    if (valid_q[3]) begin
      high_q    <= high_d;
      right4_q  <= right3_q;
      output4_q <= output3_q;
    end
  end

  logic unused_shift;
  always_comb begin
    unused_shift = 1'b0;
    for (int unsigned n = 0; n < VecWords; n++) unused_shift ^= ^shift_i[32*n+8+:24];
  end

endmodule : npu_vec_requant
