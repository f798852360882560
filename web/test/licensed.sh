#!/usr/bin/env bash
# A small tree whose paths, licenses and holders are hostile on purpose, and the report of its licenses, as PROGRAM writes it.
#   web/test/licensed.sh PROGRAM FOLDER
# FOLDER gets `tree`, `report` and `report.html`.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2/tree"
cd "$2/tree"
hostile='<img src=x onerror=alert(1)>'

mit() {
    cat <<END
MIT License

Copyright (c) 2024 $1

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
END
}

mkdir -p 'lib/</script><script>alert(2)<' "$hostile" vendor/tiny
mit 'Ann </script><script>alert(3)</script> Author' > LICENSE
printf '[package]\nname = "%s"\nversion = "1.0.0"\nlicense = "MIT"\n' app > Cargo.toml
printf '{"name": "tiny%s", "version": "0.1.0", "license": "%s"}\n' "$hostile" "$hostile" > vendor/tiny/package.json
printf '// SPDX-License-Identifier: GPL-3.0-only\n// Copyright 2023 Ben <script>alert(4)</script> Other\nfn main() {}\n' > "lib/</script><script>alert(2)<"/script.rs
printf '# SPDX-License-Identifier: Apache-2.0\n# SPDX-FileCopyrightText: 2022 %s\nprint(1)\n' "$hostile" > "$hostile/=1+1.py"
printf 'x = 1\n' > "vendor/$(printf 'turned\342\200\256txt.exe')"
printf '\177ELF\001\000\000\000\000\000\002\003' > image.bin
for number in $(seq 40); do printf 'fn number_%d() {}\n' "$number" > "lib/number_$number.rs"; done
cd ..
# What stands in a folder without a license is not told by those above it.
mkdir -p tree/vendor/nothing
printf '{"name": "nothing"}\n' > tree/vendor/nothing/package.json
printf 'y = 2\n' > tree/vendor/nothing/y.py

"$program" license tree --format html --output report --quiet
"$program" license tree --format html --output report.html --quiet
