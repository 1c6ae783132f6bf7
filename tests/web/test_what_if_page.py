# SPDX-License-Identifier: Apache-2.0
"""The what-if page in a browser, as someone uses it: its answer, its settings and its files."""

import json

import pytest
from browser import downloaded
from serving import EXAMPLES, Served, run
from what_if_page import SIDE_BY_SIDE, SIMULATED, holds, simulated


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


def test_ten_settings_come_first(browser):
    count = (
        "return [...document.querySelectorAll('.control')].filter((one) => one.offsetParent).length"
    )
    assert browser.run(count) == 10
    browser.press("#more")
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
    browser.press("#divide")
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
    browser.press('[data-path="parallelism.tp"] .back')
    browser.until(SIMULATED)


def test_a_number_typed_in_is_checked_by_the_program(browser):
    browser.write("#set-workload-steps", "-5", "input")
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


def test_a_downloaded_scenario_gives_the_same_number(browser, downloads, tmp_path):
    browser.choose("cluster.fabric", "fat_tree")
    browser.until(holds("cluster.fabric", "fat_tree") + SIMULATED)
    shown = browser.time_shown()
    browser.press("#download")
    path = tmp_path / "downloaded.yaml"
    path.write_bytes(downloaded(downloads, "yaml"))
    code, out, err = run("simulate", path, "--format", "json")
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
    browser.press("#reset")
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
    browser.until(SIDE_BY_SIDE)
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
