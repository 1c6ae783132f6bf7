# SPDX-License-Identifier: Apache-2.0
"""Results as pages."""

import json
import pickle
import re

import pytest
import railwright as rw

# Llama 2 7B on five billion tokens: quick to size.
SMALL_GOALS = [
    "workload={model: llama-2-7b, sequence_length: 4096, global_batch: 512, steps: 1}",
    "goals={deadline: 12 h, tokens: 5e9, max_global_batch: 512, parts: {max_nodes: 64}}",
    "search.tp=[1, 2]",
    "search.pp=[1]",
    "search.micro_batch=[1]",
    "search.recompute=[none]",
    "run={replicas: 4}",
]


def content(path):
    inside = path.read_text(encoding="utf-8").partition('id="document">')[2]
    return json.loads(inside.partition("</script>")[0])


def page_of(path):
    """Without what only a program has: the command that was typed."""
    return re.sub(rb'"command":"[^"]*"', b'"command":""', path.read_bytes(), count=1)


def test_a_simulation_is_the_page_of_the_program(seven_b, tmp_path, program):
    ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
    rw.simulate(seven_b, trace=True).report(ours)
    code, _, said = program("simulate", seven_b, "--report", theirs)
    assert code == 0, said
    assert page_of(ours) == page_of(theirs)
    assert sorted(tmp_path.iterdir()) == [ours, theirs]


def test_what_was_pickled_has_its_numbers(seven_b, tmp_path):
    result = pickle.loads(pickle.dumps(rw.estimate(seven_b)))
    result.report(tmp_path / "page.html")
    made = content(tmp_path / "page.html")
    assert made["document"] == result.to_dict()
    assert (made["verb"], made["version"]) == ("simulate", rw.__version__)


@pytest.mark.parametrize("varied", [(), ("--vary", "cluster.node.nics.count=8,4")])
def test_a_comparison_is_the_page_of_the_program(examples, tmp_path, program, varied):
    scenario = examples / ("neutral-llama-2-7b.yaml" if varied else "nic-wiring.yaml")
    ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
    rw.compare(scenario, vary=varied[1:], estimate=True).report(str(ours))
    code, _, said = program("compare", scenario, *varied, "--estimate", "--report", theirs)
    assert code == 0, said
    assert page_of(ours) == page_of(theirs)
    assert content(ours)["document"]["constants"]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda file: rw.explain(file("neutral-llama-2-7b.yaml"), estimate=True),
         ["explain", "neutral-llama-2-7b.yaml", "--estimate"]),
        (lambda file: rw.search(file("search-h20003-cluster.yaml"), top=3, front=True),
         ["search", "search-h20003-cluster.yaml", "--top", "3", "--front"]),
        (lambda file: rw.search(file("serving-llama-3.3-70b.yaml"), top=2, simulate=1),
         ["search", "serving-llama-3.3-70b.yaml", "--top", "2", "--simulate", "1"]),
        (lambda file: rw.calibrate(file("calibrate-h20003.yaml"), estimate=True),
         ["calibrate", "calibrate-h20003.yaml", "--estimate"]),
    ],
)  # fmt: skip
def test_what_runs_many_predictions_is_the_page_of_the_program(examples, tmp_path, program, made, words):
    ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
    made(examples.joinpath).report(ours)
    verb, scenario, *options = words
    code, _, said = program(verb, examples / scenario, *options, "--report", theirs)
    assert code == 0, said
    assert page_of(ours) == page_of(theirs)


def test_a_sizing_is_the_page_of_the_program(examples, tmp_path, program):
    scenario = examples / "size-llama2-70b-30-days.yaml"
    ours, theirs = tmp_path / "ours.html", tmp_path / "theirs.html"
    rw.size(scenario, set=SMALL_GOALS).report(ours)
    settings = [word for one in SMALL_GOALS for word in ("--set", one)]
    code, _, said = program("size", scenario, *settings, "--report", theirs)
    assert code == 0, said
    assert page_of(ours) == page_of(theirs)
    assert content(ours)["document"]["scenario"]["stated"]


def test_a_pickled_comparison_has_its_numbers(seven_b, tmp_path):
    result = rw.compare(seven_b, vary={"cluster.node.nics.count": [8, 4]}, estimate=True)
    kept = pickle.loads(pickle.dumps(result))
    kept.report(tmp_path / "page.html")
    assert content(tmp_path / "page.html")["document"] == result.to_dict()
