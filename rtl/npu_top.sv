// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NPU: scalar core, matrix unit, two DMA channels, scratchpads, CLINT, and one AXI4
// master port of 128 bits for DRAM.

module npu_top
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
  input  logic [31:0]  boot_pc_i,        // sampled when reset is released
  input  logic         irq_external_i,

  // AXI4 master
  output logic         m_axi_arvalid_o,
  input  logic         m_axi_arready_i,
  output logic [1:0]   m_axi_arid_o,
  output logic [31:0]  m_axi_araddr_o,
  output logic [7:0]   m_axi_arlen_o,
  output logic [2:0]   m_axi_arsize_o,
  output logic [1:0]   m_axi_arburst_o,
  input  logic         m_axi_rvalid_i,
  output logic         m_axi_rready_o,
  input  logic [1:0]   m_axi_rid_i,
  input  logic [127:0] m_axi_rdata_i,
  input  logic [1:0]   m_axi_rresp_i,
  input  logic         m_axi_rlast_i,
  output logic         m_axi_awvalid_o,
  input  logic         m_axi_awready_i,
  output logic [1:0]   m_axi_awid_o,
  output logic [31:0]  m_axi_awaddr_o,
  output logic [7:0]   m_axi_awlen_o,
  output logic [2:0]   m_axi_awsize_o,
  output logic [1:0]   m_axi_awburst_o,
  output logic         m_axi_wvalid_o,
  input  logic         m_axi_wready_i,
  output logic [127:0] m_axi_wdata_o,
  output logic [15:0]  m_axi_wstrb_o,
  output logic         m_axi_wlast_o,
  input  logic         m_axi_bvalid_i,
  output logic         m_axi_bready_o,
  input  logic [1:0]   m_axi_bid_i,
  input  logic [1:0]   m_axi_bresp_i,

  // Debug host
  input  logic         debug_ebreak_i,
  input  debug_req_t   debug_req_i,
  output debug_rsp_t   debug_rsp_o,

  // Observation
  output retire_t      retire_o,
  output vec_result_t  vec_result_o,
  output stall_e       stall_o,
  output pipe_t        pipe_o,
  output mac_perf_t    mac_perf_o,
  output logic [2:0]   unit_busy_o,      // DMA 0, DMA 1, matrix unit
  output logic [2:0][7:0]          unit_done_o,   // operations complete, modulo 256
  output logic [5:0][TcmBanks-1:0] tcm_refused_o, // banks wanted in vain, by requester
  output logic         unit_active_o     // some unit moves data: what a hang does not
);

  localparam logic [2:0] AxiSize16    = 3'd4;
  localparam logic [1:0] AxiBurstIncr = 2'b01;
  localparam int unsigned ItcmAddrWidth = $clog2(ItcmSize / 4);

  logic        itcm_fetch_req, itcm_fetch_gnt, itcm_data_req, tcm_data_req, clint_data_req;
  logic        data_we;
  logic [3:0]  data_be;
  logic [31:0] fetch_addr, data_addr, data_wdata, itcm_rdata, tcm_core_rdata, clint_rdata;

  logic        irq_software, irq_timer;
  logic [63:0] mtime;

  axi_req_t    axi_req [4];
  axi_rsp_t    axi_rsp [4];
  axi_req_t    axi_mux_req;
  axi_rsp_t    axi_mux_rsp;

  logic                        mac_issue_valid, mac_issue_ready;
  mac_issue_t                  mac_issue;
  logic [1:0]                  dma_issue_valid, dma_issue_ready;
  logic [31:0]                 dma_issue_addr;
  logic [2:0][TicketWidth-1:0] issued, done;
  unit_error_t [3:0]           unit_error;
  logic [1:0]                  dma_done;

  tcm_req_t    tcm_req [6];  // vector unit, activation fetch, drain, weight load, DMA 0, DMA 1
  tcm_gnt_t    tcm_gnt [6];
  tcm_rdata_t  tcm_rdata;

  logic                     acc_req, acc_we, acc_gnt;
  logic [7:0]               acc_row;
  logic [MacCols-1:0][31:0] acc_wdata, acc_rdata;

  npu_core #(
    .ItcmSize(ItcmSize),
    .TcmSize(TcmSize),
    .DramSize(DramSize)
  ) u_core (
    .clk_i,
    .rst_ni,
    .boot_pc_i,
    .itcm_fetch_req_o  (itcm_fetch_req),
    .fetch_addr_o      (fetch_addr),
    .itcm_fetch_gnt_i  (itcm_fetch_gnt),
    .itcm_data_req_o   (itcm_data_req),
    .itcm_rdata_i      (itcm_rdata),
    .tcm_data_req_o    (tcm_data_req),
    .tcm_rdata_i       (tcm_core_rdata),
    .clint_data_req_o  (clint_data_req),
    .clint_rdata_i     (clint_rdata),
    .data_we_o         (data_we),
    .data_be_o         (data_be),
    .data_addr_o       (data_addr),
    .data_wdata_o      (data_wdata),
    .fetch_axi_req_o   (axi_req[0]),
    .fetch_axi_rsp_i   (axi_rsp[0]),
    .data_axi_req_o    (axi_req[1]),
    .data_axi_rsp_i    (axi_rsp[1]),
    .mac_issue_valid_o (mac_issue_valid),
    .mac_issue_o       (mac_issue),
    .mac_issue_ready_i (mac_issue_ready),
    .dma_issue_valid_o (dma_issue_valid),
    .dma_issue_addr_o  (dma_issue_addr),
    .dma_issue_ready_i (dma_issue_ready),
    .issued_i          (issued),
    .done_i            (done),
    .unit_error_i      (unit_error),
    .dma_done_i        (dma_done),
    .irq_external_i,
    .irq_software_i    (irq_software),
    .irq_timer_i       (irq_timer),
    .mtime_i           (mtime),
    .debug_ebreak_i,
    .debug_req_i,
    .debug_rsp_o,
    .tcm_vec_req_o     (tcm_req[0]),
    .tcm_vec_rdata_i   (tcm_rdata),
    .acc_req_o         (acc_req),
    .acc_we_o          (acc_we),
    .acc_row_o         (acc_row),
    .acc_wdata_o       (acc_wdata),
    .acc_gnt_i         (acc_gnt),
    .acc_rdata_i       (acc_rdata),
    .retire_o,
    .vec_result_o,
    .stall_o,
    .pipe_o
  );

  npu_itcm #(
    .Size(ItcmSize)
  ) u_itcm (
    .clk_i,
    .fetch_req_i  (itcm_fetch_req),
    .fetch_addr_i (fetch_addr[2 +: ItcmAddrWidth]),
    .fetch_gnt_o  (itcm_fetch_gnt),
    .data_req_i   (itcm_data_req),
    .data_we_i    (data_we),
    .data_be_i    (data_be),
    .data_addr_i  (data_addr[2 +: ItcmAddrWidth]),
    .data_wdata_i (data_wdata),
    .rdata_o      (itcm_rdata)
  );

  npu_tcm #(
    .Size(TcmSize),
    .Units(6)
  ) u_tcm (
    .clk_i,
    .rst_ni,
    .core_req_i   (tcm_data_req),
    .core_we_i    (data_we),
    .core_be_i    (data_be),
    .core_addr_i  (data_addr),
    .core_wdata_i (data_wdata),
    .core_rdata_o (tcm_core_rdata),
    .unit_req_i   (tcm_req),
    .unit_gnt_o   (tcm_gnt),
    .unit_rdata_o (tcm_rdata)
  );

  npu_clint u_clint (
    .clk_i,
    .rst_ni,
    .req_i          (clint_data_req),
    .we_i           (data_we),
    .addr_i         (data_addr[15:0]),
    .wdata_i        (data_wdata),
    .rdata_o        (clint_rdata),
    .mtime_o        (mtime),
    .irq_software_o (irq_software),
    .irq_timer_o    (irq_timer)
  );

  npu_matrix #(
    .TcmSize(TcmSize)
  ) u_matrix (
    .clk_i,
    .rst_ni,
    .issue_valid_i (mac_issue_valid),
    .issue_i       (mac_issue),
    .issue_ready_o (mac_issue_ready),
    .issued_o      (issued[2]),
    .done_o        (done[2]),
    .array_error_o (unit_error[2]),
    .drain_error_o (unit_error[3]),
    .act_req_o     (tcm_req[1]),
    .act_gnt_i     (tcm_gnt[1]),
    .drain_req_o   (tcm_req[2]),
    .drain_gnt_i   (tcm_gnt[2]),
    .load_req_o    (tcm_req[3]),
    .load_gnt_i    (tcm_gnt[3]),
    .tcm_rdata_i   (tcm_rdata),
    .vec_req_i     (acc_req),
    .vec_we_i      (acc_we),
    .vec_row_i     (acc_row),
    .vec_wdata_i   (acc_wdata),
    .vec_gnt_o     (acc_gnt),
    .vec_rdata_o   (acc_rdata),
    .perf_o        (mac_perf_o),
    .busy_o        (unit_busy_o[2])
  );

  for (genvar c = 0; c < DmaChannels; c++) begin : gen_dma
    npu_dma #(
      .TcmSize(TcmSize),
      .DramSize(DramSize)
    ) u_dma (
      .clk_i,
      .rst_ni,
      .issue_valid_i (dma_issue_valid[c]),
      .issue_addr_i  (dma_issue_addr),
      .issue_ready_o (dma_issue_ready[c]),
      .issued_o      (issued[c]),
      .done_o        (done[c]),
      .error_o       (unit_error[c]),
      .dmadone_o     (dma_done[c]),
      .tcm_req_o     (tcm_req[4 + c]),
      .tcm_gnt_i     (tcm_gnt[4 + c]),
      .tcm_rdata_i   (tcm_rdata),
      .axi_req_o     (axi_req[2 + c]),
      .axi_rsp_i     (axi_rsp[2 + c]),
      .busy_o        (unit_busy_o[c])
    );
  end

  npu_axi_mux u_axi_mux (
    .clk_i,
    .rst_ni,
    .req_i   (axi_req),
    .rsp_o   (axi_rsp),
    .req_o   (axi_mux_req),
    .ar_id_o (m_axi_arid_o),
    .aw_id_o (m_axi_awid_o),
    .rsp_i   (axi_mux_rsp),
    .r_id_i  (m_axi_rid_i),
    .b_id_i  (m_axi_bid_i)
  );

  assign m_axi_arvalid_o = axi_mux_req.ar_valid;
  assign m_axi_araddr_o  = axi_mux_req.ar_addr;
  assign m_axi_arlen_o   = axi_mux_req.ar_len;
  assign m_axi_arsize_o  = AxiSize16;
  assign m_axi_arburst_o = AxiBurstIncr;
  assign m_axi_rready_o  = axi_mux_req.r_ready;
  assign m_axi_awvalid_o = axi_mux_req.aw_valid;
  assign m_axi_awaddr_o  = axi_mux_req.aw_addr;
  assign m_axi_awlen_o   = axi_mux_req.aw_len;
  assign m_axi_awsize_o  = AxiSize16;
  assign m_axi_awburst_o = AxiBurstIncr;
  assign m_axi_wvalid_o  = axi_mux_req.w_valid;
  assign m_axi_wdata_o   = axi_mux_req.w_data;
  assign m_axi_wstrb_o   = axi_mux_req.w_strb;
  assign m_axi_wlast_o   = axi_mux_req.w_last;
  assign m_axi_bready_o  = axi_mux_req.b_ready;

  assign axi_mux_rsp = '{ar_ready: m_axi_arready_i,
                         r_valid:  m_axi_rvalid_i,
                         r_data:   m_axi_rdata_i,
                         r_resp:   m_axi_rresp_i,
                         r_last:   m_axi_rlast_i,
                         aw_ready: m_axi_awready_i,
                         w_ready:  m_axi_wready_i,
                         b_valid:  m_axi_bvalid_i,
                         b_resp:   m_axi_bresp_i};

  for (genvar u = 0; u < 3; u++) begin : gen_done
    assign unit_done_o[u] = done[u][7:0];
  end
  for (genvar u = 0; u < 6; u++) begin : gen_refused
    assign tcm_refused_o[u] = tcm_req[u].req & ~tcm_gnt[u];
  end

  always_comb begin
    unit_active_o = m_axi_rvalid_i || m_axi_wvalid_o;
    for (int unsigned u = 0; u < 6; u++) unit_active_o = unit_active_o || tcm_req[u].req != '0;
  end

  // Fetch decodes the region itself; ITCM takes the offset.
  logic unused_fetch_addr;
  assign unused_fetch_addr = ^{fetch_addr[31:2 + ItcmAddrWidth], fetch_addr[1:0]};

endmodule : npu_top
