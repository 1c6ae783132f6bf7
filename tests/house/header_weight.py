# SPDX-License-Identifier: Apache-2.0
"""What headers weigh. Usage: header_weight.py REPOSITORY [--rank]

The `dev` build compiles every source alone, with all project headers that it includes, directly or
not. A header that many sources include takes no `fields()` of a large struct along (these stand in
its _fields.hpp), and declares what it only refers to. `--rank` lists headers by lines times sources.
"""

import statistics
import sys
from collections import Counter
from pathlib import Path

from include_direction import INCLUDE, resolve, sources

# Lines of project headers that the median source of the product pulls, at most.
MAX_MEDIAN = 4000
# Share of the product's sources that a changed header compiles again, at most.
SCENARIO = "simulation/include/railwright/simulation/scenario"
MAX_REACH = {
    "models/include/railwright/models/software/profile.hpp": 1 / 3,
    f"{SCENARIO}/scenario.hpp": 1 / 3,
    "simulation/include/railwright/simulation/step/costs.hpp": 1 / 2,
}
MAX_FIELDS_REACH = 1 / 8


def project_includes(root):
    """The project headers that each file includes directly."""
    included = {}
    for source in sources(root):
        text = (root / source).read_text(encoding="utf-8")
        targets = (resolve(root, source, match[2]) for match in INCLUDE.finditer(text))
        included[source] = {target for target in targets if target and (root / target).is_file()}
    return included


def pulled_by(source, included):
    """All project headers that the compiler reads with `source`."""
    found, open_files = set(), [source]
    while open_files:
        new = included.get(open_files.pop(), set()) - found
        found |= new
        open_files += new
    return found


def weigh(root):
    """The lines that each source of the product pulls, and the share of sources that headers reach."""
    included = project_includes(root)
    products = [file for file in included if file.endswith(".cpp") and file.split("/")[0] not in ("tests", "examples")]
    lines = {file: len((root / file).read_text(encoding="utf-8").splitlines()) for file in included}
    pulled = {source: pulled_by(source, included) for source in products}
    weights = [sum(lines[header] for header in headers) for headers in pulled.values()]
    reach = Counter(header for headers in pulled.values() for header in headers)
    return weights, {header: count / len(products) for header, count in reach.items()}, lines


def check(root, max_median=MAX_MEDIAN, max_reach=MAX_REACH):
    weights, reach, _ = weigh(root)
    found = []
    if weights and statistics.median(weights) > max_median:
        found.append(f"the median source pulls {statistics.median(weights):.0f} lines, more than {max_median}")
    for header, share in sorted(reach.items()):
        largest = MAX_FIELDS_REACH if header.endswith("_fields.hpp") else max_reach.get(header, 1)
        if share > largest:
            found.append(f"{header} reaches {share:.0%} of the sources, more than {largest:.0%}")
    found += [f"no such header: {header}" for header in max_reach if not (root / header).is_file()]
    return found


def main():
    root = Path(sys.argv[1])
    weights, reach, lines = weigh(root)
    if "--rank" in sys.argv:
        for header, share in sorted(reach.items(), key=lambda item: -item[1] * lines[item[0]])[:40]:
            print(f"{share * len(weights):4.0f} sources x {lines[header]:4d} lines  {header}")
    found = check(root)
    print("\n".join(found) or f"the median of {len(weights)} sources pulls {statistics.median(weights):.0f} lines")
    return 1 if found or not weights else 0


if __name__ == "__main__":
    sys.exit(main())
