#!/usr/bin/env bash
# Packs a built program for a release: `packaging/pack.sh PROGRAM NAME` makes NAME.tar.gz and its checksum in the current folder,
# with the man page, completions and licenses. What it packs stays in target/packaging, where the Debian package takes it from.
set -euo pipefail

program=$(realpath "$1")
name=$2
root=$(cd "$(dirname "$0")/.." && pwd)
here=$PWD

folder=${PACKAGING:-$root/target/packaging}
rm -rf "$folder"
mkdir -p "$folder/completions"
"$program" man > "$folder/familiar.1"
for shell in bash zsh fish powershell elvish; do
    "$program" completions "$shell" > "$folder/completions/familiar.$shell"
done
cp "$program" "$folder/familiar"
cp "$root"/{README.md,CHANGELOG.md,LICENSE-APACHE,LICENSE-MIT} "$folder"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -R "$folder" "$stage/$name"
tar -czf "$here/$name.tar.gz" -C "$stage" "$name"

"$root/packaging/checksum.sh" "$here/$name.tar.gz"
