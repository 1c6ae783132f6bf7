# SPDX-License-Identifier: Apache-2.0
"""What every file must be. Usage: source_files.py REPOSITORY

Every source is in a CMake list, every header is listed or included, every file of code carries
its licence, and nothing points outside the repository.
"""

import re
import sys
from pathlib import Path

SKIP = {"build", "dist", "__pycache__", "node_modules"}
LICENCE = "SPDX-License-Identifier: Apache-2.0"
OUTSIDE = "../" + "shared"
TEXT = {".cpp", ".hpp", ".py", ".cmake", ".txt", ".md", ".yaml", ".yml", ".toml", ".json", ".sh"}
TEXT |= {".in", ".ipynb", ".csv", ".bib", ""}


def files(root):
    """Repository files, without hidden folders and build results."""
    for path in sorted(root.iterdir()):
        if path.name in SKIP or path.name == ".git":
            continue
        if path.is_dir():
            if not path.name.startswith(".") or path.name == ".ci":
                yield from files(path)
        elif path.is_file() and not path.is_symlink():
            yield path


def listed_in_cmake(root, paths):
    """Absolute paths of every file that some CMakeLists.txt names."""
    listed = set()
    for path in paths:
        if path.name != "CMakeLists.txt":
            continue
        text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
        text = text.replace("${CMAKE_CURRENT_SOURCE_DIR}", str(path.parent))
        text = text.replace("${PROJECT_SOURCE_DIR}", str(root))
        for word in re.findall(r"[^\s()\"';]+\.[ch]pp\b", text):
            found = path.parent.glob(word) if "*" in word else [path.parent / word]
            listed.update(one.resolve() for one in found)
    return listed


def orphans(root, paths):
    listed = listed_in_cmake(root, paths)
    code = [p for p in paths if p.suffix in (".cpp", ".hpp")]
    included = set()
    for path in code:
        for name in re.findall(r'#\s*include\s*["<]([^">]+)[">]', path.read_text(encoding="utf-8")):
            included.add((path.parent / name).resolve())
            included.add((root / path.relative_to(root).parts[0] / "src" / name).resolve())
            if name.startswith("railwright/"):
                included.add((root / name.split("/")[1] / "include" / name).resolve())
    for path in code:
        alive = listed if path.suffix == ".cpp" else listed | included
        if path.resolve() not in alive:
            where = "CMakeLists.txt" if path.suffix == ".cpp" else "CMakeLists.txt or #include"
            yield f"{path.relative_to(root)}: named by no {where}"


def comment_mark(path):
    if path.suffix in (".cpp", ".hpp"):
        return "// "
    if path.suffix in (".py", ".cmake", ".sh") or path.name == "CMakeLists.txt":
        return "# "
    return "# " if path.suffix == "" and path.parent.name in ("scripts", ".ci") else None


def unlicensed(root, paths):
    for path in paths:
        mark = comment_mark(path)
        if mark and mark + LICENCE not in path.read_text(encoding="utf-8").splitlines()[:3]:
            yield f"{path.relative_to(root)}: first lines lack '{mark}{LICENCE}'"


def pointing_outside(root, paths):
    for path in paths:
        if path.suffix in TEXT and OUTSIDE in path.read_text(encoding="utf-8", errors="replace"):
            yield f"{path.relative_to(root)}: mentions {OUTSIDE}"


def check(root):
    paths = list(files(root))
    return [*orphans(root, paths), *unlicensed(root, paths), *pointing_outside(root, paths)]


def main():
    root = Path(sys.argv[1]).resolve()
    found = check(root)
    print("\n".join(found) or f"{len(list(files(root)))} files are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
