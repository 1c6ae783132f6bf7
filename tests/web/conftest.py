# SPDX-License-Identifier: Apache-2.0
"""Reports of the program, and a headless Chromium to open them in."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import Browser
from serving import Served
from what_if_page import SIMULATED, WhatIfPage

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"
PROGRAM = os.environ.get("RAILWRIGHT_PROGRAM", str(Path(sys.executable).parent / "railwright"))
EVIL = '</script><img src=x onerror="document.title=1"> & "more"'

# Llama 2 7B on five billion tokens: quick to size.
SMALL_GOALS = [
    "workload={model: llama-2-7b, sequence_length: 4096, global_batch: 512, steps: 1}",
    "goals={deadline: 12 h, tokens: 5e9, max_global_batch: 512, parts: {max_nodes: 64}}",
    "search.tp=[1, 2]",
    "search.pp=[1]",
    "search.micro_batch=[1]",
    "search.recompute=[none]",
    "run={replicas: 4}",
]

# Of the example the second curve, on fewer nodes.
FEW_CURVES = (
    "comparison.curves=[{name: Fixed global batch, along: {key: cluster.nodes, values: [1, 2, 4, 9]},"
    " variants: [{name: rails, set: [cluster.fabric.topology=rail_optimized]}]}]"
)

# Two jobs that share the leaf in the middle of three.
LEAVES = (
    "cluster.fabric={topology: leaf_spine, switch: qm9790, num_leaves: 3, num_spines: 1,"
    " oversubscription: 4}"
)
SHARDED = (
    "nodes: 3, software: {model: nemo-23.11, zero_stage: 3}, workload: {model: llama-2-7b,"
    " sequence_length: 4096, global_batch: 24, micro_batch: 1, steps: 50}"
)
TWO_ON_LEAVES = f"jobs=[{{name: A, {SHARDED}}}, {{name: B, {SHARDED}}}]"

# What each page is made by; `code` where the program ends with another exit code than 0.
PAGES = {
    "checkpoints": ["simulate", "powerscale-checkpoints.yaml", "--set", "run.replicas=10"],
    "jobs": ["simulate", "three-jobs-one-powerscale.yaml"],
    "jobs-on-leaves": ["simulate", "three-jobs-one-powerscale.yaml", "--set", TWO_ON_LEAVES]
    + ["--set", "cluster.nodes=6", "--set", LEAVES],
    "evil": ["simulate", "neutral-llama-2-7b.yaml", "--set", f"name='{EVIL}'"],
    "estimate": ["simulate", "neutral-llama-2-7b.yaml", "--estimate"],
    "collective": ["simulate", "all-reduce-8-h100-nodes.yaml"],
    "inference": ["simulate", "inference-llama-2-70b.yaml"],
    "short": ["simulate", "two-qm9790-8-nodes.yaml", "--set", "cluster.nodes=24"],
    "infeasible": ["simulate", "neutral-llama-2-7b.yaml", "--set", "workload.model=llama-2-70b"],
    "cases": ["compare", "xe9680-4-vs-8-nics.yaml", "--estimate"],
    "curves": ["compare", "nic-break-even.yaml", "--estimate", "--set", FEW_CURVES],
    "designs": ["compare", "neutral-llama-2-7b.yaml", "--vary", "cluster.node.nics.count=8,4"],
    "designs-4": ["compare", "neutral-llama-2-7b.yaml", "--vary", "cluster.node.nics.count=8,4"]
    + ["--set", "cluster.nodes=4"],
    "search": ["search", "search-h20003-cluster.yaml", "--front"],
    "search-none": ["search", "search-h20003-cluster.yaml", "--set", "workload.model=gpt-3-175b"],
    "services": ["search", "serving-llama-3.3-70b.yaml", "--top", "4", "--simulate", "1", "--front"],
    "service": ["simulate", "serving-llama-3.3-70b.yaml"],
    "side-by-side": ["compare", "serving-llama-3.3-70b.yaml", "--vary", "cluster.nodes=3,4"],
    "queue": ["simulate", "queue-month-2000-gpus.yaml"],
    "queues": ["compare", "queue-month-2000-gpus.yaml", "--vary", "cluster.nodes=230,250"],
    "mixes": ["compare", "three-jobs-one-powerscale.yaml", "--vary", "cluster.storage.count=3,6"],
    "sweep": ["sweep", "sweep-data-loading.yaml", "--out", "none"],
    "sweep-many": ["sweep", "sweep-nics-and-batch.yaml", "--estimate", "--out", "none"],
    "sweep-named": ["sweep", "neutral-llama-2-7b.yaml", "--estimate", "--out", "none"]
    + ["--vary", "cluster.node=xe9680-h100,dgx-h100", "--vary", "parallelism.tp=1,2"],
    "sweep-none": ["sweep", "neutral-llama-2-7b.yaml", "--estimate", "--out", "none"]
    + ["--vary", "workload.model=llama-2-70b,gpt-3-175b"],
    "limits": ["explain", "neutral-llama-2-7b.yaml", "--estimate"],
    "fit": ["calibrate", "calibrate-h20003.yaml", "--estimate"],
    "fit-refused": ["calibrate", "calibrate-refused.csv", "--scenario", "neutral-llama-2-7b.yaml"],
    "fabric": ["topology", "pod-256.yaml"],
    "fabric-short": ["topology", "two-qm9790-8-nodes.yaml", "--set", "cluster.nodes=24"],
    "size": ["size", "size-llama2-70b-30-days.yaml"]
    + [word for setting in SMALL_GOALS for word in ("--set", setting)],
}
EXIT_CODES = {"infeasible": 3, "short": 3, "search-none": 3, "fabric-short": 3, "fit-refused": 3, "sweep-none": 3}


class Page:
    """A report and the JSON that the same run printed."""

    def __init__(self, name, folder):
        self.name = name
        self.path = folder / f"{name}.html"
        verb, scenario, *more = PAGES[name]
        done = subprocess.run(
            [PROGRAM, verb, scenario, *more, "--report", self.path, "--format", "json"],
            cwd=EXAMPLES,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == EXIT_CODES.get(name, 0), done.stderr
        self.document = json.loads(done.stdout)

    @property
    def address(self):
        return self.path.as_uri()


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Pages by name, each made once."""
    folder = tmp_path_factory.mktemp("reports")
    made = {}

    def page(name):
        if name not in made:
            made[name] = Page(name, folder)
        return made[name]

    return page


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the documentation, built."""
    folder = tmp_path_factory.mktemp("site")
    config = REPOSITORY / "mkdocs.yml"
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-q",
        "-f",
        config,
        "-d",
        folder,
    ]
    subprocess.run(command, check=True, timeout=600)
    return folder


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def window(downloads):
    """The one browser of all tests."""
    browser = Browser(downloads)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def served_page():
    page = Served(EXAMPLES / "neutral-llama-2-7b.yaml")
    yield page
    assert page.close()[0] == 0


@pytest.fixture
def chromium(window):
    return WhatIfPage(window)


@pytest.fixture
def browser(served_page, chromium):
    """The page as it is when it was just opened and has its first answer."""
    assert chromium.open(served_page.address) == []
    chromium.until(SIMULATED)
    yield chromium
    assert chromium.complaints() == []
    blob = "blob:" + served_page.address.split("/" + served_page.token)[0]
    ours = (served_page.address, blob, "data:,", "chrome://", "about:blank")
    assert [one for one in chromium.requests() if not one.startswith(ours)] == []
