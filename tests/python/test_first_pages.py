# SPDX-License-Identifier: Apache-2.0
"""The pages to begin with say what the scripts, the pictures and the other pages say."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY

DOCS = REPOSITORY / "docs"


def test_the_packages_that_install_md_names_are_those_of_the_scripts():
    text = (DOCS / "install.md").read_text(encoding="utf-8")
    shown = [block.split() for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL)]
    script = 'source scripts/lib.sh; echo "${BUILD_PACKAGES[@]}"; echo "${TEST_PACKAGES[@]}"'
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, check=True, text=True, cwd=REPOSITORY
    )
    build, test = (line.split() for line in done.stdout.splitlines())
    assert shown == [build, [one for one in test if one not in build]]


def test_the_gallery_has_every_picture_and_the_command_that_makes_it():
    sys.path.insert(0, str(REPOSITORY / "scripts"))
    try:
        import draw_pictures
    finally:
        sys.path.pop(0)
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for picture in (DOCS / "images").glob("*.*g"):
        assert f"](images/{picture.name})" in text, picture.name
    shown = {}
    for line in re.findall(r"^\$ (railwright topology .*)$", text, re.MULTILINE):
        *words, option, path = shlex.split(line)
        assert option == "--svg"
        shown[Path(path).stem] = words[2:]
    assert shown == dict(draw_pictures.pictures())


def test_every_question_is_answered_with_a_link():
    _, *answers = (DOCS / "faq.md").read_text(encoding="utf-8").split("\n## ")
    assert len(answers) >= 15
    for answer in answers:
        assert answer.splitlines()[0].endswith("?")
        assert re.search(r"\]\([\w/]+\.md(#[\w-]+)?\)", answer), answer


def test_the_page_of_errors_is_linked_from_the_first_screen():
    for page, link in (
        (DOCS / "index.md", "(how_wrong.md)"),
        (REPOSITORY / "README.md", "(docs/how_wrong.md)"),
    ):
        assert link in page.read_text(encoding="utf-8").replace("\n", " ")
    first = (DOCS / "index.md").read_text(encoding="utf-8").partition("\n|")[0]
    assert "(how_wrong.md)" in first
