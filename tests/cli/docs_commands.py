# SPDX-License-Identifier: Apache-2.0
"""Runs what the docs tell people to type. Usage: docs_commands.py RAILWRIGHT REPOSITORY

Every `$ railwright ...` of a ```console block in README.md and docs/ is run from the repository's
root and must exit with 0, or with N where the paragraph before the block says "(exit code N)".
`railwright serve` is ended by Ctrl-C once it has printed its address.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^( *)```console\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"\(exit code (\d)\)")


def commands(root):
    """(page, command, exit code) of every command in the docs."""
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            before = text[: block.start()].rstrip().rpartition("\n\n")[2]
            code = EXIT_CODE.search(before)
            for line in block.group(2).replace("\\\n", " ").splitlines():
                if line.strip().startswith("$ railwright"):
                    command = line.strip().removeprefix("$ ")
                    yield page.relative_to(root), command, int(code.group(1)) if code else 0


def run(command, **options):
    """Exit code and what it complained about."""
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}" if command.startswith("railwright serve") else command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    ) as process:
        if command.startswith("railwright serve") and process.stdout.readline():
            process.send_signal(signal.SIGINT)
        try:
            complaint = process.communicate(timeout=300)[1]
        finally:
            process.kill()
        return process.returncode, complaint


def main():
    program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    failed, done = 0, set()
    with tempfile.TemporaryDirectory() as bin_folder:
        (Path(bin_folder) / "railwright").symlink_to(program)
        environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
        for page, command, code in commands(root):
            if command in done:
                continue
            done.add(command)
            returned, complaint = run(command, cwd=root, env=environment)
            if returned != code:
                failed += 1
                print(f"{page}: exit {returned} instead of {code}: {command}")
                print(complaint, end="")
    print(f"{len(done)} commands, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
