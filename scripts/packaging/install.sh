#!/bin/sh
# Installs Earshot on any Linux with glibc 2.35 or later.
#   sudo ./install.sh              below /usr/local
#   PREFIX=~/.local ./install.sh   for this user alone
#   DESTDIR=folder PREFIX=/usr ./install.sh   into the folder of a package that is made, without any check
# `uninstall.sh`, which is installed beside the manual, removes it.
set -eu
[ $# -eq 0 ] || { sed -n '2,6s/^# *//p' "$0"; exit 2; }
cd "$(dirname "$0")"
prefix=${PREFIX:-/usr/local}

# Copies the program and its files below a folder, and names them.
copy() {
  find bin share -type f | while read -r file; do
    install -D -m "$([ "$file" = bin/earshot ] && echo 755 || echo 644)" "$file" "$1/$file"
    echo "$file"
  done
}
# The entry for menus and the services name the program where it stands.
place() {
  sed -i "s|^\(Exec\(Start\)\?=\)\(/usr/bin/\)\?earshot|\1$prefix/bin/earshot|" "$1/share/applications/earshot.desktop" \
    "$1/share/systemd/user/earshot.service" "$1/share/dbus-1/services/io.github.earshot.Earshot.service"
}

if [ -n "${DESTDIR:-}" ]; then
  copy "$DESTDIR$prefix" >/dev/null
  [ "$prefix" = /usr ] || place "$DESTDIR$prefix"
  exit 0
fi

version=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc //p')
oldest=2.35
if [ -z "$version" ] || [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" != "$oldest" ]; then
  echo "Earshot needs glibc $oldest or later; this system has ${version:-another C library}." >&2
  exit 1
fi
missing=$(ldd bin/earshot | awk '/not found/ { print $1 }' | sort -u)
if [ -n "$missing" ]; then
  echo "Libraries that are missing:" $missing >&2
  if command -v apt >/dev/null; then
    echo "install them: sudo apt install libbluetooth3 libncursesw6 libpulse0 libsystemd0" >&2
  elif command -v dnf >/dev/null; then
    echo "install them: sudo dnf install bluez-libs ncurses-libs pulseaudio-libs systemd-libs" >&2
  elif command -v zypper >/dev/null; then
    echo "install them: sudo zypper install libbluetooth3 libncurses6 libpulse0 libsystemd0" >&2
  elif command -v pacman >/dev/null; then
    echo "install them: sudo pacman -S bluez-libs ncurses libpulse systemd-libs" >&2
  fi
  exit 1
fi

if ! bin/earshot --version >/dev/null; then
  echo "bin/earshot does not run on this machine ($(uname -m))" >&2
  exit 1
fi

if ! mkdir -p "$prefix" || [ ! -w "$prefix" ]; then
  echo "$prefix cannot be written to: run sudo ./install.sh, or PREFIX=~/.local ./install.sh" >&2
  exit 1
fi
prefix=$(cd "$prefix" && pwd)
documents=$prefix/share/doc/earshot
# For uninstall.sh: the folders that are made now, the innermost first, and the files.
folders=$(find bin share -depth -type d | while read -r folder; do [ -d "$prefix/$folder" ] || echo "$folder"; done)
mkdir -p "$documents"
[ -f "$documents/folders" ] || echo "$folders" >"$documents/folders"
copy "$prefix" >"$documents/files"
install -m 755 uninstall.sh "$documents/uninstall.sh"
place "$prefix"

echo "Installed $("$prefix/bin/earshot" --version) as $prefix/bin/earshot"
command -v earshot >/dev/null || echo "$prefix/bin is not in your PATH: add it"
echo "To remove it: $documents/uninstall.sh"
