#!/usr/bin/env bash
# Makes the pictures of the documentation again (docs/img), over trees that this script makes or fetches.
#   web/test/pictures.sh PROGRAM [VENDORED]
# VENDORED is a folder of vendored packages for the picture of licenses, such as what `cargo vendor` writes; without it, that
# picture stays as it is. Needs Chromium, pip and pngquant.
set -euo pipefail
program=$(realpath "$1")
vendored=${2:+$(realpath "$2")}
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
work=$(mktemp -d)
export FAMILIAR_HOME=$work/home
mkdir "$FAMILIAR_HOME"
servers=
trap '[ -z "$servers" ] || kill $servers; rm -rf "$work"' EXIT
cd "$work"

# A tree of a size that people have: Sphinx as its package holds it.
pip download --quiet --no-deps --only-binary :all: --dest . sphinx==8.1.3
python3 -m zipfile -e sphinx-8.1.3-*.whl sphinx-8.1.3
"$program" clones sphinx-8.1.3/sphinx --format html --output sphinx --quiet

# Pairs of it to be judged.
"$program" clones sphinx-8.1.3/sphinx --format json --output sphinx.json --quiet
"$program" benchmark sample study sphinx.json --strata lines --count 20 --judges ada,grace --labels copied,edited,idiom --quiet > /dev/null

# A class of 60 in two semesters, some of whom copied.
python3 "$here/pictures.py"
"$program" clones class-2025/* class-2026/* --between-projects --format html --output network --quiet

# The projects of the tests, with ordinary names.
mkdir audited
sed -e 's/lists & <b>.py/lists.py/; s/<img src=x onerror=alert(1)>.py/orders.py/; s/Ann <b>Author<\/b>/Ann Author/; s/&lt;i&gt;answers&lt;\/i&gt;/Ben/' \
    "$here/audited.sh" > audited.sh
bash audited.sh "$program" audited
for project in library fork other; do
    git -C "audited/$project" remote remove origin 2> /dev/null || true
    git -C "audited/$project" remote add origin "https://github.com/example/$project"
done

# A file of ours under other names, found in a corpus.
mkdir -p project/crates familiar app
cp -r "$root"/LICENSE-* "$root/README.md" project
cp -r "$root/crates/review" "$root/crates/search" project/crates
cp -r "$root/crates/review" familiar/crates-review
mkdir -p familiar/crates && mv familiar/crates-review familiar/crates/review
cp "$root"/LICENSE-* familiar
sed -i 's/^license.workspace = true$/license = "Apache-2.0 OR MIT"/' familiar/crates/review/Cargo.toml
git -C familiar init -q
git -C familiar remote add origin https://example.org/familiar
git -C familiar add -A
GIT_AUTHOR_DATE=2026-01-31T10:00:00Z GIT_COMMITTER_DATE=2026-01-31T10:00:00Z \
    git -C familiar -c user.name=Ada -c user.email=ada@example.org -c commit.gpgsign=false commit -qm 'Review'
sed 's/decisions/verdicts/g; s/Decisions/Verdicts/g; s/\bdecision\b/verdict/g' familiar/crates/review/src/decisions.rs > app/reviews.rs
"$program" corpus add world git:audited/library git:audited/fork git:audited/other git:familiar --quiet
"$program" find app/reviews.rs --in world --format html --output found --quiet

(cd "$root" && "$program" clones crates/search crates/report crates/cli --min-tokens 50 --format html --output "$work/decisions" --quiet)
"$program" license project --format html --output licensed --quiet
[ -z "$vendored" ] || { ln -s "$vendored" vendored && "$program" license vendored --format html --output vendored-report --quiet; }

"$program" serve --listen 127.0.0.1:0 --quiet > said &
servers=$!
"$program" benchmark judge study --listen 127.0.0.1:0 --quiet > study-said &
servers="$servers $!"
for _ in $(seq 100); do
    grep -qs listening said && grep -qs listening study-said && break
    sleep 0.1
done

mkdir pictures
address() {
    sed -n 's/listening on //p' "$1"
}
(cd "$here/.." && node test/pictures.mjs "$work" "$(address "$work/said")" "$(address "$work/study-said")" "$(sed -n 's/^ada\t//p' "$work/study-said")")
pngquant 96 --force --skip-if-larger --strip --speed 1 --ext .png pictures/*.png || [ $? -eq 98 ]
cp pictures/*.png "$root/docs/img"
