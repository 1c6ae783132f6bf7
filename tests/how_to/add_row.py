# SPDX-License-Identifier: Apache-2.0
"""Adds to a table of the sources what the how-tos say: a header and a row, and nothing else.

usage: add_row.py SOURCE OUTPUT HEADER ROW
"""

import sys
from pathlib import Path


def with_row(text, header, row):
    lines = text.split("\n")
    includes = [i for i, line in enumerate(lines) if line.startswith('#include "')]
    table = next(i for i, line in enumerate(lines) if line.endswith("[] = {"))
    end = next(i for i in range(table, len(lines)) if lines[i].strip() == "};")
    return "\n".join(
        [*lines[: includes[-1] + 1], f'#include "{header}"', *lines[includes[-1] + 1 : end],
         f"    {row},", *lines[end:]]
    )


def main():
    source, output, header, row = sys.argv[1:]
    Path(output).write_text(with_row(Path(source).read_text(), header, row))


if __name__ == "__main__":
    main()
