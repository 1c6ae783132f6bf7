# SPDX-License-Identifier: Apache-2.0
"""Hooks of the site for MkDocs, named in mkdocs.yml.

They turn `[@key]` into a link to the entry of docs/references.bib and write the entries into
docs/references.md. An entry of the navigation such as `how_to/*.md` expands to all such pages that
it does not name. scripts/write_reference.py writes the pages of `reference/` while the site is
built. The search of the theme gets a fault mended.
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as etree
from fnmatch import fnmatch
from pathlib import Path
from string import ascii_lowercase

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from pybtex.database import parse_file
from pybtex.plugin import find_plugin
from pybtex.richtext import Text

SCRIPTS = str(Path(__file__).resolve().parent)
CITATION = r"\[@([A-Za-z0-9_]+)\]"
ENTRIES = "<!-- the entries of references.bib -->"


def read_bibliography(path):
    """Reads the entries of a .bib file; an address in `howpublished` becomes `url`."""
    bibliography = parse_file(str(path))
    for entry in bibliography.entries.values():
        address = re.fullmatch(r"\\url\{(.*)\}", entry.fields.get("howpublished", ""))
        if address:
            del entry.fields["howpublished"]
            entry.fields["url"] = address[1]
    return bibliography


def label(entry):
    """Returns the label of a source: authors and year, a document's number, or a title."""
    number = entry.fields.get("number", "")
    if re.fullmatch(r"H\d+", number):
        return f"{entry.fields['institution'].split()[0]} {number}"
    people = entry.persons.get("author", [])
    names = [plain(" ".join(person.prelast_names + person.last_names)) for person in people]
    if not any(person.first_names for person in people):  # an organisation, which has written much
        who = " ".join(re.split(r"[:,]", plain(entry.fields["title"]))[0].split()[:4])
    elif len(names) > 2 or "others" in names:
        who = f"{names[0]} et al."
    else:
        who = " and ".join(names)
    return f"{who} {entry.fields.get('year', '')}".strip()


def labels_of(bibliography):
    """Returns a label for every key; a letter distinguishes equal labels."""
    alike = {}
    for key in sorted(bibliography.entries):
        alike.setdefault(label(bibliography.entries[key]), []).append(key)
    labels = {}
    for name, keys in alike.items():
        for letter, key in zip(ascii_lowercase, keys):
            labels[key] = name if len(keys) == 1 else f"{name} ({letter})"
    return labels


def plain(text):
    """Converts TeX to plain text."""
    return str(Text.from_latex(text)).replace("``", "").replace("''", "")


def as_html(bibliography, labels):
    """Returns an HTML list of all entries, sorted by label, each with its key as anchor."""
    style = find_plugin("pybtex.style.formatting", "unsrt")()
    backend = find_plugin("pybtex.backends", "html")()
    lines = {}
    for entry in style.format_bibliography(bibliography):
        text = " ".join(entry.text.render(backend).split())
        name = labels[entry.key]
        item = f'<li id="{entry.key}"><strong>{name}</strong>: {text}</li>'
        lines[name.lower(), entry.key] = item
    return "\n".join(['<ul class="references">', *(lines[key] for key in sorted(lines)), "</ul>"])


class Citation(InlineProcessor):
    """Replaces `[@key]` outside of code by a link."""

    def __init__(self, citations):
        super().__init__(CITATION)
        self.citations = citations

    def handleMatch(self, m, data):  # the name is Markdown's
        return self.citations.link(m[1]), m.start(0), m.end(0)


class Citations(Extension):
    """Makes the links of the current page and collects unknown keys."""

    def __init__(self, bibliography):
        super().__init__()
        self.bibliography = bibliography
        self.labels = labels_of(bibliography)
        self.page = ""
        self.unknown = []

    def extendMarkdown(self, md):  # the name is Markdown's
        md.inlinePatterns.register(Citation(self), "citation", 175)

    def link(self, key):
        entry = self.bibliography.entries.get(key)
        if entry is None:
            self.unknown.append(f"{self.page}: [@{key}] is not in references.bib")
            return f"[@{key}]"
        up = "../" * self.page.count("/")
        element = etree.Element("a", href=f"{up}references.md#{key}")
        element.set("title", plain(entry.fields["title"]))
        element.text = f"[{self.labels[key]}]"
        return element


citations = None
reference = {}  # pages that no file of docs/ holds, by their address


def expand(items, pages, named):
    """Returns the navigation with every `folder/*.md` replaced by the pages that are not named in
    it."""
    result = []
    for item in items:
        if isinstance(item, dict):
            (title, value), *_ = item.items()
            result.append(
                {title: expand(value, pages, named) if isinstance(value, list) else value}
            )
        elif "*" in item:
            depth = item.count("/")
            found = (page for page in pages if page.count("/") == depth and fnmatch(page, item))
            result.extend(sorted(page for page in found if page not in named))
        else:
            result.append(item)
    return result


def written_reference():
    """Returns the reference pages. They need the package beside MkDocs; build/venv has both."""
    sys.path.insert(0, SCRIPTS)
    try:
        import write_reference

        return {name: page.text() for name, page in write_reference.pages().items()}
    except (ImportError, OSError, subprocess.CalledProcessError) as error:
        message = f"no reference pages: {error}. Build the site with build/venv/bin/mkdocs"
        raise PluginError(message) from error
    finally:
        sys.path.remove(SCRIPTS)


def pages_of(items):
    """Yields every page that a navigation names."""
    for item in items:
        value = next(iter(item.values())) if isinstance(item, dict) else item
        yield from pages_of(value) if isinstance(value, list) else [value]


def on_config(config):
    global citations, reference
    docs = Path(config.docs_dir)
    named = set(pages_of(config.nav))
    reference = written_reference() if any(one.startswith("reference/") for one in named) else {}
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")} | set(reference)
    config.nav = expand(config.nav, pages, named)
    citations = Citations(read_bibliography(docs / "references.bib"))
    config.markdown_extensions.append(citations)
    return config


def on_files(files, config):
    for name, text in reference.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    citations.page = page.file.src_uri
    return markdown.replace(ENTRIES, as_html(citations.bibliography, citations.labels))


def on_page_content(html, page, config, files):
    """Links citations inside equations, which Markdown treats as code."""
    address = files.get_file_from_path("references.md").url_relative_to(page.file)

    def link(m):
        name = citations.labels.get(m[1])
        return f'<a href="{address}#{m[1]}">[{name}]</a>' if name else m[0]

    return re.sub(CITATION, link, html)


def on_env(env, config, files):
    """Reports unknown citations, after all pages are rendered and before any is written."""
    if citations.unknown:
        raise PluginError("\n".join(citations.unknown))


SAME_NODES = "e=e+s+o.id"  # of lunr's TokenSet.prototype.toString, as the theme ships it


def on_post_build(config):
    """Mends lunr's index of words with digits. It joins nodes of its word tree that print alike, a
    letter and a number for each branch, without a mark between branches: "12" and "3" print as "1"
    and "23" do. A search whose words begin with a digit then fails for words that are not there."""
    for path in Path(config.site_dir).glob("assets/javascripts/workers/search.*.js"):
        text = path.read_text(encoding="utf-8")
        if SAME_NODES not in text:
            raise PluginError(f"{path.name}: lunr is no longer as scripts/site_hooks.py mends it")
        path.write_text(text.replace(SAME_NODES, f'{SAME_NODES}+","'), encoding="utf-8")
