# SPDX-License-Identifier: Apache-2.0
"""What the what-if page makes of several designs: side by side, along a slider, ways out, and kept."""

import json

import pytest
from browser import downloaded
from serving import EXAMPLES, Served, run
from what_if_page import SIDE_BY_SIDE, SIMULATED, holds, simulated

PRICE_OF_NIC = '#designs-table input[aria-label="Price of one connectx-7 in USD"]'


def test_four_nics_against_eight(browser):
    browser.press("#pin")
    browser.move("cluster.node.nics.count", 3)
    browser.until(
        "railwright.what_if.state.values['cluster.node.nics.count'] === 4 && " + SIMULATED
    )
    eight, four = (
        json.loads(
            run("simulate", EXAMPLES / "neutral-llama-2-7b.yaml", *nics, "--format", "json")[1]
        )["step_time_s"]
        for nics in ([], ["--set", "cluster.node.nics.count=4"])
    )
    change = 100 * (four / eight - 1)
    assert browser.text("#step .delta") == f"{change:+.1f} %"
    assert browser.run("return document.querySelectorAll('.stack-row').length") == 2


def test_four_and_eight_nics_stand_side_by_side(browser):
    """As the page opens: the difference in time, parts and power, and in money where there are prices."""
    browser.until(SIDE_BY_SIDE)
    said = browser.text("#designs-verdict")
    eight, four = simulated(), simulated("cluster.node.nics.count=4")
    longer = 100 * (four["training_time_s"] / eight["training_time_s"] - 1)
    assert f"B, 4 NICs a node, trains {longer:.1f} % longer than A" in said
    assert "8 connectx-7 fewer" in said
    watts = eight["power"]["mean_power_w"] - four["power"]["mean_power_w"]
    assert f"{watts:.0f} W less" in said
    browser.write(PRICE_OF_NIC, "1,500")
    said = "document.getElementById('designs-verdict')?.innerText.includes"
    browser.until(f"{SIDE_BY_SIDE} && {said}('not comparable')")
    assert "USD" not in browser.text("#designs-verdict")
    # With a price of each part that only one design has more of, the costs are comparable.
    browser.run("""
        for (const field of document.querySelectorAll("#designs-table input")) {
            if (field.value !== "") continue;
            field.value = "100";
            field.dispatchEvent(new Event("change", {bubbles: true}));
        }
        """)
    browser.until(f"{SIDE_BY_SIDE} && {said}('USD less capital')")
    assert "not comparable" not in browser.text("#designs-verdict")
    assert browser.text("#name") == "Llama 2 7B, public recipe, neutral installation"
    browser.press("#take-b")
    browser.until(holds("cluster.node.nics.count", 4) + SIMULATED)
    browser.until("document.getElementById('designs-verdict')?.innerText.includes('B, 8 NICs')")
    assert "longer" not in browser.text("#designs-verdict")


def test_the_other_design_is_greyed_until_its_own_answer_is_there(browser):
    """B's answer to the next change is held back; until then no number of it stands beside a new A."""
    browser.until(SIDE_BY_SIDE)
    before = browser.text("#designs-verdict")
    browser.run("""
        const fetched = window.fetch;
        window.held_back = new Promise((done) => { window.let_go = done; });
        window.fetch = async (name, given) => {
          if (given?.body && JSON.parse(given.body).page.endsWith("/b")) await window.held_back;
          return fetched(name, given);
        };
        """)
    browser.choose("cluster.node", "dgx-h200")
    browser.until(holds("cluster.node", "dgx-h200") + SIMULATED)
    assert browser.run("return document.getElementById('fabric').className") == "", "drawn anew"
    assert browser.run("return document.getElementById('designs').className") == "late"
    assert browser.text("#designs h2") == "Designs side by side B is being computed"
    assert browser.text("#designs-verdict") == before, "the pair of before, not half of it"
    assert browser.run("return document.getElementById('take-b').disabled || document.getElementById('designs').inert")
    browser.run("window.let_go()")
    browser.until(SIDE_BY_SIDE)
    settings = browser.run("return railwright.what_if.state.settings")
    a, b = simulated(*settings), simulated(*settings, "cluster.node.nics.count=4")
    longer = 100 * (b["training_time_s"] / a["training_time_s"] - 1)
    assert f"trains {longer:.1f} % longer than A" in browser.text("#designs-verdict")


def test_prices_of_a_scenario_keep_its_own_ownership(browser):
    browser.write("#example", "llama-2-70b-cost")
    browser.until("railwright.what_if.state.example === 'llama-2-70b-cost' && " + SIDE_BY_SIDE)
    browser.write(PRICE_OF_NIC, "2000")
    browser.until(SIMULATED + " && railwright.what_if.state.settings.length > 0")
    assert browser.run("return railwright.what_if.state.settings") == [
        "prices.nics.connectx-7=2000 USD"
    ]


def test_a_curve_goes_over_the_slider_that_moved(browser):
    browser.move("cluster.nodes", browser.stop_of("cluster.nodes", 3))
    browser.until(holds("cluster.nodes", 3) + SIMULATED)
    browser.until("document.querySelector('#curve h2')?.innerText === 'Training time over nodes'")
    rows = browser.run(
        "return [...document.querySelectorAll('#curve tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    by_stop = {row[0]: row[1] for row in rows}
    code, out, _ = run(
        "simulate", EXAMPLES / "neutral-llama-2-7b.yaml", "--set", "cluster.nodes=4", "--estimate", "--format", "json"
    )
    shown = browser.run("return railwright.page.kinds.s(arguments[0])", json.loads(out)["training_time_s"])
    assert code == 0 and by_stop["4 nodes"] == shown


def test_the_address_holds_the_state(browser, served_page):
    browser.move("cluster.nodes", browser.stop_of("cluster.nodes", 4))
    browser.choose("workload.model", "llama-2-13b")
    browser.until(holds("cluster.nodes", 4) + holds("workload.model", "llama-2-13b") + SIMULATED)
    shown, address = browser.time_shown(), browser.driver.current_url
    assert "cluster.nodes=4" in address and "llama-2-13b" in address
    browser.driver.get("about:blank")
    assert browser.open(address) == []
    browser.until(holds("cluster.nodes", 4) + SIMULATED)
    assert browser.time_shown() == shown
    browser.press("#reset")
    browser.until(holds("cluster.nodes", 2) + SIMULATED)
    assert browser.driver.current_url == served_page.address


def test_every_shipped_training_job_opens(browser):
    names = browser.run(
        "return [...document.querySelectorAll('#example option')].map((one) => one.value).filter(Boolean)"
    )
    assert "llama-2-70b-cost" in names and "serving-llama-3.3-70b" not in names
    for name in names:
        browser.write("#example", name)
        browser.until(
            "railwright.what_if.state.example === arguments[0] && document.body.dataset.state.match(/^(fits|infeasible) /)",
            name,
            seconds=60,
        )
    browser.write("#example", "llama-2-70b-six-nodes")
    browser.until("railwright.what_if.state.name === 'Llama 2 70B on six XE9680' && " + SIMULATED)
    assert "example=llama-2-70b-six-nodes" in browser.driver.current_url


def test_a_report_of_the_design_is_saved(browser, downloads):
    browser.move("cluster.nodes", browser.stop_of("cluster.nodes", 4))
    browser.until(holds("cluster.nodes", 4) + SIMULATED)
    browser.press("#report")
    page = downloaded(downloads, "html").decode()
    assert "with cluster.nodes=4" in page and str(simulated("cluster.nodes=4")["step_time_s"]) in page


@pytest.fixture(scope="module")
def start_page():
    page = Served()
    yield page
    assert page.close()[0] == 0


def test_every_slider_of_the_start_page_answers_or_says_what_would(start_page, chromium):
    """All stops that sliders offer; where one does not answer, the slider passes over it, and typed in
    it comes with a change that helps."""
    assert chromium.open(start_page.address) == []
    chromium.until(SIMULATED)
    chromium.driver.set_script_timeout(120)
    stops = chromium.driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        (async () => {
          const {state, ask_stops} = railwright.what_if;
          const found = [];
          for (const {path, stops} of railwright.controls.all) {
            if (!stops || document.querySelector(`[data-path="${path}"]`).hidden) continue;
            await ask_stops(path);
            const known = state.stops.get(path);
            found.push(...known.stops.map((stop, i) => [path, stop, known.outcomes[i].fails ?? ""]));
          }
          done(found);
        })();
        """)
    dead = [(path, stop) for path, stop, fails in stops if fails]
    assert len(stops) > 100 and len(dead) <= 0.1 * len(stops), dead
    nodes = [(stop, fails) for path, stop, fails in stops if path == "cluster.nodes"]
    assert nodes[2][0] == 3 and nodes[2][1]
    for place in (4, 3, 2):
        chromium.move("cluster.nodes", place)
    chromium.until(holds("cluster.nodes", 2) + "document.body.dataset.state.startsWith('fits')")
    for path, stop in dead:
        chromium.run("document.getElementById('reset').click()")  # disabled where nothing is changed
        chromium.until(SIMULATED)
        chromium.type(path, stop)
        chromium.until("document.querySelector('#fixes .fix')")
        chromium.press("#fixes .fix")
        chromium.until("document.body.dataset.state.startsWith('fits')")
    assert chromium.complaints() == []
    chromium.driver.get("about:blank")  # what it still asks is no other test's


def test_what_does_not_fit_is_shown_with_the_way_out(browser):
    browser.choose("division", "own")
    browser.choose("workload.model", "llama-2-70b")
    browser.until("document.body.dataset.state.startsWith('infeasible')")
    assert browser.text("#verdict") == "Does not fit"
    assert "218 GiB too much" in browser.text("#reasons")
    assert browser.run("return document.getElementById('time')") is None, (
        "no time of what does not fit"
    )
    browser.press("#reset")
    browser.until(SIMULATED)


def test_the_smallest_change_that_fits_is_one_click_away(browser):
    """13 billion parameters cut in two leave 38 GiB too much; the program knows what would help."""
    browser.choose("division", "own")
    browser.choose("workload.model", "llama-2-13b")
    browser.move("workload.sequence_length", browser.stop_of("workload.sequence_length", 16384))
    browser.until("document.getElementById('fit')")
    setting = browser.text("#reasons .path")
    browser.press("#fit")
    browser.until("document.body.dataset.state.startsWith('fits')")
    assert setting in browser.run("return railwright.what_if.state.settings")
