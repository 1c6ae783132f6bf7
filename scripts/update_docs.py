#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands shown in the documents and replaces their output.

In a ```console block, a line `$ railwright ...` that is followed by output gets its real output; a
command without output stays unchanged. `| head -n N` after a command keeps the first N lines.
`--check` changes nothing and fails if a document is stale.

usage: scripts/update_docs.py [--check] PROGRAM
"""

import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output_of(command, program):
    words = shlex.split(command)
    if words[0] != "railwright":
        raise SystemExit(f"documents show only railwright, not {words[0]}")
    num_lines = None
    if "|" in words:
        *words, _, head, option, number = words
        if (head, option) != ("head", "-n"):
            raise SystemExit(f"documents pipe only into head -n: {command}")
        num_lines = int(number)
    done = subprocess.run([program, *words[1:]], cwd=ROOT, capture_output=True, text=True)
    return (done.stdout + done.stderr).rstrip("\n").split("\n")[:num_lines]


def updated(lines, program):
    """Returns `lines` of one document with every shown output replaced."""
    result = []
    in_console = False
    command = None  # the last command, as long as none of its output has been seen
    for line in lines:
        if line.startswith("```"):
            in_console = line.strip() == "```console"
            command = None
        elif in_console and line.startswith("$ "):
            command = line[2:]
        elif in_console:
            if command is not None:
                result.extend(output_of(command, program))
                command = None
            continue  # the rest of the old output
        result.append(line)
    return result


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    programs = [a for a in arguments if a != "--check"]
    if len(programs) != 1:
        raise SystemExit(__doc__)
    program = str(pathlib.Path(programs[0]).resolve())
    stale = []
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = document.read_text(encoding="utf-8")
        new = "\n".join(updated(text.split("\n"), program))
        if new == text:
            continue
        stale.append(str(document.relative_to(ROOT)))
        if not check:
            document.write_text(new, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'stale; run scripts/update_docs.py' if check else 'updated'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
