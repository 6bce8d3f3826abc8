#!/bin/sh
# Install what the tests need from the system: a MariaDB server, Galera and Chromium. Does nothing where all are there.
# usage: tests/install-packages.sh PYTHON
set -eu
PATH="$PATH:/usr/sbin:/usr/libexec:/usr/local/sbin:/opt/homebrew/bin"

has() { for name in "$@"; do command -v "$name" >/dev/null && return 0; done; return 1; }
has_browser() {
    has chromium chromium-browser google-chrome || "$1" - <<'PYTHON'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not pathlib.Path(playwright.chromium.executable_path).is_file())
PYTHON
}

packages="" browser=""
has mariadbd mysqld || packages="mariadb-server"
# Galera runs on Linux only; its nodes copy their data with rsync.
if has apt-get; then
    [ -f /usr/lib/galera/libgalera_smm.so ] || packages="$packages galera-4"
    has rsync || packages="$packages rsync"
fi
# On Ubuntu the package chromium is a snap, which reads no temporary folder: playwright brings a browser of its own.
has_browser "$1" || if grep -q '^ID=debian' /etc/os-release 2>/dev/null; then packages="$packages chromium"; else browser=yes; fi

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
if [ -n "$packages" ] && has apt-get; then
    echo "installing from the system's packages:" $packages
    $as_root apt-get update -qq
    # shellcheck disable=SC2086  # several packages
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $packages >/dev/null
elif [ -n "$packages" ] && has brew; then
    echo "installing with Homebrew: mariadb"
    brew install --quiet mariadb
elif [ -n "$packages" ]; then
    echo "error: the tests need $packages; install it with your system's package manager, then run make test again" >&2
    exit 1
fi
if [ -n "$browser" ]; then
    echo "installing Chromium with playwright"
    if has apt-get; then "$1" -m playwright install --with-deps chromium; else "$1" -m playwright install chromium; fi
fi
