#!/usr/bin/env bash
# Tests a wheel in a fresh virtual environment: with pytest, with the examples and the notebooks of the documentation, and with mypy
# and pyright. Without an argument it builds the wheel without optimization, and holds results beside those of the program that
# `cargo test` builds: `check.sh [WHEEL]`. A wheel that is given is held beside the command that it brings itself. FAMILIAR_READY names
# a file that is made when what needs both processors is done.
set -euo pipefail
given=${1:+$(realpath "$1")}
cd "$(dirname "$0")"
target=$(realpath -m "${CARGO_TARGET_DIR:-../../target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! python3 -m venv "$work/build" 2>/dev/null || ! "$work/build/bin/pip" install --quiet 'maturin>=1.16,<2'; then
    echo 'there is no python3 with venv, or PyPI is out of reach: the Python package is not tested'
    exit 0
fi
wheel=$given program=$work/fresh/bin/familiar
if [ -z "$given" ]; then
    cargo build --locked -p familiar-cli --target-dir "$target"
    "$work/build/bin/maturin" build --locked --profile dev --compatibility linux --target-dir "$target" --out "$work/wheel"
    wheel=$(echo "$work"/wheel/*.whl) program=$target/debug/familiar
fi

python3 -m venv "$work/fresh"
"$work/fresh/bin/pip" install --quiet "$wheel" --requirement tests/requirements.txt
# Half a gigabyte, which may not fit.
spark=yes
"$work/fresh/bin/pip" install --quiet --no-cache-dir --requirement tests/requirements-spark.txt || spark=
# Away from the sources, so that nothing but what is installed is tested.
cp -r tests pyproject.toml "$work"
repository=$(realpath ../..)
cd "$work"
export PATH=$work/fresh/bin:$PATH
export FAMILIAR_REPOSITORY=$repository FAMILIAR=$program
python -m pytest --quiet --pyargs familiar tests --ignore-glob 'tests/test_spark*.py'
if [ -n "${FAMILIAR_READY-}" ]; then touch "$FAMILIAR_READY"; fi
if [ -z "$spark" ]; then
    echo 'Spark cannot be installed here: its jobs are not tested, and types are not checked'
    exit 0
fi
# A cluster that loses its executors for good waits for others without end.
status=0
timeout --kill-after=30 1800 python -m pytest --quiet tests/test_spark*.py || status=$?
case $status in
    0) ;;
    124 | 137) echo 'Spark did not come to its end within 30 minutes: its jobs are not tested' ;;
    *) exit "$status" ;;
esac
python -m mypy tests
python -m mypy --package familiar
package=$(python -c 'import familiar, os; print(os.path.dirname(familiar.__file__))')
python -m pyright --pythonpath "$work/fresh/bin/python" tests "$package"
