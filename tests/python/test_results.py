# SPDX-License-Identifier: Apache-2.0
"""Results behave like objects, and tell what does not fit."""

import copy
import pickle
import re

import pytest
import railwright as rw


@pytest.fixture(scope="module")
def result(seven_b):
    return rw.simulate(seven_b)


@pytest.fixture(scope="module")
def too_small(examples):
    return rw.simulate(
        examples / "llama-2-70b-six-nodes.yaml",
        set=["parallelism.tp=1", "parallelism.pp=1", "parallelism.virtual_stages=1"]
        + ["parallelism.sequence_parallel=false"],
    )


def test_keys_are_attributes_and_items(result):
    assert result.step_time_s == result["step_time_s"] > 0
    assert result.storage.checkpoint_bytes == result["storage"]["checkpoint_bytes"] > 0
    assert "storage" in dir(result) and "checkpoint_bytes" in dir(result.storage)
    assert "storage" in result and list(result) == result.keys() and len(result) > 10
    assert dict(result)["steps"] == result.steps == 500
    with pytest.raises(AttributeError, match="SimulationResult has no 'steptime'; did you mean 'step_time_s'?"):
        _ = result.steptime
    with pytest.raises(AttributeError, match="did you mean 'breakdown.matrix_products'"):
        _ = result.matrix_product
    with pytest.raises(AttributeError, match="storage has no 'checkpoint_tim'; did you mean 'checkpoint_time_s'"):
        _ = result.storage.checkpoint_tim
    with pytest.raises(AttributeError, match="has no 'nothing_alike'$"):
        _ = result.nothing_alike
    with pytest.raises(KeyError):
        _ = result["step_time"]


def test_the_breakdown_adds_up(result):
    assert sum(result.breakdown.to_dict().values()) == pytest.approx(result.step_time_s, rel=1e-9)


def test_to_dict_is_a_copy(result):
    mine = result.to_dict()
    mine["storage"]["checkpoint_bytes"] = 0
    assert result.storage.checkpoint_bytes > 0


def test_results_copy_and_pickle(result):
    for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert again == result and type(again) is rw.SimulationResult
    assert result != rw.Result({}) and result != 1


def test_text_is_short_and_says_what_it_is(result, main_job, documents):
    assert repr(result).startswith("<SimulationResult 'Llama 2 7B, public recipe")
    assert " s, training " in repr(result)
    assert repr(main_job).startswith("<ComparisonResult 'XE9680 with 4 or 8 ConnectX-7 a node'")
    assert "4 cases of 2, mean error " in repr(main_job)
    assert repr(documents).startswith("<ValidationResult 'documents': ")
    assert repr(result.storage).startswith("<storage: raw_capacity_bytes 184 TB, ")
    assert repr(result.breakdown).startswith("<breakdown: matrix_products 2.32 s, attention 859 ms, ")
    assert "pipeline_bubble" not in repr(result.breakdown)
    assert all(len(repr(one)) < 160 for one in (result, main_job, documents, result.storage))


def test_several_jobs(examples):
    result = rw.simulate(examples / "three-jobs-one-powerscale.yaml")
    assert type(result) is rw.JobsResult and "3 jobs" in repr(result)
    assert "load_over_time" not in result.storage
    frame = result.to_pandas()
    assert list(frame["name"]) == [job.name for job in result.jobs]
    assert (frame["training_time_s"] >= frame["alone_training_time_s"] * (1 - 1e-9)).all()
    assert frame["run.data_stall_s"].max() == result.jobs[2].run.data_stall_s
    shown, _, folded = result._repr_html_().partition("<details>")
    assert shown.count("<tr>") == 4 and "makespan_s" in folded


def test_several_jobs_that_do_not_fit(examples):
    full = ["cluster.storage.used=1 PB"]
    result = rw.simulate(examples / "three-jobs-one-powerscale.yaml", set=full)
    assert type(result) is rw.JobsResult and not result.feasible
    assert "does not fit: files and checkpoints take " in repr(result)
    assert "files and checkpoints take " in result._repr_html_()


def test_notebook_tables(result, main_job, documents, too_small):
    for one in (result, main_job, documents, too_small, result.storage):
        html = one._repr_html_()
        assert "<table>" in html and html.count("<tr>") == html.count("</tr>") > 3
    assert "61.0 min" in main_job._repr_html_()
    assert "<td" in documents._repr_html_() and documents.cases[0].id in documents._repr_html_()
    assert "&lt;script&gt;" in rw.Result({"a": "<script>"})._repr_html_()


def test_a_notebook_shows_a_picture_and_a_card(result, too_small):
    """All values are there, folded behind about eight lines."""
    shown, _, folded = result._repr_html_().partition("<details>")
    assert shown.startswith("<div><svg") and 6 <= shown.count("<tr>") <= 9
    assert result.limit in shown and "16 = tp 2 x dp 8" in shown and "38.6 GiB of 79.6 GiB" in shown
    assert re.search(r"80 %: 3\.\d\d to \d\.\d\d s\)", shown)
    assert "energy.per_token_j" in folded and "energy.per_token_j" not in shown
    assert too_small.infeasible[0] in too_small._repr_html_().partition("<details>")[0]
    service = rw.size(model="llama-3.3-70b", users=2000, tpot="40ms")
    shown, _, folded = service._repr_html_().partition("<details>")
    assert shown.startswith("<div><svg") and f"<td style=\"text-align: left\">{service.num_nodes}</td>" in shown
    assert "weights_bytes" in folded


def test_summaries_are_the_words_of_the_program(result, seven_b, program, too_small, examples):
    for verb, made, path in (
        ("simulate", result, seven_b),
        ("explain", rw.explain(seven_b), seven_b),
        ("search", rw.search(seven_b, simulate=0), seven_b),
        ("simulate", rw.simulate(examples / "queue-month-2000-gpus.yaml"), examples / "queue-month-2000-gpus.yaml"),
    ):
        more = ("--simulate", 0) if verb == "search" else ()
        code, out, _ = program(verb, path, *more)
        said = made.summary(width=0)
        assert code == 0 and out.startswith(said) and said.count("\n") >= 3
    assert "does not fit" in too_small.summary()
    tables = result.summary(tables=True)
    assert tables.startswith(result.summary()) and tables.count("\n") > 40
    assert max(len(line) for line in result.summary(width=60).splitlines()) <= 60
    assert pickle.loads(pickle.dumps(result)).summary() == repr(result)


def test_plots_of_results(result, main_job):
    for one in (result, main_job, rw.topology(rw.example("pod-256"))):
        assert one.plot().figure is not None
    with pytest.raises(AttributeError):
        rw.explain(rw.example("neutral-llama-2-7b")).plot()


def test_notebook_figures(result, too_small, seven_b):
    """Bars are as long as the times; the longest thing of a figure, here a band, is 640 wide."""
    html = result._repr_html_()
    scale = 640 / result.step_time_high_s
    widths = [float(one) for one in re.findall(r'<rect [^>]*width="([0-9.]+)"', html)]
    times = sorted(time for time in result.breakdown.to_dict().values() if time > 0)
    assert sorted(widths) == pytest.approx([time * scale for time in times], abs=0.06)
    assert sum(widths) == pytest.approx(result.step_time_s * scale, abs=1)
    assert f"M{result.step_time_low_s * scale:.1f} " in html and "H640.0" in html
    assert f"{result.basis.kind}: " in html
    assert "<svg" not in too_small._repr_html_()
    designs = rw.compare(seven_b, vary={"name": ["<b>", "two"]}, estimate=True)
    html = designs._repr_html_()
    assert html.count("<svg") == 1 and "<b>" not in html and "80 % interval" in html


def test_what_does_not_fit_is_a_result(too_small, program_json, examples):
    assert not too_small.feasible
    assert len(too_small.infeasible) == 1 and "memory" in too_small.infeasible[0]
    assert too_small.memory_per_accelerator_bytes > too_small.memory_capacity_bytes
    assert "does not fit" in repr(too_small)
    with pytest.raises(AttributeError, match="'step_time_s'; the design does not fit: "):
        _ = too_small.step_time_s
    settings = ["parallelism.tp=1", "parallelism.pp=1", "parallelism.virtual_stages=1"]
    settings.append("parallelism.sequence_parallel=false")
    flags = [word for setting in settings for word in ("--set", setting)]
    path = examples / "llama-2-70b-six-nodes.yaml"
    assert program_json("simulate", path, *flags, code=3) == too_small.to_dict()


def test_comparison_as_a_frame(main_job):
    frame = main_job.to_pandas()
    assert len(frame) == 8
    assert list(frame["cluster.node.nics.count"]) == [8, 4] * 4
    first = frame.iloc[0]
    cell = main_job.rows[0].cells[0]
    assert first["case"] == main_job.rows[0].name
    assert first["training_time_s"] == cell.result.training_time_s
    assert first["published_training_time_s"] == 61 * 60
    error = frame["training_time_s"] / frame["published_training_time_s"] - 1
    assert error.to_numpy() == pytest.approx(frame["relative_error"].to_numpy())
    assumptions = main_job.assumptions_to_pandas()
    assert list(assumptions["assumption"]) == [one.name for one in main_job.assumptions]


def test_a_frame_with_cells_that_do_not_fit(examples):
    result = rw.compare(
        examples / "xe9680-4-vs-8-nics.yaml",
        set=["cluster.node.accelerator.memory=45 GB"],
        assumptions=False,
    )
    assert not result.feasible
    frame = result.to_pandas()
    assert frame["feasible"].sum() == frame["training_time_s"].notna().sum() < len(frame)
    assert "does not fit" in result._repr_html_()


def test_validation_as_a_frame(documents):
    frame = documents.to_pandas()
    assert len(frame) == len(documents.cases)
    assert set(frame["role"]) == {
        "calibrate",
        "validate",
        "reject",
        "fact",
        "input",
        "arithmetic",
        "outside",
    }
    assert (frame["role"] == "validate").sum() == documents.summary.num_validate
    outside = frame[frame["role"] == "outside"]
    assert outside["published"].isna().all()
    assert (outside["verdict"] == "outside what is modelled").all()
    assert "page numbers" in documents._repr_html_()
    for document in documents.to_dict()["documents"]:
        assert sum(document["by_role"].values()) == document["num_numbers"]


def test_a_result_is_a_long_table(result):
    frame = result.to_pandas()
    assert frame.index.name == "key" and list(frame.columns) == ["value", "unit"]
    assert frame["value"]["step_time_s"] == result.step_time_s
    units = frame["unit"]
    assert units["step_time_s"] == units["breakdown.matrix_products"] == "s"
    assert units["tokens_per_s"] == "1/s" and units["storage.peak_write_bytes_per_s"] == "bytes/s"
    assert units["energy.energy_j"] == "J" and units["layout.tp"] == units["limit"] == ""
    parts = result.breakdown.to_pandas()
    assert parts["value"].sum() == pytest.approx(result.step_time_s)
    assert set(parts["unit"]) == {"s"}


def test_every_result_is_a_row(seven_b):
    result = rw.estimate(seven_b)
    frame = result.row_to_pandas()
    assert len(frame) == 1
    assert frame["step_time_s"][0] == result.step_time_s
    assert frame["breakdown.matrix_products"][0] == result.breakdown.matrix_products
    assert "parts" not in frame
