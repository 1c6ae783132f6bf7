#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference pages of the site: commands, scenario keys, results, catalogue, Python.

The pages come from the program, its schema, docs/results.yaml and the sources of the Python
package. scripts/site_hooks.py adds them to the site while it is built, so they are not committed.

usage: scripts/write_reference.py --missing     lists the names without a sentence
       scripts/write_reference.py FOLDER        writes the pages there

The program is $RAILWRIGHT_PROGRAM, or the one beside the running Python.
"""

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "railwright"
CATALOGUE = ROOT / "models" / "catalogue"
RESULTS = ROOT / "docs" / "results.yaml"
PROGRAM = os.environ.get("RAILWRIGHT_PROGRAM", str(Path(sys.executable).parent / "railwright"))


@dataclass
class Page:
    """A page of Markdown, and its names without a sentence."""

    lines: list = field(default_factory=list)
    names: int = 0
    missing: list = field(default_factory=list)

    def add(self, *lines):
        self.lines.extend(lines)

    def sentence(self, name, text):
        """Returns `text`, the sentence about `name`; without one, notes the name as missing."""
        self.names += 1
        if len((text or "").split()) < 2 and not (text or "").rstrip().endswith("."):
            self.missing.append(name)
        return text or ""

    def table(self, header, rows):
        """Adds a table; its cells are Markdown."""
        self.add("", "| " + " | ".join(header) + " |", "|" + "---|" * len(header))
        self.add(*("| " + " | ".join(row) + " |" for row in rows), "")

    def entry(self, name, anchor, sentence, facts):
        """Adds an entry that the site's search finds: a heading, a sentence, and short facts in
        Markdown."""
        facts = ", ".join(fact for fact in facts if fact)
        sentence = sentence.rstrip(".") + "."
        self.add(
            "",
            f"#### {plain(name)} {{ #{anchor} }}",
            "",
            f"{sentence} *{facts}*" if facts else sentence,
        )

    def text(self):
        return "\n".join(self.lines) + "\n"


def plain(text):
    """Escapes text for Markdown; code between backticks stays code."""
    parts = re.split(r"(`[^`]*`)", str(text))
    for i in range(0, len(parts), 2):
        part = parts[i].replace("&", "&amp;").replace("<", "&lt;")
        part = part.replace("{", "&#123;").replace("}", "&#125;")  # no attribute of a heading
        parts[i] = re.sub(r"([\\*_\[\]])", r"\\\1", part)
    return "".join(parts).replace("|", "\\|").replace("\n", " ")


def code(text):
    """Returns text as a code span of a table; a code span cannot be empty."""
    text = str(text).replace("|", "\\|").replace("\n", " ")
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}" if text else ""


def run(*arguments):
    """Returns the program's output; it reads the catalogue of this checkout."""
    environment = {**os.environ, "RAILWRIGHT_CATALOGUE_PATH": str(CATALOGUE)}
    command = [PROGRAM, *arguments]
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, env=environment, timeout=60, cwd=ROOT
    )
    return done.stdout


# ---- commands ----

TEXT = 30  # the column in which a sentence of `--help` begins


@dataclass
class Help:
    """The parsed `--help` of a command."""

    about: str
    usage: str
    sections: dict  # title: list of (what to type, sentence)


def help_of(words):
    about, usage, sections, entries = [], "", {}, None
    for line in run(*words, "--help").splitlines():
        title = re.fullmatch(r"([A-Z]\w*):", line)
        if title:
            entries = sections.setdefault(title[1], [])
        elif line.startswith("Usage: "):
            usage = line.removeprefix("Usage: ")
        elif entries is None:
            about.append(line)
        elif line.startswith(" " * TEXT):  # the sentence of a long name is on the next line
            typed, sentence = entries[-1]
            entries[-1] = (typed, f"{sentence} {line.strip()}".strip())
        elif not line.strip():
            entries = []  # of no section: what follows one before the next title
        else:
            typed, sentence = line[:TEXT].strip(), line[TEXT:].strip()
            if line[TEXT - 1 : TEXT].strip():  # a long name has the line to itself
                typed, sentence = line.strip(), ""
            entries.append((typed, sentence))
    return Help(" ".join(about).strip(), usage, sections)


def command_page():
    page = Page()
    page.add(
        "# Commands",
        "",
        "Each command and each of its options, as `railwright COMMAND --help` prints them. Exit",
        "codes: 0 answered, 2 wrong input, 3 the design does not fit.",
        "",
        "[Read the output](../how_to/read_the_output.md) explains what the commands print,",
        "[results](results.md) lists the numbers.",
    )
    whole = help_of([])
    page.table(
        ["command", "what it answers"],
        [
            [f"[`{verb}`](#{verb})", plain(page.sentence(verb, sentence))]
            for verb, sentence in whole.sections["Subcommands"]
        ],
    )
    for verb, _ in whole.sections["Subcommands"]:
        add_command(page, [verb], 2)
    return page


def add_command(page, words, level):
    told = help_of(words)
    name = " ".join(words)
    page.add(
        "",
        f"{'#' * level} {name} {{ #{'-'.join(words)} }}",
        "",
        f"{plain(told.about)}.".replace("..", "."),
        "",
    )
    page.add(f"`{told.usage}`")
    for typed, sentence in told.sections.get("Positionals", []) + told.sections["Options"]:
        flag = typed.split()[0].split(",")[-1]
        if flag == "--help":
            continue
        default = re.search(r" ?\(default: (.*?)\)$", sentence)
        sentence = sentence[: default.start()] if default else sentence
        required = typed.endswith(" REQUIRED")
        typed = typed.removesuffix(" REQUIRED").replace("FORMAT:{", "{").replace("...", "…")
        repeatable = sentence.endswith("; repeatable")
        facts = [
            "required" if required else "",
            "repeatable" if repeatable else "",
            f"default {code(default[1])}" if default else "",
        ]
        page.entry(
            f"{name} {typed}",
            "-".join([*words, flag.strip("-")]),
            plain(page.sentence(f"{name} {flag}", sentence.removesuffix("; repeatable"))),
            facts,
        )
    for verb, sentence in told.sections.get("Subcommands", []):
        page.sentence(f"{name} {verb}", sentence)
        add_command(page, [*words, verb], level + 1)


# ---- keys ----

UNIT = re.compile(r" ?\(([^()]*(?:\([^()]*\)[^()]*)*)\)$")  # the last parenthesis of a description


def range_in_words(form):
    low, high = form.get("minimum"), form.get("maximum")
    above, below = form.get("exclusiveMinimum"), form.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{low:,.10g} to {high:,.10g}"
    words = {"greater than": above, "at least": low, "less than": below, "at most": high}
    return ", ".join(f"{word} {value:,.10g}" for word, value in words.items() if value is not None)


class Keys:
    """The keys of the schema."""

    def __init__(self, schema, kinds):
        self.definitions = schema["$defs"]
        self.kinds = kinds

    def kind_of(self, name):
        """Returns the kind of catalogue entry that a definition describes, or None."""
        name = name.removesuffix("_overrides").removesuffix("_of_any_shape")
        return name if name in self.kinds else None

    def resolved(self, node):
        """Follows a node's reference; returns the definition and its name."""
        if "$ref" not in node:
            return node, None
        name = node["$ref"].removeprefix("#/$defs/")
        return self.definitions[name], name

    def forms(self, node):
        """Returns the alternatives of a node, except null, a value with its source, and overrides
        of a catalogue entry."""
        node, name = self.resolved(node)
        if name and name.endswith("_overrides"):
            return []
        if "anyOf" in node:
            return [form for one in node["anyOf"] for form in self.forms(one)]
        members = set(node.get("properties", {}))
        changes = "description" not in node.get("properties", {}).get("model", {"description": ""})
        is_sourced = members - {"range"} == {"value", "source", "estimate"}
        if node.get("type") == "null" or is_sourced or changes:
            return []
        return [node]

    def objects(self, node):
        """Returns the alternatives that have keys."""
        return [
            form
            for form in self.forms(node)
            if "properties" in form or isinstance(form.get("additionalProperties"), dict)
        ]

    def rows(self, path, node):
        """Yields (path, node with its description, whether it is required) for every key below."""
        objects = self.objects(node)
        names = [form.get("properties", {}).get("topology", {}).get("const") for form in objects]
        done = set()
        if len(objects) > 1 and all(names):
            text = "How the fabric is built; the other keys depend on it."
            yield f"{path}.topology", {"enum": names, "description": text}, True
            done.add("topology")
        for form in objects:
            for key, value in form.get("properties", {}).items():
                if key in done:
                    continue
                done.add(key)
                holders = [other for other in objects if key in other["properties"]]
                if len(holders) < len(objects) and all(names):
                    of = [name for name, other in zip(names, objects) if other in holders]
                    value = {
                        **value,
                        "description": f"{value['description']} With {', '.join(of)}.",
                    }
                required = all(key in other.get("required", []) for other in holders)
                below = f"{path}.{key}" if path else key
                yield below, value, required and (len(holders) == len(objects) or all(names))
                yield from self.below(below, value)
            others = form.get("additionalProperties")
            if isinstance(others, dict):
                yield from self.below(f"{path}.NAME", others)

    def below(self, path, value):
        """Yields the keys below a key's value, unless it is a catalogue entry."""
        if self.entry_kind(value):
            return
        for form in self.forms(value):
            if "items" in form:
                yield from self.below(f"{path}[]", form["items"])
        yield from self.rows(path, value)

    def entry_kind(self, value):
        """Returns the kind of catalogue entry that a key names, or None."""
        node, name = self.resolved(value)
        if name and self.kind_of(name):
            return self.kind_of(name)
        for form in node.get("anyOf", []):
            if self.entry_kind(form):
                return self.entry_kind(form)
        return None

    def form_of(self, value, up):
        """Describes the allowed values in words."""
        kind = self.entry_kind(value)
        if kind:
            return f"an entry of [{kind}]({up}catalogue/{kind}.md)"
        if self.objects(value):
            return "keys"
        words = [self.word_of(form, up) for form in self.forms(value)]
        return " or ".join(dict.fromkeys(words))

    def word_of(self, form, up):
        if "enum" in form:
            return ", ".join(code(one) for one in form["enum"])
        if "const" in form:
            return code(form["const"])
        if "items" in form:
            return f"list of {self.form_of(form['items'], up)}".replace("integer", "integers")
        words = {
            "string": "text",
            "integer": "integer",
            "number": "number",
            "boolean": "true or false",
        }
        kind = form.get("type", "")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "string" and "pattern" in form:
            return "quantity"
        return words.get(kind, "as described")

    def range_of(self, value):
        ranges = [range_in_words(form) for form in self.forms(value)]
        return " or ".join(dict.fromkeys(one for one in ranges if one))

    def entry(self, page, anchor, path, value, required, up):
        """Adds a key with its meaning and its allowed values."""
        text = value.get("description", "")
        unit, limits = self.form_of(value, up), self.range_of(value)
        found = UNIT.search(text)
        if found and " (such as " in found[1]:
            quantity, _, rest = found[1].partition("; ")
            unit, limits, text = plain(quantity), rest or limits, text[: found.start()]
        default = "required" if required else ""
        if "default" in value:
            default = f"default {code(json.dumps(value['default']).strip(chr(34)))}"
        page.entry(path, anchor, plain(page.sentence(path, text)), [unit, limits, default])

    def add_to(self, page, prefix, path, node, up):
        for below, value, required in self.rows(path, node):
            self.entry(page, f"{prefix}{below}", below, value, required, up)


def scenario_page(keys):
    page = Page()
    page.add(
        "# Scenario keys",
        "",
        "Every key of a scenario, from `railwright schema`. `a.b` is key `b` of key `a`, `a[]` is",
        "each element of a list, `NAME` is a name of your choice. A quantity is text with its",
        "unit, such as `400 Gb/s`; a number from somewhere can also be written as `{value: …,",
        "source: …, estimate: true}`. A key without a default is optional unless it is required.",
        "Keys of catalogue entries are on the page of their [kind](catalogue/index.md); a",
        "scenario can change each of them.",
    )
    whole = keys.definitions["scenario"]
    required = set(whole["required"])
    page.add("", "## A training job")
    single = [
        name for name, value in whole["properties"].items() if not list(keys.below(name, value))
    ]
    for name in single:
        keys.entry(page, name, name, whole["properties"][name], name in required, "")
    for name, value in whole["properties"].items():
        if name not in single:
            text = page.sentence(name, value.get("description"))
            page.add(
                "",
                f"## {name} {{ #{name} }}",
                "",
                plain(text) + (" Required." if name in required else ""),
            )
            keys.add_to(page, "", name, value, "")
    known = {path: value.get("description") for path, value, _ in keys.rows("", whole)}
    for name, title, about in (
        ("jobs", "Several jobs", "Jobs that share a cluster and its storage."),
        ("queue", "Queue of jobs", "Jobs that wait for accelerators of a cluster."),
        ("inference", "Inference", "A cluster that serves a model."),
        ("post_training", "Post-training", "A trainer and an engine that generates its samples."),
        ("benchmark", "Benchmark", "A collective operation alone, without a model."),
    ):
        page.add("", f"## {title}", "")
        page.add(f"{about} The scenario has the key `{name}`. Keys that mean the same as in a")
        page.add("training job are left out.")
        for path, value, needed in keys.rows("", keys.definitions[name]):
            if known.get(path.removeprefix("jobs[].")) != value.get("description"):
                keys.entry(page, f"{name}-{path}", path, value, needed, "")
    return page


# ---- catalogue ----


def catalogue_pages(keys, entries, about):
    index = Page()
    index.add(
        "# Catalogue",
        "",
        "The devices, models, stacks and sites that scenarios name. An entry has its values with",
        "their sources; *estimate* marks a value that no source states for this very device. An",
        "entry can begin with another one: `model: h100-sxm`, then the keys that differ. [Add a",
        "device](../../how_to/add_a_device.md) says how to add an entry, or change one in a",
        "scenario.",
    )
    index.table(
        ["kind", "entries", "what it holds"],
        [
            [
                f"[{title_of(kind)}]({kind}.md)",
                str(len(of_kind)),
                plain(index.sentence(kind, about.get(kind))),
            ]
            for kind, of_kind in sorted(entries.items())
        ],
    )
    pages = {"index": index}
    for kind, of_kind in entries.items():
        pages[kind] = entries_page(keys, kind, of_kind, about.get(kind, ""))
    return pages


NAMES = {"nics": "NICs", "cpu_nodes": "CPU nodes"}


def title_of(kind):
    return NAMES.get(kind, kind.replace("_", " ").capitalize())


def entries_page(keys, kind, of_kind, about):
    page = Page()
    page.add(
        f"# {title_of(kind)}", "", f"{plain(about)} See [keys of an entry](#keys-of-an-entry)."
    )
    page.table(
        ["entry", "description"],
        [
            [
                f"[`{one['name']}`](#{one['name']})",
                plain(page.sentence(one["name"], one["description"])),
            ]
            for one in of_kind
        ],
    )
    for one in of_kind:
        page.add("", f"## {one['name']} {{ #{one['name']} }}", "", f"{plain(one['description'])}.")
        page.table(["key", "value", "", "source"], list(value_rows(kind, one["name"])))
    page.add("", "## Keys of an entry", "")
    definition = next(
        (name for name in (f"{kind}_of_any_shape", kind) if name in keys.definitions), None
    )
    if definition:
        keys.add_to(page, "key-", "", keys.definitions[definition], "../")
    else:  # a fabric's keys are those of a scenario
        page.add("The keys are those of [`cluster.fabric`](../scenario.md#cluster.fabric).")
    return page


def value_rows(kind, name):
    """Yields the cells of an entry's values: key, value, "estimate" or nothing, source."""
    shown = run("catalogue", "show", f"{kind}/{name}")
    for line in re.split(r"\n-+\n", shown, maxsplit=1)[1].splitlines():
        key, value, *rest = re.split(r" {2,}", line.strip(), maxsplit=2)
        rest = rest[0] if rest else ""
        estimate = "*estimate*" if rest.split(" ")[0] == "estimate" else ""
        source = plain(rest.removeprefix("estimate").strip() if estimate else rest)
        entry = re.fullmatch(r"see (\w+)/(\S+)", rest)
        if entry:
            source = f"[{entry[1]}/{entry[2]}]({entry[1]}.md#{entry[2]})"
        yield [code(key), plain(value), estimate, source]


# ---- results ----


def result_page(numbers, sentences):
    page = Page()
    page.add(
        "# Results",
        "",
        "Every number of a result of `simulate`, by its place in the JSON that `--format json`",
        "prints, and in Python: `result.storage.checkpoint_bytes`. Numbers are in SI base units,",
        "which the ends of the names repeat; a share is from 0 to 1. A `*` stands for a name,",
        "such as of a tier of the fabric. The column is that of tables of `sweep`.",
        "",
        "A result has only the numbers that its scenario has the means for: without",
        "`cluster.storage` there are none of storage. [Read the",
        "output](../how_to/read_the_output.md) says what to look at first.",
    )
    groups = {}
    for path, number in numbers.items():
        groups.setdefault(path.partition(".")[0] if "." in path else "", []).append(number)
    for group, members in groups.items():
        page.add("", f"## {group or 'The step and the job'}")
        for number in members:
            path = number["path"]
            unit = number["unit"] or {"percent": "share"}.get(number["format"], "")
            column = f"column {code(number['column'])} of sweeps" if number["column"] else ""
            text = page.sentence(path, sentences["numbers"].get(path))
            page.entry(path, path.replace("*", "NAME"), text, [unit, column])
    page.add("", "## What is not a number")
    for path, text in sentences["texts"].items():
        page.entry(path, path, page.sentence(path, text), [])
    return page


# ---- Python ----


def definitions_of(path):
    """Maps the names that a module of the package defines or imports from the package to their
    nodes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {}
    for i, node in enumerate(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("railwright."):
            other = PACKAGE.parent / (node.module.replace(".", "/") + ".py")
            if other.is_file() and other != path:
                below = definitions_of(other)
                found.update({one.name: below[one.name] for one in node.names if one.name in below})
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            after = tree.body[i + 1] if i + 1 < len(tree.body) else None
            if isinstance(target, ast.Name):
                found[target.id] = after if is_text(after) else None
    return found


def is_text(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def names_of(path):
    """Returns `__all__` of a module, or else its public functions."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return [name for name in definitions_of(path) if not name.startswith("_") and name[0].islower()]


def docstring(node):
    """Returns a docstring as Markdown."""
    if node is None:
        return ""
    text = node.value.value if isinstance(node, ast.Expr) else ast.get_docstring(node)
    return re.sub(r"(?<![`\w])(\*+\w+)", r"`\1`", (text or "").strip())


def signature(name, node):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({arguments}){returns}"
    if len(line) <= 88:
        return line
    depth, parts, start = 0, [], 0
    for i, sign in enumerate(arguments):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append(arguments[start:i].strip())
            start = i + 1
    parts.append(arguments[start:].strip())
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){returns}"])


def heading(name):
    """Returns a heading whose anchor is the name itself."""
    return f"{plain(name)} {{ #{name} }}"


def is_property(node):
    return any(getattr(one, "id", "") == "property" for one in node.decorator_list)


def members_of(node, classes):
    """Returns public methods and properties, including those of private bases."""
    found = {}
    for base in node.bases:
        name = getattr(base, "id", "")
        if name.startswith("_") or name == "Reported":
            below = classes.get(name)
            found.update(members_of(below, classes) if below else {})
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            found[one.name] = one
    return found


def python_page():
    page = Page()
    page.add(
        "# Python",
        "",
        "The package `railwright`, from its docstrings; [use it from",
        "Python](../how_to/use_from_python.md) has examples. The attributes of a result are the",
        "keys of the program's JSON: see [results](results.md).",
        "",
        "    import railwright as rw",
        "",
    )
    classes = {
        node.name: node
        for path in PACKAGE.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    modules = [
        ("railwright", "", PACKAGE / "__init__.py"),
        ("railwright.catalogue", "catalogue.", PACKAGE / "catalogue.py"),
        ("railwright.plot", "plot.", PACKAGE / "plot" / "__init__.py"),
    ]
    for module, prefix, path in modules:
        found = definitions_of(path)
        nodes = {
            name: found.get(name) for name in names_of(path) if name not in ("catalogue", "plot")
        }
        if prefix:
            page.add(
                "",
                f"## {module}",
                "",
                page.sentence(module, docstring(ast.parse(path.read_text()))),
            )
        groups = {
            "Functions": [n for n in nodes if isinstance(nodes[n], ast.FunctionDef)],
            "Classes": [n for n in nodes if isinstance(nodes[n], ast.ClassDef)],
            "Constants": [
                n for n in nodes if not isinstance(nodes[n], (ast.FunctionDef, ast.ClassDef))
            ],
        }
        for title, names in groups.items():
            if names and not prefix:
                page.add("", f"## {title}")
            for name in sorted(names, key=str.lower):
                add_symbol(page, prefix + name, nodes[name], classes)
    return page


def add_symbol(page, name, node, classes):
    page.add("", f"### {heading(name)}", "")
    if isinstance(node, ast.FunctionDef):
        page.add("```python", signature(name, node), "```", "")
    page.add(page.sentence(name, docstring(node)))
    if not isinstance(node, ast.ClassDef):
        return
    public = [ast.unparse(base) for base in node.bases]
    public = [base for base in public if not base.startswith("_") and base != "Reported"]
    if any(getattr(base, "id", "").startswith("_") for base in node.bases) and name != "Result":
        public = public or ["Result"]
    if public:
        page.add("", "Base: " + ", ".join(f"`{base}`" for base in public) + ".")
    for member, one in sorted(members_of(node, classes).items()):
        page.add("", f"#### {heading(f'{name}.{member}')}", "")
        if is_property(one):
            returns = f": {ast.unparse(one.returns)}" if one.returns else ""
            page.add("```python", f"{name}.{member}{returns}", "```", "")
        else:
            page.add("```python", signature(f"{name}.{member}", one), "```", "")
        page.add(page.sentence(f"{name}.{member}", docstring(one)))


# ---- all ----


def pages():
    """Returns every page, by its address below docs."""
    from railwright import NUMBERS

    schema = json.loads(run("schema"))
    entries = json.loads(run("catalogue", "list", "--format", "json"))
    entries.pop(
        "track_records", None
    )  # written by a script, with the figures of docs/validation.md
    with RESULTS.open(encoding="utf-8") as file:
        sentences = yaml.safe_load(file)
    keys = Keys(schema, set(entries))
    made = {
        "reference/commands.md": command_page(),
        "reference/scenario.md": scenario_page(keys),
        "reference/results.md": result_page(NUMBERS, sentences),
        "reference/python.md": python_page(),
    }
    for kind, page in catalogue_pages(keys, entries, sentences["kinds"]).items():
        made[f"reference/catalogue/{kind}.md"] = page
    return made


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    made = pages()
    if sys.argv[1] != "--missing":
        for name, page in made.items():
            path = Path(sys.argv[1]) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page.text(), encoding="utf-8")
        return 0
    missing = [f"{name}: {one}" for name, page in made.items() for one in page.missing]
    print(*missing, sep="\n", end="\n" if missing else "")
    print(f"{sum(page.names for page in made.values())} names, {len(missing)} without a sentence")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
