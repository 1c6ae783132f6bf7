# SPDX-License-Identifier: Apache-2.0
"""One version, and a changelog that can be read. Usage: releases.py REPOSITORY

CMakeLists.txt has the version of the program and of the Python package. Those who build on the
library ask for it. CHANGELOG.md begins with it, its versions fall, and each has at most 60 lines.
"""

import re
import sys
import tomllib
from pathlib import Path

MAX_LINES = 60
PROJECT = re.compile(r"^project\(railwright VERSION (\d+\.\d+\.\d+) ", re.MULTILINE)
HEADING = re.compile(r"(\d+)\.(\d+)\.(\d+) \(\d{4}-\d\d-\d\d\b.*\)")


def versions_of(changelog):
    """Yields the heading and the number of lines of each version."""
    for part in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        yield part.split("\n", 1)[0], len(part.strip().split("\n"))


def package_version(root):
    """Returns the version that pip reads, by the expression in pyproject.toml."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    rule = project["tool"]["scikit-build"]["metadata"]["version"]
    found = re.search(rule["regex"], (root / rule["input"]).read_text(encoding="utf-8"))
    return found["value"] if found and "version" in project["project"]["dynamic"] else None


def consumers(root, version):
    """Yields the files that ask find_package() for another version."""
    for name in ("tests/package/consumer/CMakeLists.txt", "docs/stability.md"):
        path = root / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for asked in re.findall(r"find_package\(railwright ([\d.]+)", text):
            if not f"{version}.".startswith(f"{asked}."):
                yield f"{name}: asks for railwright {asked}, which is {version}"


def check(root):
    """Returns complaints."""
    project = PROJECT.search((root / "CMakeLists.txt").read_text(encoding="utf-8"))
    if project is None:
        return ["CMakeLists.txt: no version of three numbers"]
    version, found, numbers = project[1], [], []
    if package_version(root) != version:
        found.append(f"pyproject.toml: version {package_version(root)}, in CMakeLists.txt {version}")
    found += consumers(root, version)
    for heading, lines in versions_of((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        if lines > MAX_LINES:
            found.append(f"CHANGELOG.md: {heading}: {lines} lines, at most {MAX_LINES}")
        if heading == "Unreleased" and not numbers:
            continue
        if dated := HEADING.fullmatch(heading):
            numbers.append(tuple(map(int, dated.groups())))
        else:
            found.append(f"CHANGELOG.md: '{heading}' is no version with a date")
    if numbers != sorted(set(numbers), reverse=True):
        found.append("CHANGELOG.md: versions do not fall")
    if not numbers or ".".join(map(str, numbers[0])) != version:
        found.append(f"CHANGELOG.md: the newest version is not {version}, as in CMakeLists.txt")
    return found


if __name__ == "__main__":
    complaints = check(Path(sys.argv[1]).resolve())
    print("\n".join(complaints) or "one version, and a changelog of it")
    sys.exit(bool(complaints))
