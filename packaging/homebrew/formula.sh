#!/usr/bin/env bash
# Writes the Homebrew formula of a release: `packaging/homebrew/formula.sh vX.Y.Z FOLDER > familiar.rb`, where FOLDER has the
# checksums of the archives.
set -euo pipefail

tag=$1
folder=$2
template=$(dirname "$0")/familiar.rb.in

checksum() {
    local sum
    read -r sum _ < "$folder/familiar-$tag-$1.tar.gz.sha256"
    [[ $sum =~ ^[0-9a-f]{64}$ ]] || { echo "familiar-$tag-$1.tar.gz.sha256 holds no checksum" >&2; exit 1; }
    echo "$sum"
}

mac=$(checksum aarch64-apple-darwin)
arm=$(checksum aarch64-unknown-linux-gnu)
intel=$(checksum x86_64-unknown-linux-gnu)
sed -e "s/@VERSION@/${tag#v}/" -e "s/@MAC_ARM@/$mac/" -e "s/@LINUX_ARM@/$arm/" -e "s/@LINUX_INTEL@/$intel/" "$template"
