#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves a repaired wheel on a Debian 12 with Python and nothing else: sudo tests/bare_wheel.sh WHEEL
# Installs it without a network, then simulates by program and by Python, sweeps, and serves.
# Needs debootstrap, and about 400 MB in TMPDIR.
set -euo pipefail
(($# == 1)) || { echo "usage: tests/bare_wheel.sh WHEEL" >&2; exit 2; }
((EUID == 0)) || { echo "must run as root" >&2; exit 2; }
wheel=$(realpath "$1")
repository=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")

# In namespaces of its own nothing stays mounted, no network is there and every process ends with it.
if [[ -z ${BARE_WHEEL_ROOT:-} ]]; then
  BARE_WHEEL_ROOT=$(mktemp -d -t bare-wheel.XXXXXX)
  export BARE_WHEEL_ROOT
  trap 'rm -rf --one-file-system "$BARE_WHEEL_ROOT"' EXIT
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' |
    awk '$2 == "bookworm" && $3 == "main" {print $1; exit}')
  chmod 755 "$BARE_WHEEL_ROOT"
  debootstrap --variant=minbase --include=python3,python3-venv bookworm \
    "$BARE_WHEEL_ROOT" "$mirror" >/dev/null
  unshare --mount --propagation private --net --pid --fork bash "$0" "$wheel"
  exit
fi

root=$BARE_WHEEL_ROOT
mount -t proc proc "$root/proc"
ip link set lo up
mkdir "$root/try"
cp "$wheel" "$repository/examples/neutral-llama-2-7b.yaml" "$root/try/"
chroot "$root" env -i PATH=/usr/bin:/bin HOME=/try bash -euo pipefail <<'INSIDE'
cd /try
python3 -m venv venv
venv/bin/pip install --quiet --no-index *.whl
scenario=neutral-llama-2-7b.yaml
venv/bin/railwright simulate $scenario
venv/bin/railwright sweep $scenario --vary cluster.nodes=2,3 --estimate --out points.sqlite
venv/bin/python - <<'PYTHON'
import json, subprocess
import railwright as rw

said = subprocess.run(["venv/bin/railwright", "simulate", "neutral-llama-2-7b.yaml", "--format", "json"],
                      capture_output=True, check=True)
assert rw.simulate("neutral-llama-2-7b.yaml").to_dict() == json.loads(said.stdout)
PYTHON
venv/bin/railwright serve $scenario >address &
until [[ -s address ]]; do sleep 0.1; done
python3 -c 'import urllib.request as r; assert b"What if" in r.urlopen(open("address").read().strip()).read()'
kill -INT $!
wait $!
INSIDE
echo "bare_wheel: passed"
