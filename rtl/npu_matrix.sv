// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix unit: takes mac.ldw, mac.run, mac.dw, mac.ldq and mac.drain in program order and lets
// the weight loader, the array and the drain work side by side.
//
// Three queues: weight loads, runs, and drains with table loads. What the instructions touch
// appears in program order because
//   - a weight load waits until all older runs that swap have taken the shadow weights, and
//     a run that swaps waits for all older weight loads (both by counting);
//   - a pixel waits until no older drain has still to read its row, and a drain reads a row
//     only when no older run has still to write it (both by the row ranges in flight);
//   - the runs share one pipeline, so do the drains.
// Operations finish out of order between the queues; the completion ring counts them, and
// reports their errors, in program order.

module npu_matrix
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize = DefaultTcmSize
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   issue_valid_i,
  input  mac_issue_t             issue_i,
  output logic                   issue_ready_o,
  output logic [TicketWidth-1:0] issued_o,
  output logic [TicketWidth-1:0] done_o,
  output unit_error_t            array_error_o,
  output unit_error_t            drain_error_o,

  output tcm_req_t               act_req_o,
  input  tcm_gnt_t               act_gnt_i,
  output tcm_req_t               drain_req_o,
  input  tcm_gnt_t               drain_gnt_i,
  output tcm_req_t               load_req_o,
  input  tcm_gnt_t               load_gnt_i,
  input  tcm_rdata_t             tcm_rdata_i,

  // Vector unit: one accumulator row (npu_acc).
  input  logic                     vec_req_i,
  input  logic                     vec_we_i,
  input  logic [7:0]               vec_row_i,
  input  logic [MacCols-1:0][31:0] vec_wdata_i,
  output logic                     vec_gnt_o,
  output logic [MacCols-1:0][31:0] vec_rdata_o,

  output mac_perf_t              perf_o,
  output logic                   busy_o
);

  localparam int unsigned Depth = QueuesMatrixDepth;
  localparam int unsigned PtrW  = $clog2(Depth);
  localparam int unsigned RingW = $clog2(4 * Depth);  // more than three full queues
  localparam int unsigned Ring  = 2 ** RingW;

  // ------------------------------------------------------------------ decode of the operands

  logic is_ldw, is_run, is_drain_queue, issue;
  logic is_depthwise, ldw_int4, run_int4, rows_bad;
  logic ldw_bad, run_bad, drain_bad;
  logic [5:0] run_first, run_length, run_first_bytes, run_rest;
  logic [4:0] taps_x, taps_y;
  logic [17:0] run_rest_room;

  assign is_ldw         = issue_i.op == MacLdw;
  assign is_depthwise   = issue_i.op == MacDw;
  assign is_run         = issue_i.op == MacRun || is_depthwise;
  assign is_drain_queue = issue_i.op == MacLdq || issue_i.op == MacDrain;

  // Accumulator rows of a run or drain.
  assign rows_bad = issue_i.rs2[16:8] > 9'd256
                    || {1'b0, issue_i.rs2[16:8]} + 10'(issue_i.rs2[7:0]) > 10'd256;

  assign ldw_int4 = issue_i.rs2[8];
  assign ldw_bad  = issue_i.rs2[31:9] != '0 || issue_i.rs2[7:6] != '0
                    || issue_i.rs2[5:0] > (ldw_int4 ? 6'd32 : 6'd16) || issue_i.rs1[1:0] != 2'd0;

  // Formats of the shadow and active weights in program order: a run's K depends on them.
  logic shadow_int4_q, active_int4_q;
  assign run_int4 = issue_i.rs2[30] ? shadow_int4_q : active_int4_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shadow_int4_q <= 1'b0;
      active_int4_q <= 1'b0;
    end else if (issue) begin
      if (is_ldw && !ldw_bad) shadow_int4_q <= ldw_int4;
      if (is_run && !run_bad) active_int4_q <= run_int4;
    end
  end

  assign run_length      = issue_i.rs2[22:17];
  assign run_first       = issue_i.rs2[28:23];
  assign run_first_bytes = run_first == 6'd0 || run_first > run_length ? run_length : run_first;
  // The second to fourth window row supply rowlen bytes each.
  assign run_rest        = run_length - run_first_bytes;
  assign run_rest_room   = 18'd3 * 18'(issue_i.csr.rowlen);
  assign taps_x          = issue_i.rs2[21:17];
  assign taps_y          = issue_i.rs2[26:22];

  always_comb begin
    if (is_depthwise) begin
      run_bad = issue_i.rs2[31] || issue_i.rs2[28:27] != '0 || rows_bad || run_int4
                || taps_x == '0 || taps_y == '0 || 10'(taps_x) * 10'(taps_y) > 10'd16;
    end else begin
      run_bad = issue_i.rs2[31] || rows_bad || run_length > (run_int4 ? 6'd32 : 6'd16)
                || 18'(run_rest) > run_rest_room;
    end
    if (issue_i.op == MacLdq) begin
      drain_bad = issue_i.rs1[1:0] != 2'd0;
    end else begin
      drain_bad = issue_i.rs2[31:24] != '0 || issue_i.rs2[23:22] == 2'b11
                  || issue_i.rs2[21:17] > 5'd16 || rows_bad;
    end
  end

  // ------------------------------------------------------------------ completion ring

  logic [TicketWidth-1:0] issued_q, done_q;
  logic [Ring-1:0]        ring_done_q, ring_failed_q, ring_array_q;
  logic [Ring-1:0][31:0]  ring_addr_q;
  logic [RingW-1:0]       ring_in, ring_out;
  logic                   ring_retire;

  logic             ldw_end, run_end, drain_end;
  logic             ldw_failed, run_failed, drain_failed;
  logic [31:0]      ldw_failed_addr, run_failed_addr, drain_failed_addr;
  logic [RingW-1:0] ldw_ring, run_ring, drain_ring;

  assign ring_in     = issued_q[RingW-1:0];
  assign ring_out    = done_q[RingW-1:0];
  assign ring_retire = ring_done_q[ring_out];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issued_q    <= '0;
      done_q      <= '0;
      ring_done_q <= '0;
    end else begin
      if (issue) issued_q <= issued_q + TicketWidth'(1);
      if (ring_retire) begin
        done_q                <= done_q + TicketWidth'(1);
        ring_done_q[ring_out] <= 1'b0;
      end
      if (ldw_end) ring_done_q[ldw_ring] <= 1'b1;
      if (run_end) ring_done_q[run_ring] <= 1'b1;
      if (drain_end) ring_done_q[drain_ring] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) ring_array_q[ring_in] <= is_ldw || is_run;
    if (ldw_end) begin
      ring_failed_q[ldw_ring] <= ldw_failed;
      ring_addr_q[ldw_ring]   <= ldw_failed_addr;
    end
    if (run_end) begin
      ring_failed_q[run_ring] <= run_failed;
      ring_addr_q[run_ring]   <= run_failed_addr;
    end
    if (drain_end) begin
      ring_failed_q[drain_ring] <= drain_failed;
      ring_addr_q[drain_ring]   <= drain_failed_addr;
    end
  end

  assign issued_o      = issued_q;
  assign done_o        = done_q;
  assign busy_o        = issued_q != done_q;
  assign array_error_o = '{valid: ring_retire && ring_failed_q[ring_out] && ring_array_q[ring_out],
                           addr:  ring_addr_q[ring_out]};
  assign drain_error_o = '{valid: ring_retire && ring_failed_q[ring_out] && !ring_array_q[ring_out],
                           addr:  ring_addr_q[ring_out]};

  // ------------------------------------------------------------------ weight loads

  typedef struct packed {
    logic             bad;
    logic [31:0]      addr;
    logic             int4;
    logic [5:0]       rows;
    logic [3:0]       swaps;  // swaps_in when it was issued
    logic [RingW-1:0] ring;
  } ldw_entry_t;

  ldw_entry_t [Depth-1:0] ldw_q;
  logic [Depth-1:0]       ldw_busy_q;
  logic [PtrW-1:0]        ldw_tail_q, ldw_head_q;
  logic [3:0]             ldws_in_q, ldws_done_q;    // weight loads issued and complete
  logic [3:0]             swaps_in_q, swaps_done_q;  // the same of runs that swap
  logic                   ldw_loading_q, ldw_may_go, ldw_start, swap;
  ldw_entry_t             ldw_head;

  logic        load_idle, load_done, load_error, load_start, table_start, table_req;
  logic [31:0] load_error_addr, table_addr;
  logic        load_table_q;

  assign ldw_head   = ldw_q[ldw_head_q];
  assign ldw_may_go = ldw_busy_q[ldw_head_q] && !ldw_loading_q && swaps_done_q == ldw_head.swaps;
  assign ldw_start  = ldw_may_go && !ldw_head.bad && load_idle;
  assign ldw_end    = (ldw_may_go && ldw_head.bad) || (ldw_loading_q && load_done);
  assign ldw_ring   = ldw_head.ring;
  assign ldw_failed = ldw_head.bad || load_error;
  assign ldw_failed_addr = ldw_head.bad ? ldw_head.addr : load_error_addr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ldw_busy_q    <= '0;
      ldw_tail_q    <= '0;
      ldw_head_q    <= '0;
      ldws_in_q     <= '0;
      ldws_done_q   <= '0;
      ldw_loading_q <= 1'b0;
    end else begin
      if (issue && is_ldw) begin
        ldw_busy_q[ldw_tail_q] <= 1'b1;
        ldw_tail_q             <= ldw_tail_q + PtrW'(1);
        ldws_in_q              <= ldws_in_q + 4'd1;
      end
      if (ldw_start) ldw_loading_q <= 1'b1;
      if (ldw_end) begin
        ldw_loading_q          <= 1'b0;
        ldw_busy_q[ldw_head_q] <= 1'b0;
        ldw_head_q             <= ldw_head_q + PtrW'(1);
        ldws_done_q            <= ldws_done_q + 4'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue && is_ldw) begin
      ldw_q[ldw_tail_q] <= '{bad: ldw_bad, addr: issue_i.rs1, int4: ldw_int4,
                             rows: issue_i.rs2[5:0],
                             swaps: swaps_in_q, ring: ring_in};
    end
  end

  // The loader serves weights first: the array waits for them sooner than the drain.
  assign table_start = table_req && load_idle && !ldw_start;
  assign load_start  = ldw_start || table_start;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_table_q <= 1'b0;
    end else if (load_start) begin
      load_table_q <= table_start;
    end
  end

  logic [6:0]        ldw_words;
  logic              loaded_int4_q;   // format of what the shadow registers hold

  assign ldw_words = ldw_head.int4 ? {ldw_head.rows, 1'b0} : {ldw_head.rows[4:0], 2'b00};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_int4_q <= 1'b0;
    end else if (ldw_start) begin
      loaded_int4_q <= ldw_head.int4;
    end
  end

  logic [15:0]       lane_we;
  logic [15:0][1:0]  lane_chunk;
  logic [15:0][31:0] lane_data;

  npu_matrix_load #(
    .TcmSize(TcmSize)
  ) u_load (
    .clk_i,
    .rst_ni,
    .start_i     (load_start),
    .addr_i      (ldw_start ? ldw_head.addr : table_addr),
    .words_i     (ldw_start ? ldw_words : 7'd36),
    .idle_o      (load_idle),
    .done_o      (load_done),
    .error_o     (load_error),
    .error_addr_o(load_error_addr),
    .tcm_req_o   (load_req_o),
    .tcm_gnt_i   (load_gnt_i),
    .tcm_rdata_i,
    .lane_we_o   (lane_we),
    .lane_chunk_o(lane_chunk),
    .lane_data_o (lane_data)
  );

  // ------------------------------------------------------------------ runs

  typedef struct packed {
    logic             bad;
    logic             swap;
    logic             acc;
    logic [7:0]       row;
    logic [3:0]       ldws;   // ldws_in when it was issued
    logic [RingW-1:0] ring;
    fetch_run_t       fetch;
  } run_entry_t;

  // push -> fetch -> array -> head: an entry goes to the activation fetch, its pixels enter
  // the array, and it leaves with the write of its last row.
  run_entry_t [Depth-1:0]        run_q;
  row_range_t [Depth-1:0]        run_range_q, drain_range;
  logic [Depth-1:0]              run_busy_q, run_fetched_q, run_entered_q, run_free, run_busy;
  logic [Depth-1:0]              run_failed_q;
  logic [Depth-1:0][31:0]        run_failed_addr_q;
  logic [Depth-1:0][Depth-1:0]   run_older_q;   // drains in flight at the issue
  logic [Depth-1:0]              drain_busy, drain_free;
  logic [PtrW-1:0]               run_tail_q, run_fetch_q, run_array_q, run_head_q;

  logic            fetch_pending, fetch_empty, fetch_valid, fetch_ready, fetch_next;
  logic            fetch_error_valid;
  logic [31:0]     fetch_error_addr;
  logic [PtrW-1:0] fetch_error_tag;
  logic            item_valid, item_ready;
  fetch_item_t     item;

  assign fetch_pending = run_busy_q[run_fetch_q] && !run_fetched_q[run_fetch_q];
  assign fetch_empty   = run_q[run_fetch_q].bad || run_q[run_fetch_q].fetch.count == 9'd0;
  assign fetch_valid   = fetch_pending && !fetch_empty;
  assign fetch_next    = fetch_pending && (fetch_empty || fetch_ready);

  npu_act_fetch #(
    .TcmSize(TcmSize),
    .TagW   (PtrW)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .run_valid_i  (fetch_valid),
    .run_i        (run_q[run_fetch_q].fetch),
    .run_tag_i    (run_fetch_q),
    .run_ready_o  (fetch_ready),
    .error_valid_o(fetch_error_valid),
    .error_addr_o (fetch_error_addr),
    .error_tag_o  (fetch_error_tag),
    .tcm_req_o    (act_req_o),
    .tcm_gnt_i    (act_gnt_i),
    .tcm_rdata_i,
    .item_valid_o (item_valid),
    .item_o       (item),
    .item_ready_i (item_ready)
  );

  // ------------------------------------------------------------------ entry into the array

  logic [8:0] pixel_q;   // pixels of the run that have entered
  logic       enter_pending, enter_empty, enter, enter_pixel, enter_first, enter_last;
  logic       enter_depthwise;
  logic       needs_weights, weight_wait, acc_wait;
  logic [7:0] enter_row;
  logic [8:0] enter_count;
  mac_step_t  enter_step;

  assign enter_pending = run_busy_q[run_array_q] && !run_entered_q[run_array_q];
  assign enter_count   = run_q[run_array_q].fetch.count;
  assign enter_empty   = run_q[run_array_q].bad || enter_count == 9'd0;
  assign enter_depthwise = run_q[run_array_q].fetch.depthwise;
  assign enter_first   = pixel_q == 9'd0;
  assign enter_last    = enter_empty || pixel_q + 9'd1 == enter_count;
  assign enter_row     = run_q[run_array_q].row + pixel_q[7:0];
  assign needs_weights = run_q[run_array_q].swap && !run_q[run_array_q].bad && enter_first;
  assign weight_wait   = needs_weights && ldws_done_q != run_q[run_array_q].ldws;

  always_comb begin
    acc_wait = 1'b0;
    for (int unsigned d = 0; d < Depth; d++) begin
      acc_wait = acc_wait || (run_older_q[run_array_q][d]
                              && row_in_range(enter_row, drain_range[d]));
    end
    acc_wait = acc_wait && !enter_empty;
  end

  // Items before the last of a pixel only fill the array's window.
  assign enter       = enter_pending && !weight_wait && !acc_wait
                       && (enter_empty || (item_valid && item.last));
  assign enter_pixel = enter && !enter_empty;
  assign item_ready  = enter_pixel || (enter_pending && !enter_empty && item_valid && !item.last);
  assign swap        = enter && needs_weights;

  assign enter_step = '{write: !enter_empty, last: enter_last, acc: run_q[run_array_q].acc,
                        row: enter_row};

  // ------------------------------------------------------------------ array and accumulators

  logic                     early_read, sums_valid;
  logic [7:0]               early_row;
  mac_step_t                sums_step;
  logic [MacCols-1:0][31:0] sums, acc_rdata;
  logic                     acc_req, acc_gnt;
  logic [7:0]               acc_row;

  npu_mac_array u_array (
    .clk_i,
    .rst_ni,
    .shadow_clear_i(ldw_start),
    .shadow_we_i   (load_table_q ? 16'd0 : lane_we),
    .shadow_chunk_i(lane_chunk),
    .shadow_data_i (lane_data),
    .shadow_int4_i (loaded_int4_q),
    .load_i        (item_ready),
    .item_i        (item),
    .depthwise_i   (enter_depthwise),
    .taps_x_i      (run_q[run_array_q].fetch.taps_x),
    .taps_y_i      (run_q[run_array_q].fetch.taps_y),
    .valid_i       (enter),
    .swap_i        (swap),
    .step_i        (enter_step),
    .early_read_o  (early_read),
    .early_row_o   (early_row),
    .valid_o       (sums_valid),
    .step_o        (sums_step),
    .sums_o        (sums)
  );

  npu_acc u_acc (
    .clk_i,
    .rst_ni,
    .early_read_i (early_read),
    .early_row_i  (early_row),
    .write_i      (sums_valid && sums_step.write),
    .acc_i        (sums_step.acc),
    .row_i        (sums_step.row),
    .sums_i       (sums),
    .drain_req_i  (acc_req),
    .drain_row_i  (acc_row),
    .drain_gnt_o  (acc_gnt),
    .drain_rdata_o(acc_rdata),
    .vec_req_i,
    .vec_we_i,
    .vec_row_i,
    .vec_wdata_i,
    .vec_gnt_o,
    .vec_rdata_o
  );

  assign run_end         = sums_valid && sums_step.last;
  assign run_ring        = run_q[run_head_q].ring;
  assign run_failed      = run_failed_q[run_head_q];
  assign run_failed_addr = run_failed_addr_q[run_head_q];
  assign run_free        = Depth'(run_end) << run_head_q;
  assign run_busy        = run_busy_q & ~run_free;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_busy_q    <= '0;
      run_fetched_q <= '0;
      run_entered_q <= '0;
      run_failed_q  <= '0;
      run_older_q   <= '0;
      run_range_q   <= '0;
      run_tail_q    <= '0;
      run_fetch_q   <= '0;
      run_array_q   <= '0;
      run_head_q    <= '0;
      pixel_q       <= '0;
      swaps_in_q    <= '0;
      swaps_done_q  <= '0;
    end else begin
      for (int unsigned r = 0; r < Depth; r++) run_older_q[r] <= run_older_q[r] & ~drain_free;
      if (issue && is_run) begin
        run_tail_q                <= run_tail_q + PtrW'(1);
        run_busy_q[run_tail_q]    <= 1'b1;
        run_fetched_q[run_tail_q] <= 1'b0;
        run_entered_q[run_tail_q] <= 1'b0;
        run_failed_q[run_tail_q]  <= run_bad;
        run_older_q[run_tail_q]   <= drain_busy;
        run_range_q[run_tail_q]   <= '{pending: !run_bad && issue_i.rs2[16:8] != 9'd0,
                                       next: issue_i.rs2[7:0],
                                       last: issue_i.rs2[7:0] + issue_i.rs2[15:8] - 8'd1};
        if (issue_i.rs2[30] && !run_bad) swaps_in_q <= swaps_in_q + 4'd1;
      end
      if (fetch_next) begin
        run_fetch_q                <= run_fetch_q + PtrW'(1);
        run_fetched_q[run_fetch_q] <= 1'b1;
      end
      if (fetch_error_valid) run_failed_q[fetch_error_tag] <= 1'b1;
      if (enter) begin
        pixel_q <= enter_last ? 9'd0 : pixel_q + 9'd1;
        if (enter_last) begin
          run_array_q                <= run_array_q + PtrW'(1);
          run_entered_q[run_array_q] <= 1'b1;
        end
      end
      if (swap) swaps_done_q <= swaps_done_q + 4'd1;
      if (sums_valid && sums_step.write) begin
        run_range_q[run_head_q].next    <= sums_step.row + 8'd1;
        run_range_q[run_head_q].pending <= !sums_step.last;
      end
      if (run_end) begin
        run_busy_q[run_head_q] <= 1'b0;
        run_head_q             <= run_head_q + PtrW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue && is_run) begin
      run_q[run_tail_q] <= '{
        bad:   run_bad,
        swap:  issue_i.rs2[30],
        acc:   issue_i.rs2[29],
        row:   issue_i.rs2[7:0],
        ldws:  ldws_in_q,
        ring:  ring_in,
        fetch: '{depthwise: is_depthwise, addr: issue_i.rs1, count: issue_i.rs2[16:8],
                 length: run_length, first: run_first_bytes, taps_x: taps_x, taps_y: taps_y,
                 csr: issue_i.csr}};
      run_failed_addr_q[run_tail_q] <= issue_i.rs1;
    end
    if (fetch_error_valid) run_failed_addr_q[fetch_error_tag] <= fetch_error_addr;
  end

  // ------------------------------------------------------------------ drains

  drain_cmd_t                  drain_cmd;
  logic                        drain_ready, store_busy;
  logic [Depth-1:0][RingW-1:0] drain_ring_q;
  logic [PtrW-1:0]             drain_tail_q, drain_head_q;

  assign drain_cmd = '{
    table_load: issue_i.op == MacLdq,
    bad:        drain_bad,
    once:       issue_i.rs2[23],
    row:        issue_i.rs2[7:0],
    store: '{addr: issue_i.rs1, count: issue_i.rs2[16:8], channels: issue_i.rs2[21:17],
             raw: issue_i.rs2[22], xcount: issue_i.csr.xcount,
             xstride: issue_i.csr.oxstride, ystride: issue_i.csr.oystride,
             zero_point: issue_i.csr.zero_point, clamp_min: issue_i.csr.clamp_min,
             clamp_max: issue_i.csr.clamp_max}};

  npu_drain #(
    .TcmSize (TcmSize),
    .Depth   (Depth),
    .RunDepth(Depth)
  ) u_drain (
    .clk_i,
    .rst_ni,
    .push_i            (issue && is_drain_queue),
    .cmd_i             (drain_cmd),
    .ready_o           (drain_ready),
    .run_range_i       (run_range_q),
    .run_busy_i        (run_busy),
    .run_free_i        (run_free),
    .range_o           (drain_range),
    .busy_o            (drain_busy),
    .free_o            (drain_free),
    .acc_req_o         (acc_req),
    .acc_row_o         (acc_row),
    .acc_gnt_i         (acc_gnt),
    .acc_rdata_i       (acc_rdata),
    .table_req_o       (table_req),
    .table_addr_o      (table_addr),
    .table_start_i     (table_start),
    .table_done_i      (load_done && load_table_q),
    .table_error_i     (load_error),
    .table_error_addr_i(load_error_addr),
    .table_we_i        (load_table_q ? lane_we : 16'd0),
    .table_chunk_i     (lane_chunk),
    .table_data_i      (lane_data),
    .tcm_req_o         (drain_req_o),
    .tcm_gnt_i         (drain_gnt_i),
    .done_o            (drain_end),
    .error_o           (drain_failed),
    .error_addr_o      (drain_failed_addr),
    .store_busy_o      (store_busy)
  );

  assign drain_ring = drain_ring_q[drain_head_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      drain_tail_q <= '0;
      drain_head_q <= '0;
      drain_ring_q <= '0;
    end else begin
      if (issue && is_drain_queue) begin
        drain_ring_q[drain_tail_q] <= ring_in;
        drain_tail_q               <= drain_tail_q + PtrW'(1);
      end
      if (drain_end) drain_head_q <= drain_head_q + PtrW'(1);
    end
  end

  // ------------------------------------------------------------------ issue

  logic ring_full, queue_ready;

  // Entries leave their queue when they are complete, the ring only after all older ones.
  assign ring_full = issued_q - done_q == TicketWidth'(Ring);

  always_comb begin
    unique case (issue_i.op)
      MacLdw:        queue_ready = !ldw_busy_q[ldw_tail_q];
      MacRun, MacDw: queue_ready = !run_busy_q[run_tail_q];
      default:       queue_ready = drain_ready;
    endcase
  end

  assign issue_ready_o = queue_ready && !ring_full;

  assign issue = issue_valid_i && issue_ready_o;

  // ------------------------------------------------------------------ statistics

  logic [5:0] enter_k;
  assign enter_k = enter_depthwise
                   ? 6'(10'(run_q[run_array_q].fetch.taps_x)
                        * 10'(run_q[run_array_q].fetch.taps_y))
                   : run_q[run_array_q].fetch.length;

  assign perf_o = '{
    array_busy:  enter_pixel,
    macs:        enter_pixel ? {enter_k, 4'd0} : 10'd0,
    drain_busy:  store_busy,
    weight_wait: enter_pending && weight_wait,
    acc_wait:    enter_pending && !weight_wait && acc_wait,
    fetch_wait:  enter_pending && !weight_wait && !acc_wait && !enter_empty && !item_valid,
    run_first:   enter_pixel && enter_first,
    run_last:    enter_pixel && enter_last,
    load_busy:   !load_idle,
    load_table:  load_table_q,
    drain_end:   drain_end};

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  DepthIsPowerOfTwo: assert property (@(posedge clk_i) Depth == 2 ** PtrW);
  TapsHaveInt8Weights: assert property (@(posedge clk_i) disable iff (!rst_ni)
    swap && enter_depthwise |-> !loaded_int4_q);
  NoRetireBeyondIssue: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ring_retire |-> issued_q != done_q);
`endif

endmodule : npu_matrix
