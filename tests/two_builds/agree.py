# SPDX-License-Identifier: Apache-2.0
"""Two builds of the program over the example set: the same texts and counts, and numbers that agree
to 1e-12 of their size. Usage: agree.py RAILWRIGHT OTHER_RAILWRIGHT REPOSITORY"""

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


def main():
    one, other, root = (str(Path(word).resolve()) for word in sys.argv[1:4])
    num_bad = 0
    for name, arguments in example_set():
        with tempfile.TemporaryDirectory() as folder:
            made = [run(program, arguments, root, folder) for program in (one, other)]
        found = list(differences(*made))
        num_bad += bool(found)
        print(f"{name}: {'agrees' if not found else f'{len(found)} differences'}", flush=True)
        for difference in found[:5]:
            print(f"  {difference}")
    return 1 if num_bad else 0


if __name__ == "__main__":
    sys.exit(main())
