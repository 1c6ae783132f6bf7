#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manual page of the program from its own --help; cmake --install calls it.

usage: scripts/write_man_page.py build/release/bin/railwright > railwright.1
"""

import re
import subprocess
import sys

EXIT_CODES = [
    ("0", "An answer."),
    ("1", "An internal error, or a disk or memory that fails."),
    ("2", "Bad input; every problem is named with its place."),
    ("3", "A design that does not fit, or goals that nothing meets."),
    ("4", "import alone: the file takes a value that decides from outside, such as a variable."),
    ("130", "Stopped by Ctrl-C."),
]


def run(program, *words):
    done = subprocess.run(
        [program, *words], capture_output=True, check=True, text=True, timeout=60
    )
    return done.stdout


def escaped(text):
    """Text as roff takes it: a hyphen of an option stays one, and no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def parsed(text):
    """The parts of a --help: what it is about, its usage, its sections of (what to type, sentence),
    and the lines at its end."""
    about, usage, sections, tail, section = [], "", {}, [], None
    for line in text.splitlines():
        title = re.fullmatch(r"([A-Z]\w*):", line)
        entry = re.fullmatch(r"  (\S.*?)(?:  +(\S.*))?", line)
        if title:
            section = sections.setdefault(title[1], [])
        elif line.startswith("Usage: "):
            usage = line.removeprefix("Usage: ")
        elif section is None and line:
            about.append(line)
        elif line == "":
            section = section if not section else []  # what follows is text
        elif section is not None and entry and not tail and any(section is one for one in sections.values()):
            section.append((entry[1], entry[2] or ""))
        elif section is not None and line.startswith("      ") and section:
            section[-1] = (section[-1][0], f"{section[-1][1]} {line.strip()}".strip())
        elif line:
            tail.append(line)
    return about, usage, sections, tail


def entries(pairs):
    for what, sentence in pairs:
        yield from (".TP", f".B {escaped(what)}", escaped(sentence))


def commands(program, words=()):
    """Yields the words of every command that does something, with the parts of its help."""
    parts = parsed(run(program, *words, "--help"))
    below = parts[2].get("Subcommands", [])
    if words and not below:
        yield words, parts
    for name, _ in below:
        yield from commands(program, (*words, name))


def page(program):
    version = run(program, "--version").split()[-1]
    about, usage, sections, tail = parsed(run(program, "--help"))
    examples = [line.strip() for line in tail if line.startswith("  ")]
    lines = [
        f'.TH RAILWRIGHT 1 "" "railwright {version}" "User Commands"',
        ".SH NAME",
        f"railwright \\- {escaped(about[0][0].lower() + about[0][1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        escaped(usage),
        ".SH DESCRIPTION",
        escaped(" ".join(about)),
        ".SH OPTIONS",
        *entries(sections["Options"]),
        ".SH COMMANDS",
        *entries(sections["Subcommands"]),
    ]
    for words, (sentences, typed, own, _) in commands(program):
        lines += [f".SS {escaped(' '.join(words))}", escaped(" ".join(sentences)), ".PP", escaped(typed)]
        for title in ("Positionals", "Options"):
            lines += entries(own.get(title, []))
    lines += [".SH EXAMPLES"]
    for example in examples:
        lines += [".PP", ".nf", escaped(example), ".fi"]
    lines += [".SH EXIT STATUS", *entries(EXIT_CODES)]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(page(sys.argv[1]))


if __name__ == "__main__":
    main()
