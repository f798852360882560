#!/usr/bin/env bash
# Builds the documentation site into target/site and checks its links. Without mdBook only the links of the Markdown files are checked.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/.."

python3 site/test_links.py
python3 site/links.py --sources .

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
if command -v mdbook >/dev/null; then
    mdbook=mdbook
elif python3 -m pip install --quiet --root-user-action=ignore --no-deps --require-hashes --target "$tools" -r site/mdbook.txt; then
    mdbook=$tools/bin/mdbook
else
    echo 'mdBook is not installed and cannot be fetched: the site is not built, its sources were checked'
    exit 0
fi
"$mdbook" build
python3 site/links.py --site target/site
