// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulator's C++ side sees of the design: npu_top with its structures taken apart
// into plain ports.

module npu_sim
  import npu_platform_pkg::*;
  import npu_core_pkg::*;
  import npu_pkg::*;
  import npu_vec_pkg::*;
#(
  parameter int unsigned ItcmSize = DefaultItcmSize,
  parameter int unsigned TcmSize  = DefaultTcmSize,
  parameter int unsigned DramSize = DefaultDramSize
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         apply_i,
  input  logic [31:0]  boot_pc_i,
  input  logic         irq_external_i,

  output logic         arvalid_o,
  input  logic         arready_i,
  output logic [1:0]   arid_o,
  output logic [31:0]  araddr_o,
  output logic [7:0]   arlen_o,
  input  logic         rvalid_i,
  output logic         rready_o,
  input  logic [1:0]   rid_i,
  input  logic [127:0] rdata_i,
  input  logic [1:0]   rresp_i,
  input  logic         rlast_i,
  output logic         awvalid_o,
  input  logic         awready_i,
  output logic [1:0]   awid_o,
  output logic [31:0]  awaddr_o,
  output logic [7:0]   awlen_o,
  output logic         wvalid_o,
  input  logic         wready_i,
  output logic [127:0] wdata_o,
  output logic [15:0]  wstrb_o,
  output logic         wlast_o,
  input  logic         bvalid_i,
  output logic         bready_o,
  input  logic [1:0]   bid_i,
  input  logic [1:0]   bresp_i,

  input  logic         debug_ebreak_i,
  input  logic         debug_halt_i,
  input  logic         debug_resume_i,
  input  logic         debug_flush_i,
  input  logic         debug_trap_i,
  input  logic [31:0]  debug_pc_i,
  input  logic         debug_reg_we_i,
  input  logic [12:0]  debug_reg_addr_i,
  input  logic [31:0]  debug_reg_wdata_i,
  input  logic         debug_mem_req_i,
  input  logic         debug_mem_we_i,
  input  logic [1:0]   debug_mem_size_i,
  input  logic [31:0]  debug_mem_addr_i,
  input  logic [31:0]  debug_mem_wdata_i,
  output logic         debug_halted_o,
  output logic         debug_busy_o,
  output logic [31:0]  debug_pc_o,
  output logic [31:0]  debug_reg_rdata_o,
  output logic         debug_mem_ack_o,
  output logic         debug_mem_error_o,
  output logic [31:0]  debug_mem_rdata_o,

  output logic [1:0]   retire_kind_o,
  output logic [31:0]  retire_pc_o,
  output logic [31:0]  retire_insn_o,
  output logic         retire_rd_we_o,
  output logic [4:0]   retire_rd_o,
  output logic [31:0]  retire_rd_data_o,
  output logic         retire_mem_re_o,
  output logic         retire_mem_we_o,
  output logic [31:0]  retire_mem_addr_o,
  output logic [3:0]   retire_mem_be_o,
  output logic [31:0]  retire_mem_wdata_o,
  output logic [4:0]   retire_cause_o,
  output logic [31:0]  retire_tval_o,

  output logic         vec_valid_o,
  output logic         vec_to_x_o,
  output logic [4:0]   vec_index_o,
  output logic [511:0] vec_value_o,

  output logic         fetch_o,
  output logic [31:0]  fetch_pc_o,
  output logic         decode_o,
  output logic [31:0]  decode_pc_o,
  output logic [31:0]  decode_word_o,
  output logic         issue_o,
  output logic         redirect_o,

  output logic [3:0]   stall_o,
  output logic         array_busy_o,
  output logic [9:0]   macs_o,
  output logic         run_first_o,
  output logic         run_last_o,
  output logic         load_busy_o,
  output logic         load_table_o,
  output logic         drain_busy_o,
  output logic         drain_end_o,
  output logic [2:0]   unit_busy_o,
  output logic [2:0][7:0]          unit_done_o,
  output logic [5:0][TcmBanks-1:0] tcm_refused_o,
  output logic         unit_active_o
);

  // What the harness drives is applied at both edges of apply_i. Verilator evaluates all
  // logic behind an input port whenever it is called, twice a cycle; behind these registers
  // only when something has changed.
  logic [31:0]  boot_pc_q;
  logic         irq_external_q;
  logic         arready_q;
  logic         rvalid_q;
  logic [1:0]   rid_q;
  logic [127:0] rdata_q;
  logic [1:0]   rresp_q;
  logic         rlast_q;
  logic         awready_q;
  logic         wready_q;
  logic         bvalid_q;
  logic [1:0]   bid_q;
  logic [1:0]   bresp_q;
  logic         debug_ebreak_q;
  logic         debug_halt_q;
  logic         debug_resume_q;
  logic         debug_flush_q;
  logic         debug_trap_q;
  logic [31:0]  debug_pc_q;
  logic         debug_reg_we_q;
  logic [12:0]  debug_reg_addr_q;
  logic [31:0]  debug_reg_wdata_q;
  logic         debug_mem_req_q;
  logic         debug_mem_we_q;
  logic [1:0]   debug_mem_size_q;
  logic [31:0]  debug_mem_addr_q;
  logic [31:0]  debug_mem_wdata_q;

  always_ff @(edge apply_i) begin
    boot_pc_q         <= boot_pc_i;
    irq_external_q    <= irq_external_i;
    arready_q         <= arready_i;
    rvalid_q          <= rvalid_i;
    rid_q             <= rid_i;
    rdata_q           <= rdata_i;
    rresp_q           <= rresp_i;
    rlast_q           <= rlast_i;
    awready_q         <= awready_i;
    wready_q          <= wready_i;
    bvalid_q          <= bvalid_i;
    bid_q             <= bid_i;
    bresp_q           <= bresp_i;
    debug_ebreak_q    <= debug_ebreak_i;
    debug_halt_q      <= debug_halt_i;
    debug_resume_q    <= debug_resume_i;
    debug_flush_q     <= debug_flush_i;
    debug_trap_q      <= debug_trap_i;
    debug_pc_q        <= debug_pc_i;
    debug_reg_we_q    <= debug_reg_we_i;
    debug_reg_addr_q  <= debug_reg_addr_i;
    debug_reg_wdata_q <= debug_reg_wdata_i;
    debug_mem_req_q   <= debug_mem_req_i;
    debug_mem_we_q    <= debug_mem_we_i;
    debug_mem_size_q  <= debug_mem_size_i;
    debug_mem_addr_q  <= debug_mem_addr_i;
    debug_mem_wdata_q <= debug_mem_wdata_i;
  end

  debug_req_t debug_req;
  debug_rsp_t debug_rsp;
  retire_t    retire;
  stall_e     stall;
  pipe_t      pipe;
  mac_perf_t  mac_perf;
  vec_result_t vec_result;

  npu_top #(
    .ItcmSize(ItcmSize),
    .TcmSize(TcmSize),
    .DramSize(DramSize)
  ) u_npu (
    .clk_i,
    .rst_ni,
    .boot_pc_i       (boot_pc_q),
    .irq_external_i  (irq_external_q),
    .m_axi_arvalid_o (arvalid_o),
    .m_axi_arready_i (arready_q),
    .m_axi_arid_o    (arid_o),
    .m_axi_araddr_o  (araddr_o),
    .m_axi_arlen_o   (arlen_o),
    .m_axi_arsize_o  (),
    .m_axi_arburst_o (),
    .m_axi_rvalid_i  (rvalid_q),
    .m_axi_rready_o  (rready_o),
    .m_axi_rid_i     (rid_q),
    .m_axi_rdata_i   (rdata_q),
    .m_axi_rresp_i   (rresp_q),
    .m_axi_rlast_i   (rlast_q),
    .m_axi_awvalid_o (awvalid_o),
    .m_axi_awready_i (awready_q),
    .m_axi_awid_o    (awid_o),
    .m_axi_awaddr_o  (awaddr_o),
    .m_axi_awlen_o   (awlen_o),
    .m_axi_awsize_o  (),
    .m_axi_awburst_o (),
    .m_axi_wvalid_o  (wvalid_o),
    .m_axi_wready_i  (wready_q),
    .m_axi_wdata_o   (wdata_o),
    .m_axi_wstrb_o   (wstrb_o),
    .m_axi_wlast_o   (wlast_o),
    .m_axi_bvalid_i  (bvalid_q),
    .m_axi_bready_o  (bready_o),
    .m_axi_bid_i     (bid_q),
    .m_axi_bresp_i   (bresp_q),
    .debug_ebreak_i  (debug_ebreak_q),
    .debug_req_i     (debug_req),
    .debug_rsp_o     (debug_rsp),
    .retire_o        (retire),
    .vec_result_o    (vec_result),
    .stall_o         (stall),
    .pipe_o          (pipe),
    .mac_perf_o      (mac_perf),
    .unit_busy_o,
    .unit_done_o,
    .tcm_refused_o,
    .unit_active_o
  );

  assign debug_req = '{halt:      debug_halt_q,
                       resume:    debug_resume_q,
                       flush:     debug_flush_q,
                       trap:      debug_trap_q,
                       pc:        debug_pc_q,
                       reg_we:    debug_reg_we_q,
                       reg_addr:  debug_reg_addr_q,
                       reg_wdata: debug_reg_wdata_q,
                       mem_req:   debug_mem_req_q,
                       mem_we:    debug_mem_we_q,
                       mem_size:  debug_mem_size_q,
                       mem_addr:  debug_mem_addr_q,
                       mem_wdata: debug_mem_wdata_q};

  assign debug_halted_o    = debug_rsp.halted;
  assign debug_busy_o      = debug_rsp.busy;
  assign debug_pc_o        = debug_rsp.pc;
  assign debug_reg_rdata_o = debug_rsp.reg_rdata;
  assign debug_mem_ack_o   = debug_rsp.mem_ack;
  assign debug_mem_error_o = debug_rsp.mem_error;
  assign debug_mem_rdata_o = debug_rsp.mem_rdata;

  assign retire_kind_o      = retire.kind;
  assign retire_pc_o        = retire.pc;
  assign retire_insn_o      = retire.insn;
  assign retire_rd_we_o     = retire.rd_we;
  assign retire_rd_o        = retire.rd;
  assign retire_rd_data_o   = retire.rd_data;
  assign retire_mem_re_o    = retire.mem_re;
  assign retire_mem_we_o    = retire.mem_we;
  assign retire_mem_addr_o  = retire.mem_addr;
  assign retire_mem_be_o    = retire.mem_be;
  assign retire_mem_wdata_o = retire.mem_wdata;
  assign retire_cause_o     = retire.cause;
  assign retire_tval_o      = retire.tval;

  assign vec_valid_o = vec_result.valid;
  assign vec_to_x_o  = vec_result.to_x;
  assign vec_index_o = vec_result.index;
  assign vec_value_o = vec_result.value;

  assign stall_o      = stall;
  assign array_busy_o = mac_perf.array_busy;
  assign macs_o       = mac_perf.macs;
  assign run_first_o  = mac_perf.run_first;
  assign run_last_o   = mac_perf.run_last;
  assign load_busy_o  = mac_perf.load_busy;
  assign load_table_o = mac_perf.load_table;
  assign drain_busy_o = mac_perf.drain_busy;
  assign drain_end_o  = mac_perf.drain_end;

  assign fetch_o       = pipe.fetch;
  assign fetch_pc_o    = pipe.fetch_pc;
  assign decode_o      = pipe.decode;
  assign decode_pc_o   = pipe.decode_pc;
  assign decode_word_o = pipe.decode_word;
  assign issue_o       = pipe.issue;
  assign redirect_o    = pipe.redirect;

endmodule : npu_sim
