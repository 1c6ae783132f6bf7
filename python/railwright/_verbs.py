# SPDX-License-Identifier: Apache-2.0
"""The verbs: they hand a scenario to the C++ planner and wrap what it returns."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from railwright import _core, _data
from railwright._comparisons import (
    ComparisonResult,
    MixesResult,
    ServicesResult,
    SideBySideResult,
    ValidationResult,
)
from railwright._errors import refusal
from railwright._planning import (
    CalibrationResult,
    Diagnosis,
    Explanation,
    OfferResult,
    SearchResult,
    ServingSearchResult,
    SizingResult,
    SuiteFitResult,
)
from railwright._results import (
    BenchmarkResult,
    InferenceResult,
    JobsResult,
    PostTrainingResult,
    QueueResult,
    Result,
    SimulationResult,
    TopologyResult,
)
from railwright._question import asks
from railwright._question import native as asked
from railwright._scenario import Scenario, ScenarioLike, Settings, native, settings_of, variations

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from railwright._fields import (
        AnyCalibration,
        AnyComparison,
        AnyResult,
        AnySearch,
        AnySizing,
    )
    from railwright._question import Words

# Called repeatedly with the current work, the amount done and the total.
Progress: TypeAlias = Callable[[str, int, int], object]


@asks
def simulate(
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    estimate: bool = False,
    unfolded: bool = False,
    load: bool = False,
    trace: bool = False,
    threads: int = 0,
    **words: Unpack[Words],
) -> AnyResult:
    """Predicts one scenario, or answers a question without one:
    `rw.simulate(model="llama-3.1-70b", nodes=48, node="dgx-h100")`. What neither says is chosen, and
    the result lists it as `chosen`, each with its reason.

    Parameters:
        scenario: a Scenario, the path of a YAML file or a dict with the same keys; its quantities
            are text with a unit, such as "400 Gb/s".
        set: values over those of the scenario, a dict or "path=value" texts, in order, like the
            program's --set.
        estimate: use the closed form instead of simulated events.
        unfolded: simulate every replica on every link, not one of each class, with the same result.
        load: add `storage.load_over_time`, lists of storage traffic in equal bins of time:
            `time_s`, `read_bytes_per_s`, `write_bytes_per_s`, `operations_per_s`, `used_bytes` and
            peaks; `load_bins` has it without a copy.
        trace: record every operation of the step, as `spans`.
        threads: 0 uses every core; the result does not depend on it.

    The result has `feasible` and `infeasible` (sentences; empty when the design fits),
    `num_accelerators`, `memory_per_accelerator_bytes`, and if feasible `step_time_s`,
    `training_time_s` (both in seconds), `samples_per_s`, `tokens_per_s`, `model_flops_utilization`
    (0 to 1), `limit` (a sentence), `breakdown` (seconds of a step by cause, adding up to
    `step_time_s`) and `storage` (bytes, s, bytes/s). A scenario with `jobs` instead of `workload`
    returns a JobsResult: `jobs`, each with `name`, `training_time_s`, `alone_training_time_s`,
    `step_time_s` beside the others and `step_time_alone_s`, `step_time_low` and `step_time_high` (the 80 % interval of its step, as factors) and `run`
    (seconds by cause), or of a job of which only its `load` on the storage is known that: `time_s`, `write_time_s`,
    `share_read`; `storage`, `power`, `energy`, `makespan_s` (until the last job ends), `mean_slowdown` and
    `max_slowdown` (time with the others over that alone). One with `queue` returns a QueueResult: waits,
    `occupied_fraction`, `useful_fraction`, `num_interruptions`, `mean_power_w`, `sizes` (waits by
    size of job) and `over_time`; its `job_times` has the start and end of every job. One with `benchmark` instead of `workload` returns a
    BenchmarkResult of the collective: `time_s`, `bus_bandwidth_bytes_per_s`, `algorithm`,
    `protocol`, `algorithms` (what each algorithm that can be named for an all-reduce takes, fastest
    first), `busiest_links`. One with `inference` returns an InferenceResult: `tp`, `batch`,
    `time_to_first_token_s`, `time_per_output_token_s`, `node_tokens_per_s`, `num_accelerators`,
    `num_nodes`, `limit`, and with prompts on replicas of their own `disaggregated` (`prefill_tp`,
    `prefill_replicas`, `decode_replicas`, `transfer_s`). One with `post_training` beside `workload`
    and `inference` returns a PostTrainingResult: `step_time_s`, `total_time_s`, `breakdown` (seconds
    of a step: rollout, forward passes, updates, weights), `idle_fraction`, `output_tokens_per_s`. Results of training, of
    several jobs and of inference have `try_next`, the change that the program advises. Raises
    ConfigError with every problem of the input.
    """
    simulated = _core.simulate(
        asked(scenario, set, words), estimate, unfolded, trace, threads, _data.catalogue_roots()
    )
    return cast("AnyResult", _by_kind(json.loads(simulated.json(load)), simulated))


def _by_kind(data: dict[str, Any], simulated: _core.Simulated) -> Result:
    if "jobs" in data:
        return JobsResult(data, simulated)
    if "num_jobs" in data:
        return QueueResult(data, simulated)
    if "op" in data:
        return BenchmarkResult(data, simulated)
    if "updates_per_step" in data:
        return PostTrainingResult(data, simulated)
    if "weights_bytes" in data:
        return InferenceResult(data, simulated)
    return SimulationResult(data, simulated)


@asks
def estimate(
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    threads: int = 0,
    **words: Unpack[Words],
) -> AnyResult:
    """Runs simulate() in closed form: the busiest link instead of simulated events.

    Parameters:
        scenario: as for simulate().
        set: values over those of the scenario, a dict or "path=value" texts.
        threads: 0 uses every core."""
    return simulate(scenario, set, estimate=True, threads=threads, **words)


def compare(
    scenario: ScenarioLike | Iterable[ScenarioLike],
    *others: ScenarioLike,
    vary: Mapping[str, Iterable[Any]] | Settings = (),
    set: Settings = (),
    estimate: bool = False,
    assumptions: bool = True,
    threads: int = 0,
) -> AnyComparison:
    """Compares designs side by side.

    Parameters:
        scenario: one, or an iterable of several.
        others: further ones.
        vary: values by key, of which every combination is a design.
        set: values over those of every scenario, a dict or "path=value" texts.
        estimate: use the closed form instead of simulated events.
        assumptions: also run the `assumptions` of a scenario's `comparison`.
        threads: 0 uses every core.

    For one scenario with a `comparison`, returns its cases against published figures as a
    ComparisonResult. `assumptions` also runs the comparison's `assumptions`, each with the
    installation refitted. The result has `key` and `values` (what varies), `rows` (one per case,
    with one cell per value: `value`, `result` of simulate(), `published_training_time_s` and
    `effect_s` in seconds, `relative_error` = predicted / published - 1), `errors`, `assumptions`
    and `curves`.

    For several scenarios, or one with `vary` ({"cluster.node.nics.count": [8, 4]}), returns every
    combination as a SideBySideResult: `designs`, each with `name`, `result` and `changes` (seconds
    of training time by cause relative to the first design). For inference scenarios it returns a
    ServicesResult: `designs`, each with `name` and `result`, and `best`, the name of the design
    that needs the fewest nodes. For scenarios of several jobs or of a queue it returns a
    MixesResult with the same keys; `best` has the shortest longest job, or the shortest mean wait.

    A design with a value of `vary` that no scenario can have keeps its place if another is sound:
    its `result` has only `feasible` and `valid`, both False, and the reasons in `infeasible`.
    """
    first = [scenario] if _is_one(scenario) else list(scenario)  # type: ignore[arg-type]
    scenarios = [*first, *others]
    if not scenarios:
        raise refusal("scenario", "no scenario to compare")
    roots = _data.catalogue_roots()
    varied = variations(vary)
    if len(scenarios) > 1 or varied:
        sources = [native(one, set) for one in scenarios]
        answer = _core.side_by_side(sources, varied, estimate, threads, roots)
        beside = json.loads(answer.json)
        if "best" in beside:
            results = [design["result"] for design in beside["designs"]]
            is_service = any("kv_cache_bytes_per_token" in result for result in results)
            found = (ServicesResult if is_service else MixesResult)(beside, answer)
            return cast("AnyComparison", found)
        return cast("AnyComparison", SideBySideResult(beside, answer))
    answer = _core.compare(native(scenarios[0], set), estimate, assumptions, threads, roots)
    return cast("AnyComparison", ComparisonResult(json.loads(answer.json), answer))


@asks
def explain(
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    estimate: bool = False,
    threads: int = 0,
    **words: Unpack[Words],
) -> Explanation:
    """Explains what limits a step, by how much, and what comes next.

    Parameters:
        scenario: as for simulate().
        set: values over those of the scenario, a dict or "path=value" texts.
        estimate: use the closed form instead of simulated events.
        threads: 0 uses every core.

    The result has `elasticities` (each with `path`, `elasticity`, `gain_of_1_percent`,
    `loss_of_1_percent`; all of them add up to `sum_of_elasticities`, which is 1 within 1 %),
    `next_limit` (once the first is lifted) and `outages` (one NIC, leaf or storage node down).
    """
    source = asked(scenario, set, words)
    answer = _core.explain(source, estimate, threads, _data.catalogue_roots())
    return Explanation(json.loads(answer.json), answer)


@asks
def diagnose(
    scenario: ScenarioLike | None = None,
    measured: float | str = "",
    set: Settings = (),
    estimate: bool = False,
    threads: int = 0,
    **words: Unpack[Words],
) -> Diagnosis:
    """Says why a measured step is slower or faster than predicted:
    `rw.diagnose(model="llama-3.1-70b", nodes=48, measured="10.5s")`.

    Parameters:
        scenario: as for simulate().
        measured: the time of a step, in seconds or as text such as "25.3 s".
        set: values over those of the scenario, a dict or "path=value" texts.
        estimate: use the closed form instead of simulated events.
        threads: 0 uses every core.

    A prediction holds for the division, batch and stack of the run: where the question leaves them
    open, the result lists under `chosen` what it took. The result has
    `predicted_s` with its 80 % interval `low_s` to `high_s`, `inside` (whether the measurement is
    in it), `reasons` (the most plausible first; each with `causes`, one or two, `step_time_s` with
    them, whether that `explains` the measurement, and `plausibility`), `unexplained` (the
    plausibility that none of them acts) and `measure` (what to look at next). A cause has `what`,
    `setting` (as for `set`), `change` of the step, `check` and `prior`, which is an estimate.
    """
    if measured == "":
        raise refusal("measured", "needs the time that a step took", 'give measured="25.3s"')
    text = measured if isinstance(measured, str) else f"{measured!r} s"
    source = asked(scenario, set, words)
    answer = _core.diagnose(source, text, estimate, threads, _data.catalogue_roots())
    return Diagnosis(json.loads(answer))


@asks
def topology(
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    load: bool = True,
    **words: Unpack[Words],
) -> TopologyResult:
    """Returns the parts of the scenario's fabric, and its drawing, or those of a question without
    one: `rw.topology(node="dgx-h100", nodes=32)`.

    Parameters:
        scenario: as for simulate().
        set: values over those of the scenario, a dict or "path=value" texts.
        load: also how busy a step keeps each wire, for one training job that fits.

    The result has the keys of `railwright topology --format json`, and `drawing`: boxes, frames and
    wires in points, y upwards; identically wired parts are one box, and of several pools the first
    is drawn, whose name is its `pool`. With `load` each wire of a training job has the `utilization` of its busiest link over a step and the mean of
    all; `drawing.links` groups links by the devices they join, the busiest first; and
    `step_time_s`, its 80 % interval and `basis` come from simulate(). rw.plot.topology draws it.
    """
    source = asked(scenario, set, words)
    bill, drawing = (
        json.loads(one) for one in _core.topology(source, load, _data.catalogue_roots())
    )
    step = {}
    if drawing["has_load"]:
        simulated = simulate(scenario, set, **words).to_dict()
        keys = ("step_time_s", "step_time_low_s", "step_time_high_s", "basis")
        step = {key: simulated[key] for key in keys if key in simulated}
    return TopologyResult({**bill, **step, "drawing": drawing})


@asks
def search(
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    top: int = 10,
    simulate: int = 3,
    front: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
    **words: Unpack[Words],
) -> AnySearch:
    """Finds the best parallelism and batch settings of a job on its cluster, or of a service:
    `rw.search(model="llama-3.1-70b", gpus=384)`.

    Parameters:
        scenario: as for simulate(); every point of its `search` is tried.
        set: values over those of the scenario, a dict or "path=value" texts.
        top: how many of the best are listed.
        simulate: how many of those are simulated by events.
        front: add the Pareto front of time and memory.
        threads: 0 uses every core.
        progress: called as `progress(what, done, all)`, repeatedly.

    The result has `best` and `front` (each entry with `settings`, as for `set`, its degrees of
    parallelism, `memory_per_accelerator_bytes`, `estimated_step_time_s`, `simulated_step_time_s` or
    None, `samples_per_s`), `own` (the scenario unchanged) and `counts` of points.

    For an inference scenario each entry has `settings`, `tp`, `pp`, `attention_dp`, `ep`,
    `max_tokens`, `batch`, `meets_latencies`, `user_tokens_per_s` and `result` of simulate(); with
    `inference.load` the first `simulate` are simulated request by request, and `front` is the
    Pareto front of tokens/s of a user and of an accelerator. Entries with prompts apart have
    `prefill_tp` too; if the best is one, `aggregated` is the best whose replicas do both.
    """
    source = asked(scenario, set, words)
    roots = _data.catalogue_roots()
    answer = _core.search(source, top, simulate, front, threads, progress, roots)
    found = json.loads(answer.json)
    kind = ServingSearchResult if "why_none" in found else SearchResult
    return cast("AnySearch", kind(found, answer))


@asks
def size(
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    threads: int = 0,
    progress: Progress | None = None,
    **words: Unpack[Words],
) -> AnySizing:
    """Finds the smallest clusters that meet a scenario's `goals`, and what smaller ones miss:
    `rw.size(model="llama-3.1-70b", tokens="1.5T", deadline="6w")`, or the nodes of a service:
    `rw.size(model="llama-3.3-70b", users=2000, ttft="1s", tpot="40ms")`.

    Parameters:
        scenario: as for simulate().
        set: values over those of the scenario, a dict or "path=value" texts.
        threads: 0 uses every core.
        progress: called as `progress(what, done, all)`, repeatedly.

    The result has `sized` (a cluster for each choice of parts: `settings`, `num_nodes`,
    `configuration`, `racks`, `peak_power_w`, `training_time_at_confidence_s`, `binds`,
    `steps_down`, and `result` of simulate()), `chosen` and `min_power` (indices into `sized`),
    `ranked_by` (cost, or nodes if `no_price_of` names parts that decide), `fastest`, and `missed`
    (parts that do not suffice, and by how much).

    For an inference scenario the result is that of simulate() on the fewest nodes that carry the
    load within the latencies, with `settings` (nodes, division and batch) and `smaller`, what a
    service with a node or replica less misses. For a queue of jobs it is that on the nodes with
    which `queue.max_wait` holds. Both ignore `cluster.nodes`. For several jobs it is that on the
    storage nodes with which `run.targets` hold for all of them, whatever `cluster.storage.count`.
    """
    answer = _core.size(asked(scenario, set, words), threads, progress, _data.catalogue_roots())
    data = json.loads(answer.json)
    if "sized" in data:
        return cast("AnySizing", SizingResult(data, answer))
    if "jobs" in data:
        return cast("AnySizing", JobsResult(data, answer=answer))
    kind = QueueResult if "num_jobs" in data else InferenceResult
    return cast("AnySizing", kind(data, answer=answer))


def calibrate(
    measured: str | os.PathLike[str],
    scenario: ScenarioLike | None = None,
    set: Settings = (),
    hold: Settings = (),
    estimate: bool = False,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    leave_out: str = "",
    threads: int = 0,
) -> AnyCalibration:
    """Fits an installation to measurements, or the catalogue to a suite's rows.

    Parameters:
        measured: a file of runs (YAML, CSV), a Megatron or NeMo training log, or output of
            nccl-tests or fio; or a suite, see below.
        scenario: the one that was run, if the file names none.
        set: values over those of the scenario, a dict or "path=value" texts.
        hold: "compute_efficiency" or "nic_efficiency", which then stays.
        estimate: use the closed form instead of simulated events.
        out: the installation's YAML file, which is not written if the fit is refused.
        progress: called as `progress(what, done, all)`, repeatedly.
        leave_out: a family of a suite's rows to hold out and predict.
        threads: 0 uses every core.

    The result has `factors` with standard errors, `runs` with their errors after the fit, also with
    the run held out, and `before` it: `predicted_s`, the 80 % interval `low_s` to `high_s`, the
    `relative_error`, and whether the `measured_is` "below", "inside" or "above" that interval (None
    where no interval is known). It also has `refused` and `advice`, and the 80 % interval
    `step_time_low` to `step_time_high` around a prediction of 1. For fio's JSON it has `jobs`, and
    `settings` for a scenario with storage.

    `measured` may also be a suite of published figures that names the numbers to fit ("published"),
    by name or file as for validate(); that takes minutes. A SuiteFitResult has `num_rows`, `numbers` (each with `of`, the catalogue
    entry, `path`, `start`, `value` in base units, `log_error`, the standard error of its logarithm,
    and `num_rows`), and the errors `before` and `after` of fitted rows and `left_out_errors` of
    held-out rows (`median`, `mean`, `percentile_90`, `largest`; as fractions).

    `leave_out="each"` leaves out one family after another. Its Result has the errors of `families`
    and of `all`, and `steps`, each with its `ratio`, published over predicted.
    """
    name = os.fspath(measured)
    is_file = os.path.exists(name)
    if not is_file or (name.endswith(".yaml") and _core.is_suite(name)):
        given = {
            "scenario": scenario is not None,
            "set": bool(set),
            "hold": bool(hold),
            "out": out is not None,
            "estimate": estimate,
        }
        path = name if is_file else _data.suites().get(name)
        return cast("AnyCalibration", _fit_suite(name, path, leave_out, given, threads))
    if leave_out:
        raise refusal("leave_out", "is for a suite, not for runs")
    held = settings_of(hold)
    if len({*held}) > 1 or not {*held} <= {"compute_efficiency", "nic_efficiency"}:
        raise refusal("hold", "one of compute_efficiency and nic_efficiency can be held")
    text, installation = _core.calibrate(
        name,
        None if scenario is None else native(scenario),
        settings_of(set),
        held,
        estimate,
        Path(out).stem if out is not None else "installation",
        threads,
        progress,
        _data.catalogue_roots(),
    )
    data = json.loads(text)
    if "factors" not in data:
        return cast("AnyCalibration", Result(data))
    if out is not None and installation:
        Path(out).write_text(installation, encoding="utf-8")
    return cast("AnyCalibration", CalibrationResult(data))


def _fit_suite(
    name: str, path: str | None, leave_out: str, given: Mapping[str, bool], threads: int
) -> Result:
    if path is None:
        raise refusal(name, "neither a file nor a suite of published figures")
    for argument, is_given in given.items():
        if is_given:
            raise refusal(argument, "is for measured runs, not for a suite")
    roots = _data.catalogue_roots()
    data = json.loads(_core.fit_suite(path, leave_out, threads, roots))
    return SuiteFitResult(data) if "numbers" in data else Result(data)


def validate(
    suite: str | os.PathLike[str] = "documents",
    ignore_memory: bool = False,
    without_recipe: bool = False,
) -> ValidationResult:
    """Compares published figures with predictions of the same scenarios.

    Parameters:
        suite: the name of a suite that comes with railwright, or the path of a suite file.
        ignore_memory: ignore the memory capacity of accelerators in training.
        without_recipe: predict training as if nobody had stated a setting of its recipe.

    The result has `cases` (each with `id`, `quantity`, `unit`, `role` (calibrate, validate or
    reject), `kind` (prediction, derived, bound, arithmetic, identity or calibrated: what agreement
    proves), `verdict`, `published`, `predicted`, `relative_error`, `source`, the `scenario` it ran
    and, for training, its `step`: `time_s`, the 80 % interval `low_s` to `high_s` and the
    `breakdown` by cause in seconds), `summary`, `skipped` (rows whose scenario cannot be read, with
    the `reason`), and `not_covered` (sentences: what no public record covers).

    A case whose scenario does not fit has the verdict "does not fit", a `reason`, and no
    `predicted`; `summary.num_unfit` counts such cases. Errors of the `summary` are None where no
    prediction has one.

    A case of the role fact, input, arithmetic or outside ran no scenario: `is` is the formula that
    computes it, `about` describes it, and `published` is None if there is no formula. `documents`
    counts the numbers that a document prints by the role of their case.
    """
    roots = _data.catalogue_roots()
    text = _core.validate(_suite_path(suite), ignore_memory, without_recipe, roots)
    return ValidationResult(json.loads(text))


def check(offer: str | os.PathLike[str], threads: int = 0) -> OfferResult:
    """Holds the claims of a vendor's offer, one by one, against what is computed for it.

    Parameters:
        offer: the path of an offer, a YAML file with `scenarios` and `claims`.
        threads: 0 uses every core.

    The result has `claims` in the order of the file, each with `claim` (its words), `verdict`
    ("holds", "depends on" or "cannot hold"), `why`, `settings` (as for `set`, each of which makes it
    hold alone), `published` and `computed` in `unit`, and the `scenario` it ran; `not_stated`, what was
    chosen for the offer; `num_holding`, `num_depending`, `num_refuted`; and `feasible`, whether no
    claim is refuted.
    """
    text = _core.check_offer(os.fspath(offer), threads, _data.catalogue_roots())
    return OfferResult(json.loads(text))


def _suite_path(suite: str | os.PathLike[str]) -> str:
    name = os.fspath(suite)
    if name != suite or os.sep in name or name.endswith(".yaml"):
        return name
    suites = _data.suites()
    if name in suites:
        return suites[name]
    raise refusal(name, "no suite of this name", f"known: {', '.join(suites)}")


def _is_one(scenario: object) -> bool:
    return isinstance(scenario, (Scenario, str, os.PathLike, Mapping))
