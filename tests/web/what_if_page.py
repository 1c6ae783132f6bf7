# SPDX-License-Identifier: Apache-2.0
"""What someone does on the what-if page."""


class WhatIfPage:
    """A browser on it; what is not here is asked of the browser itself."""

    def __init__(self, browser):
        self.browser = browser

    def __getattr__(self, name):
        return getattr(self.browser, name)

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
        """Where on its slider a value is."""
        return self.run(
            "return railwright.what_if.stops_of(arguments[0]).indexOf(arguments[1])", path, value
        )

    def type(self, path, value):
        """Writes a number into the field of a key."""
        self.run(
            """
            const field = document.querySelector(`[data-path="${arguments[0]}"] input[type=text]`);
            field.value = arguments[1];
            field.dispatchEvent(new Event("input", {bubbles: true}));
            """,
            path,
            value,
        )

    def time_shown(self):
        return self.run("return Number(document.querySelector('#time .num').title)")
