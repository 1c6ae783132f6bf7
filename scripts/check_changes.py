#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks in seconds what needs no build: format, lint, syntax, house rules, and messages of commits.

Without FILE it checks the files that differ from the last commit. A tool that is not installed is
named and left out. .ci/run checks all files; .pre-commit-config.yaml calls it at every commit.

usage: scripts/check_changes.py [FILE...]
       scripts/check_changes.py --all
       scripts/check_changes.py --message FILE    of one commit, as Git's hook commit-msg gives it
       scripts/check_changes.py --commits RANGE   such as origin/main..HEAD
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_SUBJECT = 72
TEXT = {".cpp", ".hpp", ".py", ".pyi", ".cmake", ".md", ".yaml", ".yml", ".toml", ".sh"}
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)
BATCH = 40  # files a call of a tool


def tool(name):
    """Returns the path of an installed tool, or None."""
    in_venv = Path("build/venv/bin", name)
    return str(in_venv) if in_venv.is_file() else shutil.which(name)


def git(*words):
    done = subprocess.run(["git", *words], capture_output=True, check=True, text=True)
    return done.stdout


def changed_files():
    names = git("diff", "-z", "--name-only", "--diff-filter=d", "HEAD")
    return (names + git("ls-files", "-z", "--others", "--exclude-standard")).split("\0")[:-1]


def is_shell(path):
    if path.suffix:
        return path.suffix == ".sh"
    with path.open("rb") as file:
        return re.match(rb"#!.*\b(ba)?sh\b", file.readline()) is not None


def ran(command):
    """Returns the lines that a command prints if it fails."""
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    return (lines or [f"{command[0]} failed"]) if done.returncode else []


def by_tool(name, words, paths):
    """Returns complaints of a tool about files, and a note if it is not there."""
    program = tool(name)
    if not paths:
        return [], ""
    if program is None:
        return [], f"{name} is not installed: {len(paths)} files unchecked"
    batches = [paths[i : i + BATCH] for i in range(0, len(paths), BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda batch: ran([program, *words, *map(str, batch)]), batches)
    return [line for lines in found for line in lines], ""


def text_complaints(path):
    """Returns what is wrong with a text, whatever language it is in."""
    text = path.read_text(encoding="utf-8")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip():
            found.append(f"{path}:{number}: blanks at the end of a line")
    if text and not text.endswith("\n"):
        found.append(f"{path}: no line end at its end")
    if CONFLICT.search(text):
        found.append(f"{path}: a mark of a merge conflict")
    return found


def parsed(path, parse):
    try:
        parse(path.read_text(encoding="utf-8"))
    except Exception as error:  # each parser has its own
        return [f"{path}: {error}"]
    return []


def parse_complaints(paths):
    """Returns errors of syntax in Python, JSON, TOML and YAML, and a note if PyYAML is not there."""
    parsers = {".json": json.loads, ".toml": tomllib.loads,
               ".py": lambda text: compile(text, "", "exec", dont_inherit=True)}
    note = ""
    try:
        import yaml
    except ImportError:
        num_yaml = sum(path.suffix in (".yaml", ".yml") for path in paths)
        note = f"PyYAML is not installed: {num_yaml} files unchecked" if num_yaml else ""
    else:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        parsers[".yaml"] = parsers[".yml"] = lambda text: list(yaml.load_all(text, loader))
    found = [line for path in paths if path.suffix in parsers
             for line in parsed(path, parsers[path.suffix])]
    return found, note


def house_complaints():
    checks = [path for path in Path("tests/house").glob("*.py") if not path.stem.endswith("_test")]
    commands = [[sys.executable, "-B", str(path), "."] for path in sorted(checks)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [line for lines in pool.map(ran, commands) for line in lines]


def file_complaints(paths):
    """Returns complaints about files, and notes on what was left out."""
    cpp = [path for path in paths if path.suffix in (".cpp", ".hpp")]
    python = [path for path in paths if path.suffix in (".py", ".pyi")]
    results = [
        by_tool("clang-format-19", ["--dry-run", "-Werror"], cpp),
        by_tool("ruff", ["check", "--no-cache", "--quiet", "--output-format=concise", "--force-exclude"],
                python),
        parse_complaints(paths),
    ]
    found = [line for lines, _ in results for line in lines]
    for path in paths:
        if path.suffix in TEXT:
            found += text_complaints(path)
        if is_shell(path):
            found += ran(["bash", "-n", str(path)])
    return found, [note for _, note in results if note]


def message_complaints(message):
    """Returns what is wrong with the message of a commit."""
    message = message.split("# ------------------------ >8")[0]
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject, *rest = "\n".join(lines).strip().splitlines() or [""]
    if subject.startswith(("Merge ", "fixup! ", "squash! ")):
        return []
    found = []
    if not subject:
        found.append("no subject")
    if len(subject) > MAX_SUBJECT:
        found.append(f"a subject of {len(subject)} characters, at most {MAX_SUBJECT}")
    if rest and rest[0].strip():
        found.append("no empty line behind the subject")
    if not any(line.strip() and not re.match(r"[\w-]+-by: ", line) for line in rest):
        found.append("no body that says why")
    return [f"'{subject[:50]}': {one}" for one in found]


def commit_complaints(commits):
    """Takes those that came after this check: the ones before were written to no rule."""
    check = git("log", "-1", "--diff-filter=A", "--format=^%H", "--", "scripts/check_changes.py").split()
    messages = git("log", "--no-merges", "--format=%B%x00", commits, *check).split("\0")[:-1]
    return [line for message in messages for line in message_complaints(message)]


def main(words):
    os.chdir(ROOT)
    notes = []
    if words[:1] == ["--message"]:
        found = message_complaints(Path(words[1]).read_text(encoding="utf-8"))
    elif words[:1] == ["--commits"]:
        found = commit_complaints(words[1])
    else:
        names = git("ls-files", "-z").split("\0")[:-1] if words == ["--all"] else words
        paths = [Path(name) for name in names or changed_files()]
        paths = [path for path in paths if path.is_file() and not path.is_symlink()]
        found, notes = file_complaints(paths)
        found += house_complaints()
    print("\n".join(found) or "nothing to complain about")
    for note in notes:
        print(note, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
