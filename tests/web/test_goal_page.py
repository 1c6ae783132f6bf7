# SPDX-License-Identifier: Apache-2.0
"""The page that sizes a cluster for a goal: a model by a date, or for its users."""

import json

import pytest
from selenium.webdriver import ActionChains
from serving import run
from test_accessible import found_in_both_themes

SIZED = "document.body.dataset.state === 'sized'"
DRAWN = SIZED + " && Boolean(document.querySelector('#designs canvas')?.chart)"
SMALL = {"model": "llama-2-7b", "tokens": "5B", "deadline": "2 day"}
FIRST_DESIGN = """
const canvas = document.querySelector('#designs canvas');
canvas.scrollIntoView({block: 'center'});
const {chart} = canvas;
const {x, y} = chart.getDatasetMeta(chart.data.datasets.findIndex((set) => set.data[0].design)).data[0];
return [x - canvas.clientWidth / 2, y - canvas.clientHeight / 2];
"""


def click_a_design(page):
    x, y = page.run(FIRST_DESIGN)
    page.settle()
    canvas = page.driver.find_element("css selector", "#designs canvas")
    ActionChains(page.driver).move_to_element_with_offset(canvas, round(x), round(y)).click().perform()


def asked(served_page, of, **words):
    return f"{served_page.address}goal#of={of}&" + "&".join(f"{k}={v}" for k, v in words.items())


@pytest.fixture
def goal(served_page, chromium):
    """Opens the page at a question and waits for its answer."""

    def open_at(of, **words):
        chromium.open("about:blank")
        assert chromium.open(asked(served_page, of, **words)) == []
        chromium.until(DRAWN)
        return chromium

    yield open_at
    assert chromium.complaints() == []


def verdict_of(*words):
    """The line that the command prints of the same."""
    text = run("size", *words)[1]
    return next(line for line in text.splitlines() if line.startswith("verdict"))[16:]


def test_a_date_is_answered_as_by_the_command(goal):
    page = goal("training", **SMALL)
    flags = [word for name, value in SMALL.items() for word in (f"--{name}", value)]
    assert page.text("#headline") == verdict_of(*flags, "--node", "dgx-h100")
    assert "railwright size --model llama-2-7b --tokens 5B" in page.text("#command")


def test_users_are_answered_as_by_the_command(goal):
    page = goal("service")
    flags = ["--model", "llama-3.3-70b", "--users", "2000", "--ttft", "1s", "--tpot", "40ms"]
    assert page.text("#headline") == verdict_of(*flags)
    click_a_design(page)
    page.until("document.querySelector('#designs .design') !== null")
    assert "accelerators on" in page.text("#designs .design")


def test_designs_are_points_and_a_click_opens_one(goal):
    page = goal("training", **SMALL)
    points = page.run("return railwright.goal.state.series[0].points")
    assert len(points) >= 3
    times = [one["time"] for one in points]
    assert times == sorted(times, reverse=True)  # more nodes are faster
    click_a_design(page)
    page.until("Boolean(railwright.what_if?.state.answer)")
    nodes = page.run("return railwright.what_if.state.values['cluster.nodes']")
    assert nodes == points[0]["nodes"]


def test_a_limit_of_power_is_kept(goal, served_page, chromium):
    assert "kW" in goal("training", **SMALL).text("#headline")
    chromium.open("about:blank")
    chromium.open(asked(served_page, "training", **SMALL, power="1 kW"))
    chromium.until("document.body.dataset.state === 'nothing'")
    assert "no cluster meets the goals" in chromium.text("#headline")


def test_a_mistake_greys_the_answer_before(goal):
    page = goal("training", **SMALL)
    page.write("[name=deadline]", "soon")
    page.press("#settings button")
    page.until("document.body.dataset.state === 'problems'")
    assert "--deadline soon" in page.text("#problems")
    assert page.run("return document.querySelector('#headline').closest('.late') !== null")


def test_shares_a_command_without_the_token(goal, served_page):
    page = goal("training", **SMALL)
    page.press("#share")
    page.until("document.querySelector('#shared code') !== null")
    told = page.text("#shared code")
    assert served_page.token not in told
    assert told.startswith("railwright serve --open --at 'goal#of=training&model=llama-2-7b")


def test_fits_a_phone(goal):
    page = goal("training", **SMALL)
    page.look(390, 800)
    assert page.run("return document.documentElement.scrollWidth") <= 390
    page.look()


def test_axe_finds_nothing(goal):
    assert found_in_both_themes(goal("training", **SMALL)) == []


def test_questions_of_other_shapes_are_refused(served_page):
    whole = {"page": "a", "turn": 1, "words": {"model": "llama-2-7b"}, "set": []}
    for wrong in (
        {**whole, "more": 1},
        {**whole, "words": ["model"]},
        {**whole, "words": {"modell": "x"}},
        {**whole, "turn": -1},
    ):
        assert served_page.post("size", wrong)[0] == 400
    status, _, content = served_page.post("size", whole)
    assert status == 200 and json.loads(content)["kind"] == "problems"
