# SPDX-License-Identifier: Apache-2.0
"""Reports in a real browser: drawn whole, by themselves, and with no number of their own."""

import csv
import json
import re
import subprocess

import pytest
from browser import downloaded
from conftest import EVIL, EXAMPLES, PAGES, PROGRAM
from numbers_shown import at, value_and_last_digit

ALL = sorted(PAGES)
CHARTED = ["checkpoints", "jobs", "estimate", "cases", "curves", "designs", "size", "search", "services", "service", "queue", "queues", "mixes", "limits", "fit", "sweep", "sweep-many", "sweep-named"]

# For every canvas: its width, and whether anything differs from its first pixel.
CANVASES = """
return [...document.querySelectorAll('canvas')].map((canvas) => {
  const copy = document.createElement('canvas');
  Object.assign(copy, {width: canvas.width, height: canvas.height});
  const pen = copy.getContext('2d', {willReadFrequently: true});
  pen.drawImage(canvas, 0, 0);
  const data = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return [canvas.getAttribute('aria-label'), canvas.width, data.some((pixel) => pixel !== data[0])];
});"""

SHOWN = """
return [...document.querySelectorAll('.num')].map((one) =>
  [one.textContent, one.dataset.at, one.dataset.over || null, one.dataset.minus || null, one.dataset.kind]);"""

# Text of the page outside of shown numbers.
PLAIN = """
const walker = document.createTreeWalker(document.getElementById('report'), NodeFilter.SHOW_TEXT);
const texts = [];
while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('.num, footer, .kind, title')) texts.push(walker.currentNode.data);
return texts;"""

CHART_VALUES = """
return [...document.querySelectorAll('canvas')].filter((canvas) => canvas.chart).flatMap((canvas) =>
  canvas.chart.data.datasets.flatMap((set) => set.data.flatMap((one) => typeof one === 'number' ? [one] : [one.x, one.y])));"""

# What each point of each chart says when pointed at: the chart's title and body, the name of the
# line or bar, and the value along and across.
HOVERS = """
return [...document.querySelectorAll('canvas')].filter((canvas) => canvas.chart).flatMap((canvas) => {
  const {chart} = canvas;
  return chart.data.datasets.flatMap((set, datasetIndex) => set.data.map((one, index) => {
    chart.tooltip.setActiveElements([{datasetIndex, index}], {x: 0, y: 0});
    const {title, body} = chart.tooltip;
    return [title, body.flatMap((part) => part.lines), typeof one === 'number' ? chart.data.labels[index] : null,
      set.label, typeof one === 'number' ? one : one.x, typeof one === 'number' ? null : one.y];
  }));
});"""

WIRES = "return [...document.querySelectorAll('#topology svg line title')].map((one) => one.textContent);"

# What the timeline says where the pointer rests: `share` of the width of a lane from its left end.
POINTED = """
const [lane, share, begin] = arguments;
const canvas = document.querySelector('#timeline canvas');
const left = begin * canvas.clientWidth;
const event = new PointerEvent('pointermove', {bubbles: true});
Object.defineProperty(event, 'offsetX', {value: left + share * (canvas.clientWidth - left)});
Object.defineProperty(event, 'offsetY', {value: (lane + 0.5) * arguments[3]});
canvas.dispatchEvent(event);
return document.querySelector('#timeline [role=status]').textContent;"""

# What the page itself says with figures: how it rounds, shares of a legend, names.
OWN_WORDS = re.compile(r"^(1 % (better saves|worse adds)|5 to 95 % of runs|80 % interval( around a predicted step)?)$")


def numbers_in(value):
    """Every number of a document, and those that are written as text."""
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from numbers_in(one)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, str) and re.fullmatch(r"[0-9.]+", value):
        yield float(value)


def strings_in(value):
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from strings_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)
    elif isinstance(value, str):
        yield value


def embedded(page):
    html = page.path.read_text(encoding="utf-8")
    inside = html.partition('id="document">')[2].partition("</script>")[0]
    return json.loads(inside)["document"]


class Opened:
    """What a page is in the browser: looked at once, in both themes and three widths."""

    def __init__(self, page, window):
        self.page = page
        self.complaints = window.open(page.address)
        self.requests = window.requests()
        self.num_sections = window.run("return document.querySelectorAll('main section').length")
        self.policy = window.run("return document.querySelector('meta[http-equiv]').content")
        self.shown = window.run(SHOWN)
        self.plain = window.run(PLAIN)
        self.chart_values = window.run(CHART_VALUES)
        self.canvases = window.run(CANVASES)
        self.hovers = window.run(HOVERS)
        window.theme("dark")
        self.canvases_in_the_dark = window.run(CANVASES)
        self.widths = {}
        for width in (2200, 1280, 380):
            window.look(width)
            self.widths[width] = window.run("return document.documentElement.scrollWidth")
        self.later_complaints = window.complaints()


@pytest.fixture(scope="session")
def opened(pages, window):
    seen = {}

    def look(name):
        if name not in seen:
            seen[name] = Opened(pages(name), window)
        return seen[name]

    return look


@pytest.mark.parametrize("name", ALL)
def test_the_document_is_the_json_of_the_run(pages, name):
    page = pages(name)
    assert embedded(page) == page.document
    assert page.path.stat().st_size < 5e6


@pytest.mark.parametrize("name", ALL)
def test_it_opens_without_complaint_and_without_any_request(opened, name):
    seen = opened(name)
    assert seen.complaints == [] and seen.later_complaints == []
    asked = [address for address in seen.requests if not address.startswith("data:")]
    assert set(asked) == {seen.page.address}
    assert seen.num_sections >= (3 if "scenario" in seen.page.document else 2)
    assert "default-src 'none'" in seen.policy and "unsafe" not in seen.policy


@pytest.mark.parametrize("name", CHARTED)
def test_charts_are_drawn_in_both_themes(opened, name):
    seen = opened(name)
    assert seen.canvases and len(seen.canvases) == len(seen.canvases_in_the_dark)
    for label, width, is_drawn in seen.canvases + seen.canvases_in_the_dark:
        assert width > 100 and is_drawn, label


@pytest.mark.parametrize("name", ALL)
def test_nothing_sticks_out_of_the_window(opened, name):
    for width, taken in opened(name).widths.items():
        assert taken <= width


@pytest.mark.parametrize("name", ALL)
def test_every_number_is_in_the_document(opened, name):
    seen = opened(name)
    document = seen.page.document
    assert len(seen.shown) > 3
    for text, pointer, over, minus, kind in seen.shown:
        value = at(document, pointer)
        value = value / at(document, over) if over else value
        value = value - (1 if over and kind == "change" else 0)
        value = value - at(document, minus) if minus else value
        unit = f" {kind[3:]}" if kind.startswith("in_") else ""
        said, last_digit = value_and_last_digit(text + unit)
        assert abs(said - value) <= 0.5001 * last_digit, (text, pointer, value)


@pytest.mark.parametrize("name", ALL)
def test_all_other_figures_are_words_of_the_document(opened, name):
    seen = opened(name)
    document = seen.page.document
    known = "\n".join(strings_in(document))
    known += known.replace("_", " ")
    lanes = document.get("timeline", {}).get("lanes", [])
    stages = {f"stage {lane['stage']}" for lane in lanes}
    for text in seen.plain:
        for word in re.findall(r"[^\s,;:()]*[0-9][^\s,;:()]*", text):
            found = word.strip(".") in known or text.strip() in stages or OWN_WORDS.match(text)
            assert found, (word, text)


@pytest.mark.parametrize("name", CHARTED)
def test_every_charted_value_is_in_the_document(opened, name):
    seen = opened(name)
    known = set(numbers_in(seen.page.document))
    assert len(seen.chart_values) > 2
    assert [value for value in seen.chart_values if float(value) not in known] == []


def says(text, value):
    """Whether a text ends in that number, as a page writes numbers."""
    said, last_digit = value_and_last_digit(text)
    return abs(said - value) <= 0.5001 * last_digit


@pytest.mark.parametrize("name", CHARTED)
def test_what_a_chart_says_when_pointed_at_is_in_the_document(opened, name):
    """Each text is read back and held against its value, which the test above finds in the JSON."""
    hovers = opened(name).hovers
    assert len(hovers) > 2
    for title, lines, row, series, along, across in hovers:
        (line,) = lines
        if row is None:  # a line over a number
            assert says(title[0], along), (title, along)
            assert line.startswith(f"{series}: ") and says(line.removeprefix(f"{series}: "), across)
        else:  # bars, stacked by part or one a row
            assert title == [row]
            assert says(line.removeprefix(f"{series}: "), along), (line, along)


def test_a_wire_says_its_load_when_pointed_at(pages, window):
    window.open(pages("checkpoints").address)
    wires = pages("checkpoints").document["topology"]["wires"]
    texts = window.run(WIRES)
    assert len(texts) == len(wires)
    loaded = 0
    for text, wire in zip(texts, wires):
        if "utilization" not in wire:
            continue
        busiest, mean, size = text.rpartition(": ")[2].split(", ")
        assert says(busiest.removeprefix("busiest "), wire["utilization"])
        assert says(mean.removeprefix("mean "), wire["mean_utilization"])
        assert says(size.removesuffix(" a step"), wire["busiest_link_bytes"])
        loaded += 1
    assert loaded > 4


def test_what_users_wrote_stays_text(pages, window):
    page = pages("evil")
    assert page.document["name"] == EVIL
    assert window.open(page.address) == []
    assert window.run("return document.querySelector('h1').textContent") == EVIL
    assert window.run("return document.title") == f"{EVIL} - railwright"
    assert window.run("return document.querySelectorAll('img').length") == 0


def test_the_policy_forbids_every_request(pages, window):
    window.open(pages("evil").address)
    refused = window.driver.execute_async_script(
        "const done = arguments[0];"
        "fetch('http://127.0.0.1:9/').then(() => done('let through'), () => done('refused'));"
    )
    assert refused == "refused"
    assert any("Content Security Policy" in message for message in window.complaints())


def test_a_chart_takes_the_colours_of_the_theme_at_once(pages, window):
    window.open(pages("checkpoints").address)
    background = "return getComputedStyle(document.body).backgroundColor"
    label = "return document.querySelector('canvas').chart.options.scales.y.ticks.color"
    light = window.run(background), window.run(label)
    window.theme("dark")
    dark = window.run(background), window.run(label)
    assert light[0] != dark[0] and light[1] != dark[1]
    assert dark[1] == window.run("return railwright.page.colour('text')")


def test_a_design_that_does_not_fit_says_so_first(pages, window):
    window.open(pages("infeasible").address)
    alert = window.run("return document.querySelector('main section').innerText")
    assert "does not fit" in alert and "too much" in alert


def test_jobs_say_when_all_are_done_and_what_slows_their_steps(opened):
    seen = opened("jobs-on-leaves")
    places = {(pointer, over) for _, pointer, over, *_ in seen.shown}
    assert ("/makespan_s", None) in places
    for i, job in enumerate(seen.page.document["jobs"]):
        beside, alone = f"/jobs/{i}/step_time_s", f"/jobs/{i}/step_time_alone_s"
        assert {(beside, None), (alone, None), (beside, alone)} <= places
        assert job["step_time_s"] > 1.01 * job["step_time_alone_s"]


CHOSEN = """
const [box, value] = arguments;
const select = document.querySelectorAll('#chart select')[box];
select.selectedIndex = [...select.options].findIndex((one) => one.textContent === value);
select.dispatchEvent(new Event('change'));
const sets = document.querySelector('#chart canvas').chart.data.datasets;
return sets.map((set) => [set.label, set.data.map(({x, y}) => [x, y])]);"""


def test_a_sweep_draws_the_number_and_the_key_that_are_chosen(pages, window):
    page = pages("sweep")
    window.open(page.address)
    workers, latency = "data.num_workers", "cluster.storage.node.latency"
    for word, column in (("mean power", "mean_power_w"), ("step time", "step_time_s")):
        expected = {}
        for row in page.document["table"]:
            expected.setdefault(f"node.latency {row[latency]}", []).append([row[workers], row[column]])
        assert dict(window.run(CHOSEN, 0, word)) == expected
    bars = window.run(
        CHOSEN.replace("set.data.map(({x, y}) => [x, y])", "set.data"), 1, latency
    )
    assert len(bars) == len({row[workers] for row in page.document["table"]})
    assert all(len(values) == len(expected) for _, values in bars)


def test_a_sweep_of_many_keys_draws_the_least_and_the_most(pages, window):
    page = pages("sweep-many")
    window.open(page.address)
    drawn = dict(window.run(CHOSEN, 1, "workload.global_batch"))
    fits = [row for row in page.document["table"] if row["feasible"]]
    for name, end in (("least", min), ("most", max)):
        expected = {}
        for row in fits:
            expected.setdefault(row["workload.global_batch"], []).append(row["step_time_s"])
        assert drawn[name] == [[batch, end(times)] for batch, times in sorted(expected.items())]
    for box, value in ((2, "4 NICs"), (3, "2"), (5, "1")):  # case, tp and micro-batch
        drawn = window.run(CHOSEN, box, value)
    ((_, line),) = drawn
    asked = {"case": "4 NICs", "parallelism.tp": 2, "workload.micro_batch": 1}
    kept = [row for row in fits if all(row[key] == value for key, value in asked.items())]
    assert line == [[row["workload.global_batch"], row["step_time_s"]] for row in kept] and len(line) == 3
    shown = window.run("return document.querySelectorAll('#points tbody tr').length")
    assert shown == page.document["points"] > len(fits)


def test_a_sweep_of_too_many_points_has_no_page(tmp_path):
    page = tmp_path / "page.html"
    vary = "workload.global_batch=" + ",".join(str(16 * i) for i in range(1, 1002))
    words = ["sweep", EXAMPLES / "neutral-llama-2-7b.yaml", "--estimate", "--out", "none", "--vary", vary]
    done = subprocess.run([PROGRAM, *words, "--report", page], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "at most 1000 points, this sweep has 1001" in done.stderr
    assert not page.exists()


def test_a_sweep_without_a_fit_says_why(pages, window):
    page = pages("sweep-none")
    window.open(page.address)
    alert = window.text("#answer [role=alert]")
    assert all(row["reason"] in alert for row in page.document["table"])


def test_a_fabric_that_does_not_fit_is_red(pages, window):
    page = pages("short")
    window.open(page.address)
    alert = window.text("#topology [role=alert]")
    shortfalls = page.document["topology"]["shortfalls"]
    assert len(shortfalls) == 2 and all(one in alert for one in shortfalls)
    red = window.run(
        "const bad = getComputedStyle(document.querySelector('#topology [role=alert]')).color;"
        "return [...document.querySelectorAll('#topology svg rect')]"
        ".filter((one) => getComputedStyle(one).stroke === bad).length;"
    )
    assert red == 3  # two leaves, and the front end
    window.open(pages("checkpoints").address)
    assert window.text("#topology [role=alert]") == ""
    assert window.run("return document.querySelector('#topology .short')") is None


def test_the_title_says_what_was_changed(pages, window):
    page = pages("short")
    window.open(page.address)
    name = "Llama 2 70B on eight XE9680 behind two QM9790, with cluster.nodes=24"
    assert page.document["name"] == window.text("h1") == name


def test_a_sizing_says_mean_and_confidence_and_draws_the_deadline(pages, window):
    page = pages("size")
    window.open(page.address)
    document = page.document
    cheapest = f"/sized/{document['chosen']}"
    shown = window.run(
        "return [...document.querySelectorAll('#answer .headline .num')].map((one) => one.dataset.at);"
    )
    for place in ("/result/training_time_s", "/training_time_at_confidence_s"):
        assert cheapest + place in shown
    assert "/deadline_s" in shown
    # Of the deadline's column, which dashes leave in part, and of one before it: what is red.
    columns = window.run(
        """
        const canvas = document.querySelector('#times canvas'), {chart} = canvas;
        const bad = railwright.page.colour('bad');
        const pen = document.createElement('canvas').getContext('2d');
        pen.fillStyle = bad;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
        const scale = canvas.width / canvas.clientWidth;
        const red = (x) => {
          const {data} = canvas.getContext('2d').getImageData(Math.round(x * scale) - 1, 0, 3, canvas.height);
          let count = 0;
          for (let i = 0; i < data.length; i += 4) {
            if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 40) ++count;
          }
          return count;
        };
        const x = chart.scales.x.getPixelForValue(arguments[0]);
        return [red(x), red(x - 6), chart.scales.x.max];
        """,
        document["deadline_s"],
    )
    assert columns[0] > 20 and columns[2] >= document["deadline_s"]
    text = window.text("#answer")
    assert "Prices: Fictitious round prices" in text
    for part in document["sized"][document["chosen"]]["result"]["cost"]["unpriced"]:
        assert part["name"] in text


def test_a_timeline_is_as_dense_as_it_is_busy(pages, window):
    """A short transfer is neither lost nor drawn as if it took all of its pixel."""
    window.open(pages("checkpoints").address)
    drawn = window.run(
        "const spans = [[0, 0, 2], [1, 2.25, 2.5], [0, 3, 6, 0.1], [1, 6.2, 6.3], [0, 6.5, 7]];"
        "return railwright.timeline.pixels(spans, 2, 100, 110, (time) => 100 + time)"
        ".map(({kind, share}) => [kind, share]);"
    )
    expected = [(0, 1), (0, 1), (1, 0.25), (0, 0.1), (0, 0.1), (0, 0.1), (0, 0.6), (-1, 0), (-1, 0), (-1, 0)]
    assert [kind for kind, _ in drawn] == [kind for kind, _ in expected]
    assert [share for _, share in drawn] == pytest.approx([share for _, share in expected])


def test_charts_and_bills_are_saved(pages, window, downloads):
    for left in [*downloads.glob("*.csv"), *downloads.glob("*.png")]:
        left.unlink()
    page = pages("checkpoints")
    window.open(page.address)
    window.run("document.querySelector('#breakdown .save[aria-label$=CSV]').click()")
    names, values = csv.reader(downloaded(downloads, "csv").decode().splitlines())
    parts = page.document["breakdown"]
    shown = [part for part in parts.values() if part > 0]
    assert sorted(map(float, values[1:])) == sorted(shown) and len(names) == len(values)
    window.open(page.address)  # a second file without a hand on the mouse is held back
    window.run("document.querySelector('#breakdown .save[aria-label$=PNG]').click()")
    assert downloaded(downloads, "png").startswith(b"\x89PNG")
    page = pages("fabric")
    window.open(page.address)
    window.run("document.querySelector('.save[aria-label=\"parts as CSV\"]').click()")
    rows = list(csv.reader(downloaded(downloads, "csv").decode().splitlines()))
    assert [row[0] for row in rows[1:]] == [part["name"] for part in page.document["parts"]]
    assert [int(row[2]) for row in rows[1:]] == [part["count"] for part in page.document["parts"]]


def test_a_report_says_what_made_it(pages, window):
    page = pages("designs")
    window.open(page.address)
    said = window.text("footer")
    command = "railwright compare neutral-llama-2-7b.yaml --vary cluster.node.nics.count=8,4 --report"
    assert command in said
    assert re.search(r"on 20\d\d-\d\d-\d\d \(UTC\); hashes of its input: scenario [0-9a-f]{16}", said)
    pages("designs-4")
    window.open(pages("designs-4").address)
    other = window.text("footer")
    hash_of = re.compile(r"(scenario|catalogue values) ([0-9a-f]{16})")
    first, second = dict(hash_of.findall(said)), dict(hash_of.findall(other))
    assert first["scenario"] != second["scenario"]
    assert first["catalogue values"] == second["catalogue values"]


def test_the_fabric_can_be_zoomed(pages, window):
    window.open(pages("checkpoints").address)
    view = "return document.querySelector('.drawing svg').getAttribute('viewBox').split(' ').map(Number)"
    whole = window.run(view)
    window.run("document.querySelector('#topology button[title=\"Zoom in\"]').click()")
    near = window.run(view)
    assert near[2] < whole[2] and near[3] < whole[3]
    window.run("document.querySelector('#topology button[title=\"Show all\"]').click()")
    assert window.run(view) == whole
    wires = window.run("return document.querySelectorAll('.drawing svg line').length")
    assert wires > 20


def test_constants_can_be_searched(pages, window):
    window.open(pages("checkpoints").address)
    rows = (
        "return [...document.querySelectorAll('#constants tbody tr')]"
        ".filter((row) => row.offsetParent).length"
    )
    every = window.run(rows)
    window.run(
        "const box = document.querySelector('#constants input'); box.value = 'kernel_overhead';"
        "box.dispatchEvent(new Event('input'));"
    )
    assert 0 < window.run(rows) < every / 10


@pytest.mark.parametrize("name", ALL)
def test_a_number_is_shown_in_the_unit_of_its_key(opened, name):
    """tokens_per_s are no time."""
    for text, place, over, minus, kind in opened(name).shown:
        if over or minus:
            continue
        key = place.rsplit("/", 1)[-1]
        if key.endswith("bytes_per_s"):
            assert kind == "bytes_per_s", (place, text)
        elif key.endswith("w_per_s"):
            assert kind == "w_per_s", (place, text)
        elif key.endswith("_per_s"):
            assert kind in ("plain", "count", "big"), (place, text)
        elif key.endswith("_s"):
            assert kind in ("s", "difference") or kind.startswith("in_"), (place, text)
        elif key.endswith("_bytes"):
            assert kind == ("memory" if "memory" in place else "bytes"), (place, text)
