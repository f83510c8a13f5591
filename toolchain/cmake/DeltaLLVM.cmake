# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The few macros that LLVM's own CMakeLists.txt files call, in the form the delta build needs:
# the target's and the tools' lists of sources and of tablegen runs stay where LLVM keeps them,
# and everything they do not build comes from the installed static archives.

set(DELTA_LLVM_INCLUDES
  ${DELTA_GEN}/llvm/include
  ${LLVM_SRC}/llvm/include
  ${DELTA_STOCK}/include)

# delta_tablegen(<tool> <output> <source> <depfile include dirs...> ARGS <args...>)
function(delta_tablegen tool output source)
  cmake_parse_arguments(arg "" "" "INCLUDES;ARGS" ${ARGN})
  list(TRANSFORM arg_INCLUDES PREPEND -I)
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${output}
    COMMAND ${tool} ${arg_ARGS} ${arg_INCLUDES} ${source}
            --write-if-changed -d ${output}.d -o ${output}
    DEPENDS ${tool} ${source}
    DEPFILE ${output}.d
    COMMENT "tablegen ${output}"
    VERBATIM)
endfunction()

# LLVM's tablegen(): the source file is in LLVM_TARGET_DEFINITIONS.
macro(tablegen project output)
  delta_tablegen(${LLVM_TBLGEN} ${CMAKE_CURRENT_BINARY_DIR}/${output}
    ${CMAKE_CURRENT_SOURCE_DIR}/${LLVM_TARGET_DEFINITIONS}
    INCLUDES ${CMAKE_CURRENT_SOURCE_DIR} ${LLVM_SRC}/llvm/include
    ARGS ${ARGN})
  list(APPEND TABLEGEN_OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output})
endmacro()

macro(add_public_tablegen_target name)
  add_custom_target(${name} DEPENDS ${TABLEGEN_OUTPUT})
  list(APPEND DELTA_TABLEGEN_TARGETS ${name})
endmacro()

function(delta_target_options target)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
  # System headers, so that our own warnings stand out.
  target_include_directories(${target} SYSTEM PRIVATE ${DELTA_LLVM_INCLUDES})
  add_dependencies(${target} ${DELTA_TABLEGEN_TARGETS})
endfunction()

function(delta_sources result)
  set(sources)
  foreach(file ${ARGN})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    else()
      message(WARNING "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt lists ${file}, which is missing")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endif()
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# A library of the target. Its assertions are on: they cost little beside the stock code.
function(add_llvm_component_library name)
  cmake_parse_arguments(arg "" "ADD_TO_COMPONENT" "LINK_COMPONENTS;DEPENDS;ADDITIONAL_HEADER_DIRS" ${ARGN})
  delta_sources(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT sources)
    return()
  endif()
  add_library(${name} STATIC ${sources})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  # Not in the code generator: GlobalISel's LegalizeRuleSet has other members with assertions.
  if(NOT name STREQUAL LLVMNPUCodeGen)
    target_compile_options(${name} PRIVATE -UNDEBUG)
  endif()
  target_include_directories(${name} PRIVATE ${NPU_TARGET_SRC} ${NPU_TARGET_GEN})
  delta_target_options(${name})
  set_property(GLOBAL APPEND PROPERTY DELTA_TARGET_LIBRARIES ${name})
endfunction()

macro(add_llvm_target name)
  add_llvm_component_library(LLVM${name} ${ARGN})
endmacro()

macro(add_llvm_component_group)
endmacro()
macro(add_llvm_tool_symlink)
endmacro()
macro(export_executable_symbols_for_plugins)
endmacro()
macro(setup_host_tool)
endmacro()

# Link: own objects, the target, the rebuilt upstream files, then what the archives still have
# to provide. The first definition in this order wins, so a replaced member is never pulled.
function(delta_link tool)
  get_property(target_libraries GLOBAL PROPERTY DELTA_TARGET_LIBRARIES)
  target_link_libraries(${tool} PRIVATE
    ${target_libraries} DeltaLLVM ${DELTA_STOCK_LLVM} ${DELTA_SYSTEM_LIBRARIES})
endfunction()

# A library that is private to a tool: its name comes from the stock archives' names, so it is
# linked as objects, before them.
function(add_llvm_library name)
  cmake_parse_arguments(arg "STATIC;PARTIAL_SOURCES_INTENDED" "" "DEPENDS" ${ARGN})
  delta_sources(sources ${arg_UNPARSED_ARGUMENTS})
  add_library(${name} OBJECT ${sources})
  delta_target_options(${name})
endfunction()

function(add_llvm_tool name)
  cmake_parse_arguments(arg "PARTIAL_SOURCES_INTENDED;SUPPORT_PLUGINS;EXPORT_SYMBOLS;GENERATE_DRIVER" "" "DEPENDS" ${ARGN})
  delta_sources(sources ${arg_UNPARSED_ARGUMENTS})
  if(arg_GENERATE_DRIVER)
    string(REPLACE - _ TOOL_NAME ${name})
    configure_file(${LLVM_SRC}/llvm/cmake/modules/llvm-driver-template.cpp.in
      ${DELTA_GEN}/${name}-driver.cpp)
    list(APPEND sources ${DELTA_GEN}/${name}-driver.cpp)
  endif()
  add_executable(${name} ${sources})
  delta_target_options(${name})
  delta_link(${name})
endfunction()
