# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# CMake toolchain file for programs and libraries of the NPU.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR npu)
set(NPU_TOOLCHAIN_BIN ${CMAKE_CURRENT_LIST_DIR}/../build/toolchain/bin)
get_filename_component(NPU_TOOLCHAIN_BIN ${NPU_TOOLCHAIN_BIN} ABSOLUTE)

set(CMAKE_C_COMPILER ${NPU_TOOLCHAIN_BIN}/clang)
set(CMAKE_CXX_COMPILER ${NPU_TOOLCHAIN_BIN}/clang++)
set(CMAKE_ASM_COMPILER ${NPU_TOOLCHAIN_BIN}/clang)
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET npu-unknown-elf)
endforeach()
set(CMAKE_AR ${NPU_TOOLCHAIN_BIN}/llvm-ar)
set(CMAKE_RANLIB ${NPU_TOOLCHAIN_BIN}/llvm-ranlib)
set(CMAKE_NM ${NPU_TOOLCHAIN_BIN}/llvm-nm)
set(CMAKE_OBJCOPY ${NPU_TOOLCHAIN_BIN}/llvm-objcopy)
set(CMAKE_OBJDUMP ${NPU_TOOLCHAIN_BIN}/llvm-objdump)
set(CMAKE_STRIP ${NPU_TOOLCHAIN_BIN}/llvm-strip)

# The compiler is checked before the libraries that a link needs exist.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "")
endif()
