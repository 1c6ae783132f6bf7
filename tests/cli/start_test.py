# SPDX-License-Identifier: Apache-2.0
"""`railwright simulate --start` parsed by PyYAML, and read back by `import`. Usage: start_test.py RAILWRIGHT
REPOSITORY"""

import sys
import tempfile
import unittest
from pathlib import Path

from program import INFEASIBLE, Program, railwright

try:
    import yaml
except ImportError:
    print("no PyYAML: nothing was parsed")
    sys.exit(77)

CHAT = "examples/serving-llama-3.3-70b.yaml"
APART = ("examples/serving-disaggregated.yaml", "--set", "inference.engine=vllm")
TRAINING = "examples/neutral-llama-2-7b.yaml"


class Start(Program):
    def documents(self, *arguments):
        return list(yaml.safe_load_all(self.good("simulate", *arguments)))

    def test_every_form_is_yaml_and_is_read_back(self):
        for form in ("kubernetes", "llm-d", "dynamo"):
            service = (CHAT, "--set", "inference.engine.model=vllm") if form == "kubernetes" else APART
            text = self.good("simulate", *service, "--start", form)
            self.assertTrue(all(isinstance(one, dict) for one in yaml.safe_load_all(text)))
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "start.yaml")
                file.write_text(text, encoding="utf-8")
                answer = railwright("import", str(file))
            self.assertIn("inference", answer.stdout, answer.stderr)
            self.assertIn("vllm", answer.stdout)

    def test_replicas_are_those_of_the_answer(self):
        deployment, service = self.documents(CHAT, "--start", "kubernetes")
        self.assertEqual(deployment["kind"], "Deployment")
        self.assertEqual(service["spec"]["selector"], deployment["spec"]["selector"]["matchLabels"])
        result = self.data("simulate", CHAT)
        self.assertEqual(deployment["spec"]["replicas"], result["num_replicas"])
        container = deployment["spec"]["template"]["spec"]["containers"][0]
        self.assertIn(result["launch"][0].split()[0], container["args"][0])

    def test_what_cannot_be_started(self):
        self.assertIn("inference", self.bad("simulate", TRAINING, "--start", "kubernetes"))
        self.assertIn("kubernetes, llm-d", self.bad("simulate", CHAT, "--start", "docker"))
        self.good("simulate", CHAT, "--set", "inference.model=bloom-1.2t", "--start", "kubernetes", code=INFEASIBLE)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
