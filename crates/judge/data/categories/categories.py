"""Writes `categories.tsv` from ScanCode's licenses: python3 categories.py licensedcode/data/licenses > categories.tsv"""

import pathlib
import re
import sys

LETTERS = {
    "Public Domain": "D", "Permissive": "P", "Copyleft Limited": "W", "Copyleft": "S", "Source-available": "A", "Free Restricted": "R",
    "Proprietary Free": "F", "Commercial": "C", "CLA": "X", "Patent License": "X", "Unstated License": "U",
}


def main():
    rows = {}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.LICENSE")):
        head = path.read_text(encoding="utf-8").split("---")[1]
        fields = dict(re.findall(r"^(\w+): *(.+)$", head, re.M))
        if fields.get("is_exception") == "yes":
            continue
        others = re.search(r"^other_spdx_license_keys:\n((?: +- .+\n)+)", head, re.M)
        names = re.findall(r"- (.+)", others[1]) if others else []
        for name in [fields.get("spdx_license_key"), *names]:
            if name:
                rows.setdefault(name.strip().removeprefix("LicenseRef-scancode-"), LETTERS[fields["category"]])
    print("# Categories of ScanCode's licenses, (c) nexB Inc. and others, CC-BY-4.0; ScanCode Toolkit 32.5.0; see README.md")
    for name in sorted(rows):
        print(f"{rows[name]}\t{name}")


main()
