// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Load/store unit. An access to a scratchpad or to the CLINT is issued and done in the
// cycle of the execute stage; its read data are there in the next one. An access to
// DRAM holds the execute stage until the bus has answered, so that an error response
// still traps precisely.
//
// req_i is held with stable operands until done_o. Once busy_o is high the access is on
// the bus and must not be withdrawn.

module npu_lsu
  import npu_platform_pkg::*;
  import npu_core_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned ItcmSize = DefaultItcmSize,
  parameter int unsigned TcmSize  = DefaultTcmSize,
  parameter int unsigned DramSize = DefaultDramSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,
  input  logic        we_i,
  input  logic [1:0]  size_i,       // log2 of the bytes
  input  logic        unsigned_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,

  output logic        done_o,
  output logic        exception_o,  // with done_o
  output logic [4:0]  cause_o,
  output logic        busy_o,
  output logic [3:0]  be_o,         // byte lanes and data of a store, for the trace
  output logic [31:0] lane_wdata_o,
  output logic [31:0] rdata_o,      // the cycle after done_o

  output logic        itcm_req_o,
  input  logic [31:0] itcm_rdata_i,
  output logic        tcm_req_o,
  input  logic [31:0] tcm_rdata_i,
  output logic        clint_req_o,
  input  logic [31:0] clint_rdata_i,

  output axi_req_t    axi_req_o,
  input  axi_rsp_t    axi_rsp_i
);

  typedef enum logic [2:0] {
    RegionNone,
    RegionItcm,
    RegionTcm,
    RegionClint,
    RegionDram
  } region_e;

  typedef enum logic [2:0] {
    Idle,
    ReadAddress,
    ReadData,
    WriteAddress,
    WriteData,
    WriteResponse
  } state_e;

  region_e     region, region_q;
  state_e      state_d, state_q;
  logic        misaligned, fault;
  logic        local_req, dram_done, dram_error;
  logic [31:0] dram_word_q;
  logic [1:0]  offset_q, size_q;
  logic        unsigned_q;
  logic [31:0] word, shifted;

  always_comb begin
    if (addr_i - ItcmBase < 32'(ItcmSize)) begin
      region = RegionItcm;
    end else if (addr_i - TcmBase < 32'(TcmSize)) begin
      region = RegionTcm;
    end else if (addr_i - DramBase < 32'(DramSize)) begin
      region = RegionDram;
    end else if (addr_i - MmioClintBase < MmioClintSize && size_i == 2'd2) begin
      region = RegionClint;
    end else begin
      region = RegionNone;
    end
  end

  always_comb begin
    unique case (size_i)
      2'd0:    misaligned = 1'b0;
      2'd1:    misaligned = addr_i[0];
      default: misaligned = addr_i[1:0] != 2'b00;
    endcase
  end

  assign fault     = misaligned || region == RegionNone;
  assign local_req = req_i && !fault && region != RegionDram;

  assign itcm_req_o  = local_req && region == RegionItcm;
  assign tcm_req_o   = local_req && region == RegionTcm;
  assign clint_req_o = local_req && region == RegionClint;

  always_comb begin
    unique case (size_i)
      2'd0: begin
        be_o         = 4'b0001 << addr_i[1:0];
        lane_wdata_o = {4{wdata_i[7:0]}};
      end
      2'd1: begin
        be_o         = 4'b0011 << addr_i[1:0];
        lane_wdata_o = {2{wdata_i[15:0]}};
      end
      default: begin
        be_o         = 4'b1111;
        lane_wdata_o = wdata_i;
      end
    endcase
  end

  // DRAM
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: begin
        if (req_i && !fault && region == RegionDram) state_d = we_i ? WriteAddress : ReadAddress;
      end
      ReadAddress:   if (axi_rsp_i.ar_ready) state_d = ReadData;
      ReadData:      if (axi_rsp_i.r_valid)  state_d = Idle;
      WriteAddress:  if (axi_rsp_i.aw_ready) state_d = WriteData;
      WriteData:     if (axi_rsp_i.w_ready)  state_d = WriteResponse;
      WriteResponse: if (axi_rsp_i.b_valid)  state_d = Idle;
      default:       state_d = Idle;
    endcase
  end

  always_comb begin
    axi_req_o          = '0;
    axi_req_o.ar_valid = state_q == ReadAddress;
    axi_req_o.ar_addr  = {addr_i[31:4], 4'b0};
    axi_req_o.r_ready  = state_q == ReadData;
    axi_req_o.aw_valid = state_q == WriteAddress;
    axi_req_o.aw_addr  = {addr_i[31:4], 4'b0};
    axi_req_o.w_valid  = state_q == WriteData;
    axi_req_o.w_data   = {4{lane_wdata_o}};
    axi_req_o.w_strb   = 16'(be_o) << {addr_i[3:2], 2'b00};
    axi_req_o.w_last   = 1'b1;
    axi_req_o.b_ready  = state_q == WriteResponse;
  end

  assign dram_done  = (state_q == ReadData && axi_rsp_i.r_valid) ||
                      (state_q == WriteResponse && axi_rsp_i.b_valid);
  assign dram_error = we_i ? axi_rsp_i.b_resp != AxiRespOkay : axi_rsp_i.r_resp != AxiRespOkay;

  assign busy_o      = state_q != Idle;
  assign done_o      = req_i && (fault || local_req || dram_done);
  assign exception_o = fault || (dram_done && dram_error);

  always_comb begin
    if (misaligned) begin
      cause_o = we_i ? CauseStoreMisaligned : CauseLoadMisaligned;
    end else begin
      cause_o = we_i ? CauseStoreFault : CauseLoadFault;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= Idle;
      region_q    <= RegionNone;
      dram_word_q <= '0;
      offset_q    <= '0;
      size_q      <= '0;
      unsigned_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      if (dram_done) dram_word_q <= axi_rsp_i.r_data[32 * addr_i[3:2] +: 32];
      if (done_o) begin
        region_q   <= region;
        offset_q   <= addr_i[1:0];
        size_q     <= size_i;
        unsigned_q <= unsigned_i;
      end
    end
  end

  // Write-back stage: pick the word, align, extend.
  always_comb begin
    unique case (region_q)
      RegionItcm: word = itcm_rdata_i;
      RegionTcm:  word = tcm_rdata_i;
      RegionDram: word = dram_word_q;
      default:    word = clint_rdata_i;
    endcase
    shifted = word >> {offset_q, 3'b000};
    unique case (size_q)
      2'd0:    rdata_o = {{24{shifted[7] && !unsigned_q}}, shifted[7:0]};
      2'd1:    rdata_o = {{16{shifted[15] && !unsigned_q}}, shifted[15:0]};
      default: rdata_o = shifted;
    endcase
  end

  // Bursts of one beat: every beat is the last.
  logic unused_last;
  assign unused_last = axi_rsp_i.r_last;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  LsuBusAccessIsNotWithdrawn_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      busy_o |-> req_i);
  LsuStateIsLegal_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      state_q inside {Idle, ReadAddress, ReadData, WriteAddress, WriteData, WriteResponse});
  LsuOneRegion_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0({itcm_req_o, tcm_req_o, clint_req_o, busy_o}));
`endif

endmodule : npu_lsu
