# SPDX-License-Identifier: Apache-2.0
"""What `railwright serve` answers to the questions of its page."""

import json
import threading

import pytest
from serving import EXAMPLES, run, serve, served, seven_b


def test_an_answer_is_that_of_simulate(served, seven_b):
    for method in ("estimate", "simulate"):
        options = ["--estimate"] if method == "estimate" else []
        code, out, _ = run(
            "simulate", seven_b, "--set", "cluster.nodes=4", "--format", "json", *options
        )
        assert code == 0
        expected = json.loads(out)
        result = served.ask("cluster.nodes=4", method=method)["result"]
        del expected["try_next"]  # the page asks for that apart
        storage = expected.pop("storage")
        assert {key: result[key] for key in expected} == expected
        assert storage.items() <= result["storage"].items()


def test_an_answer_names_what_is_least_certain(served):
    answer = served.ask()
    assert answer["result"]["feasible"]
    uncertainties = answer["uncertainties"]
    assert uncertainties[0]["about"] == "site" and "80 % interval" in uncertainties[0]["sentence"]
    result = answer["result"]
    interval = tuple(result[key] / result["step_time_s"] for key in ("step_time_low_s", "step_time_high_s"))
    assert interval[0] < 1.0 < interval[1]
    assert (uncertainties[0]["low"], uncertainties[0]["high"]) == pytest.approx(interval)
    low, high = answer["training_time_band_s"]  # nothing fails in this scenario
    time_s = answer["result"]["training_time_s"]
    assert (low, high) == pytest.approx(tuple(time_s * end for end in interval))
    assert [one["about"] for one in served.ask(method="simulate")["uncertainties"]] == ["site"]


def test_a_site_without_a_band_comes_first(served):
    uncertainty = served.ask("installation=h20003")["uncertainties"][0]
    assert "no band" in uncertainty["sentence"] and uncertainty["low"] is None


def test_what_does_not_fit_is_an_answer(served):
    answer = served.ask("workload.model=llama-2-70b")
    result = answer["result"]
    assert answer["kind"] == "answer" and not result["feasible"]
    assert "218 GiB too much" in result["infeasible"][0]
    assert "training_time_s" not in result and answer["uncertainties"] == []


def test_every_problem_comes_at_once(served):
    reply = served.ask(
        "cluster.node.nics.cuont=4",
        "workload.steps=-5",
        "parallelism.tp",
        "cluster.fabric.switch=qm979",
    )
    assert reply["kind"] == "problems"
    found = {one["path"]: one for one in reply["problems"]}
    assert found["cluster.node.nics.cuont"]["hint"] == "did you mean 'count'?"
    assert found["workload.steps"]["message"].startswith("must be between 1")
    assert "path=value" in next(
        one["message"] for one in reply["problems"] if "parallelism.tp" in one["where"]
    )
    assert "qm9790" in found["cluster.fabric.switch"]["hint"]


def test_other_kinds_of_scenario_say_so(served, serve):
    text = (EXAMPLES / "all-reduce-8-h100-nodes.yaml").read_text()
    reply = served.ask(scenario=text)
    assert "a collective" in reply["problems"][0]["message"]
    for name, word in [
        ("inference-llama-2-70b", "nodes"),
        ("three-jobs-one-powerscale", "several jobs"),
    ]:
        code, out, err = run("serve", EXAMPLES / f"{name}.yaml")
        assert (code, out) == (2, "") and word in err


def test_a_downloaded_scenario_gives_the_same_number(served, tmp_path):
    settings = ["cluster.node.nics.count=4", "workload.steps=123", "name='A \"quoted\": name'"]
    reply = served.ask(*settings, name="file")
    assert reply["kind"] == "file"
    path = tmp_path / "shared.yaml"
    path.write_text(reply["text"])
    code, out, err = run("simulate", path, "--format", "json")
    assert code == 0, err
    expected = served.ask(*settings, method="simulate")["result"]
    assert json.loads(out)["training_time_s"] == expected["training_time_s"]
    assert json.loads(out)["name"] == 'A "quoted": name'


@pytest.mark.parametrize(
    "name", ["llama-2-70b-cost", "powerscale-checkpoints", "llama3-405b-54-days", "one-leaf-down"]
)
def test_a_scenario_with_its_files_in_one_piece(serve, name, tmp_path):
    """What the page starts from is the scenario, also where files and lists are part of it."""
    path = EXAMPLES / f"{name}.yaml"
    page = serve(path)
    whole = tmp_path / "whole.yaml"
    whole.write_text(page.form()["scenario"])
    results = [run("simulate", one, "--estimate", "--format", "json") for one in (path, whole)]
    assert results[0][0] == 0, results[0][2]
    assert results[0] == results[1]


def test_settings_of_the_command_line(serve, seven_b):
    page = serve(seven_b, "--set", "cluster.nodes=4")
    assert page.ask()["values"]["cluster.nodes"] == 4
    assert serve().ask()["result"]["feasible"], "its own scenario"


def test_two_at_the_same_time(served):
    replies = {}

    def ask(nodes, page):
        replies[nodes] = served.ask(f"cluster.nodes={nodes}", page=page, method="simulate")

    threads = [threading.Thread(target=ask, args=(nodes, f"page {nodes}")) for nodes in (2, 4, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for nodes in (2, 4, 6):
        assert replies[nodes]["kind"] == "answer"
        assert replies[nodes]["result"]["num_accelerators"] == 8 * nodes


def test_a_new_question_ends_the_one_before(serve):
    """A simulation that takes long gives way to the next question of the same page, and of no other."""
    page = serve(EXAMPLES / "llama3-405b-54-days.yaml", "--set", "run.replicas=100000")
    long_one = {}

    def ask():
        long_one["reply"] = page.ask(method="simulate", page="mine", turn=1)

    thread = threading.Thread(target=ask)
    idle = page.processor_time()
    thread.start()
    page.until_it_computes(idle, seconds=1)
    assert page.ask("run.replicas=1", page="another", turn=1)["kind"] == "answer"
    assert thread.is_alive(), "another page leaves it alone"
    assert page.ask("run.replicas=1", page="mine", turn=2)["kind"] == "answer"
    thread.join(timeout=20)
    assert long_one["reply"] == {"kind": "superseded"}
    late = page.ask("run.replicas=1", page="mine", turn=1)
    assert late == {"kind": "superseded"}, "one that was overtaken on its way"
