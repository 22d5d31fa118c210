#!/bin/bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# setup.sh GROUP...: installs the Debian or Ubuntu packages of these groups that are not there yet; does nothing when all are.
# WEFT_NO_INSTALL=1 installs nothing and says in one line what is missing.
set -euo pipefail

packages() {
    case $1 in
        build) echo gcc libc6-dev cmake ninja-build pkg-config libfyaml-dev libpng-dev libzstd-dev libembree-dev ;;
        test) echo libcmocka-dev libgmp-dev python3 ;;
        lint) echo clang clang-format clang-tidy cppcheck python3 ;;
        fuzz) echo clang libclang-rt-dev ;;           # the sanitizers' and fuzzers' runtime of the default clang
        tsan) echo clang libclang-rt-dev libomp-dev ;; # gcc's thread sanitizer does not understand its OpenMP
        video) echo ffmpeg ;;
        *) echo "setup.sh: unknown group \"$1\", expected build, test, lint, fuzz, tsan or video" >&2; exit 2 ;;
    esac
}

wanted=""
for group in "$@"; do wanted+=" $(packages "$group")"; done

if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian or Ubuntu system; going on, needed are the equivalents of:$wanted" >&2
    exit 0
fi

missing=""
for package in $(printf '%s\n' $wanted | sort -u); do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=" $package"
done
[ -n "$missing" ] || exit 0

if [ "${WEFT_NO_INSTALL:-0}" = 1 ]; then
    echo "setup.sh: missing packages:$missing (WEFT_NO_INSTALL=1, nothing was installed)" >&2
    exit 1
fi

root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "setup.sh: not root and no sudo; ask an administrator to install:$missing" >&2; exit 1; }
    root=sudo
fi
echo "setup.sh: installing$missing"
apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600"
$apt update
$apt install --no-install-recommends $missing
