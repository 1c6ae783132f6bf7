#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the suite `serving-latency` from measured latencies of serving in AIConfigurator's columns.

usage: scripts/write_serving_latency.py rows.csv.gz [validation/data/serving-latency.yaml]

The rows are InferenceX's, shipped by aiconfigurator-core (PyPI, Apache-2.0) in
systems/silicon_sample.csv: time to the first token and time of each further one at a number of
requests under way. A row becomes a closed loop of so many users with ten requests each, whose lengths
are 0.8 to 1 of the nominal ones, as the benchmark draws them. Rows that name no date and have other lengths are
AIConfigurator's own, with lengths that are all alike, and set the tokens of an iteration, the largest batch, a graph of
every batch and SGLang's mixed chunks (generator/rule_plugin/benchmark/*.rule of aiconfigurator 0.12.0, PyPI,
Apache-2.0). AIPerf sends a hundred different prompts in turn (its NUM_DATASET_ENTRIES), which vLLM finds again in
its cache; that SGLang did is not known, and its first tokens take as long as whole prompts. vLLM 0.12 has asynchronous scheduling off (it is the default from 0.14 on, and InferenceX' scripts
ask for it), and so is the overlap scheduler of TensorRT-LLM 1.0.0rc3 in the template of aiconfigurator 0.1, of that
time. Rows without a date whose model, device, engine and version have dated rows are those again,
and are left out.

A family is a model on a device with an engine and a format. Families whose name has an even CRC-32
may be fitted to (group `open`), nothing is fitted to the others (`held`).
"""

import collections
import csv
import gzip
import sys
import zlib
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "validation" / "data" / "serving-latency.yaml"
SOURCE = "aiconfigurator-core 0.12.0 (PyPI, Apache-2.0), systems/silicon_sample.csv: InferenceX"

ENGINES = {"trtllm": "tensorrt-llm", "vllm": "vllm", "sglang": "sglang"}
NODES = {"h100_sxm": "dgx-h100", "h200_sxm": "dgx-h200", "b200_sxm": "dgx-b200",
         "b300_sxm": "dgx-b300", "gb200": "gb200-nvl72", "gb300": "gb300-nvl72"}
MODELS = {"deepseek-ai/DeepSeek-R1": "deepseek-r1", "deepseek-ai/DeepSeek-V3": "deepseek-v3",
          "nvidia/DeepSeek-V3.1-NVFP4": "deepseek-v3", "openai/gpt-oss-120b": "gpt-oss-120b",
          "Qwen/Qwen3-32B": "qwen3-32b", "nvidia/Qwen3-32B-NVFP4": "qwen3-32b",
          "Qwen/Qwen3-235B-A22B-FP8": "qwen3-235b-a22b",
          "meta-llama/Llama-3.1-70B": "llama-3.1-70b",
          "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b",
          "nvidia/Llama-3.1-8B-Instruct-FP8": "llama-3.1-8b", "moonshotai/Kimi-K2.5": "kimi-k2",
          "MiniMaxAI/MiniMax-M2.5": "minimax-m2.5", "Qwen/Qwen3.5-397B-A17B": "qwen3.5-397b-a17b",
          "zhipuai/GLM-5": "glm-5"}
# Checkpoints whose fp8 weights have a scale for each block of 128 x 128, as their config.json says
# (weight_block_size), Qwen/Qwen3-32B-FP8 too.
BLOCK_SCALED_MIXTURES = {"deepseek-r1", "deepseek-v3", "minimax-m2.5", "qwen3.5-397b-a17b", "glm-5"}
BLOCK_SCALED = BLOCK_SCALED_MIXTURES | {"qwen3-32b"}
MIXTURES = BLOCK_SCALED_MIXTURES | {"gpt-oss-120b", "qwen3-235b-a22b", "kimi-k2"}
# Models that predict several tokens a step: rows do not say whether they did.
DRAFTING = {"deepseek-r1", "deepseek-v3", "qwen3.5-397b-a17b", "glm-5"}
# Settings of SGLang in the scripts of InferenceX (benchmarks/single_node/*.sh): iterations between two looks
# for requests, with few requests under way and with 16 and more, and the tokens of an iteration.
SGLANG_RECIPES = {("deepseek-r1", "b200_sxm", "fp4"): (10, 30, 16384),
                  ("deepseek-r1", "b200_sxm", "fp8"): (10, 30, 32768),
                  ("deepseek-r1", "b300_sxm", "fp8"): (10, 30, 32768),
                  ("deepseek-r1", "h200_sxm", "fp8"): (1, 1, 32768),
                  ("qwen3.5-397b-a17b", "b200_sxm", "fp4"): (30, 30, 32768),
                  ("qwen3.5-397b-a17b", "b300_sxm", "fp4"): (10, 30, 32768),
                  ("qwen3.5-397b-a17b", "h200_sxm", "fp8"): (1, 1, 16384),
                  ("glm-5", "b200_sxm", "fp4"): (10, 10, 32768)}
# Tokens of an iteration in its scripts of TensorRT-LLM; of DeepSeek the prompt and the requests, from 2026 on at least
# 8,192.
TENSORRT_TOKENS = {"gpt-oss-120b": 20000, "llama-3.1-70b": 16384}
# TensorRT-LLM's largest batch, which fewer tokens of an iteration leave no room for.
LARGEST_BATCH = 2048
# With data-parallel attention its scripts let prompts wait until every accelerator has one, so many iterations at most
# (attention_dp_config: enable_balance, timeout_iters; gpt-oss-120b keeps TensorRT-LLM's default).
BALANCE_ITERATIONS = {"deepseek-r1": 60, "deepseek-v3": 60, "gpt-oss-120b": 50, "llama-3.1-70b": 50}
# And of DeepSeek in fp8 on B200 with 1,024 tokens each and 64 requests or more, and of Llama with 1,024 tokens each and
# fewer than eight accelerators, until they fill an iteration, so many iterations at most (batch_wait_timeout_iters):
# as long as a prompt waits in the mean for every second look.
BATCH_WAIT_ITERATIONS = {"deepseek-r1": 40, "llama-3.1-70b": 20}
# Its scripts that leave the cache's format open (no kv-cache-dtype), so that it is the model's 16 bits: by model, engine
# and weights, from one date to another.
WIDE_CACHES = {("gpt-oss-120b", "vllm", "fp4"): ("", "9"), ("kimi-k2", "vllm", "int4"): ("", "9"),
               ("minimax-m2.5", "vllm", "fp8"): ("", "2026-04"), ("glm-5", "sglang", "fp8"): ("", "9"),
               ("deepseek-r1", "sglang", "fp8"): ("", "9")}
HOPPER = ("h100_sxm", "h200_sxm")
# Its scripts of MiniMax-M2.5 give vLLM twice the prompt.
VLLM_TOKENS_OF_PROMPT = {"minimax-m2.5": 2}
# Its scripts of these let vLLM capture graphs of so many tokens (max-cudagraph-capture-size), of MiniMax from April 2026.
VLLM_GRAPH_TOKENS = {"gpt-oss-120b": ("", 2048), "minimax-m2.5": ("2026-04", 2048)}
# vLLM joins an all-reduce and the norm behind it by itself from 2026 on. Before, its scripts of Blackwell asked for it
# (enable_fi_allreduce_fusion), those of Hopper did not.
VLLM_FUSES_FROM = "2026"
# Its scripts of SGLang ask for that (enable-flashinfer-allreduce-fusion) but of GLM-5 and DeepSeek on Hopper, and of
# Qwen3.5 in fp4 only with eight accelerators.
SGLANG_FUSES = {("deepseek-r1", "b200_sxm"), ("deepseek-r1", "b300_sxm"), ("qwen3.5-397b-a17b", "h200_sxm"),
                ("glm-5", "b200_sxm")}
# AIConfigurator's own runs: tokens of an iteration beside those of a prompt and one for each request, in blocks.
TOKENS_BESIDE_PROMPT, TOKENS_OF_BLOCK = 1500, 32
# With prompts apart InferenceX' recipes (benchmarks/multi_node/srt-slurm-recipes) capture graphs of every batch:
# cuda_graph_config.batch_sizes, cuda-graph-max-bs.
GRAPHS_AT_LEAST = 512
# And its benchmark (benchmark/bench_run.sh.j2): different prompts, and requests of each user before those that count.
DIFFERENT_PROMPTS, WARM_UP, OWN_REQUESTS = 100, 2, 20
# InferenceX' pairs of prompts and answers.
LENGTHS = {("1024", "1024"), ("1024", "8192"), ("8192", "1024")}
# Lengths are drawn evenly between 0.8 and 1 of the nominal ones.
MEAN_LENGTH = 0.9
REQUESTS_PER_USER = 10
# Beyond so many users fewer requests each say the same.
MANY_USERS = 512


def number(row, key):
    return int(row[key]) if row[key] else 1


def division(row, prefix=""):
    """Accelerators of a replica, those of experts and whether attention is data-parallel; nothing
    where the columns contradict one another."""
    tp, dp = number(row, prefix + "tp_size"), number(row, prefix + "attention_dp_size")
    moe_tp, ep = number(row, prefix + "moe_tp_size"), number(row, prefix + "moe_ep_size")
    size, of_experts = tp * dp, moe_tp * ep
    if number(row, prefix + "pp_size") != 1 or 0 in (tp, dp, ep):
        return None
    if moe_tp == ep > 1 and size == of_experts:
        # Both hold the number of all accelerators: 8 x 8 on a node of eight.
        size = ep
    elif size != of_experts and of_experts > 1:
        return None
    if tp > 1 and dp > 1:
        return None
    return {"tp": size, "ep": ep, "attention_dp": dp > 1}


def settings(row):
    """Settings of a row, or why it has none."""
    model = MODELS.get(row["model_path"])
    if model is None:
        return "models that the catalogue has not"
    if row["precision"] not in ("fp8", "fp4", "int4"):
        return "no number format"
    if not row["concurrency"]:
        return "no number of requests under way"
    if row["prefill_pp_size"] not in ("", "1"):
        return "stages of prompts"
    users = int(row["concurrency"])
    each = REQUESTS_PER_USER if users <= MANY_USERS else 4
    shortest = 1 if is_own(row) else 0.8
    whole = division(row) if row["mode"] == "agg" else division(row, "decode_")
    if whole is None:
        return "a division that contradicts itself"
    made = {"inference.model": model, "inference.weights": row["precision"],
            "inference.engine": engine(row, model), "inference.tp": whole["tp"],
            "inference.attention_dp": str(whole["attention_dp"]).lower(),
            "inference.ep": whole["ep"] if model in MIXTURES else None,
            "inference.prompt_tokens": int(row["isl"]), "inference.output_tokens": int(row["osl"]),
            "inference.load.concurrency": users, "inference.load.requests": users * each,
            "inference.load.shortest": shortest, "cluster.node": NODES[row["system"]]}
    if model in BLOCK_SCALED and row["precision"] == "fp8" or "block" in row["gemm_quant_mode"]:
        made["inference.block_scales"] = "true"
    if has_wide_cache(row, model):
        made["inference.kv_cache"] = "bf16"
    if is_own(row) and row["backend"] == "vllm":
        made["inference.prefix_hit_rate"] = share_of_known_prompts(users)
    if model not in MIXTURES and (whole["ep"] > 1 or whole["attention_dp"]):
        return "a division that contradicts itself"
    if row["mode"] == "disagg":
        prompts = division(row, "prefill_")
        if prompts is None:
            return "a division that contradicts itself"
        if prompts["attention_dp"] != whole["attention_dp"]:
            return "prompts and answers divided in two ways"
        made["inference.disaggregated"] = (
            f"{{prefill_tp: {prompts['tp']}, prefill_replicas: {number(row, 'prefill_num_workers')}, "
            f"decode_replicas: {number(row, 'decode_num_workers')}}}")
    return made


def is_own(row):
    """Whether AIConfigurator measured it."""
    return not row["measured"] and (row["isl"], row["osl"]) not in LENGTHS


def share_of_known_prompts(users):
    """The share of the requests that count whose prompt came before: each comes once in a hundred."""
    new = max(DIFFERENT_PROMPTS - WARM_UP * users, 0)
    return round(1 - min(new, OWN_REQUESTS * users) / (OWN_REQUESTS * users), 3)


def has_wide_cache(row, model):
    """Whether InferenceX' script leaves the cache in 16 bits."""
    begin, end = WIDE_CACHES.get((model, row["backend"], row["precision"]), ("9", ""))
    is_deepseek_elsewhere = model == "deepseek-r1" and row["system"] not in HOPPER
    return row["mode"] == "agg" and begin <= row["measured"] < end and not is_deepseek_elsewhere


def engine(row, model):
    """The engine of a row, with what its recipe sets."""
    name = ENGINES[row["backend"]]
    users, prompt = int(row["concurrency"]), int(row["isl"])
    if row["mode"] != "agg":
        return engine_with(name, {"max_graph_batch": max(users, GRAPHS_AT_LEAST), "graph_batches": "[]"})
    if is_own(row):
        return engine_with(name, own_keys(name, users, prompt))
    recipe = SGLANG_RECIPES.get((model.replace("-v3", "-r1"), row["system"], row["precision"]))
    if name == "sglang":
        few, many, tokens = recipe or (1, 1, None)
        fuses = (model.replace("-v3", "-r1"), row["system"]) in SGLANG_FUSES
        return engine_with(name, ({"receive_interval": many if users >= 16 else few, "max_tokens": tokens} if recipe
                                  else {}) | ({"fuses_all_reduce": "[hopper, blackwell]"} if fuses else {}))
    if name == "tensorrt-llm" and model in BALANCE_ITERATIONS:
        return engine_with(name, tensorrt_keys(row, model))
    return engine_with(name, vllm_keys(row, model)) if name == "vllm" else name


def vllm_keys(row, model):
    """Returns the keys that InferenceX' scripts set of vLLM, and its defaults then."""
    keys = {}
    if model in VLLM_TOKENS_OF_PROMPT:
        keys["max_tokens"] = VLLM_TOKENS_OF_PROMPT[model] * int(row["isl"])
    begin, tokens = VLLM_GRAPH_TOKENS.get(model, ("9", None))
    if row["measured"] >= begin:
        keys["prompt_graph_tokens"] = tokens
    if row["measured"] < VLLM_FUSES_FROM and row["system"] in HOPPER:
        keys["fuses_all_reduce"] = "[]"
    return keys


def tensorrt_keys(row, model):
    """Returns the keys that InferenceX' scripts set of TensorRT-LLM."""
    users, prompt = int(row["concurrency"]), int(row["isl"])
    least = 8192 if row["measured"] >= "2026" else 0
    keys = {"max_tokens": TENSORRT_TOKENS.get(model, max(least, (users + prompt + 127) // 64 * 64))}
    if keys["max_tokens"] < LARGEST_BATCH:
        keys["max_batch"] = users
    ranks = number(row, "attention_dp_size")
    if ranks > 1:
        keys["receive_interval"] = min(BALANCE_ITERATIONS[model], until_each_has_one(ranks, users, int(row["osl"])))
    elif waits_for_others(row, model):
        keys["receive_interval"] = 2 * BATCH_WAIT_ITERATIONS[model]
    if has_prompt_graphs(row, model):
        keys["prompt_graph_tokens"] = keys["max_tokens"]
    return keys


def waits_for_others(row, model):
    """Whether InferenceX' script lets prompts wait until they fill an iteration."""
    if (row["isl"], row["osl"]) != ("1024", "1024"):
        return False
    if model == "llama-3.1-70b":
        return number(row, "tp_size") < 8
    return int(row["concurrency"]) >= 64 and (row["system"], row["precision"]) == ("b200_sxm", "fp8")


def has_prompt_graphs(row, model):
    """Whether InferenceX' script of DeepSeek on B200 captures graphs of prompts (enable_piecewise_cuda_graph)."""
    lengths, users = (int(row["isl"]), int(row["osl"])), int(row["concurrency"])
    if not model.startswith("deepseek") or row["system"] != "b200_sxm":
        return False
    if row["precision"] == "fp4":
        return lengths == (1024, 1024) and number(row, "moe_ep_size") == 8
    return users >= 64 and lengths[1] == 1024 or 128 <= users < 256 and lengths[1] == 8192


def until_each_has_one(ranks, users, output_tokens):
    """Iterations in the mean until a request has ended on every rank, and a new one has taken its place: the ranks
    come in no order, and of so many users one ends every `output_tokens / users` iterations."""
    ended = ranks * sum(1 / rank for rank in range(1, ranks + 1))
    return max(1, round(ended * MEAN_LENGTH * output_tokens / users))


def own_keys(name, users, prompt):
    """Returns the keys that AIConfigurator's own runs set."""
    keys = {"max_tokens": own_tokens(name, users, prompt), "max_batch": users}
    if name != "sglang":
        keys["overlaps_host"] = "false"
    if name != "tensorrt-llm":
        keys |= {"max_graph_batch": users, "graph_batches": "[]"}
    return keys | ({"mixes_prompts": "true"} if name == "sglang" else {})


def own_tokens(name, users, prompt):
    """Tokens of an iteration in AIConfigurator's own runs; SGLang's are of prompts alone."""
    tokens = prompt + TOKENS_BESIDE_PROMPT + (0 if name == "sglang" else users)
    return -(-tokens // TOKENS_OF_BLOCK) * TOKENS_OF_BLOCK if name == "tensorrt-llm" else tokens


def engine_with(name, keys):
    if not keys:
        return name
    return "{" + ", ".join(f"{key}: {value}" for key, value in ({"model": name} | keys).items()) + "}"


def run_of(row):
    """Returns the columns that dated rows and copies of them without a date share."""
    return tuple(row[k] for k in ("model_path", "system", "backend", "backend_version", "precision", "mode"))


def slowest_of_drafting(rows):
    """Keeps one of rows that are alike but for the time of a token: models that may draft keep the slowest, which did
    not."""
    kept = {}
    for row, made in rows:
        key = tuple(sorted((k, str(v)) for k, v in made.items()))
        if made["inference.model"] not in DRAFTING:
            key += (row["backend_version"], row["measured"])
        before = kept.get(key)
        if before is None or float(row["silicon_tpot_ms"]) > float(before[0]["silicon_tpot_ms"]):
            kept[key] = (row, made)
    return list(kept.values())


def family(row, made):
    return (f"{made['inference.model']}/{row['system']}/{ENGINES[row['backend']]}/"
            f"{row['precision']}")


def half(name):
    return "open" if zlib.crc32(name.encode()) % 2 == 0 else "held"


def expressible(path):
    """Rows with their settings, and how many have none, by reason."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kept, left_out = [], collections.Counter()
    dated = {run_of(row) for row in rows if row["measured"]}
    for row in rows:
        is_copy = not row["measured"] and run_of(row) in dated
        made = "dated rows again, without their date" if is_copy else settings(row)
        if isinstance(made, str):
            left_out[made] += 1
        else:
            kept.append((row, made))
    return kept, left_out, len(rows)


HEAD = """# SPDX-License-Identifier: Apache-2.0
# Written by scripts/write_serving_latency.py, which says what each row is: of
# @TOTAL@ published rows @KEPT@ can be expressed, @UNIQUE@ of them different. Nothing was fitted to the families of
# `held`: those whose name (model/device/engine/format) has an odd CRC-32.
suite: serving-latency
description: Latencies of serving at a number of requests under way, as InferenceX measured them
not_covered:
@NOT_COVERED@
scenarios:
  users:
    name: InferenceX
    inference:
      model: llama-3.1-70b
      weights: fp8
      kv_cache: fp8
      prompt_tokens: 1024
      output_tokens: 1024
      tp: 8
      redundant_nodes: 0
      engine: vllm
      library: nccl-2.30
      load: {requests: 40, concurrency: 4, shortest: 0.8, replicas: 1}
    cluster:
      nodes: 1
      node: dgx-h100
      fabric: {topology: single_switch, switch: qm9700}

tables:
"""


def table_lines(group, quantity, output, rows, fixed, columns):
    lines = [f"  - group: {group}", f"    quantity: {quantity}",
             f'    source: "{SOURCE}"', "    role: validate", "    scenario: users",
             f"    set: [{', '.join(fixed)}]", f"    output: {output}",
             f"    columns: [{', '.join(columns)}]", "    rows:"]
    column = "silicon_ttft_ms" if quantity == "time_to_first_token" else "silicon_tpot_ms"
    short = "ttft" if quantity == "time_to_first_token" else "tpot"
    for name, row, made in rows:
        cells = ", ".join("null" if made.get(c) is None else
                          f'"{made[c]}"' if "{" in str(made[c]) else str(made[c]) for c in columns)
        lines.append(f"      - [{name}-{short}, {float(row[column]):g} ms, null, {cells}]")
    return lines


def named_families(unique):
    """Rows by family and whether prompts are apart, each with the start of its cases' ids."""
    families = collections.defaultdict(list)
    for row, made in unique:
        apart = made.get("inference.disaggregated")
        families[family(row, made), bool(apart)].append((row, made))
    count = collections.Counter()
    for (name, apart), members in sorted(families.items()):
        named = []
        for row, made in members:
            short = (f"{name.replace('/', '-')}-{row['isl']}-{row['osl']}-"
                     f"{'apart' if apart else 'tp'}{made['inference.tp']}-{row['concurrency']}")
            count[short] += 1
            named.append((short if count[short] == 1 else f"{short}-{count[short]}", row, made))
        yield name, apart, named


def main():
    path = sys.argv[1]
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else OUT
    kept, left_out, total = expressible(path)
    unique = slowest_of_drafting(kept)
    lines = []
    for name, apart, named in named_families(unique):
        members = [(row, made) for _, row, made in named]
        group = f"{half(name)} {name}" + (" apart" if apart else "")
        keys = sorted({key for _, made in members for key in made})
        values = {key: {str(made.get(key)) for _, made in members} for key in keys}
        fixed = [f'"{key}={members[0][1][key]}"' for key in keys
                 if len(values[key]) == 1 and members[0][1].get(key) is not None]
        fixed += [f'"cluster.nodes={NODES_APART[members[0][0]["system"]]}"'] if apart else []
        if apart:
            fixed += ['"inference.load.replicas=null"',
                      '"cluster.fabric={topology: rail_optimized, switch: qm9790}"']
        columns = [key for key in keys if len(values[key]) > 1]
        for quantity, output in (("time_to_first_token", "run.time_to_first_token.mean_s"),
                                 ("time_per_output_token", "run.time_per_output_token.mean_s")):
            lines += table_lines(group, quantity, output, named, fixed, columns)
    reasons = "\n".join(f'  - "{number} rows: {reason}"' for reason, number in sorted(left_out.items()))
    head = (HEAD.replace("@TOTAL@", f"{total:,}").replace("@KEPT@", f"{len(kept):,}")
            .replace("@UNIQUE@", f"{len(unique):,}").replace("@NOT_COVERED@", reasons))
    out.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(kept)} of {total} rows, {len(unique)} different; left out: {dict(left_out)}")


# Nodes that hold every division of prompts and answers apart.
NODES_APART = {system: 4 if system.startswith("gb") else 16 for system in NODES}

if __name__ == "__main__":
    main()
