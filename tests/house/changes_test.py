# SPDX-License-Identifier: Apache-2.0
"""scripts/check_changes.py notices what it is there for."""

import contextlib
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import check_changes


class Messages(unittest.TestCase):
    def test_good(self):
        for message in [
            "Importers: a row each\n\nTo add one cost five files.\n",
            "x" * 72 + "\n\nWhy.\n# Please enter the commit message\n",
            "Merge branch 'release'\n",
            "fixup! Importers: a row each\n",
        ]:
            self.assertEqual(check_changes.message_complaints(message), [], message)

    def test_bad(self):
        for message, complaint in [
            ("", "no subject"),
            ("x" * 73 + "\n\nWhy.\n", "73 characters"),
            ("Importers: a row each\n", "no body"),
            ("Importers: a row each\n\nSigned-off-by: A <a@b.c>\n", "no body"),
            ("Importers: a row each\n\n# Why.\n", "no body"),
            ("Importers: a row each\nTo add one cost five files.\n", "no empty line"),
        ]:
            with self.subTest(message):
                self.assertIn(complaint, " ".join(check_changes.message_complaints(message)))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(folder.name)

    def complaints(self, name, text):
        Path(name).write_text(text)
        with contextlib.redirect_stderr(None):
            return "\n".join(check_changes.file_complaints([Path(name)])[0])

    def test_good(self):
        for name, text in [
            ("a.py", "a = 1\n"),
            ("a.json", "{}\n"),
            ("a.toml", "a = 1\n"),
            ("a.sh", "echo\n"),
            ("a.md", "# A\n"),
            ("data.txt", "kept as it is \n"),
        ]:
            self.assertEqual(self.complaints(name, text), "", name)

    def test_syntax(self):
        for name, text in [
            ("a.py", "a = (\n"),
            ("a.json", "{\n"),
            ("a.toml", "a =\n"),
            ("a.sh", "if true\n"),
            ("script", "#!/usr/bin/env bash\nif true\n"),
        ]:
            self.assertIn(name, self.complaints(name, text))

    def test_text(self):
        self.assertIn("a.md:1: blanks", self.complaints("a.md", "# A \n"))
        self.assertIn("no line end", self.complaints("a.md", "# A"))
        self.assertIn("merge conflict", self.complaints("a.md", "<<<<<<< HEAD\n"))

    def test_yaml(self):
        try:
            import yaml  # noqa: F401
        except ImportError:
            self.skipTest("PyYAML is not installed")
        self.assertEqual(self.complaints("a.yaml", "a: 1\n"), "")
        self.assertIn("a.yaml", self.complaints("a.yaml", "a: [1\n"))

    @unittest.skipUnless(shutil.which("clang-format-19"), "clang-format-19 is not installed")
    def test_format(self):
        self.assertEqual(self.complaints("a.hpp", "int a();\n"), "")
        self.assertIn("a.hpp:1", self.complaints("a.hpp", "int  a();\n"))

    def test_a_missing_tool_is_named(self):
        lines, note = check_changes.by_tool("no-such-tool", [], [Path("a.hpp")])
        self.assertEqual((lines, note), ([], "no-such-tool is not installed: 1 files unchecked"))


if __name__ == "__main__":
    unittest.main()
