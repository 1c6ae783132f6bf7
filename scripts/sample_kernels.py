#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the rows of validation/data/kernels from full tables of measured kernel times.

    scripts/sample_kernels.py TABLES validation/data/kernels --rows 600

TABLES has one folder per device with gzipped CSV files of the collectors of NVIDIA's AIConfigurator
(github ai-dynamo/aiconfigurator): gemm, quantize_computescale, quantize_scale_matrix and others.
The CRC-32 of a row's shape decides whether it is drawn, so that the same tables give the same rows.
`--rows` is the number for each device, kind and format; half of them have shapes of training.
"""
import argparse
import bisect
import csv
import gzip
import math
import zlib
from pathlib import Path

DEVICES = {"a100_sxm": "a100-sxm", "h100_sxm": "h100-sxm", "b200_sxm": "b200-sxm", "b300_sxm": "b300-sxm", "gb200": "gb200",
           "l40s": "l40s", "rtx_pro_6000_server": "rtx-pro-6000"}
FORMATS = {"bfloat16": "bf16", "fp8": "fp8", "fp8_block": "fp8_block", "nvfp4": "nvfp4"}


def read(path):
    with gzip.open(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


class Casts:
    """Milliseconds of a cast of an m x k matrix, interpolated between measured shapes in
    logarithms."""

    def __init__(self, path):
        self.times = {(int(r["m"]), int(r["k"])): float(r["ms"]) for r in read(path) if float(r["ms"]) > 0.0}
        self.rows = sorted({m for m, _ in self.times})
        self.columns = sorted({k for _, k in self.times})

    def nearest(self, m, k):
        def distance(at):
            return abs(math.log(at[0] / m)) + abs(math.log(at[1] / k))

        rows = self.around(self.rows, m)
        columns = self.around(self.columns, k)
        near = [(a, b) for a in rows for b in columns if (a, b) in self.times]
        return sorted(near or self.times, key=distance)[:4], distance

    @staticmethod
    def around(values, value):
        at = bisect.bisect_left(values, value)
        return values[max(0, at - 2) : at + 2]

    def time(self, m, k):
        if (m, k) in self.times:
            return self.times[m, k]
        near, distance = self.nearest(m, k)
        # Weights are inverse distances.
        weights = [1.0 / (distance(at) + 1e-9) for at in near]
        logs = [math.log(self.times[at]) for at in near]
        return math.exp(sum(w * x for w, x in zip(weights, logs)) / sum(weights))


def gemm_rows(folder):
    """Yields format, m, n, k and microseconds; for fp8 the product alone, without amax and input
    cast."""
    casts = []
    for kind in ("quantize_computescale", "quantize_scale_matrix"):
        if (folder / f"{kind}.csv.gz").exists():
            casts.append(Casts(folder / f"{kind}.csv.gz"))
    for row in read(folder / "gemm.csv.gz"):
        m, n, k = int(row["m"]), int(row["n"]), int(row["k"])
        ms = float(row["ms"])
        left = ms
        if row["gemm_dtype"] == "fp8":
            left -= sum(cast.time(m, k) for cast in casts)
            # A small difference of large times is only noise.
            if left < 0.3 * ms:
                continue
        yield [FORMATS[row["gemm_dtype"]], m, n, k, f"{left * 1e3:.5g}"]


def attention_rows(folder, kind):
    """Yields the rows of TensorRT-LLM, the engine with the most rows on each device."""
    names = {("bfloat16", "bfloat16"): "bf16", ("fp8", "fp8"): "fp8", ("bfloat16", "fp8"): "bf16_queries_fp8_cache"}
    for row in read(folder / f"{kind}.csv.gz"):
        if row["stack"] != "trtllm":
            continue
        name = names[row["attn_dtype"], row["kv_cache_dtype"]]
        if kind == "attention_decode":
            name = FORMATS[row["kv_cache_dtype"]]
        columns = ("batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim", "step")
        yield [name, *(int(row[c]) for c in columns), f"{float(row['ms']) * 1e3:.5g}"]


def latent_rows(folder, kind):
    for row in read(folder / f"{kind}.csv.gz"):
        columns = ("num_heads", "batch_size", "isl", "tp_size", "step")
        yield [FORMATS[row["kv_cache_dtype"]], *(int(row[c]) for c in columns), f"{float(row['ms']) * 1e3:.5g}"]


def experts_rows(folder):
    for row in read(folder / "moe.csv.gz"):
        if row["moe_dtype"] not in FORMATS:
            continue
        kernels = "_low_latency" if "min_latency" in row["kernel_source"] else ""
        columns = ("num_tokens", "hidden_size", "inter_size", "topk", "num_experts", "moe_tp_size", "moe_ep_size")
        yield [FORMATS[row["moe_dtype"]] + kernels, *(int(row[c]) for c in columns), row["distribution"],
               f"{float(row['ms']) * 1e3:.5g}"]


def cast_rows(folder):
    for kind, name in (("quantize_computescale", "amax"), ("quantize_scale_matrix", "cast")):
        for row in read(folder / f"{kind}.csv.gz"):
            if float(row["ms"]) > 0.0:
                yield [name, int(row["m"]), int(row["k"]), f"{float(row['ms']) * 1e3:.5g}"]


def exchange_rows(folder):
    """Yields DeepEP's throughput kernels, including the time to notify receivers of the sizes."""
    columns = ("node_num", "hidden_size", "num_token", "num_topk", "num_experts", "dispatch_sms", "combine_sms")
    for row in read(folder / "deepep_normal.csv.gz"):
        for name in ("dispatch", "combine"):
            time = float(row[f"{name}_transmit_us"]) + float(row[f"{name}_notify_us"])
            yield [name, *(int(row[c]) for c in columns), f"{time:.5g}"]


def low_latency_rows(folder):
    columns = ("node_num", "hidden_size", "num_token", "num_topk", "num_experts")
    for row in read(folder / "deepep_ll.csv.gz"):
        for name in ("dispatch", "combine"):
            yield [name, *(int(row[c]) for c in columns), f"{float(row[f'{name}_avg_t_us']):.5g}"]


def scale_up_rows(folder):
    """Yields the kernels in which each member writes to all others, with nvfp4 on the way out."""
    columns = ("moe_ep_size", "hidden_size", "num_tokens", "topk", "num_experts")
    for row in read(folder / "nvlink_alltoall.csv.gz"):
        if row["kernel_source"] == "NVLinkOneSided":
            name = row["op_name"].removeprefix("alltoall_")
            yield [name, *(int(row[c]) for c in columns), f"{float(row['ms']) * 1e3:.5g}"]


def direct_all_reduce_rows(folder):
    """Yields TensorRT-LLM's own kernels; message_size counts numbers of two bytes."""
    for row in read(folder / "custom_allreduce.csv.gz"):
        yield [FORMATS[row["allreduce_dtype"]], int(row["num_gpus"]), 2 * int(row["message_size"]),
               f"{float(row['ms']) * 1e3:.5g}"]


def state_rows(folder):
    """Yields the kernels of a state with the convolution before it, as SGLang runs them."""
    for table, kind in (("gdn", "gated_delta_net"), ("kda", "kimi_delta")):
        times = {}
        for row in read(folder / f"{table}.csv.gz"):
            if row["framework"] != "SGLang" or row["phase"] not in ("context", "generation"):
                continue
            name = kind + ("" if row["phase"] == "context" else "_decode")
            tokens = int(row["seq_len"]) if row["phase"] == "context" else 1
            key = (name, int(row["batch_size"]), tokens, int(row["num_k_heads"]), int(row["num_v_heads"]))
            part = "convolution" if "conv1d" in row["kernel_source"] else "state"
            known = times.setdefault(key, {})
            known[part] = min(known.get(part, math.inf), float(row["ms"]))
        for key, parts in sorted(times.items()):
            if len(parts) == 2:
                yield [*key, f"{sum(parts.values()) * 1e3:.5g}"]


# The engine of each table whose times are of kernels, not of a host that launches them one by one.
LAYERS = {"dsa_context_module": ("sparse", {"h100_sxm": "SGLang", "b200_sxm": "TRTLLM"}),
          "dsa_generation_module": ("sparse_decode", {"h100_sxm": "SGLang", "b200_sxm": "SGLang"}),
          "msa_context_module": ("block_sparse", {"h100_sxm": "SGLang", "b200_sxm": "SGLang"}),
          "msa_generation_module": ("block_sparse_decode", {"h100_sxm": "VLLM", "b200_sxm": "VLLM"}),
          "dsv4_csa_context_module": ("compressed_4", {"h100_sxm": "SGLang", "b200_sxm": "SGLang"}),
          "dsv4_csa_generation_module": ("compressed_4_decode", {"h100_sxm": "VLLM", "b200_sxm": "VLLM"}),
          "dsv4_hca_context_module": ("compressed_128", {"h100_sxm": "SGLang", "b200_sxm": "SGLang"}),
          "dsv4_hca_generation_module": ("compressed_128_decode", {"h100_sxm": "SGLang", "b200_sxm": "SGLang"})}
# Tables of engines whose host launches slower than the device computes.
SLOW_HOSTS = {("dsa_context_module", "h100_sxm"), ("msa_context_module", "h100_sxm"), ("msa_context_module", "b200_sxm")}
HIDDEN = {"DeepSeek-V3.2": 7168, "GLM-5": 6144, "V4-Flash": 4096, "V4-Pro": 7168, "MiniMax-M3": 6144}
WEIGHT_BYTES = {"bfloat16": 2, "fp8_block": 1, "fp8": 1, "nvfp4": 0.5}


def layer_rows(folder):
    """Yields whole layers of sparse and compressed attention."""
    for table, (name, engines) in LAYERS.items():
        times = {}
        for row in read(folder / f"{table}.csv.gz"):
            source = row["kernel_source"]
            slow = (table, folder.name) in SLOW_HOSTS
            if slow or row["framework"] != engines[folder.name] or "dense" in source or "skip" in source:
                continue
            hidden = next(width for word, width in HIDDEN.items() if word in row["model"])
            cache = 1 if "fp8" in row["kv_cache_dtype"] else 2
            tokens = 1 if name.endswith("decode") else int(row["isl"])
            key = (name, hidden, int(row["num_heads"]), int(row["batch_size"]), tokens, int(row["step"]),
                   WEIGHT_BYTES[row["gemm_type"]], cache)
            times[key] = min(times.get(key, math.inf), float(row["ms"]))
        for key, time in sorted(times.items()):
            yield [*key, f"{time * 1e3:.5g}"]


def is_training_shape(row):
    return row[1] >= 256 and row[2] >= 1024 and row[3] >= 1024


def draw(rows, count):
    """Draws `count` rows per format, half of them of training, by the CRC-32 of their shapes."""
    def order(row):
        return zlib.crc32(("draw," + ",".join(map(str, row[1:-1]))).encode())

    drawn = []
    for name in sorted({row[0] for row in rows}):
        of_format = sorted((row for row in rows if row[0] == name), key=order)
        training = [row for row in of_format if len(row) == 5 and is_training_shape(row)]
        others = [row for row in of_format if not (len(row) == 5 and is_training_shape(row))]
        half = count // 2 if training else 0
        drawn += sorted(training[:half] + others[: count - half], key=lambda row: [str(x).rjust(12) for x in row[1:-1]])
    return drawn


KINDS = {
    "gemm": (["m", "n", "k"], gemm_rows, "gemm"),
    "attention": (["batch", "tokens", "heads", "kv_heads", "head_dim", "cached"],
                  lambda folder: attention_rows(folder, "attention_prefill"), "attention_prefill"),
    "latent_attention": (["heads", "batch", "tokens", "tp", "cached"],
                         lambda folder: latent_rows(folder, "mla_context"), "mla_context"),
    "decode": (["batch", "tokens", "heads", "kv_heads", "head_dim", "cached"],
               lambda folder: attention_rows(folder, "attention_decode"), "attention_decode"),
    "latent_decode": (["heads", "batch", "tokens", "tp", "cached"],
                      lambda folder: latent_rows(folder, "mla_generation"), "mla_generation"),
    "experts": (["tokens", "hidden", "inter", "top_k", "experts", "tp", "ep", "distribution"], experts_rows, "moe"),
    "casts": (["m", "k"], cast_rows, "quantize_computescale"),
    "expert_exchange": (["nodes", "hidden", "tokens", "top_k", "experts", "dispatch_sms", "combine_sms"],
                        exchange_rows, "deepep_normal"),
    "low_latency_exchange": (["nodes", "hidden", "tokens", "top_k", "experts"], low_latency_rows, "deepep_ll"),
    "scale_up_exchange": (["members", "hidden", "tokens", "top_k", "experts"], scale_up_rows, "nvlink_alltoall"),
    "states": (["batch", "tokens", "key_heads", "value_heads"], state_rows, "gdn"),
    "attention_layers": (["hidden", "heads", "batch", "tokens", "cached", "weight_bytes", "cache_bytes"],
                         layer_rows, "dsa_context_module"),
    "direct_all_reduce": (["members", "bytes"], direct_all_reduce_rows, "custom_allreduce"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS))
    options = parser.parse_args()
    for folder, device in DEVICES.items():
        target = options.out / device
        target.mkdir(parents=True, exist_ok=True)
        for kind in options.kinds:
            columns, rows_of, file = KINDS[kind]
            if not (options.tables / folder / f"{file}.csv.gz").exists():
                continue
            with open(target / f"{kind}.csv", "w", newline="", encoding="utf-8") as out:
                writer = csv.writer(out, lineterminator="\n")
                writer.writerow(["format", *columns, "us"])
                writer.writerows(draw(list(rows_of(options.tables / folder)), options.rows))


if __name__ == "__main__":
    main()
