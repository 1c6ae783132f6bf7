# SPDX-License-Identifier: Apache-2.0
"""`railwright validate` as its callers see it. Usage: validate_test.py RAILWRIGHT REPOSITORY"""

import json
import sys
import tempfile
import unittest

from program import INFEASIBLE, Program, railwright

UNFIT = """
suite: ports
description: a row whose only fault is the ports of its switch
scenarios:
  nine:
    name: nine
    workload: {model: llama-2-7b, sequence_length: 4096, global_batch: 144, micro_batch: 1, steps: 1}
    parallelism: {tp: 4, pp: 1}
    cluster: {nodes: 9, node: dgx-h100, fabric: {topology: single_switch, switch: qm9790}}
    software: nemo-23.11
tables:
  - {group: g, quantity: step_time, source: nowhere, scenario: nine, output: step_time_s, columns: [],
     rows: [[x, 4 s, ~]]}
"""


class Validate(Program):
    @classmethod
    def setUpClass(cls):
        printed = railwright("validate", "--format", "json")
        cls.result = json.loads(printed.stdout)
        cls.case = cls.result["cases"][0]

    def test_every_case_says_what_it_is(self):
        for key in ["id", "quantity", "role", "published", "predicted", "relative_error", "source"]:
            self.assertIn(key, self.case)
        self.assertIn("summary", self.result)

    def test_the_scenario_of_a_case_runs(self):
        scenario = self.good("validate", "--show", self.case["id"])
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(scenario)
            file.flush()
            result = self.data("simulate", file.name)
        self.assertAlmostEqual(result["training_time_s"] / self.case["predicted"], 1, delta=1e-9)

    def test_unknown_case_and_suite(self):
        case = self.case["id"]
        self.assertIn(f"did you mean '{case}'?", self.bad("validate", "--show", case + "x"))
        self.assertIn("no suite of this name", self.bad("validate", "--suite", "papers"))

    def test_a_suite_in_a_file(self):
        own = ["validate", "--suite", "examples/measured/suite.yaml"]
        result = self.data(*own)
        self.assertEqual([c["id"] for c in result["cases"]], ["22b", "175b", "175b-none"])
        self.assertIn("does not divide the 96 layers", result["skipped"][0]["reason"])
        self.assertIn("skipped 175b-tp5: --set parallelism.pp=7: ", self.good(*own))
        last = self.data(*own, "--ignore-memory")["cases"][2]
        self.assertIsNone(result["cases"][2]["predicted"])
        self.assertEqual(last["predicted"], last["step"]["time_s"])
        self.assertIn("nowhere.yaml: no such file", self.bad("validate", "--suite", "nowhere.yaml"))

    def test_where_nothing_fits_there_is_no_median(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(UNFIT)
            file.flush()
            own = ["validate", "--suite", file.name]
            for more in ([], ["--summary"]):
                text = self.good(*own, *more, code=INFEASIBLE)
                self.assertIn("no prediction: 1 row does not fit\n", text)
                self.assertIn("does not fit x: 9 nodes x 8 NICs need 72 ports; qm9790 has 64\n", text)
                self.assertNotIn("median", text)
            result = self.data(*own, code=INFEASIBLE)
        self.assertEqual(result["cases"][0]["reason"], "9 nodes x 8 NICs need 72 ports; qm9790 has 64")
        self.assertEqual(result["summary"]["num_unfit"], 1)
        self.assertIsNone(result["summary"]["median_absolute_error"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
