# SPDX-License-Identifier: Apache-2.0
"""Figures that stand in the sentences and tables of the documents, each from a run.

A document has `<!--=NAME-->4.4 %<!--/-->`; scripts/update_docs.py puts what NAME comes to between the
two comments, and its --check fails where it stands there otherwise. A name ends in what is taken of
the rows: their number (rows), or of their absolute errors the median, mean, nine (nine in ten are
below it) or largest.
"""

import csv
import functools
import json
import math
import pathlib
import re
import statistics
import subprocess

import device_ratios

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURE = re.compile(r"(<!--=([a-z0-9-]+)-->)(.*?)(<!--/-->)", re.DOTALL)
LEFT_OUT = ROOT / "validation" / "data" / "left_out_steps.csv"
RECORD = ROOT / "models" / "catalogue" / "track_records" / "training_steps.yaml"


@functools.cache
def answer(*arguments):
    """The JSON that `railwright` prints; the program is found on the PATH."""
    printed = subprocess.run(["railwright", *arguments, "--format", "json"], cwd=ROOT, check=False,
                             capture_output=True, text=True, timeout=600).stdout
    return json.loads(printed)


def cases(suite):
    return answer("validate", "--suite", suite)["cases"]


def percent(value):
    return f"{100.0 * value:.0f} %" if value >= 0.2 else f"{100.0 * value:.1f} %"


def nine_in_ten(values):
    return values[max(0, math.ceil(0.9 * len(values)) - 1)]


def within(values, limit):
    """The share of values up to a limit, as a document writes it."""
    return f"{100.0 * sum(value <= limit for value in values) / len(values):.0f} %"


TAKEN = {
    "rows": lambda values: f"{len(values):,}",
    "median": lambda values: percent(statistics.median(values)),
    "mean": lambda values: percent(statistics.fmean(values)),
    "nine": lambda values: percent(nine_in_ten(values)),
    "largest": lambda values: percent(values[-1]),
    "within5": lambda values: within(values, 0.05),
    "within10": lambda values: within(values, 0.1),
    "within20": lambda values: within(values, 0.2),
}


def rows(suite, quantity, groups=(), role=None):
    """Absolute errors of the predicted rows of a suite, sorted."""
    return sorted(abs(case["relative_error"]) for case in cases(suite)
                  if case["relative_error"] is not None and case["quantity"] == quantity
                  and (not groups or case["group"] in groups) and role in (None, case["role"]))


def left_out(of_class=None, suite=None):
    """Absolute errors of steps whose family no fit has seen, sorted."""
    with LEFT_OUT.open(encoding="utf-8") as file:
        steps = list(csv.DictReader(file))
    outside = {case["id"] for case in cases("outside")} if suite else set()
    return sorted(abs(1.0 / float(step["ratio"]) - 1.0) for step in steps
                  if of_class in (None, step["class"])
                  and (suite is None or (step["id"] in outside) == (suite == "outside")))


def held_latencies(quantity):
    """Absolute errors of families of published latencies that nothing was fitted to, prompts and answers
    together, sorted."""
    return sorted(abs(case["relative_error"]) for case in cases("serving-latency")
                  if case["quantity"] == quantity and case["relative_error"] is not None
                  and case["group"].startswith("held ") and not case["group"].endswith(" apart"))


GROUPS = {
    "steps": lambda: rows("published", "step_time", role="validate"),
    "memory": lambda: rows("published", "memory", role="validate"),
    "serving-throughput": lambda: rows("serving", "throughput"),
    "serving-accelerators": lambda: rows("serving", "accelerators"),
    "further-tokens": lambda: held_latencies("time_per_output_token"),
    "first-tokens": lambda: held_latencies("time_to_first_token"),
    "korthikanti": lambda: rows("published", "step_time", ("korthikanti2022",)),
    "megatron-2021": lambda: rows("published", "step_time", ("megatron_sc21", "mt_nlg")),
    "vtrain": lambda: rows("published", "step_time", ("vtrain_multi",)),
    "simumax-time": lambda: rows("published", "step_time", ("simumax_b200",)),
    "simumax-memory": lambda: rows("published", "memory", ("simumax_b200",)),
    "left-out": left_out,
    "left-out-fit": lambda: left_out(suite="published"),
    "left-out-outside": lambda: left_out(suite="outside"),
}


def count(suite):
    return len(cases(suite))


def nic_line(curve, variant=""):
    """A line of examples/nic-break-even.yaml: what eight NICs are worth against four, by place."""
    lines = answer("compare", "examples/nic-break-even.yaml")["curves"][curve]["lines"]
    return next(line for line in lines if line["variant"] == variant)


def places_of(line):
    """The list of places of a line, each with its points."""
    return next(value for value in line.values() if isinstance(value, list))


def nic_worth(curve, at):
    place = next(place for place in places_of(nic_line(curve)) if place["at"] == at)
    return percent(place["points"][-1]["worth"])


def nic_worth_range(*variants):
    """The least and greatest worth at fixed work of an accelerator, on two nodes and more."""
    worths = [place["points"][-1]["worth"] for variant in variants
              for place in places_of(nic_line(2, variant))[1:]]
    return f"{100 * min(worths):.1f} to {100 * max(worths):.1f} %"


def nic_interval():
    """The interval of a step of the second curve, over its prediction."""
    point = places_of(nic_line(1))[0]["points"][-1]
    low, high = (point[f"step_time_{end}_s"] / point["step_time_s"] for end in ("low", "high"))
    return f"{low:.2f} to {high:.2f}"


def classes_table():
    """The table of errors of families left out, by class, as the track record has them."""
    text = RECORD.read_text(encoding="utf-8")
    entries = re.findall(r"- \{class: (\w+), (families: .*?)\}", text)
    words = {
        "like_published": "device, stack and precision published by others, at most two differences",
        "changed": "device and stack published, in another precision or with more differences",
        "new_stack": "device published, stack not",
        "experts": "a mixture of experts, device published",
        "new_device": "device not published by anybody else",
    }
    lines = ["| class | families | steps | half within | nine of ten within | 80 % interval | stated |",
             "|---|---|---|---|---|---|---|"]
    for name, entry in entries:
        of = {key: float(value) for key, value in re.findall(r"(\w+): ([\d.e+-]+)", entry)}
        lines.append(
            f"| `{name}`: {words[name]} | {of['families']:.0f} | {of['steps']:.0f} | "
            f"{percent(of['median_error'])} | {percent(of['percentile_90'])} | "
            f"{of['low']:.2f} to {of['high']:.2f} | "
            f"{of['stated_low']:.2f} to {of['stated_high']:.2f} |")
    return "\n\n" + "\n".join(lines) + "\n\n"


def families_table():
    """Errors of each family that no fit has seen."""
    with LEFT_OUT.open(encoding="utf-8") as file:
        steps = list(csv.DictReader(file))
    lines = ["| family | steps | median | mean | 90th percentile |", "|---|---|---|---|---|"]
    for family in [*sorted({step["family"] for step in steps}), "all"]:
        errors = sorted(abs(1.0 / float(step["ratio"]) - 1.0) for step in steps
                        if family in ("all", step["family"]))
        lines.append(f"| {family} | " + " | ".join(
            TAKEN[one](errors) for one in ("rows", "median", "mean", "nine")) + " |")
    return "\n\n" + "\n".join(lines) + "\n\n"


def devices_table():
    """Errors of ratios between two accelerators, of those with twenty pairs of steps."""
    lines = ["| accelerator | other | pairs | median error | nine of ten |", "|---|---|---|---|---|"]
    for one, other, pairs, median, nine in device_ratios.rows(cases("published")):
        if pairs >= 20:
            lines.append(f"| {one} | {other} | {pairs} | {percent(median)} | {percent(nine)} |")
    return "\n\n" + "\n".join(lines) + "\n\n"


# Groups of the suite of serving, as a sentence names them.
SERVED = {
    "trtllm_llama_3_1_8b_h100": "Llama 3.1 8B, fp8, one H100",
    "trtllm_llama_3_3_70b_h100": "Llama 3.3 70B, fp8, two H100",
    "trtllm_llama_3_3_70b_b200": "Llama 3.3 70B, fp4, one B200",
    "trtllm_qwen3_235b_a22b_b200": "Qwen3 235B-A22B, fp4, eight B200",
    "trtllm_qwen3_235b_a22b_h100": "Qwen3 235B-A22B, fp8, eight H100",
    "mlperf_offline": "MLPerf Offline: Llama 3.1 405B on five devices, DeepSeek-R1 on a GB200 rack",
    "mlperf_server": "MLPerf Server: accelerators",
    "mlperf_interactive": "MLPerf Interactive: accelerators",
}


def serving_table():
    """Errors of published throughputs, and of accelerators that keep latencies, by group."""
    lines = ["| model, device | rows | median | largest | mean, with its sign |", "|---|---|---|---|---|"]
    by_words = {words: [case for case in cases("serving") if case["group"] == group]
                for group, words in SERVED.items()}
    by_words["all throughputs"] = [case for case in cases("serving") if case["quantity"] == "throughput"]
    for words, some in by_words.items():
        errors = [case["relative_error"] for case in some if case["relative_error"] is not None]
        if not errors:
            raise SystemExit(f"the suite of serving has no row of {words}")
        sizes = sorted(abs(error) for error in errors)
        lines.append(f"| {words} | {len(errors)} | {percent(statistics.median(sizes))} | "
                     f"{percent(sizes[-1])} | {100.0 * statistics.fmean(errors):+.1f} % |")
    return "\n\n" + "\n".join(lines) + "\n\n"


# Typical jobs, each as its example states it but for the recipe, which is left to the profile.
TYPICAL = {
    "7B on two nodes": ("examples/neutral-llama-2-7b.yaml",),
    "70B on 64 nodes": (
        "examples/neutral-llama-2-7b.yaml", "workload={model: llama-3.1-70b, sequence_length: 8192, "
        "global_batch: 512, micro_batch: 1, steps: 1}", "parallelism={tp: 8, pp: 4, virtual_stages: 5, sequence_parallel: true}",
        "cluster={nodes: 64, node: dgx-h100, fabric: {topology: rail_optimized, switch: qm9700}}",
        "software=nemo-25.02"),
    "8B under FSDP": (
        "examples/neutral-llama-2-7b.yaml", "workload={model: llama-3.1-8b, sequence_length: 8192, "
        "global_batch: 128, micro_batch: 1, steps: 1}", "parallelism={tp: 1}",
        "cluster={nodes: 8, node: dgx-h100, fabric: {topology: rail_optimized, switch: qm9700}}",
        "software=torchtitan"),
    "8x7B with experts": (
        "examples/neutral-llama-2-7b.yaml", "workload={model: mixtral-8x7b, sequence_length: 4096, "
        "global_batch: 256, micro_batch: 1, steps: 1}", "parallelism={tp: 1, pp: 4, ep: 8, virtual_stages: 8}",
        "cluster={nodes: 8, node: dgx-h100, fabric: {topology: rail_optimized, switch: qm9700}}",
        "software=megatron-bridge"),
    "8B at 131,072 tokens": (
        "examples/neutral-llama-2-7b.yaml", "workload={model: llama-3.1-8b, sequence_length: 131072, "
        "global_batch: 16, micro_batch: 1, steps: 1}", "parallelism={tp: 2, cp: 8, sequence_parallel: true}",
        "cluster={nodes: 8, node: dgx-h100, fabric: {topology: rail_optimized, switch: qm9700}}",
        "software=nemo-25.02"),
}


def unstated_of(job):
    """Returns the settings of a typical job that nobody stated, as `simulate` has them in JSON."""
    example, *settings = TYPICAL[job]
    said = answer("simulate", example, *(word for one in settings for word in ("--set", one)))
    return said["unstated"]


def differences_table():
    """The settings that move a step most, and the job of TYPICAL in which each does."""
    most = {}
    for job in TYPICAL:
        for one in unstated_of(job):
            other = one["others"][0]
            known = most.get(one["setting"])
            if known is None or abs(other["change"]) > abs(known[2]["change"]):
                most[one["setting"]] = job, one["value"], other
    lines = ["| key | assumed | at another stack's value | a step of | takes |", "|---|---|---|---|---|"]
    for key, (job, value, other) in sorted(most.items(), key=lambda one: -abs(one[1][2]["change"])):
        lines.append(f"| `{key.removeprefix('software.')}` | {value} | {other['value']} "
                     f"(`{other['stacks'][0]}`) | {job} | {100.0 * other['change']:+.0f} % |")
    return "\n\n" + "\n".join(lines) + "\n\n"


def error_of(identity):
    """The error of one case of the suite of documents, in words."""
    case = next(case for case in cases("documents") if case["id"] == identity)
    error = case["relative_error"]
    slow = case["unit"] == "s"
    return f"{percent(abs(error))} too {'slow' if (error > 0) == slow else 'fast'}"


OTHERS = {
    "deepseek-v3-trillion-tokens-error": lambda: error_of("deepseek-v3-trillion-tokens"),
    "nic-worth-site-4": lambda: nic_worth(0, "4"),
    "nic-worth-site-6": lambda: nic_worth(0, "6"),
    "nic-worth-batch-36": lambda: nic_worth(1, "36"),
    "nic-worth-work": lambda: nic_worth_range(""),
    "nic-worth-algorithms": lambda: nic_worth_range("ring", "tree"),
    "nic-worth-slow": lambda: nic_worth_range("NICs at 40 %"),
    "nic-worth-alternate": lambda: nic_worth_range("alternate wiring"),
    "nic-interval": nic_interval,
    "suites-rows": lambda: f"{sum(map(count, ('documents', 'published', 'outside', 'collectives', 'storage', 'serving'))):,}",
    "left-out-classes": classes_table,
    "recipe-differences": differences_table,
    "left-out-families": families_table,
    "device-ratios": devices_table,
    "serving-groups": serving_table,
}


@functools.cache
def figure(name):
    """The value of a figure by its name; raises SystemExit for an unknown one."""
    if name in OTHERS:
        return OTHERS[name]()
    group, _, taken = name.rpartition("-")
    if group in GROUPS and taken in TAKEN:
        return TAKEN[taken](GROUPS[group]())
    raise SystemExit(f"documents name a figure that scripts/figures.py does not know: {name}")


def with_figures(text):
    """A document's text with every figure as it comes out."""
    return FIGURE.sub(lambda found: found[1] + figure(found[2]) + found[4], text)
