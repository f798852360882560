"""Makes of ScanCode's result the table that the example `agreement` reads: license_labels.py SCAN.json > LABELS.tsv

A line has the path without its first folder and `detected_license_expression_spdx`, which is empty where nothing was found. Files that
ScanCode could not read are left out.
"""

import json
import sys


def main(path):
    print("path\tscancode_spdx_expression")
    for file in json.load(open(path, encoding="utf-8"))["files"]:
        if file["type"] == "file" and not file["scan_errors"]:
            print(file["path"].split("/", 1)[1], file["detected_license_expression_spdx"] or "", sep="\t")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
