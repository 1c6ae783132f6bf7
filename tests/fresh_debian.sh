#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the README's two commands on an empty Debian 12, as root: sudo tests/fresh_debian.sh
# As root, and as a user with sudo: both commands pass, root's tests without a network.
# As a user without sudo: they name the packages and exit with 2.
# Takes the commit that is HEAD when it starts, not the working tree. Needs debootstrap, git, iproute2
# and about 6 GB in TMPDIR.
# FRESH_DEBIAN_CCACHE=DIR is the compiler cache of all machines, which anybody may write to.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
((EUID == 0)) || { echo "must run as root" >&2; exit 2; }

# In a mount namespace of its own nothing can stay mounted on the host.
if [[ -z ${FRESH_DEBIAN_INSIDE:-} ]]; then
  FRESH_DEBIAN_INSIDE=1 exec unshare --mount --propagation private bash "$PWD/tests/fresh_debian.sh"
fi

suite=bookworm
work=$(mktemp -d -t fresh-debian.XXXXXX)
chmod 755 "$work"
leave() {
  local rc=$? root
  for root in "$work"/*/; do
    umount -R -l "$root/dev" "$root/proc" 2>/dev/null || true
    umount -l "$root/ccache" 2>/dev/null || true
  done
  rm -rf --one-file-system "$work"
  ((rc == 0)) && echo "fresh_debian: passed" || echo "fresh_debian: FAILED"
}
trap leave EXIT

announce() { printf '\n#### %s (after %d s)\n' "$*" "$SECONDS"; }

# The host's ways to its package mirrors, whatever they are.
copy_host_settings() {
  local root=$1 file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d \
    /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg.d /usr/share/keyrings \
    /usr/local/share/ca-certificates /etc/resolv.conf /etc/hosts /etc/pip.conf; do
    [[ ! -e $file ]] || { mkdir -p "$root$(dirname "$file")" && cp -rL "$file" "$root$(dirname "$file")/"; }
  done
  for file in ~/.pip/pip.conf ~/.config/pip/pip.conf; do
    [[ ! -e $file ]] || cp "$file" "$root/etc/pip.conf"
  done
  if [[ -d ${PIP_FIND_LINKS:-} ]]; then
    mkdir -p "$root$PIP_FIND_LINKS" && cp -r "$PIP_FIND_LINKS/." "$root$PIP_FIND_LINKS/"
  fi
  # Under a name of its own: installing ca-certificates rewrites Debian's bundle.
  cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$root/etc/fresh-debian-ca.crt"
}

environment=(PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
  SSL_CERT_FILE=/etc/fresh-debian-ca.crt PIP_CERT=/etc/fresh-debian-ca.crt)
for name in $(compgen -e); do
  case $name in
    PIP_CERT) ;;
    PIP_* | *_proxy | *_PROXY) environment+=("$name=${!name}") ;;
  esac
done
if [[ -n ${FRESH_DEBIAN_CCACHE:-} ]]; then
  environment+=(CCACHE_DIR=/ccache CCACHE_UMASK=000)
fi

# machine NAME: a copy of the empty system with the user `dev` and the sources in two places.
machine() {
  local root=$work/$1 home
  cp -a "$work/base" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --make-rslave "$root/dev"
  if [[ -n ${FRESH_DEBIAN_CCACHE:-} ]]; then
    mkdir "$root/ccache"
    mount --bind "$FRESH_DEBIAN_CCACHE" "$root/ccache"
  fi
  chroot "$root" useradd --create-home dev
  for home in root home/dev; do
    mkdir "$root/$home/railwright"
    git archive "$commit" | tar -x -C "$root/$home/railwright"
  done
  chroot "$root" chown -R dev:dev /home/dev
  chmod 700 "$root/root" "$root/home/dev"  # as the installer leaves root's, and as many leave theirs
}

# on MACHINE USER COMMAND... : in USER's checkout, with no terminal to ask on.
on() {
  local root=$work/$1 user=$2 home=/home/$2
  shift 2
  [[ $user != root ]] || home=/root
  chroot --userspec="$user:$user" "$root" env -i HOME="$home" USER="$user" "${environment[@]}" \
    bash -c 'cd ~/railwright && "$@"' bash "$@" </dev/null
}
offline_on() {
  # Notebook kernels talk over the loopback interface, which is no network.
  export -f on
  work=$work ENVIRONMENT=$(declare -p environment) unshare --net bash -euc \
    'ip link set lo up; eval "$ENVIRONMENT"; on "$@"' bash "$@"
}

commit=$(git rev-parse HEAD)
announce "an empty $suite, $commit"
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' |
  awk -v suite=$suite '$2 == suite && $3 == "main" {print $1; exit}')
debootstrap --variant=minbase "$suite" "$work/base" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail "$work/debootstrap.log"; exit 1; }
copy_host_settings "$work/base"

machine one
announce "one, dev without sudo"
for command in quickstart test; do
  rc=0
  said=$(on one dev "scripts/$command" 2>&1) || rc=$?
  echo "$said"
  [[ $rc == 2 && $said == *"apt-get install -y --no-install-recommends "*"g++ cmake"* ]] ||
    { echo "expected exit code 2 and the line to run, got $rc"; exit 1; }
done
announce "one, root: quickstart, what the tests need, and without a network both commands"
on one root scripts/quickstart
on one root bash -euc 'source scripts/lib.sh; install_missing "${TEST_PACKAGES[@]}"; source scripts/venv.sh'
offline_on one root scripts/quickstart
offline_on one root scripts/test

machine two
chroot "$work/two" env -i "${environment[@]}" DEBIAN_FRONTEND=noninteractive \
  sh -c 'apt-get update && apt-get install -y --no-install-recommends sudo' >/dev/null
echo 'dev ALL=(ALL) NOPASSWD: ALL' >"$work/two/etc/sudoers.d/dev"
announce "two, dev with sudo: both commands, and the first again without a network"
on two dev scripts/quickstart
on two dev scripts/test
offline_on two dev scripts/quickstart
