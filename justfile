# Short names for the commands of a working day: `just` lists them. Each recipe is a plain command or two.
# Copy the command where `just` is not installed (https://just.systems).

# Lists the recipes
default:
    @just --list --unsorted

# Builds the program: target/release/familiar
build:
    cargo build --release --locked -p familiar-cli

# Runs the tests
test:
    cargo test --locked

# Runs the tests that take long: kills, full disks, attacks, compilers of many languages
test-long:
    cargo test --locked -- --ignored

# Runs the tests with cargo-nextest, which shows how long each one takes
nextest:
    cargo nextest run --locked

# Runs the tests of one feature: `just test-one search`, `just test-one cli serve::`
test-one crate filter="":
    cargo test --locked -p familiar-{{ crate }} {{ filter }}

# Checks the format, the lints, the width of lines, and that every dependency is used (needs cargo-machete)
lint:
    cargo fmt --all --check && python3 site/widths.py . && python3 tools/modules.py && cargo machete
    cargo clippy --workspace --all-targets --locked -- -D warnings

# Checks the dependencies for known faults (needs cargo-deny and the net)
advisories:
    cargo deny check advisories

# Runs everything that a change must pass
ci:
    bash .ci/run

# Tests the Python package in a fresh virtual environment
python:
    crates/python/check.sh

# Compares the speed with other detectors, on trees that benches/trees.py makes
bench trees:
    cargo build --release --locked -p familiar-cli
    python3 benches/side_by_side.py --familiar target/release/familiar --trees {{ trees }}

# Builds the documentation site into target/site and checks its links
docs:
    site/build.sh

# Writes the pages of commands and languages again, after a change of help texts or languages
docs-reference:
    FAMILIAR_UPDATE_DOCS=1 cargo test --locked -p familiar-cli --lib reference::

# Fuzzes one target of fuzz/fuzz_targets for some seconds (needs cargo-fuzz and a nightly compiler)
fuzz target seconds="60":
    cargo +nightly fuzz run {{ target }} -- -max_len=4096 -max_total_time={{ seconds }}

# Changes one decision of a crate at a time and lists the changes that no test notices. Commit first (needs cargo-mutants)
mutants crate *options:
    cargo mutants --in-place -p familiar-{{ crate }} {{ options }}

# Writes the snapshots of one crate again. Read the difference before you commit it
snapshots crate:
    INSTA_UPDATE=always cargo test --locked -p familiar-{{ crate }}
    git diff --stat -- '*.snap'

# Builds the pages of the report and of the server again: crates/report/assets and crates/service/assets
assets:
    cd web && npm ci && npm test && npm run build
