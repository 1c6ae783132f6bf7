# SPDX-License-Identifier: Apache-2.0
"""Questions without a scenario: the words of the command line, with the same answers."""

import inspect
import re

import pytest
import railwright as rw

ASKED = {
    ("simulate", "--model", "llama-3.1-70b", "--nodes", 48, "--node", "dgx-h100"): lambda: rw.simulate(
        model="llama-3.1-70b", nodes=48, node="dgx-h100"
    ),
    ("search", "--model", "llama-2-7b", "--gpus", 16, "--simulate", 0): lambda: rw.search(
        model="llama-2-7b", gpus=16, simulate=0
    ),
    ("size", "--model", "llama-3.3-70b", "--users", 2000, "--ttft", "4s", "--tpot", "40ms"): lambda: rw.size(
        model="llama-3.3-70b", users=2000, ttft="4s", tpot="40ms"
    ),
    ("size", "--model", "llama-2-7b", "--tokens", "10B", "--deadline", "1w"): lambda: rw.size(
        model="llama-2-7b", tokens=10e9, deadline="1w"
    ),
}


@pytest.mark.parametrize("words", ASKED, ids=lambda words: " ".join(map(str, words[:5])))
def test_answers_are_those_of_the_program(words, program_json):
    answer = ASKED[words]().to_dict()
    asked = program_json(*words)
    asked.pop("try_next", None)  # found when read in Python
    assert answer == asked
    assert {"key", "value", "why"} == set(answer.get("chosen_for_you", answer["chosen"])[0])


def test_a_sized_cluster_and_what_was_chosen_are_told_apart():
    sized = rw.size(model="llama-2-7b", tokens=10e9, deadline="1w")
    assert sized.best.num_nodes == sized.sized[sized.chosen].num_nodes
    assert sized.chosen_for_you[0].key and f"{sized.best.num_nodes} nodes" in repr(sized)


def test_words_are_the_programs_options(program):
    _, help_text, _ = program("size", "--help")
    options = {name.replace("-", "_") for name in re.findall(r"--([a-z-]+)", help_text)}
    for verb in (rw.simulate, rw.estimate, rw.search, rw.size, rw.explain):
        arguments = inspect.signature(verb).parameters
        words = {name for name, one in arguments.items() if one.kind is one.KEYWORD_ONLY}
        assert words >= {"model", "nodes", "gpus", "tokens", "deadline", "users", "ttft", "tpot"}
        assert words <= options
        for name in arguments:
            assert f"        {name}: " in verb.__doc__, (verb, name)
        assert "--" not in verb.__doc__.partition("A question without")[2]


def test_words_lie_over_a_scenario(seven_b):
    assert rw.simulate(seven_b, nodes=4).num_accelerators == 32
    assert rw.simulate(seven_b, {"cluster.nodes": 6}, gpus=32).num_accelerators == 32


def test_a_question_becomes_a_scenario():
    scenario = rw.question(model="llama-2-7b", nodes=2, set={"workload.sequence_length": 2048})
    assert scenario["workload.sequence_length"] == 2048 and scenario["cluster.fabric"]
    again, asked = rw.simulate(scenario), rw.simulate(
        model="llama-2-7b", nodes=2, set={"workload.sequence_length": 2048}
    )
    assert again.step_time_s == asked.step_time_s and "chosen" not in again
    sized = rw.question(model="llama-2-7b", tokens="10B", deadline="1w")
    assert sized["goals.deadline"] == "1 week"


def test_mistakes_name_the_argument():
    with pytest.raises(TypeError, match="size\\(\\) has no argument 'modle'; did you mean 'model'"):
        rw.size(modle="llama-2-7b")
    with pytest.raises(rw.ConfigError, match="tokens=nonsense: "):
        rw.size(model="llama-2-7b", tokens="nonsense", deadline="6w")
    with pytest.raises(rw.ConfigError, match="model=lama-2-7b: .*did you mean 'llama-2-7b'"):
        rw.simulate(model="lama-2-7b", nodes=2)
    with pytest.raises(rw.ConfigError, match="ask with model="):
        rw.simulate()
    with pytest.raises(rw.ConfigError, match="nodes=N or gpus=N"):
        rw.simulate(model="llama-2-7b")
    with pytest.raises(rw.ConfigError, match="tokens=3: is a training job's"):
        rw.size(model="llama-2-7b", requests_per_s=20, tokens=3)
