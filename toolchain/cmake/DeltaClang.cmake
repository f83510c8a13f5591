# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Clang: the NPU's files, the upstream files that the overlay changes, and those that read a
# regenerated table or Clang's build configuration.

set(CLANG_SRC ${LLVM_SRC}/clang)
set(DELTA_CLANG_INCLUDES ${DELTA_GEN}/clang/include ${CLANG_SRC}/include)

# Debian's configuration prefers GNU tools; the NPU has LLVM's linker and runtime alone.
file(READ ${DELTA_STOCK}/include/clang/Config/config.h config)
foreach(setting LINKER=lld RTLIB=compiler-rt UNWINDLIB=none OBJCOPY=llvm-objcopy)
  string(REPLACE = ";" setting ${setting})
  list(GET setting 0 name)
  list(GET setting 1 value)
  string(REGEX REPLACE "(#define CLANG_DEFAULT_${name}) [^\n]*" "\\1 \"${value}\"" config "${config}")
endforeach()
file(CONFIGURE OUTPUT ${DELTA_GEN}/clang/include/clang/Config/config.h CONTENT "${config}" @ONLY)

set(generated)
foreach(run
    "Basic/BuiltinsNPU.inc Basic/BuiltinsNPU.td -gen-clang-builtins"
    "Basic/AttrHasAttributeImpl.inc Basic/Attr.td -gen-clang-attr-has-attribute-impl"
    "Parse/AttrParserStringSwitches.inc Basic/Attr.td -gen-clang-attr-parser-string-switches"
    "Sema/AttrParsedAttrImpl.inc Basic/Attr.td -gen-clang-attr-parsed-attr-impl")
  separate_arguments(run)
  list(POP_FRONT run output source)
  delta_tablegen(${CLANG_TBLGEN} ${DELTA_GEN}/clang/include/clang/${output}
    ${CLANG_SRC}/include/clang/${source} INCLUDES ${CLANG_SRC}/include ARGS ${run})
  list(APPEND generated ${DELTA_GEN}/clang/include/clang/${output})
endforeach()
add_custom_target(DeltaClangHeaders DEPENDS ${generated})
list(APPEND DELTA_TABLEGEN_TARGETS DeltaClangHeaders)

add_library(DeltaClang STATIC
  ${CLANG_SRC}/lib/Basic/Attributes.cpp
  ${CLANG_SRC}/lib/Basic/Targets.cpp
  ${CLANG_SRC}/lib/Basic/Targets/NPU.cpp
  ${CLANG_SRC}/lib/CodeGen/CodeGenModule.cpp
  ${CLANG_SRC}/lib/CodeGen/Targets/NPU.cpp
  ${CLANG_SRC}/lib/Driver/Driver.cpp
  ${CLANG_SRC}/lib/Driver/ToolChain.cpp
  ${CLANG_SRC}/lib/Driver/ToolChains/BareMetal.cpp
  ${CLANG_SRC}/lib/Driver/ToolChains/Clang.cpp
  ${CLANG_SRC}/lib/Driver/ToolChains/CommonArgs.cpp
  ${CLANG_SRC}/lib/Parse/ParseDecl.cpp
  ${CLANG_SRC}/lib/Sema/ParsedAttr.cpp
  ${CLANG_SRC}/lib/Sema/SemaChecking.cpp
  ${CLANG_SRC}/lib/Sema/SemaDeclAttr.cpp
  ${CLANG_SRC}/lib/Sema/SemaNPU.cpp)
add_executable(clang
  ${CLANG_SRC}/tools/driver/driver.cpp
  ${CLANG_SRC}/tools/driver/cc1_main.cpp
  ${CLANG_SRC}/tools/driver/cc1as_main.cpp
  ${CLANG_SRC}/tools/driver/cc1gen_reproducer_main.cpp
  ${DELTA_GEN}/clang-driver.cpp)
set(TOOL_NAME clang)
configure_file(${LLVM_SRC}/llvm/cmake/modules/llvm-driver-template.cpp.in
  ${DELTA_GEN}/clang-driver.cpp)
foreach(target DeltaClang clang)
  target_include_directories(${target} PRIVATE ${DELTA_CLANG_INCLUDES}
    ${CLANG_SRC}/lib/Basic ${CLANG_SRC}/lib/CodeGen ${CLANG_SRC}/lib/Driver ${CLANG_SRC}/lib/Sema)
  delta_target_options(${target})
endforeach()
file(GLOB stock_clang ${DELTA_STOCK}/lib/libclang[A-Z]*.a)
target_link_libraries(clang PRIVATE DeltaClang ${stock_clang})
delta_link(clang)
