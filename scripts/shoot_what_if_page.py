#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the picture of the what-if page as it opens, or of the page by a goal at a question.

usage: build/venv/bin/python scripts/shoot_what_if_page.py PROGRAM PICTURE.png [goal]
       (needs selenium, chromium and chromium-driver)
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "web"))


BY_A_GOAL = "goal#of=training&model=llama-3.1-70b&tokens=1.5T&deadline=6w&beside=hgx-b200"
OPEN = "document.getElementById('curve') && document.getElementById('designs-table')"
SIZED = "document.body.dataset.state === 'sized' && Boolean(document.querySelector('#designs canvas')?.chart)"


def main():
    program, picture, *goal = sys.argv[1:]
    os.environ["RAILWRIGHT_PROGRAM"] = program
    from browser import Browser  # the program is named before these are read
    from serving import Served

    page = Served()
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        browser.open(page.address + (BY_A_GOAL if goal else ""))
        browser.until(SIZED if goal else OPEN)
        browser.look(1280, 1120)
        browser.driver.save_screenshot(picture)
        browser.close()
    page.close()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["goal"]):
        sys.exit(__doc__)
    main()
