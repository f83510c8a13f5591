// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions and interrupts. crt0 installs a trap vector that calls the functions declared here;
// each has a default in libnpu.a that a program overrides by defining a function of the same name.

#ifndef NPU_TRAP_H
#define NPU_TRAP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Exit status of a program that the default handlers end.
#define NPU_TRAP_EXIT_STATUS 70

// The interrupted program. A handler may change it: execution goes on with these values.
typedef struct npu_trap_frame {
  uint32_t pc;    // mepc
  uint32_t x[31]; // x[n - 1] is register xn, n = 1..31
  uint32_t cause; // mcause
  uint32_t value; // mtval
} npu_trap_frame;

// Called for every exception, on a stack of 1 KiB of its own, with interrupts off. The default
// prints the cause, mepc, mtval and all registers to standard error by semihosting and ends the
// program with NPU_TRAP_EXIT_STATUS. An exception inside the handler ends the program at once.
// Vector registers are kept for the program that a handler returns to, but are not in the frame.
void npu_exception_handler(npu_trap_frame *frame);

// Called for interrupts, on the interrupted stack (which needs 2,128 bytes more than the handler
// does), with interrupts off and all registers saved (chapter 2 of the manual: "Interrupts"). Where
// the cycles for that count, put a function with __attribute__((interrupt)), which saves the
// registers that it uses, into mtvec itself. A handler removes the interrupt's source before it returns: moves mtimecmp, clears
// msip, quiets the external device, or writes ones to the bits of nstatus. The defaults report the interrupt as unexpected and
// end the program with NPU_TRAP_EXIT_STATUS.
void npu_software_interrupt_handler(void); // mie bit 3
void npu_timer_interrupt_handler(void);    // mie bit 7
void npu_external_interrupt_handler(void); // mie bit 11
void npu_dma_interrupt_handler(void);      // mie bit 16
void npu_error_interrupt_handler(void);    // mie bit 17

#ifdef __cplusplus
}
#endif

#endif // NPU_TRAP_H
