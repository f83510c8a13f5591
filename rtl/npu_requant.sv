// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requantization of 16 channels a cycle, bit-exact with TFLite's reference (double rounding, or
// one rounding as its fully connected layers), and the tables it works with: bias, multiplier and
// shift of each channel.
//
//   stage 1  t = (acc + bias) << left
//   stage 2  ab = t * multiplier
//   stage 3  u = ab / 2^31 rounded (saturating rounding doubling high multiply);
//            once: half of 2^(31 + right) is added instead, and u is the floor
//   stage 4  r = u / 2^right rounded; once: the floor
//
// A raw row passes unchanged. The owner loads a table only while the pipeline is empty.

module npu_requant
  import npu_platform_pkg::*;
(
  input  logic                     clk_i,
  input  logic                     rst_ni,

  // Table: lane o of chunk 0 is bias[o], of chunk 1 multiplier[o], of chunk 2 shift[4 o ..].
  input  logic                     table_clear_i,
  input  logic [15:0]              table_we_i,
  input  logic [15:0][1:0]         table_chunk_i,
  input  logic [15:0][31:0]        table_data_i,

  input  logic                     valid_i,
  input  logic                     raw_i,
  input  logic                     once_i,
  input  logic [MacCols-1:0][31:0] acc_i,
  output logic                     ready_o,

  output logic                     valid_o,
  output logic                     raw_o,
  output logic [MacCols-1:0][31:0] result_o,
  input  logic                     ready_i,

  output logic                     empty_o
);

  // ------------------------------------------------------------------ tables

  logic [MacCols-1:0][31:0] bias_q, mult_q;
  logic [MacCols-1:0][4:0]  left_q, right_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bias_q  <= '0;
      mult_q  <= '0;
      left_q  <= '0;
      right_q <= '0;
    end else if (table_clear_i) begin
      bias_q  <= '0;
      mult_q  <= '0;
      left_q  <= '0;
      right_q <= '0;
    end else if (|table_we_i) begin
      for (int unsigned o = 0; o < 16; o++) begin
        if (table_we_i[o]) begin
          unique case (table_chunk_i[o])
            2'd0: bias_q[o] <= table_data_i[o];
            2'd1: mult_q[o] <= table_data_i[o];
            default: begin
              if (o < 4) begin
                for (int unsigned i = 0; i < 4; i++) begin
                  left_q[4*o+i]  <= left_shift(table_data_i[o][8*i+:8]);
                  right_q[4*o+i] <= right_shift(table_data_i[o][8*i+:8]);
                end
              end
            end
          endcase
        end
      end
    end
  end

  // Shift counts beyond 31 count as 31, in both directions.
  function automatic logic [4:0] left_shift(logic [7:0] shift);
    if (shift[7]) return 5'd0;
    return |shift[6:5] ? 5'd31 : shift[4:0];
  endfunction

  function automatic logic [4:0] right_shift(logic [7:0] shift);
    if (!shift[7]) return 5'd0;
    return shift < 8'd225 ? 5'd31 : 5'd0 - shift[4:0];
  endfunction

  // ------------------------------------------------------------------ pipeline control

  localparam int unsigned Stages = 4;

  logic [Stages-1:0] valid_q, raw_q, load, stage_in, raw_in;
  logic [Stages-2:0] once_q, once_in;  // the last stage has no more use for it

  assign stage_in = {valid_q[Stages-2:0], valid_i};
  assign raw_in   = {raw_q[Stages-2:0], raw_i};
  assign once_in  = {once_q[Stages-3:0], once_i};

  // A stage loads when it is empty or its successor takes what it holds.
  always_comb begin
    logic next;
    next = ready_i;
    for (int s = int'(Stages) - 1; s >= 0; s--) begin
      load[s] = !valid_q[s] || next;
      next    = load[s];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      raw_q   <= '0;
      once_q  <= '0;
    end else begin
      for (int unsigned s = 0; s < Stages; s++) begin
        if (load[s]) begin
          valid_q[s] <= stage_in[s];
          raw_q[s]   <= raw_in[s];
        end
      end
      for (int unsigned s = 0; s < Stages - 1; s++) begin
        if (load[s]) once_q[s] <= once_in[s];
      end
    end
  end

  // ------------------------------------------------------------------ arithmetic

  logic [MacCols-1:0][31:0] scaled_q, scaled_d, result_q, result_d;
  logic [MacCols-1:0][32:0] high_q, high_d;  // 33 bits: the half that is added once can be 2^61
  logic [MacCols-1:0][63:0] product_q, product_d;
  logic [Stages-1:0]        step;

  assign step = load & stage_in;

  always_comb begin
    scaled_d = scaled_q;
    if (step[0]) begin
      for (int unsigned n = 0; n < MacCols; n++) begin
        scaled_d[n] = raw_i ? acc_i[n] : (acc_i[n] + bias_q[n]) << left_q[n];
      end
    end
  end

  always_comb begin
    product_d = product_q;
    if (step[1]) begin
      for (int unsigned n = 0; n < MacCols; n++) begin
        product_d[n] = raw_q[0] ? {32'd0, scaled_q[n]}
                                : 64'(signed'(scaled_q[n])) * 64'(signed'(mult_q[n]));
      end
    end
  end

  // (ab + (ab >= 0 ? 2^30 : 1 - 2^30)) / 2^31 towards zero is the floor of (ab + 2^30) / 2^31
  // in both cases. Only (-2^31)^2 does not fit 32 bits. Once: halves away from zero, so that one
  // less than the half is added to what is negative.
  always_comb begin
    logic [63:0] half;
    logic [32:0] rounded;
    half    = '0;
    rounded = '0;
    high_d  = high_q;
    if (step[2]) begin
      for (int unsigned n = 0; n < MacCols; n++) begin
        half = 64'h4000_0000;
        if (once_q[1]) begin
          half = product_q[n][63] ? ~(64'hffff_ffff_c000_0000 << right_q[n]) : half << right_q[n];
        end
        rounded = 33'((product_q[n] + half) >> 31);
        if (raw_q[1]) begin
          high_d[n] = {1'b0, product_q[n][31:0]};
        end else if (!once_q[1] && rounded[32:31] == 2'b01) begin
          high_d[n] = 33'h0_7fff_ffff;
        end else begin
          high_d[n] = rounded;
        end
      end
    end
  end

  always_comb begin
    logic [31:0] mask, rem, threshold;
    mask      = '0;
    rem       = '0;
    threshold = '0;
    result_d  = result_q;
    if (step[3]) begin
      for (int unsigned n = 0; n < MacCols; n++) begin
        mask      = (32'd1 << right_q[n]) - 32'd1;
        rem       = high_q[n][31:0] & mask;
        threshold = (mask >> 1) + 32'(high_q[n][32]);
        result_d[n] = raw_q[2] ? high_q[n][31:0]
                               : 32'(signed'(high_q[n]) >>> right_q[n])
                                 + 32'(!once_q[2] && rem > threshold);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step[0]) scaled_q <= scaled_d;
    if (step[1]) product_q <= product_d;
    if (step[2]) high_q <= high_d;
    if (step[3]) result_q <= result_d;
  end

  assign ready_o  = load[0];
  assign valid_o  = valid_q[Stages-1];
  assign raw_o    = raw_q[Stages-1];
  assign result_o = result_q;
  assign empty_o  = valid_q == '0;

endmodule : npu_requant
