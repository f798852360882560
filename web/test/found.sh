#!/usr/bin/env bash
# Reports of what a corpus has of some code, as PROGRAM writes them; after audited.sh, whose corpus and projects it takes.
#   web/test/found.sh PROGRAM FOLDER
# FOLDER gets `many` (of a folder), `one.html` (of standard input), `lines` (of a part of one file) and `bare` (of fingerprints,
# asked of a corpus without text). Names and code are hostile on purpose.
set -euo pipefail
program=$(realpath "$1")
cd "$2"
export FAMILIAR_HOME=$PWD/home

hostile='<img src=x onerror=alert(3)>'
mkdir -p "$hostile" asked/deep
{
    printf '# </script><script>alert(4)</script> <!-- %s\n' "$hostile"
    cat app/src/shop.py
} > "$hostile/=cmd $hostile.py"
"$program" corpus add ./found-corpus git:library git:fork git:other "dir:$hostile" --quiet

own() {
    printf '\n\ndef own(a, b):\n    """Nobody has it."""\n    return [b(a) for a in a if not b.is_none(a)] + [a.b for b in a.c]\n'
}
# The two functions of shop.py the other way round, so that their stretches stand in another order.
{ sed -n '/^def parse/,$p' app/src/shop.py; printf '\n\n'; sed '/^def parse/,$d' app/src/shop.py; own; } > "asked/turned <b>.py"
{ cat app/src/stock.py; own; } > "asked/deep/$hostile.py"
cp library/orders.py asked/orders.py
cp "$hostile/=cmd $hostile.py" asked/whole.py
own > "asked/own & $hostile.py"
printf 'only words\n' > asked/readme.txt

"$program" find asked --in ./found-corpus --format html --output many --quiet
"$program" find - --lang python --in ./found-corpus --format html --output one.html < library/orders.py
"$program" find app/src/shop.py:2-16 --in ./found-corpus --format html --output lines
"$program" corpus add ./bare-corpus git:library --no-text --quiet
"$program" fingerprint library --output library.fp --quiet
"$program" find --fingerprints library.fp --in ./bare-corpus --format html --output bare
