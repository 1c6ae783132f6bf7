# SPDX-License-Identifier: Apache-2.0
"""What axe finds against pages, reports and the documentation: nothing, light or dark."""

from pathlib import Path

import pytest
from conftest import PAGES
from serving import Served
from what_if_page import SIDE_BY_SIDE

axe_core = pytest.importorskip("axe_core_python")
AXE = (Path(axe_core.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

RUN = """
const done = arguments[0];
axe.run(document, {resultTypes: ["violations"]}).then((result) => done(result.violations.flatMap((rule) =>
  rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`))));
"""

DOCUMENTS = [
    "index.html",
    "install.html",
    "tutorial.html",
    "faq.html",
    "gallery.html",
    "validation.html",
    "how_to/what_if_page.html",
    "models/collective.html",
    "reference/commands.html",
    "reference/catalogue/nics.html",
]


def violations(window):
    # Evaluated by the browser itself: the policy of a page lets nothing of ours in.
    window.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
    return window.driver.execute_async_script(RUN)


def found_in_both_themes(window):
    found = []
    for scheme in ("light", "dark"):
        window.theme(scheme)
        found += violations(window)
    return found


def test_axe_sees_what_is_wrong(window):
    window.open("data:text/html,<html lang=en><title>t</title><main><h1>h</h1><img src='data:,'></main>")
    assert any(one.startswith("image-alt: ") for one in violations(window))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_reports(pages, window, name):
    window.open(pages(name).address)
    # Thousands of rows that are all alike take minutes.
    window.run("document.querySelectorAll('tr:nth-child(n + 6)').forEach((one) => one.remove());")
    assert found_in_both_themes(window) == []


def test_the_what_if_page(window):
    page = Served()
    window.open(page.address)
    window.until("document.getElementById('curve') && " + SIDE_BY_SIDE)
    window.press("#more")
    assert found_in_both_themes(window) == []
    window.write("#set-cluster-nodes", "3", "input")
    window.until("document.querySelector('#fixes .fix')")
    assert found_in_both_themes(window) == []
    assert page.close()[0] == 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documentation(site, window, name):
    window.open((site / name).as_uri())
    assert violations(window) == []
