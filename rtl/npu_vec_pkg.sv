// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the vector unit.

package npu_vec_pkg;

  import npu_platform_pkg::*;
  import npu_isa_pkg::*;

  localparam int unsigned VecBytes = VectorBytes;
  localparam int unsigned VecHalves = VectorBytes / 2;
  localparam int unsigned VecWords = VectorBytes / 4;
  localparam int unsigned VecWidth = 8 * VectorBytes;

  typedef logic [VecWidth-1:0] vec_t;

  // Element widths; the value is log2 of the bytes.
  typedef enum logic [1:0] {
    ElemB = 2'd0,
    ElemH = 2'd1,
    ElemW = 2'd2
  } elem_e;

  // Element in the register. What names no type moves words or does not care.
  function automatic elem_e reg_elem(vec_type_e kind);
    unique case (kind)
      TypeB: return ElemB;
      TypeH, TypeBh, TypeBhu, TypeHb, TypeHbs, TypeHbu: return ElemH;
      default: return ElemW;
    endcase
  endfunction

  // Element in memory.
  function automatic elem_e mem_elem(vec_type_e kind);
    unique case (kind)
      TypeB, TypeBh, TypeBhu, TypeBw, TypeBwu,
      TypeHb, TypeHbs, TypeHbu, TypeWb, TypeWbs, TypeWbu: return ElemB;
      TypeH, TypeHw, TypeHwu, TypeWh, TypeWhs, TypeWhu:   return ElemH;
      default:                                            return ElemW;
    endcase
  endfunction

  function automatic vec_t broadcast(elem_e elem, logic [31:0] value);
    unique case (elem)
      ElemB:   return {VecBytes{value[7:0]}};
      ElemH:   return {VecHalves{value[15:0]}};
      default: return {VecWords{value}};
    endcase
  endfunction

  // A result on its way out of the vector unit, in program order.
  typedef struct packed {
    logic       valid;
    logic       to_x;   // of a scalar register: the value is word 0
    logic [4:0] index;
    vec_t       value;
  } vec_result_t;

endpackage : npu_vec_pkg
