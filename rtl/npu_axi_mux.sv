// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins four masters into one AXI4 port; the ID of a transaction is the master's index.
// Instruction fetch and the load/store unit come first, the DMA channels take turns. An
// address that waits for the slave keeps its place, and write data follow in the order
// of the write addresses.

module npu_axi_mux
  import npu_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  axi_req_t   req_i [4],   // fetch, load/store, DMA 0, DMA 1
  output axi_rsp_t   rsp_o [4],

  output axi_req_t   req_o,
  output logic [1:0] ar_id_o,
  output logic [1:0] aw_id_o,
  input  axi_rsp_t   rsp_i,
  input  logic [1:0] r_id_i,
  input  logic [1:0] b_id_i
);

  localparam int unsigned WriteDepth = 32;
  localparam int unsigned PtrWidth   = $clog2(WriteDepth);

  function automatic logic [1:0] pick(logic [3:0] valid, logic dma1_first);
    if (valid[0]) return 2'd0;
    if (valid[1]) return 2'd1;
    if (valid[2] && !(valid[3] && dma1_first)) return 2'd2;
    return 2'd3;
  endfunction

  logic [3:0] ar_valid, aw_valid;
  logic [1:0] ar_sel, aw_sel, ar_sel_q, aw_sel_q, w_sel;
  logic       ar_locked_q, aw_locked_q, ar_dma1_first_q, aw_dma1_first_q;

  // Masters whose write data are still to come, oldest first.
  logic [1:0]          order_q [WriteDepth];
  logic [PtrWidth:0]   order_wr_q, order_rd_q;
  logic                order_empty, order_full, order_push, order_pop;

  always_comb begin
    for (int unsigned m = 0; m < 4; m++) begin
      ar_valid[m] = req_i[m].ar_valid;
      aw_valid[m] = req_i[m].aw_valid;
    end
  end

  assign ar_sel = ar_locked_q ? ar_sel_q : pick(ar_valid, ar_dma1_first_q);
  assign aw_sel = aw_locked_q ? aw_sel_q : pick(aw_valid, aw_dma1_first_q);
  assign w_sel  = order_q[order_rd_q[PtrWidth-1:0]];

  assign order_empty = order_wr_q == order_rd_q;
  assign order_full  = order_wr_q == {!order_rd_q[PtrWidth], order_rd_q[PtrWidth-1:0]};
  assign order_push  = req_o.aw_valid && rsp_i.aw_ready;
  assign order_pop   = req_o.w_valid && rsp_i.w_ready && req_o.w_last;

  always_comb begin
    req_o.ar_valid = ar_valid[ar_sel];
    req_o.ar_addr  = req_i[ar_sel].ar_addr;
    req_o.ar_len   = req_i[ar_sel].ar_len;
    req_o.aw_valid = aw_valid[aw_sel] && !order_full;
    req_o.aw_addr  = req_i[aw_sel].aw_addr;
    req_o.aw_len   = req_i[aw_sel].aw_len;
    req_o.w_valid  = req_i[w_sel].w_valid && !order_empty;
    req_o.w_data   = req_i[w_sel].w_data;
    req_o.w_strb   = req_i[w_sel].w_strb;
    req_o.w_last   = req_i[w_sel].w_last;
    req_o.r_ready  = req_i[r_id_i].r_ready;
    req_o.b_ready  = req_i[b_id_i].b_ready;
  end

  assign ar_id_o = ar_sel;
  assign aw_id_o = aw_sel;

  for (genvar m = 0; m < 4; m++) begin : gen_rsp
    assign rsp_o[m] = '{ar_ready: rsp_i.ar_ready && ar_sel == 2'(m),
                        r_valid:  rsp_i.r_valid && r_id_i == 2'(m),
                        r_data:   rsp_i.r_data,
                        r_resp:   rsp_i.r_resp,
                        r_last:   rsp_i.r_last,
                        aw_ready: rsp_i.aw_ready && !order_full && aw_sel == 2'(m),
                        w_ready:  rsp_i.w_ready && !order_empty && w_sel == 2'(m),
                        b_valid:  rsp_i.b_valid && b_id_i == 2'(m),
                        b_resp:   rsp_i.b_resp};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_sel_q        <= '0;
      aw_sel_q        <= '0;
      ar_locked_q     <= 1'b0;
      aw_locked_q     <= 1'b0;
      ar_dma1_first_q <= 1'b0;
      aw_dma1_first_q <= 1'b0;
      order_wr_q      <= '0;
      order_rd_q      <= '0;
    end else begin
      ar_sel_q    <= ar_sel;
      aw_sel_q    <= aw_sel;
      ar_locked_q <= req_o.ar_valid && !rsp_i.ar_ready;
      aw_locked_q <= req_o.aw_valid && !rsp_i.aw_ready;
      if (req_o.ar_valid && rsp_i.ar_ready) ar_dma1_first_q <= ar_sel == 2'd2;
      if (order_push) aw_dma1_first_q <= aw_sel == 2'd2;
      if (order_push) order_wr_q <= order_wr_q + (PtrWidth + 1)'(1);
      if (order_pop) order_rd_q <= order_rd_q + (PtrWidth + 1)'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (order_push) order_q[order_wr_q[PtrWidth-1:0]] <= aw_sel;
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  AxiReadAddressStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ar_locked_q |-> req_o.ar_valid);
  AxiWriteAddressStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      aw_locked_q |-> req_o.aw_valid);
  AxiReadAddressPayloadStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ar_locked_q |-> $stable(req_o.ar_addr) && $stable(req_o.ar_len) && $stable(ar_id_o));
  AxiWriteAddressPayloadStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      aw_locked_q |-> $stable(req_o.aw_addr) && $stable(req_o.aw_len) && $stable(aw_id_o));
  AxiWriteDataStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      req_o.w_valid && !rsp_i.w_ready |=> req_o.w_valid && $stable(req_o.w_data)
      && $stable(req_o.w_strb) && $stable(req_o.w_last));
  AxiOrderNeverOverflows_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      order_wr_q - order_rd_q <= (PtrWidth + 1)'(WriteDepth));
  AxiDataFollowTheirAddress_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      order_pop |-> !order_empty);

  // A slave that answers serves every master: no request waits longer than what the others have
  // in flight takes.
  for (genvar m = 0; m < 4; m++) begin : gen_bounded
    int unsigned waits_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waits_q <= 0;
      else waits_q <= (ar_valid[m] && !rsp_o[m].ar_ready) || (aw_valid[m] && !rsp_o[m].aw_ready)
                      ? waits_q + 1 : 0;
    end
    AxiWaitIsBounded_A: assert property (@(posedge clk_i) disable iff (!rst_ni) waits_q < 1_000_000);
  end
`endif

endmodule : npu_axi_mux
