# SPDX-License-Identifier: Apache-2.0
"""Runs the snippets of the docs that are no command. Usage: docs_snippets.py RAILWRIGHT REPOSITORY

YAML is read: an entry by a catalogue, runs by `calibrate`, a whole scenario as it is and a part of
one laid over an example. The commands beside an entry, Slurm's scripts (with a `srun` that runs what
it is given) and SQL on the table that they make are run. C++ is that of the sources, line by line.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path
from textwrap import dedent

PROGRAM, ROOT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SAMPLE = ROOT / "tests/importers/samples/hugging_face/llama-2-7b.json"


def blocks(language):
    """(page, text) of each block in this language."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if found.group(2) == language:
                yield page, dedent(found.group(3))


class Snippets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        measured = ROOT / "validation/data/kernels/h100-sxm-pytorch"
        shutil.copytree(measured, self.folder / "examples/my-gpu")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/railwright").symlink_to(PROGRAM)
        srun = self.folder / "bin/srun"
        srun.write_text('#!/bin/sh\nexec "$@"\n')
        srun.chmod(0o755)

    def shell(self, text, codes=(0,), **variables):
        done = subprocess.run(
            ["bash", "-euc", text], cwd=self.folder, capture_output=True, text=True, timeout=300,
            check=False,
            env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", **variables})
        self.assertIn(done.returncode, codes, f"{text}\n{done.stderr}")

    def entry(self, text):
        """Writes it where the pages say, and gives its name."""
        name = re.search(r"^name: (\S+)$", text, re.MULTILINE).group(1)
        kind = "nics" if "\nline_rate:" in text else "workloads"
        file = self.folder / "my_catalogue" / kind / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return name

    def test_yaml(self):
        count = 0
        for page, text in blocks("yaml"):
            if "apiVersion:" in text or "# ..." in text:
                continue  # another program's, and one that leaves lines out
            count += 1
            with self.subTest(page=page.name, text=text[:60]):
                file = self.folder / "examples/snippet.yaml"
                file.write_text(text)
                if text.startswith("suite:"):
                    self.shell("railwright validate --suite examples/snippet.yaml")
                elif text.startswith("offer:"):
                    self.shell("railwright check examples/snippet.yaml", codes=(0, 3))
                elif "\ndescription:" in text:
                    self.shell(f"railwright catalogue show {self.entry(text)} "
                               "--catalogue my_catalogue")
                elif "\nruns:" in text:
                    shutil.copy(ROOT / "examples/measured/megatron.log",
                                self.folder / "examples/train.log")
                    self.shell(f"railwright calibrate {file} --estimate", codes=(0, 3))
                else:
                    if not re.search("^name:", text, re.MULTILINE):
                        file.write_text("include: neutral-llama-2-7b.yaml\n" + text)
                    self.shell(f"railwright simulate {file} --estimate", codes=(0, 3))
        self.assertGreater(count, 9)

    def test_commands_beside_an_entry(self):
        for page in ("add_a_device.md", "add_a_model.md"):
            for place, text in blocks("yaml"):
                if place.name == page:
                    self.entry(text)
            (self.folder / "my-model").mkdir(exist_ok=True)
            shutil.copy(SAMPLE, self.folder / "my-model/config.json")
            for place, text in blocks("sh"):
                if place.name == page and "railwright " in text:
                    with self.subTest(page=page, text=text):
                        self.shell(text)

    def test_slurm_and_sql(self):
        scripts = [text for _, text in blocks("bash") if "SBATCH" in text]
        queries = [text for _, text in blocks("sql")]
        self.assertTrue(scripts and queries)
        example = "sweep-nics-and-batch.yaml"
        (self.folder / "scenario.yaml").write_text(f"include: examples/{example}\n")
        for script in scripts:
            shutil.rmtree(self.folder / "pieces", ignore_errors=True)
            (self.folder / "pieces").mkdir()
            for task in ("1", "2"):
                self.shell(script, SLURM_ARRAY_TASK_ID=task, SLURM_ARRAY_TASK_COUNT="2",
                           SLURM_CPUS_PER_TASK="2")
            (self.folder / "all.sqlite").unlink(missing_ok=True)
            self.shell("railwright merge all.sqlite pieces/*.sqlite")
        with closing(sqlite3.connect(self.folder / "all.sqlite")) as table:
            for query in ";".join(queries).split(";"):
                if query.strip():
                    table.execute(query).fetchall()

    def test_cpp_is_that_of_the_sources(self):
        sources = [file.read_text() for folder in ("models", "topologies", "simulation", "tests/how_to")
                   for file in sorted((ROOT / folder).rglob("*.[ch]pp"))]
        for page, text in blocks("cpp"):
            with self.subTest(page=page.name, text=text[:60]):
                self.assertTrue(any(self.in_order(text, source) for source in sources))

    @staticmethod
    def in_order(text, source):
        lines = iter(line.strip() for line in source.splitlines())
        return all(line.strip() in lines for line in text.splitlines() if line.strip())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
