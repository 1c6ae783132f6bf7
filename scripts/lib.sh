# SPDX-License-Identifier: Apache-2.0
# What quickstart, test and .ci/run share. Sourcing it enters the repository root.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# One cache entry for the same source, whichever checkout or build folder compiles it.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros

BUILD_PACKAGES=(
  g++ cmake ninja-build ccache
  libboost-dev libeigen3-dev libyaml-cpp-dev libcli11-dev nlohmann-json3-dev libfmt-dev
  libsqlite3-dev libpugixml-dev libprotozero-dev libtomlplusplus-dev libcpp-httplib-dev libjs-chart.js pkg-config
)
TEST_PACKAGES=(
  "${BUILD_PACKAGES[@]}"
  libgtest-dev graphviz python3 python3-venv python3-dev python3-protobuf ca-certificates
  chromium chromium-driver
)

say() { printf '\n== %s\n' "$*" >&2; }

# install_missing PACKAGE... : asks dpkg first; apt and the network are touched only when needed.
install_missing() {
  local package missing=()
  if ! command -v dpkg-query >/dev/null; then
    say "Not a Debian system; going on in the hope that these are here: $*"
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null) == *installed* ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    # A password can be asked for on a terminal only.
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
      as_root=(sudo)
    else
      cannot_install "${missing[@]}"
    fi
  fi
  say "Installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >&2 ||
    cannot_install "${missing[@]}"
}

cannot_install() {
  {
    echo "These Debian packages are missing and could not be installed from here. As root, run:"
    echo "  apt-get update && apt-get install -y --no-install-recommends $*"
  } >&2
  exit 2
}

# Compile jobs: a core each, but no more than memory carries at about 1 GiB a job.
num_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || true)
  ((${memory:-$cores} < cores)) && cores=$memory
  echo $((cores > 0 ? cores : 1))
}
export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(num_jobs)}"
export CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$(nproc)}"

# configure PRESET [OPTION...] : CMAKE_ARGS, as pip's builds know it, reaches plain builds too.
configure() {
  local preset=$1
  shift
  # shellcheck disable=SC2086
  cmake --preset "$preset" ${CMAKE_ARGS:-} "$@" >&2
}

# build PRESET [OPTION...]
build() { cmake --build --preset "$@" >&2; }
