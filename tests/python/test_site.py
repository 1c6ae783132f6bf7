# SPDX-License-Identifier: Apache-2.0
"""The documents as a site: it builds without a warning, asks no network for anything, and says of
its sources and its code what is there."""

import re
import subprocess
import sys
import textwrap
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
MODEL_PAGES = [page for page in PAGES if page.parent.name == "models" and page.stem != "README"]
CODE = {".cpp", ".hpp", ".py", ".yaml", ".ipynb"}
CITATION = re.compile(r"\[@([A-Za-z0-9_]+)\]")
ADDRESSES = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src"}

pytest.importorskip("mkdocs")


class Addresses(HTMLParser):
    """What a page loads, and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.links = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        address = dict(attributes).get(ADDRESSES.get(tag, ""))
        if address:
            (self.links if tag == "a" else self.loaded).append(address)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = build(REPOSITORY / "mkdocs.yml", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        page.relative_to(folder).as_posix(): Addresses(page.read_text(encoding="utf-8"))
        for page in folder.rglob("*.html")
    }, folder


def build(config, folder):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    return subprocess.run(
        [*command, "--config-file", config, "--site-dir", folder],
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
    )


def page_of(source):
    relative = source.relative_to(DOCS).with_suffix(".html").as_posix()
    return relative.replace("README.html", "index.html")


def test_every_page_is_built_and_in_the_navigation(built):
    pages, _ = built
    start = {urlsplit(link).path for link in pages["index.html"].links}
    for source in PAGES:
        assert page_of(source) in pages
        assert page_of(source) in start, f"{source.name} is not in the navigation"


def test_nothing_is_loaded_from_elsewhere(built):
    pages, folder = built
    for name, page in pages.items():
        for address in page.loaded:
            assert not urlsplit(address).scheme and not address.startswith("//"), (name, address)
    for style in folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        found = re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//[^)'\";]*", text)
        assert not found, (style.name, found)


def test_what_is_loaded_and_linked_is_there(built):
    pages, folder = built
    for name, page in pages.items():
        if name == "404.html":  # its addresses begin at the server's root
            continue
        for address in [*page.loaded, *page.links]:
            parts = urlsplit(address)
            if not parts.scheme and parts.path:
                assert (folder / name).parent.joinpath(parts.path).exists(), (name, address)


def test_links_to_elsewhere_are_well_formed(built):
    pages, _ = built
    for name, page in pages.items():
        for address in page.links:
            parts = urlsplit(address)
            if parts.scheme:
                assert parts.scheme in ("http", "https"), (name, address)
                assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc), (name, address)
                assert not re.search(r"[\s<>{}\\]", address), (name, address)


def test_a_link_leads_to_its_anchor(built):
    pages, folder = built
    for name, page in pages.items():
        for address in page.links:
            parts = urlsplit(address)
            if parts.scheme or not parts.fragment or parts.path.startswith("/"):
                continue
            target = (folder / name).parent.joinpath(parts.path) if parts.path else folder / name
            assert f'id="{parts.fragment}"' in text_of(target.resolve()), (name, address)


TEXTS = {}


def text_of(path):
    if path not in TEXTS:
        TEXTS[path] = path.read_text(encoding="utf-8")
    return TEXTS[path]


def test_no_citation_and_no_fence_is_left_as_it_is_written(built):
    _, folder = built
    for page in folder.rglob("*.html"):
        assert set(CITATION.findall(text_of(page.resolve()))) <= {"key"}, page.name
        assert "```" not in text_of(page.resolve()), page.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[@nobody1999]", "index.md: [@nobody1999] is not in references.bib"),
        ("[a](nowhere.md)", "nowhere.md"),
        ("[a](references.md#nowhere)", "#nowhere"),
    ],
)
def test_a_mistake_fails_the_build(tmp_path, text, message):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text(f"# A\n\n{text}\n", encoding="utf-8")
    for name in ("references.md", "references.bib", "site.css"):
        (docs / name).write_bytes((DOCS / name).read_bytes())
    config = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
    config = config[: config.index("nav:\n")].replace("scripts/", f"{REPOSITORY}/scripts/")
    config += "nav: [index.md, '*.md']\n"
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    done = build(tmp_path / "mkdocs.yml", tmp_path / "out")
    assert done.returncode != 0
    assert message in done.stdout + done.stderr


def entries():
    text = (DOCS / "references.bib").read_text(encoding="utf-8")
    return re.findall(r"^@\w+\{([^,]+),", text, re.MULTILINE)


def test_sources_are_cited_and_citations_have_a_source():
    known = entries()
    assert len(known) == len(set(known))
    cited = {}
    for folder in ("core", "topologies", "models", "simulation", "workloads", "planner", "validation", "importers", "output",
                   "web", "cli", "python", "tests", "docs"):
        for path in (REPOSITORY / folder).rglob("*"):
            if path.suffix in CODE or path.suffix == ".md":
                for key in CITATION.findall(path.read_text(encoding="utf-8")):
                    cited.setdefault(key, path.relative_to(REPOSITORY))
    del cited["key"]  # how to write one
    cited.pop("nobody1999", None)  # of this file
    assert {key: str(path) for key, path in cited.items() if key not in known} == {}
    assert sorted(set(known) - set(cited)) == [], "nobody cites these"


def test_labels_tell_sources_apart():
    sys.path.insert(0, str(REPOSITORY / "scripts"))
    try:
        import site_hooks
    finally:
        sys.path.pop(0)
    labels = site_hooks.labels_of(site_hooks.read_bibliography(DOCS / "references.bib"))
    assert set(labels) == set(entries())
    assert len(set(labels.values())) == len(labels)
    assert {"Dell H20003", "Isaev et al. 2023", "Moré 1978"} <= set(labels.values())


@pytest.mark.parametrize("page", MODEL_PAGES, ids=lambda page: page.stem)
def test_a_model_page_has_its_sections(page):
    text = page.read_text(encoding="utf-8")
    for section in ("Purpose", "Equations", "Valid for", "Compared with measurement"):
        assert f"\n## {section}\n" in text, f"{page.name} has no section '{section}'"


def test_a_scenario_shown_whole_is_that_of_the_examples():
    shown = re.findall(r"`(examples/[\w.-]+)`:\n\n```yaml\n(.*?)```", everything(), re.DOTALL)
    assert shown
    for path, text in shown:
        assert (REPOSITORY / path).read_text(encoding="utf-8") == text, path


def test_code_that_is_shown_is_that_of_the_sources():
    text = (DOCS / "how_to/add_a_topology.md").read_text(encoding="utf-8")
    blocks = list(re.finditer(r"```cpp\n(.*?)```", text, re.DOTALL))
    assert len(blocks) == 4
    for block in blocks:
        named = re.findall(r"`([\w/]+\.[ch]pp)`", text[: block.start()])[-1]
        assert block[1] in (REPOSITORY / named).read_text(encoding="utf-8"), named


@pytest.mark.parametrize(
    ("answer", "quantity"),
    [
        ("step time, stack and accelerator fitted to other rows of the same families", "step_time"),
        ("training time in vendors' documents", "training_time"),
        ("what four NICs cost in place of eight", "step_time"),
        ("memory of an accelerator", "memory"),
        ("rate that storage writes at", "write_rate"),
        ("rate of reads while training", "read_rate"),
    ],
)
def test_errors_are_those_that_validate_prints(answer, quantity):
    """how_wrong.md says again what validation.md has from the program."""
    marks = re.compile(r"<!--.*?-->")
    how_wrong = marks.sub("", (DOCS / "how_wrong.md").read_text(encoding="utf-8"))
    validation = (DOCS / "validation.md").read_text(encoding="utf-8")
    said = re.search(rf"\| {answer} \| (\d+) \| ([\d.]+) % \| ([\d.]+) % \|", how_wrong).groups()
    row = rf"^(?:quantity|derived)? +{quantity} +(\d+) +([\d.]+) / [\d.]+ / ([\d.]+)"
    printed = re.findall(row, validation, re.MULTILINE)
    wanted = [pytest.approx(float(number), abs=0.5) for number in said]
    assert any([float(number) for number in numbers] == wanted for numbers in printed), printed


def test_the_intervals_are_those_of_the_track_record():
    """how_wrong.md and validation.md say again what predictions are given."""
    record = REPOSITORY / "models" / "catalogue" / "track_records" / "training_steps.yaml"
    classes = re.findall(r"class: (\w+), .*low: ([\d.]+), high: ([\d.]+)", record.read_text(encoding="utf-8"))
    assert len(classes) == 5
    for page in ("how_wrong.md", "validation.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        for name, low, high in classes:
            interval = f"{float(low):.2f} to {float(high):.2f}"
            assert re.search(rf"\| `{name}`.*\| {interval} \|", text), (page, name)


def blocks(language):
    """(page, text) of every fenced block, those in lists too."""
    fenced = re.compile(rf"^( *)```{language}\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
    for page in PAGES:
        for block in fenced.finditer(page.read_text(encoding="utf-8")):
            yield page.name, textwrap.dedent(block[2])


def test_yaml_that_is_shown_is_yaml():
    yaml = pytest.importorskip("yaml")
    for page, text in blocks("yaml"):
        assert isinstance(yaml.safe_load(text), dict), page


def test_shell_that_is_shown_is_shell():
    for page, text in [*blocks("bash"), *blocks("sh")]:
        check = ["bash", "-n"]
        done = subprocess.run(check, input=text, capture_output=True, check=False, text=True)
        assert done.returncode == 0, (page, done.stderr)


def test_files_that_are_named_are_there():
    names = r"`((?:core|topologies|models|planner|cli|tests|scripts|examples)/[\w./-]+\.\w+)`"
    for name in set(re.findall(names, everything())):
        if "NAME" not in name:
            assert (REPOSITORY / name).is_file(), name


def everything():
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
