#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/railwright/_fields.pyi, the attributes of results for type checkers, and
output/src/schema/results.json, the JSON Schema of results; --check only compares.

usage: scripts/write_result_types.py [--check] build/release/bin/railwright

The keys are those of the JSON of every run of the example set, and of simulate() also every
number that docs/results.yaml describes; its sentences go into the schema.
"""

import argparse
import json
import keyword
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "python" / "railwright" / "_fields.pyi"
SCHEMA = ROOT / "output" / "src" / "schema" / "results.json"
HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Written by scripts/write_result_types.py: what type checkers know of the attributes of results. An
# attribute that a result lacks, such as a number of storage without storage, raises AttributeError, and
# a number that was not found is None.
from typing import Any

from railwright._comparisons import (
    ComparisonResult,
    MixesResult,
    ServicesResult,
    SideBySideResult,
)
from railwright._planning import (
    CalibrationResult,
    SearchResult,
    ServingSearchResult,
    SizingResult,
    SuiteFitResult,
)
from railwright._results import (
    BenchmarkResult,
    InferenceResult,
    JobsResult,
    PostTrainingResult,
    QueueResult,
    Result,
    SimulationResult,
)

'''


class Fields:
    """The types that values of one place in the JSON have, and the fields of those that are
    objects."""

    def __init__(self):
        self.scalars = set()
        self.fields = {}
        self.is_open = False  # has keys that are not known in advance
        self.items = None

    def add(self, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if not key.isidentifier() or keyword.iskeyword(key):
                    self.is_open = True
                    continue
                self.fields.setdefault(key, Fields()).add(inner)
            self.scalars.add("object")
        elif isinstance(value, list):
            self.scalars.add("list")
            if self.items is None:
                self.items = Fields()
            for item in value:
                self.items.add(item)
        else:
            self.scalars.add("None" if value is None else type(value).__name__)

    def add_path(self, path):
        """Adds a number by its path; a part with a star stands for any names."""
        first, _, rest = path.partition(".")
        if "*" in first:
            self.is_open = True
            self.scalars.add("object")
            return
        self.scalars.add("object")
        inner = self.fields.setdefault(first, Fields())
        if rest:
            inner.add_path(rest)
        elif not inner.scalars:
            inner.scalars.add("float")


def class_name(prefix, key):
    return prefix.removesuffix("Fields") + "".join(part.capitalize() for part in key.split("_"))


def type_of(fields, name, classes):
    """The type of a value; adds the classes that it needs."""
    kinds = set(fields.scalars)
    if "float" in kinds:
        kinds.discard("int")
    types = []
    for kind in sorted(kinds - {"None"}):
        if kind == "object":
            types.append(object_type(fields, name, classes))
        elif kind == "list":
            types.append(f"list[{type_of(fields.items, name, classes)}]")
        else:
            types.append(kind)
    return " | ".join(types) or "Any"


def object_type(fields, name, classes):
    """The class of an object; a whole simulation within a result is one of simulate()'s."""
    if "infeasible" in fields.fields and "name" in fields.fields:
        if "kv_cache_bytes_per_token" in fields.fields:
            return "InferenceResult"
        if "step_time_s" in fields.fields:
            return "SimulationResult"
    add_class(fields, name, "Result", classes)
    return name


def add_class(fields, name, base, classes):
    lines = [f"class {name}({base}):" if base else f"class {name}:"]
    for key, inner in fields.fields.items():
        lines.append(f"    {key}: {type_of(inner, class_name(name, key), classes)}")
    if fields.is_open:
        lines.append("    def __getattr__(self, name: str) -> Any: ...")
    if len(lines) == 1:
        lines[0] += " ..."
    classes.append("\n".join(lines) + "\n")


JSON_TYPES = {"str": "string", "bool": "boolean", "int": "integer", "float": "number", "None": "null"}
ALWAYS = ("name", "feasible", "infeasible")  # every result that has them has all of them


def schema_of(fields, sentences, path=""):
    """The JSON Schema of values; keys that are not known yet may come with any version."""
    kinds = set(fields.scalars)
    if "float" in kinds:
        kinds.discard("int")
    choices = [{"type": JSON_TYPES[kind]} for kind in sorted(kinds & JSON_TYPES.keys())]
    if "object" in kinds:
        inner = {
            key: schema_of(one, sentences, f"{path}.{key}".lstrip("."))
            for key, one in fields.fields.items()
        }
        choices.append({"type": "object", "properties": inner})
    if "list" in kinds:
        choices.append({"type": "array", "items": schema_of(fields.items, sentences, path)})
    made = {"description": sentences[path]} if path in sentences else {}
    if len(choices) == 1:
        return made | choices[0]
    return made | {"anyOf": choices} if choices else made


def schema_text(kinds, sentences):
    """The schema of every kind of result, by its name: "post_training"."""
    defined = {}
    for kind, fields in sorted(kinds.items()):
        one = schema_of(fields, sentences)
        if set(ALWAYS) <= set(fields.fields):
            one["required"] = list(ALWAYS)
        defined[re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()] = one
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "railwright results",
        "description": "SI base units, named by the suffix of a key. New keys come in any version.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in defined],
        "$defs": defined,
    }
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


# Runs of verbs that the example set does not have with the same kind of result.
MORE_RUNS = [
    ("Simulation", ["simulate", "--model", "llama-2-7b", "--nodes", "2"]),
    ("Inference", ["size", "--model", "llama-3.3-70b", "--users", "2000", "--tpot", "40ms"]),
    ("Search", ["search", "--model", "llama-2-7b", "--gpus", "16", "--simulate", "1"]),
    ("Search", ["search", "--model", "llama-2-7b", "--gpus", "16", "--simulate", "0"]),
    # Designs that do not fit, and goals that nothing meets.
    ("Simulation", ["simulate", "examples/llama-2-70b-six-nodes.yaml", "--set", "parallelism={tp: 1, pp: 1}"]),
    ("Inference", ["simulate", "examples/inference-llama-2-70b.yaml", "--set", "cluster.nodes=1"]),
    ("Sizing", ["size", "--model", "llama-2-7b", "--tokens", "15T", "--deadline", "1 day"]),
    ("Sizing", ["size", "--model", "llama-2-7b", "--tokens", "10B", "--deadline", "1w"]),
    ("SideBySide", ["compare", "examples/neutral-llama-2-7b.yaml", "--vary", "cluster.node.nics.count=4,8"]),
    ("SideBySide", ["compare", "examples/llama-2-70b-cost.yaml", "--vary", "cluster.node.nics.count=4,8"]),
    ("Diagnosis", ["diagnose", "--model", "llama-2-7b", "--nodes", "2", "--measured", "9s"]),
    ("Topology", ["topology", "--node", "dgx-h100", "--nodes", "32"]),
    ("Services", ["compare", "examples/inference-llama-2-70b.yaml", "--vary", "inference.max_batch=16,32"]),
    ("Mixes", ["compare", "examples/three-jobs-one-powerscale.yaml", "--vary", "cluster.storage.count=3,6"]),
    ("ServingSearch", ["search", "examples/serving-llama-3.3-70b.yaml"]),
    ("Validation", ["validate", "--suite", "documents"]),
    ("Import", ["import", "tests/importers/samples/megatron/gpt3-175b-script.txt"]),
]
INFEASIBLE = 3  # exit code of an answer all the same
KINDS = {  # by the key that no other result of the verb has
    "simulate": {"jobs": "Jobs", "wait_mean_s": "Queue", "updates_per_step": "PostTraining",
                 "bus_bandwidth_bytes_per_s": "Benchmark",
                 "kv_cache_bytes_per_token": "Inference", "": "Simulation"},
    "compare": {"": "Comparison"},
    "search": {"": "Search"},
    "size": {"jobs": "Jobs", "": "Sizing"},
    "explain": {"": "Explanation"},
    "diagnose": {"": "Diagnosis"},
    "topology": {"": "Topology"},
    "calibrate": {"": "Calibration"},
}
SIMULATED = ("Simulation", "Jobs", "Queue", "Benchmark", "Inference", "PostTraining")
ANY_OF = {
    "AnyResult": [f"{kind}Result" for kind in SIMULATED],
    "AnyComparison": ["ComparisonResult", "SideBySideResult", "ServicesResult", "MixesResult"],
    "AnySearch": ["SearchResult", "ServingSearchResult"],
    "AnySizing": ["SizingResult", "InferenceResult", "QueueResult", "JobsResult"],
    "AnyCalibration": ["CalibrationResult", "SuiteFitResult"],
}


def kind_of(name, said):
    """The kind of a run's result; none of rows."""
    verb = name.split(" ")[0].replace("estimate", "simulate")
    for key, kind in KINDS.get(verb, {}).items():
        if not key or key in said:
            return kind
    return None


def add_what_python_adds(kinds):
    """Adds keys that the package's functions add to what the program prints."""
    for sized in ("Queue", "Inference"):  # size() of them says as much as of jobs
        for key in ("settings", "smaller"):
            kinds[sized].fields[key] = kinds["Jobs"].fields[key]
    kinds["Topology"].add({"drawing": {"any key": 0}, "step_time_s": 0.0, "step_time_low_s": 0.0,
                           "step_time_high_s": 0.0})
    kinds["Topology"].fields["basis"] = kinds["Simulation"].fields["basis"]
    kinds["Import"].fields["assumed"] = kinds["Import"].fields["values"]
    kinds["Import"].add({"yaml": "", "notes": "", "problems": [""]})
    kinds["Import"].fields.pop("scenario", None)
    for kind in SIMULATED:  # a property, which asks the program when it is first read
        if kind != "Benchmark":
            kinds[kind].fields.pop("try_next", None)


def texts_of(runs, program):
    """The stub and the schema."""
    kinds = {kind: Fields() for kind in SIMULATED}
    for name, (_, said) in runs.items():
        kind = kind_of(name, said)
        if kind:
            kinds.setdefault(kind, Fields()).add(said)
    for kind, arguments in MORE_RUNS:
        done = subprocess.run([program, *arguments, "--format", "json"], cwd=ROOT,
                              check=False, capture_output=True, text=True)
        if done.returncode not in (0, INFEASIBLE):
            sys.exit(f"{arguments}: {done.stderr}")
        kinds.setdefault(kind, Fields()).add(json.loads(done.stdout))
    described = yaml.safe_load((ROOT / "docs" / "results.yaml").read_text(encoding="utf-8"))
    for path in described["numbers"]:
        kinds["Simulation"].add_path(path)
    schema = schema_text(kinds, described["numbers"] | described["texts"])
    add_what_python_adds(kinds)
    classes = []
    for kind, fields in kinds.items():
        add_class(fields, f"{kind}Fields", None, classes)
    classes.append("# Results of verbs before it is known which kind they are: they have the attributes of all.\n"
                   + "".join(f"class {name}({', '.join(bases)}): ...  # type: ignore[misc, unused-ignore]\n"
                             for name, bases in ANY_OF.items()))
    return {FILE: HEAD + "\n".join(classes), SCHEMA: schema}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "set.json"
        agree = ROOT / "tests" / "two_builds" / "agree.py"
        subprocess.run([sys.executable, "-B", agree, "--store", store, options.program, ROOT], check=True)
        new = texts_of(json.loads(store.read_text(encoding="utf-8")), options.program)
    for file, text in new.items():
        if options.check and text != file.read_text(encoding="utf-8"):
            sys.exit(f"{file} is out of date: run scripts/write_result_types.py {options.program}")
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
