# SPDX-License-Identifier: Apache-2.0
"""Price files: the template of an answer, filled in, gives it a cost.

usage: prices_test.py RAILWRIGHT REPOSITORY"""

import datetime
import re
import sys
import tempfile
import unittest
from pathlib import Path

from program import Program

SIX = "examples/llama-2-70b-six-nodes.yaml"
SERVICE = ["--model", "llama-3.3-70b", "--users", "2000", "--tpot", "40ms"]


def filled(template, piece="1000 USD"):
    """The template with a price behind each name."""
    text = re.sub(r"^(  \S.*?:)( *#.*)$", rf"\1 {piece}\2", template, flags=re.MULTILINE)
    text = re.sub(r"^electricity:", "electricity: 0.1 USD/kWh", text, flags=re.MULTILINE)
    return re.sub(r"^ownership:", "ownership: 4 y", text, flags=re.MULTILINE)


class Prices(Program):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name, "quotes.yaml")

    def cost(self, template, *question):
        self.file.write_text(template)
        told = self.data(*question, "--set", f"prices={self.file}")
        return told["cost"]

    def test_a_filled_template_gives_a_cost(self):
        template = self.good("prices", "template", SIX)
        self.assertIn(f"description: Quotes of {datetime.date.today()}", template)
        self.assertEqual(template.count("\nswitches:\n"), 1)
        cost = self.cost(filled(template), "simulate", SIX)
        self.assertGreater(cost["ownership_usd"], 0)
        pieces = sum(map(int, re.findall(r"# (\d+) of them", template)))
        self.assertEqual(cost["capital_usd"], 1000 * pieces)
        for part in cost["unpriced"]:  # no product is known of these
            self.assertIn(f"# no product is known of {part}", template)

    def test_what_stays_empty_is_named(self):
        self.file.write_text(self.good("prices", "template", SIX))
        said = self.bad("simulate", SIX, "--set", f"prices={self.file}")
        self.assertIn("prices.nodes.xe9680-h100", said)
        self.assertIn("prices.ownership", said)

    def test_questions_without_a_file(self):
        template = self.good("prices", "template", "--model", "llama-2-7b", "--nodes", "2")
        self.assertIn("  dgx-h100:  # 2 of them", template)
        template = self.good("prices", "template", *SERVICE)
        nodes = self.data("size", *SERVICE)["num_nodes"]
        self.assertIn(f"  dgx-h100:  # {nodes} of them", template)
        self.assertGreater(self.cost(filled(template), "size", *SERVICE)["ownership_usd"], 0)

    def test_goals_take_the_parts_of_every_cluster(self):
        words = ["--model", "llama-2-7b", "--tokens", "10B", "--deadline", "1w"]
        template = self.good("prices", "template", *words)
        sized = self.data("size", *words)["sized"]
        self.assertIn(f"  dgx-h100:  # {max(one['num_nodes'] for one in sized)} of them", template)

    def test_prices_that_are_there_are_not_asked_for(self):
        self.assertIn("Nothing of", self.good("prices", "template", "examples/llama-2-70b-cost.yaml"))
        part = self.good("prices", "template", SIX, "--set", "prices={electricity: 0.1 USD/kWh, ownership: 4 y, nodes: {xe9680-h100: 1 USD}}")
        self.assertNotIn("xe9680-h100:", part)
        self.assertNotIn("\nownership:", part)
        self.assertIn("connectx-7:", part)

    def test_what_has_no_cost_is_refused(self):
        self.assertIn("has no cost", self.bad("prices", "template", "examples/queue-month-2000-gpus.yaml"))
        self.assertIn("does not fit", self.bad("prices", "template", SIX, "--set", "parallelism={tp: 1, pp: 1}"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
