"""Writes `matrix.txt` from OSADL's `matrixseqexpl.json`: python3 compact.py matrixseqexpl.json > matrix.txt

The 13,225 reasons are 38 sentences with two names in them. Every sentence is written once, with {out} and {in} for the names; the
matrix is a line for each outbound license, with a letter for each inbound one. What is written is read again and compared.
"""

import html
import json
import re
import sys

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def general(outbound, inbound, reason):
    names = sorted({(outbound, "{out}"), (inbound, "{in}")}, key=lambda name: -len(name[0]))
    for name, mark in names:
        reason = re.sub(r"(?<![\w.-])" + re.escape(name) + r"(?![\w-])(?!\.\d)", mark, reason)
    return reason


def main():
    source = json.load(open(sys.argv[1], encoding="utf-8"))
    matrix = {
        row["name"]: {
            cell["name"]: (cell["compatibility"], html.unescape(cell["explanation"])) for cell in row["compatibilities"]
        }
        for row in source["licenses"]
    }
    reasons, lines = {}, []
    for outbound, row in matrix.items():
        assert set(row) == set(matrix), outbound
        letters = ""
        for inbound in matrix:
            verdict, reason = row[inbound]
            key = (verdict, general(outbound, inbound, reason))
            letter = reasons.setdefault(key, LETTERS[len(reasons)])
            assert key[1].replace("{out}", outbound).replace("{in}", inbound) == reason, (outbound, inbound)
            letters += letter
        lines.append((outbound, letters))
    print(f"# Open Source License Compatibility Matrix, (c) OSADL eG, CC-BY-4.0; {source['timestamp']}; see README.md")
    for (verdict, reason), letter in reasons.items():
        print(f"reason\t{letter}\t{verdict}\t{reason}")
    for outbound, letters in lines:
        print(f"license\t{outbound}\t{letters}")


main()
