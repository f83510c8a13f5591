# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds Verilator: NPU_VERILATOR (program) and verilator_root (its library).

include_guard(DIRECTORY)

find_program(NPU_VERILATOR NAMES verilator_bin verilator REQUIRED
  DOC "Verilator 5.006 or newer")
find_program(MAKE_PROGRAM NAMES make REQUIRED)

# A Verilator that was not installed finds its library beside its folder of programs.
get_filename_component(verilator_bin ${NPU_VERILATOR} REALPATH)
get_filename_component(verilator_root ${verilator_bin} DIRECTORY)
get_filename_component(verilator_root ${verilator_root} DIRECTORY)
if(NOT EXISTS ${verilator_root}/include/verilated.h)
  set(verilator_root ${verilator_root}/share/verilator)
endif()
if(NOT EXISTS ${verilator_root}/include/verilated.h)
  message(FATAL_ERROR "${NPU_VERILATOR} has no include/verilated.h in the folder above it or in share/verilator")
endif()
