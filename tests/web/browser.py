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

    def theme(self, scheme):
        """As for someone who likes it light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.settle()

    def look(self, width=1280, height=900):
        """As on a window of that size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
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
        self.look()
        self.complaints(), self.requests()
        self.driver.get(address)
        self.run("document.querySelectorAll('details').forEach((one) => { one.open = true; });")
        self.settle()
        return self.complaints()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector):
        """What is shown there; "" where nothing is."""
        return self.run(
            "const found = document.querySelector(arguments[0]); return found ? found.innerText : ''",
            selector,
        )

    def use(self, selector, script, *arguments):
        """Runs a script on an element, `one`, as soon as it is there and can be used. In one call: a
        page that is drawn anew between two has another element."""
        self.until(
            "(() => {"
            "  const [selector, ...given] = arguments;"
            "  const one = document.querySelector(selector);"
            "  if (!one || one.disabled || one.closest('[inert]')) return false;"
            f"  ((one, given) => {{ {script} }})(one, given);"
            "  return true;"
            "})()",
            selector,
            *arguments,
        )

    def press(self, selector):
        self.use(selector, "one.click();")

    def write(self, selector, value, event="change"):
        """Puts a value into a field or a list, and says so as a hand does."""
        self.use(
            selector,
            "one.value = given[0]; one.dispatchEvent(new Event(given[1], {bubbles: true}));",
            value,
            event,
        )

    def until(self, script, *arguments, seconds=60):
        """Waits for a condition in the page and returns it."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(f"return {script}", *arguments)
            if value:
                return value
            assert time.monotonic() < end, (script, self.run("return document.body.innerText"))
            time.sleep(0.02)

    def complaints(self):
        """What has come into the console since this was last asked."""
        return [one["message"] for one in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since this was last asked."""
        events = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        return [
            event["message"]["params"]["request"]["url"]
            for event in events
            if event["message"]["method"] == "Network.requestWillBeSent"
        ]

    def close(self):
        self.driver.quit()


def downloaded(folder, ending):
    """The bytes of the one file with that ending, as soon as the browser has saved it; they are taken
    out of the folder."""
    end = time.monotonic() + 60
    while not (files := list(folder.glob(f"*.{ending}"))):
        assert time.monotonic() < end, [*folder.iterdir()]
        time.sleep(0.05)
    content = files[0].read_bytes()
    files[0].unlink()
    return content


def program(name):
    path = shutil.which(name)
    assert path, f"{name} is missing: install Debian's chromium and chromium-driver"
    return path
