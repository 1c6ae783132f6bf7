# SPDX-License-Identifier: Apache-2.0
"""The installed package is complete: data, program, types."""

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


def test_types_come_with_the_package():
    assert (PACKAGE / "py.typed").is_file()
    stub = (PACKAGE / "_core.pyi").read_text(encoding="utf-8")
    for name in ("simulate", "compare", "validate"):
        assert f"def {name}(" in stub
        assert callable(getattr(rw._core, name))


def test_importing_takes_no_heavy_library():
    code = "import railwright, sys; print('pandas' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True, timeout=60
    )
    assert done.stdout.split() == ["False", "False"]


def test_every_public_name_has_a_docstring():
    for name in rw.__all__:
        if name != "__version__":
            assert getattr(rw, name).__doc__
