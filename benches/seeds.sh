#!/bin/sh
# Audits packages, Python's documentation and students' programs against one another and against Stack Overflow, and draws the table
# of docs/guide/stack-exchange-pairs.tsv: seeds.sh OUT PAGES_GIT_DIR SETS_DIR DOCS_DIR STUDENTS_DIR
#
# PAGES_GIT_DIR is what saved_pages.py reads, SETS_DIR has conala.jsonl and semanticclonebench_partial.jsonl, unpacked, DOCS_DIR is
# CPython's Doc, STUDENTS_DIR has a folder for each author. FAMILIAR names the program. Corpora and audits that OUT has already are
# not made again; it takes 2 GB there and about 20 minutes of a processor.
set -eu
out=$1 pages=$2 sets=$3 docs=$4 students=$5
here=$(cd "$(dirname "$0")" && pwd)
familiar=${FAMILIAR:-familiar}
mkdir -p "$out/audits"

if [ ! -f "$out/stackoverflow.com/Posts.xml" ]; then
    python3 "$here/saved_pages.py" "$pages" > "$out/pages.jsonl"
    python3 "$here/posts.py" "$out/stackoverflow.com" "$out/pages.jsonl" "$sets/conala.jsonl" "$sets/semanticclonebench_partial.jsonl"
fi

corpus() { # NAME SOURCE
    [ -d "$out/$1" ] || "$familiar" corpus add "$out/$1" "$2" --progress never
}
corpus posts "stackexchange:$out/stackoverflow.com"
corpus packages "list:$here/stack-exchange-packages.txt"

# license.rst holds the texts of all that CPython contains, too; what it says of the documentation is concluded by hand
if [ ! -d "$out/Doc" ]; then
    rm -rf "$out/Doc.part"
    cp -R "$docs" "$out/Doc.part"
    cat > "$out/Doc.part/familiar.toml" <<'END'
[[license.concluded]]
path = "**.rst"
expression = "PSF-2.0 OR 0BSD"
reason = "license.rst: the documentation is under the PSF License Agreement, its examples also under the Zero-Clause BSD license"
END
    mv "$out/Doc.part" "$out/Doc"
fi
corpus docs "docs:$out/Doc"
corpus students "submissions:$students"

audit() { # REPORT AUDITED AGAINST... ; exit code 1 says that some of it is denied
    report=$out/audits/$1.json audited=$out/$2
    shift 2
    [ -f "$report" ] && return
    "$familiar" audit "$audited" --against "$@" --format json --output "$report" --memory 4GiB --progress never || [ $? -eq 1 ]
}
audit packages-posts packages "$out/posts"
audit docs-posts docs "$out/posts"
audit students-posts students "$out/posts"
audit packages-docs packages "$out/docs"
audit docs-packages docs "$out/packages"
audit students-docs students "$out/docs"
audit students-packages students "$out/packages"

a=$out/audits
credited=test_curtsies_repl.py,circus/util.py,dbt/cli/options.py,datasets/cifar10.py,datasets/oxflower17.py
python3 "$here/sample_audits.py" "$here/../docs/guide/stack-exchange-pairs.tsv" \
    "packages-posts=$a/packages-posts.json:64" "docs-posts=$a/docs-posts.json:16" "students-posts=$a/students-posts.json:8" \
    "packages-docs=$a/packages-docs.json:14" "docs-packages=$a/docs-packages.json:9" "students-packages=$a/students-packages.json:8" \
    "packages-posts-credited=$a/packages-posts.json:$credited"
