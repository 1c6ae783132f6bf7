# SPDX-License-Identifier: Apache-2.0
"""The installed package is complete: data, program, types."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import railwright as rw
from conftest import REPOSITORY

PACKAGE = Path(rw.__file__).parent


@pytest.mark.parametrize(
    ("source", "place"),
    [("models/catalogue", "catalogue"), ("planner/validation", "validation")],
)
def test_data_come_with_the_package(source, place):
    here = REPOSITORY / source
    there = PACKAGE / "share" / "railwright" / place
    for path in here.rglob("*.yaml"):
        assert (there / path.relative_to(here)).read_bytes() == path.read_bytes()


def test_the_program_has_the_same_version(program):
    code, out, _ = program("--version")
    assert (code, out.split()[-1]) == (0, rw.__version__)


def test_the_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "railwright", "--help"],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and "simulate" in done.stdout


def test_the_stub_says_what_the_extension_has():
    assert (PACKAGE / "py.typed").is_file()
    stub = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))
    says = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            says[node.name] = arguments(node)
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                says[f"{node.name}.{method.name}"] = arguments(method)
    has = {}
    for name, thing in vars(rw._core).items():
        if isinstance(thing, type):
            for inner, method in vars(thing).items():
                is_made = inner == "__init__" and "self: " in (method.__doc__ or "")
                if not inner.startswith("_") or is_made or inner == "__len__":
                    has[f"{name}.{inner}"] = documented(method.__doc__)
        elif callable(thing):
            has[name] = documented(thing.__doc__)
    assert says.keys() == has.keys()
    for name, names in has.items():
        assert names is None or says[name] == names, name


def arguments(function):
    return [argument.arg for argument in function.args.args if argument.arg != "self"]


def documented(text):
    """Names of arguments in pybind11's signature; None where it has none."""
    signature = (text or "").split("\n")[0].rpartition(" -> ")[0]
    if not signature:
        return None
    found = re.findall(r"(\w+): ", signature)
    return [name for name in found if name not in ("self", "arg0")]


def test_importing_takes_no_heavy_library():
    heavy = ("numpy", "pandas", "matplotlib", "ray", "distributed")
    code = f"import railwright, sys; print([one for one in {heavy} if one in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_every_public_name_has_a_docstring():
    for name in rw.__all__:
        if name not in ("__version__", "OPERATIONS", "STREAMS"):
            assert getattr(rw, name).__doc__
