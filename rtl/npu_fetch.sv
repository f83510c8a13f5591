// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction fetch. Each cycle the program counter addresses ITCM or the instruction
// cache; the word comes back one cycle later and falls through to decode, or waits in
// a buffer of two when decode is stalled. A redirect drops everything fetched; its
// target is on the memory's address port in the next cycle, in decode in the one after.
// Two buffer places are what it takes not to lose a cycle after a stall without a
// combinational path from the stall to the memory.

module npu_fetch
  import npu_platform_pkg::*;
#(
  parameter int unsigned ItcmSize = DefaultItcmSize,
  parameter int unsigned DramSize = DefaultDramSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] boot_pc_i,

  input  logic        redirect_i,
  input  logic [31:0] redirect_pc_i,

  output logic        insn_valid_o,
  input  logic        insn_ready_i,
  output logic [31:0] insn_o,
  output logic [31:0] insn_pc_o,
  output logic        insn_fault_o,

  output logic        itcm_req_o,
  output logic [31:0] addr_o,          // for both memories
  output logic        fetched_o,       // the request is granted and not void
  input  logic        itcm_gnt_i,
  input  logic [31:0] itcm_rdata_i,

  output logic        icache_req_o,
  input  logic        icache_gnt_i,
  input  logic        icache_hit_i,    // these three: the cycle after a granted request
  input  logic        icache_error_i,
  input  logic [31:0] icache_rdata_i,
  output logic        icache_refill_o, // the request of the last cycle missed: fetch its line
  output logic [31:0] icache_refill_addr_o
);

  typedef enum logic [1:0] {
    SrcItcm,
    SrcIcache,
    SrcFault
  } src_e;

  typedef struct packed {
    logic [31:0] pc;
    logic [31:0] insn;
    logic        fault;
  } entry_t;

  logic [31:0] pc_d, pc_q;
  logic        boot_q;

  // The request of the last cycle, which is answered in this one.
  logic        pending_d, pending_q;
  src_e        pending_src_q;
  logic [31:0] pending_pc_q;

  src_e        src;
  logic        want, issued, miss;
  logic        rsp_valid;
  entry_t      rsp;

  entry_t      fifo_q [2];
  logic [1:0]  count_d, count_q;
  logic        push, pop;

  always_comb begin
    if (pc_q - ItcmBase < 32'(ItcmSize)) begin
      src = SrcItcm;
    end else if (pc_q - DramBase < 32'(DramSize)) begin
      src = SrcIcache;
    end else begin
      src = SrcFault;
    end
  end

  assign want         = !boot_q && count_q + {1'b0, pending_q} < 2'd2;
  assign itcm_req_o   = want && src == SrcItcm;
  assign icache_req_o = want && src == SrcIcache;
  assign addr_o       = pc_q;
  assign issued       = (itcm_req_o && itcm_gnt_i) || (icache_req_o && icache_gnt_i) ||
                        (want && src == SrcFault);

  always_comb begin
    rsp = '{pc: pending_pc_q, insn: itcm_rdata_i, fault: 1'b0};
    unique case (pending_src_q)
      SrcIcache: begin
        rsp.insn  = icache_rdata_i;
        rsp.fault = icache_error_i;
      end
      SrcFault: begin
        rsp.insn  = '0;
        rsp.fault = 1'b1;
      end
      default: ;
    endcase
  end

  assign miss      = pending_q && pending_src_q == SrcIcache && !icache_hit_i && !icache_error_i;
  assign rsp_valid = pending_q && !miss;

  assign icache_refill_o      = miss && !redirect_i;
  assign icache_refill_addr_o = pending_pc_q;

  always_comb begin
    pc_d      = pc_q;
    pending_d = 1'b0;
    if (boot_q) begin
      pc_d = boot_pc_i;
    end else if (redirect_i) begin
      pc_d = redirect_pc_i;
    end else if (miss) begin
      // Come back to the missing word; the request of this cycle is void.
      pc_d = pending_pc_q;
    end else if (issued) begin
      pc_d      = pc_q + 32'd4;
      pending_d = 1'b1;
    end
  end

  assign fetched_o = pending_d;

  assign insn_valid_o = count_q != '0 || rsp_valid;
  assign {insn_pc_o, insn_o, insn_fault_o} = count_q != '0 ? fifo_q[0] : rsp;

  assign pop  = insn_valid_o && insn_ready_i;
  assign push = rsp_valid && !(pop && count_q == '0);

  always_comb begin
    count_d = count_q;
    if (redirect_i) begin
      count_d = '0;
    end else if (push && !(pop && count_q != '0)) begin
      count_d = count_q + 2'd1;
    end else if (!push && pop && count_q != '0) begin
      count_d = count_q - 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop) fifo_q[0] <= fifo_q[1];
    if (push) begin
      // The place behind what stays.
      if (count_q - {1'b0, pop && count_q != '0} == '0) begin
        fifo_q[0] <= rsp;
      end else begin
        fifo_q[1] <= rsp;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      boot_q        <= 1'b1;
      pc_q          <= '0;
      pending_q     <= 1'b0;
      pending_src_q <= SrcItcm;
      pending_pc_q  <= '0;
      count_q       <= '0;
    end else begin
      boot_q        <= 1'b0;
      pc_q          <= pc_d;
      pending_q     <= pending_d;
      pending_src_q <= src;
      pending_pc_q  <= pc_q;
      count_q       <= count_d;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  FetchBufferNeverOverflows_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(push && count_q == 2'd2 && !pop));
  FetchPcAligned_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !boot_q |-> pc_q[1:0] == 2'b00);
  FetchOneMemory_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0({itcm_req_o, icache_req_o}));
  // Decode sees the words in the order of their addresses, none lost and none twice.
  FetchInOrder_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      insn_valid_o && insn_ready_i && !redirect_i |=>
      !insn_valid_o || insn_pc_o == $past(insn_pc_o) + 32'd4);
`endif

endmodule : npu_fetch
