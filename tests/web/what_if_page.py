# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium on a page, with what it asked for and what it complained about."""

import json
import shutil
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


class Browser:
    """`downloads` is where files go. Fails where Debian's chromium and chromium-driver are missing."""

    def __init__(self, downloads):
        options = webdriver.ChromeOptions()
        options.binary_location = program("chromium")
        for argument in (
            "--headless=new",
            "--no-sandbox",  # as root, in a container
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
        ):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
        self.requests = []

    def look(self, width=1280, height=900, scheme="light"):
        """As on a window of that size, of someone who likes it light or dark."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, address):
        self.complaints()
        self.look()
        self.driver.get(address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector):
        """What is shown there; "" where nothing is."""
        return self.run(
            "const found = document.querySelector(arguments[0]); return found ? found.innerText : ''",
            selector,
        )

    def until(self, script, *arguments, seconds=20):
        """Waits for a condition in the page and returns it."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(f"return {script}", *arguments)
            if value:
                return value
            assert time.monotonic() < end, (script, self.run("return document.body.innerText"))
            time.sleep(0.02)

    def move(self, path, index):
        """Drags the slider of a key to one of its stops, as a hand does: an event for each place."""
        self.run(
            """
            const slider = document.querySelector(`[data-path="${arguments[0]}"] input[type=range]`);
            slider.value = arguments[1];
            slider.dispatchEvent(new Event("input", {bubbles: true}));
            """,
            path,
            index,
        )

    def choose(self, path, value):
        self.run(
            """
            const select = document.querySelector(`[data-path="${arguments[0]}"] select`);
            select.value = arguments[1];
            select.dispatchEvent(new Event("change", {bubbles: true}));
            """,
            path,
            value,
        )

    def stop_of(self, path, value):
        """Where on its slider a value is, by moving through all of them."""
        return self.run(
            """
            const spec = railwright.controls.all.find((one) => one.path === arguments[0]);
            const now = railwright.what_if.state.values[arguments[0]];
            return [...new Set([...spec.stops, now])].sort((a, b) => a - b).indexOf(arguments[1]);
            """,
            path,
            value,
        )

    def time_shown(self):
        return self.run("return Number(document.querySelector('#time .num').title)")

    def complaints(self):
        """Everything in the console."""
        return [one["message"] for one in self.driver.get_log("browser")]

    def asked(self):
        """Addresses of all requests so far, whatever asked for them."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        return self.requests

    def close(self):
        self.driver.quit()


def program(name):
    path = shutil.which(name)
    assert path, f"{name} is missing: install Debian's chromium and chromium-driver"
    return path
