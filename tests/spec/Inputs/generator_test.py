# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of isa-spec/gen, each broken once in a copy of the real description."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop())
GENERATOR = ROOT / "isa-spec/gen/npu_isa_gen.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(GENERATOR.parent))

import npu_isa_gen  # noqa: E402
from isa import IsaError, load_isa  # noqa: E402
from isa_rules import check_builtins, check_isa, check_timing  # noqa: E402
from platform_emit import load_platform  # noqa: E402


def find_tools():
    tblgen = npu_isa_gen.find_tblgen()
    return tblgen, pathlib.Path(tblgen).resolve().parents[1] / "include"


def load_dump():
    return npu_isa_gen.dump_json(*find_tools(), ROOT / npu_isa_gen.TARGET_DIR)


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        dump = load_dump()
        classes = ("NPUInst", "SysReg", "WriteRes")
        cls.dump = {name: dump[name] for kind in classes for name in dump["!instanceof"][kind]}
        cls.dump["NPUSchedModel"] = dump["NPUSchedModel"]
        cls.dump["!instanceof"] = {kind: dump["!instanceof"][kind] for kind in classes}
        tblgen, include = find_tools()
        cls.builtins = (
            npu_isa_gen.intrinsic_names(tblgen, include, ROOT / npu_isa_gen.INTRINSICS),
            npu_isa_gen.builtin_names(tblgen, ROOT / npu_isa_gen.BUILTINS),
            (ROOT / npu_isa_gen.BUILTINS_CHAPTER).read_text(encoding="utf-8"))

    def assert_refused(self, change, message):
        dump = copy.deepcopy(self.dump)
        change(dump)
        with self.assertRaisesRegex(IsaError, message):
            check_isa(load_isa(dump))

    def test_real_description_passes(self):
        isa = load_isa(self.dump)
        check_isa(isa)
        check_builtins(isa, *self.builtins)
        check_timing(self.dump, load_platform(ROOT / "isa-spec/platform.json"))

    def test_latency_that_differs_from_the_platform(self):
        platform = copy.deepcopy(load_platform(ROOT / "isa-spec/platform.json"))
        platform["timing"]["mul_latency"] += 1
        with self.assertRaisesRegex(IsaError, "^WriteIMul: the scheduling model says latency"):
            check_timing(self.dump, platform)

    def test_overlap(self):
        def change(dump):
            dump["MAC_RUN"]["Inst"][25:32] = dump["MAC_LDW"]["Inst"][25:32]
        self.assert_refused(change, "MAC_(LDW|RUN) and MAC_(LDW|RUN) overlap")

    def test_overlap_through_ignored_bits(self):
        def change(dump):
            dump["MAC_LDQ"]["Ignored"][25] = dump["MAC_LDQ"]["Ignored"][26] = 1
        self.assert_refused(change, "overlap: both match")

    def test_no_semantics(self):
        self.assert_refused(lambda dump: dump["ADD"].update(Semantics=""), "^ADD: no semantics")

    def test_no_description(self):
        self.assert_refused(lambda dump: dump["DMA_START"].update(Description=""),
                            "^DMA_START: no description")

    def test_no_scheduling_class(self):
        self.assert_refused(lambda dump: dump["MUL"].update(SchedRW=[]), "^MUL: no sched")

    def test_unknown_extension(self):
        self.assert_refused(lambda dump: dump["ADD"].update(Extension="Q"),
                            "^ADD: unknown extension 'Q'")

    def test_opcode_of_another_extension(self):
        self.assert_refused(lambda dump: dump["NPU_WAIT"].update(Extension="I"),
                            "^NPU_WAIT: opcode 0x0b does not belong to extension I")

    def test_operand_that_is_not_encoded(self):
        def change(dump):
            dump["NPU_WAIT"]["AsmString"] = "npu.wait\t$rs1, $rs3"
        self.assert_refused(change, "^NPU_WAIT: operand rs3 is not encoded")

    def test_bit_without_value(self):
        def change(dump):
            dump["ADD"]["Inst"][31] = None
        self.assert_refused(change, "^ADD: bit 31 of Inst is not set")

    def test_csr_number_twice(self):
        def change(dump):
            dump["SysRegMIE"]["Encoding"] = dump["SysRegMTVEC"]["Encoding"]
        self.assert_refused(change, "share number 0x305")

    def test_writable_csr_in_read_only_range(self):
        self.assert_refused(lambda dump: dump["SysRegNINFO"].update(Access="rw"),
                            "CSR ninfo: number 0xfc0 contradicts access rw")

    def test_instruction_out_of_reach_of_c(self):
        isa = load_isa(self.dump)
        intrinsics, builtins, manual = self.builtins
        for message, changed in (
                ("MAC_DRAIN: no mac_drain in IntrinsicsNPU.td",
                 (intrinsics - {"npu_mac_drain"}, builtins, manual)),
                ("V_RDPOT_H: no v_rdpot_h in IntrinsicsNPU.td",
                 (intrinsics - {"npu_v_rdpot_h"}, builtins, manual)),
                ("V_STM_WBU: no v_stm_wbu in BuiltinsNPU.td",
                 (intrinsics, builtins - {"v_stm_wbu"}, manual)),
                ("V_LUT2: chapter 7 of the manual does not name lut2",
                 (intrinsics, builtins, manual.replace("lut2", "")))):
            with self.assertRaisesRegex(IsaError, message):
                check_builtins(isa, *changed)


class Platform(unittest.TestCase):
    def assert_refused(self, change, message):
        platform = json.loads((ROOT / "isa-spec/platform.json").read_text(encoding="utf-8"))
        change(platform)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "platform.json"
            path.write_text(json.dumps(platform), encoding="utf-8")
            with self.assertRaisesRegex(IsaError, message):
                load_platform(path)

    def test_overlapping_regions(self):
        def change(platform):
            platform["memory"]["large"][0]["size"] = "0x20000000"
        self.assert_refused(change, "itcm and tcm overlap in configuration large")

    def test_region_beyond_the_address_space(self):
        def change(platform):
            platform["memory"]["default"][2]["size"] = "0x80000001"
        self.assert_refused(change, "dram ends beyond 32 bits in configuration default")

    def test_base_that_depends_on_the_configuration(self):
        def change(platform):
            platform["memory"]["large"][1]["base"] = "0x30000000"
        self.assert_refused(change, "base of tcm differs between configurations")


class Staleness(unittest.TestCase):
    def test_stale_and_missing_files_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            copy_root = pathlib.Path(folder)
            for name in ("llvm-project-overlay", "rtl", "runtime", "isa-spec/platform.json",
                         "isa-spec/manual"):
                target = copy_root / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(ROOT / name)
            generated = copy_root / "isa-spec/model/generated"
            generated.mkdir(parents=True)
            for path in (ROOT / "isa-spec/model/generated").iterdir():
                if path.name != "npu_isa.inc":
                    (generated / path.name).write_text(path.read_text(encoding="utf-8"),
                                                       encoding="utf-8")
            header = generated / "npu_platform.h"
            header.write_text(header.read_text(encoding="utf-8") + "\n", encoding="utf-8")
            done = subprocess.run([sys.executable, str(GENERATOR), "--check", "--root", folder],
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertEqual(
            [line.split()[1] for line in done.stderr.splitlines()],
            ["isa-spec/model/generated/npu_isa.inc", "isa-spec/model/generated/npu_platform.h"])


if __name__ == "__main__":
    unittest.main()
