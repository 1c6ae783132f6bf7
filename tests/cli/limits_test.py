# SPDX-License-Identifier: Apache-2.0
"""Inputs without measure: each is refused in a line that names the limit, soon and in little memory.
Usage: limits_test.py RAILWRIGHT REPOSITORY"""

import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
NEUTRAL = str(ROOT / "examples/neutral-llama-2-7b.yaml")
BAD_INPUT = 2
MEMORY = 4 << 30
UNDER_SANITIZER = b"__asan_init" in Path(PROGRAM).read_bytes()


def limit_memory():
    if not UNDER_SANITIZER:  # which reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def refused(self, *arguments):
        result = subprocess.run(
            [PROGRAM, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
            preexec_fn=limit_memory,
        )
        self.assertEqual((result.returncode, result.stdout), (BAD_INPUT, ""), result.stderr[:500])
        self.assertEqual(result.stderr.count("\n"), 1)
        return result.stderr

    def scenario(self, more="", name="s.yaml"):
        path = self.folder / name
        path.write_text(Path(NEUTRAL).read_text() + more)
        return name

    def test_file_size(self):
        said = self.refused("simulate", self.scenario("# " + "x" * (5 << 20) + "\n"))
        self.assertIn("larger than 4194304 bytes", said)

    def test_nesting(self):
        said = self.refused("simulate", self.scenario("comparison: " + "[" * 200 + "]" * 200))
        self.assertIn("nested deeper than 64 levels", said)

    def test_aliases(self):
        lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
        for before, name in zip("abcdefgh", "bcdefghi"):
            lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
        said = self.refused("simulate", self.scenario("\n".join(lines)))
        self.assertIn("more than 200000 values (aliases expanded)", said)

    def test_values(self):
        said = self.refused("simulate", self.scenario(f"comparison: [{'1,' * 250_000}1]"))
        self.assertIn("more than 200000 values", said)

    def test_included_files(self):
        for i in range(300):
            (self.folder / f"{i}.yaml").write_text(f"include: {i + 1}.yaml\n")
        (self.folder / "300.yaml").write_text("name: the last\n")
        self.assertIn("more than 256 files are included", self.refused("simulate", "0.yaml"))

    def test_what_is_no_file(self):
        self.assertIn("not a regular file", self.refused("simulate", "/dev/zero"))
        for words in (["calibrate", "/dev/zero", "--scenario", NEUTRAL], ["import", "/dev/zero"]):
            self.assertIn("/dev/zero: ", self.refused(*words))

    def test_nodes(self):
        said = self.refused("simulate", NEUTRAL, "--set", "cluster.nodes=65537")
        self.assertIn("must be between 1 and 65536, got 65537", said)
        said = self.refused("simulate", NEUTRAL, "--set", "cluster.nodes=99999999999999999999")
        self.assertIn("cluster.nodes", said)

    def test_accelerators(self):
        many = ["--set", "cluster.nodes=65536", "--set", "cluster.node.num_accelerators=16"]
        many += ["--set", "workload.global_batch=1048576"]
        self.assertIn("1000000", self.refused("simulate", NEUTRAL, *many))

    def test_points_of_a_sweep(self):
        values = ",".join(str(i) for i in range(1, 20_001))
        keys = ["parallelism.tp", "parallelism.pp", "parallelism.cp", "workload.steps"]
        grid = [word for key in keys for word in ("--vary", f"{key}={values}")]
        said = self.refused("sweep", NEUTRAL, "--out", "none", "--estimate", *grid)
        self.assertIn("160000000000000000 points are more than the 100000000", said)

    def test_cells_of_a_comparison(self):
        cases = "".join(f"    - {{name: c{i}, set: [cluster.nodes=2]}}\n" for i in range(20_000))
        vary = "comparison:\n  vary: {key: cluster.node.nics.count, values: [4, 8]}\n  cases:\n"
        said = self.refused("compare", self.scenario(vary + cases))
        self.assertIn("40000 simulations are more than the 4096 that a comparison may have", said)

    def test_runs_of_a_fit(self):
        rows = "".join(f"run {i},7.3 s,2\n" for i in range(100_000))
        (self.folder / "runs.csv").write_text("name,step_time,cluster.nodes\n" + rows)
        said = self.refused("calibrate", "runs.csv", "--scenario", NEUTRAL)
        self.assertIn("100000 runs are more than the 4096 that a fit may have", said)

    def test_size_of_a_log(self):
        with open(self.folder / "train.log", "wb") as log:
            log.truncate(300 << 20)
        said = self.refused("calibrate", "train.log", "--scenario", NEUTRAL)
        self.assertIn("more than 256 MiB", said)

    def test_threads(self):
        said = self.refused("simulate", NEUTRAL, "--threads", "100000")
        self.assertIn("expected a whole number from 0 to 1024", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
