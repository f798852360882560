#!/usr/bin/env bash
# Builds the wheel without optimization, installs it into a fresh virtual environment, and tests it there: with pytest, with the
# examples of the documentation, and with mypy. Results are held beside those of the program that `cargo test` builds.
set -euo pipefail
cd "$(dirname "$0")"
target=$(realpath -m "${CARGO_TARGET_DIR:-../../target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! python3 -m venv "$work/build" 2>/dev/null || ! "$work/build/bin/pip" install --quiet 'maturin>=1.16,<2'; then
    echo 'there is no python3 with venv, or PyPI is out of reach: the Python package is not tested'
    exit 0
fi
cargo build --locked -p familiar-cli --target-dir "$target"
"$work/build/bin/maturin" build --locked --profile dev --compatibility linux --target-dir "$target" --out "$work/wheel"

python3 -m venv "$work/fresh"
"$work/fresh/bin/pip" install --quiet "$work"/wheel/*.whl --requirement tests/requirements.txt
# Away from the sources, so that nothing but what is installed is tested.
cp -r tests pyproject.toml "$work"
cd "$work"
FAMILIAR_REPOSITORY=$(realpath "$OLDPWD/../..") FAMILIAR=$target/debug/familiar \
    fresh/bin/python -m pytest --quiet --pyargs familiar tests
fresh/bin/python -m mypy tests
fresh/bin/python -m mypy --package familiar
