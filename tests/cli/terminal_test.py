#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a person reads fits a terminal of 80 columns; a file or a pipe has it as it is.

    terminal_test.py RAILWRIGHT REPOSITORY
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pseudo_terminal

PROGRAM, REPOSITORY = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
sys.path.insert(0, str(REPOSITORY / "scripts"))

import update_docs  # noqa: E402

EXAMPLES = REPOSITORY / "examples"

# A line of each verb, as the documents have them; the long ones on fewer points.
COMMANDS = [
    "simulate neutral-llama-2-7b.yaml",
    "simulate neutral-llama-2-7b.yaml --explain --estimate",
    "simulate neutral-llama-2-7b.yaml --tables",
    "simulate neutral-llama-2-7b.yaml --tables --estimate",
    "simulate neutral-llama-2-7b.yaml --set workload.model=llama-2-70b",
    "simulate neutral-llama-2-7b.yaml --set workload.model=llama-2-70b --tables",
    "simulate powerscale-checkpoints.yaml --tables --set run.replicas=2",
    "simulate checkpoints-on-local-drives.yaml --tables --set run.replicas=2",
    "simulate llama-2-70b-cost.yaml --tables --set run.replicas=2",
    "simulate inference-llama-2-70b.yaml --tables",
    "simulate inference-offload-bloom.yaml --tables",
    "simulate serving-llama-3.3-70b.yaml --tables",
    "simulate serving-disaggregated.yaml --tables",
    "simulate all-reduce-8-h100-nodes.yaml --tables",
    "simulate three-jobs-one-powerscale.yaml --tables --set run.replicas=2",
    "compare xe9680-4-vs-8-nics.yaml --estimate",
    "compare xe9680-4-vs-8-nics.yaml --tables --estimate",
    "compare neutral-llama-2-7b.yaml --estimate --vary cluster.node.nics.count=8,4,2,1",
    "search search-h20003-cluster.yaml",
    "size size-gpt3-175b-112-days.yaml",
    "size size-gpt3-175b-112-days.yaml --tables",
    "sweep sweep-nics-and-batch.yaml --estimate --out none",
    "explain neutral-llama-2-7b.yaml --estimate",
    "explain neutral-llama-2-7b.yaml --tables --estimate",
    "validate",
    "validate --summary",
    "topology two-qm9790-8-nodes.yaml --set cluster.nodes=24",
    "topology rail-optimized-256.yaml",
    "calibrate calibrate-h20003.yaml --estimate",
    "catalogue list",
    "catalogue show h100-sxm",
    "--help",
    "simulate --help",
    "calibrate --help",
]


def on_terminal(command, columns, folder=EXAMPLES):
    """What the program writes on a terminal of that width, and its exit code."""
    words = [str(PROGRAM), *shlex.split(command)]
    text, code = pseudo_terminal.written(words, "stdout", columns, cwd=folder)
    return re.sub(r"\x1b\[[0-9;]*m", "", text), code


def progress_of(command):
    """What goes to standard error where that is a terminal."""
    words = [str(PROGRAM), *command.split()]
    return pseudo_terminal.written(words, "stderr", cwd=EXAMPLES)[0]


def words_of(text):
    """Without what breaking lines adds."""
    return re.sub(r"[\s\\]+|-{8,}", "", text)


def simulations_in_docs():
    """Those that print a verdict alone, and on which page."""
    others = ("--format", "--explain", "--tables", "--start", "${", "|", "/tmp/")
    for page in update_docs.documents():
        for command in update_docs.commands_of(page.read_text(encoding="utf-8").split("\n")):
            is_one = command.text.startswith("railwright simulate ") and command.code in (0, 3)
            if is_one and not any(other in command.text for other in others):
                yield page, command.text.removeprefix("railwright "), command.code


class Terminal(unittest.TestCase):
    def test_a_simulation_says_its_verdict_in_fourteen_lines(self):
        tried = 0
        for page, command, code in {c: (p, c, k) for p, c, k in simulations_in_docs()}.values():
            with self.subTest(page=page, command=command):
                text, returned = on_terminal(command, 80, REPOSITORY)
                tried += 1
                self.assertEqual(returned, code)
                verdict = re.split(r"\r?\n\r?\nchosen for you", text)[0]  # what was chosen stands below
                self.assertLessEqual(len(verdict.splitlines()), 14, text)
                labels = [line.split("  ")[0] for line in verdict.splitlines()]
                self.assertIn("verdict", labels)
                self.assertIn("more", labels)
        self.assertGreater(tried, 10)

    def test_tables_follow_the_verdict(self):
        for command in ("simulate neutral-llama-2-7b.yaml", "size size-gpt3-175b-112-days.yaml"):
            with self.subTest(command=command):
                short, long = (on_terminal(command + more, 80)[0] for more in ("", " --tables"))
                verdict = [line for line in short.splitlines() if not line.startswith("more ")]
                self.assertEqual(long.splitlines()[: len(verdict)], verdict)
                self.assertGreater(len(long.splitlines()), 40)

    def test_no_line_is_longer_than_the_terminal_and_no_zero_has_a_sign(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                text, code = on_terminal(command, 80)
                self.assertIn(code, (0, 3))
                self.assertTrue(text.strip())
                long = [line for line in text.splitlines() if len(line) > 80]
                self.assertEqual(long, [])
                self.assertNotRegex(text, r"(?<![\d.])[-+]0(\.0+)?(?![\d.])")

    def test_nothing_is_lost(self):
        """Sentences say the same, and tables have the same words."""
        for command in COMMANDS[:3] + ["topology two-qm9790-8-nodes.yaml --set cluster.nodes=24"]:
            with self.subTest(command=command):
                words = [str(PROGRAM), *command.split()]
                plain = subprocess.run(words, cwd=EXAMPLES, capture_output=True, text=True).stdout
                narrow, _ = on_terminal(command, 80)
                self.assertEqual(sorted(words_of(plain)), sorted(words_of(narrow)))

    def test_a_wide_terminal_and_a_pipe_have_the_same_lines(self):
        command = "simulate inference-llama-2-70b.yaml"
        words = [str(PROGRAM), *command.split()]
        plain = subprocess.run(words, cwd=EXAMPLES, capture_output=True, text=True).stdout
        self.assertEqual(on_terminal(command, 300)[0], plain)
        self.assertGreater(max(map(len, plain.splitlines())), 80)

    def test_json_is_not_broken(self):
        text, _ = on_terminal("simulate inference-llama-2-70b.yaml --format json", 80)
        words = [str(PROGRAM), "simulate", "inference-llama-2-70b.yaml", "--format", "json"]
        plain = subprocess.run(words, cwd=EXAMPLES, capture_output=True, text=True).stdout
        self.assertEqual(text, plain)

    def test_a_broken_command_can_be_pasted(self):
        text, _ = on_terminal("search search-h20003-cluster.yaml", 50)
        lines = text[text.index("the best:") :].splitlines()
        self.assertTrue(lines[0].endswith(" \\"), lines[:3])
        self.assertTrue(lines[1].startswith("--set "), lines[:3])

    def test_progress_never_runs_backwards(self):
        """Each line of progress is of more than the one before of its name, with a time left."""
        for command, name in (
            ("compare nic-break-even.yaml --estimate", "points of curves"),
            ("explain powerscale-checkpoints.yaml", "rates by events"),
            ("simulate powerscale-checkpoints.yaml --explain", "rates by events"),
        ):
            with self.subTest(command=command):
                lines = re.findall(
                    r"([a-z ]+(?:, pass \d+)?): (\d+) of (\d+)(, [\d,]+ a second, up to \d+ s left)?",
                    progress_of(command),
                )
                self.assertIn(name, [line[0] for line in lines])
                self.assertTrue(any(line[3] for line in lines), lines)
                counts = {}
                for what, done, every, _ in lines:
                    self.assertLessEqual(counts.get(what, 0), int(done), lines)
                    self.assertLessEqual(int(done), int(every))
                    counts[what] = int(done)


if __name__ == "__main__":
    os.environ["TERM"] = "xterm"
    os.environ.pop("NO_COLOR", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        unittest.main(argv=sys.argv[:1])
