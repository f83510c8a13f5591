// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of a vector to a scalar, and the extraction of an element, four stages. Elements
// are extended to words first, which makes every result come out as the manual extends it.
//
//   stage 1  elements of a word to one
//   stage 2  16 words to 4
//   stage 3  4 to 1
//   stage 4  result

module npu_vec_reduce
  import npu_isa_pkg::*;
  import npu_vec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        en_i,
  input  vec_op_e     op_i,
  input  elem_e       elem_i,
  input  vec_t        a_i,
  input  logic [5:0]  index_i,   // of the element to extract; beyond the last one it wraps
  output logic [31:0] result_o   // in stage 4
);

  function automatic logic [31:0] combine(vec_op_e op, logic [31:0] x, logic [31:0] y);
    unique case (op)
      VecRedmin:  return $signed(x) < $signed(y) ? x : y;
      VecRedminu: return x < y ? x : y;
      VecRedmax:  return $signed(x) < $signed(y) ? y : x;
      VecRedmaxu: return x < y ? y : x;
      VecRedand:  return x & y;
      VecRedor:   return x | y;
      VecRedxor:  return x ^ y;
      default:    return x + y;  // redsum, redsumu
    endcase
  endfunction

  function automatic logic is_extract(vec_op_e op);
    return op inside {VecExtract, VecExtractu};
  endfunction

  logic sign;
  assign sign = !(op_i inside {VecRedsumu, VecRedminu, VecRedmaxu, VecExtractu});

  logic [VecWords-1:0][31:0] words_d, words_q;
  logic [3:0][31:0]          four_d, four_q;
  logic [31:0]               one_d, one_q;
  logic                      valid2_q, valid3_q;
  vec_op_e                   op2_q, op3_q;

  always_comb begin
    logic [31:0]      word;
    logic [15:0]      selected;
    logic [3:0][31:0] part;

    words_d  = '0;
    word     = '0;
    selected = '0;
    part     = '0;
    if (en_i) begin
      if (is_extract(op_i)) begin
        unique case (elem_i)
          ElemB: begin
            selected   = {8'b0, a_i[8*index_i+:8]};
            words_d[0] = {{24{sign && selected[7]}}, selected[7:0]};
          end
          ElemH: begin
            selected   = a_i[16*index_i[4:0]+:16];
            words_d[0] = {{16{sign && selected[15]}}, selected[15:0]};
          end
          default: words_d[0] = a_i[32*index_i[3:0]+:32];
        endcase
      end else begin
        for (int unsigned n = 0; n < VecWords; n++) begin
          word = a_i[32*n+:32];
          unique case (elem_i)
            ElemB: begin
              for (int unsigned i = 0; i < 4; i++) begin
                part[i] = {{24{sign && word[8*i+7]}}, word[8*i+:8]};
              end
              words_d[n] = combine(op_i, combine(op_i, part[0], part[1]),
                                   combine(op_i, part[2], part[3]));
            end
            ElemH: begin
              part[0]    = {{16{sign && word[15]}}, word[15:0]};
              part[1]    = {{16{sign && word[31]}}, word[31:16]};
              words_d[n] = combine(op_i, part[0], part[1]);
            end
            default: words_d[n] = word;
          endcase
        end
      end
    end
  end

  always_comb begin
    four_d = '0;
    if (valid2_q) begin
      for (int unsigned i = 0; i < 4; i++) begin
        four_d[i] = combine(op2_q, combine(op2_q, words_q[4*i], words_q[4*i+1]),
                            combine(op2_q, words_q[4*i+2], words_q[4*i+3]));
      end
      if (is_extract(op2_q)) four_d[0] = words_q[0];
    end
  end

  always_comb begin
    one_d = '0;
    if (valid3_q) begin
      one_d = is_extract(op3_q) ? four_q[0]
              : combine(op3_q, combine(op3_q, four_q[0], four_q[1]),
                        combine(op3_q, four_q[2], four_q[3]));
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
      op2_q   <= op_i;
      words_q <= words_d;
    end
    if (valid2_q) begin
      op3_q  <= op2_q;
      four_q <= four_d;
    end
    if (valid3_q) one_q <= one_d;
  end

  assign result_o = one_q;

endmodule : npu_vec_reduce
