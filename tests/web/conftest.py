# SPDX-License-Identifier: Apache-2.0
"""Reports of the program, and a headless Chromium to open them in."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"
PROGRAM = os.environ.get("RAILWRIGHT_PROGRAM", str(Path(sys.executable).parent / "railwright"))
EVIL = '</script><img src=x onerror="document.title=1"> & "more"'

# Llama 2 7B on five billion tokens: quick to size.
SMALL_GOALS = [
    "workload={model: llama-2-7b, sequence_length: 4096, global_batch: 512, steps: 1}",
    "goals={deadline: 12 h, tokens: 5e9, most_global_batch: 512, parts: {most_nodes: 64}}",
    "search.tp=[1, 2]",
    "search.pp=[1]",
    "search.micro_batch=[1]",
    "search.recompute=[none]",
    "run={replicas: 4}",
]

# Of the example the second curve, on fewer servers.
FEW_CURVES = (
    "comparison.curves=[{name: Fixed global batch, along: {key: cluster.nodes, values: [1, 2, 4, 9]},"
    " variants: [{name: rails, set: [cluster.fabric.topology=rail_optimized]}]}]"
)

# What each page is made by; `code` where the program ends with another exit code than 0.
PAGES = {
    "checkpoints": ["simulate", "powerscale-checkpoints.yaml", "--set", "run.replicas=10"],
    "jobs": ["simulate", "three-jobs-one-powerscale.yaml"],
    "evil": ["simulate", "neutral-llama-2-7b.yaml", "--set", f"name='{EVIL}'"],
    "estimate": ["simulate", "neutral-llama-2-7b.yaml", "--estimate"],
    "collective": ["simulate", "all-reduce-8-h100-nodes.yaml"],
    "inference": ["simulate", "inference-llama-2-70b.yaml"],
    "infeasible": ["simulate", "neutral-llama-2-7b.yaml", "--set", "workload.model=llama-2-70b"],
    "cases": ["compare", "xe9680-4-vs-8-nics.yaml", "--estimate"],
    "curves": ["compare", "nic-break-even.yaml", "--estimate", "--set", FEW_CURVES],
    "designs": ["compare", "neutral-llama-2-7b.yaml", "--vary", "cluster.node.nics.count=8,4"],
    "size": ["size", "size-llama2-70b-30-days.yaml"]
    + [word for setting in SMALL_GOALS for word in ("--set", setting)],
}
EXIT_CODES = {"infeasible": 3}


class Page:
    """A report and the JSON that the same run printed."""

    def __init__(self, name, folder):
        self.name = name
        self.path = folder / f"{name}.html"
        verb, scenario, *more = PAGES[name]
        done = subprocess.run(
            [PROGRAM, verb, EXAMPLES / scenario, *more]
            + ["--report", self.path, "--format", "json"],
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


def start_browser():
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert program and driver, "these tests need Debian's chromium and chromium-driver"
    options = Options()
    options.binary_location = program
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


class Window:
    """The browser, and what a test asks of it."""

    def __init__(self, driver):
        self.driver = driver

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def theme(self, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        self.settle()

    def width(self, width):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        self.settle()

    def settle(self):
        """Waits until what changed is laid out and painted."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def open(self, address):
        """Shows a page, all its details unfolded, and returns what the browser complained of."""
        self.theme("light")
        self.width(1280)
        self.driver.get_log("browser"), self.driver.get_log("performance")
        self.driver.get(address)
        self.run("document.querySelectorAll('details').forEach((one) => { one.open = true; });")
        self.settle()
        return self.complaints()

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the page was opened."""
        events = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        return [
            event["message"]["params"]["request"]["url"]
            for event in events
            if event["message"]["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def window():
    driver = start_browser()
    yield Window(driver)
    driver.quit()
