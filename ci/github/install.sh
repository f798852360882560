#!/usr/bin/env bash
# Installs Familiar for the GitHub Action. `choose` says which version goes where; `install` puts it there, as bin/familiar:
# what the release has for this machine, or else what cargo builds.
set -euo pipefail

repository=https://github.com/familiar-code/familiar

fail() {
    echo "::error title=Familiar::$1"
    exit 3
}

target() {
    case "$RUNNER_OS-$RUNNER_ARCH" in
        Linux-X64) echo x86_64-unknown-linux-gnu ;;
        Linux-ARM64) echo aarch64-unknown-linux-gnu ;;
        macOS-ARM64) echo aarch64-apple-darwin ;;
    esac
}

# A name that changes with the sources of this action.
sources() {
    (cd "$ACTION_PATH" && find Cargo.toml Cargo.lock crates -type f | LC_ALL=C sort | git hash-object --stdin-paths --no-filters |
        git hash-object --stdin)
}

choose() {
    [ "$RUNNER_OS" != Windows ] || fail 'Familiar runs on Linux and macOS; use such a runner'
    local tag=${INPUT_VERSION:-} version='^v[0-9]+\.[0-9]+\.[0-9]+([-+.][0-9A-Za-z.+-]+)?$'
    if [ -n "$tag" ]; then
        tag=v${tag#v}
        [[ $tag =~ $version ]] || fail 'the input version is none: give one such as v0.1.0'
    elif [[ ${ACTION_REF:-} =~ $version ]]; then
        tag=$ACTION_REF
    fi
    {
        echo "tag=$tag"
        echo "folder=$RUNNER_TEMP/familiar-install"
        echo "key=familiar-$RUNNER_OS-$RUNNER_ARCH-${tag:-$(sources)}"
    } >> "$GITHUB_OUTPUT"
}

# Takes what the release has for this machine; fails where it has nothing.
fetch() {
    local target name
    target=$(target)
    [ -n "$target" ] || return 1
    name=familiar-$CHOSEN_TAG-$target
    cd "$1"
    for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
        curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 3 --output "$file" \
            "$repository/releases/download/$CHOSEN_TAG/$file" || return 1
    done
    read -r expected _ < "$name.tar.gz.sha256"
    actual=$( (sha256sum "$name.tar.gz" 2> /dev/null || shasum -a 256 "$name.tar.gz") | cut -d ' ' -f 1)
    # Something else than what was released is no reason to build, but to stop.
    [ "$expected" = "$actual" ] || fail "$name.tar.gz is not what its checksum says"
    tar -xzf "$name.tar.gz" "$name/familiar"
    mkdir -p "$CHOSEN_FOLDER/bin"
    mv "$name/familiar" "$CHOSEN_FOLDER/bin/familiar"
}

build() {
    command -v cargo > /dev/null || fail 'there is no binary of this version for this machine, and no cargo to build it; install Rust in a step before'
    if [ -n "$CHOSEN_TAG" ]; then
        cargo install --locked --root "$CHOSEN_FOLDER" --git "$repository" --tag "$CHOSEN_TAG" familiar-cli
    else
        cargo install --locked --root "$CHOSEN_FOLDER" --path "$ACTION_PATH/crates/cli"
    fi
}

install() {
    if [ -n "$CHOSEN_TAG" ]; then
        local folder status=0
        folder=$(mktemp -d)
        (fetch "$folder") || status=$?
        rm -rf "$folder"
        if [ -x "$CHOSEN_FOLDER/bin/familiar" ]; then
            return
        fi
        [ "$status" != 3 ] || exit 1
        echo "::notice title=Familiar::no binary of $CHOSEN_TAG for this machine; building it takes some minutes, the first time"
    fi
    build
}

"$1"
