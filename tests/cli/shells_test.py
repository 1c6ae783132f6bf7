# SPDX-License-Identifier: Apache-2.0
"""Completion in shells, the manual page and the container file.

usage: shells_test.py RAILWRIGHT REPOSITORY"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, Program


def first_words(text, title):
    """What stands first in the lines of a section of --help."""
    section = re.search(rf"^{title}:\n((?:  .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^  (\S+)", section[1], re.MULTILINE) if section else []


class Commands(Program):
    def commands(self, words=()):
        """The words and the --help of every command, those with commands below too."""
        text = self.good(*words, "--help")
        yield list(words), text
        for name in first_words(text, "Subcommands"):
            yield from self.commands([*words, name])


class Shells(Commands):
    def words(self, *words):
        """What may stand for the last word."""
        out = self.good("completion", "words", "--", *words)
        return [line.split("\t")[0] for line in out.splitlines()]

    def in_bash(self, *words):
        """What bash offers for the last word."""
        code = (
            f"source <({shlex.quote(PROGRAM)} completion bash); "
            f"COMP_WORDS=({shlex.join([PROGRAM, *words])}); COMP_CWORD={len(words)}; "
            '_railwright; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        return self.lines("bash", "-c", code)

    def in_zsh(self, *words):
        """What the script hands to zsh's own functions."""
        code = (
            '_describe() { print -rl -- "${(@)${(@P)2}%%:*}"; }; _files() { print :files; }; compdef() { :; }; '
            f"source <({shlex.quote(PROGRAM)} completion zsh); "
            f"words=({shlex.join([PROGRAM, *words])}); CURRENT={len(words) + 1}; _railwright"
        )
        return self.lines("zsh", "-f", "-c", code)

    def in_fish(self, *words):
        folder = shlex.quote(str(Path(PROGRAM).parent))
        line = " ".join(["railwright", *words])
        code = f"set -x PATH {folder} $PATH; railwright completion fish | source; complete -C '{line}'"
        return [one.split("\t")[0] for one in self.lines("fish", "--no-config", "-c", code)]

    def lines(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split("\n")[:-1]

    def test_every_command_and_option_is_offered(self):
        seen = 0
        for words, text in self.commands():
            options = [name.split(",")[-1] for name in first_words(text, "Options")]
            self.assertEqual(sorted(self.words(*words, "--")), sorted(options), words)
            below = first_words(text, "Subcommands")
            self.assertLessEqual(set(below), set(self.words(*words, "")), words)
            seen += len(options)
        self.assertGreater(seen, 150)

    def test_names_of_the_catalogue(self):
        self.assertEqual(self.words("size", "--model", "llama-3.1-7"), ["llama-3.1-70b"])
        self.assertIn("dgx-h100", self.words("simulate", "--model", "x", "--node", "dgx-"))
        self.assertEqual(self.words("catalogue", "list", "nod"), ["nodes"])
        self.assertIn("connectx-7", self.words("catalogue", "show", "connectx"))
        self.assertEqual(self.words("simulate", "--format", ""), ["text", "json"])
        self.assertEqual(self.words("help", "simu"), ["simulate"])

    def test_files_where_files_stand(self):
        for words in (["simulate", ""], ["compare", "a.yaml", ""], ["size", "--save", ""], ["sweep", "--out", ""]):
            self.assertEqual(self.words(*words), [":files"], words)
        for words in (["simulate", "a.yaml", ""], ["size", "--users", ""], ["size", "--users", "3", "a.yaml", ""]):
            self.assertEqual(self.words(*words), [], words)

    def test_bash(self):
        self.assertEqual(self.in_bash("simu"), ["simulate"])
        self.assertEqual(self.in_bash("size", "--model", "llama-3.1-7"), ["llama-3.1-70b"])
        self.assertIn("examples/pod-256.yaml", self.in_bash("simulate", "examples/pod"))
        self.assertIn("--requests-per-s", self.in_bash("size", "--"))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh(self):
        self.assertEqual(self.in_zsh("simu"), ["simulate"])
        self.assertEqual(self.in_zsh("size", "--model", "llama-3.1-7"), ["llama-3.1-70b"])
        self.assertEqual(self.in_zsh("simulate", ""), [":files"])
        self.assertIn("--requests-per-s", self.in_zsh("size", "--"))

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish(self):
        self.assertEqual(self.in_fish("simu"), ["simulate"])
        self.assertEqual(self.in_fish("size", "--model", "llama-3.1-7"), ["llama-3.1-70b"])
        self.assertIn("examples/pod-256.yaml", self.in_fish("simulate", "examples/pod"))
        self.assertIn("--requests-per-s", self.in_fish("size", "--"))

    def test_bad_shells_are_refused(self):
        self.assertIn("tcsh", self.bad("completion", "tcsh"))
        self.assertIn("not expected after bash", self.bad("completion", "bash", "x"))


class ManualPage(Commands):
    def setUp(self):
        script = ROOT / "scripts" / "write_man_page.py"
        made = subprocess.run(
            [sys.executable, "-B", script, PROGRAM], capture_output=True, text=True, timeout=120
        )
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.page = made.stdout

    def test_every_command_and_option_is_there(self):
        sections = dict(re.findall(r"^\.SS (.*)\n((?:(?!\.SS|\.SH).*\n)*)", self.page, re.MULTILINE))
        for words, text in self.commands():
            if not words or first_words(text, "Subcommands"):
                continue
            section = sections[" ".join(words)].replace("\\", "")
            for option in (*first_words(text, "Options"), *first_words(text, "Positionals")):
                self.assertRegex(section, rf"(?m)^\.B {re.escape(option)}( |$)")
        self.assertIn("railwright size \\-\\-model llama\\-3.1\\-70b", self.page)

    @unittest.skipUnless(shutil.which("man"), "no man here")
    def test_man_takes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "railwright.1")
            file.write_text(self.page)
            done = subprocess.run(
                ["man", "--warnings", "-l", file], capture_output=True, text=True, timeout=60,
                env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"},
            )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--requests-per-s N", done.stdout)


class Container(unittest.TestCase):
    """Its packages are those of the libraries that the program loads."""

    @unittest.skipUnless(shutil.which("dpkg-query") and shutil.which("readelf") and "bookworm" in Path("/etc/os-release").read_text(), "not Debian 12")
    def test_every_library_is_installed(self):
        text = (ROOT / "Dockerfile").read_text()
        linked = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True).stdout
        found = 0
        for library in re.findall(r"NEEDED.*\[(.*)\]", linked):
            said = subprocess.run(["dpkg-query", "-S", f"*-linux-gnu/{library}"], capture_output=True, text=True).stdout
            package = said.partition(":")[0]
            if package in ("libc6", "libgcc-s1", "libstdc++6"):  # of every image
                continue
            self.assertRegex(text, rf"\b{re.escape(package)}\b", library)
            found += 1
        self.assertGreater(found, 3)
        self.assertLessEqual(len([line for line in text.splitlines() if line]), 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
