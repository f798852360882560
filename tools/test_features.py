#!/usr/bin/env python3
"""Tests of features.py: python3 tools/test_features.py"""

import unittest

import features


class Trees(unittest.TestCase):
    def test_lines_give_crates_with_features(self):
        tree = "a v1.0.0 (/here/a) default,x\nb v0.2.1 (proc-macro) y (*)\n\nc v3.0.0+k \na v1.0.0 (/here/a) default,x (*)\n"
        self.assertEqual(features.parsed(tree), {("a v1.0.0", "default,x"), ("b v0.2.1", "y"), ("c v3.0.0+k", "")})


if __name__ == "__main__":
    unittest.main()
