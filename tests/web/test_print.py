# SPDX-License-Identifier: Apache-2.0
"""Reports on paper: two pages of A4, what else there is as an appendix, and nothing cut."""

import base64
import io

import pytest
from conftest import PAGES

pypdf = pytest.importorskip("pypdf")

SHOWN = """
const plain = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
return {titles: plain("section > h2"), answer: plain("#answer .num"), printed: plain("section.printed td:not(details td) .num")};
"""


def without_spaces(text):
    return "".join(text.split())


def printed(window):
    """The text of each page, without spaces: a PDF has its own."""
    done = window.driver.execute_cdp_cmd(
        "Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True}
    )
    pdf = pypdf.PdfReader(io.BytesIO(base64.b64decode(done["data"])))
    for page in pdf.pages:
        assert (round(page.mediabox.width), round(page.mediabox.height)) == (595, 842), "A4"
    return [without_spaces(page.extract_text()) for page in pdf.pages]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_two_pages_and_an_appendix(pages, window, name):
    window.driver.get(pages(name).address)
    window.settle()
    shown = window.run(SHOWN)
    texts = printed(window)
    starts = [i for i, text in enumerate(texts) if text.startswith("Appendix")]
    front_pages = starts[0] if starts else len(texts)
    assert front_pages <= 2, [text[:40] for text in texts]
    front = "".join(texts[:front_pages])
    for number in shown["answer"] + shown["printed"]:
        assert without_spaces(number) in front, number
    for title in shown["titles"]:
        assert without_spaces(title) in "".join(texts), title
