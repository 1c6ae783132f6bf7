# SPDX-License-Identifier: Apache-2.0
"""`railwright import` from files to a simulated scenario. Usage: import_test.py RAILWRIGHT REPOSITORY"""

import json
import math
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
SAMPLES = ROOT / "tests/importers/samples"
BASE = "examples/llama-2-70b-six-nodes.yaml"
OK, BAD_INPUT, UNKNOWN = 0, 2, 4


def railwright(*arguments):
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], cwd=ROOT, capture_output=True, timeout=120, check=False
    )


class Import(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = Path(self.folder.name) / "out.yaml"

    def simulated(self, base, *artefacts, settings=(), code=OK):
        done = railwright("import", *artefacts, "--base", base, "-o", self.out)
        self.assertEqual((done.returncode, done.stdout), (code, b""), done.stderr)
        self.assertNotIn(b"not yet a scenario", done.stderr)
        words = [word for setting in settings for word in ("--set", setting)]
        done = railwright("simulate", self.out, "--estimate", "--format", "json", *words)
        self.assertEqual(done.returncode, OK, done.stderr)
        return json.loads(done.stdout)

    def test_a_node_becomes_the_node_of_a_scenario(self):
        result = self.simulated(BASE, "nccl-topology", SAMPLES / "nccl/eight-h100.xml")
        self.assertGreater(result["step_time_s"], 0)
        # The catalogue's node has the same parts on four PCIe switches in place of eight.
        by_hand = railwright("simulate", BASE, "--estimate", "--format", "json",
                             "--set", "cluster.node.num_pcie_switches=8")
        self.assertAlmostEqual(
            result["step_time_s"] / json.loads(by_hand.stdout)["step_time_s"], 1, delta=1e-3)

    def test_a_fabric_is_built_as_it_was_found(self):
        fabric = SAMPLES / "ibnetdiscover/rails.txt"
        done = railwright("import", fabric, "--base", BASE, "-o", self.out)
        self.assertEqual(done.returncode, OK, done.stderr)
        bill = railwright("topology", self.out, "--format", "json")
        self.assertEqual(bill.returncode, OK, bill.stderr)
        text = bill.stdout.decode()
        found = {s["tier"]: (s["count"], s["ports_down"], s["ports_up"])
                 for s in json.loads(text)["switches"] if s["tier"] in ("leaf", "spine")}
        # 8 leaves with 4 hosts and 4 uplinks each, which 2 spines share
        self.assertEqual(found, {"leaf": (8, 32, 32), "spine": (2, 32, 0)}, text[:3000])

    def test_a_recipe_with_a_node(self):
        result = self.simulated(
            BASE, SAMPLES / "nccl/eight-h100.xml", SAMPLES / "nemo/llama2-70b.yaml",
            settings=["cluster.nodes=8"])  # what one switch holds
        self.assertEqual(result["num_accelerators"], 64)
        self.assertEqual(result["steps"], 300000)

    def test_a_megatron_script(self):
        result = self.simulated("examples/neutral-llama-2-7b.yaml",
                                "megatron", SAMPLES / "megatron/llama-8b.txt",
                                settings=["workload.micro_batch=1"],
                                code=UNKNOWN)  # $MBS, which the script does not set
        self.assertEqual(result["steps"], 100)

    def test_the_file_that_ran_narrows_the_interval(self):
        """It states the recipe, which the profile that it names fills in otherwise."""
        files = ("examples/neutral-llama-2-7b.yaml", "megatron", SAMPLES / "megatron/llama-8b.txt")
        imported = self.simulated(*files, settings=["workload.micro_batch=1"], code=UNKNOWN)
        done = railwright("simulate", self.out, "--estimate", "--format", "json",
                          "--set", "workload.micro_batch=1", "--set", "software=megatron-core-0.12")
        by_profile = json.loads(done.stdout)
        self.assertGreater(len(by_profile["unstated"]), len(imported["unstated"]))

        def width(result):
            return math.log(result["step_time_high_s"] / result["step_time_low_s"])

        self.assertLess(width(imported), width(by_profile))

    def test_json_says_it_all(self):
        done = railwright("import", SAMPLES / "deepspeed/metrum-8b.json", "--format", "json")
        report = json.loads(done.stdout)
        self.assertEqual(report["files"][0]["kind"], "deepspeed")
        bucket = [v for v in report["values"] if v["path"] == "software.bucket"][0]
        self.assertEqual((bucket["value"], bucket["assumed"]), ("400 MB", True))
        self.assertIn("workload.global_batch", [n["path"] for n in report["not_known"]])

    def test_what_is_missing_for_a_scenario_is_said(self):
        base = Path(self.folder.name) / "base.yaml"
        base.write_text("name: nothing else\n")
        done = railwright("import", SAMPLES / "deepspeed/metrum-8b.json", "--base", base)
        self.assertEqual(done.returncode, OK)
        self.assertIn(b"not yet a scenario", done.stderr)
        self.assertIn(b"missing key 'cluster'", done.stderr)

    def test_bad_files_write_nothing(self):
        junk = Path(self.folder.name) / "junk"
        junk.write_bytes(bytes(random.Random(7).randrange(256) for _ in range(5000)))
        kinds = ["nccl-topology", "nvidia-smi-topo", "ibnetdiscover", "slurm-topology",
                 "hugging-face", "megatron", "nemo", "deepspeed", "slurm-jobs", "torchtitan",
                 "gpt-neox", "nanotron", "torchtune", "maxtext", "primus", "mlperf",
                 "megatron-bridge", "post-training", "accelerate", "trainer", "serving-launch"]
        for kind in kinds:
            done = railwright("import", kind, junk, "-o", self.out)
            self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, b""), kind)
            self.assertIn(b"junk", done.stderr)
        self.assertEqual([p.name for p in Path(self.folder.name).iterdir()], ["junk"])

    def test_samples_cut_anywhere_neither_crash_nor_hang(self):
        chance = random.Random(11)
        for sample in sorted(SAMPLES.rglob("*.*")):
            if sample.name == "README.md":
                continue
            kind = json.loads(railwright("import", sample, "--format", "json").stdout)["files"][0]
            data = bytearray(sample.read_bytes())
            cut = Path(self.folder.name) / "cut"
            for _ in range(6):
                piece = bytearray(data[: chance.randrange(1, len(data))])
                for _ in range(chance.randrange(4)):
                    piece[chance.randrange(len(piece))] = chance.randrange(256)
                cut.write_bytes(piece)
                done = railwright("import", kind["kind"], cut, "-o", self.out)
                self.assertIn(done.returncode, (OK, BAD_INPUT, UNKNOWN), (sample, bytes(piece)))

    def test_misuse(self):
        for arguments, said in [
            (["hugging-fce", "x"], b"did you mean the kind 'hugging-face'?"),
            (["hugging-face"], b"a kind without a file"),
            (["nemo", "megatron", "LICENSE"], b"the kind before it has no file"),
            (["LICENSE"], b"not like anything that can be imported"),
            (["docs"], b"not a plain one"),
            ([str(SAMPLES / "slurm/tree.conf"), "--base", "nowhere.yaml"], b"nowhere.yaml"),
            ([str(SAMPLES / "slurm/tree.conf"), "-o", "/nowhere/at/all.yaml"], b"cannot be written"),
        ]:
            done = railwright("import", *arguments)
            self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, b""), arguments)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
