#!/usr/bin/env python3
"""Checks that no line of a Markdown file has more than 110 columns: widths.py DIR

Rows of tables cannot be wrapped, and neither can an address, so these do not count: `|` begins a row, and the address of a
link takes no columns. Everything else does count, code too, because readers on narrow screens cannot see its end.

Prints one line for each line that is too wide and exits with 1 if there are any.
"""

import pathlib
import re
import sys

import links

MOST = 110
ADDRESS = re.compile(r"(?<=\])\([^)\s]*\)|^\[[^\]]+\]:\s*\S+|https?://[^\s)>\"'`]+")


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    root = pathlib.Path(arguments[0])
    wide = [line for path in links.markdown_files(root) for line in too_wide(root, path)]
    for line in wide:
        print(line)
    print(f"{len(wide)} lines have more than {MOST} columns")
    return 1 if wide else 0


def too_wide(root, path):
    """Each line of a file that has too many columns, as `path:line: columns`."""
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    counted = ((number, columns(line)) for number, line in enumerate(lines, 1))
    return [f"{path}:{number}: {count} columns" for number, count in counted if count > MOST]


def columns(line):
    return 0 if line.lstrip(" >").startswith("|") else len(ADDRESS.sub("", line))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
