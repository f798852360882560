#!/usr/bin/env python3
"""Tests of widths.py: text and code that are too wide are found; tables and addresses are not."""

import pathlib
import tempfile
import unittest

import widths

WORDS = "word " * 22


class Widths(unittest.TestCase):
    def test_tables_and_addresses_do_not_count(self):
        far = "https://example.org/" + "a" * 120
        for line in [f"| {WORDS} | {WORDS} |", f"> | {WORDS} | b |", f"[a]({far}) and [b]({far})", far, f"[a]: {far}", WORDS.strip()]:
            self.assertLessEqual(widths.columns(line), widths.MOST, line)

    def test_text_and_code_count(self):
        for line in [WORDS + "ab", f"    cargo {WORDS}", f"see [a](b.md) {WORDS}", "é" * 111]:
            self.assertGreater(widths.columns(line), widths.MOST, line)

    def test_a_wide_line_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "page.md").write_text(f"# A page\n\n{WORDS}{WORDS}\n", encoding="utf-8")
            self.assertEqual(widths.too_wide(root, "page.md"), ["page.md:3: 220 columns"])


if __name__ == "__main__":
    unittest.main()
