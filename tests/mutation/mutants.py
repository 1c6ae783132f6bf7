# SPDX-License-Identifier: Apache-2.0
"""Deliberate faults of formula lines: every one that the operators below can make."""

import re
from dataclasses import dataclass
from pathlib import Path

# Where formulas are, and how many of the seeded faults each folder gets.
FOLDERS = {
    "models/src": 18,
    "topologies/src": 4,
    "core/src/sim": 2,
    "core/src/fabric": 2,
    "core/src/units": 1,
    "simulation/src/step": 2,
    "simulation/src/closed_form": 2,
    "simulation/src/estimator": 1,
    "simulation/src/run": 2,
    "workloads/src/serving": 2,
}
# Files of these folders that check or read input: their faults are what the bad-input tests seek.
NOT_FORMULAS = {"layout_checks.cpp", "hugging_face.cpp", "bill.cpp", "format.cpp", "step_trace.cpp"}


# Faults that are none: the changed line and why nothing can tell.
NO_FAULTS = {
    "double value = 1.0;": "std::from_chars overwrites it, or it is not used",
    "for (std::int32_t link = 0; link <= model.num_links; ++link) engine.network().add_link(1.0);":
        "no flow takes the link behind the last",
    "const std::int64_t load = is_own ? 1 : whole_load(use(f, hop) * rate, scales_[link]);":
        "loads are whole numbers of 2^-61 of a link, and a double does not show one",
}


@dataclass(frozen=True)
class Mutant:
    name: str
    path: str
    line: int
    old: str
    new: str
    operator: str


def number_changed(match):
    text = match.group(0)
    if float(text) == 0.0:
        return "1.0" if "." in text else "1"
    if "." in text or "e" in text:
        return f"({text} * 1.25)"
    return str(int(text) + 1)


# name, pattern, replacement; operators need spaces, which templates and signs do not have.
OPERATORS = [
    ("minus for plus", r" \+ ", " - "),
    ("plus for minus", r" - ", " + "),
    ("divided for times", r" \* ", " / "),
    ("times for divided", r" / ", " * "),
    ("max for min", r"std::min\b", "std::max"),
    ("min for max", r"std::max\b", "std::min"),
    ("floor for ceil", r"std::ceil\b", "std::floor"),
    ("ceil for floor", r"std::floor\b", "std::ceil"),
    ("ceil_div rounds down", r"\bceil_div\(([\w.:()]+), ([\w.:()]+)\)", r"(\1 / \2)"),
    ("<= for <", r" < ", " <= "),
    ("< for <=", r" <= ", " < "),
    (">= for >", r" > ", " >= "),
    ("> for >=", r" >= ", " > "),
    ("term dropped", r" [+-] [\w.:]+(?:\([^()]*\))?(?=[;,)])", ""),
    ("constant changed", r"(?<![\w.\"])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.'\">])", number_changed),
]

SKIPPED = re.compile(
    r"^\s*(//|\*|#|static_assert|constexpr std::string|field\()|operator|fmt::|template|reserve\("
    r"|report\(|require\(|problems|\"|throw"
)


def mutants_of_line(path, number, line):
    """All mutants of one line; none of a comment, a message, or a line that has no formula."""
    code = line.split("//")[0].rstrip()
    if SKIPPED.search(line) or not re.search(r"[-+*/%<>]|std::m(in|ax)|\d\.", code):
        return
    is_formula = re.search(r" [-+*/%] |std::(min|max|ceil|floor)\b|ceil_div|constexpr|\d\.\d", code)
    if not is_formula:
        return
    for operator, pattern, replacement in OPERATORS:
        for match in re.finditer(pattern, code):
            new = replacement(match) if callable(replacement) else match.expand(replacement)
            mutated = code[: match.start()] + new + code[match.end() :] + line[len(code) :]
            yield Mutant(f"{path}:{number}", path, number, line, mutated, operator)


def mutants_of_folder(root, folder):
    mutants = []
    for source in sorted((Path(root) / folder).rglob("*.cpp")):
        if source.name in NOT_FORMULAS:
            continue
        path = str(source.relative_to(root))
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            mutants += mutants_of_line(path, number, line)
    return mutants


def shuffled(root, random):
    """Folder -> its mutants in the order of the seed, no two of one line."""
    result = {}
    for folder in FOLDERS:
        mutants = mutants_of_folder(root, folder)
        random.shuffle(mutants)
        seen = set()
        result[folder] = [m for m in mutants if not (m.name in seen or seen.add(m.name))]
    return result
