# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lld's ELF linker: the files that the overlay changes, and the driver, which registers targets.

set(LLD_SRC ${LLVM_SRC}/lld)
delta_tablegen(${LLVM_TBLGEN} ${DELTA_GEN}/lld/ELF/Options.inc ${LLD_SRC}/ELF/Options.td
  INCLUDES ${LLD_SRC}/ELF ${LLVM_SRC}/llvm/include ARGS -gen-opt-parser-defs)
add_custom_target(DeltaLLDHeaders DEPENDS ${DELTA_GEN}/lld/ELF/Options.inc)
list(APPEND DELTA_TABLEGEN_TARGETS DeltaLLDHeaders)
file(STRINGS ${DELTA_STOCK}/include/llvm/Config/llvm-config.h LLD_VERSION
  REGEX "#define LLVM_VERSION_STRING")
string(REGEX REPLACE ".*\"(.*)\"" "\\1" LLD_VERSION "${LLD_VERSION}")
configure_file(${LLD_SRC}/include/lld/Common/Version.inc.in
  ${DELTA_GEN}/lld/include/lld/Common/Version.inc)

add_library(DeltaLLD STATIC
  ${LLD_SRC}/ELF/Arch/RISCV.cpp
  ${LLD_SRC}/ELF/Driver.cpp
  ${LLD_SRC}/ELF/InputFiles.cpp)
add_executable(ld.lld ld_lld.cpp)
foreach(target DeltaLLD ld.lld)
  target_include_directories(${target} PRIVATE
    ${DELTA_GEN}/lld/ELF ${DELTA_GEN}/lld/include ${LLD_SRC}/include ${LLD_SRC}/ELF)
  delta_target_options(${target})
endforeach()
target_link_libraries(ld.lld PRIVATE DeltaLLD
  ${DELTA_STOCK}/lib/liblldELF.a ${DELTA_STOCK}/lib/liblldCommon.a)
delta_link(ld.lld)
