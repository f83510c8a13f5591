// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector multiplier, three stages. Each 32-bit lane has four multipliers of 17 x 17 bits; they
// make one product of words, two of halfwords or four of bytes. A widening multiplication
// extends its sources first and keeps the low half.
//
//   stage 1  products
//   stage 2  products of the lane put together, or summed for dot
//   stage 3  the half that is wanted, rounding, accumulation
//
// Only stage 3 needs the register to accumulate to. If the multiplication one or two instructions
// ahead writes it, its sum comes from behind: an instruction of a chain follows the other in the
// next cycle.

module npu_vec_mul
  import npu_isa_pkg::*;
  import npu_vec_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,

  input  logic    en_i,
  input  vec_op_e op_i,
  input  elem_e   elem_i,
  input  vec_t    a_i,
  input  vec_t    b_i,
  input  vec_t    d_i,
  input  logic    chain1_i,    // d is what the instruction one stage ahead makes
  input  logic    chain2_i,    // the same for two stages ahead
  input  vec_t    chain_i,     // what stage 4 has
  output vec_t    result_o     // in stage 3
);

  function automatic logic is_wide(vec_op_e op);
    return op inside {VecWmullo, VecWmulhi, VecWmululo, VecWmuluhi,
                      VecWmacclo, VecWmacchi, VecWmacculo, VecWmaccuhi};
  endfunction

  function automatic logic is_dot(vec_op_e op);
    return op inside {VecDot, VecDotu, VecDotus};
  endfunction

  function automatic logic accumulates(vec_op_e op);
    return is_dot(op) || op inside {VecMacc, VecNmsac, VecWmacclo, VecWmacchi,
                                    VecWmacculo, VecWmaccuhi};
  endfunction

  // ------------------------------------------------------------------ stage 1

  logic  a_unsigned, b_unsigned, high_part;
  elem_e elem;                         // of the multiplication
  vec_t  a, b;

  assign a_unsigned = op_i inside {VecMulhu, VecWmululo, VecWmuluhi, VecWmacculo, VecWmaccuhi,
                                   VecDotu, VecDotus};
  assign b_unsigned = a_unsigned && op_i != VecDotus;
  assign high_part  = op_i inside {VecWmulhi, VecWmuluhi, VecWmacchi, VecWmaccuhi};

  function automatic vec_t widen(logic [VecWidth/2-1:0] half, elem_e from, logic zero);
    vec_t wide;
    wide = '0;
    if (from == ElemB) begin
      for (int unsigned i = 0; i < VecHalves; i++) begin
        wide[16*i+:16] = {{8{half[8*i+7] && !zero}}, half[8*i+:8]};
      end
    end else begin
      for (int unsigned i = 0; i < VecWords; i++) begin
        wide[32*i+:32] = {{16{half[16*i+15] && !zero}}, half[16*i+:16]};
      end
    end
    return wide;
  endfunction

  always_comb begin
    a    = a_i;
    b    = b_i;
    elem = elem_i;
    if (en_i && is_wide(op_i)) begin
      a    = widen(high_part ? a_i[VecWidth-1:VecWidth/2] : a_i[VecWidth/2-1:0], elem_i, a_unsigned);
      b    = widen(high_part ? b_i[VecWidth-1:VecWidth/2] : b_i[VecWidth/2-1:0], elem_i, b_unsigned);
      elem = elem_i == ElemB ? ElemH : ElemW;
    end
  end

  logic [VecWords-1:0][3:0][33:0] product_d, product_q;

  always_comb begin
    logic [31:0]             x, y;
    logic [3:0][16:0]        p, q;
    logic                    sx, sy;

    product_d = '0;
    x  = '0;
    y  = '0;
    p  = '0;
    q  = '0;
    sx = !a_unsigned;
    sy = !b_unsigned;
    if (en_i) begin
      for (int unsigned n = 0; n < VecWords; n++) begin
        x = a[32*n+:32];
        y = b[32*n+:32];
        unique case (elem)
          ElemB: begin
            for (int unsigned i = 0; i < 4; i++) begin
              p[i] = {{9{sx && x[8*i+7]}}, x[8*i+:8]};
              q[i] = {{9{sy && y[8*i+7]}}, y[8*i+:8]};
            end
          end
          ElemH: begin
            p = {{sx && x[31], x[31:16]}, 17'd0, 17'd0, {sx && x[15], x[15:0]}};
            q = {{sy && y[31], y[31:16]}, 17'd0, 17'd0, {sy && y[15], y[15:0]}};
          end
          default: begin
            p = {{sx && x[31], x[31:16]}, {sx && x[31], x[31:16]}, {1'b0, x[15:0]}, {1'b0, x[15:0]}};
            q = {{sy && y[31], y[31:16]}, {1'b0, y[15:0]}, {sy && y[31], y[31:16]}, {1'b0, y[15:0]}};
          end
        endcase
        for (int unsigned i = 0; i < 4; i++) begin
          product_d[n][i] = 34'($signed(p[i])) * 34'($signed(q[i]));
        end
      end
    end
  end

  // ------------------------------------------------------------------ stage 2

  logic    valid2_q, valid3_q;
  vec_op_e op2_q, op3_q;
  elem_e   elem2_q, elem3_q;
  logic    chain1_2_q, chain2_2_q, chain1_3_q;
  vec_t    d2_q, d3_q, d3;

  logic [VecWords-1:0][63:0] whole_d, whole_q;

  always_comb begin
    logic [3:0][63:0] p;

    whole_d = '0;
    p       = '0;
    if (valid2_q) begin
      for (int unsigned n = 0; n < VecWords; n++) begin
        for (int unsigned i = 0; i < 4; i++) p[i] = 64'($signed(product_q[n][i]));
        if (is_dot(op2_q)) begin
          // The two products that halfwords leave over are zero.
          whole_d[n] = p[0] + p[1] + p[2] + p[3];
        end else begin
          unique case (elem2_q)
            ElemB:   whole_d[n] = {p[3][15:0], p[2][15:0], p[1][15:0], p[0][15:0]};
            ElemH:   whole_d[n] = {p[3][31:0], p[0][31:0]};
            default: whole_d[n] = p[0] + ((p[1] + p[2]) << 16) + (p[3] << 32);
          endcase
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else begin
      valid2_q <= en_i;
      valid3_q <= valid2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      op2_q     <= op_i;
      elem2_q   <= elem;
      product_q <= product_d;
      chain1_2_q <= chain1_i;
      chain2_2_q <= chain2_i;
      if (accumulates(op_i)) d2_q <= d_i;
    end
    if (valid2_q) begin
      op3_q   <= op2_q;
      elem3_q <= elem2_q;
      whole_q <= whole_d;
      chain1_3_q <= chain1_2_q;
      if (accumulates(op2_q)) d3_q <= chain2_2_q ? chain_i : d2_q;
    end
  end

  // ------------------------------------------------------------------ stage 3

  // Product of 2w bits to the w that the operation wants. The rounded doubled high half is
  // the floor of (p + 2^(w-2)) / 2^(w-1), and only the square of the lowest value overflows.
  function automatic logic [7:0] half_of_b(vec_op_e op, logic [15:0] p, logic [7:0] d);
    logic [8:0] doubled;
    doubled = 9'($signed(p + 16'h0040) >>> 7);
    unique case (op)
      VecMulh, VecMulhu: return p[15:8];
      VecDmulh:          return doubled[8:7] == 2'b01 ? 8'h7f : doubled[7:0];
      VecMacc:           return d + p[7:0];
      VecNmsac:          return d - p[7:0];
      default:           return p[7:0];
    endcase
  endfunction

  function automatic logic [15:0] half_of_h(vec_op_e op, logic [31:0] p, logic [15:0] d);
    logic [16:0] doubled;
    doubled = 17'($signed(p + 32'h0000_4000) >>> 15);
    unique case (op)
      VecMulh, VecMulhu: return p[31:16];
      VecDmulh:          return doubled[16:15] == 2'b01 ? 16'h7fff : doubled[15:0];
      VecMacc, VecWmacclo, VecWmacchi, VecWmacculo, VecWmaccuhi: return d + p[15:0];
      VecNmsac:          return d - p[15:0];
      default:           return p[15:0];
    endcase
  endfunction

  function automatic logic [31:0] half_of_w(vec_op_e op, logic [63:0] p, logic [31:0] d);
    logic [32:0] doubled;
    doubled = 33'($signed(p + 64'h0000_0000_4000_0000) >>> 31);
    unique case (op)
      VecMulh, VecMulhu: return p[63:32];
      VecDmulh:          return doubled[32:31] == 2'b01 ? 32'h7fff_ffff : doubled[31:0];
      VecMacc, VecWmacclo, VecWmacchi, VecWmacculo, VecWmaccuhi,
      VecDot, VecDotu, VecDotus: return d + p[31:0];
      VecNmsac:          return d - p[31:0];
      default:           return p[31:0];
    endcase
  endfunction

  assign d3 = chain1_3_q ? chain_i : d3_q;

  always_comb begin
    result_o = '0;
    if (valid3_q) begin
      if (elem3_q == ElemW || is_dot(op3_q)) begin
        for (int unsigned n = 0; n < VecWords; n++) begin
          result_o[32*n+:32] = half_of_w(op3_q, whole_q[n], d3[32*n+:32]);
        end
      end else if (elem3_q == ElemH) begin
        for (int unsigned i = 0; i < VecHalves; i++) begin
          result_o[16*i+:16] = half_of_h(op3_q, whole_q[i/2][32*(i%2)+:32], d3[16*i+:16]);
        end
      end else begin
        for (int unsigned i = 0; i < VecBytes; i++) begin
          result_o[8*i+:8] = half_of_b(op3_q, whole_q[i/4][16*(i%4)+:16], d3[8*i+:8]);
        end
      end
    end
  end

endmodule : npu_vec_mul
