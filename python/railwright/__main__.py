# SPDX-License-Identifier: Apache-2.0
"""`python -m railwright` and the `railwright` script: the program that comes with the package."""

import os
import sys

from railwright._data import program


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
