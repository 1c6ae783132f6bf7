# SPDX-License-Identifier: Apache-2.0
"""rw.import_ says what `railwright import` says; include stays in the scenario's folder."""

import json
import pickle

import pytest
import railwright as rw
from conftest import REPOSITORY

SAMPLES = REPOSITORY / "tests/importers/samples"
TREE = SAMPLES / "slurm/tree.conf"
MODEL = SAMPLES / "hugging_face/llama-3-8b.json"
ZERO = SAMPLES / "deepspeed/metrum-8b.json"


def test_what_the_program_says(program):
    code, out, _ = program("import", str(TREE), "--format", "json")
    made = rw.import_(TREE)
    assert code == 0
    assert {key: made.to_dict()[key] for key in json.loads(out)} == json.loads(out)
    _, yaml, notes = program("import", str(TREE))
    assert (made.yaml, made.notes) == (yaml, notes)
    # By hand: 16 names in topology.conf, four switches with nodes.
    assert made.scenario.to_dict() == {
        "cluster": {"nodes": 16, "fabric": {"topology": "leaf_spine", "num_leaves": 4}}
    }
    assert [one.path for one in made.assumed] == ["cluster.nodes", "cluster.fabric.topology"]
    assert "cluster.node" in [one.path for one in made.not_known]
    assert made.problems == []
    assert "2 assumed" in repr(made) and "leaf_spine" in made._repr_html_()


def test_kinds_one_for_all_or_one_each():
    assert rw.import_(str(MODEL), kind="hugging-face") == rw.import_(MODEL)
    both = rw.import_([("hugging-face", MODEL), ("deepspeed", ZERO)])
    assert both == rw.import_([MODEL, ZERO])
    assert [one.kind for one in both.files] == ["hugging-face", "deepspeed"]


def test_laid_over_a_scenario():
    base = REPOSITORY / "examples/mi300x-fine-tuning.yaml"
    made = rw.import_([MODEL, ZERO], base=base)
    assert made.problems == []
    # The example was written by hand after the same JSON.
    assert rw.estimate(made.scenario).step_time_s == rw.estimate(base).step_time_s
    again = pickle.loads(pickle.dumps(made))
    assert again == made and again.scenario == made.scenario
    unfinished = rw.import_(TREE, base={"name": "nothing else"})
    assert any("workload" in one for one in unfinished.problems)


@pytest.mark.parametrize(
    ("files", "kind", "said"),
    [
        (MODEL, "deepspeed", "no configuration of DeepSpeed"),
        (MODEL, "hugging-fce", "did you mean 'hugging-face'?"),
        ("no-such-file", None, "no-such-file"),
        (REPOSITORY / "LICENSE", None, "not like anything that can be imported"),
    ],
)
def test_mistakes(files, kind, said):
    with pytest.raises(rw.ConfigError) as caught:
        rw.import_(files, kind=kind)
    assert said in str(caught.value)
    assert caught.value.diagnostics


def test_includes_stay_in_the_folder(tmp_path):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "base.yaml").write_text("name: base\n", encoding="utf-8")
    scenario = inside / "s.yaml"
    scenario.write_text("include: ../outside/base.yaml\nsoftware: nemo-23.11\n", encoding="utf-8")
    with pytest.raises(rw.ConfigError) as caught:
        rw.Scenario.load(scenario)
    (problem,) = caught.value.diagnostics
    assert (problem.line, problem.column, problem.path) == (1, 10, "include")
    assert "allow_include" in problem.hint
    with pytest.raises(rw.ConfigError):
        rw.simulate(scenario)
    for allowed in (outside, [str(inside), outside]):
        loaded = rw.Scenario.load(scenario, allow_include=allowed)
        assert loaded.name == "base"
        assert loaded.with_({"name": "other"}).to_dict()["software"] == "nemo-23.11"
        assert pickle.loads(pickle.dumps(loaded)) == loaded
        assert rw.Scenario.load(loaded) == loaded


def test_choices():
    script = SAMPLES / "megatron/branches.sh"
    made = rw.import_(script, variables={"SIZE": "70b", "TP": 8})
    read = {one.path: one.value for one in made.values}
    # By hand: the branch of 70b.
    assert read["parallelism.tp"] == "8"
    assert "num_layers: 80" in made.yaml
    with pytest.raises(rw.ConfigError, match="no file leaves this choice"):
        rw.import_(TREE, recipe="large_pretrain_config")
