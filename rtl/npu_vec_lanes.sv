// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-wise part of the vector ALU for one element width: one adder, one shifter and one
// comparison a lane.

module npu_vec_lanes
  import npu_isa_pkg::*;
  import npu_vec_pkg::*;
#(
  parameter int unsigned Width = 8
) (
  input  logic    en_i,
  input  vec_op_e op_i,
  input  vec_t    a_i,
  input  vec_t    b_i,
  output vec_t    result_o
);

  localparam int unsigned Lanes  = VecWidth / Width;
  localparam int unsigned ShiftW = $clog2(Width);

  localparam logic [Width-1:0] SignedMax = {1'b0, {Width - 1{1'b1}}};
  localparam logic [Width-1:0] SignedMin = ~SignedMax;

  logic is_unsigned, subtracts, swaps;
  assign is_unsigned = op_i inside {VecSaddu, VecSsubu, VecAvgu, VecMinu, VecMaxu, VecAbsdu,
                                    VecSrl, VecSrlr, VecSltu, VecSleu, VecSgtu, VecSgeu};
  assign subtracts   = !(op_i inside {VecAdd, VecSadd, VecSaddu, VecAvg, VecAvgu});
  assign swaps       = op_i == VecRsub;

  always_comb begin
    logic [Width-1:0]         a, b, left, mask, rest, half;
    logic signed [Width+1:0]  x, y, sum;
    logic signed [Width:0]    right;
    logic [ShiftW-1:0]        shift;
    logic                     less, equal;

    result_o = '0;
    a        = '0;
    b        = '0;
    left     = '0;
    mask     = '0;
    rest     = '0;
    half     = '0;
    x        = '0;
    y        = '0;
    sum      = '0;
    right    = '0;
    shift    = '0;
    less     = 1'b0;
    equal    = 1'b0;
    if (en_i) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        a     = a_i[Width*i+:Width];
        b     = b_i[Width*i+:Width];
        x     = {{2{a[Width-1] && !is_unsigned}}, a};
        y     = {{2{b[Width-1] && !is_unsigned}}, b};
        sum   = subtracts ? (swaps ? y - x : x - y) : x + y;
        less  = sum[Width+1];
        equal = a == b;
        // The bit below the shifted value is the last one shifted out.
        shift = b[ShiftW-1:0];
        if (is_unsigned) right = $signed({a, 1'b0} >> shift);
        else             right = $signed({a, 1'b0}) >>> shift;
        left  = a << shift;
        unique case (op_i)
          VecSadd, VecSsub: begin
            if (sum[Width+1:Width-1] == '0 || sum[Width+1:Width-1] == '1) begin
              result_o[Width*i+:Width] = sum[Width-1:0];
            end else begin
              result_o[Width*i+:Width] = less ? SignedMin : SignedMax;
            end
          end
          VecSaddu: result_o[Width*i+:Width] = sum[Width] ? '1 : sum[Width-1:0];
          VecSsubu: result_o[Width*i+:Width] = less ? '0 : sum[Width-1:0];
          VecAvg, VecAvgu: result_o[Width*i+:Width] = Width'((sum + (Width+2)'(1)) >> 1);
          VecMin, VecMinu: result_o[Width*i+:Width] = less ? a : b;
          VecMax, VecMaxu: result_o[Width*i+:Width] = less ? b : a;
          VecAbsd, VecAbsdu:
            result_o[Width*i+:Width] = less ? Width'(-sum) : sum[Width-1:0];
          VecAbs:  result_o[Width*i+:Width] = a[Width-1] ? -a : a;
          VecSll:  result_o[Width*i+:Width] = left;
          VecSrl, VecSra:   result_o[Width*i+:Width] = right[Width:1];
          VecSrlr, VecSrar: result_o[Width*i+:Width] = right[Width:1] + Width'(right[0]);
          VecSsll: begin
            if ($signed(left) >>> shift == $signed(a)) begin
              result_o[Width*i+:Width] = left;
            end else begin
              result_o[Width*i+:Width] = a[Width-1] ? SignedMin : SignedMax;
            end
          end
          VecRdpot: begin
            mask = (Width'(1) << shift) - Width'(1);
            rest = a & mask;
            half = (mask >> 1) + Width'(a[Width-1]);
            result_o[Width*i+:Width] = right[Width:1] + Width'(rest > half);
          end
          VecSeq:           result_o[Width*i+:Width] = {Width{equal}};
          VecSne:           result_o[Width*i+:Width] = {Width{!equal}};
          VecSlt, VecSltu:  result_o[Width*i+:Width] = {Width{less}};
          VecSle, VecSleu:  result_o[Width*i+:Width] = {Width{less || equal}};
          VecSgt, VecSgtu:  result_o[Width*i+:Width] = {Width{!less && !equal}};
          VecSge, VecSgeu:  result_o[Width*i+:Width] = {Width{!less}};
          default:          result_o[Width*i+:Width] = sum[Width-1:0];  // add, sub, rsub
        endcase
      end
    end
  end

endmodule : npu_vec_lanes
