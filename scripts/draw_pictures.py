#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/images, or checks that they match what the program draws now.

Usage: draw_pictures.py [--check] RAILWRIGHT

The check compares every text of a picture, so it needs no Graphviz and holds for any release of it.
A picture must be at most 1,600 pixels wide and be used by a document.
"""

import html
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PLAIN = re.compile(r'label="((?:[^"\\]|\\.)*)"')
TABLE = re.compile(r"<TD>(.*?)</TD>")
WIDTH = re.compile(r'bb="0,0,([0-9.]+),')
POINTS_TO_PIXELS = 4 / 3
MOST_PIXELS = 1600


def pictures():
    """Yields (name, arguments of `railwright topology`) for each line of pictures.txt."""
    for line in (IMAGES / "pictures.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, scenario, *settings = shlex.split(line)
        yield name, [scenario, *(word for one in settings for word in ("--set", one))]


def run(program, arguments):
    subprocess.run(
        [program, "topology", *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )


def texts_of_dot(dot):
    labels = [re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], t) for t in PLAIN.findall(dot)]
    labels += [html.unescape(text) for text in TABLE.findall(dot)]
    return Counter(line.strip() for label in labels for line in label.split("\n") if line.strip())


def texts_of_svg(path):
    texts = (e.text for e in ElementTree.parse(path).iter() if e.tag.endswith("}text"))
    return Counter(text.replace("\u00a0", " ").strip() for text in texts if text)


def problem_of(program, name, arguments, documents):
    picture = IMAGES / f"{name}.svg"
    if not picture.exists():
        return "is not drawn"
    if f"images/{picture.name}" not in documents:
        return "stands in no document"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "picture.dot"
        run(program, [*arguments, "--dot", str(source)])
        dot = source.read_text(encoding="utf-8")
    pixels = float(WIDTH.search(dot)[1]) * POINTS_TO_PIXELS
    if pixels > MOST_PIXELS:
        return f"is {pixels:.0f} pixels wide"
    now, then = texts_of_dot(dot), texts_of_svg(picture)
    if now != then:
        return f"is out of date: new {dict(now - then)}, old {dict(then - now)}"
    return None


def main():
    check = "--check" in sys.argv[1:]
    program = str(Path(sys.argv[-1]).resolve())
    listed = dict(pictures())
    if not check:
        for name, arguments in listed.items():
            run(program, [*arguments, "--svg", str(IMAGES / f"{name}.svg")])
        return 0
    documents = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").rglob("*.md"))
    problems = {n: problem_of(program, n, a, documents) for n, a in listed.items()}
    for path in IMAGES.glob("*.svg"):
        if path.stem not in listed:
            problems[path.stem] = "is not in pictures.txt"
    problems = {name: problem for name, problem in problems.items() if problem}
    for name, problem in problems.items():
        print(f"docs/images/{name}.svg {problem}")
    print(f"{len(listed)} pictures, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
