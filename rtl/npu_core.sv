// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar core: RV32IM_Zicsr_Zifencei, machine mode, in order, one instruction a cycle.
//
//   fetch       pc -> ITCM or instruction cache                        (npu_fetch)
//   decode      word of the memory -> operands, with forwarding from the two later stages
//   execute     ALU, branches, CSRs, address and request of loads and stores, issue of
//               Xnpu operations; every trap and interrupt is taken here
//   write-back  load data and product; nothing can fail any more
//
// Vector instructions read their vector operands in decode and enter the vector unit's pipeline
// in execute (npu_vec), where they retire as scalar ones do; their results come up to three
// cycles later, in order.
//
// An instruction leaves execute by retiring, by trapping, or because an interrupt is taken
// in front of it, so architectural state always ends at an instruction boundary there. What
// a decode stage cannot get by forwarding is the result of a load or multiplication one
// instruction ahead: one bubble. A redirect leaves two.

module npu_core
  import npu_isa_pkg::*;
  import npu_platform_pkg::*;
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
  input  logic [31:0] boot_pc_i,

  // Scratchpads and CLINT. Data accesses are granted at once.
  output logic        itcm_fetch_req_o,
  output logic [31:0] fetch_addr_o,
  input  logic        itcm_fetch_gnt_i,
  output logic        itcm_data_req_o,
  input  logic [31:0] itcm_rdata_i,
  output logic        tcm_data_req_o,
  input  logic [31:0] tcm_rdata_i,
  output logic        clint_data_req_o,
  input  logic [31:0] clint_rdata_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,

  // Vector accesses to TCM; no other request comes before them, so they are granted at once.
  output tcm_req_t    tcm_vec_req_o,
  input  tcm_rdata_t  tcm_vec_rdata_i,

  output axi_req_t    fetch_axi_req_o,
  input  axi_rsp_t    fetch_axi_rsp_i,
  output axi_req_t    data_axi_req_o,
  input  axi_rsp_t    data_axi_rsp_i,

  // Xnpu units; index 0 and 1 are the DMA channels, 2 is the matrix unit.
  output logic                        mac_issue_valid_o,
  output mac_issue_t                  mac_issue_o,
  input  logic                        mac_issue_ready_i,
  output logic [1:0]                  dma_issue_valid_o,
  output logic [31:0]                 dma_issue_addr_o,
  input  logic [1:0]                  dma_issue_ready_i,
  input  logic [2:0][TicketWidth-1:0] issued_i,
  input  logic [2:0][TicketWidth-1:0] done_i,
  input  unit_error_t [3:0]           unit_error_i,  // DMA 0, DMA 1, array, drain
  input  logic [1:0]                  dma_done_i,

  // Rows of the accumulators: granted in the cycle of the request, data in the next.
  output logic                        acc_req_o,
  output logic                        acc_we_o,
  output logic [7:0]                  acc_row_o,
  output logic [MacCols-1:0][31:0]    acc_wdata_o,
  input  logic                        acc_gnt_i,
  input  logic [MacCols-1:0][31:0]    acc_rdata_i,

  input  logic        irq_external_i,
  input  logic        irq_software_i,
  input  logic        irq_timer_i,
  input  logic [63:0] mtime_i,

  input  logic        debug_ebreak_i,  // EBREAK halts instead of trapping
  input  debug_req_t  debug_req_i,
  output debug_rsp_t  debug_rsp_o,

  output retire_t     retire_o,
  output vec_result_t vec_result_o,
  output stall_e      stall_o,
  output pipe_t       pipe_o
);

  typedef struct packed {
    insn_e       insn;
    logic        fetch_fault;
    logic [31:0] pc;
    logic [31:0] word;
    logic [31:0] rs1;
    logic [31:0] rs2;
    logic [31:0] imm;
    logic        rd_we;
    logic        late;      // the result is there only in write-back: load, multiplication
    logic        is_load;
    logic        is_store;
    logic        is_vector;  // its results are the vector unit's business
    logic        is_div;
  } ex_t;

  logic        redirect;
  logic [31:0] redirect_pc;

  ///////////
  // Fetch //
  ///////////

  logic        id_valid, id_ready, id_fault;
  logic [31:0] id_word, id_pc;
  logic        icache_req, icache_gnt, icache_hit, icache_error, icache_refill;
  logic [31:0] icache_rdata, icache_refill_addr;
  logic        fence_i, debug_flush, fetched;

  npu_fetch #(
    .ItcmSize(ItcmSize),
    .DramSize(DramSize)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .boot_pc_i,
    .redirect_i           (redirect),
    .redirect_pc_i        (redirect_pc),
    .insn_valid_o         (id_valid),
    .insn_ready_i         (id_ready),
    .insn_o               (id_word),
    .insn_pc_o            (id_pc),
    .insn_fault_o         (id_fault),
    .itcm_req_o           (itcm_fetch_req_o),
    .addr_o               (fetch_addr_o),
    .fetched_o            (fetched),
    .itcm_gnt_i           (itcm_fetch_gnt_i),
    .itcm_rdata_i,
    .icache_req_o         (icache_req),
    .icache_gnt_i         (icache_gnt),
    .icache_hit_i         (icache_hit),
    .icache_error_i       (icache_error),
    .icache_rdata_i       (icache_rdata),
    .icache_refill_o      (icache_refill),
    .icache_refill_addr_o (icache_refill_addr)
  );

  npu_icache u_icache (
    .clk_i,
    .rst_ni,
    .invalidate_i  (fence_i || debug_flush),
    .req_i         (icache_req),
    .addr_i        (fetch_addr_o),
    .gnt_o         (icache_gnt),
    .hit_o         (icache_hit),
    .error_o       (icache_error),
    .rdata_o       (icache_rdata),
    .refill_i      (icache_refill),
    .refill_addr_i (icache_refill_addr),
    .axi_req_o     (fetch_axi_req_o),
    .axi_rsp_i     (fetch_axi_rsp_i)
  );

  ////////////
  // Decode //
  ////////////

  ex_t         id;
  logic        id_issue, hazard, late_hazard, id_vector, vec_hazard;
  logic [31:0] rf_rdata_a, rf_rdata_b;

  logic        ex_valid_q, ex_leave;
  ex_t         ex_q;
  logic [31:0] ex_result;

  logic        wb_rd_we;
  logic [4:0]  wb_rd;
  logic [31:0] wb_result;

  logic        halted_q;

  npu_regfile u_regfile (
    .clk_i,
    .rst_ni,
    .raddr_a_i (halted_q ? debug_req_i.reg_addr[4:0] : id_word[19:15]),
    .rdata_a_o (rf_rdata_a),
    .raddr_b_i (id_word[24:20]),
    .rdata_b_o (rf_rdata_b),
    .we_i      (halted_q ? debug_req_i.reg_we && debug_req_i.reg_addr[12] : wb_rd_we),
    .waddr_i   (halted_q ? debug_req_i.reg_addr[4:0] : wb_rd),
    .wdata_i   (halted_q ? debug_req_i.reg_wdata : wb_result),
    .we_late_i    (vec_result_o.valid && vec_result_o.to_x),
    .waddr_late_i (vec_result_o.index),
    .wdata_late_i (vec_result_o.value[31:0])
  );

  function automatic logic [31:0] immediate(imm_e kind, logic [31:7] w);
    unique case (kind)
      ImmI:     return {{20{w[31]}}, w[31:20]};
      ImmS:     return {{20{w[31]}}, w[31:25], w[11:7]};
      ImmB:     return {{20{w[31]}}, w[7], w[30:25], w[11:8], 1'b0};
      ImmU:     return {w[31:12], 12'b0};
      ImmJ:     return {{12{w[31]}}, w[19:12], w[20], w[30:21], 1'b0};
      ImmShamt: return {27'b0, w[24:20]};
      ImmZ:     return {27'b0, w[19:15]};
      default:  return '0;
    endcase
  endfunction

  logic fwd_ex_a, fwd_ex_b, fwd_wb_a, fwd_wb_b, fwd_vec_a, fwd_vec_b;
  assign fwd_ex_a = ex_valid_q && ex_q.rd_we && ex_q.word[11:7] == id_word[19:15];
  assign fwd_ex_b = ex_valid_q && ex_q.rd_we && ex_q.word[11:7] == id_word[24:20];
  assign fwd_wb_a = wb_rd_we && wb_rd == id_word[19:15];
  assign fwd_wb_b = wb_rd_we && wb_rd == id_word[24:20];
  assign fwd_vec_a = vec_result_o.valid && vec_result_o.to_x && vec_result_o.index == id_word[19:15];
  assign fwd_vec_b = vec_result_o.valid && vec_result_o.to_x && vec_result_o.index == id_word[24:20];

  insn_e       id_insn;
  insn_class_e id_class;
  assign id_insn  = id_fault ? InsnIllegal : insn_decode(id_word);
  assign id_class = insn_class(id_insn);

  always_comb begin
    id.insn        = id_insn;
    id.fetch_fault = id_fault;
    id.pc          = id_pc;
    id.word        = id_word;
    id.rs1         = fwd_ex_a ? ex_result : fwd_wb_a ? wb_result
                     : fwd_vec_a ? vec_result_o.value[31:0] : rf_rdata_a;
    id.rs2         = fwd_ex_b ? ex_result : fwd_wb_b ? wb_result
                     : fwd_vec_b ? vec_result_o.value[31:0] : rf_rdata_b;
    id.imm         = immediate(insn_imm(id_insn), id_word[31:7]);
    id.rd_we       = insn_writes_rd(id_insn) && id_word[11:7] != '0 && !id_vector;
    id.is_load     = id_insn inside {InsnLb, InsnLh, InsnLw, InsnLbu, InsnLhu};
    id.is_store    = id_class == ClassStore;
    id.is_vector   = id_vector;
    id.is_div      = id_class == ClassIDiv;
    id.late        = id.is_load || id_class == ClassIMul;
  end

  assign late_hazard = ex_q.late && ((fwd_ex_a && insn_uses_rs1(id_insn)) ||
                                     (fwd_ex_b && insn_uses_rs2(id_insn)));
  assign hazard   = late_hazard || vec_hazard;
  assign id_ready = (ex_leave || !ex_valid_q) && !hazard;
  assign id_issue = id_valid && id_ready && !redirect;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ex_valid_q <= 1'b0;
    end else if (ex_leave || !ex_valid_q) begin
      ex_valid_q <= id_issue;
    end
  end

  always_ff @(posedge clk_i) begin
    if (id_issue) ex_q <= id;
  end

  /////////////
  // Execute //
  /////////////

  logic [31:0] alu_a, alu_b, alu_result, div_result, csr_rdata, ticket, next_pc, target;
  logic        branch_taken, div_done, csr_illegal, complete, fenced;
  logic        irq_take, irq_wakeup;
  logic [4:0]  irq_cause;
  logic [31:0] trap_vector, mepc;
  npu_csr_t    npu_csr;

  logic        lsu_req, lsu_done, lsu_exception, lsu_busy;
  logic [4:0]  lsu_cause;
  logic [31:0] lsu_rdata;

  logic        vec_done, vec_exception, vec_busy, vec_pending;
  logic [4:0]  vec_cause;
  logic [31:0] vec_tval, vec_stride;

  // How the instruction leaves the stage.
  logic        ex_active;     // it may have effects in this cycle
  logic        ex_irq;        // an interrupt is taken in front of it
  logic        ex_exception;
  logic [4:0]  ex_cause;
  logic [31:0] ex_tval;
  logic        ex_waits;
  stall_e      ex_wait_cause;
  logic        ex_commit;
  logic        ex_stop;       // the debug host halts in front of it
  logic        ex_resume;     // the debug host moves on
  logic        ex_jumps;      // taken branch, jump
  logic        ex_halts;
  logic        mem_busy;      // an access is under way that must not be abandoned

  assign mem_busy  = lsu_busy || vec_busy;
  assign ex_stop   = ex_valid_q && debug_req_i.halt && !mem_busy && !halted_q;
  assign ex_irq    = ex_valid_q && irq_take && !mem_busy && !halted_q && !ex_stop &&
                     ex_q.insn != InsnWfi;
  assign ex_active = ex_valid_q && !ex_irq && !ex_stop && !halted_q;

  always_comb begin
    unique case (ex_q.insn)
      InsnAuipc: alu_a = ex_q.pc;
      InsnLui:   alu_a = '0;
      default:   alu_a = ex_q.rs1;
    endcase
  end
  // Branches compare rs1 with rs2 while the immediate goes to the address adder.
  assign alu_b = insn_uses_rs2(ex_q.insn) ? ex_q.rs2 : ex_q.imm;

  npu_alu u_alu (
    .insn_i         (ex_q.insn),
    .a_i            (alu_a),
    .b_i            (alu_b),
    .result_o       (alu_result),
    .branch_taken_o (branch_taken)
  );

  npu_div u_div (
    .clk_i,
    .rst_ni,
    .req_i    (ex_active && ex_q.is_div),
    .insn_i   (ex_q.insn),
    .a_i      (ex_q.rs1),
    .b_i      (ex_q.rs2),
    .done_o   (div_done),
    .result_o (div_result)
  );

  logic [31:0] mult_result;

  npu_mult u_mult (
    .clk_i,
    .en_i     (ex_active && ex_q.late && !ex_q.is_load),
    .insn_i   (ex_q.insn),
    .a_i      (ex_q.rs1),
    .b_i      (ex_q.rs2),
    .result_o (mult_result)
  );

  // One adder makes load, store, branch and jump addresses.
  logic        base_is_rs1;
  logic [31:0] address;
  assign base_is_rs1 = ex_q.is_load || ex_q.is_store || ex_q.is_vector || ex_q.insn == InsnJalr;
  assign address     = (base_is_rs1 ? ex_q.rs1 : ex_q.pc) + ex_q.imm;
  assign target      = {address[31:1], 1'b0};
  assign next_pc     = ex_q.pc + 32'd4;
  assign ex_jumps    = ex_q.insn inside {InsnJal, InsnJalr} || branch_taken;

  npu_sync u_sync (
    .insn_i     (ex_q.insn),
    .ticket_i   (ex_q.rs1),
    .mask_i     (ex_q.word[22:20]),
    .channel_i  (ex_q.word[20]),
    .issued_i,
    .done_i,
    .complete_o (complete),
    .fenced_o   (fenced),
    .ticket_o   (ticket)
  );

  logic is_mac, is_dma;
  assign is_mac = ex_q.insn inside {InsnMacLdw, InsnMacRun, InsnMacLdq, InsnMacDrain,
                                   InsnMacDw};
  assign is_dma = ex_q.insn == InsnDmaStart;

  assign mac_issue_valid_o = ex_active && is_mac;
  assign mac_issue_o.rs1   = ex_q.rs1;
  assign mac_issue_o.rs2   = ex_q.rs2;
  assign mac_issue_o.csr   = npu_csr;
  assign dma_issue_addr_o  = ex_q.rs1;

  always_comb begin
    unique case (ex_q.insn)
      InsnMacLdw: mac_issue_o.op = MacLdw;
      InsnMacRun: mac_issue_o.op = MacRun;
      InsnMacDw:  mac_issue_o.op = MacDw;
      InsnMacLdq: mac_issue_o.op = MacLdq;
      default:    mac_issue_o.op = MacDrain;
    endcase
    dma_issue_valid_o                = '0;
    dma_issue_valid_o[ex_q.word[20]] = ex_active && is_dma;
  end

  // Waiting
  always_comb begin
    ex_waits      = 1'b0;
    ex_wait_cause = StallNone;
    unique case (ex_q.insn)
      InsnLb, InsnLh, InsnLw, InsnLbu, InsnLhu, InsnSb, InsnSh, InsnSw: begin
        ex_waits      = !lsu_done;
        ex_wait_cause = StallMemory;
      end
      InsnDiv, InsnDivu, InsnRem, InsnRemu: begin
        ex_waits      = !div_done;
        ex_wait_cause = StallDiv;
      end
      InsnMacLdw, InsnMacRun, InsnMacLdq, InsnMacDrain, InsnMacDw: begin
        ex_waits      = !mac_issue_ready_i;
        ex_wait_cause = StallQueue;
      end
      InsnDmaStart: begin
        ex_waits      = !dma_issue_ready_i[ex_q.word[20]];
        ex_wait_cause = StallQueue;
      end
      InsnNpuWait: begin
        ex_waits      = !complete;
        ex_wait_cause = StallWait;
      end
      InsnNpuFence: begin
        ex_waits      = !fenced;
        ex_wait_cause = StallFence;
      end
      InsnWfi: begin
        ex_waits      = !irq_wakeup;
        ex_wait_cause = StallWfi;
      end
      default: begin
        ex_waits      = ex_q.is_vector && !vec_done;
        ex_wait_cause = StallMemory;
      end
    endcase
  end

  // Exceptions
  always_comb begin
    ex_exception = 1'b0;
    ex_cause     = CauseIllegal;
    ex_tval      = '0;
    unique case (ex_q.insn)
      InsnIllegal: begin
        ex_exception = 1'b1;
        ex_cause     = ex_q.fetch_fault ? CauseFetchFault : CauseIllegal;
        ex_tval      = ex_q.fetch_fault ? ex_q.pc : ex_q.word;
      end
      InsnLb, InsnLh, InsnLw, InsnLbu, InsnLhu, InsnSb, InsnSh, InsnSw: begin
        ex_exception = lsu_done && lsu_exception;
        ex_cause     = lsu_cause;
        ex_tval      = address;
      end
      InsnBeq, InsnBne, InsnBlt, InsnBge, InsnBltu, InsnBgeu, InsnJal, InsnJalr: begin
        ex_exception = ex_jumps && target[1];
        ex_cause     = CauseFetchMisaligned;
        ex_tval      = target;
      end
      InsnCsrrw, InsnCsrrs, InsnCsrrc, InsnCsrrwi, InsnCsrrsi, InsnCsrrci: begin
        ex_exception = csr_illegal;
        ex_cause     = CauseIllegal;
        ex_tval      = ex_q.word;
      end
      InsnEcall: begin
        ex_exception = 1'b1;
        ex_cause     = CauseEcall;
      end
      InsnEbreak: begin
        ex_exception = halted_q ? debug_req_i.trap : !debug_ebreak_i;
        ex_cause     = CauseBreakpoint;
        ex_tval      = ex_q.pc;
      end
      default: begin
        ex_exception = ex_q.is_vector && vec_exception;
        ex_cause     = vec_cause;
        ex_tval      = vec_tval;
      end
    endcase
    ex_exception = ex_exception && ex_valid_q && !ex_irq && !ex_stop &&
                   (!halted_q || ex_q.insn == InsnEbreak);
  end

  assign ex_halts  = ex_stop || (ex_active && ex_q.insn == InsnEbreak && debug_ebreak_i);
  assign ex_resume = halted_q && debug_req_i.resume;
  assign ex_commit = ex_active && !ex_exception && !ex_waits && !ex_halts;
  assign ex_leave  = ex_commit || ex_exception || ex_irq || ex_resume;
  assign fence_i   = ex_commit && ex_q.insn == InsnFenceI;
  assign debug_flush = ex_resume && debug_req_i.flush;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      halted_q <= 1'b0;
    end else begin
      // The host sees registers that nothing is still to write.
      halted_q <= (halted_q || (ex_halts && !vec_pending)) && !ex_leave;
    end
  end

  always_comb begin
    unique case (ex_q.insn)
      InsnJal, InsnJalr:                     ex_result = next_pc;
      InsnDiv, InsnDivu, InsnRem, InsnRemu:  ex_result = div_result;
      InsnCsrrw, InsnCsrrs, InsnCsrrc,
      InsnCsrrwi, InsnCsrrsi, InsnCsrrci:    ex_result = csr_rdata;
      InsnNpuPoll:                           ex_result = {31'b0, complete};
      InsnMacLdw, InsnMacRun, InsnMacLdq,
      InsnMacDrain, InsnMacDw, InsnDmaStart: ex_result = ticket;
      default:                               ex_result = alu_result;
    endcase
  end

  always_comb begin
    redirect    = 1'b1;
    redirect_pc = next_pc;
    if (ex_irq || ex_exception) begin
      redirect_pc = trap_vector;
    end else if (ex_resume) begin
      redirect_pc = {debug_req_i.pc[31:2], 2'b00};
    end else if (ex_commit && ex_jumps) begin
      redirect_pc = target;
    end else if (ex_commit && ex_q.insn == InsnMret) begin
      redirect_pc = mepc;
    end else begin
      redirect = fence_i;
    end
  end

  npu_csr #(
    .ItcmSize(ItcmSize),
    .TcmSize(TcmSize)
  ) u_csr (
    .clk_i,
    .rst_ni,
    .insn_i        (halted_q ? InsnCsrrw : ex_q.insn),
    .number_i      (halted_q ? debug_req_i.reg_addr[11:0] : ex_q.word[31:20]),
    .rs1_zero_i    (ex_q.word[19:15] == '0),
    .operand_i     (halted_q ? debug_req_i.reg_wdata :
                    insn_uses_rs1(ex_q.insn) ? ex_q.rs1 : ex_q.imm),
    .commit_i      (ex_commit),
    .debug_write_i (halted_q && debug_req_i.reg_we && !debug_req_i.reg_addr[12]),
    .illegal_o     (csr_illegal),
    .rdata_o       (csr_rdata),
    .trap_i        (ex_irq || ex_exception),
    .trap_irq_i    (ex_irq),
    .trap_cause_i  (ex_irq ? irq_cause : ex_cause),
    .trap_pc_i     (ex_q.pc),
    .trap_tval_i   (ex_irq ? '0 : ex_tval),
    .trap_vector_o (trap_vector),
    .mret_i        (ex_commit && ex_q.insn == InsnMret),
    .mepc_o        (mepc),
    .irq_external_i,
    .irq_software_i,
    .irq_timer_i,
    .irq_wakeup_o  (irq_wakeup),
    .irq_take_o    (irq_take),
    .irq_cause_o   (irq_cause),
    .mtime_i,
    .npu_csr_o     (npu_csr),
    .vec_stride_o  (vec_stride),
    .unit_error_i,
    .dma_done_i
  );

  ////////////
  // Memory //
  ////////////

  logic        lsu_itcm_req, vec_itcm_req, vec_itcm_we;
  logic [3:0]  lsu_be, vec_itcm_be;
  logic [31:0] lsu_lane_wdata, vec_itcm_addr, vec_itcm_wdata;
  axi_req_t    lsu_axi_req, vec_axi_req;
  logic [1:0]  lsu_size;
  logic        lsu_we;
  logic [31:0] lsu_addr, lsu_wdata;

  // In the debug halt the host uses the load/store unit.
  assign lsu_req   = halted_q ? debug_req_i.mem_req : ex_active && (ex_q.is_load || ex_q.is_store);
  assign lsu_we    = halted_q ? debug_req_i.mem_we : ex_q.is_store;
  assign lsu_size  = halted_q ? debug_req_i.mem_size : ex_q.word[13:12];
  assign lsu_addr  = halted_q ? debug_req_i.mem_addr : address;
  assign lsu_wdata = halted_q ? debug_req_i.mem_wdata : ex_q.rs2;

  npu_lsu #(
    .ItcmSize(ItcmSize),
    .TcmSize(TcmSize),
    .DramSize(DramSize)
  ) u_lsu (
    .clk_i,
    .rst_ni,
    .req_i        (lsu_req),
    .we_i         (lsu_we),
    .size_i       (lsu_size),
    .unsigned_i   (ex_q.word[14]),
    .addr_i       (lsu_addr),
    .wdata_i      (lsu_wdata),
    .done_o       (lsu_done),
    .exception_o  (lsu_exception),
    .cause_o      (lsu_cause),
    .busy_o       (lsu_busy),
    .be_o         (lsu_be),
    .lane_wdata_o (lsu_lane_wdata),
    .rdata_o      (lsu_rdata),
    .itcm_req_o   (lsu_itcm_req),
    .itcm_rdata_i,
    .tcm_req_o    (tcm_data_req_o),
    .tcm_rdata_i,
    .clint_req_o  (clint_data_req_o),
    .clint_rdata_i,
    .axi_req_o    (lsu_axi_req),
    .axi_rsp_i    (data_axi_rsp_i)
  );

  // At most one of the two units works in a cycle.
  assign itcm_data_req_o = lsu_itcm_req || vec_itcm_req;
  assign data_we_o       = vec_itcm_req ? vec_itcm_we : lsu_we;
  assign data_be_o       = vec_itcm_req ? vec_itcm_be : lsu_be;
  assign data_addr_o     = vec_itcm_req ? vec_itcm_addr : lsu_addr;
  assign data_wdata_o    = vec_itcm_req ? vec_itcm_wdata : lsu_lane_wdata;
  assign data_axi_req_o  = vec_busy ? vec_axi_req : lsu_axi_req;

  ////////////
  // Vector //
  ////////////

  npu_vec #(
    .ItcmSize(ItcmSize),
    .TcmSize(TcmSize),
    .DramSize(DramSize)
  ) u_vec (
    .clk_i,
    .rst_ni,
    .id_insn_i      (id_insn),
    .id_reg1_i      (id_word[19:15]),
    .id_reg2_i      (id_word[24:20]),
    .id_regd_i      (id_word[11:7]),
    .id_rs1_i       (id.rs1),
    .id_rs2_i       (id.rs2),
    .id_issue_i     (id_issue),
    .id_vector_o    (id_vector),
    .id_hazard_o    (vec_hazard),
    .ex_active_i    (ex_active),
    .ex_commit_i    (ex_commit),
    .ex_rs1_i       (ex_q.rs1),
    .ex_rs2_i       (ex_q.rs2),
    .ex_addr_i      (address),
    .stride_i       (vec_stride),
    .csr_i          (npu_csr),
    .ex_done_o      (vec_done),
    .ex_exception_o (vec_exception),
    .ex_cause_o     (vec_cause),
    .ex_tval_o      (vec_tval),
    .ex_busy_o      (vec_busy),
    .pending_o      (vec_pending),
    .tcm_req_o      (tcm_vec_req_o),
    .tcm_rdata_i    (tcm_vec_rdata_i),
    .itcm_req_o     (vec_itcm_req),
    .itcm_we_o      (vec_itcm_we),
    .itcm_be_o      (vec_itcm_be),
    .itcm_addr_o    (vec_itcm_addr),
    .itcm_wdata_o   (vec_itcm_wdata),
    .itcm_rdata_i,
    .axi_req_o      (vec_axi_req),
    .axi_rsp_i      (data_axi_rsp_i),
    .acc_req_o,
    .acc_we_o,
    .acc_row_o,
    .acc_wdata_o,
    .acc_gnt_i,
    .acc_rdata_i,
    .result_o       (vec_result_o)
  );

  ////////////////
  // Write-back //
  ////////////////

  retire_t     wb_q;
  logic        wb_load_q, wb_mult_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wb_q      <= '0;
      wb_load_q <= 1'b0;
      wb_mult_q <= 1'b0;
    end else begin
      wb_load_q      <= ex_q.is_load;
      wb_mult_q      <= ex_q.late && !ex_q.is_load;
      wb_q.kind      <= ex_commit ? RetireInsn : ex_irq ? RetireIrq
                                  : ex_exception ? RetireTrap : RetireNone;
      wb_q.pc        <= ex_q.pc;
      wb_q.insn      <= ex_q.word;
      wb_q.rd_we     <= ex_commit && ex_q.rd_we;
      wb_q.rd        <= ex_q.word[11:7];
      wb_q.rd_data   <= ex_result;
      wb_q.mem_re    <= ex_commit && ex_q.is_load;
      wb_q.mem_we    <= ex_commit && ex_q.is_store;
      wb_q.mem_addr  <= address;
      wb_q.mem_be    <= lsu_be;
      wb_q.mem_wdata <= lsu_lane_wdata;
      wb_q.cause     <= ex_irq ? irq_cause : ex_cause;
      wb_q.tval      <= ex_irq ? '0 : ex_tval;
    end
  end

  assign wb_rd_we  = wb_q.rd_we;
  assign wb_rd     = wb_q.rd;
  assign wb_result = wb_load_q ? lsu_rdata : wb_mult_q ? mult_result : wb_q.rd_data;

  always_comb begin
    retire_o         = wb_q;
    retire_o.rd_data = wb_result;
  end

  ///////////////////////////
  // Debug and observation //
  ///////////////////////////

  assign debug_rsp_o = '{halted:    halted_q,
                         busy:      mem_busy,
                         pc:        ex_q.pc,
                         reg_rdata: debug_req_i.reg_addr[12] ? rf_rdata_a : csr_rdata,
                         mem_ack:   halted_q && lsu_done,
                         mem_error: halted_q && lsu_done && lsu_exception,
                         mem_rdata: lsu_rdata};

  // Why execute will be empty in the next cycle, if it will.
  stall_e empty_d, empty_q;
  logic   refill_q;

  always_comb begin
    if (!id_valid || redirect) begin
      empty_d = icache_refill || refill_q ? StallIcache : StallFetch;
    end else if (late_hazard) begin
      empty_d = ex_q.is_load ? StallLoadUse : StallMulUse;
    end else begin
      empty_d = StallVector;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      empty_q  <= StallFetch;
      refill_q <= 1'b0;
    end else begin
      refill_q <= icache_refill || (refill_q && !id_valid && !redirect);
      empty_q  <= empty_d;
    end
  end

  assign pipe_o = '{fetch:       fetched,
                    fetch_pc:    fetch_addr_o,
                    decode:      id_valid,
                    decode_pc:   id_pc,
                    decode_word: id_word,
                    issue:       id_issue,
                    redirect:    redirect};

  always_comb begin
    if (halted_q) begin
      stall_o = StallDebug;
    end else if (!ex_valid_q) begin
      stall_o = empty_q;
    end else if (ex_leave || ex_halts) begin
      stall_o = StallNone;
    end else begin
      stall_o = ex_wait_cause;
    end
  end

  logic unused_target;
  assign unused_target = address[0];

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  CoreLeavesOneWay_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0({ex_commit, ex_exception, ex_irq, ex_resume}));
  CoreX0IsNotWritten_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      retire_o.rd_we |-> retire_o.rd != '0);
  CoreBusAccessNotInterrupted_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      mem_busy |-> !ex_irq);
  CoreVectorUnitAloneInTcm_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      tcm_data_req_o |-> tcm_vec_req_o.req == '0);
  // An operation that waits for its queue stays as it is, unless an interrupt or the debug host
  // comes in front of it.
  CoreMacIssueIsStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      mac_issue_valid_o && !mac_issue_ready_i |=>
      !ex_active || (mac_issue_valid_o && $stable(mac_issue_o)));
  CoreDmaIssueIsStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      |(dma_issue_valid_o & ~dma_issue_ready_i) |=>
      !ex_active || ($stable(dma_issue_valid_o) && $stable(dma_issue_addr_o)));
  CoreIssuesToOneUnit_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0({mac_issue_valid_o, dma_issue_valid_o}));
  // Each operation that leaves the core is counted by its unit once.
  for (genvar u = 0; u < 3; u++) begin : gen_counts
    logic accepted;
    if (u == 2) begin : gen_mac
      assign accepted = mac_issue_valid_o && mac_issue_ready_i;
    end else begin : gen_dma
      assign accepted = dma_issue_valid_o[u] && dma_issue_ready_i[u];
    end
    CoreOperationIsCountedOnce_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        1'b1 |=> issued_i[u] == $past(issued_i[u]) + TicketWidth'($past(accepted)));
    CoreCompletionsOneByOne_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        1'b1 |=> done_i[u] - $past(done_i[u]) <= TicketWidth'(1));
    CoreCompletesOnlyWhatIsIssued_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
        issued_i[u] - done_i[u] < TicketWidth'(64));
  end
  // Only sleep and the waits for a unit may last, and a unit ends (it is bounded itself).
  int unsigned waits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 0;
    else waits_q <= ex_valid_q && !ex_leave && !halted_q && ex_q.insn != InsnWfi ? waits_q + 1 : 0;
  end
  CoreWaitIsBounded_A: assert property (@(posedge clk_i) disable iff (!rst_ni) waits_q < 100_000_000);
`endif

endmodule : npu_core
