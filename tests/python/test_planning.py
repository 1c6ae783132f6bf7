# SPDX-License-Identifier: Apache-2.0
"""compare, explain, search, size, calibrate, catalogue: what the program gives, and as tables."""

import shutil

import pytest
import railwright as rw


def test_designs_side_by_side_equal_the_program(seven_b, program_json):
    result = rw.compare(seven_b, vary={"cluster.node.nics.count": [8, 4]})
    key = "cluster.node.nics.count=8,4"
    assert result.to_dict() == program_json("compare", seven_b, "--vary", key)
    assert rw.compare(seven_b, vary=[key]) == result
    frame = result.to_pandas()
    assert list(frame["step_time_s"]) == [one.result.step_time_s for one in result.designs]
    changes = result.changes_to_pandas()
    difference = frame["training_time_s"][1] - frame["training_time_s"][0]
    assert changes.iloc[:, 0].sum() == pytest.approx(difference, rel=1e-6)


def test_several_scenarios(seven_b):
    base = rw.Scenario.load(seven_b)
    result = rw.compare(base, base.with_({"name": "four", "cluster.node.nics.count": 4}))
    assert [one.name for one in result.designs] == [base.name, "four"]
    assert rw.compare([base, base.with_({"name": "four", "cluster.node.nics.count": 4})]) == result
    assert "four" in result._repr_html_() and "four" in repr(result)


def test_services_equal_the_program(examples, program_json):
    scenario = str(examples / "inference-llama-2-70b.yaml")
    beside = rw.compare(scenario, vary={"inference.weights": ["fp16", "fp8"]})
    assert beside.to_dict() == program_json(
        "compare", scenario, "--vary", "inference.weights=fp16,fp8"
    )
    nodes = beside.to_pandas()["num_nodes"]
    assert nodes[1] < nodes[0] and beside.best in repr(beside)
    assert beside.best in beside._repr_html_()

    found = rw.search(scenario, top=3, front=True)
    assert found.to_dict() == program_json("search", scenario, "--top", "3", "--front")
    assert (
        f"tp {found.best[0].tp}" in repr(found)
        and "accelerator_tokens_per_s" in found._repr_html_()
    )
    front = found.to_pandas("front")
    assert front["user_tokens_per_s"].is_monotonic_decreasing
    assert front["accelerator_tokens_per_s"].is_monotonic_increasing

    table = rw.sweep(scenario, vary={"inference.requests_per_s": [5, 20]}).to_pandas()
    alone = rw.simulate(scenario, set=["inference.requests_per_s=5"])
    assert table["num_nodes"][0] == alone.num_nodes
    assert table["mean_power_w"][0] == alone.power.mean_power_w

    sized = rw.size(scenario)
    assert isinstance(sized, rw.InferenceResult) and sized.feasible
    assert sized.to_dict() == program_json("size", scenario)
    assert sized.settings[0] == f"cluster.nodes={sized.num_nodes}"


def test_explain_equals_the_program(seven_b, program_json):
    result = rw.explain(seven_b, estimate=True)
    assert result.to_dict() == program_json("explain", seven_b, "--estimate")
    frame = result.to_pandas()
    assert frame["elasticity"].is_monotonic_decreasing
    assert frame["elasticity"].sum() == pytest.approx(result.sum_of_elasticities)
    assert result.limit in repr(result)
    assert frame["path"][0] in result._repr_html_()


def test_diagnose_equals_the_program(seven_b, program_json):
    result = rw.diagnose(seven_b, 5.2, estimate=True)
    assert result.to_dict() == program_json("diagnose", seven_b, "--estimate", "--measured", "5.2s")
    assert not result.inside and result.predicted_s < result.high_s < result.measured_s
    frame = result.to_pandas()
    assert frame["plausibility"].is_monotonic_decreasing
    assert frame["plausibility"].sum() + result.unexplained <= 1.0 + 1e-9
    assert "outside" in repr(result)
    with pytest.raises(rw.ConfigError, match="greater than 0"):
        rw.diagnose(seven_b, measured=0.0)


def test_diagnose_answers_a_question(program_json):
    asked = ("--model", "llama-2-7b", "--nodes", "2", "--estimate", "--measured", "9s")
    result = rw.diagnose(model="llama-2-7b", nodes=2, measured=9.0, estimate=True)
    assert result.to_dict() == program_json("diagnose", *asked)
    assert "parallelism" in [one.key for one in result.chosen]
    with pytest.raises(rw.ConfigError, match="measured: needs the time"):
        rw.diagnose(model="llama-2-7b", nodes=2)


@pytest.mark.parametrize("name", ["two-generations", "three-jobs-one-powerscale", "serving-64-users"])
def test_topology_of_every_kind_equals_the_program(name, examples, program_json):
    """Nothing but one training job has a step that loads the wires."""
    result = rw.topology(examples / f"{name}.yaml")
    assert not result.drawing.has_load and result.drawing.boxes
    bill = result.to_dict()
    bill.pop("drawing")
    assert bill == program_json("topology", examples / f"{name}.yaml")


def test_topology_answers_a_question(program_json):
    bill = rw.topology(node="dgx-h100", nodes=32).to_dict()
    bill.pop("drawing")
    assert bill == program_json("topology", "--node", "dgx-h100", "--nodes", "32")


def test_topology_loads_a_job_that_leaves_things_open():
    short = {"workload": {"model": "llama-2-7b"}, "cluster": {"nodes": 2, "node": "dgx-h100"}}
    assert rw.topology(short).drawing.has_load


def test_unstated_settings_are_part_of_a_result(seven_b):
    result = rw.estimate(seven_b)
    first = result.unstated[0]
    other = first.others[0]
    changed = rw.estimate(seven_b, set=[f"{first.setting}={other.value}"])
    assert changed.step_time_s == pytest.approx(other.step_time_s)
    stated = rw.estimate(seven_b, set=[f"{first.setting}={first.value}"])
    assert stated.step_time_s == result.step_time_s
    assert stated.step_time_high_s < result.step_time_high_s


def test_search_equals_the_program(examples, program_json):
    path = examples / "search-h20003-cluster.yaml"
    told = []
    result = rw.search(path, simulate=1, front=True, progress=lambda *news: told.append(news))
    assert result.to_dict() == program_json("search", path, "--simulate", "1", "--front")
    assert len(result.to_pandas()) == len(result.best)
    assert len(result.to_pandas("front")) == len(result.front)
    assert all(what and 0 <= done <= of for what, done, of in told)
    best = rw.simulate(path, set=result.best[0].settings)
    assert best.step_time_s == pytest.approx(result.best[0].simulated_step_time_s, rel=1e-9)
    assert "own" in result._repr_html_()


def test_search_where_nothing_fits(examples):
    result = rw.search(
        examples / "search-h20003-cluster.yaml",
        set=["cluster.node.accelerator.memory=1 GB"],
        simulate=0,
    )
    assert not result.feasible and "nothing fits" in repr(result)
    assert result.to_pandas().empty


def test_size_equals_the_program(examples, program_json):
    path = examples / "size-gpt3-175b-112-days.yaml"
    result = rw.size(path)
    assert result.to_dict() == program_json("size", path)
    assert result.best.num_nodes * 8 == 64, "H19611's module"
    frame = result.to_pandas()
    assert list(frame["num_nodes"]) == [one.num_nodes for one in result.sized]
    assert f"{result.best.num_nodes} nodes" in repr(result)
    assert result.best.binds in result._repr_html_()


def test_size_of_several_jobs_is_of_their_storage(examples, program_json):
    scenario = examples / "power-loss-eight-jobs.yaml"
    found = rw.size(scenario)
    assert isinstance(found, rw.JobsResult)
    assert found.to_dict() == program_json("size", scenario)
    count = found.storage.nodes_needed
    assert found.settings == [f"cluster.storage.count={max(count.to_dict().values())}"]
    assert found.smaller.startswith("one storage node less: ")


def test_size_where_no_cluster_does(examples):
    result = rw.size(examples / "size-gpt3-175b-112-days.yaml", set=["goals.deadline=1 h"])
    assert result.best is None and result.missed
    assert "no cluster" in repr(result) and "does not do" in result._repr_html_()


def test_calibrate_equals_the_program(examples, program_json, tmp_path):
    path = examples / "calibrate-h20003.yaml"
    out = tmp_path / "mine.yaml"
    result = rw.calibrate(path, estimate=True, out=out)
    assert result.to_dict() == program_json("calibrate", path, "--estimate")
    assert len(result.to_pandas()) == len(result.runs)
    assert "compute_efficiency" in repr(result) and "compute_efficiency" in result._repr_html_()
    before = result.runs[0].before
    assert before.predicted_s > 0 and before.low_s is None, "its installation was fitted to a site"
    assert "before.predicted_s" in result.to_pandas()
    site = tmp_path / "site" / "installations"
    site.mkdir(parents=True)
    shutil.copy(out, site / "mine.yaml")
    assert "mine" in out.read_text(encoding="utf-8") or out.stat().st_size > 100


def test_what_cannot_be_told_apart_is_refused(examples, tmp_path):
    out = tmp_path / "none.yaml"
    result = rw.calibrate(
        examples / "calibrate-refused.csv",
        scenario=examples / "neutral-llama-2-7b.yaml",
        estimate=True,
        out=out,
    )
    assert result.refused and result.advice and "refused" in repr(result)
    before = result.runs[0].before
    assert before.low_s < before.predicted_s < before.high_s and before.measured_is == "inside"
    assert "inside" not in repr(result) and " to " in result._repr_html_()
    assert not out.exists()


def test_fio_is_read(examples, program_json):
    path = examples / "measured" / "fio-write.json"
    assert rw.calibrate(path).to_dict() == program_json("calibrate", path)


# Two families on DGX A100, of figures half as long again as predicted, and what may be fitted.
SMALL_SUITE = """
suite: small
description: Steps of two families
method: estimate
draw: {seed: 3, share: 1}
scenarios:
  nodes:
    name: Nodes
    workload: {model: gpt-1.7b, sequence_length: 2048, global_batch: 512, micro_batch: 4, steps: 1}
    parallelism: {tp: 1, pp: 1}
    cluster:
      nodes: 1
      node: {model: dgx-a100, accelerator: {memory: 1 TB}}
      fabric: {topology: rail_optimized, switch: qm8700}
    software: megatron-lm-2021
fit:
  device: [{path: cluster.node.accelerator.gemm_efficiency, width: 10, most: 1}]
  stack: [{path: software.step_overhead, width: 1.5, unit: ms, start: 5}]
tables:
  - {group: one, quantity: step_time, source: nowhere, scenario: nodes, output: step_time_s,
     columns: [source, workload.model, cluster.nodes, workload.micro_batch],
     rows: [[a, 60 s, ~, line 1, gpt-1.7b, 1, 4], [b, 33 s, ~, line 2, gpt-3.6b, 4, 8]]}
  - {group: two, quantity: step_time, source: nowhere, scenario: nodes, output: step_time_s,
     columns: [source, workload.model, cluster.nodes, workload.micro_batch],
     rows: [[c, 16 s, ~, line 3, gpt-1.7b, 4, 16], [d, 62 s, ~, line 4, gpt-3.6b, 2, 8]]}
"""


@pytest.fixture
def small_suite(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(SMALL_SUITE)
    return str(path)


def test_a_suite_is_fitted_as_by_the_program(small_suite, program_json):
    fit = rw.calibrate(small_suite)
    assert isinstance(fit, rw.SuiteFitResult)
    assert fit.to_dict() == program_json("calibrate", small_suite)
    assert fit.num_rows == 4 and fit.left_out_errors.num_rows == 0
    assert fit.after.mean < fit.before.mean
    frame = fit.to_pandas()
    assert list(frame["num_rows"]) == [one.num_rows for one in fit.numbers]
    assert "gemm_efficiency" in set(frame["path"].str.split(".").str[-1])
    assert "4 rows" in repr(fit) and "step_overhead" in fit._repr_html_()


def test_rows_of_a_suite_that_are_left_out_are_predicted(small_suite, program_json):
    fit = rw.calibrate(small_suite, leave_out="two", threads=1)
    assert fit.to_dict() == program_json("calibrate", small_suite, "--leave-out", "two")
    assert (fit.left_out, fit.num_rows, fit.left_out_errors.num_rows) == ("two", 2, 2)
    assert "without two" in repr(fit) and "the family left out" in fit._repr_html_()
    with pytest.raises(rw.ConfigError, match="no training step of a family 'three'"):
        rw.calibrate(small_suite, leave_out="three")


def test_families_are_left_out_one_after_another(small_suite, program_json):
    result = rw.calibrate(small_suite, leave_out="each")
    assert result.to_dict() == program_json("calibrate", small_suite, "--leave-out", "each")
    assert [one.family for one in result.families] == ["one", "two"]
    alone = rw.calibrate(small_suite, leave_out="two").left_out_errors
    assert result.families[1].errors.median == pytest.approx(alone.median, rel=0.01)
    assert [one.id for one in result.steps] == ["a", "b", "c", "d"]
    assert [one.family for one in result.steps] == ["one", "one", "two", "two"]
    assert result.all.num_rows == 4


def test_what_is_for_runs_is_not_for_a_suite(small_suite, examples, seven_b, program):
    for given in ({"scenario": seven_b}, {"estimate": True}, {"hold": ["nic_efficiency"]}):
        (name,) = given
        with pytest.raises(rw.ConfigError, match=f"{name}: is for measured runs, not for a suite"):
            rw.calibrate(small_suite, **given)
    with pytest.raises(rw.ConfigError, match="leave_out: is for a suite, not for runs"):
        rw.calibrate(examples / "calibrate-h20003.yaml", leave_out="two")
    with pytest.raises(rw.ConfigError) as caught:
        rw.calibrate("nowhere.csv")
    code, _, err = program("calibrate", "nowhere.csv")
    assert code == 2 and str(caught.value) == err.strip().removeprefix("railwright: ")


def test_any_number_of_threads_gives_the_same(seven_b):
    assert rw.simulate(seven_b, threads=1) == rw.simulate(seven_b, threads=3)
    vary = {"cluster.nodes": [2, 3]}
    one, three = (rw.compare(seven_b, vary=vary, estimate=True, threads=n) for n in (1, 3))
    assert one == three


def test_both_factors_cannot_be_held(examples):
    with pytest.raises(rw.ConfigError, match="one of compute_efficiency and nic_efficiency"):
        rw.calibrate(
            examples / "calibrate-h20003.yaml", hold=["compute_efficiency", "nic_efficiency"]
        )


def test_the_catalogue(program_json):
    assert "nics" in rw.catalogue.kinds()
    assert "connectx-7" in rw.catalogue.entries("nics")
    assert "nics/connectx-7" in rw.catalogue.entries()
    entry = rw.catalogue.entry("connectx-7")
    assert entry.to_dict() == program_json("catalogue", "show", "connectx-7")
    assert entry.values.line_rate.value == pytest.approx(50e9)
    assert entry.to_pandas().loc["line_rate", "source"]
    assert "line_rate" in entry._repr_html_() and "nics/connectx-7" in repr(entry)
    with pytest.raises(rw.ConfigError):
        rw.catalogue.entry("connectx-99")
    with pytest.raises(rw.ConfigError):
        rw.catalogue.entries("nicks")
