# SPDX-License-Identifier: Apache-2.0
"""The reference pages name every option, key, number, entry and symbol, each with a sentence."""

import inspect
import re
import subprocess
import sys

import pytest
import railwright as rw
from conftest import REPOSITORY

pytest.importorskip("mkdocs")
yaml = pytest.importorskip("yaml")

DOCS = REPOSITORY / "docs"
CATALOGUE = REPOSITORY / "models" / "catalogue"
EXAMPLES = [
    path
    for path in sorted((REPOSITORY / "examples").glob("*.yaml"))
    if not path.name.startswith(("calibrate-", "offer-"))  # measured runs, offers
]
KINDS = [path for path in sorted(CATALOGUE.iterdir()) if path.name != "track_records"]


@pytest.fixture(scope="module")
def write_reference():
    sys.path.insert(0, str(REPOSITORY / "scripts"))
    try:
        import write_reference
    finally:
        sys.path.pop(0)
    return write_reference


@pytest.fixture(scope="module")
def pages(write_reference):
    return write_reference.pages()


def anchors(page):
    return re.findall(r"\{ #(\S+) \}$|<span id=\"([^\"]+)\">", page.text(), re.MULTILINE)


def names_on(page):
    return {one or other for one, other in anchors(page)}


def test_every_name_has_a_sentence(pages):
    missing = {name: page.missing for name, page in pages.items() if page.missing}
    assert missing == {}
    assert sum(page.names for page in pages.values()) > 1500


def test_a_name_without_a_sentence_is_counted(write_reference):
    page = write_reference.Page()
    page.sentence("documented", "Says what it is.")
    for text in ("", None, " "):
        page.sentence("undocumented", text)
    assert page.names == 4
    assert page.missing == ["undocumented"] * 3


def test_anchors_are_unique(pages):
    for name, page in pages.items():
        found = [one or other for one, other in anchors(page)]
        assert len(found) == len(set(found)), name


def test_every_option_of_every_command_is_there(pages, program):
    names = names_on(pages["reference/commands.md"])
    commands = re.findall(
        r"^  ([a-z]+) ",
        program("--help")[1].partition("Subcommands:")[2].partition("\n\n")[0],
        re.MULTILINE,
    )
    assert len(commands) > 10
    for command in commands:
        assert command in names
        for option in re.findall(r"--([a-z-]+)[ ,]", program(command, "--help")[1]):
            assert option == "help" or f"{command}-{option}" in names, (command, option)


def keys_of(pages):
    """Keys on the page of scenarios, and those of them that name an entry of the catalogue."""
    text = pages["reference/scenario.md"].text()
    found = re.findall(r"\{ #(?:jobs-|queue-|inference-|post_training-|benchmark-)?(\S+) \}\n\n(.*)", text)
    return {key for key, _ in found}, {key for key, line in found if "an entry of" in line}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_keys_of_the_examples_are_there(pages, example):
    """Down to where a catalogue entry begins."""
    keys, entries = keys_of(pages)

    def unknown(path, value):
        # A job has the keys of a scenario, a pool those of a cluster, and some keys are names of one's own.
        forms = {path, path.removeprefix("jobs[]."), path.replace("cluster.pools[].", "cluster."),
                 re.sub(r"[^.]+$", "NAME", path)}
        if not forms & keys:
            yield path
        elif forms & entries or path == "prices":  # a price file is an entry of one's own
            return
        has_keys = any(key.startswith(f"{form}.") for form in forms for key in keys)
        # Numbers by names of one's own are described where their mapping is.
        for key, below in value.items() if isinstance(value, dict) and has_keys else ():
            yield from unknown(f"{path}.{key}", below)
        for below in value if isinstance(value, list) else ():
            for key in below if isinstance(below, dict) else ():
                yield from unknown(f"{path}[].{key}", below[key])

    top = yaml.safe_load(example.read_text(encoding="utf-8"))
    top.pop("include", None)
    assert [one for key, value in top.items() for one in unknown(key, value)] == []


def test_sentences_of_numbers_are_of_numbers_that_there_are(write_reference, pages):
    sentences = yaml.safe_load((DOCS / "results.yaml").read_text(encoding="utf-8"))
    assert set(sentences["numbers"]) == set(rw.NUMBERS)
    assert set(sentences["kinds"]) == {path.name for path in KINDS}


def test_keys_of_a_result_are_there(pages, seven_b):
    names = names_on(pages["reference/results.md"])
    patterns = [re.compile(re.escape(name).replace("NAME", "[^.]+")) for name in names]
    result = rw.estimate(seven_b).to_dict()
    for key in result:
        assert any(p.fullmatch(key) or p.pattern.startswith(f"{key}\\.") for p in patterns), key


@pytest.mark.parametrize("kind", KINDS, ids=lambda path: path.name)
def test_every_entry_is_there(pages, kind):
    names = names_on(pages[f"reference/catalogue/{kind.name}.md"])
    text = pages[f"reference/catalogue/{kind.name}.md"].text()
    for path in kind.glob("*.yaml"):
        assert path.stem in names
        for source in re.findall(
            r"^    source: (\w{12,})", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert source in text


def test_every_public_name_of_python_is_there(pages):
    names = names_on(pages["reference/python.md"])
    for name in rw.__all__:
        value = getattr(rw, name)
        if inspect.ismodule(value):
            continue
        assert name in names
        if inspect.isclass(value) and not issubclass(value, Exception):
            for member in vars(value):
                if not member.startswith("_"):
                    assert f"{name}.{member}" in names
    assert {f"plot.{name}" for name in rw.plot.__all__} <= names
    assert {"catalogue.entry", "catalogue.entries", "catalogue.kinds", "Scenario.load"} <= names


def test_a_site_without_the_program_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("RAILWRIGHT_PROGRAM", str(tmp_path / "nowhere"))
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "-f",
        REPOSITORY / "mkdocs.yml",
        "-d",
        tmp_path,
    ]
    done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=600)
    assert done.returncode != 0
    assert "Build the site with build/venv/bin/mkdocs" in done.stdout + done.stderr
