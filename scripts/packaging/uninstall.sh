#!/bin/sh
# Removes what install.sh has installed; your settings stay (~/.config/earshot, ~/.local/state/earshot).
set -eu
documents=$(cd "$(dirname "$0")" && pwd)
prefix=${documents%/share/doc/earshot}
if [ "$prefix" = "$documents" ] || [ ! -f "$documents/files" ]; then
  echo "Run the uninstall.sh that was installed: PREFIX/share/doc/earshot/uninstall.sh" >&2
  exit 1
fi
if [ ! -w "$prefix/bin" ]; then
  echo "$prefix cannot be written to: run it with sudo" >&2
  exit 1
fi
while read -r file; do rm -f "$prefix/$file"; done <"$documents/files"
folders=$(cat "$documents/folders")
rm -f "$documents/files" "$documents/folders" "$documents/uninstall.sh"
for folder in $folders; do rmdir "$prefix/$folder" 2>/dev/null || true; done
echo "Removed $prefix/bin/earshot; your settings stay in ~/.config/earshot and ~/.local/state/earshot"
