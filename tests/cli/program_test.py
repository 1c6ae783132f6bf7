# SPDX-License-Identifier: Apache-2.0
"""The built program as its callers see it. Usage: program_test.py RAILWRIGHT REPOSITORY"""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pseudo_terminal
from program import BAD_INPUT, INFEASIBLE, INTERNAL, OK, PROGRAM, ROOT, Program, railwright

NEUTRAL = "examples/neutral-llama-2-7b.yaml"
NICS = "examples/xe9680-4-vs-8-nics.yaml"
JOBS = "examples/three-jobs-one-powerscale.yaml"
QUEUE = "examples/queue-month-2000-gpus.yaml"
COLLECTIVE = "examples/all-reduce-8-h100-nodes.yaml"
VERBS = ["simulate", "compare", "topology", "validate", "calibrate", "catalogue", "schema"]
POST_TRAINING = "examples/post-training-qwen3-8b.yaml"
TOO_BIG = ["simulate", NEUTRAL, "--set", "workload.model=llama-2-70b"]


class ProgressWithoutATerminal(unittest.TestCase):
    LONG = ["search", "examples/llama3-405b-16384-h100.yaml", "--top", "60", "--simulate", "60"]
    LINE = re.compile(r".+: \d+ of \d+.*; (nothing yet|so far: .+)\n")

    def test_plain_lines_and_the_best_so_far_after_ctrl_c(self):
        command = [PROGRAM, *self.LONG, "--progress", "plain"]
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as program:
            lines = []
            for line in program.stderr:
                lines.append(line)
                if "; so far: " in line:
                    program.send_signal(signal.SIGINT)
                    break
            rest = program.stderr.read()
            self.assertEqual(program.stdout.read(), "")
            self.assertEqual(program.wait(), 130)
        for line in lines:
            self.assertRegex(line, self.LINE)
        self.assertRegex(rest.splitlines()[-1], "^interrupted; so far: a step of .+ with .+=")

    def test_short_work_and_none_write_nothing(self):
        for style in ("auto", "none"):
            done = railwright("search", "examples/search-h20003-cluster.yaml", "--progress", style)
            self.assertEqual((done.returncode, done.stderr), (OK, ""))


class Calibrate(Program):
    REFUSED = ["calibrate", "examples/calibrate-refused.csv", "--scenario", NEUTRAL]
    LOG = ["calibrate", "examples/measured/megatron.log", "--scenario", NEUTRAL]

    def test_an_installation_that_meets_the_run_it_was_fitted_to(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "installations" / "my-site.yaml"
            out.parent.mkdir()
            fit = self.data(*self.LOG, "--out", str(out))
            site = ["--catalogue", folder, "--set", "installation=my-site"]
            result = self.data("simulate", NEUTRAL, *site)
            self.assertEqual([p.name for p in out.parent.iterdir()], ["my-site.yaml"])
        measured = fit["runs"][0]["measured_s"]
        self.assertAlmostEqual(result["step_time_s"] / measured, 1, delta=1e-3)
        self.assertLess(result["step_time_low_s"], measured)
        self.assertGreater(result["step_time_high_s"], measured)

    def test_a_refusal_is_a_result_and_writes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "site.yaml"
            fit = self.data(*self.REFUSED, "--out", str(out), code=INFEASIBLE)
            self.assertFalse(out.exists())
        self.assertTrue(fit["refused"])
        self.assertIn("would tell them apart", fit["advice"])
        self.assertTrue(self.data(*self.REFUSED, "--hold", "nic_efficiency")["factors"])

    def test_what_is_no_measurement(self):
        self.assertIn("neither a file nor a suite", self.bad("calibrate", "no-such.yaml"))
        self.assertIn("no measurements that are known", self.bad("calibrate", "LICENSE"))
        self.assertIn("--scenario", self.bad("calibrate", "examples/measured/megatron.log"))
        self.assertIn("not for a suite", self.bad("calibrate", "published", "--out", "x.yaml"))
        fio = ["calibrate", "examples/measured/fio-write.json"]
        self.assertIn("no place for storage", self.bad(*fio, "--out", "x.yaml"))
        self.assertEqual(len(self.data(*fio)["settings"]), 2)


class PostTraining(Program):
    SPLIT = ["--set", "post_training.offload_trainer=false", "--set", "post_training.rollout_nodes=2"]

    def test_parts_in_turn_add_up_to_the_step(self):
        result = self.data("simulate", POST_TRAINING)
        self.assertAlmostEqual(sum(result["breakdown"].values()), result["step_time_s"], delta=1e-9)
        self.assertEqual(result["num_steps"] * result["updates_per_step"], 2000)
        self.assertEqual(result["samples_per_step"], 2048)

    def test_parts_at_a_time_take_the_longer(self):
        stale = ["--set", "post_training.max_staleness=1"]
        result = self.data("simulate", POST_TRAINING, *self.SPLIT, *stale)
        parts = result["breakdown"]
        training = parts["log_probs_s"] + parts["reference_s"] + parts["update_s"]
        working = max(parts["rollout_s"] + parts["reward_s"], training)
        self.assertAlmostEqual(result["step_time_s"], working + parts["weights_s"], delta=1e-9)

    def test_the_answer_has_at_most_twelve_lines(self):
        for more in ([], self.SPLIT):
            lines = self.good("simulate", POST_TRAINING, *more).splitlines()
            self.assertLessEqual(len(lines), 12)
            self.assertIn("step time", lines[2])

    def test_what_does_not_fit_and_what_is_wrong(self):
        large = ["--set", "workload.model=qwen3-235b-a22b", "--set", "inference.model=qwen3-235b-a22b"]
        text = self.good("simulate", POST_TRAINING, *large, code=INFEASIBLE)
        self.assertIn("trainer: ", text)
        self.assertIn("rollout: ", text)
        wrong = ["--set", "post_training.max_staleness=1", "--set", "workload.global_batch=100"]
        said = self.bad("simulate", POST_TRAINING, *wrong)
        self.assertIn("post_training.max_staleness", said)
        self.assertIn("workload.global_batch", said)
        for verb in ("compare", "search", "size", "explain"):
            self.assertIn("describes post-training", self.bad(verb, POST_TRAINING))

    def test_a_sweep_over_nodes_that_generate(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "nodes.csv"
            vary = ["--vary", "post_training.rollout_nodes=2,3", "--vary", "post_training.max_staleness=0,1"]
            self.good("sweep", POST_TRAINING, *self.SPLIT[:2], *vary, "--out", str(out))
            with out.open() as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 4)
        times = [float(row["step_time_s"]) for row in rows]
        self.assertLess(times[1], times[0])
        self.assertLess(times[3], times[2])


class ExitCodes(Program):
    def test_feasible(self):
        self.assertIn("training time", self.good("simulate", NEUTRAL))

    def test_infeasible_is_a_result(self):
        self.assertIn("does not fit", self.good(*TOO_BIG, code=INFEASIBLE))
        result = self.data(*TOO_BIG, code=INFEASIBLE)
        self.assertFalse(result["feasible"])
        self.assertNotIn("step_time_s", result)
        self.assertIn("of its 79.6 GiB memory", result["infeasible"][0])

    def test_comparison_with_a_cell_that_does_not_fit(self):
        setting = "comparison.cases.0.set=[workload.model=llama-2-70b]"
        self.good("compare", NICS, "--no-assumptions", "--set", setting, code=INFEASIBLE)

    def test_every_problem_a_line(self):
        said = self.bad("simulate", NEUTRAL, "--set", "cluster.nodes=0", "--set", "parallelism.tq=2")
        self.assertEqual(
            said,
            "--set cluster.nodes=0: cluster.nodes: must be between 1 and 65536, got 0\n"
            "--set parallelism.tq=2: parallelism.tq: unknown key; did you mean 'tp'?\n",
        )

    def test_no_such_file(self):
        self.assertEqual(self.bad("simulate", "x.yaml"), "x.yaml: no such file\n")
        self.assertEqual(self.bad("compare", "docs"), "docs: a directory, not a file\n")

    def test_nothing_to_compare(self):
        self.assertIn("comparison: missing", self.bad("compare", NEUTRAL))

    def test_misuse(self):
        for arguments in [
            ["simulate"],
            ["simulate", NEUTRAL, "--fromat", "json"],
            ["simulate", NEUTRAL, "--format", "xml"],
            ["simulate", NEUTRAL, "another.yaml"],
            ["simulate", NEUTRAL, "--set"],
            ["catalogue"],
            ["catalogue", "show"],
            ["validate", "--suite"],
            ["schema", "--format", "text"],
        ]:
            with self.subTest(arguments):
                self.bad(*arguments)

    def test_misspelt_command(self):
        for words, near in [(["simulat", "x"], "simulate"), (["catalogue", "lst"], "list")]:
            self.assertEqual(
                self.bad(*words),
                f"railwright: there is no command '{words[-1] if near == 'list' else words[0]}'; "
                f"did you mean '{near}'?\n",
            )
        self.assertIn("known: simulate, compare", self.bad("frobnicate"))

    def test_a_simulation_that_cannot_go_on(self):
        slow = "software.checkpoint.serialization_rate=1e-9 B/s"
        often = "checkpoint.interval_steps=1"
        said = self.bad("simulate", NEUTRAL, "--set", slow, "--set", often, code=BAD_INPUT)
        self.assertTrue(said.startswith("railwright: the simulation cannot go on: "), said)


class Arguments(Program):
    def test_help(self):
        for words in [[], *[[verb] for verb in VERBS], ["catalogue", "list"], ["catalogue", "show"]]:
            with self.subTest(words):
                self.assertIn("Usage: railwright", self.good(*words, "--help"))

    def test_version(self):
        cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        (version,) = re.findall(r"project\(railwright VERSION (\d+\.\d+\.\d+) ", cmake)
        self.assertEqual(self.good("--version"), f"railwright {version}\n")

    def test_settings_before_the_file_and_in_order(self):
        several = ["--set", "cluster.nodes=8", "--set=cluster.nodes=4", "--set", "name=[a, b]"]
        self.assertIn("expected text, got a list", self.bad("simulate", *several, NEUTRAL))
        result = self.data("simulate", *several[:3], NEUTRAL)
        self.assertEqual(result["num_accelerators"], 32)

    def test_estimate(self):
        simulated = self.data("simulate", NEUTRAL)
        estimate = self.data("simulate", NEUTRAL, "--estimate")
        self.assertEqual((simulated["method"], estimate["method"]), ("simulate", "estimate"))
        self.assertAlmostEqual(estimate["step_time_s"] / simulated["step_time_s"], 1, delta=0.05)
        self.assertIn("(estimate, events within ", self.good("simulate", NEUTRAL, "--estimate"))


class Output(Program):
    def test_simulate(self):
        result = self.data("simulate", NEUTRAL)
        for key in [
            "step_time_s",
            "training_time_s",
            "tokens_per_s",
            "model_flops_utilization",
            "memory_per_accelerator_bytes",
            "feasible",
        ]:
            self.assertIn(key, result)
        for key in [
            "checkpoint_bytes",
            "checkpoint_time_s",
            "peak_write_bytes_per_s",
            "peak_read_bytes_per_s",
        ]:
            self.assertGreater(result["storage"][key], 0)
        # Three nodes of 61.44 TB, four of six units data.
        self.assertEqual(result["storage"]["raw_capacity_bytes"], 3 * 61.44e12)
        self.assertEqual(result["storage"]["usable_capacity_bytes"], 2 * 61.44e12)
        causes = sum(result["breakdown"].values())
        self.assertAlmostEqual(causes / result["step_time_s"], 1, delta=1e-9)

    def test_busiest_links(self):
        links = self.data("simulate", NEUTRAL)["busiest_links"]
        self.assertTrue(0 < len(links) <= 10)
        busy = [link["utilization"] for link in links]
        self.assertEqual(busy, sorted(busy, reverse=True))
        self.assertEqual(
            set(links[0]), {"name", "tier", "utilization", "bytes", "multiplicity"}
        )
        text = self.good("simulate", NEUTRAL, "--tables")
        for shown, link in enumerate(links):
            self.assertEqual(link["name"] in text, shown < 3, link)

    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "step.json")
            result = self.data("simulate", NEUTRAL, "--trace", str(file), "--set", "software.step_overhead=0 s")
            self.assertEqual(os.listdir(folder), ["step.json"])
            trace = json.loads(file.read_text(encoding="utf-8"))
            spans = [e for e in trace["traceEvents"] if e["ph"] == "X"]
            for of_run, time in ((False, "step_time_s"), (True, "training_time_s")):
                ends = [e["ts"] + e["dur"] for e in spans if (e["cat"] == "run") == of_run]
                self.assertAlmostEqual(max(ends) * 1e-6 / result[time], 1, delta=1e-9)
            file.unlink()
            self.bad("simulate", NEUTRAL, "--trace", str(file), "--estimate")
            self.good(*TOO_BIG, "--trace", str(file), "--load", str(file), code=INFEASIBLE)
            self.bad("simulate", COLLECTIVE, "--trace", str(file))
            self.bad("simulate", COLLECTIVE, "--load", str(file))
            self.assertEqual(os.listdir(folder), [])

    def test_pools_have_lines_of_their_own(self):
        pools = "examples/two-generations.yaml"
        said = self.good("simulate", pools)
        self.assertRegex(said, r"\nold +12 x xe9680-h100: [\d,]+ tokens/s, [\d.]+ kW, .* J a token, .* USD a million tokens")
        self.assertRegex(said, r"\nnew +6 x xe9680-b200: ")
        self.assertIn("pool new has 3: 3 too few", self.good("simulate", pools, "--set", "cluster.pools.1.nodes=3", code=INFEASIBLE))
        bill = self.data("topology", pools)
        self.assertEqual([pool["num_nodes"] for pool in bill["pools"]], [12, 6])
        self.assertEqual(bill["num_accelerators"], 144)
        self.assertIn("old leaf", [tier["tier"] for tier in bill["switches"]])

    def test_trace_of_several_jobs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "jobs.json")
            result = self.data("simulate", JOBS, "--trace", str(file))
            events = json.loads(file.read_text(encoding="utf-8"))["traceEvents"]
            names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
            for job in result["jobs"]:
                spans = [
                    e
                    for e in events
                    if e["ph"] == "X" and names[e["pid"]] == "run of " + job["name"]
                ]
                start = min(e["ts"] for e in spans)
                end = max(e["ts"] + e["dur"] for e in spans)
                self.assertAlmostEqual((end - start) * 1e-6 / job["training_time_s"], 1, delta=1e-9)
            self.assertTrue(any(e["ph"] == "C" and e["name"] == "read GB/s" for e in events))

    def test_load(self):
        with tempfile.TemporaryDirectory() as folder:
            csv_file, json_file = Path(folder, "load.csv"), Path(folder, "load.json")
            self.good("simulate", JOBS, "--load", str(csv_file))
            self.good("simulate", JOBS, "--load", str(json_file))
            with csv_file.open(encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
            columns = json.loads(json_file.read_text(encoding="utf-8"))
            self.assertEqual(list(rows[0]), list(columns))
            for name, values in columns.items():
                self.assertEqual([float(row[name]) for row in rows], values)
            self.assertGreater(max(columns["peak_node_read_bytes_per_s"]), 1e9)

    def test_jobs_of_a_queue(self):
        with tempfile.TemporaryDirectory() as folder:
            csv_file, json_file = Path(folder, "jobs.csv"), Path(folder, "jobs.json")
            few = (QUEUE, "--set", "queue.drawn.jobs=50")
            self.good("simulate", *few, "--jobs", str(csv_file))
            self.good("simulate", *few, "--jobs", str(json_file))
            with csv_file.open(encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
            columns = json.loads(json_file.read_text(encoding="utf-8"))
            self.assertEqual(len(rows), 50)
            self.assertEqual(list(rows[0]), list(columns))
            for name, values in columns.items():
                self.assertEqual([float(row[name]) for row in rows], values)
            csv_file.unlink()
            self.bad("simulate", NEUTRAL, "--jobs", str(csv_file))
            self.assertFalse(csv_file.exists())
            self.assertIn("--jobs FILE", self.good("simulate", *few, "--tables"))
            one = ("--set", "queue.drawn.jobs=1", "--tables")
            self.assertIn("on its nodes", self.good("simulate", QUEUE, *one))

    def test_compare(self):
        result = self.data("compare", NICS)
        self.assertTrue(result["rows"] and result["assumptions"])
        without = self.data("compare", NICS, "--no-assumptions")
        self.assertFalse(without.get("assumptions"))
        self.assertEqual(without["rows"], result["rows"])

    def test_twice_the_same(self):
        self.assertEqual(self.good("compare", NICS), self.good("compare", NICS))


class Report(Program):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.page = self.folder / "report.html"

    def inside(self):
        """The document that the page carries; no tag can begin in it."""
        page = self.page.read_text(encoding="utf-8")
        text = page.partition('id="document">')[2].partition("</script>")[0]
        self.assertNotIn("<", text)
        return json.loads(text)

    def test_the_page_carries_the_json_of_the_run(self):
        result = self.data("simulate", NEUTRAL, "--report", str(self.page))
        content = self.inside()
        self.assertEqual((content["verb"], content["document"]), ("simulate", result))
        plain = self.data("simulate", NEUTRAL)
        for of_trace in ("over_step", "step_swing_w", "step_ramp_w_per_s"):
            del result["power"][of_trace]
        # A page says itself what to try next.
        same = plain.keys() - {"storage", "try_next"}
        self.assertEqual({key: result[key] for key in same}, {key: plain[key] for key in same})
        self.assertEqual(os.listdir(self.folder), ["report.html"])

    def test_the_text_is_what_it_is_without(self):
        compare = ["compare", NEUTRAL, "--vary", "cluster.nodes=1,2", "--estimate"]
        self.assertEqual(self.good(*compare, "--report", str(self.page)), self.good(*compare))
        self.assertEqual(self.inside()["verb"], "compare")

    def test_a_design_that_does_not_fit_has_a_page(self):
        self.good(*TOO_BIG, "--report", str(self.page), code=INFEASIBLE)
        self.assertFalse(self.inside()["document"]["feasible"])

    def test_a_file_that_cannot_be_written(self):
        said = self.bad("simulate", NEUTRAL, "--estimate", "--report", "/nowhere/report.html")
        self.assertIn("--report /nowhere/report.html: cannot be written: No such file", said)
        self.bad("simulate", NEUTRAL, "--estimate", "--report", str(self.folder))
        self.assertEqual(os.listdir(self.folder), [])


class SideBySide(Program):
    def test_a_value_that_cannot_be_leaves_the_other_columns(self):
        vary = ["compare", NEUTRAL, "--estimate", "--vary", "parallelism.tp=4,3"]
        text = self.good(*vary, code=INFEASIBLE)
        self.assertIn("tp=4 alone fits", text)
        self.assertRegex(text, r"invalid +parallelism.tp=3: .*tp")
        good, bad = [one["result"] for one in self.data(*vary, code=INFEASIBLE)["designs"]]
        self.assertGreater(good["step_time_s"], 0)
        self.assertEqual(sorted(bad), ["feasible", "infeasible", "valid"])
        self.assertIn("parallelism.tp", self.bad("compare", NEUTRAL, "--vary", "parallelism.tp=5,3"))


class Search(Program):
    FILE = "examples/inference-llama-2-70b.yaml"

    def test_a_list_that_is_asked_for_is_printed(self):
        """However long it is; without being asked for, more than a screen needs --tables."""
        self.assertIn("the best:", self.good("search", self.FILE, "--top", "40"))
        self.assertIn("What no other one beats", self.good("search", self.FILE, "--front"))


class Topology(Program):
    TWO = "examples/two-qm9790-8-nodes.yaml"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_bill(self):
        self.assertRegex(self.good("topology", self.TWO), r"leaf +qm9790 +2 +64 +64 +0 ")
        self.assertEqual(self.data("topology", self.TWO)["ports_used"], 128)
        result = self.data("topology", self.TWO, "--set", "cluster.nodes=24", code=INFEASIBLE)
        self.assertIn("24 nodes x 8 NICs", result["shortfalls"][0]["what"])

    def test_drawing(self):
        dot, svg = self.folder / "fabric.dot", self.folder / "fabric.svg"
        self.good("topology", self.TWO, "--dot", str(dot), "--svg", str(svg))
        self.assertTrue(dot.read_text(encoding="utf-8").startswith("graph fabric {"))
        head = svg.read_text(encoding="utf-8")
        width = int(re.search(r'<svg width="(\d+)pt"', head).group(1))
        self.assertLessEqual(width, 1200)
        self.assertIn(">leaf 1<", head)
        self.assertEqual(sorted(os.listdir(self.folder)), ["fabric.dot", "fabric.svg"])

    def test_a_fabric_that_does_not_fit_says_so_in_its_picture(self):
        dot = self.folder / "fabric.dot"
        result = railwright("topology", self.TWO, "--set", "cluster.nodes=24", "--dot", str(dot))
        self.assertEqual(result.returncode, INFEASIBLE)
        self.assertRegex(dot.read_text(encoding="utf-8"), r'does not fit: 24 nodes .*; and 1 more"')

    def test_without_graphviz(self):
        svg = str(self.folder / "fabric.svg")
        result = railwright("topology", self.TWO, "--svg", svg, env={"PATH": "/nowhere"})
        self.assertEqual((result.returncode, result.stdout), (BAD_INPUT, ""))
        self.assertIn("install graphviz, or write the drawing's source with --dot", result.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_that_cannot_be_written(self):
        for option in ["--dot", "--svg"]:
            said = self.bad("topology", self.TWO, option, "/nowhere/fabric")
            self.assertIn(f"{option} /nowhere/fabric: cannot be written: No such file", said)
        said = self.bad("topology", self.TWO, "--dot", str(self.folder))
        self.assertIn("cannot be written: Is a directory", said)
        self.assertEqual(os.listdir(self.folder), [])


class Catalogue(Program):
    def test_list(self):
        nics = self.data("catalogue", "list", "nics")
        self.assertEqual(list(nics), ["nics"])
        self.assertIn("connectx-7", [entry["name"] for entry in nics["nics"]])
        self.assertIn("xe9680-h100", self.good("catalogue", "list"))
        self.assertIn("did you mean 'nics'?", self.bad("catalogue", "list", "nic"))

    def test_show(self):
        text = self.good("catalogue", "show", "connectx-7")
        self.assertRegex(text, r"line_rate +400 Gb/s +Dell H20003")
        self.assertRegex(text, r"power +25 W +estimate +vendor data sheet")
        values = self.data("catalogue", "show", "nics/connectx-7")["values"]
        self.assertEqual((values["line_rate"]["value"], values["line_rate"]["unit"]), (50e9, "B/s"))
        self.assertFalse(values["line_rate"]["estimate"])
        self.assertTrue(values["power"]["estimate"])

    def test_items_of_a_list_show_their_sources(self):
        values = self.data("catalogue", "show", "reliability/rsc-2")["values"]
        self.assertEqual(values["failures.0.component"]["value"], "node")
        mtbf = values["failures.0.mtbf"]
        self.assertAlmostEqual(1000 * 86400 / mtbf["value"], 2.34, places=3)
        self.assertIn("arXiv:2410.21680", mtbf["source"])
        self.assertTrue(mtbf["estimate"])

    def test_unknown_and_ambiguous(self):
        self.assertIn("did you mean 'connectx-7'?", self.bad("catalogue", "show", "conectx-7"))
        with tempfile.TemporaryDirectory() as folder:
            for kind, model in [("nics", "connectx-7"), ("switches", "qm9790")]:
                file = Path(folder, kind, "twin.yaml")
                file.parent.mkdir()
                file.write_text(f"model: {model}\nname: twin\nlatency: 1 us\n", encoding="utf-8")
            where = ["--catalogue", folder]
            said = self.bad("catalogue", "show", "twin", *where)
            self.assertEqual(said, "'twin' is in several kinds; say which: nics/twin, switches/twin\n")
            text = self.good("catalogue", "show", "nics/twin", *where)
            self.assertRegex(text, r"latency +1 us +\S+twin.yaml:3")
            self.assertRegex(text, r"line_rate +400 Gb/s +Dell")
            self.good("simulate", NEUTRAL, *where, "--set", "cluster.node.nics.nic=twin")
        self.assertIn("no such folder", self.bad("catalogue", "list", "--catalogue", "/nowhere"))


class Streams(Program):
    def on_terminal(self, **environment):
        settings = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        settings.update({"TERM": "xterm", **environment})
        words = [PROGRAM, "catalogue", "list"]
        text, code = pseudo_terminal.written(words, "stdout", cwd=ROOT, env=settings)
        self.assertEqual(code, OK)
        return text

    def test_colour(self):
        self.assertIn("\033[", self.on_terminal())
        self.assertNotIn("\033[", self.on_terminal(NO_COLOR="1"))
        self.assertNotIn("\033[", self.on_terminal(TERM="dumb"))
        self.assertNotIn("\033[", self.good("catalogue", "list"))

    def lost(self, stdout):
        result = railwright("schema", stdout=stdout)
        self.assertEqual(result.returncode, INTERNAL)
        self.assertIn("railwright: the result cannot be written: ", result.stderr)

    def test_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.lost(full)

    def test_reader_gone(self):
        ours, theirs = os.pipe()
        os.close(ours)
        result = railwright("schema", stdout=theirs)
        os.close(theirs)
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))

    def test_closed(self):
        result = subprocess.run(
            ["sh", "-c", 'exec "$0" --version >&-', PROGRAM], stderr=subprocess.PIPE, check=False
        )
        self.assertEqual(result.returncode, INTERNAL)
        self.assertIn(b"cannot be written", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
