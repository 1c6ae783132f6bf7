# SPDX-License-Identifier: Apache-2.0
"""`railwright validate` as its callers see it. Usage: validate_test.py RAILWRIGHT REPOSITORY"""

import json
import sys
import tempfile
import unittest

from program import Program, railwright


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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
