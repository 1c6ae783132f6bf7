# SPDX-License-Identifier: Apache-2.0
"""The search of the site: from the disk and from a server, for words as people type them."""

import functools
import http.server
import threading

import pytest

pytest.importorskip("material")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module", params=["disk", "server"])
def start(request, site):
    if request.param == "disk":
        yield (site / "index.html").as_uri()
        return
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--trace", "reference/commands.html#simulate-trace"),
        ("simulate --trace", "reference/commands.html#simulate-trace"),
        ("Scenario.load", "reference/python.html#Scenario.load"),
        ("estimate_many", "reference/python.html#estimate_many"),
        ("connectx-7", "reference/catalogue/nics.html#connectx-7"),
        ("cluster.nodes", "reference/scenario.html#cluster.nodes"),
        ("training_time_low_s", "reference/results.html#training_time_low_s"),
    ],
)
def test_search_finds(window, start, words, found):
    window.open(start)
    window.run("document.querySelector('[data-md-toggle=search]').click()")
    window.until("document.querySelector('.md-search__input').offsetWidth > 0")
    window.run(
        "const input = document.querySelector('.md-search__input'); input.focus();"
        "input.value = arguments[0]; input.dispatchEvent(new Event('input', {bubbles: true}));"
        "input.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));",
        words,
    )
    window.until("document.querySelectorAll('.md-search-result__link').length > 0")
    addresses = window.run(
        "return [...document.querySelectorAll('.md-search-result__link')]"
        ".map((link) => link.href.replace(/\\?h=[^#]*/, ''))"
    )
    assert any(address.endswith(found) for address in addresses), addresses[:10]
    host = start.rpartition("/")[0]
    assert [one for one in window.requests() if not one.startswith((host, "data:", "blob:"))] == []
