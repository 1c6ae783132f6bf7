# SPDX-License-Identifier: Apache-2.0
"""Two builds of the program over the example set: the same texts and counts, and numbers that agree
to 1e-12 of their size. What a build said can be stored and stand for it.

    agree.py ONE OTHER REPOSITORY                   ONE and OTHER: a program, or FILE.json
    agree.py --store FILE.json RAILWRIGHT REPOSITORY
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from example_set import TABLE, example_set

TOLERANCE = 1e-12


def differences(one, other, path=""):
    """Paths at which two JSON values differ by more than rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            yield f"{path}: keys {list(one)} and {list(other)}"
            return
        for key in one:
            yield from differences(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            yield f"{path}: {len(one)} and {len(other)} items"
            return
        for i, (a, b) in enumerate(zip(one, other)):
            yield from differences(a, b, f"{path}/{i}")
    elif isinstance(one, float) and isinstance(other, float):
        if abs(one - other) > TOLERANCE * max(abs(one), abs(other)):
            yield f"{path}: {one!r} and {other!r}"
    elif type(one) is not type(other) or one != other:
        yield f"{path}: {one!r} and {other!r}"


def run(program, arguments, root, folder):
    """The exit code, and what it says as JSON: of a sweep its rows too."""
    table = Path(folder) / "table.jsonl"
    for left in Path(folder).iterdir():
        left.unlink()
    words = [str(table) if word == TABLE else word for word in arguments]
    made = subprocess.run(
        [program, *words], cwd=root, capture_output=True, text=True, timeout=600, check=False
    )
    if made.returncode not in (0, 3):
        raise SystemExit(f"{program} {' '.join(words)}: exit code {made.returncode}: {made.stderr}")
    said = json.loads(made.stdout)
    if not table.exists():
        return made.returncode, said
    # What the sweep says of itself is how long it took and where the rows are.
    return made.returncode, [json.loads(row) for row in table.read_text().splitlines()]


def outputs(side, root):
    """What a build says of each run of the set, or what one said: {name: [exit code, JSON]}."""
    if side.endswith(".json"):
        return json.loads(Path(side).read_text(encoding="utf-8"))
    made = {}
    for name, arguments in example_set():
        with tempfile.TemporaryDirectory() as folder:
            made[name] = run(str(Path(side).resolve()), arguments, root, folder)
    return made


def main():
    store = sys.argv[1:2] == ["--store"]
    one, other, root = sys.argv[2 if store else 1 :]
    if store:
        Path(one).write_text(json.dumps(outputs(other, root)), encoding="utf-8")
        return 0
    one, other = outputs(one, root), outputs(other, root)
    num_bad = 0
    for name in sorted({*one, *other}):
        found = list(differences(one.get(name), other.get(name)))
        num_bad += bool(found)
        print(f"{name}: {'agrees' if not found else f'{len(found)} differences'}", flush=True)
        for difference in found[:5]:
            print(f"  {difference}")
    return 1 if num_bad else 0


if __name__ == "__main__":
    sys.exit(main())
