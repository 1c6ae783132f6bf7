# SPDX-License-Identifier: Apache-2.0
"""What someone does on the what-if page, and what the program says of the same."""

import json

from serving import EXAMPLES, run

SIMULATED = "document.body.dataset.state === 'fits simulate'"
# The other design's own answer is there too.
SIDE_BY_SIDE = SIMULATED + " && document.querySelector('#designs:not(.late) #designs-table')"


def holds(path, value):
    return f"railwright.what_if.state.values[{path!r}] === {json.dumps(value)} && "


def simulated(*settings):
    """What the program says of the page's scenario with these settings; of what fits, or does not."""
    flags = [flag for one in settings for flag in ("--set", one)]
    out = run("simulate", EXAMPLES / "neutral-llama-2-7b.yaml", *flags, "--format", "json")[1]
    return json.loads(out)


class WhatIfPage:
    """A browser on it; what is not here is asked of the browser itself."""

    def __init__(self, browser):
        self.browser = browser

    def __getattr__(self, name):
        return getattr(self.browser, name)

    def move(self, path, index):
        """Drags the slider of a key to one of its stops, as a hand does: an event for each place."""
        self.write(f'[data-path="{path}"] input[type=range]', index, "input")

    def choose(self, path, value):
        self.write(f'[data-path="{path}"] select', value)

    def stop_of(self, path, value):
        """Where on its slider a value is."""
        return self.run(
            "return railwright.what_if.stops_of(arguments[0]).indexOf(arguments[1])", path, value
        )

    def type(self, path, value):
        """Writes a number into the field of a key."""
        self.write(f'[data-path="{path}"] input[type=text]', value, "input")

    def time_shown(self):
        return self.run("return Number(document.querySelector('#time .num').title)")
