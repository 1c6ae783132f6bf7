# SPDX-License-Identifier: Apache-2.0
"""Which files a scenario may include, by every verb. Usage: include_test.py RAILWRIGHT REPOSITORY"""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from program import BAD_INPUT, OK, ROOT, railwright

EXAMPLES = ROOT / "examples"


class Include(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def scenario(self, include, name="s.yaml"):
        file = self.folder / name
        file.write_text(f"include: {EXAMPLES / include}\n")
        return file

    def check(self, *verb):
        """Refused at the place of the name, and read with the option."""
        done = railwright(*verb)
        self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""), verb)
        self.assertRegex(done.stderr, r"/s\.yaml:1:10: include: '.*' lies outside "
                         rf"{self.folder}.*; --allow-include FOLDER")
        self.assertEqual(done.stderr.count("\n"), 1)
        done = railwright(*verb, "--allow-include", ROOT / "docs", "--allow-include", EXAMPLES)
        self.assertEqual(done.returncode, OK, done.stderr)

    def test_every_verb_that_reads_a_scenario(self):
        neutral = self.scenario("neutral-llama-2-7b.yaml")
        table = ("--out", self.folder / "t.csv")
        for verb in [("simulate", neutral, "--estimate"), ("topology", neutral),
                     ("explain", neutral, "--estimate"),
                     ("compare", neutral, EXAMPLES / "neutral-llama-2-7b.yaml", "--estimate"),
                     ("sweep", neutral, "--vary", "cluster.nodes=1,2", "--estimate", *table),
                     ("calibrate", EXAMPLES / "measured/megatron.log", "--scenario", neutral,
                      "--estimate"),
                     ("import", ROOT / "tests/importers/samples/slurm/tree.conf", "--base",
                      neutral)]:
            with self.subTest(verb[0]):
                self.check(*verb)
        size = self.scenario("size-gpt3-175b-112-days.yaml")
        self.check("size", size)

    def test_search(self):
        self.check("search", self.scenario("search-h20003-cluster.yaml"))

    def test_runs_that_name_their_scenario(self):
        self.scenario("neutral-llama-2-7b.yaml")
        runs = self.folder / "runs.yaml"
        runs.write_text("scenario: s.yaml\nruns: [{name: a, step_time: 6 s, source: me}]\n")
        self.check("calibrate", runs, "--estimate")

    def named(self, text, name="s.yaml"):
        """Whatever it names outside is refused at its place, and read with the option."""
        file = self.folder / name
        file.write_text(text)
        return file

    def test_every_other_file_that_a_scenario_names(self):
        for name in ("neutral-llama-2-7b.yaml", "llama-2-70b-six-nodes.yaml"):
            (self.folder / name).write_text((EXAMPLES / name).read_text())
        sample = ROOT / "tests/importers/samples/hugging_face/llama-2-7b.json"
        prices = EXAMPLES / "prices/fictitious.yaml"
        include = "include: neutral-llama-2-7b.yaml\n"
        for line, allowed in [
            (f"prices: {prices}", prices.parent),
            (f"prices: {{model: {prices}}}", prices.parent),
            (f"workload: {{model: {sample}}}", sample.parent),
        ]:
            with self.subTest(line):
                file = self.named(include + line + "\n")
                done = railwright("simulate", file, "--estimate")
                self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""))
                self.assertRegex(done.stderr, rf"/s\.yaml:2:\d+: \S+: '.*' lies outside {self.folder}, "
                                 "the folder of what was asked for; --allow-include FOLDER")
                self.assertEqual(done.stderr.count("\n"), 1)
                done = railwright("simulate", file, "--estimate", "--allow-include", allowed)
                self.assertEqual(done.returncode, OK, done.stderr)

    def test_what_the_command_line_names_is_free(self):
        done = railwright("simulate", EXAMPLES / "neutral-llama-2-7b.yaml", "--estimate", "--set",
                          f"prices={EXAMPLES / 'prices/fictitious.yaml'}")
        self.assertEqual(done.returncode, OK, done.stderr)

    def test_runs_name_logs_and_scenarios(self):
        base = EXAMPLES / "neutral-llama-2-7b.yaml"
        log = EXAMPLES / "measured/megatron.log"
        for name, text in [
            ("a.yaml", f"runs:\n- {{name: a, source: me, log: {log}}}\n"),
            ("b.yaml", f"scenario: {base}\nruns: [{{name: a, step_time: 6 s, source: me}}]\n"),
        ]:
            with self.subTest(name):
                verb = ["calibrate", self.named(text, name), "--estimate"]
                if "scenario" not in text:
                    verb += ["--scenario", base]
                done = railwright(*verb)
                self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""))
                self.assertIn(f"lies outside {self.folder}, the folder of what", done.stderr)
                done = railwright(*verb, "--allow-include", EXAMPLES)
                self.assertEqual(done.returncode, OK, done.stderr)

    def test_serve_refuses_before_it_listens(self):
        done = railwright("serve", self.scenario("neutral-llama-2-7b.yaml"))
        self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, ""))
        self.assertIn("s.yaml:1:10: include:", done.stderr)

    def test_a_folder_that_is_none(self):
        done = railwright("simulate", EXAMPLES / "neutral-llama-2-7b.yaml", "--allow-include",
                          self.folder / "nowhere")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("nowhere: no such folder", done.stderr)

    def test_what_import_writes_is_read_wherever_it_lies(self):
        base = EXAMPLES / "llama-2-70b-cost.yaml"  # which includes another
        sample = ROOT / "tests/importers/samples/nccl/eight-h100.xml"
        beside, elsewhere = self.folder / "beside.yaml", self.folder / "below/elsewhere.yaml"
        elsewhere.parent.mkdir()
        for name in ("llama-2-70b-cost.yaml", "llama-2-70b-six-nodes.yaml"):
            (self.folder / name).write_text((EXAMPLES / name).read_text())
        shutil.copytree(EXAMPLES / "prices", self.folder / "prices")
        seconds = []
        for start, out in [(self.folder / base.name, beside), (base, elsewhere)]:
            done = railwright("import", sample, "--base", start, "-o", out)
            self.assertEqual(done.returncode, OK, done.stderr)
            done = railwright("simulate", out, "--estimate")
            self.assertEqual(done.returncode, OK, done.stderr)
            seconds.append(done.stdout)
        self.assertIn("\ninclude: llama-2-70b-cost.yaml\n", beside.read_text())
        self.assertNotIn("include:", elsewhere.read_text())
        self.assertEqual(*seconds)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
