# SPDX-License-Identifier: Apache-2.0
"""Scenarios: from files and dicts, changed without changing."""

import pickle

import pytest
import railwright as rw


def test_with_changes_a_copy(seven_b):
    base = rw.Scenario.load(seven_b)
    four = base.with_({"cluster.node.nics.count": 4})
    assert base.settings == () and four.settings == ("cluster.node.nics.count=4",)
    assert rw.simulate(four) == rw.simulate(seven_b, set="cluster.node.nics.count=4")
    assert rw.simulate(base) == rw.simulate(seven_b)
    assert rw.simulate(four) != rw.simulate(base)


def test_later_changes_win(seven_b):
    scenario = rw.Scenario.load(seven_b, set="cluster.nodes=3").with_({"cluster.nodes": 4})
    assert scenario.with_({"cluster.nodes": 6}).to_dict()["cluster"]["nodes"] == 6
    assert scenario.to_dict()["cluster"]["nodes"] == 4


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("400 Gb/s", "400 Gb/s"),
        ("4", "4"),
        (4, 4),
        (0.5, 0.5),
        (True, True),
        (None, None),
        ([1, {"a": "b, c"}], [1, {"a": "b, c"}]),
        ("a: b # no comment", "a: b # no comment"),
    ],
)
def test_values_survive(seven_b, value, read):
    changed = rw.Scenario.load(seven_b).with_({"name": value})
    assert changed["name"] == read


def test_a_misspelt_key_is_refused_at_once(seven_b):
    base = rw.Scenario.load(seven_b)
    for key, meant in (
        ("cluster.nodess", "cluster.nodes"),
        ("cluster.node.nics.nic.line_rte", "cluster.node.nics.nic.line_rate"),
        ("cluster.fabric.swich", "cluster.fabric.switch"),
        ("paralelism.tp", "parallelism"),
    ):
        with pytest.raises(rw.ConfigError, match=f"{key}: no scenario has this key; did you mean '{meant}'?"):
            base.with_({key: 1})
    with pytest.raises(rw.ConfigError) as caught:
        base.with_({"cluster": {"nodez": 1, "nodes": 2}, "workload.modl": "x"})
    assert [one.path for one in caught.value.diagnostics] == ["cluster.nodez", "workload.modl"]
    changed = base.with_({"cluster.nodes": 3, "cluster.node.nics": {"count": 4}})
    assert changed["cluster.nodes"] == 3 and changed["cluster.node.nics"] == {"count": 4}


def test_every_key_of_the_examples_is_known(examples):
    for path in examples.glob("*.yaml"):
        if path.stem in rw.examples():
            rw.Scenario(path).with_(rw.Scenario(path).to_dict())


def test_a_scenario_of_a_dict_and_settings_of_a_dict(seven_b):
    scenario = rw.Scenario(rw.Scenario(seven_b).to_dict(), set={"cluster.nodes": 4})
    assert scenario["cluster.nodes"] == 4
    changed = rw.simulate(seven_b, set={"cluster.nodes": 4})
    assert changed == rw.simulate(seven_b, set="cluster.nodes=4")
    assert rw.estimate(seven_b, set={"cluster.node.nics": {"nic": "connectx-7", "count": 4}}).feasible


def test_a_dict_comes_back(seven_b):
    scenario = rw.Scenario.load(seven_b)
    again = rw.Scenario.load(scenario.to_dict())
    assert again == scenario and again.name == scenario.name
    assert rw.simulate(again) == rw.simulate(scenario)
    assert rw.Scenario.load(scenario) == scenario


def test_scenarios_pickle(seven_b):
    scenario = rw.Scenario.load(seven_b).with_({"cluster.nodes": 4})
    assert pickle.loads(pickle.dumps(scenario)) == scenario


def test_displays_escape():
    scenario = rw.Scenario.load({"name": "<script>alert(1)</script>"})
    assert "<script>" not in scenario._repr_html_()
    assert "&lt;script&gt;" in scenario._repr_html_()
    assert "from a dict" in repr(scenario)


def test_load_refuses_what_is_no_yaml(tmp_path):
    with pytest.raises(rw.ConfigError, match="no such file"):
        rw.Scenario.load(tmp_path / "missing.yaml")
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [", encoding="utf-8")
    with pytest.raises(rw.ConfigError):
        rw.Scenario.load(broken)


def test_estimate_is_simulate_in_closed_form(seven_b):
    assert rw.estimate(seven_b) == rw.simulate(seven_b, estimate=True)
    assert rw.estimate(seven_b).method == "estimate"


def test_a_key_is_read_by_its_path(seven_b):
    scenario = rw.Scenario.load(seven_b).with_({"cluster.nodes": 4})
    assert scenario["cluster.nodes"] == 4
    assert scenario["workload"]["model"] == scenario["workload.model"]
    with pytest.raises(KeyError, match="did you mean 'nodes'"):
        scenario["cluster.ndoes"]
    with pytest.raises(KeyError, match="does not state 'x'"):
        scenario["cluster.nodes.x"]
    with pytest.raises(TypeError):
        scenario[0]


def test_examples_come_with_the_package():
    listed = rw.examples()
    assert len(listed) > 40 and all(len(what) > 20 for what in listed.values())
    assert listed["nic-break-even"] == "From how many nodes on do eight NICs pay, against four?"
    assert "calibrate-h20003" not in listed and "neutral-llama-2-7b  " in repr(listed)
    for name in listed:
        assert rw.example(name)["name"]
    assert rw.example("neutral-llama-2-7b")["workload.model"] == "llama-2-7b"
    assert rw.example_path("prices/fictitious.yaml").is_file()
    with pytest.raises(ValueError, match="did you mean 'neutral-llama-2-7b.yaml'"):
        rw.example("neutral-lama-2-7b")
    with pytest.raises(ValueError):
        rw.example_path("../__init__.py")
