// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine timer and software interrupt. Registers are read with the latency of the
// scratchpads: the value appears the cycle after the request.

module npu_clint
  import npu_platform_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,
  input  logic        we_i,
  input  logic [15:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,

  output logic [63:0] mtime_o,
  output logic        irq_software_o,
  output logic        irq_timer_o
);

  localparam logic [15:0] OffMsip      = MmioClintMsip[15:0];
  localparam logic [15:0] OffMtimecmp  = MmioClintMtimecmp[15:0];
  localparam logic [15:0] OffMtimecmph = MmioClintMtimecmp[15:0] + 16'd4;
  localparam logic [15:0] OffMtime     = MmioClintMtime[15:0];
  localparam logic [15:0] OffMtimeh    = MmioClintMtime[15:0] + 16'd4;

  logic        msip_q;
  logic [63:0] mtimecmp_q, mtime_q;
  logic [31:0] rdata_d, rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msip_q     <= 1'b0;
      mtimecmp_q <= '1;  // no timer interrupt before software asks for one
      mtime_q    <= '0;
    end else begin
      mtime_q <= mtime_q + 64'd1;
      if (req_i && we_i) begin
        unique case (addr_i)
          OffMsip:      msip_q            <= wdata_i[0];
          OffMtimecmp:  mtimecmp_q[31:0]  <= wdata_i;
          OffMtimecmph: mtimecmp_q[63:32] <= wdata_i;
          OffMtime:     mtime_q           <= {mtime_q[63:32], wdata_i};
          OffMtimeh:    mtime_q           <= {wdata_i, mtime_q[31:0]};
          default: ;
        endcase
      end
    end
  end

  always_comb begin
    unique case (addr_i)
      OffMsip:      rdata_d = {31'b0, msip_q};
      OffMtimecmp:  rdata_d = mtimecmp_q[31:0];
      OffMtimecmph: rdata_d = mtimecmp_q[63:32];
      OffMtime:     rdata_d = mtime_q[31:0];
      OffMtimeh:    rdata_d = mtime_q[63:32];
      default:      rdata_d = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rdata_q <= '0;
    end else if (req_i) begin
      rdata_q <= rdata_d;
    end
  end

  assign rdata_o        = rdata_q;
  assign mtime_o        = mtime_q;
  assign irq_software_o = msip_q;
  assign irq_timer_o    = mtime_q >= mtimecmp_q;

endmodule : npu_clint
