# SPDX-License-Identifier: Apache-2.0
"""The Python in the documents runs, block by block, as someone would who reads them."""

import re
import runpy

import pytest
from conftest import REPOSITORY

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
    if BLOCK.search(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    script = tmp_path / "page.py"
    text = "\n".join(blocks).replace("/tmp/", f"{tmp_path}/")
    # A pool's processes import the script again.
    body = "".join(f"    {line}\n" for line in text.splitlines())
    script.write_text(f"def main():\n{body}\nif __name__ == '__main__':\n    main()\n")
    runpy.run_path(str(script), run_name="__main__")
