#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands shown in the documents and replaces their output, and the figures in sentences and
tables that scripts/figures.py computes.

In a ```console block, a line `$ railwright ...` that is followed by output gets its real output; a
command without output stays unchanged. `--check` changes nothing, runs these too, and fails if a
document is stale or a command does not exit with 0, or with N where the paragraph before the block
says "(exit code N)". `railwright serve` is ended by Ctrl-C once it has printed its address.

usage: scripts/update_docs.py [--check] PROGRAM
"""

import functools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
from typing import NamedTuple

import figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXIT_CODE = re.compile(r"\(exit code (\d)\)")


class Command(NamedTuple):
    text: str
    code: int
    output: slice  # lines of the document


def commands_of(lines):
    """The commands of a document's console blocks."""
    in_block, code, paragraph, i = False, 0, "", 0
    while i < len(lines):
        line = lines[i].strip()
        i += 1
        if line.startswith("```"):
            in_block = line == "```console"
            said = EXIT_CODE.search(paragraph)
            code, paragraph = int(said.group(1)) if said else 0, ""
        elif not in_block:
            before_block = i < len(lines) and lines[i].strip() == "```console"
            paragraph = f"{paragraph} {line}" if line or before_block else ""
        elif line.startswith("$ "):
            text = line[2:]
            while text.endswith("\\"):
                text = text[:-1] + lines[i].strip()
                i += 1
            first = i
            while not lines[i].strip().startswith(("$ ", "```")):
                i += 1
            yield Command(text, code, slice(first, i))


def documents():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@functools.cache
def run(command):
    """The exit code and what is printed, first to standard output."""
    serves = command.startswith("railwright serve")
    with subprocess.Popen(
        ["bash", "-o", "pipefail", "-c", f"exec {command}" if serves else command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        if serves and process.stdout.readline():
            process.send_signal(signal.SIGINT)
        try:
            printed = "".join(process.communicate(timeout=300))
        finally:
            process.kill()
        return process.returncode, printed.rstrip("\n")


def updated(lines, check, failed):
    """Returns `lines` of one document with every shown output replaced."""
    result, end = [], 0
    for command in commands_of(lines):
        shown = lines[command.output]
        result += lines[end : command.output.start]
        end = command.output.stop
        if not command.text.startswith("railwright"):
            if shown:
                raise SystemExit(f"documents show only railwright, not {command.text}")
            continue
        if not shown and not check:
            continue
        code, printed = run(command.text)
        if code != command.code:
            failed.append(f"exit {code} instead of {command.code}: {command.text}\n{printed}")
        result += printed.split("\n") if shown else []
    return result + lines[end:]


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    programs = [a for a in arguments if a != "--check"]
    if len(programs) != 1:
        raise SystemExit(__doc__)
    stale, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "railwright").symlink_to(pathlib.Path(programs[0]).resolve())
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
        for document in documents():
            text = document.read_text(encoding="utf-8")
            new = figures.with_figures("\n".join(updated(text.split("\n"), check, failed)))
            if new == text:
                continue
            stale.append(str(document.relative_to(ROOT)))
            if not check:
                document.write_text(new, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'stale; run scripts/update_docs.py' if check else 'updated'}")
    if check and not run.cache_info().currsize:
        failed.append("no command was found")
    for what in failed:
        print(what)
    return 1 if failed or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
