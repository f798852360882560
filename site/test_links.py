#!/usr/bin/env python3
"""Tests of links.py: a broken link of each kind is found, and nothing else."""

import pathlib
import subprocess
import tempfile
import unittest

import links

OWN = "https://github.com/familiar-code/familiar/blob/main/"


class Sources(unittest.TestCase):
    def broken(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "--quiet", folder], check=True)
            (root / "other.md").write_text("# A `title`, twice\n\n# A title twice\n\n```\n# not one\n```\n", encoding="utf-8")
            (root / "page.md").write_text(text, encoding="utf-8")
            return [line.split(": ")[1] for line in links.check_sources(root)[0]]

    def test_what_is_there_is_not_reported(self):
        text = f"[a](other.md) [b](other.md#a-title-twice) ![c](other.md) [d](https://x.org/gone) [e]({OWN}other.md#L1)"
        self.assertEqual(self.broken(text), [])

    def test_what_is_missing_is_reported(self):
        text = f"[a](gone.md) ![b](gone.png) [c](other.md#gone) [d](#gone) [e]({OWN}gone.md)\n\n[f]: gone.txt\n"
        missing = {"gone.md", "gone.png", "other.md#gone", "#gone", OWN + "gone.md", "gone.txt"}
        self.assertEqual(set(self.broken(text)), missing)

    def test_a_page_of_the_site_links_to_nothing_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "--quiet", folder], check=True)
            (root / "docs").mkdir()
            (root / "docs" / "a.md").write_text("[a](../b.md) [b](c.txt)", encoding="utf-8")
            (root / "docs" / "c.txt").write_text("", encoding="utf-8")
            (root / "b.md").write_text("[a](docs/a.md)", encoding="utf-8")
            self.assertEqual([line.split(": ")[1] for line in links.check_sources(root)[0]], ["../b.md"])

    def test_code_holds_no_links(self):
        self.assertEqual(self.broken("`[a](gone.md)` and ``b` [c](gone.md)``\n\n```md\n[d](gone.md)\n```\n"), [])

    def test_headings_of_code_are_no_anchors(self):
        self.assertEqual(self.broken("[a](other.md#not-one)"), ["other.md#not-one"])

    def test_the_second_heading_of_a_name_has_a_number(self):
        self.assertEqual(self.broken("[a](other.md#a-title-twice-1) [b](other.md#a-title-twice-2)"), ["other.md#a-title-twice-2"])


class Site(unittest.TestCase):
    def broken(self, page):
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder) / "site"
            (site / "deep").mkdir(parents=True)
            (site / "index.html").write_text("<h1 id=top>Top</h1>", encoding="utf-8")
            (site / "deep" / "page.html").write_text(page, encoding="utf-8")
            (pathlib.Path(folder) / "outside.md").write_text("", encoding="utf-8")
            return [line.split(": ")[1] for line in links.check_site(site, pathlib.Path(folder))[0]]

    def test_what_is_there_is_not_reported(self):
        self.assertEqual(self.broken(f'<a href="../index.html#top">a</a><a href="..">b</a><a href="{OWN}outside.md">c</a><p id=x><a href="#x">'), [])

    def test_what_is_missing_is_reported(self):
        page = '<a href="../gone.html"></a><img src="gone.png"><a href="../index.html#gone"></a><a href="#gone"></a>'
        self.assertEqual(self.broken(page), ["../gone.html", "gone.png", "../index.html#gone", "#gone"])

    def test_what_is_outside_the_site_is_reported(self):
        self.assertEqual(self.broken('<a href="../../outside.md">a</a>'), ["../../outside.md"])


if __name__ == "__main__":
    unittest.main()
