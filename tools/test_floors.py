#!/usr/bin/env python3
"""Tests of floors.py: python3 tools/test_floors.py"""

import unittest

import floors


def package(name, *dependencies):
    kinds = [{"name": "familiar-" + other, "kind": kind} for other, kind in dependencies]
    return {"name": "familiar-" + name, "dependencies": kinds}


class Floors(unittest.TestCase):
    TEXT = "```floors\nsource\nsearch report\n```\n"

    def faults(self, *packages):
        return list(floors.faults(floors.floors(self.TEXT), packages))

    def test_arrows_down_and_dependencies_of_tests_are_no_faults(self):
        search = package("search", ("source", None), ("report", "dev"))
        self.assertEqual(self.faults(package("source"), search, package("report", ("source", None))), [])

    def test_arrows_up_and_across_are_faults(self):
        across = package("search", ("report", None))
        up = package("source", ("search", None))
        self.assertEqual(
            self.faults(up, across, package("report")),
            [
                "search depends on report, which stands no lower",
                "source depends on search, which stands no lower",
            ],
        )

    def test_a_crate_of_others_with_the_name_of_one_of_ours_is_no_fault(self):
        search = package("search")
        search["dependencies"].append({"name": "report", "kind": None, "source": "registry+https://crates.example"})
        self.assertEqual(self.faults(package("source"), search, package("report")), [])

    def test_every_crate_stands_on_a_floor_and_every_name_is_a_crate(self):
        self.assertEqual(
            self.faults(package("source"), package("search"), package("cli")),
            ["cli stands on no floor", "report is no crate of this workspace"],
        )


if __name__ == "__main__":
    unittest.main()
