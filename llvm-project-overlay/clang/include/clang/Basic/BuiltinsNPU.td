// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtins of the NPU: each maps to the intrinsic of the same name in
// llvm/IR/IntrinsicsNPU.td. SemaNPU checks the ranges of the constant operands.

include "clang/Basic/BuiltinsBase.td"

def NPUPrefix : NamePrefix<"__builtin_npu_">;

class NPUBuiltin<string prototype> : TargetBuiltin {
  let Spellings = [NAME];
  let Attributes = [NoThrow];
  let RequiredNamePrefix = NPUPrefix;
  let Prototype = prototype;
}

def mac_ldw   : NPUBuiltin<"unsigned int(void const *, unsigned int)">;
def mac_run   : NPUBuiltin<"unsigned int(void const *, unsigned int)">;
def mac_dw    : NPUBuiltin<"unsigned int(void const *, unsigned int)">;
def mac_ldq   : NPUBuiltin<"unsigned int(void const *)">;
def mac_drain : NPUBuiltin<"unsigned int(void *, unsigned int)">;

def dma_start : NPUBuiltin<"unsigned int(void const *, _Constant unsigned int)">;

def wait  : NPUBuiltin<"void(unsigned int)">;
def poll  : NPUBuiltin<"unsigned int(unsigned int)">;
def fence : NPUBuiltin<"void(_Constant unsigned int)">;

def csr_read  : NPUBuiltin<"unsigned int(_Constant unsigned int)">;
def csr_write : NPUBuiltin<"void(_Constant unsigned int, unsigned int)">;
