# SPDX-License-Identifier: Apache-2.0
"""Pictures show what the results say."""

import pytest
import railwright as rw
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def three_jobs(examples):
    return rw.simulate(examples / "three-jobs-one-powerscale.yaml", load=True)


def test_storage_load_draws_reads_up_and_writes_down(three_jobs):
    axes = rw.plot.storage_load(three_jobs)
    load = three_jobs.storage.load_over_time
    drawn = [patch.get_data().values for patch in axes.patches]
    for values, key, sign in zip(
        drawn,
        ("peak_read", "read", "peak_write", "write"),
        (1, 1, -1, -1),
    ):
        rates = load[f"{key}_bytes_per_s"]
        assert list(values) == pytest.approx([sign * rate / 1e9 for rate in rates])
    assert max(drawn[1]) > 10 and min(drawn[3]) < -4
    assert axes.get_xlabel() == "time (min)"


def heights(axes, label):
    for container in axes.containers:
        if container.get_label() == label:
            return [bar.get_height() for bar in container]
    raise AssertionError([container.get_label() for container in axes.containers])


def bar_names(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


def test_comparison_draws_every_time(main_job):
    axes = rw.plot.comparison(main_job)
    frame = main_job.to_pandas()
    for value in (8, 4):
        cells = frame[frame[main_job.key] == value]
        for kind, column in (
            ("predicted", "training_time_s"),
            ("published", "published_training_time_s"),
        ):
            drawn = heights(axes, f"nics.count = {value}, {kind}")
            assert drawn == pytest.approx(list(cells[column] / 60))
    assert axes.get_ylabel() == "training time (min)"
    labels = [text.get_text() for text in axes.texts]
    assert (
        f"{frame['training_time_s'][7] / 60:.0f}\n{100 * frame['relative_error'][7]:+.1f} %"
        in labels
    )
    assert "61" in labels
    assert axes.get_legend() is not None
    axes.figure.canvas.draw()


def test_comparison_without_published_times(examples):
    result = rw.compare(
        {
            "name": "no cases",
            "workload": {
                "model": "llama-2-7b",
                "sequence_length": 4096,
                "global_batch": 144,
                "micro_batch": 1,
                "steps": 500,
            },
            "parallelism": {"tp": 2},
            "cluster": {
                "nodes": 2,
                "node": {"model": "xe9680-h100", "nics": {"nic": "connectx-7", "count": 8}},
                "fabric": {"topology": "single_switch", "switch": "qm9790"},
            },
            "software": "nemo-23.11",
            "comparison": {"vary": {"key": "cluster.nodes", "values": [1, 2, 3]}},
        }
    )
    axes = rw.plot.comparison(result)
    assert len(axes.containers) == 3
    axes.figure.canvas.draw()


def test_comparison_draws_into_given_axes(main_job):
    axes = pyplot.subplots()[1]
    assert rw.plot.comparison(main_job, ax=axes) is axes


def test_breakdown_bars_end_at_the_step_time(main_job):
    cells = [cell for row in main_job.rows for cell in row.cells]
    axes = rw.plot.breakdown(main_job)
    ends = [0.0] * len(cells)
    for container in axes.containers:
        ends = [end + bar.get_width() for end, bar in zip(ends, container)]
    assert ends == pytest.approx([cell.result.step_time_s for cell in cells])
    assert axes.get_xlabel() == "time of a step (s)"
    axes.figure.canvas.draw()


def test_breakdown_takes_one_many_or_named(seven_b):
    one = rw.simulate(seven_b)
    none = rw.simulate(seven_b, set=["workload.model=llama-2-70b", "parallelism.tp=1"])
    assert not none.feasible
    assert bar_names(rw.plot.breakdown(one)) == [one.name]
    assert bar_names(rw.plot.breakdown([one, one])) == [one.name] * 2
    axes = rw.plot.breakdown({"one": one, "70B": none})
    assert bar_names(axes) == ["one", "70B"]
    assert "does not fit" in [text.get_text() for text in axes.texts]
