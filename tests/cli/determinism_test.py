# SPDX-License-Identifier: Apache-2.0
"""The example set gives the same bytes with 1 and 8 threads.
Usage: determinism_test.py RAILWRIGHT REPOSITORY"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "two_builds"))

from example_set import TABLE, example_set, missing_examples, takes_threads  # noqa: E402

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()


def output(arguments, threads):
    """What it prints, or of a sweep the rows: it also says how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.jsonl"
        words = [str(table) if word == TABLE else word for word in arguments]
        if takes_threads(arguments):
            words += ["--threads", str(threads)]
        made = subprocess.run(
            [PROGRAM, *words], cwd=ROOT, capture_output=True, timeout=900, check=False
        )
        if made.returncode not in (0, 3):
            raise AssertionError(f"{words}: exit code {made.returncode}: {made.stderr.decode()}")
        return made.returncode, table.read_bytes() if table.exists() else made.stdout


class Determinism(unittest.TestCase):
    def test_every_example_is_in_the_set(self):
        self.assertEqual(missing_examples(ROOT), [])

    def test_same_bytes_with_any_number_of_threads(self):
        for name, arguments in example_set():
            with self.subTest(name):
                code, alone = output(arguments, 1)
                self.assertGreater(len(alone), 100)
                self.assertEqual((code, alone), output(arguments, 8))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
