# SPDX-License-Identifier: Apache-2.0
"""Questions without a file, what is chosen for them, and the first words of the program.

usage: question_test.py RAILWRIGHT REPOSITORY"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, Program, railwright

ASKED = ["simulate", "--model", "llama-3.1-70b", "--nodes", "48"]


class Questions(Program):
    def test_saved_scenario_gives_the_same_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "mine.yaml")
            asked = self.data(*ASKED, "--tokens", "1.5T", "--save", str(file))
            self.assertIn("chosen", asked)
            saved = self.data("simulate", str(file))
            self.assertNotIn("chosen", saved)
            self.assertEqual(saved["training_time_s"], asked["training_time_s"])
            self.assertIn("# chosen: ", file.read_text())
            piped = railwright("simulate", "-", "--format", "json", input=file.read_text())
            self.assertEqual(json.loads(piped.stdout)["training_time_s"], saved["training_time_s"])

    def test_choices_are_said_with_reasons(self):
        text = self.good(*ASKED)
        self.assertIn("fits: 48 x dgx-h100, 384 accelerators", text)
        chosen = text[text.index("chosen for you") :].splitlines()[1:]
        self.assertGreater(len(chosen), 4)
        for line in chosen:
            self.assertRegex(line, r"^  [a-z_.]+=.+  # .+")

    def test_settings_reach_a_question(self):
        told = self.data(*ASKED, "--set", "workload.sequence_length=4096")
        keys = [one["key"] for one in told["chosen"]]
        self.assertNotIn("workload.sequence_length", keys)

    def test_service_in_a_line(self):
        told = self.data("size", "--model", "llama-3.3-70b", "--users", "2000", "--tpot", "40ms")
        self.assertTrue(told["feasible"])
        self.assertLessEqual(told["time_per_output_token_s"], 0.04)

    def test_designs_side_by_side_without_a_file(self):
        asked = ["compare", "--model", "llama-2-7b", "--nodes", "4"]
        told = self.data(*asked, "--vary", "cluster.node.nics.count=4,8")
        self.assertEqual([one["name"] for one in told["designs"]], ["nics.count=4", "nics.count=8"])
        alone = self.data("simulate", *asked[1:], "--set", "cluster.node.nics.count=4")
        self.assertEqual(told["designs"][0]["result"]["step_time_s"], alone["step_time_s"])
        self.assertIn("give --vary", self.bad(*asked))

    def test_each_design_has_what_suits_it(self):
        told = self.data("compare", "--model", "llama-3.1-70b", "--vary", "cluster.nodes=2,16")
        reasons = [one["why"] for one in told["chosen"] if one["key"] == "parallelism"]
        self.assertEqual(len(reasons), 2)
        self.assertTrue(reasons[0].startswith("for cluster.nodes=2: "))
        self.assertEqual([one["key"] for one in told["chosen"]].count("software"), 1)
        self.assertTrue(all(one["result"]["feasible"] for one in told["designs"]))

    def test_fabric_without_a_file(self):
        told = self.data("topology", "--node", "dgx-h100", "--nodes", "32")
        self.assertEqual(told["num_nodes"], 32)
        self.assertEqual([one["key"] for one in told["chosen"]], ["cluster.fabric"])
        self.assertIn("--nodes N", self.bad("topology", "--node", "dgx-h100"))

    def test_mistakes_name_the_word(self):
        self.assertIn("write days or weeks", self.bad("size", "--model", "llama-2-7b", "--tokens", "1T", "--deadline", "3mo"))
        shown = self.bad("catalogue", "show", "gb2000x")
        self.assertLess(len(shown), 400)
        self.assertIn("--tokens nonsense", self.bad("size", "--model", "llama-2-7b", "--tokens", "nonsense", "--deadline", "6w"))
        self.assertIn("did you mean", self.bad("simulate", "--model", "lama-2-7b", "--nodes", "2"))
        self.assertIn("--model NAME", self.bad("simulate"))
        self.assertIn("--nodes N or --gpus N", self.bad("simulate", "--model", "llama-2-7b"))
        self.assertIn("did you mean '--version'?", self.bad("--vrsion"))
        self.assertIn("did you mean '--set'?", self.bad("simulate", "x.yaml", "--sett", "a=1"))
        self.assertIn("`railwright size --help` lists them", self.bad("size", "x.yaml", "--zzzzzzzz"))
        self.assertIn("--out TABLE is missing: Output file", self.bad("sweep", "x.yaml"))
        self.assertNotIn("bert-large", self.bad("simulate", "--model", "llama-3-70b", "--nodes", "2"))


class FourUsers(Program):
    """What four kinds of people type first, and what they must read without scrolling."""

    def first_screen(self, *arguments):
        return "\n".join(self.good(*arguments).splitlines()[:24])

    def test_architect_has_a_cluster_and_a_service(self):
        seen = self.first_screen("size", "--model", "llama-3.1-70b", "--tokens", "1.5T", "--deadline", "6w")
        self.assertRegex(seen, r"verdict +\d+ x dgx-h100 train in [\d.]+ d and draw \d+ kW")
        self.assertRegex(seen, r"with +\d+ x connectx-7, \d+ x qm9700")
        self.assertRegex(seen, r"deadline +42.0 d is met with a chance of \d+ %")
        seen = self.first_screen(
            "size", "--model", "llama-3.3-70b", "--users", "2000", "--ttft", "1s", "--tpot", "40ms"
        )
        self.assertRegex(seen, r"verdict +\d+ x dgx-h100 answer 33.3 requests/s: ")
        self.assertRegex(seen, r"with +\d+ x connectx-7, ")
        self.assertRegex(seen, r"power +[\d.]+ kW")
        self.assertNotIn("max_batch limits", seen)

    def test_platform_engineer_learns_why_a_run_is_slow(self):
        seen = self.first_screen("diagnose", "--model", "llama-3.1-70b", "--nodes", "48", "--measured", "10s")
        self.assertRegex(seen, r"verdict +slower than predicted, within the spread of sites: 10.0 s measured")
        self.assertRegex(seen, r"it may be +.+: [\d.]+ s, plausibility \d+ %")

    def test_storage_administrator_learns_how_many_nodes_would_do(self):
        teams = "examples/three-jobs-one-powerscale.yaml"
        nodes = ("--set", "cluster.storage.count=8", "--set", "run.targets={checkpoint_stall: 0.2}")
        seen = self.first_screen("simulate", teams, *nodes)
        self.assertRegex(seen, r"verdict +8 x powerscale-\w+ carry 3 jobs; \d+ would do")
        self.assertRegex(self.first_screen("size", teams, *nodes), r"verdict +\d+ x powerscale-\w+ carry 3 jobs")
        seen = self.first_screen("simulate", teams, "--set", "run.targets={checkpoint_stall: 0.05}")
        self.assertRegex(seen, r"verdict +3 x powerscale-\w+ miss the target of checkpoint stall for 3 jobs")

    def test_data_scientist_finds_the_same_in_json(self):
        told = self.data("simulate", "--model", "llama-2-7b", "--nodes", "2")
        self.assertGreater(told["training_time_s"], 0.0)
        self.assertIn("try_next", told)
        self.assertIn("basis", told)


class FirstWords(Program):
    def test_help_says_what_to_do_first(self):
        first = self.good("help")
        self.assertEqual(first, self.good())
        self.assertEqual(first, self.good("--help"))
        self.assertEqual(self.good("help", "size"), self.good("size", "--help"))

    def test_its_examples_run(self):
        commands = re.findall(r"^  railwright (.*--model.*)$", self.good("help"), re.MULTILINE)
        self.assertEqual(len(commands), 3)
        for command in commands:
            self.good(*shlex.split(command))

    def test_init_writes_what_size_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run(
                [PROGRAM, "init", "s.yaml"], cwd=folder, input="service\n\n\n100\n\n",
                capture_output=True, text=True, timeout=60,
            )
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertIn("Which model?", made.stderr)
            self.data("size", str(Path(folder, "s.yaml")))
            again = subprocess.run(
                [PROGRAM, "init", "s.yaml"], cwd=folder, input="", capture_output=True, text=True, timeout=60
            )
            self.assertEqual(again.returncode, 2)
            cut = subprocess.run(
                [PROGRAM, "init", "t.yaml"], cwd=folder, input="training\n", capture_output=True, text=True, timeout=60
            )
            self.assertEqual(cut.returncode, 2)
            self.assertFalse(Path(folder, "t.yaml").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
