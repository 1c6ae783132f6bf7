# SPDX-License-Identifier: Apache-2.0
"""Pictures show what the results say."""

import pytest
import railwright as rw
from matplotlib import pyplot
from matplotlib.collections import PathCollection


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


def test_a_queue_draws_what_runs_up_and_what_waits_down(examples):
    settings = ["queue.drawn.jobs=200", "cluster.nodes=40"]
    result = rw.simulate(examples / "queue-month-2000-gpus.yaml", set=settings)
    axes = rw.plot.queue(result)
    occupied, wanted = (patch.get_data().values for patch in axes.patches)
    samples = result.over_time
    assert list(occupied) == pytest.approx([one.occupied for one in samples])
    assert list(wanted) == pytest.approx([-one.wanted for one in samples])
    assert axes.get_xlabel() in ("time (h)", "time (d)")


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


def test_curves_draw_what_more_nics_are_worth(examples):
    result = rw.compare(examples / "nic-break-even.yaml", estimate=True, assumptions=False)
    axes = rw.plot.curves(result, 0)
    curve = result.curves[0]
    places = curve.lines[0].places
    line = axes.get_lines()[0]
    assert list(line.get_xdata()) == [float(place["at"]) for place in places]
    assert list(line.get_ydata()) == pytest.approx(
        [100 * place.points[-1].worth for place in places]
    )
    assert axes.get_title(loc="left") == curve.name and axes.get_xlabel() == "nodes"
    assert not axes.collections  # a site that was measured


def test_curves_have_their_band_and_say_what_they_rest_on(examples):
    result = rw.compare(
        examples / "nic-break-even.yaml",
        set=[
            "comparison.curves=[{name: a, along: {key: cluster.nodes, values: [2, 4]},"
            " variants: [{name: b, set: [cluster.node.nics.wiring=alternate]}]}]"
        ],
        estimate=True,
    )
    axes = rw.plot.curves(result)
    (shade,) = axes.collections
    points = [place.points[-1] for place in result.curves[0].lines[0].places]
    drawn = {round(y, 9) for y in shade.get_paths()[0].vertices[:, 1]}
    assert drawn == {
        round(100 * one[key], 9) for one in points for key in ("worth_low", "worth_high")
    }
    for one in points:
        low, high = one.step_time_low_s, one.step_time_high_s
        assert low < one.step_time_s < high
        assert one.worth_low == pytest.approx(one.worth * one.step_time_s / high)
    said = [text.get_text().replace("\n", " ") for text in axes.texts]
    assert f"{result.curves[0].basis.kind}: {result.curves[0].basis.says}" in said


def test_the_front_is_drawn_with_best_and_own(examples):
    result = rw.search(examples / "search-h20003-cluster.yaml", simulate=0, front=True)
    axes = rw.plot.pareto_front(result)
    front, best, own = (points.get_offsets().data for points in axes.collections)
    assert len(front) == len(result.front)
    assert best[0][1] == pytest.approx(min(one.estimated_step_time_s for one in result.best))
    assert own[0][0] == pytest.approx(result.own.memory_per_accelerator_bytes / 2**30)
    assert axes.get_xlabel() == "memory per accelerator (GiB)"


@pytest.mark.parametrize(
    "suite, least, label",
    [("published", 300, "published step time (s)"), ("documents", 30, "published time (s)")],
)
def test_accuracy_draws_every_time(suite, least, label):
    result = rw.validate(suite)
    axes = rw.plot.accuracy(result)
    timed = [
        case
        for case in result.cases
        if case.training and case.quantity in ("step_time", "training_time")
    ]
    drawn = sum(
        len(points.get_offsets())
        for points in axes.collections
        if isinstance(points, PathCollection)
    )
    assert drawn == sum(case.predicted is not None for case in timed) >= least
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_xlabel() == label


def test_topology_draws_wires_and_what_their_load_rests_on(seven_b):
    result = rw.topology(seven_b)
    ax = rw.plot.topology(result)
    drawing = result.drawing
    assert len(ax.lines) == len(drawing.wires) > 3 and drawing.has_load
    simulated = rw.simulate(seven_b)
    assert result.step_time_s == simulated.step_time_s
    words = " ".join(text.get_text().replace("\n", " ") for text in ax.texts)
    assert f"{simulated.basis.kind}: {simulated.basis.says}" in words
    assert "80 % interval" in words and "busiest: " in words
    pools = rw.plot.topology(rw.topology(rw.example("two-generations")))
    assert pools.get_title(loc="left").endswith(", pool old")
    bare = rw.topology(seven_b, load=False)
    assert "basis" not in bare
    assert "80 % interval" not in " ".join(t.get_text() for t in rw.plot.topology(bare).texts)


def test_a_fabric_that_does_not_fit_is_red(examples):
    result = rw.topology(examples / "two-qm9790-8-nodes.yaml", set="cluster.nodes=24", load=False)
    axes = rw.plot.topology(result)
    words = " ".join(text.get_text() for text in axes.texts)
    for shortfall in result.drawing.shortfalls:
        assert f"does not fit: {shortfall}" in words
    red = [one for one in axes.patches if one.get_edgecolor()[:3] == pytest.approx((0.753, 0, 0), abs=0.01)]
    assert len(red) == 3  # two leaves, and the front end
    assert axes.get_title(loc="left").endswith(", with cluster.nodes=24")


def test_timeline_draws_a_step_by_stage(examples):
    result = rw.simulate(examples / "llama-2-70b-six-nodes.yaml", trace=True)
    axes = rw.plot.timeline(result)
    assert axes.get_xlim()[1] == pytest.approx(result.step_time_s, rel=0.02)
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert [one.split()[1] for one in labels if one.startswith("stage")] == ["0", "1", "2", "3"]
    # As much is drawn of a lane as is busy, however short its operations are.
    frame = result.spans_to_pandas()
    lanes = frame[frame["rank_class"] == frame["rank_class"].min()]
    palest = 0.15
    for image, (_, lane) in zip(axes.images, lanes.groupby("stream", observed=True)):
        alpha = [float(one) for one in image.get_array()[0, :, 3]]
        shown = sum((one - palest) / (1 - palest) for one in alpha if one > 0) / len(alpha)
        busy = (lane["end_s"] - lane["start_s"]).sum() / frame["end_s"].max()
        assert shown == pytest.approx(busy, abs=1e-3)
    few = rw.plot.timeline(result, max_stages=2)
    assert [
        text.get_text().split()[1]
        for text in few.get_yticklabels()
        if text.get_text().startswith("stage")
    ] == ["0", "3"]
    with pytest.raises(ValueError, match="trace=True"):
        rw.plot.timeline(rw.simulate(examples / "neutral-llama-2-7b.yaml"))


def test_power_is_drawn_over_a_step_between_idle_and_peak(seven_b):
    result = rw.simulate(seven_b, trace=True)
    axes = rw.plot.power(result)
    heights = axes.patches[0].get_data().values
    drawn = result.power
    assert len(heights) == len(drawn.over_step.power_w)
    assert min(heights) * 1e3 >= drawn.idle_power_w * 0.999
    assert max(heights) * 1e3 <= drawn.peak_power_w * 1.001
    assert max(heights) - min(heights) == pytest.approx(drawn.step_swing_w / 1e3)
    assert axes.get_ylabel() == "power (kW)"
    with pytest.raises(ValueError, match="trace=True"):
        rw.plot.power(rw.simulate(seven_b))


def test_the_band_is_drawn_over_a_step(seven_b):
    result = rw.simulate(seven_b)
    axes = rw.plot.breakdown(result)
    (band,) = axes.get_lines()
    assert list(band.get_xdata()) == [result.step_time_low_s, result.step_time_high_s]
