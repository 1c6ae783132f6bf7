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

    def test_mistakes_name_the_word(self):
        self.assertIn("--tokens nonsense", self.bad("size", "--model", "llama-2-7b", "--tokens", "nonsense", "--deadline", "6w"))
        self.assertIn("did you mean", self.bad("simulate", "--model", "lama-2-7b", "--nodes", "2"))
        self.assertIn("--model NAME", self.bad("simulate"))
        self.assertIn("--nodes N or --gpus N", self.bad("simulate", "--model", "llama-2-7b"))


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
