# SPDX-License-Identifier: Apache-2.0
"""The lines of a result that matter, about eight lines for a notebook."""

from __future__ import annotations

from typing import Any

from railwright import _format

# The lines of each kind: a label, a key of the result, and what is said after it. A line whose key
# the result lacks is left out.
_TRAINING = [
    ("step", "step_time_s"),
    ("training", "training_time_s"),
    ("tokens/s", "tokens_per_s"),
    ("samples/s", "samples_per_s"),
    ("of the peak rate", "model_flops_utilization"),
    ("limit", "limit"),
    ("accelerators", "num_accelerators"),
    ("memory of each", "memory_per_accelerator_bytes"),
    ("power", "power.mean_power_w"),
]
_SERVICE = [
    ("nodes", "num_nodes"),
    ("first token", "time_to_first_token_s"),
    ("each further", "time_per_output_token_s"),
    ("tokens/s an accelerator", "accelerator_tokens_per_s"),
    ("limit", "limit"),
    ("accelerators", "num_accelerators"),
    ("memory of each", "memory_per_accelerator_bytes"),
    ("power", "power.mean_power_w"),
]
_BENCHMARK = [
    ("time", "time_s"),
    ("bus bandwidth", "bus_bandwidth_bytes_per_s"),
    ("algorithm", "algorithm"),
    ("protocol", "protocol"),
]
_QUEUE = [
    ("jobs", "num_jobs"),
    ("mean wait", "wait_mean_s"),
    ("occupied", "occupied_fraction"),
    ("useful", "useful_fraction"),
    ("interruptions", "num_interruptions"),
    ("power", "mean_power_w"),
]
_POST_TRAINING = [
    ("step", "step_time_s"),
    ("all steps", "total_time_s"),
    ("idle", "idle_fraction"),
    ("output tokens/s", "output_tokens_per_s"),
    ("accelerators", "num_accelerators"),
]


def of(result: dict[str, Any]) -> list[list[str]]:
    """Returns labels and texts; of a design that does not fit, the reasons."""
    if not result["feasible"]:
        reasons = [["does not fit", reason] for reason in result["infeasible"]]
        return reasons + _lines(result, [("accelerators", "num_accelerators")])
    return _lines(result, _kind(result))


def _kind(result: dict[str, Any]) -> list[tuple[str, str]]:
    if "num_jobs" in result:
        return _QUEUE
    if "op" in result:
        return _BENCHMARK
    if "updates_per_step" in result:
        return _POST_TRAINING
    if "weights_bytes" in result:
        return _SERVICE
    kept = "tokens_per_s" if "tokens_per_s" in result else "samples_per_s"
    return [line for line in _TRAINING if not line[1].endswith("s_per_s") or line[1] == kept]


def _lines(result: dict[str, Any], lines: list[tuple[str, str]]) -> list[list[str]]:
    found = []
    for label, path in lines:
        value: Any = result
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            text = f"{value:,.0f}" if label.startswith("tokens/s") else _format.value(key, value)
            found.append([label, text + _more(result, path)])
    return found


def _more(result: dict[str, Any], path: str) -> str:
    """Returns what is said of a number besides: its interval, its bound, its division."""
    low, high = (result.get(path.replace("time_s", f"time_{end}_s")) for end in ("low", "high"))
    if path in ("step_time_s", "training_time_s") and low is not None and high is not None:
        if low < high:
            return f" (80 %: {_format.time_range(low, high)})"
        return ""
    if path == "memory_per_accelerator_bytes":
        return f" of {_format.memory(result['memory_capacity_bytes'])}"
    if path == "num_accelerators" and "layout" in result:
        of = result["layout"]
        cp = result["num_accelerators"] // (of["tp"] * of["pp"] * of["dp"])
        ways = [("tp", of["tp"]), ("cp", cp), ("pp", of["pp"]), ("dp", of["dp"])]
        division = " x ".join(f"{name} {count}" for name, count in ways if count > 1)
        return f" = {division}" if division else ""
    if path == "num_accelerators" and "tp" in result:
        return f" in replicas of {result['tp'] * result.get('pp', 1)}"
    if path == "power.mean_power_w":
        return f", {_format.value('_w', result['power']['peak_power_w'])} at the peak"
    return ""
