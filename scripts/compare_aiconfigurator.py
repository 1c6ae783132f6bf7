#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors of AIConfigurator and of railwright on the same rows of the suite `serving-latency`.

usage: PYTHON scripts/compare_aiconfigurator.py rows.csv.gz build/release/bin/railwright theirs.json

PYTHON is of an environment of its own with `pip install aiconfigurator==0.12.0`; the rows are those
that scripts/write_serving_latency.py reads. AIConfigurator is asked for prompts and answers together, by
its `cli_estimate`: with measured kernels, or where it has none for a format with its own hybrid of
measured and estimated ones. Its answers are kept in theirs.json, so that a second run, or an
interrupted one, asks for the missing ones alone. Printed is the table of docs/peers.md: rows that both
predict, by engine, device and format, median and nine of ten of each.
"""

import collections
import json
import logging
import statistics
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import write_serving_latency as suite

# Names under which AIConfigurator has the shapes of models that it would otherwise look up.
SHIPPED = {"meta-llama/Llama-3.1-70B": "meta-llama/Meta-Llama-3.1-70B",
           "meta-llama/Llama-3.1-8B-Instruct": "meta-llama/Meta-Llama-3.1-8B",
           "nvidia/Llama-3.1-8B-Instruct-FP8": "meta-llama/Meta-Llama-3.1-8B",
           "zhipuai/GLM-5": "nvidia/GLM-5-NVFP4"}
QUANTITIES = {"time_to_first_token": ("ttft", "silicon_ttft_ms"),
              "time_per_output_token": ("tpot", "silicon_tpot_ms")}
MODES = ("SILICON", "HYBRID")
# AIConfigurator takes a second a row: one in four is asked, by the CRC-32 of its case.
EVERY = 4


def asked_of(row):
    """The arguments of `cli_estimate` for a row."""
    whole = {name: suite.number(row, name) for name in (
        "batch_size", "tp_size", "pp_size", "attention_dp_size", "moe_tp_size", "moe_ep_size")}
    return {"model_path": SHIPPED.get(row["model_path"], row["model_path"]),
            "system_name": row["system"], "backend_name": row["backend"], "isl": int(row["isl"]),
            "osl": int(row["osl"]), "gemm_quant_mode": row["gemm_quant_mode"] or None,
            "moe_quant_mode": row["moe_quant_mode"] or None, **whole}


def their_answer(row, estimate):
    """Milliseconds of AIConfigurator, or why it has none."""
    reason = ""
    for mode in MODES:
        try:
            found = estimate(**asked_of(row), database_mode=mode)
            return {"ttft": found.ttft, "tpot": found.tpot, "mode": mode}
        except Exception as error:  # pylint: disable=broad-exception-caught
            reason = str(error)
    return {"why": reason}


def their_answers(named, path):
    """Answers of AIConfigurator by case, from the file or asked for now."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if all(case in known for case, _ in named):
        return known
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore")
    from aiconfigurator.cli.api import cli_estimate  # slow, and only where it is needed
    for i, (case, row) in enumerate(named):
        if case not in known:
            known[case] = their_answer(row, cli_estimate)
        if i % 50 == 49 or i + 1 == len(named):
            path.write_text(json.dumps(known), encoding="utf-8")
            print(f"{i + 1} of {len(named)} rows asked", file=sys.stderr)
    return known


def our_answers(program):
    """Predictions of the suite by case and quantity, in milliseconds."""
    output = subprocess.run([program, "validate", "--suite", "serving-latency", "--format", "json"],
                            check=False, capture_output=True, text=True).stdout
    ours = {}
    for case in json.loads(output)["cases"]:
        if case["predicted"] is not None:
            ours[case["id"].rsplit("-", 1)[0], case["quantity"]] = 1000 * case["predicted"]
    return ours


def errors_by_class(named, theirs, ours):
    """Absolute relative errors of both, by class and quantity, on rows that both predict."""
    errors = collections.defaultdict(list)
    for case, row in named:
        for quantity, (key, column) in QUANTITIES.items():
            if key not in theirs[case] or (case, quantity) not in ours:
                continue
            measured = float(row[column])
            pair = (abs(theirs[case][key] / measured - 1), abs(ours[case, quantity] / measured - 1))
            for name in ("all", suite.ENGINES[row["backend"]], row["system"], row["precision"]):
                errors[name, quantity].append(pair)
    return errors


def in_words(values):
    """Median and nine of ten, in percent."""
    ordered = sorted(values)
    nine = ordered[int(0.9 * (len(ordered) - 1))]
    return f"{100 * statistics.median(ordered):.1f}, {100 * nine:.0f}"


def table(errors):
    """A line a class in Markdown."""
    lines = ["| rows of | number | further token: AIConfigurator | railwright "
             "| first token: AIConfigurator | railwright |", "|---|---:|---|---|---|---|"]
    for name in sorted({name for name, _ in errors}, key=lambda name: (name != "all", name)):
        cells = []
        for quantity in ("time_per_output_token", "time_to_first_token"):
            pairs = errors[name, quantity]
            cells += [in_words([theirs for theirs, _ in pairs]), in_words([ours for _, ours in pairs])]
        lines.append(f"| {name} | {len(errors[name, 'time_per_output_token'])} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main():
    rows, program, saved = sys.argv[1:4]
    kept, _, _ = suite.expressible(rows)
    named = [(case, row) for _, apart, members in suite.named_families(suite.slowest_of_drafting(kept))
             for case, row, _ in members if not apart and zlib.crc32(case.encode()) % EVERY == 0]
    theirs = their_answers(named, Path(saved))
    print(table(errors_by_class(named, theirs, our_answers(program))))
    reasons = collections.Counter(answer["why"][:60] for answer in theirs.values() if "why" in answer)
    for reason, number in reasons.most_common():
        print(f"not predicted by AIConfigurator: {number} rows, {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
