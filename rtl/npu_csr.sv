// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control and status registers: machine mode, counters, and the NPU CSRs that Xnpu
// operations capture. Reads are combinational in the execute stage; writes, traps and
// returns take effect at its end.

module npu_csr
  import npu_isa_pkg::*;
  import npu_platform_pkg::*;
  import npu_core_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned ItcmSize = DefaultItcmSize,
  parameter int unsigned TcmSize  = DefaultTcmSize
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Access by the instruction in the execute stage.
  input  insn_e       insn_i,
  input  logic [11:0] number_i,
  input  logic        rs1_zero_i,   // rs1 is x0, or the immediate is 0
  input  logic [31:0] operand_i,    // rs1 or the immediate
  input  logic        commit_i,     // an instruction retires; it writes if it is a CSR access
  input  logic        debug_write_i, // the debug host writes; nothing retires
  output logic        illegal_o,
  output logic [31:0] rdata_o,

  // Traps.
  input  logic        trap_i,       // exception or interrupt: enter
  input  logic        trap_irq_i,
  input  logic [4:0]  trap_cause_i,
  input  logic [31:0] trap_pc_i,
  input  logic [31:0] trap_tval_i,
  output logic [31:0] trap_vector_o,
  input  logic        mret_i,
  output logic [31:0] mepc_o,

  // Interrupts.
  input  logic        irq_external_i,
  input  logic        irq_software_i,
  input  logic        irq_timer_i,
  output logic        irq_wakeup_o,  // some enabled source is pending
  output logic        irq_take_o,    // and MIE is set
  output logic [4:0]  irq_cause_o,

  input  logic [63:0] mtime_i,

  // Units.
  output npu_csr_t          npu_csr_o,
  output logic [31:0]       vec_stride_o,
  input  unit_error_t [3:0] unit_error_i,  // DMA 0, DMA 1, array, drain
  input  logic [1:0]        dma_done_i
);

  localparam int unsigned Errors = 4;

  // mstatus
  logic        mie_q, mpie_q;
  // The other machine CSRs
  logic [31:0] irq_enable_q;  // mie
  logic [31:0] irq_pending;   // mip
  logic [31:2] mtvec_base_q;
  logic        mtvec_vectored_q;
  logic [31:0] mscratch_q, mtval_q;
  logic [31:2] mepc_q;
  logic        mcause_irq_q;
  logic [4:0]  mcause_code_q;
  logic        inhibit_cycle_q, inhibit_instret_q;
  logic [63:0] mcycle_q, minstret_q;
  // NPU CSRs
  npu_csr_t                npu_csr_q;
  logic [31:0]             vec_stride_q;
  logic [Errors-1:0]       error_q, error_set, error_clear;
  logic [1:0]              dma_done_q, dma_done_clear;
  logic [Errors-1:0][31:0] fault_q;

  localparam logic [31:0] IrqMask = (32'b1 << IrqSoftware) | (32'b1 << IrqTimer) |
      (32'b1 << IrqExternal) | (32'b1 << IrqDma) | (32'b1 << IrqError);
  localparam logic [31:0] Misa = 32'h4000_1100;
  localparam logic [31:0] Ninfo = {4'(IsaVersion), 8'(VectorBytes / 8), 4'($clog2(MacAccRows)),
                                   8'(MacCols), 8'(MacRows)};

  //////////
  // Read //
  //////////

  always_comb begin
    unique case (number_i)
      CsrMstatus:       rdata_o = {19'b0, 2'b11, 3'b0, mpie_q, 3'b0, mie_q, 3'b0};
      CsrMisa:          rdata_o = Misa;
      CsrMie:           rdata_o = irq_enable_q;
      CsrMtvec:         rdata_o = {mtvec_base_q, 1'b0, mtvec_vectored_q};
      CsrMcountinhibit: rdata_o = {29'b0, inhibit_instret_q, 1'b0, inhibit_cycle_q};
      CsrMscratch:      rdata_o = mscratch_q;
      CsrMepc:          rdata_o = {mepc_q, 2'b00};
      CsrMcause:        rdata_o = {mcause_irq_q, 26'b0, mcause_code_q};
      CsrMtval:         rdata_o = mtval_q;
      CsrMip:           rdata_o = irq_pending;
      CsrMcycle, CsrCycle:       rdata_o = mcycle_q[31:0];
      CsrMcycleh, CsrCycleh:     rdata_o = mcycle_q[63:32];
      CsrMinstret, CsrInstret:   rdata_o = minstret_q[31:0];
      CsrMinstreth, CsrInstreth: rdata_o = minstret_q[63:32];
      CsrTime:          rdata_o = mtime_i[31:0];
      CsrTimeh:         rdata_o = mtime_i[63:32];
      CsrMimpid:        rdata_o = 32'(IsaVersion);
      CsrNrowlen:       rdata_o = {16'b0, npu_csr_q.rowlen};
      CsrNrowstride:    rdata_o = npu_csr_q.rowstride;
      CsrNxcount:       rdata_o = {16'b0, npu_csr_q.xcount};
      CsrNxstride:      rdata_o = npu_csr_q.xstride;
      CsrNystride:      rdata_o = npu_csr_q.ystride;
      CsrNoxstride:     rdata_o = npu_csr_q.oxstride;
      CsrNoystride:     rdata_o = npu_csr_q.oystride;
      CsrNoquant:       rdata_o = {8'b0, npu_csr_q.clamp_max, npu_csr_q.clamp_min,
                                   npu_csr_q.zero_point};
      CsrNpad:          rdata_o = {16'b0, npu_csr_q.line_step, npu_csr_q.pad_value};
      CsrNvalid:        rdata_o = {1'b0, npu_csr_q.valid_lines, 1'b0, npu_csr_q.valid_bytes};
      CsrNpos:          rdata_o = npu_csr_q.pos;
      CsrNpxstep:       rdata_o = npu_csr_q.xstep;
      CsrNpystep:       rdata_o = npu_csr_q.ystep;
      CsrNtapstride:    rdata_o = npu_csr_q.tapstride;
      CsrNvstride:      rdata_o = vec_stride_q;
      CsrNstatus:       rdata_o = {22'b0, dma_done_q, 4'b0, error_q};
      CsrNfault0:       rdata_o = fault_q[0];
      CsrNfault1:       rdata_o = fault_q[1];
      CsrNfault2:       rdata_o = fault_q[2];
      CsrNfault3:       rdata_o = fault_q[3];
      CsrNinfo:         rdata_o = Ninfo;
      CsrNtcmsize:      rdata_o = 32'(TcmSize);
      CsrNitcmsize:     rdata_o = 32'(ItcmSize);
      default:          rdata_o = '0;
    endcase
  end

  ///////////
  // Write //
  ///////////

  logic        is_access, writes, write;
  logic [31:0] wdata;

  assign is_access = insn_i inside {InsnCsrrw, InsnCsrrs, InsnCsrrc,
                                    InsnCsrrwi, InsnCsrrsi, InsnCsrrci};
  assign writes    = insn_i inside {InsnCsrrw, InsnCsrrwi} || !rs1_zero_i;
  assign write     = (commit_i || debug_write_i) && is_access && writes;
  assign illegal_o = is_access && (!csr_implemented(number_i) ||
                                   (writes && number_i[11:10] == 2'b11));

  always_comb begin
    unique case (insn_i)
      InsnCsrrs, InsnCsrrsi: wdata = rdata_o | operand_i;
      InsnCsrrc, InsnCsrrci: wdata = rdata_o & ~operand_i;
      default:               wdata = operand_i;
    endcase
  end

  // nstatus: the ones written clear. The operand counts, not the old value, so that CSRRS
  // clears only what it names; CSRRC only reads.
  always_comb begin
    error_clear    = '0;
    dma_done_clear = '0;
    if (write && number_i == CsrNstatus && !(insn_i inside {InsnCsrrc, InsnCsrrci})) begin
      error_clear    = operand_i[Errors-1:0];
      dma_done_clear = operand_i[9:8];
    end
    for (int unsigned i = 0; i < Errors; i++) error_set[i] = unit_error_i[i].valid;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      irq_enable_q      <= '0;
      mtvec_base_q      <= '0;
      mtvec_vectored_q  <= 1'b0;
      mscratch_q        <= '0;
      inhibit_cycle_q   <= 1'b0;
      inhibit_instret_q <= 1'b0;
      npu_csr_q         <= '0;
      vec_stride_q      <= '0;
    end else if (write) begin
      unique case (number_i)
        CsrMie:     irq_enable_q <= wdata & IrqMask;
        CsrMtvec: begin
          mtvec_base_q     <= wdata[31:2];
          mtvec_vectored_q <= wdata[0];
        end
        CsrMcountinhibit: begin
          inhibit_cycle_q   <= wdata[0];
          inhibit_instret_q <= wdata[2];
        end
        CsrMscratch:   mscratch_q          <= wdata;
        CsrNrowlen:    npu_csr_q.rowlen    <= wdata[15:0];
        CsrNrowstride: npu_csr_q.rowstride <= wdata;
        CsrNxcount:    npu_csr_q.xcount    <= wdata[15:0];
        CsrNxstride:   npu_csr_q.xstride   <= wdata;
        CsrNystride:   npu_csr_q.ystride   <= wdata;
        CsrNoxstride:  npu_csr_q.oxstride  <= wdata;
        CsrNoystride:  npu_csr_q.oystride  <= wdata;
        CsrNvstride:   vec_stride_q        <= wdata;
        CsrNoquant: begin
          npu_csr_q.zero_point <= wdata[7:0];
          npu_csr_q.clamp_min  <= wdata[15:8];
          npu_csr_q.clamp_max  <= wdata[23:16];
        end
        CsrNpad: begin
          npu_csr_q.pad_value <= wdata[7:0];
          npu_csr_q.line_step <= wdata[15:8];
        end
        CsrNvalid: begin
          npu_csr_q.valid_bytes <= wdata[14:0];
          npu_csr_q.valid_lines <= wdata[30:16];
        end
        CsrNpos:       npu_csr_q.pos       <= wdata;
        CsrNpxstep:    npu_csr_q.xstep     <= wdata;
        CsrNpystep:    npu_csr_q.ystep     <= wdata;
        CsrNtapstride: npu_csr_q.tapstride <= wdata;
        default: ;
      endcase
    end
  end

  // Registers that a trap writes as well.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mie_q         <= 1'b0;
      mpie_q        <= 1'b0;
      mepc_q        <= '0;
      mcause_irq_q  <= 1'b0;
      mcause_code_q <= '0;
      mtval_q       <= '0;
    end else if (trap_i) begin
      mie_q         <= 1'b0;
      mpie_q        <= mie_q;
      mepc_q        <= trap_pc_i[31:2];
      mcause_irq_q  <= trap_irq_i;
      mcause_code_q <= trap_cause_i;
      mtval_q       <= trap_tval_i;
    end else if (mret_i) begin
      mie_q  <= mpie_q;
      mpie_q <= 1'b1;
    end else if (write) begin
      unique case (number_i)
        CsrMstatus: begin
          mie_q  <= wdata[3];
          mpie_q <= wdata[7];
        end
        CsrMepc: mepc_q <= wdata[31:2];
        CsrMcause: begin
          mcause_irq_q  <= wdata[31];
          mcause_code_q <= wdata[4:0];
        end
        CsrMtval: mtval_q <= wdata;
        default: ;
      endcase
    end
  end

  // Counters: a write wins over the count of its own cycle or instruction.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mcycle_q   <= '0;
      minstret_q <= '0;
    end else begin
      if (write && number_i == CsrMcycle) begin
        mcycle_q[31:0] <= wdata;
      end else if (write && number_i == CsrMcycleh) begin
        mcycle_q[63:32] <= wdata;
      end else if (!inhibit_cycle_q) begin
        mcycle_q <= mcycle_q + 64'd1;
      end
      if (write && number_i == CsrMinstret) begin
        minstret_q[31:0] <= wdata;
      end else if (write && number_i == CsrMinstreth) begin
        minstret_q[63:32] <= wdata;
      end else if (commit_i && !inhibit_instret_q) begin
        minstret_q <= minstret_q + 64'd1;
      end
    end
  end

  // Status of the units: an event wins over its clearing, and a fault address is that of the
  // first error since its bit was cleared.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_q    <= '0;
      dma_done_q <= '0;
      fault_q    <= '0;
    end else begin
      error_q    <= (error_q & ~error_clear) | error_set;
      dma_done_q <= (dma_done_q & ~dma_done_clear) | dma_done_i;
      for (int unsigned i = 0; i < Errors; i++) begin
        if (error_set[i] && (!error_q[i] || error_clear[i])) fault_q[i] <= unit_error_i[i].addr;
      end
    end
  end

  assign npu_csr_o    = npu_csr_q;
  assign vec_stride_o = vec_stride_q;

  ////////////////
  // Interrupts //
  ////////////////

  always_comb begin
    irq_pending              = '0;
    irq_pending[IrqSoftware] = irq_software_i;
    irq_pending[IrqTimer]    = irq_timer_i;
    irq_pending[IrqExternal] = irq_external_i;
    irq_pending[IrqDma]      = |dma_done_q;
    irq_pending[IrqError]    = |error_q;
  end

  logic [31:0] irq_active;
  assign irq_active   = irq_pending & irq_enable_q;
  assign irq_wakeup_o = |irq_active;
  assign irq_take_o   = irq_wakeup_o && mie_q;

  always_comb begin
    if (irq_active[IrqError]) begin
      irq_cause_o = 5'(IrqError);
    end else if (irq_active[IrqDma]) begin
      irq_cause_o = 5'(IrqDma);
    end else if (irq_active[IrqExternal]) begin
      irq_cause_o = 5'(IrqExternal);
    end else if (irq_active[IrqSoftware]) begin
      irq_cause_o = 5'(IrqSoftware);
    end else begin
      irq_cause_o = 5'(IrqTimer);
    end
  end

  assign trap_vector_o = {mtvec_base_q, 2'b00} +
                         (trap_irq_i && mtvec_vectored_q ? {25'b0, trap_cause_i, 2'b00} : 32'd0);
  assign mepc_o        = {mepc_q, 2'b00};

  logic unused_pc;
  assign unused_pc = ^trap_pc_i[1:0];

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  CsrTrapExcludesCommit_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(trap_i && commit_i));
`endif

endmodule : npu_csr
