// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector ALU, one cycle: element-wise arithmetic, logic, conversions, and what only scalars go
// into (bcast, id, lanes).

module npu_vec_alu
  import npu_isa_pkg::*;
  import npu_vec_pkg::*;
(
  input  logic        en_i,
  input  vec_op_e     op_i,
  input  elem_e       elem_i,
  input  vec_t        a_i,
  input  vec_t        b_i,
  input  vec_t        d_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output vec_t        result_o
);

  // ------------------------------------------------------------------ element-wise

  logic lanes_en;
  vec_t lanes_b, lanes_h, lanes_w;

  always_comb begin
    unique case (op_i)
      VecAdd, VecSub, VecRsub, VecSadd, VecSaddu, VecSsub, VecSsubu, VecAvg, VecAvgu,
      VecMin, VecMinu, VecMax, VecMaxu, VecAbsd, VecAbsdu, VecAbs,
      VecSll, VecSrl, VecSra, VecSrlr, VecSrar, VecSsll, VecRdpot,
      VecSeq, VecSne, VecSlt, VecSltu, VecSle, VecSleu,
      VecSgt, VecSgtu, VecSge, VecSgeu: lanes_en = en_i;
      default:                          lanes_en = 1'b0;
    endcase
  end

  npu_vec_lanes #(.Width(8)) u_lanes_b (
    .en_i(lanes_en && elem_i == ElemB), .op_i, .a_i, .b_i, .result_o(lanes_b));
  npu_vec_lanes #(.Width(16)) u_lanes_h (
    .en_i(lanes_en && elem_i == ElemH), .op_i, .a_i, .b_i, .result_o(lanes_h));
  npu_vec_lanes #(.Width(32)) u_lanes_w (
    .en_i(lanes_en && elem_i == ElemW), .op_i, .a_i, .b_i, .result_o(lanes_w));

  // ------------------------------------------------------------------ conversions

  // Widening: source elements from a quarter (bytes to words) or half of a.
  logic       sign;
  logic [1:0] part;
  vec_t       widened, packed_lanes;

  assign sign = op_i inside {VecSxlo, VecSxhi, VecSxq0, VecSxq1, VecSxq2, VecSxq3};

  always_comb begin
    unique case (op_i)
      VecSxhi, VecZxhi, VecSxq1, VecZxq1: part = 2'd1;
      VecSxq2, VecZxq2:                   part = 2'd2;
      VecSxq3, VecZxq3:                   part = 2'd3;
      default:                            part = 2'd0;
    endcase
  end

  always_comb begin
    logic [VecWidth/2-1:0] half;
    logic [VecWidth/4-1:0] quarter;

    widened = '0;
    half    = '0;
    quarter = '0;
    if (en_i) begin
      half    = part[0] ? a_i[VecWidth-1:VecWidth/2] : a_i[VecWidth/2-1:0];
      quarter = a_i[VecWidth/4*part+:VecWidth/4];
      unique case (op_i)
        VecSxlo, VecSxhi, VecZxlo, VecZxhi: begin
          if (elem_i == ElemB) begin
            for (int unsigned i = 0; i < VecHalves; i++) begin
              widened[16*i+:16] = {{8{sign && half[8*i+7]}}, half[8*i+:8]};
            end
          end else begin
            for (int unsigned i = 0; i < VecWords; i++) begin
              widened[32*i+:32] = {{16{sign && half[16*i+15]}}, half[16*i+:16]};
            end
          end
        end
        VecSxq0, VecSxq1, VecSxq2, VecSxq3, VecZxq0, VecZxq1, VecZxq2, VecZxq3: begin
          for (int unsigned i = 0; i < VecWords; i++) begin
            widened[32*i+:32] = {{24{sign && quarter[8*i+7]}}, quarter[8*i+:8]};
          end
        end
        default: ;
      endcase
    end
  end

  // Narrowing by half with the saturation that op names.
  function automatic logic [15:0] narrow_word(vec_op_e op, logic [31:0] x);
    unique case (op)
      VecPacks: begin
        if (x[31:15] == '0 || x[31:15] == '1) return x[15:0];
        return x[31] ? 16'h8000 : 16'h7fff;
      end
      VecPacksu: begin
        if (x[31:16] == '0) return x[15:0];
        return x[31] ? 16'h0000 : 16'hffff;
      end
      VecPacku: return x[31:16] == '0 ? x[15:0] : 16'hffff;
      default:  return x[15:0];
    endcase
  endfunction

  function automatic logic [7:0] narrow_half(vec_op_e op, logic [15:0] x);
    unique case (op)
      VecPacks: begin
        if (x[15:7] == '0 || x[15:7] == '1) return x[7:0];
        return x[15] ? 8'h80 : 8'h7f;
      end
      VecPacksu: begin
        if (x[15:8] == '0) return x[7:0];
        return x[15] ? 8'h00 : 8'hff;
      end
      VecPacku: return x[15:8] == '0 ? x[7:0] : 8'hff;
      default:  return x[7:0];
    endcase
  endfunction

  always_comb begin
    packed_lanes = '0;
    if (en_i && op_i inside {VecPack, VecPacks, VecPacksu, VecPacku}) begin
      if (elem_i == ElemB) begin
        for (int unsigned i = 0; i < VecHalves; i++) begin
          packed_lanes[8*i+:8]               = narrow_half(op_i, a_i[16*i+:16]);
          packed_lanes[8*(i+VecHalves)+:8]   = narrow_half(op_i, b_i[16*i+:16]);
        end
      end else begin
        for (int unsigned i = 0; i < VecWords; i++) begin
          packed_lanes[16*i+:16]             = narrow_word(op_i, a_i[32*i+:32]);
          packed_lanes[16*(i+VecWords)+:16]  = narrow_word(op_i, b_i[32*i+:32]);
        end
      end
    end
  end

  // ------------------------------------------------------------------ from scalars

  // lanes: element i is set while rs1 + i < rs2, so for the first rs2 - rs1 elements.
  logic [6:0]          set_count;
  logic [31:0]         distance;
  logic [VecBytes-1:0] set_lanes;
  vec_t                scalars;

  assign distance  = rs2_i - rs1_i;
  assign set_count = rs2_i <= rs1_i ? 7'd0
                     : distance >= 32'(VecBytes) ? 7'(VecBytes) : distance[6:0];
  assign set_lanes = VecBytes'((65'd1 << set_count) - 65'd1);

  always_comb begin
    scalars = '0;
    if (en_i) begin
      unique case (op_i)
        VecBcast: scalars = broadcast(elem_i, rs1_i);
        VecId, VecLanes: begin
          unique case (elem_i)
            ElemB: begin
              for (int unsigned i = 0; i < VecBytes; i++) begin
                scalars[8*i+:8] = op_i == VecId ? 8'(i) : {8{set_lanes[i]}};
              end
            end
            ElemH: begin
              for (int unsigned i = 0; i < VecHalves; i++) begin
                scalars[16*i+:16] = op_i == VecId ? 16'(i) : {16{set_lanes[i]}};
              end
            end
            default: begin
              for (int unsigned i = 0; i < VecWords; i++) begin
                scalars[32*i+:32] = op_i == VecId ? 32'(i) : {32{set_lanes[i]}};
              end
            end
          endcase
        end
        default: ;
      endcase
    end
  end

  // ------------------------------------------------------------------ result

  always_comb begin
    result_o = '0;
    if (en_i) begin
      unique case (op_i)
        VecAnd: result_o = a_i & b_i;
        VecOr:  result_o = a_i | b_i;
        VecXor: result_o = a_i ^ b_i;
        VecNot: result_o = ~a_i;
        VecSel: result_o = (d_i & a_i) | (~d_i & b_i);
        VecPack, VecPacks, VecPacksu, VecPacku: result_o = packed_lanes;
        VecSxlo, VecSxhi, VecZxlo, VecZxhi, VecSxq0, VecSxq1, VecSxq2, VecSxq3,
        VecZxq0, VecZxq1, VecZxq2, VecZxq3:     result_o = widened;
        VecBcast, VecId, VecLanes:              result_o = scalars;
        default: begin
          unique case (elem_i)
            ElemB:   result_o = lanes_b;
            ElemH:   result_o = lanes_h;
            default: result_o = lanes_w;
          endcase
        end
      endcase
    end
  end

endmodule : npu_vec_alu
