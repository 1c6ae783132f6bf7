# SPDX-License-Identifier: Apache-2.0
# build/venv with the package, what builds it and what tests it. Sourced after lib.sh.
# Two stamps keep pip, and with it the network, out of a run in which nothing changed.

# Debian's Python: another one on PATH may lack the headers or the venv module.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

requirements=$("$python" - <<'PYTHON'
try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
extras = project["project"]["optional-dependencies"]
wanted = {*project["build-system"]["requires"], *extras["test"], *extras["cluster"]}
print("\n".join(sorted(wanted)))
PYTHON
)

fingerprint() { sha256sum | cut -d' ' -f1; }
sources_fingerprint() {
  local paths=(pyproject.toml CMakeLists.txt LICENSE README.md cmake core topologies models simulation workloads planner validation importers output web
    cli python examples)
  find "${paths[@]}" \( -name __pycache__ -o -name notebooks \) -prune -o -type f -print0 | LC_ALL=C sort -z |
    xargs -0 sha256sum | fingerprint
}
stamp_is() { [[ -f $1 && $(<"$1") == "$2" ]]; }

tools_stamp=$({ "$python" --version; echo "$requirements"; } | fingerprint)
package_stamp=$({ sources_fingerprint; echo "$tools_stamp ${CMAKE_ARGS:-}"; } | fingerprint)

if ! stamp_is build/venv/tools.stamp "$tools_stamp"; then
  say "Installing the Python tools into build/venv"
  "$python" -m venv --clear build/venv
  mapfile -t wanted <<<"$requirements"
  build/venv/bin/python -m pip install --quiet "${wanted[@]}" >&2
  echo "$tools_stamp" >build/venv/tools.stamp
fi
if ! stamp_is build/venv/package.stamp "$package_stamp"; then
  say "Building the Python package"
  # The compiler by the name the release build has: what that compiled comes out of the cache.
  # The wheel stays for the test that repairs it.
  rm -rf build/wheel
  CXX=${CXX:-c++} build/venv/bin/python -m pip wheel --no-build-isolation --no-deps --wheel-dir build/wheel . >&2
  build/venv/bin/python -m pip install --no-deps --force-reinstall build/wheel/*.whl >&2
  echo "$package_stamp" >build/venv/package.stamp
fi
