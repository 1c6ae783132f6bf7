#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the kernels of a training step on this machine's GPU, one by one, and writes tables that
`railwright validate kernels` and `railwright calibrate kernels` read.

    scripts/measure_kernels.py OUT --seconds 240

Needs PyTorch 2.10 or newer. Each kernel runs back to back, on other operands each time, for long
enough that clocks are those of a long run. Shapes come in random order, the same on each machine;
when the time is up, those that are left out are a random part of each kind. OUT gets a table
KIND.csv for each kind, and beside them launches.csv (a small kernel from the host and from a CUDA
graph), power.csv, layers.csv (a layer's kernels alone and together), host_copies.csv and device.txt.
"""
import argparse
import csv
import itertools
import time
import zlib
from pathlib import Path

import torch
import torch.nn.functional as F

BF16, FP8, FP32 = torch.bfloat16, torch.float8_e4m3fn, torch.float32
ATEN = torch.ops.aten
CACHE_BYTES = 256 << 20  # several times the L2 cache of any device: operands come from memory
MOST_MEMORY = 40 << 30  # kept of what kernels gave back
SETS = 64  # most sets of operands that take turns
TOKENS = (1024, 2048, 4096, 8192, 16384)

# Outputs and inputs of the products of Llama 3 8B, 70B and 405B, GPT-3 175B, DeepSeek-V3 and
# Qwen3 30B, whole and divided over ranks, and of their heads.
PRODUCTS = [
    (6144, 4096), (4096, 4096), (28672, 4096), (4096, 14336), (3072, 4096), (4096, 2048), (14336, 4096),
    (4096, 7168), (2560, 8192), (8192, 2048), (14336, 8192), (8192, 7168), (1280, 8192), (8192, 1024), (7168, 8192),
    (8192, 3584), (10240, 8192), (8192, 8192), (57344, 8192), (8192, 28672), (2304, 16384), (16384, 2048),
    (13312, 16384), (16384, 6656), (9216, 12288), (12288, 3072), (12288, 12288), (36864, 12288), (49152, 12288),
    (12288, 49152), (1536, 7168), (24576, 1536), (7168, 16384), (5120, 2048), (2048, 4096), (128256, 4096),
    (32064, 4096), (16032, 8192),
]
EXPERTS = [  # experts of a rank, outputs, inputs
    (8, 28672, 4096), (8, 4096, 14336), (4, 28672, 4096), (16, 1536, 2048), (16, 2048, 768), (64, 1536, 2048),
    (64, 2048, 768), (128, 1536, 2048), (8, 4096, 7168), (8, 7168, 2048), (32, 4096, 7168), (32, 7168, 2048),
    (4, 4096, 7168), (2, 28672, 6144), (16, 2816, 2048), (16, 2048, 1408),
]
LATENT = (192, 128)  # widths of queries and of values of DeepSeek's latent attention
HEADS = [(128, 32, 8), (128, 32, 32), (128, 16, 2), (128, 8, 1), (128, 12, 12), (64, 32, 32), (64, 16, 16),
         (192, 16, 16), (192, 128, 128)]  # width, heads, key heads
LENGTHS = (1024, 2048, 4096, 8192, 16384, 32768, 65536)
TOKENS_OF_EXPERT = (64, 128, 256, 512, 1024, 2048, 4096)


class Operands:
    """Random numbers in device memory, from which matrices are cut."""

    def __init__(self, elements=3 << 29):
        self.numbers = torch.empty(elements, dtype=BF16, device="cuda")
        for part in self.numbers.split(1 << 28):
            part.normal_()
        self.narrow = self.numbers[: elements // 4 * 3].to(FP8)
        self.next = 0

    def cut(self, *shape, narrow=False):
        numbers = self.narrow if narrow else self.numbers
        count = 1
        for length in shape:
            count *= length
        if self.next + count > numbers.numel():
            self.next = 0
        part = numbers[self.next : self.next + count].view(*shape)
        self.next += -(-count // 512) * 512
        return part


def time_of(calls, wanted):
    """Returns microseconds per call of the functions in `calls`, run in turn for some `wanted`
    seconds; short ones from a CUDA graph, where the host cannot hold them up."""
    for call in calls[:2]:
        call()
    first = timed(lambda: [call() for call in calls], 1)
    short = first / len(calls) < 300e-6
    run = (lambda: [call() for call in calls])
    if short:
        graph = torch.cuda.CUDAGraph()
        in_graph = calls * max(1, 40 // len(calls))
        with torch.cuda.graph(graph):
            for call in in_graph:
                call()
        run, calls = graph.replay, in_graph
        first = timed(run, 1)
    rounds = max(2, int(wanted / first))
    timed(run, max(1, rounds // 4))
    return timed(run, rounds) / rounds / len(calls) * 1e6


def timed(run, rounds):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    start.record()
    for _ in range(rounds):
        run()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) * 1e-3


def num_sets(bytes_of_set):
    return max(1, min(SETS, -(-CACHE_BYTES // bytes_of_set)))


# --- products


def product_calls(operands, shape, name):
    """Calls of a layer's product of m tokens, k inputs and n outputs, or of one of its gradients."""
    m, n, k = shape
    fp8 = name.startswith("fp8")
    calls = []
    scale = torch.ones((), device="cuda")
    for _ in range(num_sets((m * k + n * k + m * n) * (1 if fp8 else 2))):
        def cut(*of, narrow=fp8):
            return operands.cut(*of, narrow=narrow)

        if fp8:
            # fp8 products of Hopper take operands whose inner dimension is contiguous, so that a
            # stack transposes them: layouts do not differ.
            rows, columns, inner = {"fp8": (m, n, k), "fp8_input": (m, k, n), "fp8_weight": (n, k, m)}[name]
            a, b = cut(rows, inner), cut(columns, inner).t()
            # Transformer Engine sums gradients in more steps than the forward product.
            fast = "_" not in name
            calls.append(lambda a=a, b=b: torch._scaled_mm(a, b, scale, scale, out_dtype=BF16, use_fast_accum=fast))
        elif name == "bf16":
            x, w, y = cut(m, k), cut(n, k), torch.empty(m, n, dtype=BF16, device="cuda")
            calls.append(lambda x=x, w=w, y=y: torch.mm(x, w.t(), out=y))
        elif name == "bf16_input":
            dy, w, dx = cut(m, n), cut(n, k), torch.empty(m, k, dtype=BF16, device="cuda")
            calls.append(lambda dy=dy, w=w, dx=dx: torch.mm(dy, w, out=dx))
        elif name == "bf16_weight":
            dy, x, dw = cut(m, n), cut(m, k), torch.empty(n, k, dtype=BF16, device="cuda")
            calls.append(lambda dy=dy, x=x, dw=dw: torch.mm(dy.t(), x, out=dw))
        else:  # bf16_weight_sum: added to gradients in fp32 inside the product
            dy, x, dw = cut(m, n), cut(m, k), torch.zeros(n, k, dtype=FP32, device="cuda")
            calls.append(lambda dy=dy, x=x, dw=dw: ATEN.addmm.dtype_out(dw, dy.t(), x, FP32, out=dw))
    return calls


def product_rows():
    for (n, k), m in itertools.product(PRODUCTS, TOKENS):
        if m * n <= 1 << 30:
            for name in ("bf16", "bf16_input", "bf16_weight", "bf16_weight_sum", "fp8", "fp8_input", "fp8_weight"):
                yield ("gemm" if "_" not in name else "gradients"), name, (m, n, k), product_calls


# --- attention


def attention_calls(_, shape, name):
    batch, tokens, heads, kv_heads, width = shape
    q = torch.randn(batch, tokens, heads, width, dtype=BF16, device="cuda").transpose(1, 2)
    k = torch.randn(batch, tokens, kv_heads, width, dtype=BF16, device="cuda").transpose(1, 2)
    v_width = LATENT[1] if width == LATENT[0] else width
    v = torch.randn(batch, tokens, kv_heads, v_width, dtype=BF16, device="cuda").transpose(1, 2)
    if name.startswith("flash_2"):
        def forward():
            return ATEN._scaled_dot_product_flash_attention(q, k, v, 0.0, True)
    else:
        def forward():
            return ATEN._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, True)
    if name.endswith("forward"):
        return [forward]
    out, sums, ends_q, ends_k, longest_q, longest_k, seed, offset, _ = forward()
    gradient = torch.randn_like(out)
    if name.startswith("flash_2"):
        return [lambda: ATEN._scaled_dot_product_flash_attention_backward(
            gradient, q, k, v, out, sums, ends_q, ends_k, longest_q, longest_k, 0.0, True, seed, offset)]
    return [lambda: ATEN._scaled_dot_product_cudnn_attention_backward(
        gradient, q, k, v, out, sums, seed, offset, None, ends_q, ends_k, longest_q, longest_k, 0.0, True)]


def attention_rows():
    for (width, heads, kv), tokens, batch in itertools.product(HEADS, LENGTHS, (1, 4)):
        if batch > 1 and tokens not in (2048, 4096) or tokens * heads * width > 1 << 28:
            continue
        for name in ("flash_2_forward", "flash_2_backward", "native_forward", "native_backward"):
            if width != LATENT[0] or name.startswith("native"):
                yield "training_attention", name, (batch, tokens, heads, kv, width), attention_calls


# --- experts


def grouped_calls(operands, shape, name):
    tokens, experts, n, k = shape
    rows = tokens * experts
    ends = torch.arange(1, experts + 1, dtype=torch.int32, device="cuda") * tokens
    calls = []
    for _ in range(num_sets((rows * (n + k) + experts * n * k) * 2)):
        if name == "bf16":
            x, w = operands.cut(rows, k), operands.cut(experts, n, k)
            calls.append(lambda x=x, w=w: torch._grouped_mm(x, w.transpose(-2, -1), offs=ends))
        elif name == "bf16_input":
            dy, w = operands.cut(rows, n), operands.cut(experts, n, k)
            calls.append(lambda dy=dy, w=w: torch._grouped_mm(dy, w, offs=ends))
        else:
            dy, x = operands.cut(rows, n), operands.cut(rows, k)
            calls.append(lambda dy=dy, x=x: torch._grouped_mm(dy.t(), x, offs=ends))
    return calls


def grouped_rows():
    for (experts, n, k), tokens in itertools.product(EXPERTS, TOKENS_OF_EXPERT):
        if tokens * experts <= 1 << 16 and experts * n * k <= 1 << 30:
            for name in ("bf16", "bf16_input", "bf16_weight"):
                yield "grouped_products", name, (tokens, experts, n, k), grouped_calls


# --- kernels that memory bounds


def elementwise_calls(operands, shape, name):
    m, k = shape
    wide = name in ("sum_fp32", "adam", "zero_fp32", "norm_of_gradients")
    calls = []
    for _ in range(num_sets(m * k * (16 if wide else 4))):
        x, y = operands.cut(m, k), operands.cut(m, k)
        out = torch.empty_like(x)
        if name == "copy":
            call = lambda x=x, out=out: out.copy_(x)
        elif name == "sum":
            call = lambda x=x, y=y, out=out: torch.add(x, y, out=out)
        elif name == "sum_fp32":
            total = torch.zeros(m, k, dtype=FP32, device="cuda")
            call = lambda total=total, x=x: total.add_(x)
        elif name == "zero_fp32":
            total = torch.zeros(m, k, dtype=FP32, device="cuda")
            call = lambda total=total: total.zero_()
        elif name == "norm_of_gradients":
            total = torch.randn(m, k, dtype=FP32, device="cuda")
            call = lambda total=total: torch.linalg.vector_norm(total)
        elif name == "silu":
            call = lambda x=x: F.silu(x)
        elif name == "swiglu":
            call = lambda x=x, y=y: SWIGLU(x, y)
        elif name == "swiglu_gradient":
            z = operands.cut(m, k)
            call = lambda x=x, y=y, z=z: SWIGLU_GRADIENT(x, y, z)
        elif name == "gelu":
            call = lambda x=x: F.gelu(x, approximate="tanh")
        elif name == "cast_fp8":
            narrow = torch.empty(m, k, dtype=FP8, device="cuda")
            call = lambda x=x, narrow=narrow: narrow.copy_(x)
        elif name == "to_experts":  # rows picked in random order
            order = torch.randperm(m, device="cuda")
            call = lambda x=x, order=order, out=out: torch.index_select(x, 0, order, out=out)
        else:  # adam
            parameter, gradient, mean, variance = (torch.randn(m, k, dtype=FP32, device="cuda").abs_() for _ in range(4))
            step = torch.ones((), device="cuda")
            call = lambda p=parameter, g=gradient, a=mean, v=variance, step=step: torch._fused_adamw_(
                [p], [g], [a], [v], [], [step], lr=1e-9, beta1=0.9, beta2=0.95, weight_decay=0.1, eps=1e-8,
                amsgrad=False, maximize=False)
        calls.append(call)
    return calls


def swiglu(gate, up):
    return F.silu(gate.float()).to(gate.dtype) * up


def swiglu_gradient(gate, up, gradient):
    wide = gate.float()
    share = torch.sigmoid(wide)
    to_gate = gradient * up * share * (1 + wide * (1 - share))
    return to_gate.to(gate.dtype), (gradient * wide * share).to(gate.dtype)


SWIGLU = SWIGLU_GRADIENT = None


def elementwise_rows():
    tokens_widths = [(m, k) for m in (128, 512, 2048, 4096, 8192, 16384) for k in (2048, 4096, 8192, 14336)]
    for shape in tokens_widths:
        for name in ("copy", "sum", "sum_fp32", "zero_fp32", "norm_of_gradients", "silu", "swiglu",
                     "swiglu_gradient", "gelu", "cast_fp8", "to_experts", "adam"):
            yield "elementwise", name, shape, elementwise_calls


# --- copies to and from the host, and launches


def host_calls(_, shape, name):
    (size,) = shape
    host = torch.empty(size, dtype=torch.uint8, pin_memory=not name.startswith("pageable"))
    device = torch.empty(size, dtype=torch.uint8, device="cuda")
    if name.endswith("to_device"):
        return [lambda: device.copy_(host, non_blocking=True)] * 2
    if name.endswith("to_host"):
        return [lambda: host.copy_(device, non_blocking=True)] * 2
    back, from_device = torch.empty(size, dtype=torch.uint8, pin_memory=True), torch.empty_like(device)
    stream = torch.cuda.Stream()

    def both():
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            back.copy_(from_device, non_blocking=True)
        device.copy_(host, non_blocking=True)
        torch.cuda.current_stream().wait_stream(stream)

    return [both]


def host_rows():
    for size in (1 << 20, 1 << 23, 1 << 26, 1 << 29):
        for name in ("to_device", "to_host", "both_ways", "pageable_to_device", "pageable_to_host"):
            yield "host_copies", name, (size,), host_calls


def launches():
    """Yields names and microseconds for each kernel of many small ones, from the host and from a
    graph."""
    x, w = torch.zeros(64, device="cuda"), torch.zeros(64, 64, device="cuda", dtype=BF16)
    out = torch.empty_like(w)
    for name, call in (("add", lambda: x.add_(1.0)), ("product", lambda: torch.mm(w, w, out=out))):
        timed(call, 100)
        yield f"{name}_by_host", timed(call, 5000) / 5000 * 1e6
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(1000):
                call()
        timed(graph.replay, 1)
        yield f"{name}_in_graph", timed(graph.replay, 5) / 5000 * 1e6


# --- power


def power_rows(operands, seconds):
    """Yields name, W, MHz of the multiprocessors, degrees and microseconds a call, for kernels that
    run for `seconds`; power is averaged over the second half."""
    import pynvml

    pynvml.nvmlInit()
    handle = pynvml.nvmlDeviceGetHandleByIndex(0)
    zeros = torch.zeros(8192, 8192, dtype=BF16, device="cuda")
    out = torch.empty_like(zeros)
    big = (8192, 8192, 8192)
    long = (1, 16384, 32, 8, 128)
    kernels = [
        ("idle", None),
        ("gemm_bf16", product_calls(operands, big, "bf16")),
        ("gemm_bf16_zeros", [lambda: torch.mm(zeros, zeros, out=out)]),
        ("gemm_fp8", product_calls(operands, big, "fp8")),
        ("attention_forward", attention_calls(operands, long, "native_forward")),
        ("attention_backward", attention_calls(operands, long, "native_backward")),
        ("flash_2_backward", attention_calls(operands, long, "flash_2_backward")),
        ("copy", elementwise_calls(operands, (16384, 14336), "copy")),
        ("swiglu_gradient", elementwise_calls(operands, (8192, 14336), "swiglu_gradient")),
    ]
    for name, calls in kernels:
        watts, clocks = [], []
        burst = [] if calls is None else calls * max(1, 16 // len(calls))
        start = time.monotonic()
        torch.cuda.synchronize()
        while (now := time.monotonic() - start) < seconds:
            if calls is None:
                time.sleep(0.05)
            else:
                begun = time.monotonic()
                for call in burst:
                    call()
                torch.cuda.synchronize()
                last = (time.monotonic() - begun) / len(burst)
            if now > seconds / 2:
                watts.append(pynvml.nvmlDeviceGetPowerUsage(handle) / 1e3)
                clocks.append(pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM))
        degrees = pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU)
        yield (name, f"{sum(watts) / len(watts):.4g}", f"{sum(clocks) / len(clocks):.4g}", degrees,
               "" if calls is None else f"{last * 1e6:.5g}")


# --- layers


def layer_kernels(tokens, width, qkv, heads, kv_heads, inner, format):
    """Lists maker of calls, name and shape of the kernels of a gated layer, both passes, in running order."""
    from_heads = heads * 128
    products = [(tokens, qkv, width), (tokens, width, from_heads), (tokens, 2 * inner, width), (tokens, width, inner)]
    attention = (1, tokens, heads, kv_heads, 128)
    weight = "bf16_weight_sum" if format == "bf16" else f"{format}_weight"

    def gradients(product):
        return [(product_calls, f"{format}_input", product), (product_calls, weight, product)]

    def stream(name, columns=width):
        return (elementwise_calls, name, (tokens, columns))

    return [
        stream("silu"), (product_calls, format, products[0]), (attention_calls, "native_forward", attention),
        (product_calls, format, products[1]), stream("sum"), stream("silu"), (product_calls, format, products[2]),
        stream("swiglu", inner), (product_calls, format, products[3]), stream("sum"),
        *gradients(products[3]), stream("swiglu_gradient", inner), *gradients(products[2]), stream("sum"),
        *gradients(products[1]), (attention_calls, "native_backward", attention), *gradients(products[0]),
        stream("sum"), stream("sum"),
    ]


LAYERS = {
    "llama3_8b": (8192, 4096, 6144, 32, 8, 14336),
    "llama3_70b_tp4": (8192, 8192, 2560, 16, 2, 7168),
}


def layer_rows(operands, wanted, seconds):
    """Yields name, format, the sum of a layer's kernels timed alone and, over the second half of a
    run of `seconds`, the time of the layer; both in microseconds."""
    for (name, shape), format in itertools.product(LAYERS.items(), ("bf16", "fp8")):
        calls = [calls_of(operands, of, kernel)[0] for calls_of, kernel, of in layer_kernels(*shape, format)]
        alone = sum(time_of([call], wanted) for call in calls)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for call in calls:
                call()
        rounds = max(1, int(seconds / 2e-6 / alone))
        timed(graph.replay, rounds)
        yield name, format, f"{alone:.5g}", f"{timed(graph.replay, rounds) / rounds * 1e6:.5g}"


# --- tables

COLUMNS = {
    "gemm": ["m", "n", "k"],
    "gradients": ["m", "n", "k"],
    "training_attention": ["batch", "tokens", "heads", "kv_heads", "head_dim"],
    "grouped_products": ["tokens", "experts", "n", "k"],
    "elementwise": ["m", "k"],
    "host_copies": ["bytes"],
}
SOURCES = (product_rows, attention_rows, grouped_rows, elementwise_rows, host_rows)


class Tables:
    """A CSV file for each kind, written row by row so that a stopped run keeps what it has."""

    def __init__(self, out):
        self.out, self.files = out, {}

    def add(self, kind, columns, row):
        if kind not in self.files:
            self.files[kind] = open(self.out / f"{kind}.csv", "w", newline="", encoding="utf-8")
            csv.writer(self.files[kind], lineterminator="\n").writerow(columns)
        csv.writer(self.files[kind], lineterminator="\n").writerow(row)
        self.files[kind].flush()


def describe():
    device = torch.cuda.get_device_properties(0)
    return (f"{device.name}, {device.multi_processor_count} multiprocessors, {device.total_memory} bytes; "
            f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}\n")


def order(row):
    kind, name, shape, _ = row
    return zlib.crc32(f"{kind},{name},{','.join(map(str, shape))}".encode())


def compile_activations():
    global SWIGLU, SWIGLU_GRADIENT
    SWIGLU, SWIGLU_GRADIENT = torch.compile(swiglu, dynamic=True), torch.compile(swiglu_gradient, dynamic=True)
    x = torch.randn(256, 2048, dtype=BF16, device="cuda")
    SWIGLU(x, x)
    SWIGLU_GRADIENT(x, x, x)


def measure(rows, operands, tables, ends, wanted):
    failed = set()
    done = 0
    for kind, name, shape, calls_of in rows:
        if time.monotonic() > ends:
            break
        if (kind, name) in failed and done % 16:
            continue
        try:
            us = time_of(calls_of(operands, shape, name), wanted)
            tables.add(kind, ["format", *COLUMNS[kind], "us"], [name, *shape, f"{us:.5g}"])
        except Exception as error:  # a kernel that this PyTorch or device lacks; the others go on
            if (kind, name) not in failed:
                print(f"{kind} {name} {shape}: {type(error).__name__}: {str(error)[:300]}", flush=True)
            failed.add((kind, name))
            torch.cuda.synchronize()
        if torch.cuda.memory_reserved() > MOST_MEMORY:
            torch.cuda.empty_cache()
        done += 1
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=240.0, help="time of all measurements (240)")
    parser.add_argument("--kernel-seconds", type=float, default=0.04, help="time of one kernel (0.04)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "device.txt").write_text(describe(), encoding="utf-8")
    start = time.monotonic()
    ends = start + options.seconds
    operands, tables = Operands(), Tables(options.out)
    compile_activations()
    print(f"ready after {time.monotonic() - start:.0f} s", flush=True)

    for name, us in launches():
        tables.add("launches", ["format", "us"], [name, f"{us:.5g}"])
    for row in power_rows(operands, min(3.0, options.seconds / 60)):
        tables.add("power", ["format", "W", "MHz", "degrees_C", "us"], row)
    for row in layer_rows(operands, options.kernel_seconds, min(6.0, options.seconds / 40)):
        tables.add("layers", ["layer", "format", "alone_us", "layer_us"], row)
    print(f"power and layers after {time.monotonic() - start:.0f} s", flush=True)
    rows = sorted((row for source in SOURCES for row in source()), key=order)
    done = measure(rows, operands, tables, ends, options.kernel_seconds)
    print(f"{done} of {len(rows)} kernels in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
