# SPDX-License-Identifier: Apache-2.0
"""The what-if page in a browser, as someone uses it."""

import json
import time

import pytest
from serving import EXAMPLES, Served, run
from what_if_page import WhatIfPage

SIMULATED = "document.body.dataset.state === 'fits simulate'"


def holds(path, value):
    return f"railwright.what_if.state.values[{path!r}] === {json.dumps(value)} && "


def simulated(*settings):
    """What the program says of the page's scenario with these settings; of what fits, or does not."""
    flags = [flag for one in settings for flag in ("--set", one)]
    out = run("simulate", EXAMPLES / "neutral-llama-2-7b.yaml", *flags, "--format", "json")[1]
    return json.loads(out)


@pytest.fixture(scope="module")
def served_page():
    page = Served(EXAMPLES / "neutral-llama-2-7b.yaml")
    yield page
    assert page.close()[0] == 0


@pytest.fixture
def chromium(window):
    return WhatIfPage(window)


@pytest.fixture
def browser(served_page, chromium):
    """The page as it is when it was just opened and has its first answer."""
    assert chromium.open(served_page.address) == []
    chromium.until(SIMULATED)
    yield chromium
    assert chromium.complaints() == []
    blob = "blob:" + served_page.address.split("/" + served_page.token)[0]
    ours = (served_page.address, blob, "data:,", "chrome://", "about:blank")
    assert [one for one in chromium.requests() if not one.startswith(ours)] == []


def test_an_answer_comes_with_all_that_belongs_to_it(browser):
    assert browser.text("#verdict") == "Fits"
    assert "80 % interval" in browser.text("#band")
    assert browser.text("#doubt").startswith("Least certain. The site:")
    code, out, _ = run("simulate", EXAMPLES / "neutral-llama-2-7b.yaml", "--format", "json")
    assert code == 0
    assert browser.time_shown() == pytest.approx(json.loads(out)["training_time_s"], rel=1e-12)


def test_the_answer_follows_the_slider(browser):
    before = browser.time_shown()
    nodes = browser.run("return railwright.what_if.state.values['cluster.nodes']")
    for value in (3, 4, 6):
        browser.move("cluster.nodes", browser.stop_of("cluster.nodes", value))
    browser.until("railwright.what_if.state.values['cluster.nodes'] === 6")
    assert nodes == 2 and browser.time_shown() < 0.6 * before
    browser.until(SIMULATED)
    expected = json.loads(
        run(
            "simulate",
            EXAMPLES / "neutral-llama-2-7b.yaml",
            "--set",
            "cluster.nodes=6",
            "--format",
            "json",
        )[1]
    )
    assert browser.time_shown() == pytest.approx(expected["training_time_s"], rel=1e-12)


def test_four_nics_against_eight(browser):
    browser.run("document.getElementById('pin').click()")
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
    browser.until("document.getElementById('designs-table')")
    said = browser.text("#designs-verdict")
    eight, four = simulated(), simulated("cluster.node.nics.count=4")
    longer = 100 * (four["training_time_s"] / eight["training_time_s"] - 1)
    assert f"B, 4 NICs a node, trains {longer:.1f} % longer than A" in said
    assert "8 connectx-7 fewer" in said
    watts = eight["power"]["mean_power_w"] - four["power"]["mean_power_w"]
    assert f"{watts:.2f} W less" in said
    browser.run("""
        const field = document.querySelector('#designs-table input[aria-label="Price of one connectx-7 in USD"]');
        field.value = "1,500";
        field.dispatchEvent(new Event("change", {bubbles: true}));
        """)
    browser.until(
        SIMULATED + " && document.getElementById('designs-verdict')?.innerText.includes('USD')"
    )
    assert "12,000 USD less capital, of what has a price" in browser.text("#designs-verdict")
    assert browser.text("#name") == "Llama 2 7B, public recipe, neutral installation"
    browser.run("document.getElementById('take-b').click()")
    browser.until(holds("cluster.node.nics.count", 4) + SIMULATED)
    browser.until("document.getElementById('designs-verdict')?.innerText.includes('B, 8 NICs')")
    assert "longer" not in browser.text("#designs-verdict")


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
    browser.run("document.getElementById('reset').click()")
    browser.until(holds("cluster.nodes", 2) + SIMULATED)
    assert browser.driver.current_url == served_page.address


def test_every_shipped_training_job_opens(browser):
    names = browser.run(
        "return [...document.querySelectorAll('#example option')].map((one) => one.value).filter(Boolean)"
    )
    assert "llama-2-70b-cost" in names and "serving-llama-3.3-70b" not in names
    for name in names:
        browser.run(
            "const one = document.getElementById('example'); one.value = arguments[0]; one.dispatchEvent(new Event('change'));",
            name,
        )
        browser.until(
            "railwright.what_if.state.example === arguments[0] && document.body.dataset.state.match(/^(fits|infeasible) /)",
            name,
            seconds=60,
        )
    browser.run("document.getElementById('example').value = 'llama-2-70b-six-nodes'")
    browser.run("document.getElementById('example').dispatchEvent(new Event('change'))")
    browser.until("railwright.what_if.state.name === 'Llama 2 70B on six XE9680' && " + SIMULATED)
    assert "example=llama-2-70b-six-nodes" in browser.driver.current_url


def test_a_report_of_the_design_is_saved(browser, downloads):
    browser.move("cluster.nodes", browser.stop_of("cluster.nodes", 4))
    browser.until(holds("cluster.nodes", 4) + SIMULATED)
    browser.run("document.getElementById('report').click()")
    end = time.monotonic() + 20
    while not (files := list(downloads.glob("*.html"))):
        assert time.monotonic() < end
        time.sleep(0.05)
    page = files[0].read_text()
    assert "with cluster.nodes=4" in page and str(simulated("cluster.nodes=4")["step_time_s"]) in page


def test_ten_settings_come_first(browser):
    count = (
        "return [...document.querySelectorAll('.control')].filter((one) => one.offsetParent).length"
    )
    assert browser.run(count) == 10
    browser.run("document.getElementById('more').click()")
    assert browser.run(count) > 20


def test_a_long_list_is_searched(browser):
    browser.run("""
        const narrow = document.querySelector('[data-path="workload.model"] .narrow');
        narrow.value = "qwen3 dense 8.2".replace(" dense", "");
        narrow.dispatchEvent(new Event("input", {bubbles: true}));
        narrow.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
        """)
    browser.until(holds("workload.model", "qwen3-8b") + SIMULATED)
    groups = browser.run(
        "return [...document.querySelectorAll('[data-path=\"workload.model\"] optgroup')].map((one) => one.label)"
    )
    assert {"Llama", "GPT", "Qwen3", "Others"} <= set(groups)


def test_what_speaks_another_protocol_takes_its_switch_along(browser):
    browser.choose("cluster.node.nics.nic", "bcm57608")
    browser.until(holds("cluster.node.nics.nic", "bcm57608") + SIMULATED)
    assert "cluster.node.nics.transport=roce" in browser.run("return railwright.what_if.state.settings")
    browser.choose("cluster.node", "xe9680-mi300x")
    browser.until(holds("cluster.node", "xe9680-mi300x") + SIMULATED)
    assert browser.run("return railwright.what_if.state.values['cluster.fabric.switch']") == "z9664f-on"


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
        chromium.run("document.getElementById('reset').click()")
        chromium.until(SIMULATED)
        chromium.type(path, stop)
        chromium.until("document.querySelector('#fixes .fix')")
        chromium.run("document.querySelector('#fixes .fix').click()")
        chromium.until("document.body.dataset.state.startsWith('fits')")
    assert chromium.complaints() == []


def test_what_does_not_fit_is_shown_with_the_way_out(browser):
    browser.choose("division", "own")
    browser.choose("workload.model", "llama-2-70b")
    browser.until("document.body.dataset.state.startsWith('infeasible')")
    assert browser.text("#verdict") == "Does not fit"
    assert "234 GB too much" in browser.text("#reasons")
    assert browser.run("return document.getElementById('time')") is None, (
        "no time of what does not fit"
    )
    browser.run("document.getElementById('reset').click()")
    browser.until(SIMULATED)


def test_the_smallest_change_that_fits_is_one_click_away(browser):
    """13 billion parameters cut in two leave 41 GB too much; the program knows what would help."""
    browser.choose("division", "own")
    browser.choose("workload.model", "llama-2-13b")
    browser.move("workload.sequence_length", browser.stop_of("workload.sequence_length", 16384))
    browser.until("document.getElementById('fit')")
    setting = browser.text("#reasons .path")
    browser.run("document.getElementById('fit').click()")
    browser.until("document.body.dataset.state.startsWith('fits')")
    assert setting in browser.run("return railwright.what_if.state.settings")


def test_a_division_is_chosen_where_the_scenarios_does_not_fit(browser):
    browser.choose("workload.model", "llama-2-13b")
    browser.move("workload.sequence_length", browser.stop_of("workload.sequence_length", 16384))
    browser.until("document.getElementById('division')")
    browser.until("document.body.dataset.state.startsWith('fits')")
    line = browser.text("#division")
    assert line.startswith("Division chosen.") and "memory" in line, line
    shown = browser.run("return railwright.what_if.state.values['parallelism.tp']")
    assert str(shown) == browser.run("return document.getElementById('set-parallelism-tp').value")


def test_a_division_set_by_hand_stays_and_the_rest_is_chosen(browser):
    """The scenario has pp 1 on 16 accelerators; three stages divide neither them nor the layers."""
    browser.type("parallelism.pp", 3)
    browser.until("document.getElementById('divide')")
    assert browser.text("#verdict") == "Cannot be built so"
    browser.run("document.getElementById('divide').click()")
    browser.until("document.body.dataset.state.startsWith('fits')")
    assert browser.text("#division").startswith("Division chosen.")
    browser.move("parallelism.tp", browser.stop_of("parallelism.tp", 8))
    browser.until("railwright.what_if.state.values['parallelism.tp'] === 8")
    browser.until("document.body.dataset.state.startsWith('fits')")
    assert browser.run("return railwright.what_if.state.changes.division") == "own"


def test_mistakes_stand_at_their_control(browser):
    browser.type("parallelism.tp", 32)
    browser.until("document.body.dataset.state === 'problems'")
    assert browser.text("#verdict") == "Cannot be built so"
    trouble = browser.text('[data-path="parallelism.tp"] .trouble')
    assert trouble and trouble in browser.text("#reasons")
    assert browser.run("return document.getElementById('time')") is None
    browser.run("""document.querySelector('[data-path="parallelism.tp"] .back').click()""")
    browser.until(SIMULATED)


def test_a_number_typed_in_is_checked_by_the_program(browser):
    browser.run("""
        const input = document.getElementById("set-workload-steps");
        input.value = "-5";
        input.dispatchEvent(new Event("input", {bubbles: true}));
        """)
    browser.until("document.body.dataset.state === 'problems'")
    assert "must be between 1" in browser.text('[data-path="workload.steps"] .trouble')


def test_a_fabric_of_the_catalogue_by_its_name(browser):
    offered = browser.run("""
        return [...document.querySelectorAll('[data-path="cluster.fabric"] optgroup[label="Of the catalogue"] option')]
            .map((one) => one.value);
        """)
    there = (EXAMPLES.parent / "models" / "catalogue" / "fabrics").glob("*.yaml")
    assert sorted(offered) == sorted(path.stem for path in there)
    browser.choose("cluster.fabric", "h20003-pods")
    browser.until(holds("cluster.fabric", "h20003-pods") + SIMULATED)
    assert "Pods of four XE9680" in browser.text('[data-path="cluster.fabric"] .about')
    ethernet = "cluster.node.nics.transport=roce"
    pods = [ethernet, "cluster.fabric=h20003-pods"]
    assert sorted(browser.run("return railwright.what_if.state.settings")) == sorted(pods)
    assert browser.time_shown() == simulated(*pods)["training_time_s"]
    browser.move("cluster.fabric.nodes_per_pod", 0)
    browser.until(holds("cluster.fabric.nodes_per_pod", 1) + SIMULATED)
    laid_over = [*pods, "cluster.fabric.nodes_per_pod=1"]
    assert sorted(browser.run("return railwright.what_if.state.settings")) == sorted(laid_over)
    assert browser.time_shown() == simulated(*laid_over)["training_time_s"]


def test_another_fabric_is_no_longer_the_one_before(browser):
    """What was changed of one fabric is not carried into one that the catalogue describes."""
    browser.choose("cluster.fabric", "h20003-pods")
    browser.until(holds("cluster.fabric", "h20003-pods") + SIMULATED)
    browser.move("cluster.fabric.nodes_per_pod", 0)
    browser.until(holds("cluster.fabric.nodes_per_pod", 1) + SIMULATED)
    browser.choose("cluster.fabric", "rails-3-to-1")
    browser.until(holds("cluster.fabric", "rails-3-to-1") + SIMULATED)
    assert sorted(browser.run("return railwright.what_if.state.settings")) == [
        "cluster.fabric=rails-3-to-1",
        "cluster.node.nics.transport=roce",
    ]
    assert browser.run(
        """return document.querySelector('[data-path="cluster.fabric.nodes_per_pod"]').hidden"""
    )


def test_ports_that_do_not_suffice_are_said(browser):
    browser.choose("cluster.fabric", "one-qm9790")
    browser.move("cluster.nodes", browser.stop_of("cluster.nodes", 12))
    browser.until("document.body.dataset.state.startsWith('infeasible')")
    said = simulated("cluster.fabric=one-qm9790", "cluster.nodes=12")["infeasible"]
    assert said == ["12 nodes x 8 NICs need 96 ports; qm9790 has 64"]
    assert browser.text("#verdict") == "Does not fit" and said[0] in browser.text("#reasons")


def test_several_planes(browser):
    """Two planes want two ports an accelerator; a NIC of two ports has them."""
    browser.choose("cluster.node.nics.transport", "roce")
    browser.choose("cluster.fabric", "multi_plane")
    browser.until("document.body.dataset.state.startsWith('infeasible')")
    assert "2 planes need a multiple of 2 NIC ports" in browser.text("#reasons")
    browser.choose("cluster.node.nics.nic", "connectx-6-dx")
    browser.until(holds("cluster.node.nics.nic", "connectx-6-dx") + SIMULATED)
    planes = (
        "{topology: multi_plane, planes: 2, plane: {topology: rail_optimized, switch: z9664f-on}}"
    )
    others = ["cluster.node.nics.nic=connectx-6-dx", "cluster.node.nics.transport=roce"]
    settings = [f"cluster.fabric={planes}", *others]
    assert sorted(browser.run("return railwright.what_if.state.settings")) == settings
    assert browser.time_shown() == simulated(*settings)["training_time_s"]
    browser.choose("cluster.fabric.plane", "rails-3-to-1")
    browser.until(holds("cluster.fabric.plane", "rails-3-to-1") + SIMULATED)
    settings[0] = "cluster.fabric={topology: multi_plane, planes: 2, plane: rails-3-to-1}"
    assert sorted(browser.run("return railwright.what_if.state.settings")) == settings
    assert browser.time_shown() == simulated(*settings)["training_time_s"]
    browser.move("cluster.fabric.planes", 1)
    browser.until("document.body.dataset.state.startsWith('infeasible')")
    assert "3 planes" in browser.text("#reasons")


def test_planes_that_the_catalogue_names(browser):
    browser.choose("cluster.node.nics.nic", "connectx-6-dx")
    browser.choose("cluster.fabric", "two-planes-of-rails")
    browser.until("document.body.dataset.state === 'problems'")
    browser.choose("cluster.fabric.switch", "z9664f-on")
    browser.until(holds("cluster.fabric.switch", "z9664f-on") + SIMULATED)
    settings = [
        "cluster.fabric.plane.switch=z9664f-on",
        "cluster.fabric=two-planes-of-rails",
        "cluster.node.nics.nic=connectx-6-dx",
        "cluster.node.nics.transport=roce",
    ]
    assert sorted(browser.run("return railwright.what_if.state.settings")) == settings
    in_order = [settings[1], settings[0], *settings[2:]]
    assert browser.time_shown() == simulated(*in_order)["training_time_s"]


def test_a_downloaded_scenario_gives_the_same_number(browser, downloads):
    browser.choose("cluster.fabric", "fat_tree")
    browser.until(holds("cluster.fabric", "fat_tree") + SIMULATED)
    shown = browser.time_shown()
    browser.run("document.getElementById('download').click()")
    end = time.monotonic() + 10
    while not (files := list(downloads.glob("*.yaml"))):
        assert time.monotonic() < end
        time.sleep(0.05)
    code, out, err = run("simulate", files[0], "--format", "json")
    assert code == 0, err
    assert json.loads(out)["training_time_s"] == pytest.approx(shown, rel=1e-12)


def test_a_scenario_that_is_opened(browser):
    path = EXAMPLES / "llama-2-70b-six-nodes.yaml"
    browser.driver.find_element("id", "file").send_keys(str(path))
    browser.until("railwright.what_if.state.name.startsWith('Llama 2 70B') && " + SIMULATED)
    assert browser.text("#name") == "Llama 2 70B on six XE9680"
    expected = json.loads(run("simulate", path, "--format", "json")[1])
    assert browser.time_shown() == pytest.approx(expected["training_time_s"], rel=1e-12)


def test_the_title_says_what_was_changed(browser):
    name = browser.text("#name")
    browser.choose("workload.model", "llama-2-13b")
    browser.until("railwright.what_if.state.answer?.result.name.includes(', with ')")
    browser.until("document.getElementById('name').textContent.includes('llama-2-13b')")
    answer = browser.run("return railwright.what_if.state.answer.result.name")
    assert browser.text("#name") == answer == f"{name}, with workload.model=llama-2-13b"
    browser.run("document.getElementById('reset').click()")
    browser.until(f"document.getElementById('name').textContent === {json.dumps(name)}")


def test_the_chart_of_the_load_reaches_its_peaks(browser):
    path = EXAMPLES / "powerscale-checkpoints.yaml"
    browser.driver.find_element("id", "file").send_keys(str(path))
    browser.until("railwright.what_if.state.name.includes('checkpoints to three') && " + SIMULATED)
    most, end, shown = browser.run(
        """
        const canvas = document.querySelector("#storage canvas"), {chart} = canvas;
        const {run_peak_read_bytes_per_s: read, run_peak_write_bytes_per_s: write} =
          railwright.what_if.state.answer.result.storage;
        return [Math.max(read, write), chart.scales.y.max,
                Math.max(...chart.data.datasets.flatMap((set) => set.data.map(({y}) => y)))];
        """
    )
    assert shown == pytest.approx(most) and end >= most


def test_words_of_a_scenario_are_only_words(browser, tmp_path):
    text = (EXAMPLES / "neutral-llama-2-7b.yaml").read_text()
    name = "<img src=x onerror=document.title=1><script>alert(1)</script>"
    lines = [f"name: '{name}'" if line.startswith("name:") else line for line in text.splitlines()]
    path = tmp_path / "hostile.yaml"
    path.write_text("\n".join(lines))
    browser.driver.find_element("id", "file").send_keys(str(path))
    browser.until("railwright.what_if.state.name.startsWith('<img') && " + SIMULATED)
    assert browser.text("#name") == name
    assert browser.run("return document.querySelector('h1 *, h1 img')") is None


def test_every_number_is_in_the_document(browser):
    """What has a place in an answer shows the number that stands there."""
    browser.until("railwright.what_if.state.other?.answer && document.getElementById('designs-table')")
    wrong = browser.run("""
        const {at, kinds} = railwright.page;
        const {answer, other} = railwright.what_if.state;
        const answers = {A: answer, B: other.answer};
        const shown = [...document.querySelectorAll(".num[data-at]:not([data-over])")];
        if (shown.length < 20 || !shown.some((one) => one.dataset.in === "B")) return ["only " + shown.length];
        return shown.filter((one) => kinds[one.dataset.kind](at(answers[one.dataset.in] ?? answer, one.dataset.at)) !== one.textContent)
                    .map((one) => one.dataset.at);
        """)
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_it_fits_the_window(browser, width, scheme):
    browser.look(width)
    browser.theme(scheme)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.until(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    )
    assert browser.run("return innerWidth") == width
    assert browser.run("return document.documentElement.scrollWidth") <= width
    paper = browser.run(
        "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert (sum(paper) > 3 * 128) == (scheme == "light")


def test_the_answer_stays_in_view(browser):
    for width in (360, 1280):
        browser.look(width, 800)
        browser.run("scrollTo(0, 700)")
        box = browser.run(
            "const box = document.getElementById('time').getBoundingClientRect(); return [box.top, box.bottom]"
        )
        assert 0 <= box[0] and box[1] <= 800


def test_a_program_that_has_ended_is_said_so(chromium):
    page = Served(EXAMPLES / "neutral-llama-2-7b.yaml")
    chromium.open(page.address)
    chromium.until(SIMULATED)
    assert page.close()[0] == 0
    chromium.move("cluster.nodes", 4)
    chromium.until("document.body.dataset.state === 'lost'")
    assert "cannot be reached" in chromium.text("#summary")
    assert chromium.run("return document.getElementById('time')") is None
    chromium.complaints()
