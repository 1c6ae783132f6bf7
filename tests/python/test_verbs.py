# SPDX-License-Identifier: Apache-2.0
"""Python gives what the program gives: the same numbers, from files, dicts and settings."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import railwright as rw

SCENARIO = {
    "name": "Llama 2 7B from a dict",
    "workload": {
        "model": "llama-2-7b",
        "sequence_length": 4096,
        "global_batch": 144,
        "micro_batch": 1,
        "steps": 500,
    },
    "parallelism": {"tp": 2, "pp": 1},
    "cluster": {
        "nodes": 2,
        "node": {"model": "xe9680-h100", "nics": {"nic": "connectx-7", "count": 8}},
        "fabric": {"topology": "single_switch", "switch": "qm9790"},
    },
    "software": "nemo-23.11",
    "installation": "neutral",
}


@pytest.mark.parametrize("estimate", [False, True])
def test_simulate_equals_the_program(seven_b, program_json, estimate):
    flags = ["--estimate"] if estimate else []
    expected = program_json("simulate", seven_b, "--set", "cluster.nodes=4", *flags)
    result = rw.simulate(seven_b, set=["cluster.nodes=4"], estimate=estimate)
    assert [one.to_dict() for one in result.try_next] == expected.pop("try_next")
    assert result.to_dict() == expected
    assert result.method == ("estimate" if estimate else "simulate")


def test_the_change_to_try_next_gives_what_it_promises(seven_b, examples):
    for scenario in (seven_b, examples / "three-jobs-one-powerscale.yaml"):
        result = rw.simulate(scenario)
        (change,) = result.try_next
        changed = rw.simulate(scenario, set=change.settings)
        if "job" in change:
            (job,) = (one for one in changed.jobs if one.name == change.job)
            assert job.training_time_s == change.training_time_s
            times = [one.training_time_s for one in changed.jobs]
            assert sum(times) / len(times) == pytest.approx(change.mean_training_time_s)
        else:
            assert changed.training_time_s == change.training_time_s < result.training_time_s
            assert changed.step_time_s == change.step_time_s
    assert pickle.loads(pickle.dumps(result)).try_next == []


def test_unfolded_gives_the_same_times(seven_b, program_json):
    result = rw.simulate(seven_b, unfolded=True)
    expected = program_json("simulate", seven_b, "--unfolded")
    del expected["try_next"]
    assert result.to_dict() == expected
    assert result.step_time_s == pytest.approx(rw.simulate(seven_b).step_time_s, rel=1e-9)


def test_a_collective_alone_equals_the_program(examples, program_json):
    path = examples / "all-reduce-8-h100-nodes.yaml"
    result = rw.simulate(path)
    assert isinstance(result, rw.BenchmarkResult)
    assert result.to_dict() == program_json("simulate", path)
    assert f"{result.bus_bandwidth_bytes_per_s / 1e9:.4g} GB/s" in repr(result)
    assert len(result.to_pandas()) == len(result.busiest_links)


def test_post_training_equals_the_program(examples, program_json):
    path = examples / "post-training-qwen3-8b.yaml"
    result = rw.simulate(path)
    assert isinstance(result, rw.PostTrainingResult)
    assert result.to_dict() == program_json("simulate", path)
    assert sum(result.to_pandas()["time_s"]) == pytest.approx(result.step_time_s)
    assert "of accelerator time idle" in repr(result)


QUEUE = [
    "queue.drawn=null",
    'queue.trace="submit_s,accelerators,duration_s\\n0,2000,60\\n10,8,30\\n20,2000,60"',
    "reliability=null",
]


def test_a_queue_of_jobs_equals_the_program(examples, program_json):
    path = examples / "queue-month-2000-gpus.yaml"
    result = rw.simulate(path, set=QUEUE)
    assert isinstance(result, rw.QueueResult)
    settings = [word for one in QUEUE for word in ("--set", one)]
    assert result.to_dict() == program_json("simulate", path, *settings)
    assert result.duration_s == 60 + 30 + 60
    assert "3 jobs wait" in repr(result)
    wanted = [*QUEUE, "queue.max_wait=30 s", "queue.percentile=1"]
    sized = rw.size(path, set=wanted)
    words = [word for one in wanted for word in ("--set", one)]
    assert sized.to_dict() == program_json("size", path, *words)
    assert sized.settings == ["cluster.nodes=500"] and sized.smaller
    starts, ends = result.job_times["start_s"], result.job_times["end_s"]
    assert list(starts) == [0, 60, 90] and list(ends) == [60, 90, 150]
    assert list(result.jobs_to_pandas()["accelerators"]) == [2000, 8, 2000]
    assert not result.job_times.flags.writeable
    unpickled = pickle.loads(pickle.dumps(result))
    assert unpickled.job_times is None and unpickled.jobs_to_pandas().empty
    table = result.to_pandas()
    ran = 2000 * 60 + 8 * 30 + 2000 * 60
    assert table["occupied"].mean() * result.duration_s == pytest.approx(ran)


def test_compare_equals_the_program(main_job, examples, program_json):
    assert main_job.to_dict() == program_json("compare", examples / "xe9680-4-vs-8-nics.yaml")


def test_compare_without_assumptions(main_job, examples):
    result = rw.compare(str(examples / "xe9680-4-vs-8-nics.yaml"), assumptions=False)
    assert result.assumptions == []
    assert result.rows == main_job.rows


def test_validate_equals_the_program(documents, program_json):
    assert documents.to_dict() == program_json("validate")
    assert documents.cases


def test_a_suite_by_its_path(documents):
    path = Path(rw.__file__).parent / "share" / "railwright" / "validation" / "documents.yaml"
    assert rw.validate(path) == documents
    assert rw.validate(str(path)) == documents


def test_a_suite_in_which_nothing_fits(tmp_path):
    suite = {
        "suite": "ports",
        "description": "a row whose only fault is the ports of its switch",
        "scenarios": {"s": json.loads(json.dumps(SCENARIO))},
        "cases": [
            {"id": "x", "group": "g", "quantity": "step_time", "published": "1 s", "source": "nowhere",
             "scenario": "s", "set": ["cluster.nodes=9"], "role": "validate", "output": "step_time_s"}
        ],
    }
    path = tmp_path / "suite.yaml"
    path.write_text(json.dumps(suite), encoding="utf-8")
    result = rw.validate(path)
    alone = rw.simulate(SCENARIO, set="cluster.nodes=9")
    assert not alone.feasible and result.cases[0].reason == "; ".join(alone.infeasible)
    assert result.summary.median_absolute_error is None and result.summary.num_unfit == 1
    assert repr(result) == "<ValidationResult 'ports': 1 cases, none of them a prediction, 1 do not fit>"
    assert alone.infeasible[0] in result._repr_html_()


def test_a_value_that_cannot_be_leaves_the_other_columns():
    result = rw.compare(SCENARIO, vary={"parallelism.tp": [3, SCENARIO["parallelism"]["tp"]]})
    bad, good = (design.result for design in result.designs)
    assert not bad.feasible and "tp" in bad.infeasible[0] and good.feasible
    assert len(result.to_pandas()) == 2 and "does not fit" in result._repr_html_()


def test_a_dict_equals_the_same_file(tmp_path):
    path = tmp_path / "scenario.yaml"
    path.write_text(json.dumps(SCENARIO), encoding="utf-8")
    assert rw.simulate(SCENARIO) == rw.simulate(path) == rw.simulate(str(path))


def test_a_dict_takes_quantities_as_text_and_scalars_of_numpy():
    numpy = pytest.importorskip("numpy")
    plain = rw.simulate(SCENARIO, set="cluster.node.nics.count=4")
    changed = json.loads(json.dumps(SCENARIO))
    changed["name"] += ", with cluster.node.nics.count=4"  # which `set` says of itself
    changed["cluster"]["node"]["nics"]["count"] = numpy.int64(4)
    changed["cluster"]["node"]["nics"]["nic"] = {"model": "connectx-7", "line_rate": "400 Gb/s"}
    assert rw.simulate(changed) == plain
    with pytest.raises(TypeError, match="cannot hold a object"):
        rw.simulate({"name": object()})


def test_settings_apply_in_order(seven_b):
    base = rw.simulate(seven_b)
    four = rw.simulate(seven_b, set=["cluster.nodes=3", "cluster.nodes=4"])
    assert four.num_accelerators == 2 * base.num_accelerators
    assert four.step_time_s < base.step_time_s
    assert rw.simulate(seven_b, set=("cluster.nodes=4",)) == four
    assert rw.simulate(seven_b, set="cluster.nodes=4") == four


def test_threads_give_the_same_numbers(examples):
    jobs = [
        (examples / "neutral-llama-2-7b.yaml", ()),
        (examples / "llama-2-70b-six-nodes.yaml", ()),
        (examples / "neutral-llama-2-7b.yaml", ("cluster.nodes=6",)),
    ]
    alone = [rw.simulate(*job) for job in jobs]
    with ThreadPoolExecutor(max_workers=4) as pool:
        together = list(pool.map(lambda job: rw.simulate(*job), jobs * 4))
    assert together == alone * 4


def test_nothing_prints(capfd, seven_b):
    rw.simulate(seven_b)
    assert capfd.readouterr() == ("", "")


def test_the_catalogue_path_of_the_environment_comes_first(tmp_path, monkeypatch, program_json):
    kind = tmp_path / "installations"
    kind.mkdir()
    own = Path(rw.__file__).parent / "share" / "railwright" / "catalogue"
    text = (own / "installations" / "h20003.yaml").read_text(encoding="utf-8")
    (kind / "neutral.yaml").write_text(text, encoding="utf-8")
    plain = rw.simulate(SCENARIO)
    monkeypatch.setenv("RAILWRIGHT_CATALOGUE_PATH", str(tmp_path))
    slower = rw.simulate(SCENARIO)
    assert slower.step_time_s > plain.step_time_s
    assert slower.step_time_s == rw.simulate(SCENARIO, set="installation=h20003").step_time_s


def test_inference_equals_the_program(examples, program_json):
    path = examples / "inference-llama-2-70b.yaml"
    result = rw.simulate(path)
    assert type(result) is rw.InferenceResult
    expected = program_json("simulate", path)
    assert [one.to_dict() for one in result.try_next] == expected.pop("try_next")
    assert result.to_dict() == expected
    assert result.num_nodes == result.nodes_for_load + 1
    assert repr(result).startswith("<InferenceResult 'Llama 2 70B answers")
    large = rw.simulate(path, set="inference.model=bloom-1.2t")
    assert not large.feasible and "does not fit: at tp 8" in repr(large)


def test_claims_of_an_offer_equal_the_program(examples, program_json):
    path = examples / "offer-refuted-claims.yaml"
    offer = rw.check(path)
    assert offer.to_dict() == program_json("check", path, code=3)
    assert not offer.feasible
    assert list(offer.to_pandas()["verdict"]) == [one.verdict for one in offer.claims]
    assert f"{offer.num_refuted} cannot hold" in repr(offer)
