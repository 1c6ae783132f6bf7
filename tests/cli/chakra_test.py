# SPDX-License-Identifier: Apache-2.0
"""`railwright simulate --chakra` read back by Google's protobuf. Usage: chakra_test.py RAILWRIGHT
REPOSITORY

The messages are those of the schema that mlc-chakra 1.0.0 publishes, written down here again.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter, defaultdict, deque
from functools import cache
from pathlib import Path

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError:
    print("no protobuf for Python (Debian's python3-protobuf): nothing was read back")
    sys.exit(77)

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
OK, BAD_INPUT, INFEASIBLE, INTERRUPTED = 0, 2, 3, 130
LOAD, STORE, COMPUTE, SEND, RECEIVE, COLLECTIVE = range(2, 8)
ALL_REDUCE, ALL_GATHER, ALL_TO_ALL, REDUCE_SCATTER = 0, 2, 6, 7
NORM_BYTES = 4


@cache
def message_classes():
    Field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(
        name="et_def.proto", package="ChakraProtoMsg", syntax="proto3")

    def message(name, *fields):
        made = file.message_type.add(name=name)
        for field, number, kind, repeated in fields:
            made.field.add(
                name=field, number=number,
                label=Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL,
                **({"type": kind} if isinstance(kind, int)
                   else {"type": Field.TYPE_MESSAGE, "type_name": f".ChakraProtoMsg.{kind}"}))

    message("AttributeProto", ("name", 1, Field.TYPE_STRING, False),
            ("doc_string", 2, Field.TYPE_STRING, False),
            ("double_val", 3, Field.TYPE_DOUBLE, False),
            ("int32_val", 7, Field.TYPE_INT32, False),
            ("int64_val", 9, Field.TYPE_INT64, False),
            ("uint32_val", 11, Field.TYPE_UINT32, False),
            ("uint64_val", 13, Field.TYPE_UINT64, False),
            ("bool_val", 27, Field.TYPE_BOOL, False),
            ("string_val", 29, Field.TYPE_STRING, False))
    file.message_type[0].oneof_decl.add(name="value")
    for field in file.message_type[0].field[2:]:
        field.oneof_index = 0
    message("GlobalMetadata", ("version", 1, Field.TYPE_STRING, False),
            ("attr", 2, "AttributeProto", True))
    message("Node", ("id", 1, Field.TYPE_UINT64, False),
            ("name", 2, Field.TYPE_STRING, False),
            ("type", 3, Field.TYPE_INT32, False),  # an enum in the schema: the same on the wire
            ("ctrl_deps", 4, Field.TYPE_UINT64, True),
            ("data_deps", 5, Field.TYPE_UINT64, True),
            ("start_time_micros", 6, Field.TYPE_UINT64, False),
            ("duration_micros", 7, Field.TYPE_UINT64, False),
            ("attr", 10, "AttributeProto", True))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    names = [f"ChakraProtoMsg.{m.name}" for m in file.message_type]
    if hasattr(message_factory, "GetMessageClass"):
        made = {n: message_factory.GetMessageClass(pool.FindMessageTypeByName(n)) for n in names}
    else:
        factory = message_factory.MessageFactory(pool)
        made = {n: factory.GetPrototype(pool.FindMessageTypeByName(n)) for n in names}
    return made["ChakraProtoMsg.GlobalMetadata"], made["ChakraProtoMsg.Node"]


def messages(data):
    """What stands behind each length."""
    at = 0
    while at < len(data):
        length = shift = 0
        while True:
            byte = data[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        assert at + length <= len(data)
        yield data[at:at + length]
        at += length


def values_of(attributes):
    return {a.name: getattr(a, a.WhichOneof("value")) for a in attributes}


class Trace:
    """The file of one rank."""

    def __init__(self, path):
        Metadata, Node = message_classes()
        first, *rest = messages(path.read_bytes())
        head = Metadata.FromString(first)
        self.version, self.about = head.version, values_of(head.attr)
        self.nodes = [Node.FromString(one) for one in rest]
        for message in [head, *self.nodes]:
            assert not message.FindInitializationErrors()
        self.attributes = [values_of(node.attr) for node in self.nodes]

    def all(self, *types):
        return [(n, a) for n, a in zip(self.nodes, self.attributes) if n.type in types]


def railwright(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=ROOT, capture_output=True,
                          timeout=300, check=False)


class Chakra(unittest.TestCase):
    two_directions = False

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "traces"

    def written(self, example, *settings):
        """The result, the ranks' traces and the groups."""
        # Traces hold what kernels take by themselves: who replays them slows them down.
        settings = ("software.overlap_slowdown=1", *settings)
        words = [word for setting in settings for word in ("--set", setting)]
        done = railwright("simulate", f"examples/{example}.yaml", *words, "--format", "json",
                          "--chakra", self.out, "--trace", self.folder / "trace.json")
        self.assertEqual(done.returncode, OK, done.stderr)
        result = json.loads(done.stdout)
        traces = [Trace(self.out / f"step.{rank}.et") for rank in range(result["num_accelerators"])]
        groups = json.loads((self.out / "comm_groups.json").read_text())
        self.assertEqual(len(list(self.out.iterdir())), len(traces) + 1)
        return result, traces, groups

    def check(self, result, traces, groups):
        self.check_graph(traces)
        self.check_transfers(traces)
        self.check_collectives(traces, groups)
        self.check_trace(traces, groups)
        self.check_time(result, traces, groups)

    def check_graph(self, traces):
        for rank, trace in enumerate(traces):
            self.assertEqual(trace.about["rank"], rank)
            for i, node in enumerate(trace.nodes):
                self.assertEqual(node.id, i)
                self.assertFalse(node.ctrl_deps)
                # Behind all that it waits for: there is no circle.
                self.assertTrue(all(0 <= one < i for one in node.data_deps), (rank, node))
                self.assertEqual(len(set(node.data_deps)), len(node.data_deps))
                self.assertFalse(trace.attributes[i]["is_cpu_op"])

    def check_transfers(self, traces):
        ends = {SEND: Counter(), RECEIVE: Counter()}
        for rank, trace in enumerate(traces):
            for node, values in trace.all(SEND, RECEIVE):
                here = values["comm_src" if node.type == SEND else "comm_dst"]
                self.assertEqual(here, rank)
                key = [values[k] for k in ("comm_src", "comm_dst", "comm_tag", "comm_size")]
                ends[node.type][tuple(key)] += 1
        self.assertEqual(ends[SEND], ends[RECEIVE])
        self.assertEqual(set(ends[SEND].values()) - {1}, set())  # a tag is used once

    def check_collectives(self, traces, groups):
        calls = defaultdict(list)
        for rank, trace in enumerate(traces):
            for node, values in trace.all(COLLECTIVE):
                self.assertIn(rank, groups[values["pg_name"]])
                calls[values["pg_name"], rank].append(
                    (node.name, values["comm_type"], values["comm_size"]))
        self.assertEqual({name for name, _ in calls}, set(groups))
        for name, ranks in groups.items():
            self.assertEqual(len(ranks), len(set(ranks)))
            self.assertGreater(len(ranks), 1)
            for rank in ranks:  # all call the same in the same order
                self.assertEqual(calls[name, rank], calls[name, ranks[0]], (name, rank))

    def check_trace(self, traces, groups):
        """Seconds of computation and bytes of each kind are those that --trace has of the rank's
        class, or of its stage where all of that take part."""
        events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
        stages = {e["pid"]: int(e["args"]["name"].split()[1]) for e in events
                  if e["name"] == "process_name" and e["args"]["name"].startswith("stage ")}
        seconds, of_class, of_stage = defaultdict(float), defaultdict(int), defaultdict(int)
        for event in events:
            if event.get("ph") != "X" or event["pid"] not in stages:
                continue
            if event["cat"] == "compute":
                seconds[event["pid"]] += 1e-6 * event["dur"]
                continue
            name, size = event["name"].replace(" ", "_"), event["args"]["bytes"]
            of_class[event["pid"], name] += size
            of_stage[stages[event["pid"]], name] += size
        for trace in traces:
            stage = trace.about["stage"]
            computed = sum(node.duration_micros for node, _ in trace.all(COMPUTE)
                           if node.name != "COMP_NODE_step_overhead")
            self.assertTrue(any(abs(computed - 1e6 * seconds[pid]) <= 1
                                for pid, of in stages.items() if of == stage))
            moved = self.buffers(trace, groups)
            for name in ("tensor_parallel", "expert_parallel", "context_parallel",
                         "pipeline_transfer"):
                self.assertTrue(any(abs(moved[name] - of_class[pid, name]) <= 1e-6 * moved[name]
                                    for pid, of in stages.items() if of == stage), name)
            for name in ("gradient_reduce", "parameter_gather"):
                if moved[name]:
                    holder = min(stage, self.mirrored(stage, stages.values()))
                    self.assertAlmostEqual(moved[name] / of_stage[holder, name], 1, delta=1e-6)

    def mirrored(self, stage, stages):
        return max(stages) - stage if self.two_directions else stage

    @staticmethod
    def buffers(trace, groups):
        """Bytes by what they are for, as `--trace` counts them: gathered ones whole, a reduction
        once, and a reduce-scatter with its all-gather as the all-reduce that they stand for."""
        moved = defaultdict(float)
        spread = any(v["comm_type"] == REDUCE_SCATTER and "gradient" in n.name
                     for n, v in trace.all(COLLECTIVE))
        for node, values in trace.all(COLLECTIVE, SEND, LOAD, STORE):
            name = node.name.split("_NODE_")[1]
            size, kind = values.get("comm_size", values.get("tensor_size")), values.get("comm_type")
            if kind == ALL_GATHER:
                size *= len(groups[values["pg_name"]])
            if name == "tensor_parallel" and kind in (ALL_GATHER, REDUCE_SCATTER):
                size /= 2
            if name == "gradient_reduce" and spread and kind == ALL_REDUCE:
                size = 0
            moved[name] += size
        return moved

    def check_time(self, result, traces, groups):
        """Who follows the files alone, each call for as long as they say, needs the step's time."""
        ends = [[None] * len(t.nodes) for t in traces]
        waiting = [[len(n.data_deps) for n in t.nodes] for t in traces]
        next_of = [defaultdict(list) for _ in traces]
        place = defaultdict(int)  # in the group's calls
        met, sent = defaultdict(dict), {}
        todo = deque()
        for rank, trace in enumerate(traces):
            for node in trace.nodes:
                for one in node.data_deps:
                    next_of[rank][one].append(node.id)
                if not node.data_deps:
                    todo.append((rank, node.id))

        def begin(rank, at):
            return max((ends[rank][one] for one in traces[rank].nodes[at].data_deps), default=0)

        def finish(rank, at, end):
            ends[rank][at] = end
            for one in next_of[rank][at]:
                waiting[rank][one] -= 1
                if waiting[rank][one] == 0:
                    todo.append((rank, one))

        while todo:
            rank, at = todo.popleft()
            node, values = traces[rank].nodes[at], traces[rank].attributes[at]
            if node.type == COLLECTIVE:
                key = (values["pg_name"], place[values["pg_name"], rank])
                place[values["pg_name"], rank] += 1
                met[key][rank] = at
                if len(met[key]) < len(groups[key[0]]):
                    continue
                start = max(begin(r, a) for r, a in met[key].items())
                for r, a in met[key].items():
                    finish(r, a, start + traces[r].nodes[a].duration_micros)
            elif node.type in (SEND, RECEIVE):
                key = (values["comm_src"], values["comm_dst"], values["comm_tag"])
                other = sent.setdefault(key, (rank, at, begin(rank, at)))
                if node.type == SEND:
                    finish(rank, at, begin(rank, at) + node.duration_micros)
                if other[:2] == (rank, at):
                    continue
                src, dst = ((rank, at), other[:2]) if node.type == SEND else (other[:2], (rank, at))
                finish(*dst, max(begin(*dst), ends[src[0]][src[1]]))
            else:
                finish(rank, at, begin(rank, at) + node.duration_micros)
        self.assertFalse([1 for of_rank in ends for end in of_rank if end is None])  # nobody waits
        self.assertAlmostEqual(1e-6 * max(max(e) for e in ends) / result["step_time_s"], 1,
                               delta=2e-3)

    # 8 accelerators = tp 2 x pp 2 x dp 2, two micro-batches a replica, two layers a stage.
    TINY = ("cluster.nodes=1", "workload.model.num_layers=4", "workload.global_batch=4",
            "parallelism.pp=2", "software.zero_stage=0", "software.bucket=1 TB",
            "software.scatter_pipeline=false", "software.overlap_gradient_reduce=false",
            "software.overlap_parameter_gather=false", "parallelism.sequence_parallel=false",
            "software.recompute=none", "software.step_overhead=0 s")

    def test_a_tiny_step_by_hand(self):
        result, traces, groups = self.written("neutral-llama-2-7b", *self.TINY)
        self.check(result, traces, groups)
        stream = 4096 * 4096 * 2  # positions x hidden size x bytes
        for trace in traces:
            stage = trace.about["stage"]
            # Two passes there and two back, and the optimizer.
            self.assertEqual(len(trace.all(COMPUTE)), 5)
            # An all-reduce behind each of two blocks of two layers, both ways, and one of the
            # embedding's forward or the head's backward pass, for two micro-batches.
            calls = Counter((n.name, v["comm_type"], v["comm_size"])
                            for n, v in trace.all(COLLECTIVE))
            self.assertEqual(calls.pop(("COMM_COLL_NODE_tensor_parallel", ALL_REDUCE, stream)),
                             2 * (2 * 2 * 2 + 1))
            self.assertEqual(calls.pop(("COMM_COLL_NODE_gradient_norm", ALL_REDUCE, NORM_BYTES)), 1)
            # Two layers of 4 h^2 + 3 h f + 2 h parameters, the vectors on both ranks; embedding or
            # head of 32,000 x h; the last norm. Gradients of two or four bytes.
            h, f = 4096, 11008
            parameters = (2 * ((4 * h * h + 3 * h * f) // 2 + 2 * h) + 32000 * h // 2
                          + (h if stage == 1 else 0))
            (name, kind, size), = calls
            self.assertEqual((name, kind), ("COMM_COLL_NODE_gradient_reduce", ALL_REDUCE))
            self.assertIn(size, (2 * parameters, 4 * parameters))
            # Activations one way, gradients the other.
            peers = {v["comm_dst"] for _, v in trace.all(SEND)}
            self.assertEqual(peers, {v["comm_src"] for _, v in trace.all(RECEIVE)})
            self.assertEqual([v["comm_size"] for _, v in trace.all(SEND, RECEIVE)], [stream] * 4)
            peer, = peers
            self.assertEqual(traces[peer].about["stage"], 1 - stage)
            self.assertEqual(traces[peer].about["tensor_rank"], trace.about["tensor_rank"])
            self.assertEqual(len(trace.nodes), 5 + 18 + 1 + 1 + 4)
        # tp is next to one another, then dp, then pp: pairs, pairs two apart in a half, all.
        self.assertEqual(sorted(map(tuple, groups.values())), sorted([
            (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), tuple(range(8))]))

    def test_zero_spreads_what_it_reduces(self):
        result, traces, groups = self.written("neutral-llama-2-7b", "workload.global_batch=16")
        self.check(result, traces, groups)
        kinds = {v["comm_type"] for n, v in traces[0].all(COLLECTIVE) if "gradient_red" in n.name}
        self.assertEqual(kinds, {REDUCE_SCATTER})

    def test_without_a_pipeline_times_are_those_of_the_breakdown(self):
        result, traces, groups = self.written("neutral-llama-2-7b", "workload.global_batch=16")
        of = result["breakdown"]
        kernels = sum(of[k] for k in ("matrix_products", "attention", "elementwise",
                                             "kernel_gaps"))
        self.assertGreater(kernels, 0)
        for trace in traces:
            micros = Counter()
            for node, _ in trace.all(COMPUTE):
                micros[node.name] += node.duration_micros
            self.assertAlmostEqual(1e-6 * micros["COMP_NODE_compute"], kernels, delta=2e-6)
            self.assertAlmostEqual(1e-6 * micros["COMP_NODE_optimizer"], of["optimizer"],
                                   delta=2e-6)
            self.assertAlmostEqual(1e-6 * micros["COMP_NODE_step_overhead"], of["overhead"],
                                   delta=2e-6)

    def test_interleaved_stages_and_sequence_parallelism(self):
        result, traces, groups = self.written(
            "llama-2-70b-six-nodes", "workload.global_batch=24", "parallelism.virtual_stages=5")
        self.check(result, traces, groups)
        kinds = {v["comm_type"] for n, v in traces[0].all(COLLECTIVE) if "tensor" in n.name}
        self.assertEqual(kinds, {REDUCE_SCATTER, ALL_GATHER})

    def test_experts_and_shared_sequences(self):
        result, traces, groups = self.written(
            "neutral-llama-2-7b", "workload.model=mixtral-8x7b", "workload.model.num_layers=4",
            "cluster.nodes=2", "parallelism.ep=2", "parallelism.cp=2", "parallelism.tp=2",
            "workload.global_batch=8", "parallelism.sequence_parallel=true")
        self.check(result, traces, groups)
        types = {(n.name, v["comm_type"]) for n, v in traces[0].all(COLLECTIVE)}
        self.assertIn(("COMM_COLL_NODE_expert_parallel", ALL_TO_ALL), types)
        self.assertIn(("COMM_COLL_NODE_context_parallel", ALL_GATHER), types)

    def test_layers_that_are_gathered_for_every_pass(self):
        result, traces, groups = self.written(
            "neutral-llama-2-7b", "workload.global_batch=16", "software.zero_stage=3",
            "workload.model.num_layers=4", "parallelism.zero_group=4")
        self.check(result, traces, groups)

    def test_two_directions(self):
        self.two_directions = True
        result, traces, groups = self.written(
            "neutral-llama-2-7b", "workload.model.num_layers=8", "workload.global_batch=32",
            "parallelism.pp=4", "parallelism.tp=1", "parallelism.schedule=dualpipe")
        self.check(result, traces, groups)

    def test_one_accelerator_calls_nobody(self):
        result, (trace,), groups = self.written(
            "neutral-llama-2-7b", "workload.model.num_layers=2", "workload.global_batch=2",
            "parallelism.tp=1", "cluster.nodes=1", "cluster.node.num_accelerators=1",
            "cluster.node.nics.count=1")
        self.assertEqual({n.type for n in trace.nodes}, {COMPUTE})
        self.assertEqual(groups, {})

    def test_alike_whatever_is_folded(self):
        first = self.written("neutral-llama-2-7b", *self.TINY)
        files = {p.name: p.read_bytes() for p in self.out.iterdir()}
        self.out = self.folder / "again"
        self.assertEqual(self.written("neutral-llama-2-7b", *self.TINY)[0], first[0])
        self.assertEqual({p.name: p.read_bytes() for p in self.out.iterdir()}, files)

    def refused(self, *arguments, code=BAD_INPUT):
        """What it says; nothing is written."""
        before = sorted(self.folder.rglob("*"))
        done = railwright("simulate", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return done.stderr.decode()

    def test_refusals_write_nothing(self):
        neutral = "examples/neutral-llama-2-7b.yaml"
        self.assertIn("no events", self.refused(neutral, "--estimate", "--chakra", self.out))
        self.assertIn("one training job", self.refused(
            "examples/three-jobs-one-powerscale.yaml", "--chakra", self.out))
        self.assertIn("than the 5000000 that are written", self.refused(
            "examples/llama3-405b-16384-h100.yaml", "--chakra", self.out))
        self.refused(neutral, "--set", "workload.model=llama-2-70b", "--chakra", self.out,
                     code=INFEASIBLE)
        self.assertIn("cannot be written", self.refused(
            neutral, "--chakra", self.folder / "no" / "such"))
        self.out.mkdir()
        (self.out / "mine").write_text("kept")
        self.assertIn("not empty", self.refused(neutral, "--chakra", self.out))
        self.assertIn("not a folder", self.refused(neutral, "--chakra", self.out / "mine"))

    def test_an_empty_folder_is_taken(self):
        self.out.mkdir()
        self.written("neutral-llama-2-7b", *self.TINY)

    def test_ctrl_c_leaves_nothing(self):
        for wait in (0.05, 0.3, 0.6, 0.9):
            with subprocess.Popen(
                    [PROGRAM, "simulate", "examples/llama-2-70b-six-nodes.yaml", "--set",
                     "workload.global_batch=480", "--chakra", str(self.out)], cwd=ROOT,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
                time.sleep(wait)
                program.send_signal(signal.SIGINT)
                code = program.wait(timeout=60)
            self.assertIn(code, (OK, INTERRUPTED, -signal.SIGINT))
            if code == OK:
                break
            self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
