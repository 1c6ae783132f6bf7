# SPDX-License-Identifier: Apache-2.0
"""The installed package is complete: data, program, types."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import railwright as rw
from conftest import REPOSITORY

PACKAGE = Path(rw.__file__).parent


@pytest.mark.parametrize(
    ("source", "place"),
    [("models/catalogue", "catalogue"), ("validation/data", "validation")],
)
def test_data_come_with_the_package(source, place):
    here = REPOSITORY / source
    there = PACKAGE / "share" / "railwright" / place
    for path in here.rglob("*.yaml"):
        assert (there / path.relative_to(here)).read_bytes() == path.read_bytes()


def test_the_program_has_the_same_version(program):
    code, out, _ = program("--version")
    assert (code, out.split()[-1]) == (0, rw.__version__)
    cmake = (REPOSITORY / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"project(railwright VERSION {rw.__version__} " in cmake


def test_the_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "railwright", "--help"],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and "simulate" in done.stdout


def test_the_stub_is_the_extensions(tmp_path):
    assert (PACKAGE / "py.typed").is_file()
    assert (PACKAGE / "_core.pyi").read_text(encoding="utf-8") == generated_stub(tmp_path), (
        "made anew by: build/venv/bin/python tests/python/test_package.py"
    )


def generated_stub(folder):
    generator = [sys.executable, "-m", "pybind11_stubgen", "railwright._core", "-o", str(folder)]
    subprocess.run(generator, check=True, timeout=60, cwd=folder, capture_output=True)
    text = (folder / "railwright" / "_core.pyi").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^__version__: str = .*$", "__version__: str", text)
    # pybind11 does not say what its tuples and lists hold.
    text = re.sub(r"\btuple(?=[:)]| =)", "tuple[typing.Any, ...]", text)
    text = re.sub(r"\blist(?=[:)])", "list[typing.Any]", text)
    return "# SPDX-License-Identifier: Apache-2.0\n" + text


def test_the_types_are_sound(tmp_path):
    checker = [sys.executable, "-m", "mypy", "--config-file", str(REPOSITORY / "pyproject.toml")]
    done = subprocess.run(
        [*checker, "--cache-dir", str(tmp_path), str(REPOSITORY / "python" / "railwright")],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_of_results_are_those_of_the_results():
    program = Path(sys.executable).parent / "railwright"
    made = [sys.executable, "-B", str(REPOSITORY / "scripts" / "write_result_types.py"), "--check"]
    done = subprocess.run(
        [*made, str(program)], capture_output=True, check=False, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr


def checked(folder, **modules):
    """What mypy --strict says of a user's modules, by name; the stubs of pandas and matplotlib are left out, which
    do not know the columns of a table."""
    (folder / "mypy.ini").write_text(
        "[mypy]\nstrict = True\n[mypy-pandas.*,matplotlib.*,numpy.*]\nfollow_imports = skip\n"
        "follow_imports_for_stubs = True\n",
        encoding="utf-8",
    )
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", *(f"{name}.py" for name in modules)],
        capture_output=True,
        check=False,
        cwd=folder,
        text=True,
        timeout=600,
    )
    return done.stdout + done.stderr


def test_a_misspelt_attribute_is_an_error_of_the_checker(tmp_path):
    said = checked(
        tmp_path,
        user="import railwright as rw\n"
        'run = rw.simulate("a.yaml")\n'
        "print(run.step_time_s / run.storage.checkpoint_time_s, run.node_tokens_per_s)\n"
        "print(run.step_tme_s)\n"
        "print(run.storage.checkpont)\n"
        'beside = rw.compare("b.yaml")\n'
        "print(beside.designs[0].result.step_time_s, beside.rows[0].cells[0].relative_error)\n",
    )
    assert 'user.py:4: error: "AnyResult" has no attribute "step_tme_s"' in said
    assert 'user.py:5: error: "SimulationStorage" has no attribute "checkpont"' in said
    assert said.count("error:") == 2, said


def code_of(notebook):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    lines = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code").split("\n")
    return "".join(f"{line}\n" for line in lines if not line.startswith("%"))


def test_the_notebooks_are_typed(tmp_path):
    notebooks = (REPOSITORY / "examples" / "notebooks").glob("*.ipynb")
    said = checked(tmp_path, **{path.stem: code_of(path) for path in notebooks})
    assert said.startswith("Success"), said


def test_importing_takes_no_heavy_library():
    heavy = ("numpy", "pandas", "matplotlib", "ray", "distributed")
    code = f"import railwright, sys; print([one for one in {heavy} if one in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_every_public_name_has_a_docstring():
    for name in rw.__all__:
        if name not in ("__version__", "OPERATIONS", "PASSES", "STREAMS"):
            assert getattr(rw, name).__doc__


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        stub = REPOSITORY / "python" / "railwright" / "_core.pyi"
        stub.write_text(generated_stub(Path(made)), encoding="utf-8")
