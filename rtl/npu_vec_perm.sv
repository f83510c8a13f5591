// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations: the operands are registered when the instruction leaves execute, the result is
// there one cycle later (stage 2). A row of the accumulators arrives in the same stage.

module npu_vec_perm
  import npu_isa_pkg::*;
  import npu_vec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        en_i,
  input  vec_op_e     op_i,
  input  elem_e       elem_i,
  input  vec_t        a_i,
  input  vec_t        b_i,
  input  vec_t        d_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  vec_t        acc_i,      // in stage 2
  output vec_t        result_o    // in stage 2
);

  logic        valid_q;
  vec_op_e     op_q;
  elem_e       elem_q;
  vec_t        a_q, b_q, d_q;
  logic [31:0] rs1_q;
  logic [5:0]  index_q;   // low bits of rs2
  logic        beyond_q;  // rs2 is 64 or more

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= en_i;
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      op_q     <= op_i;
      elem_q   <= elem_i;
      a_q      <= a_i;
      b_q      <= b_i;
      d_q      <= d_i;
      rs1_q    <= rs1_i;
      index_q  <= rs2_i[5:0];
      beyond_q <= |rs2_i[31:6];
    end
  end

  // ------------------------------------------------------------------ zip, unzip

  vec_t zipped, unzipped;

  always_comb begin
    logic [VecWidth/2-1:0] a, b;
    zipped = '0;
    a      = '0;
    b      = '0;
    if (valid_q && op_q inside {VecZiplo, VecZiphi}) begin
      a = op_q == VecZiphi ? a_q[VecWidth-1:VecWidth/2] : a_q[VecWidth/2-1:0];
      b = op_q == VecZiphi ? b_q[VecWidth-1:VecWidth/2] : b_q[VecWidth/2-1:0];
      unique case (elem_q)
        ElemB: for (int unsigned i = 0; i < 32; i++) zipped[16*i+:16] = {b[8*i+:8], a[8*i+:8]};
        ElemH: for (int unsigned i = 0; i < 16; i++) zipped[32*i+:32] = {b[16*i+:16], a[16*i+:16]};
        default: for (int unsigned i = 0; i < 8; i++) zipped[64*i+:64] = {b[32*i+:32], a[32*i+:32]};
      endcase
    end
  end

  always_comb begin
    logic [2*VecWidth-1:0] both;
    unzipped = '0;
    both     = '0;
    if (valid_q && op_q inside {VecUnzipe, VecUnzipo}) begin
      unique case (elem_q)
        ElemB: begin
          both = op_q == VecUnzipo ? {b_q, a_q} >> 8 : {b_q, a_q};
          for (int unsigned i = 0; i < 64; i++) unzipped[8*i+:8] = both[16*i+:8];
        end
        ElemH: begin
          both = op_q == VecUnzipo ? {b_q, a_q} >> 16 : {b_q, a_q};
          for (int unsigned i = 0; i < 32; i++) unzipped[16*i+:16] = both[32*i+:16];
        end
        default: begin
          both = op_q == VecUnzipo ? {b_q, a_q} >> 32 : {b_q, a_q};
          for (int unsigned i = 0; i < 16; i++) unzipped[32*i+:32] = both[64*i+:32];
        end
      endcase
    end
  end

  // ------------------------------------------------------------------ table lookup

  // Bytes of b that the bytes of a select. The upper two bits of an index say which quarter of
  // a table of 256 bytes b must be for the lookup to count.
  logic [1:0] quarter;
  vec_t       looked_up;

  always_comb begin
    unique case (op_q)
      VecLut1: quarter = 2'd1;
      VecLut2: quarter = 2'd2;
      VecLut3: quarter = 2'd3;
      default: quarter = 2'd0;
    endcase
  end

  always_comb begin
    logic [7:0] index, miss;
    looked_up = '0;
    index     = '0;
    miss      = '0;
    if (valid_q && op_q inside {VecPerm, VecLut0, VecLut1, VecLut2, VecLut3}) begin
      for (int unsigned i = 0; i < VecBytes; i++) begin
        index = a_q[8*i+:8];
        miss  = op_q == VecPerm ? 8'd0 : d_q[8*i+:8];
        looked_up[8*i+:8] = index[7:6] == quarter ? b_q[8*index[5:0]+:8] : miss;
      end
    end
  end

  // ------------------------------------------------------------------ slides, insert

  // Every slide is a window of 64 bytes into a string of 128.
  vec_t slid;

  always_comb begin
    logic [2*VecWidth-1:0] window;
    window = '0;
    slid    = '0;
    if (valid_q) begin
      unique case (op_q)
        VecSlidedn: begin
          window = {VecWidth'(0), a_q};
          slid    = beyond_q ? '0 : VecWidth'(window >> {index_q, 3'b000});
        end
        VecSlideup: begin
          window = {a_q, VecWidth'(0)};
          slid    = beyond_q ? '0 : VecWidth'((window << {index_q, 3'b000}) >> VecWidth);
        end
        VecAlign: begin
          window = {a_q, d_q};
          slid    = VecWidth'(window >> {index_q, 3'b000});
        end
        default: ;
      endcase
    end
  end

  vec_t inserted;

  always_comb begin
    inserted = '0;
    if (valid_q && op_q == VecInsert) begin
      inserted = d_q;
      unique case (elem_q)
        ElemB:   inserted[8*index_q+:8] = rs1_q[7:0];
        ElemH:   inserted[16*index_q[4:0]+:16] = rs1_q[15:0];
        default: inserted[32*index_q[3:0]+:32] = rs1_q;
      endcase
    end
  end

  always_comb begin
    result_o = '0;
    if (valid_q) begin
      unique case (op_q)
        VecZiplo, VecZiphi:                           result_o = zipped;
        VecUnzipe, VecUnzipo:                         result_o = unzipped;
        VecPerm, VecLut0, VecLut1, VecLut2, VecLut3:  result_o = looked_up;
        VecInsert:                                    result_o = inserted;
        VecAccrd:                                     result_o = acc_i;
        default:                                      result_o = slid;
      endcase
    end
  end

endmodule : npu_vec_perm
