#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the keys of a scenario that no example, suite, catalogue entry or document uses.

    scripts/unused_keys.py build/release/bin/railwright
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = ("examples", "validation/data", "models/catalogue")
OF_EVERY_VALUE = {"value", "source", "estimate", "range", "include", "model"}


def keys_of(schema):
    """Every key of the schema, with the definitions or sections that have it."""
    found = {}

    def walk(node, place):
        if isinstance(node, list):
            for one in node:
                walk(one, place)
        if not isinstance(node, dict):
            return
        for key, value in node.get("properties", {}).items():
            found.setdefault(key, set()).add(place)
            walk(value, key)
        for name, value in node.items():
            if name != "properties" and isinstance(value, (dict, list)):
                walk(value, place)

    for name, definition in schema["$defs"].items():
        walk(definition, name.removesuffix("_overrides").removesuffix("_with_include"))
    return found


def main():
    answer = subprocess.run([sys.argv[1], "schema"], check=True, capture_output=True, text=True)
    files = [path for folder in WRITTEN for path in (ROOT / folder).rglob("*.yaml")]
    written = set()
    for path in files:
        written.update(re.findall(r"(\w+)\"?\s*[:=]", path.read_text(errors="replace")))
    documents = " ".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    words = set(re.findall(r"\w+", documents))
    for key, places in sorted(keys_of(json.loads(answer.stdout)).items()):
        if key in written or key in OF_EVERY_VALUE:
            continue
        documented = "in a document" if key in words else "nowhere"
        print(f"{key:28} {documented:14} {', '.join(sorted(places))}")


if __name__ == "__main__":
    main()
