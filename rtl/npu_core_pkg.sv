// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the scalar core that leave it: retire trace, debug port, stall causes.

package npu_core_pkg;

  // Machine-mode trap causes that the core raises.
  localparam logic [4:0] CauseFetchMisaligned = 5'd0;
  localparam logic [4:0] CauseFetchFault = 5'd1;
  localparam logic [4:0] CauseIllegal = 5'd2;
  localparam logic [4:0] CauseBreakpoint = 5'd3;
  localparam logic [4:0] CauseLoadMisaligned = 5'd4;
  localparam logic [4:0] CauseLoadFault = 5'd5;
  localparam logic [4:0] CauseStoreMisaligned = 5'd6;
  localparam logic [4:0] CauseStoreFault = 5'd7;
  localparam logic [4:0] CauseEcall = 5'd11;

  // Interrupt numbers, which are bit numbers of mip and mie.
  localparam int unsigned IrqSoftware = 3;
  localparam int unsigned IrqTimer = 7;
  localparam int unsigned IrqExternal = 11;
  localparam int unsigned IrqDma = 16;
  localparam int unsigned IrqError = 17;

  // One event a cycle: an instruction that retired, one that trapped, or an
  // interrupt taken in front of the instruction at pc.
  typedef enum logic [1:0] {
    RetireNone,
    RetireInsn,
    RetireTrap,
    RetireIrq
  } retire_kind_e;

  typedef struct packed {
    retire_kind_e kind;
    logic [31:0]  pc;
    logic [31:0]  insn;
    logic         rd_we;
    logic [4:0]   rd;
    logic [31:0]  rd_data;
    logic         mem_re;
    logic         mem_we;
    logic [31:0]  mem_addr;   // as the instruction computed it
    logic [3:0]   mem_be;     // byte lanes of the aligned word
    logic [31:0]  mem_wdata;  // on its byte lanes
    logic [4:0]   cause;
    logic [31:0]  tval;
  } retire_t;

  // Why no instruction left the execute stage in this cycle.
  typedef enum logic [3:0] {
    StallNone,     // one did
    StallFetch,    // nothing fetched: jump and trap bubbles, ITCM port taken
    StallIcache,   // nothing fetched: a line of the cache is refilled
    StallLoadUse,  // operand of a load not there yet
    StallMulUse,   // the same of a multiplication
    StallVector,   // the same of a vector instruction, or its pipeline is taken
    StallMemory,   // DRAM access under way
    StallDiv,
    StallWait,     // npu.wait
    StallFence,    // npu.fence
    StallQueue,    // queue of the unit full
    StallWfi,
    StallDebug
  } stall_e;

  // The pipeline in front of the execute stage, for those who watch.
  typedef struct packed {
    logic        fetch;        // a request to instruction memory that will be answered
    logic [31:0] fetch_pc;
    logic        decode;       // an instruction is in decode
    logic [31:0] decode_pc;
    logic [31:0] decode_word;
    logic        issue;        // it moves on to execute
    logic        redirect;     // all of this is dropped
  } pipe_t;

  // Debug port. All requests but halt are ignored unless the core is halted.
  typedef struct packed {
    logic        halt;       // halt in front of the instruction in execute; low again to resume
    logic        resume;     // leave the halt at pc
    logic        flush;      // with resume: forget cached instructions
    logic        trap;       // leave the halt at an EBREAK through an ordinary breakpoint trap
    logic [31:0] pc;
    logic        reg_we;     // a CSR is written as by CSRRW
    logic [12:0] reg_addr;   // as in the RISC-V debug specification: 0x1000 + n = x[n], else a CSR
    logic [31:0] reg_wdata;
    logic        mem_req;    // hold until mem_ack
    logic        mem_we;
    logic [1:0]  mem_size;   // log2 of the bytes
    logic [31:0] mem_addr;
    logic [31:0] mem_wdata;  // in the low bits
  } debug_req_t;

  typedef struct packed {
    logic        halted;
    logic        busy;       // the instruction in execute is on the bus: no halt in front of it
    logic [31:0] pc;         // of the instruction in execute
    logic [31:0] reg_rdata;  // same cycle
    logic        mem_ack;
    logic        mem_error;  // with mem_ack
    logic [31:0] mem_rdata;  // the cycle after mem_ack, in the low bits
  } debug_rsp_t;

endpackage : npu_core_pkg
