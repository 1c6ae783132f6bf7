# SPDX-License-Identifier: Apache-2.0
"""The schema of results describes what the program prints.

usage: schema_test.py RAILWRIGHT REPOSITORY"""

import sys
import unittest

from program import INFEASIBLE, Program

# Designs that are not those the schema was written from.
PRINTED = {
    "simulation": [["simulate", "--model", "llama-3.1-8b", "--nodes", "4", "--estimate"],
                   ["simulate", "examples/nic-wiring.yaml", "--estimate"],
                   ["simulate", "examples/neutral-llama-2-7b.yaml", "--set", "cluster.nodes=4"]],
    "inference": [["simulate", "examples/serving-llama-3.3-70b.yaml", "--set", "inference.tp=4"],
                  ["size", "--model", "llama-3.1-8b", "--requests-per-s", "20", "--tpot", "40ms"]],
    "benchmark": [["simulate", "examples/all-reduce-8-h100-nodes.yaml", "--set", "benchmark.size=1 MiB"]],
    "jobs": [["simulate", "examples/three-jobs-one-powerscale.yaml", "--set", "cluster.storage.count=4"]],
    "search": [["search", "--model", "llama-3.1-8b", "--gpus", "32", "--simulate", "0"]],
    "explanation": [["explain", "examples/neutral-llama-2-7b.yaml", "--estimate"]],
    "topology": [["topology", "examples/rail-optimized-256.yaml"]],
}
TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None),
         "object": dict, "array": list}


def problems(value, schema, path=""):
    """What a value has against a schema of types, properties, items and choices; keys that the
    schema does not know are problems too, so that it is complete."""
    if "anyOf" in schema:
        tried = [problems(value, one, path) for one in schema["anyOf"]]
        return [] if [] in tried else min(tried, key=len)
    if "type" not in schema:
        return []
    kind = TYPES[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"{path}: {value!r} is no {schema['type']}"]
    found = [f"{path}: no {key}" for key in schema.get("required", []) if key not in value]
    if isinstance(value, dict) and schema["properties"]:
        for key, inner in value.items():
            if key in schema["properties"]:
                found += problems(inner, schema["properties"][key], f"{path}.{key}")
            elif "." not in path and key.isidentifier():
                found.append(f"{path}.{key} is not in the schema")
    if isinstance(value, list):
        for item in value:
            found += problems(item, schema["items"], f"{path}[]")
    return found


class ResultsSchema(Program):
    def test_it_describes_what_is_printed(self):
        schema = self.data("schema", "--results")
        self.assertEqual(len(schema["anyOf"]), len(schema["$defs"]))
        for kind, commands in PRINTED.items():
            for command in commands:
                self.assertEqual(problems(self.data(*command), schema["$defs"][kind]), [], command)

    def test_what_does_not_fit_too(self):
        schema = self.data("schema", "--results")["$defs"]["simulation"]
        told = self.data("simulate", "examples/llama-2-70b-six-nodes.yaml", "--set", "parallelism={tp: 1, pp: 1}", code=INFEASIBLE)
        self.assertEqual(problems(told, schema), [])

    def test_it_refuses_others(self):
        schema = self.data("schema", "--results")["$defs"]["simulation"]
        told = self.data("simulate", "examples/neutral-llama-2-7b.yaml", "--estimate")
        self.assertTrue(problems(told | {"step_time_s": "4 s"}, schema))
        self.assertTrue(problems({key: one for key, one in told.items() if key != "feasible"}, schema))
        self.assertTrue(problems(told | {"new_key": 1}, schema))

    def test_numbers_have_sentences(self):
        schema = self.data("schema", "--results")["$defs"]["simulation"]["properties"]
        self.assertIn("step", schema["step_time_s"]["description"].lower())
        self.assertEqual(schema["num_accelerators"]["type"], "integer")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
