// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the interfaces between the scalar core, the Xnpu units, the scratchpad and the
// AXI interconnect.

package npu_pkg;

  import npu_platform_pkg::*;

  // ------------------------------------------------------------------ scratchpad (TCM)

  // Word address inside a bank: wide enough for the largest configuration (1 MiB).
  localparam int unsigned TcmAddrWidth = 14;
  // The same across the banks, which are interleaved by words.
  localparam int unsigned TcmWordWidth = TcmAddrWidth + $clog2(TcmBanks);

  // One request a bank and cycle; a requester checks addresses against the TCM size itself.
  // The grant comes in the same cycle, read data of granted banks in the next.
  typedef struct packed {
    logic [TcmBanks-1:0]                   req;
    logic [TcmBanks-1:0]                   we;
    logic [TcmBanks-1:0][3:0]              be;
    logic [TcmBanks-1:0][TcmAddrWidth-1:0] addr;
    logic [TcmBanks-1:0][31:0]             wdata;
  } tcm_req_t;

  typedef logic [TcmBanks-1:0]       tcm_gnt_t;
  typedef logic [TcmBanks-1:0][31:0] tcm_rdata_t;

  // ------------------------------------------------------------------ issue of operations

  typedef enum logic [2:0] {
    MacLdw   = 3'd0,
    MacRun   = 3'd1,
    MacLdq   = 3'd2,
    MacDrain = 3'd3,
    MacDw    = 3'd4
  } mac_op_e;

  // Position of a byte of the activation window; signed, wraps.
  typedef struct packed {
    logic [15:0] line;
    logic [15:0] column;
  } window_pos_t;

  // The NPU CSRs that an operation captures when it is issued.
  typedef struct packed {
    logic [15:0] rowlen;
    logic [31:0] rowstride;
    logic [15:0] xcount;
    logic [31:0] xstride;
    logic [31:0] ystride;
    logic [31:0] oxstride;
    logic [31:0] oystride;
    logic [7:0]  zero_point;
    logic [7:0]  clamp_min;
    logic [7:0]  clamp_max;
    logic [7:0]  pad_value;
    logic [7:0]  line_step;   // lines between window rows
    logic [14:0] valid_bytes; // of a line; 0: no padding
    logic [14:0] valid_lines;
    window_pos_t pos;
    window_pos_t xstep;
    window_pos_t ystep;
    logic [31:0] tapstride;
  } npu_csr_t;

  typedef struct packed {
    mac_op_e     op;
    logic [31:0] rs1;
    logic [31:0] rs2;
    npu_csr_t    csr;
  } mac_issue_t;

  // Operations counted since reset: a ticket is {issued + 1, unit} at the issue.
  localparam int unsigned TicketWidth = 30;

  // One-cycle pulse, not later than the cycle in which the unit's done count steps.
  typedef struct packed {
    logic        valid;
    logic [31:0] addr;
  } unit_error_t;

  // What the matrix unit did in this cycle, for utilization statistics.
  typedef struct packed {
    logic       array_busy;   // a pixel entered the array
    logic [9:0] macs;         // its K (or taps) * 16
    logic       drain_busy;   // a pixel (raw: a quarter) was stored
    logic       weight_wait;  // the next pixel waited for its weights
    logic       acc_wait;     // the next pixel waited for a drain of its row
    logic       fetch_wait;   // a run is pending and no activation vector was there
    logic       run_first;    // the pixel is the first of its run
    logic       run_last;
    logic       load_busy;    // weights or a quantization table are loaded
    logic       load_table;   // it is a table
    logic       drain_end;    // a drain (or a table load of its queue) is complete
  } mac_perf_t;

  // One step of the array's pipeline, and what becomes of its column sums.
  typedef struct packed {
    logic       write;  // a pixel: its sums go to the accumulators
    logic       last;   // the end of its run (without write: a run that moves nothing)
    logic       acc;    // add to the row instead of overwriting it
    logic [7:0] row;
  } mac_step_t;

  // An activation vector: K bytes, twice as many with int4 weights.
  localparam int unsigned VectorK = 2 * MacRows;

  // A run as the activation fetch sees it; first is 1..length here, or 0 with length 0.
  typedef struct packed {
    logic        depthwise;
    logic [31:0] addr;
    logic [8:0]  count;
    logic [5:0]  length;     // dense: bytes of a vector
    logic [5:0]  first;
    logic [4:0]  taps_x;     // depthwise: taps of a window row, window rows
    logic [4:0]  taps_y;
    npu_csr_t    csr;
  } fetch_run_t;

  // What the fetch hands to the array in a cycle: a whole vector, or four taps of a column of a
  // depthwise window.
  localparam int unsigned FetchSegs = 4;

  typedef struct packed {
    logic       last;    // completes a pixel
    logic       column;  // the first piece of a new column
    logic [1:0] group;   // window rows 4 group .. 4 group + 3
    logic [FetchSegs-1:0][MacCols*8-1:0] data;  // dense: the vector, from the lowest byte
  } fetch_item_t;

  // What the store of a drain needs to know.
  typedef struct packed {
    logic [31:0] addr;
    logic [8:0]  count;
    logic [4:0]  channels;
    logic        raw;
    logic [15:0] xcount;
    logic [31:0] xstride;
    logic [31:0] ystride;
    logic [7:0]  zero_point;
    logic [7:0]  clamp_min;
    logic [7:0]  clamp_max;
  } drain_store_t;

  // A drain or a table load in the drain's queue.
  typedef struct packed {
    logic         table_load;  // mac.ldq; otherwise mac.drain
    logic         bad;         // an operand was out of range: does nothing
    logic         once;        // requantize with one rounding
    logic [7:0]   row;
    drain_store_t store;
  } drain_cmd_t;

  // Rows of the accumulators that an operation in flight has still to touch: [next, last].
  typedef struct packed {
    logic       pending;
    logic [7:0] next;
    logic [7:0] last;
  } row_range_t;

  function automatic logic row_in_range(logic [7:0] row, row_range_t range);
    return range.pending && row >= range.next && row <= range.last;
  endfunction

  // ------------------------------------------------------------------ AXI4, 128-bit data

  localparam int unsigned AxiDataBytes = 16;

  localparam logic [1:0] AxiRespOkay = 2'b00;

  // Full-width INCR bursts at 16-byte aligned addresses, one ID a master (added by the
  // interconnect), so responses come in order. A burst's data follow its accepted address.
  typedef struct packed {
    logic         ar_valid;
    logic [31:0]  ar_addr;
    logic [7:0]   ar_len;
    logic         r_ready;
    logic         aw_valid;
    logic [31:0]  aw_addr;
    logic [7:0]   aw_len;
    logic         w_valid;
    logic [127:0] w_data;
    logic [15:0]  w_strb;
    logic         w_last;
    logic         b_ready;
  } axi_req_t;

  typedef struct packed {
    logic         ar_ready;
    logic         r_valid;
    logic [127:0] r_data;
    logic [1:0]   r_resp;
    logic         r_last;
    logic         aw_ready;
    logic         w_ready;
    logic         b_valid;
    logic [1:0]   b_resp;
  } axi_rsp_t;

  // ------------------------------------------------------------------ DMA

  // A descriptor as it lies in the scratchpad, word 0 in the lowest bits.
  typedef struct packed {
    logic [31:0] dst_stride2;
    logic [31:0] src_stride2;
    logic [31:0] reps2;
    logic [31:0] dst_stride1;
    logic [31:0] src_stride1;
    logic [31:0] reps1;
    logic [31:0] len;
    logic [31:0] dst;
    logic [31:0] src;
  } dma_shape_t;

  typedef struct packed {
    logic [4:0][31:0] reserved;
    logic [31:0]      next;
    logic [31:0]      flags;
    dma_shape_t       shape;
  } dma_desc_t;

  localparam int unsigned DmaFlagFill = 0;
  localparam int unsigned DmaFlagDone = 1;

  localparam int unsigned DmaLenW = 24;
  // Beats of TCM that reader and writer of a channel each have under way. Four aligned ones in a row
  // ask for every bank once; eight let a channel go on, too, while the oldest waits for its bank.
  // Where array, drain and both channels each move a beat a cycle, which fills all banks, a layer
  // takes 5 to 7 % longer with two beats than with four, and 4 % longer with four than with eight.
  localparam int unsigned DmaTcmBeats = 8;
  // Beats of 16 bytes that a row may touch.
  localparam int unsigned DmaBeatsW = DmaLenW - 4 + 1;

  // A row that has been checked. Memory that is not TCM is DRAM.
  typedef struct packed {
    logic               fill;
    logic               src_tcm;
    logic               dst_tcm;
    logic [3:0]         offset;   // of its first byte in the beats between reader and writer
    logic [31:0]        src;      // fill: bits 7:0 are the constant
    logic [31:0]        dst;
    logic [DmaLenW-1:0] len;
  } dma_row_t;

endpackage : npu_pkg
