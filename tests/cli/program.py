# SPDX-License-Identifier: Apache-2.0
"""The built program, run from the repository's root, for the tests of what its callers see.
The first two arguments of such a test are RAILWRIGHT and REPOSITORY."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
OK, INTERNAL, BAD_INPUT, INFEASIBLE = range(4)


def railwright(*arguments, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(
        [PROGRAM, *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=300, **options
    )


class Program(unittest.TestCase):
    def good(self, *arguments, code=OK):
        result = railwright(*arguments)
        self.assertEqual((result.returncode, result.stderr), (code, ""), arguments)
        return result.stdout

    def bad(self, *arguments, code=BAD_INPUT):
        """What it says on standard error; nothing may stand on standard output."""
        result = railwright(*arguments)
        self.assertEqual((result.returncode, result.stdout), (code, ""), arguments)
        self.assertTrue(result.stderr.endswith("\n"))
        return result.stderr

    def data(self, *arguments, code=OK):
        return json.loads(self.good(*arguments, "--format", "json", code=code))
