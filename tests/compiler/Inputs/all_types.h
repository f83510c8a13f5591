// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In front of a test of compiler-rt that asks for the 80-bit long double without using it.

#include "int_lib.h"
#undef HAS_80_BIT_LONG_DOUBLE
#define HAS_80_BIT_LONG_DOUBLE 1
