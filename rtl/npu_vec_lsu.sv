// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector loads and stores, at any byte alignment.
//
// An access is a mask of up to 64 bytes at an address. TCM takes one cycle of the execute stage,
// all 16 banks side by side, and a second one when the mask reaches the 17th word. ITCM and DRAM
// hold the execute stage: ITCM word by word, DRAM in bursts that do not cross 4 KiB. A strided
// instruction makes an access for each lane.
//
// The data of a load are aligned in the cycle behind the end of its access (stage 2) and
// extended to the register's elements in the next (stage 3).
//
// req_i is held with stable operands until done_o. Once busy_o is high the instruction must not
// be withdrawn.

module npu_vec_lsu
  import npu_platform_pkg::*;
  import npu_isa_pkg::*;
  import npu_core_pkg::*;
  import npu_pkg::*;
  import npu_vec_pkg::*;
#(
  parameter int unsigned ItcmSize = DefaultItcmSize,
  parameter int unsigned TcmSize  = DefaultTcmSize,
  parameter int unsigned DramSize = DefaultDramSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        req_i,
  input  vec_op_e     op_i,
  input  vec_type_e   type_i,
  input  logic [31:0] addr_i,
  input  logic        all_lanes_i,  // no count: every lane
  input  logic [31:0] count_i,
  input  logic [31:0] stride_i,
  input  vec_t        mask_i,       // v.ldm, v.stm
  input  vec_t        data_i,       // of a store

  output logic        done_o,
  output logic        exception_o,  // with done_o
  output logic [4:0]  cause_o,
  output logic [31:0] tval_o,
  output logic        busy_o,
  output vec_t        result_o,     // in stage 3

  output tcm_req_t    tcm_req_o,    // always granted at once
  input  tcm_rdata_t  tcm_rdata_i,

  output logic        itcm_req_o,
  output logic        itcm_we_o,
  output logic [3:0]  itcm_be_o,
  output logic [31:0] itcm_addr_o,
  output logic [31:0] itcm_wdata_o,
  input  logic [31:0] itcm_rdata_i,

  output axi_req_t    axi_req_o,
  input  axi_rsp_t    axi_rsp_i
);

  // An access as it lies in memory: 64 bytes behind up to 15 bytes of alignment.
  localparam int unsigned WindowBytes = 80;
  localparam int unsigned WindowWords = WindowBytes / 4;

  typedef enum logic [3:0] {
    First,          // addresses are known, nothing has been done
    TcmSecond,
    ItcmWord,
    ItcmLast,       // the last word read arrives
    ReadAddress,
    ReadData,
    WriteAddress,
    WriteData,
    WriteResponse
  } state_e;

  typedef enum logic [1:0] {
    RegionNone,
    RegionItcm,
    RegionTcm,
    RegionDram
  } region_e;

  state_e state_d, state_q;

  // ------------------------------------------------------------------ instruction

  logic  is_store, strided;
  elem_e mem, reg_;

  assign is_store = op_i inside {VecSt, VecStl, VecSts, VecStm};
  assign strided  = op_i inside {VecLds, VecSts};
  assign mem      = mem_elem(type_i);
  assign reg_     = reg_elem(type_i);

  logic [VecBytes-1:0] lanes;      // those that are accessed
  logic [6:0]          count;

  always_comb begin
    lanes = '0;
    count = 7'(VecBytes) >> reg_;
    if (req_i) begin
      if (!all_lanes_i && count_i < 32'(count)) count = count_i[6:0];
      if (op_i inside {VecLdm, VecStm}) begin
        unique case (reg_)
          ElemB:   for (int unsigned i = 0; i < 64; i++) lanes[i] = mask_i[8*i+7];
          ElemH:   for (int unsigned i = 0; i < 32; i++) lanes[i] = mask_i[16*i+15];
          default: for (int unsigned i = 0; i < 16; i++) lanes[i] = mask_i[32*i+31];
        endcase
      end else begin
        lanes = VecBytes'((65'd1 << count) - 65'd1);
      end
    end
  end

  // ------------------------------------------------------------------ access

  logic [5:0]          lane_q;     // strided: the lane of this access
  logic [31:0]         lane_addr_q;
  logic                lane_last;
  logic [31:0]         addr;       // of byte 0 of the mask
  logic [VecBytes-1:0] bytes;      // relative to addr
  logic [5:0]          first, last, span;
  logic [31:0]         first_addr, base, size;
  region_e             region;
  logic                outside, fault;

  assign addr      = strided && lane_q != '0 ? lane_addr_q : addr_i;
  assign lane_last = !strided || 7'(lane_q) + 7'd1 >= count;

  always_comb begin
    bytes = '0;
    first = '0;
    last  = '0;
    if (req_i && lanes != '0) begin
      if (strided) begin
        last  = mem == ElemB ? 6'd0 : mem == ElemH ? 6'd1 : 6'd3;
        bytes = mem == ElemB ? VecBytes'(4'h1) : mem == ElemH ? VecBytes'(4'h3) : VecBytes'(4'hf);
      end else begin
        unique case (mem)
          ElemB:   bytes = lanes;
          ElemH:   for (int unsigned i = 0; i < 64; i++) bytes[i] = lanes[i/2];
          default: for (int unsigned i = 0; i < 64; i++) bytes[i] = lanes[i/4];
        endcase
        for (int unsigned i = 0; i < VecBytes; i++) begin
          if (bytes[i]) last = 6'(i);
          if (bytes[VecBytes-1-i]) first = 6'(VecBytes-1-i);
        end
      end
    end
  end

  assign first_addr = addr + 32'(first);

  always_comb begin
    if (first_addr - ItcmBase < 32'(ItcmSize)) begin
      region = RegionItcm;
      base   = ItcmBase;
      size   = 32'(ItcmSize);
    end else if (first_addr - TcmBase < 32'(TcmSize)) begin
      region = RegionTcm;
      base   = TcmBase;
      size   = 32'(TcmSize);
    end else if (first_addr - DramBase < 32'(DramSize)) begin
      region = RegionDram;
      base   = DramBase;
      size   = 32'(DramSize);
    end else begin
      region = RegionNone;
      base   = '0;
      size   = '0;
    end
  end

  assign span    = last - first;
  assign outside = first_addr - base + 32'(span) >= size;
  assign fault   = req_i && lanes != '0 && (region == RegionNone || outside);

  // The window of the bytes: behind addr mod 4 bytes of the first word, in DRAM addr mod 16
  // bytes of the first beat.
  logic [3:0]              offset;
  logic [WindowBytes-1:0]  window_be;
  logic [WindowWords-1:0][31:0] window_wdata;
  logic [4:0]              word_first, word_last;
  logic [VecWidth-1:0]     stored;
  logic                    second;     // the access reaches the 17th word

  assign offset     = {region == RegionDram ? addr[3:2] : 2'b00, addr[1:0]};
  assign word_first = 5'((7'(first) + 7'(offset)) >> 2);
  assign word_last  = 5'((7'(last) + 7'(offset)) >> 2);
  assign second     = word_last[4];

  always_comb begin
    window_be    = '0;
    window_wdata = '0;
    if (req_i) begin
      window_be = WindowBytes'(bytes) << offset;
      if (is_store) window_wdata = (8*WindowBytes)'(stored) << {offset, 3'b000};
    end
  end

  // ------------------------------------------------------------------ stored data

  function automatic logic [15:0] narrow_16(vec_type_e kind, logic [31:0] x);
    unique case (kind)
      TypeWhs: begin
        if (x[31:15] == '0 || x[31:15] == '1) return x[15:0];
        return x[31] ? 16'h8000 : 16'h7fff;
      end
      TypeWhu: begin
        if (x[31:16] == '0) return x[15:0];
        return x[31] ? 16'h0000 : 16'hffff;
      end
      default: return x[15:0];
    endcase
  endfunction

  function automatic logic [7:0] narrow_8(vec_type_e kind, logic [31:0] x);
    unique case (kind)
      TypeHbs, TypeWbs: begin
        if (x[31:7] == '0 || x[31:7] == '1) return x[7:0];
        return x[31] ? 8'h80 : 8'h7f;
      end
      TypeHbu, TypeWbu: begin
        if (x[31:8] == '0) return x[7:0];
        return x[31] ? 8'h00 : 8'hff;
      end
      default: return x[7:0];
    endcase
  endfunction

  // In the order of memory; a strided store takes its lane to the front.
  always_comb begin
    stored = '0;
    if (req_i && is_store) begin
      unique case (type_i)
        TypeHb, TypeHbs, TypeHbu:
          for (int unsigned i = 0; i < 32; i++) begin
            stored[8*i+:8] = narrow_8(type_i, 32'($signed(data_i[16*i+:16])));
          end
        TypeWb, TypeWbs, TypeWbu:
          for (int unsigned i = 0; i < 16; i++) begin
            stored[8*i+:8] = narrow_8(type_i, data_i[32*i+:32]);
          end
        TypeWh, TypeWhs, TypeWhu:
          for (int unsigned i = 0; i < 16; i++) begin
            stored[16*i+:16] = narrow_16(type_i, data_i[32*i+:32]);
          end
        default: begin
          stored = data_i;
          if (strided) stored[31:0] = 32'(data_i >> {lane_q << mem, 3'b000});
        end
      endcase
    end
  end

  // ------------------------------------------------------------------ sequence

  logic       access_done, bus_error, bus_error_q;
  logic [4:0] word_q;          // of the window: the next one in ITCM
  logic [2:0] beat_q;          // of the window: the next one in DRAM
  logic [2:0] beat_end;        // the last one of the access
  logic [2:0] burst_last_q;    // of the burst under way
  logic [2:0] burst_end;
  logic [2:0] beats_left, burst_left;
  logic [31:0] beat_addr;
  logic [8:0] to_boundary;     // beats to the next 4 KiB

  assign beat_end    = word_last[4:2];
  assign beat_addr   = {addr[31:4] + 28'(beat_q), 4'b0};
  assign to_boundary = 9'd256 - {1'b0, beat_addr[11:4]};
  assign beats_left  = beat_end - beat_q;
  assign burst_end   = 9'(beats_left) < to_boundary ? beat_end
                       : beat_q + to_boundary[2:0] - 3'd1;
  assign burst_left  = burst_end - beat_q;

  always_comb begin
    state_d     = state_q;
    access_done = 1'b0;
    unique case (state_q)
      First: begin
        if (req_i && lanes != '0 && !fault) begin
          unique case (region)
            RegionTcm: begin
              if (second) state_d = TcmSecond;
              else access_done = 1'b1;
            end
            RegionItcm: state_d = ItcmWord;
            default:    state_d = is_store ? WriteAddress : ReadAddress;
          endcase
        end
      end
      TcmSecond: begin
        access_done = 1'b1;
        state_d     = First;
      end
      ItcmWord: begin
        if (word_q == word_last) begin
          access_done = is_store;
          state_d     = is_store ? First : ItcmLast;
        end
      end
      ItcmLast: begin
        access_done = 1'b1;
        state_d     = First;
      end
      ReadAddress: if (axi_rsp_i.ar_ready) state_d = ReadData;
      ReadData: begin
        if (axi_rsp_i.r_valid && axi_rsp_i.r_last) begin
          access_done = beat_q == beat_end;
          state_d     = access_done ? First : ReadAddress;
        end
      end
      WriteAddress: if (axi_rsp_i.aw_ready) state_d = WriteData;
      WriteData:    if (axi_rsp_i.w_ready && beat_q == burst_last_q) state_d = WriteResponse;
      WriteResponse: begin
        if (axi_rsp_i.b_valid) begin
          access_done = burst_last_q == beat_end;
          state_d     = access_done ? First : WriteAddress;
        end
      end
      default: state_d = First;
    endcase
  end

  assign bus_error = bus_error_q ||
                     (state_q == ReadData && axi_rsp_i.r_valid && axi_rsp_i.r_resp != AxiRespOkay) ||
                     (state_q == WriteResponse && axi_rsp_i.b_valid &&
                      axi_rsp_i.b_resp != AxiRespOkay);

  assign busy_o      = state_q != First || lane_q != '0;
  assign exception_o = (state_q == First && fault) || (access_done && bus_error);
  assign done_o      = req_i && (lanes == '0 || exception_o || (access_done && lane_last));
  assign cause_o     = is_store ? CauseStoreFault : CauseLoadFault;
  assign tval_o      = state_q == First && region != RegionNone && outside ? base + size
                                                                           : first_addr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= First;
      lane_q      <= '0;
      bus_error_q <= 1'b0;
    end else if (req_i) begin
      state_q     <= state_d;
      bus_error_q <= bus_error && !access_done;
      if (done_o) lane_q <= '0;
      else if (access_done) lane_q <= lane_q + 6'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_i) begin
      if (access_done) lane_addr_q <= addr + stride_i;
      if (state_q == First) begin
        word_q <= word_first;
        beat_q <= word_first[4:2];
      end
      if (state_q == ItcmWord) word_q <= word_q + 5'd1;
      if ((state_q == ReadData && axi_rsp_i.r_valid) || (state_q == WriteData && axi_rsp_i.w_ready)) begin
        beat_q <= beat_q + 3'd1;
      end
      if (state_q == WriteAddress) burst_last_q <= burst_end;
    end
  end

  // ------------------------------------------------------------------ requests

  logic [3:0] bank_first;     // of the window's word 0
  assign bank_first = addr[5:2];

  // Banks in front of the first one hold words of the next row.
  always_comb begin
    logic [3:0]              index;
    logic [TcmAddrWidth-1:0] row;

    tcm_req_o = '0;
    index     = '0;
    row       = addr[6+:TcmAddrWidth];
    if (req_i && !fault && region == RegionTcm && state_q inside {First, TcmSecond}) begin
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        index = 4'(b) - bank_first;
        if (state_q == First) begin
          tcm_req_o.req[b]   = window_be[4*index+:4] != '0;
          tcm_req_o.be[b]    = window_be[4*index+:4];
          tcm_req_o.wdata[b] = window_wdata[5'(index)];
        end else begin
          tcm_req_o.req[b]   = index == '0;
          tcm_req_o.be[b]    = window_be[67:64];
          tcm_req_o.wdata[b] = window_wdata[16];
        end
        tcm_req_o.we[b]   = is_store;
        tcm_req_o.addr[b] = row + TcmAddrWidth'(state_q == TcmSecond || 4'(b) < bank_first);
      end
    end
  end

  assign itcm_req_o   = req_i && state_q == ItcmWord;
  assign itcm_we_o    = is_store;
  assign itcm_be_o    = window_be[4*word_q+:4];
  assign itcm_addr_o  = {addr[31:2] + 30'(word_q), 2'b00};
  assign itcm_wdata_o = window_wdata[word_q];

  always_comb begin
    axi_req_o = '0;
    if (state_q inside {ReadAddress, ReadData, WriteAddress, WriteData, WriteResponse}) begin
      axi_req_o.ar_valid = state_q == ReadAddress;
      axi_req_o.ar_addr  = beat_addr;
      axi_req_o.ar_len   = 8'(burst_left);
      axi_req_o.r_ready  = state_q == ReadData;
      axi_req_o.aw_valid = state_q == WriteAddress;
      axi_req_o.aw_addr  = beat_addr;
      axi_req_o.aw_len   = 8'(burst_left);
      axi_req_o.w_valid  = state_q == WriteData;
      axi_req_o.w_data   = window_wdata[{beat_q, 2'b00}+:4];
      axi_req_o.w_strb   = window_be[{beat_q, 4'b0000}+:16];
      axi_req_o.w_last   = beat_q == burst_last_q;
      axi_req_o.b_ready  = state_q == WriteResponse;
    end
  end

  // ------------------------------------------------------------------ loaded data

  // What the next cycle has to do with the words that arrive.
  typedef struct packed {
    logic       capture;     // align and keep: the access is complete
    logic       live;        // all words come from TCM now
    logic       second_live; // the 17th word comes from TCM now
    logic       hold;        // first part of a TCM access: keep the words
    logic       itcm;        // one word of ITCM
    logic [4:0] word;
    logic [3:0] bank;        // of word 0
    logic [3:0] offset;
    logic       strided;
    logic [5:0] lane;
    elem_e      mem;
  } arrive_t;

  arrive_t                      arrive_d, arrive_q;
  logic [WindowWords-1:0][31:0] words_q;    // of the window
  vec_t                         rotated, aligned, loaded_d, loaded_q;

  always_comb begin
    arrive_d = '0;
    if (req_i && !is_store) begin
      arrive_d = '{capture:     access_done,
                   live:        state_q == First,
                   second_live: state_q == TcmSecond,
                   hold:        state_q == First && !access_done && region == RegionTcm,
                   itcm:        state_q == ItcmWord,
                   word:        word_q,
                   bank:        bank_first,
                   offset:      offset,
                   strided:     strided,
                   lane:        lane_q,
                   mem:         mem};
    end
  end

  always_comb begin
    logic [2*VecWidth-1:0] twice;
    rotated = '0;
    twice   = '0;
    if (arrive_q.hold || (arrive_q.capture && arrive_q.live)) begin
      twice   = {tcm_rdata_i, tcm_rdata_i};
      rotated = VecWidth'(twice >> {arrive_q.bank, 5'b00000});
    end
  end

  always_comb begin
    logic [8*WindowBytes-1:0] window;
    aligned  = '0;
    window   = '0;
    loaded_d = loaded_q;
    if (arrive_q.capture) begin
      window = words_q;
      if (arrive_q.live) window[VecWidth-1:0] = rotated;
      if (arrive_q.second_live) window[VecWidth+:32] = tcm_rdata_i[arrive_q.bank];
      aligned = VecWidth'(window >> {arrive_q.offset, 3'b000});
      if (arrive_q.strided) begin
        if (arrive_q.lane == '0) loaded_d = '0;
        unique case (arrive_q.mem)
          ElemB:   loaded_d[8*arrive_q.lane+:8] = aligned[7:0];
          ElemH:   loaded_d[16*arrive_q.lane[4:0]+:16] = aligned[15:0];
          default: loaded_d[32*arrive_q.lane[3:0]+:32] = aligned[31:0];
        endcase
      end else begin
        loaded_d = aligned;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arrive_q <= '0;
    else if (req_i || arrive_q.capture || arrive_q.hold || arrive_q.itcm) arrive_q <= arrive_d;
  end

  always_ff @(posedge clk_i) begin
    if (arrive_q.hold) words_q[VecWords-1:0] <= rotated;
    if (arrive_q.itcm) words_q[arrive_q.word] <= itcm_rdata_i;
    if (state_q == ReadData && axi_rsp_i.r_valid) begin
      words_q[{beat_q, 2'b00}+:4] <= axi_rsp_i.r_data;
    end
    if (arrive_q.capture) loaded_q <= loaded_d;
  end

  // Stage 3: lanes that were not loaded are zero.
  logic                stage2_q, stage3_q;
  vec_type_e           type2_q, type3_q;
  logic [VecBytes-1:0] lanes2_q, lanes3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage2_q <= 1'b0;
      stage3_q <= 1'b0;
    end else begin
      stage2_q <= done_o && !is_store;
      stage3_q <= stage2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (done_o && !is_store) begin
      type2_q  <= type_i;
      lanes2_q <= lanes;
    end
    if (stage2_q) begin
      type3_q  <= type2_q;
      lanes3_q <= lanes2_q;
    end
  end

  always_comb begin
    logic sign;
    result_o = '0;
    sign     = type3_q inside {TypeBh, TypeBw, TypeHw};
    if (stage3_q) begin
      unique case (type3_q)
        TypeB:
          for (int unsigned i = 0; i < 64; i++) begin
            if (lanes3_q[i]) result_o[8*i+:8] = loaded_q[8*i+:8];
          end
        TypeH:
          for (int unsigned i = 0; i < 32; i++) begin
            if (lanes3_q[i]) result_o[16*i+:16] = loaded_q[16*i+:16];
          end
        TypeBh, TypeBhu:
          for (int unsigned i = 0; i < 32; i++) begin
            if (lanes3_q[i]) result_o[16*i+:16] = {{8{sign && loaded_q[8*i+7]}}, loaded_q[8*i+:8]};
          end
        TypeBw, TypeBwu:
          for (int unsigned i = 0; i < 16; i++) begin
            if (lanes3_q[i]) result_o[32*i+:32] = {{24{sign && loaded_q[8*i+7]}}, loaded_q[8*i+:8]};
          end
        TypeHw, TypeHwu:
          for (int unsigned i = 0; i < 16; i++) begin
            if (lanes3_q[i]) result_o[32*i+:32] = {{16{sign && loaded_q[16*i+15]}}, loaded_q[16*i+:16]};
          end
        default:
          for (int unsigned i = 0; i < 16; i++) begin
            if (lanes3_q[i]) result_o[32*i+:32] = loaded_q[32*i+:32];
          end
      endcase
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  VecAccessIsNotWithdrawn_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      busy_o |-> req_i);
  VecReadAddressStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      axi_req_o.ar_valid && !axi_rsp_i.ar_ready |=>
      axi_req_o.ar_valid && $stable(axi_req_o.ar_addr) && $stable(axi_req_o.ar_len));
  VecWriteAddressStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      axi_req_o.aw_valid && !axi_rsp_i.aw_ready |=>
      axi_req_o.aw_valid && $stable(axi_req_o.aw_addr) && $stable(axi_req_o.aw_len));
  VecWriteDataStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      axi_req_o.w_valid && !axi_rsp_i.w_ready |=>
      axi_req_o.w_valid && $stable(axi_req_o.w_data) && $stable(axi_req_o.w_strb));
  VecStoresNothingOnAFault_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      fault |-> tcm_req_o.req == '0 && !itcm_req_o && !axi_req_o.aw_valid);
`endif

endmodule : npu_vec_lsu
