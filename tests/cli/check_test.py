# SPDX-License-Identifier: Apache-2.0
"""`railwright check`: the claims of an offer, and what its callers see of them.

usage: check_test.py RAILWRIGHT REPOSITORY"""

import sys
import tempfile
import unittest
from pathlib import Path

from program import INFEASIBLE, Program

REFUTED = "examples/offer-refuted-claims.yaml"


class Check(Program):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "offer.yaml")

    def test_the_verdict_comes_first(self):
        lines = self.good("check", REFUTED, code=INFEASIBLE).splitlines()
        self.assertRegex(lines[1], r"^verdict +of 6 claims 5 cannot hold, 1 holds$")
        self.assertTrue(lines[2].startswith("cannot hold"))

    def test_the_scenario_of_a_claim_gives_its_number(self):
        claims = self.data("check", REFUTED, code=INFEASIBLE)["claims"]
        self.assertEqual([one["verdict"] for one in claims].count("cannot hold"), 5)
        self.file.write_text(claims[0]["scenario"])
        alone = self.data("simulate", str(self.file))
        self.assertAlmostEqual(alone["training_time_s"] / claims[0]["computed"], 1, delta=1e-9)

    def test_claims_that_hold(self):
        # 24 nodes with eight ports each, and 2 x 16 between two switches.
        self.file.write_text("offer: ports\nclaims:\n  - {is: 24 * 8 + 2 * 16, published: 224, bound: at_most}\n")
        self.assertIn("the claim holds", self.good("check", str(self.file)))

    def test_mistakes_are_placed(self):
        self.file.write_text("offer: none\nclaims:\n  - {published: 1}\n")
        self.assertIn(f"{self.file}:3:", self.bad("check", str(self.file)))
        self.file.write_text("offer: none\nclaims: []\n")
        self.assertIn("there is none to check", self.bad("check", str(self.file)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
