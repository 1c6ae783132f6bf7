#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the picture of the what-if page as it opens.

usage: build/venv/bin/python scripts/shoot_what_if_page.py PROGRAM PICTURE.png
       (needs selenium, chromium and chromium-driver)
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "web"))


def main():
    program, picture = sys.argv[1:]
    os.environ["RAILWRIGHT_PROGRAM"] = program
    from browser import Browser  # the program is named before these are read
    from serving import Served

    page = Served()
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        browser.open(page.address)
        browser.until("document.getElementById('curve') && document.getElementById('designs-table')")
        browser.look(1280, 1120)
        browser.driver.save_screenshot(picture)
        browser.close()
    page.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
