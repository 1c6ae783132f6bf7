# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the repository's examples and the installed program."""

import json
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")

import pytest
import railwright as rw

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"


def pytest_collection_modifyitems(items):
    """Warnings are errors, ours and those that our calls provoke in libraries."""
    for item in items:
        item.add_marker(pytest.mark.filterwarnings("error"), append=False)


@pytest.fixture(scope="session")
def examples():
    return EXAMPLES


@pytest.fixture(scope="session")
def seven_b():
    """Path of the plain scenario: Llama 2 7B, nothing fitted."""
    return EXAMPLES / "neutral-llama-2-7b.yaml"


@pytest.fixture(scope="session")
def main_job():
    """The result of the main job, computed once."""
    return rw.compare(EXAMPLES / "xe9680-4-vs-8-nics.yaml")


@pytest.fixture(scope="session")
def documents():
    return rw.validate()


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """Runs the installed `railwright` away from the source tree: exit code, stdout, stderr."""
    path = Path(sys.executable).parent / "railwright"
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    def run(*arguments):
        done = subprocess.run(
            [path, *map(str, arguments)],
            capture_output=True,
            check=False,
            text=True,
            cwd=elsewhere,
            timeout=60,
        )
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(scope="session")
def program_json(program):
    """The JSON of a verb that is expected to end with `code`."""

    def run(*arguments, code=0):
        returned, out, err = program(*arguments, "--format", "json")
        assert returned == code, err
        return json.loads(out)

    return run
