# SPDX-License-Identifier: Apache-2.0
"""Questions without a file, what is chosen for them, and the first words of the program.

usage: question_test.py RAILWRIGHT REPOSITORY"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import INFEASIBLE, PROGRAM, Program, railwright

ASKED = ["simulate", "--model", "llama-3.1-70b", "--nodes", "48"]


class Questions(Program):
    def test_saved_scenario_gives_the_same_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "mine.yaml")
            asked = self.data(*ASKED, "--tokens", "1.5T", "--save", str(file))
            self.assertIn("chosen", asked)
            saved = self.data("simulate", str(file))
            self.assertNotIn("chosen", saved)
            self.assertEqual(saved["training_time_s"], asked["training_time_s"])
            self.assertIn("# chosen: ", file.read_text())
            piped = railwright("simulate", "-", "--format", "json", input=file.read_text())
            self.assertEqual(json.loads(piped.stdout)["training_time_s"], saved["training_time_s"])

    def test_choices_are_said_with_reasons(self):
        text = self.good(*ASKED)
        self.assertIn("fits: 48 x dgx-h100, 384 accelerators", text)
        chosen = text[text.index("chosen for you") :].splitlines()[1:]
        self.assertGreater(len(chosen), 4)
        for line in chosen:
            self.assertRegex(line, r"^  [a-z_.]+=.+  # .+")

    def test_settings_reach_a_question(self):
        told = self.data(*ASKED, "--set", "workload.sequence_length=4096")
        keys = [one["key"] for one in told["chosen"]]
        self.assertNotIn("workload.sequence_length", keys)

    def test_service_in_a_line(self):
        told = self.data("size", "--model", "llama-3.3-70b", "--users", "2000", "--tpot", "40ms")
        self.assertTrue(told["feasible"])
        self.assertLessEqual(told["time_per_output_token_s"], 0.04)

    def test_designs_side_by_side_without_a_file(self):
        asked = ["compare", "--model", "llama-2-7b", "--nodes", "4"]
        told = self.data(*asked, "--vary", "cluster.node.nics.count=4,8")
        self.assertEqual([one["name"] for one in told["designs"]], ["nics.count=4", "nics.count=8"])
        alone = self.data("simulate", *asked[1:], "--set", "cluster.node.nics.count=4")
        self.assertEqual(told["designs"][0]["result"]["step_time_s"], alone["step_time_s"])
        self.assertIn("give --vary", self.bad(*asked))

    def test_each_design_has_what_suits_it(self):
        told = self.data("compare", "--model", "llama-3.1-70b", "--vary", "cluster.nodes=2,16")
        reasons = [one["why"] for one in told["chosen"] if one["key"] == "parallelism"]
        self.assertEqual(len(reasons), 2)
        self.assertTrue(reasons[0].startswith("for cluster.nodes=2: "))
        self.assertEqual([one["key"] for one in told["chosen"]].count("software"), 1)
        self.assertTrue(all(one["result"]["feasible"] for one in told["designs"]))

    def test_numbers_as_people_write_them(self):
        asked = ["simulate", "--model", "llama-2-7b", "--nodes", "2", "--tokens"]
        steps = {self.data(*asked, tokens)["training_time_s"] for tokens in ("1.5T", "1.5 T", "1.5 trillion", "1,500,000,000,000")}
        self.assertEqual(len(steps), 1)

    def test_keys_of_a_stack_and_a_fabric_that_nobody_named(self):
        asked = ["simulate", "--model", "llama-3.1-8b", "--nodes", "2"]
        fp8 = self.data(*asked, "--set", "software.precision=fp8")
        self.assertLess(fp8["step_time_s"], self.data(*asked)["step_time_s"])
        self.assertIn("software.model", [one["key"] for one in fp8["chosen"]])
        thin = self.data(*asked, "--set", "cluster.fabric.oversubscription=2")
        self.assertIn("cluster.fabric.switch", [one["key"] for one in thin["chosen"]])

    def test_a_diagnosis_says_what_it_took_the_run_to_be(self):
        asked = ["diagnose", "--model", "llama-2-7b", "--nodes", "2", "--measured", "9s"]
        self.assertIn("only if         your run has the values that were chosen below for software, workload", self.good(*asked))
        own = self.good("diagnose", "examples/neutral-llama-2-7b.yaml", "--measured", "5s")
        self.assertNotIn("only if", own)

    def test_fabric_without_a_file(self):
        told = self.data("topology", "--node", "dgx-h100", "--nodes", "32")
        self.assertEqual(told["num_nodes"], 32)
        self.assertEqual([one["key"] for one in told["chosen"]], ["cluster.fabric"])
        self.assertIn("--nodes N", self.bad("topology", "--node", "dgx-h100"))

    def test_mistakes_name_the_word(self):
        self.assertIn("write days or weeks", self.bad("size", "--model", "llama-2-7b", "--tokens", "1T", "--deadline", "3mo"))
        shown = self.bad("catalogue", "show", "gb2000x")
        self.assertLess(len(shown), 400)
        self.assertIn("--tokens nonsense", self.bad("size", "--model", "llama-2-7b", "--tokens", "nonsense", "--deadline", "6w"))
        self.assertIn("did you mean", self.bad("simulate", "--model", "lama-2-7b", "--nodes", "2"))
        self.assertIn("--model NAME", self.bad("simulate"))
        self.assertIn("--nodes N or --gpus N", self.bad("simulate", "--model", "llama-2-7b"))
        for model in ("llama3-70b", "meta-llama/Llama-3.3-70B-Instruct", "llama 70b"):
            self.assertIn("did you mean 'llama-3.3-70b'?", self.bad("simulate", "--model", model, "--nodes", "2"))
        self.assertIn("with that in their name: mpt-70b, llama-2-70b, ", self.bad("simulate", "--model", "70b", "--nodes", "2"))
        for node in ("xe9680", "h100"):
            said = self.bad("topology", "--node", node, "--nodes", "2")
            self.assertNotIn("did you mean", said)
            self.assertIn("xe9680-h100", said)
        self.assertNotIn("in their name", self.bad("simulate", "--model", "Llama-3.1-70B", "--nodes", "2"))
        self.assertIn("dgx-h100", self.bad("topology", "--node", "H100", "--nodes", "2"))
        few = ("simulate", "--model", "llama-2-7b")
        self.assertIn("dgx-h100 has 8 accelerators: name 8,", self.bad(*few, "--gpus", "4"))
        self.assertIn("8 or 16 fill nodes", self.bad(*few, "--gpus", "12"))
        for tokens in ("fifteen trillion", "1,5T", "-5"):
            self.assertIn("expected a number of tokens", self.bad(*few, "--nodes", "2", "--tokens", tokens))
        for deadline, says in [("tomorrow", "such as 6w or 42d"), ("30", "has no unit: write 30d or 30w"), ("2020-01-01", "is not after today")]:
            self.assertIn(says, self.bad("size", "--model", "llama-2-7b", "--tokens", "1T", "--deadline", deadline))
        self.assertIn("has no unit: write 40ms or 40s", self.bad("size", "--model", "llama-3.3-70b", "--users", "9", "--tpot", "40"))
        self.assertIn("--deadline 6w", self.bad("size", "--model", "llama-2-7b", "--tokens", "1T"))
        self.assertIn("write `--set parallelism.tp=8`", self.bad(*few, "--nodes", "2", "--tp", "8"))
        self.assertIn("write `--deadline 42d`", self.bad("size", "--model", "llama-2-7b", "--tokens", "1T", "--days", "42"))
        self.assertIn("inference.prompt_tokens=1500", self.bad("size", "--model", "llama-3.3-70b", "--users", "9", "--prompt", "1500"))
        self.assertIn("cluster.storage={node: powerscale-f710", self.bad(*few, "--nodes", "2", "--storage", "powerscale-f710"))
        self.assertIn("examples/three-teams-as-loads.yaml", self.bad("size", "--writes", "1 TB every 30 min"))
        for guess in ("--step", "--step-time"):
            self.assertIn("write `--measured 25.3s`", self.bad("diagnose", *few[1:], "--nodes", "2", guess, "10.5s"))
        self.assertIn("has no unit: write 10.5s or 10.5ms", self.bad("diagnose", *few[1:], "--nodes", "2", "--measured", "10.5"))
        self.assertIn("--save my.yaml", self.bad("sweep", "--model", "llama-2-7b"))
        for loose in (["--tokens", "1.5", "trillion", "--deadline", "6w"], ["--tokens", "1.5T", "--deadline", "6", "weeks"]):
            self.assertIn(f"{loose[2 if loose[2] == 'trillion' else 4]}: is the unit of a value", self.bad("size", "--model", "llama-2-7b", *loose))
        for called, meant in [("queue", "simulate"), ("why", "diagnose"), ("train", "size")]:
            self.assertIn(f"did you mean '{meant}'?", self.bad(called))
        self.assertIn("write `--requests-per-s 33`", self.bad("size", "--model", "llama-3.3-70b", "--rps", "30"))
        self.assertIn("leave --nodes and --gpus out", self.bad("size", "--model", "llama-2-7b", "--tokens", "1T", "--deadline", "6w", "--gpus", "64"))
        self.assertIn("one of list, show", self.bad("catalogue"))
        self.assertIn("railwright check: FILE is missing", self.bad("check"))
        self.assertIn("did you mean 'accelerators'?", self.bad("catalogue", "list", "gpus"))
        self.assertIn("did you mean '--version'?", self.bad("--vrsion"))
        self.assertIn("did you mean '--set'?", self.bad("simulate", "x.yaml", "--sett", "a=1"))
        self.assertIn("`railwright size --help` lists them", self.bad("size", "x.yaml", "--zzzzzzzz"))
        self.assertIn("--out TABLE is missing: Output file", self.bad("sweep", "x.yaml"))
        self.assertNotIn("bert-large", self.bad("simulate", "--model", "llama-3-70b", "--nodes", "2"))


class FourUsers(Program):
    """What four kinds of people type first, and what they must read without scrolling."""

    def first_screen(self, *arguments):
        return "\n".join(self.good(*arguments).splitlines()[:24])

    def test_architect_has_a_cluster_and_a_service(self):
        seen = self.first_screen("size", "--model", "llama-3.1-70b", "--tokens", "1.5T", "--deadline", "6w")
        self.assertRegex(seen, r"verdict +\d+ x dgx-h100 train in [\d.]+ d and draw \d+ kW")
        self.assertRegex(seen, r"with +\d+ x connectx-7, \d+ x qm9700")
        self.assertRegex(seen, r"deadline +42.0 d is met with a chance of \d+ %")
        seen = self.first_screen(
            "size", "--model", "llama-3.3-70b", "--users", "2000", "--ttft", "1s", "--tpot", "40ms"
        )
        self.assertRegex(seen, r"verdict +\d+ x dgx-h100 answer 33.3 requests/s: ")
        self.assertRegex(seen, r"with +\d+ x connectx-7, ")
        self.assertRegex(seen, r"power +[\d.]+ kW")
        self.assertNotIn("max_batch limits", seen)

    def test_platform_engineer_learns_why_a_run_is_slow(self):
        seen = self.first_screen("diagnose", "--model", "llama-3.1-70b", "--nodes", "48", "--measured", "10s")
        self.assertRegex(seen, r"verdict +slower than predicted, within the spread of sites: 10.0 s measured")
        self.assertRegex(seen, r"it may be +.+: [\d.]+ s, plausibility \d+ %")

    def test_storage_administrator_learns_how_many_nodes_would_do(self):
        teams = "examples/three-jobs-one-powerscale.yaml"
        nodes = ("--set", "cluster.storage.count=8", "--set", "run.targets={checkpoint_stall: 0.2}")
        seen = self.first_screen("simulate", teams, *nodes)
        self.assertRegex(seen, r"verdict +8 x powerscale-\w+ carry 3 jobs; \d+ would do")
        self.assertRegex(self.first_screen("size", teams, *nodes), r"verdict +\d+ x powerscale-\w+ carry 3 jobs")
        seen = self.first_screen("simulate", teams, "--set", "run.targets={checkpoint_stall: 0.05}")
        self.assertRegex(seen, r"verdict +3 x powerscale-\w+ miss the target of checkpoint stall for 3 jobs")

    def test_storage_administrator_knows_only_loads(self):
        teams = "examples/three-teams-as-loads.yaml"
        seen = self.first_screen("simulate", teams)
        self.assertRegex(seen, r"verdict +12 x powerscale-f710 carry 3 jobs; \d+ would do \(\d+ to \d+: write rate")
        self.assertRegex(seen, r"writes +team A: 1.00 TB every 30.0 min take [\d.]+ s, [\d.]+ % of its time")
        for word in ("training", "software", "a step", "try next"):
            self.assertNotIn(word, seen)
        self.assertRegex(self.first_screen("size", teams), r"verdict +\d+ x powerscale-f710 carry 3 jobs")
        told = self.data("simulate", teams)
        self.assertEqual(sorted(told["jobs"][2]), ["load", "name"])
        self.assertAlmostEqual(told["jobs"][2]["load"]["share_read"], 1.0, 3)
        self.assertEqual(told["storage"]["num_nodes"], 12)
        many = ("--set", "jobs.2.load.read=400 GB/s", "--set", "run.targets=null")
        self.assertRegex(self.first_screen("simulate", teams, *many), r"verdict +12 x powerscale-f710 are too few for 3 jobs")

    def test_data_scientist_finds_the_same_in_json(self):
        told = self.data("simulate", "--model", "llama-2-7b", "--nodes", "2")
        self.assertGreater(told["training_time_s"], 0.0)
        self.assertIn("try_next", told)
        self.assertIn("basis", told)


# Of each line of an answer the keys that say the same in JSON.
TRAINING = {
    "verdict": "feasible num_accelerators", "training time": "training_time_s", "80 % interval": "step_time_low_s step_time_high_s",
    "step time": "step_time_s tokens_per_s model_flops_utilization", "time goes into": "breakdown", "memory": "memory_per_accelerator_bytes",
    "try next": "try_next", "not stated": "unstated", "trust": "basis",
}
SERVICE = {
    "verdict": "num_nodes num_replicas num_accelerators", "with": "parts", "latency": "time_to_first_token_s time_per_output_token_s",
    "80 % interval": "node_tokens_per_s_low num_nodes_high", "throughput": "node_tokens_per_s", "limit": "limit largest_batch",
    "power": "power", "memory": "memory", "try next": "try_next", "sized by": "settings", "smaller": "smaller", "hangs on": "hangs_on",
}
JOBS = {
    "verdict": "storage.num_nodes storage.node num_jobs", "training time": "jobs.0.training_time_s", "80 % interval": "jobs.0.step_time_low",
    "slowed by": "max_slowdown", "storage": "storage.max_used_bytes", "try next": "try_next", "hangs on": "hangs_on",
    "measure it by": "hangs_on.0.measure_by", "sized by": "settings", "smaller": "smaller", "writes": "jobs.0.load.write_time_s jobs.0.load.every_s",
}
TOPOLOGY = {
    "fabric": "topology num_nodes num_accelerators", "scale-out ports": "ports_used ports_free", "oversubscription": "oversubscription",
    "bisection": "bisection_bytes_per_s", "network gear": "rack_units power_w", "all together": "total_rack_units total_power_w",
}
SAYS = [
    ("simulate examples/neutral-llama-2-7b.yaml", TRAINING),
    ("simulate examples/inference-llama-2-70b.yaml", SERVICE),
    ("size examples/inference-llama-2-70b.yaml", SERVICE),
    ("simulate examples/three-jobs-one-powerscale.yaml", JOBS),
    ("simulate examples/three-teams-as-loads.yaml", JOBS),
    ("size examples/three-teams-as-loads.yaml", JOBS),
    ("simulate examples/all-reduce-8-h100-nodes.yaml", {
        "verdict": "op size_bytes num_ranks", "time": "time_s latency_s", "80 % interval": "", "bus bandwidth": "bus_bandwidth_bytes_per_s",
        "algorithm": "algorithm protocol num_channels", "limit": "busiest_links", "try next": "try_next"}),
    ("simulate examples/post-training-qwen3-8b.yaml", {
        "verdict": "samples_per_step num_accelerators", "step time": "step_time_s total_time_s num_steps", "80 % interval": "", "parts": "breakdown",
        "limit": "limit", "idle": "idle_fraction", "tail": "tail_s", "generated": "output_tokens_per_s", "power": "mean_power_w",
        "trainer": "trainer_memory_bytes"}),
    ("compare examples/neutral-llama-2-7b.yaml --vary cluster.node.nics.count=4,8", {
        "verdict": "difference.fastest difference.saving", "80 % interval": "difference.saving_low difference.saving_high",
        "parts": "designs.0.result.parts"}),
    ("search examples/neutral-llama-2-7b.yaml --top 1", {
        "verdict": "best", "gain": "own", "80 % interval": "step_time_low", "memory": "memory_capacity_bytes", "tried": "counts", "trust": "basis"}),
    ("explain examples/neutral-llama-2-7b.yaml", {
        "verdict": "breakdown", "helps most": "elasticities", "then": "next_limit", "outages": "outages"}),
    ("diagnose examples/neutral-llama-2-7b.yaml --measured 5s", {
        "verdict": "measured_s predicted_s", "80 % interval": "low_s high_s inside", "it may be": "reasons unexplained",
        "look at": "reasons.0.causes.0.check", "plausibility": "reasons.0.causes.0.prior"}),
    ("size --model llama-2-7b --tokens 10B --deadline 1w", {
        "verdict": "chosen sized.0.num_nodes", "80 % interval": "sized.0.result.step_time_low_s", "with": "sized.0.result.parts",
        "deadline": "sized.0.deadline_probability", "failures": "sized.0.result.run", "decided by": "sized.0.binds",
        "one less": "sized.0.steps_down", "memory": "sized.0.result.memory", "trust": "sized.0.result.basis"}),
    ("simulate examples/queue-month-2000-gpus.yaml", {
        "verdict": "num_jobs num_accelerators duration_s", "wait": "wait_mean_s wait_p90_s", "80 % interval": "",
        "accelerators": "occupied_fraction useful_fraction", "longest waits": "sizes", "failures": "num_interruptions down_fraction",
        "placement": "spread_fraction", "power": "mean_power_w"}),
    ("check examples/offer-24-xe9680.yaml", {
        "verdict": "num_holding num_depending num_refuted", "cannot hold": "claims.0.verdict claims.0.why claims.0.computed",
        "depends on": "claims.0.settings", "holds": "claims.0.published", "not stated": "not_stated"}),
    ("topology examples/two-qm9790-8-nodes.yaml", TOPOLOGY),
    ("topology examples/two-generations.yaml", TOPOLOGY | {"old": "pools.0.bisection_bytes_per_s", "new": "pools.1.name"}),
    ("compare examples/llama-2-70b-cost.yaml --vary cluster.node.nics.count=4,8", {
        "verdict": "difference.fastest", "80 % interval": "difference.saving_low", "price": "designs.0.result.cost.ownership_usd",
        "to change": "designs.1.exchange.buy_usd designs.1.exchange.left_over"}),
]


class JsonSaysWhatTheTextSays(Program):
    """Every line of an answer has keys in JSON that say the same; "" where the text has nothing of its own."""

    def at(self, said, path):
        for key in path.split("."):
            self.assertTrue(key in said if isinstance(said, dict) else int(key) < len(said), f"{path}: no {key}")
            said = said[int(key) if isinstance(said, list) else key]
        return said

    def test_each_line_of_an_answer_has_its_keys(self):
        for command, keys in SAYS:
            words = command.split()
            code = INFEASIBLE if words[0] == "check" else 0  # of a claim that cannot hold
            parts = self.good(*words, code=code).split("\n\n")
            answer = "\n".join(parts[:2]) if words[0] == "topology" else parts[0]  # below its title
            labels = re.findall(r"^(\w[^\n]{0,15}\S)  +\S", answer, re.MULTILINE)
            self.assertGreater(len(labels), 2, command)
            said = self.data(*words, code=code)
            for label in set(labels) - {"more"}:
                self.assertIn(label, keys, command)
                for path in keys[label].split():
                    with self.subTest(command=command, label=label):
                        self.at(said, path)


class FirstWords(Program):
    def test_help_says_what_to_do_first(self):
        first = self.good("help")
        self.assertEqual(first, self.good())
        self.assertEqual(first, self.good("--help"))
        self.assertEqual(self.good("help", "size"), self.good("size", "--help"))

    def test_its_examples_run(self):
        commands = re.findall(r"^  railwright (.*--model.*)$", self.good("help"), re.MULTILINE)
        self.assertEqual(len(commands), 3)
        for command in commands:
            self.good(*shlex.split(command))

    def test_init_writes_what_size_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run(
                [PROGRAM, "init", "s.yaml"], cwd=folder, input="service\n\n\n100\n\n",
                capture_output=True, text=True, timeout=60,
            )
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertIn("Which model?", made.stderr)
            self.data("size", str(Path(folder, "s.yaml")))
            again = subprocess.run(
                [PROGRAM, "init", "s.yaml"], cwd=folder, input="", capture_output=True, text=True, timeout=60
            )
            self.assertEqual(again.returncode, 2)
            cut = subprocess.run(
                [PROGRAM, "init", "t.yaml"], cwd=folder, input="training\n", capture_output=True, text=True, timeout=60
            )
            self.assertEqual(cut.returncode, 2)
            self.assertFalse(Path(folder, "t.yaml").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
