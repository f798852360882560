"""The page of the documentation: every example on it is run."""

from __future__ import annotations

import doctest
import pathlib
import re

import pytest

from samples import REPOSITORY

PAGE = REPOSITORY / "docs" / "python.md"


def test_the_examples_of_the_page(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree.parent)
    tree.rename("src")
    blocks = re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    assert len(blocks) > 5
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test, out=said.append)
    assert outcome.failed == 0, "".join(said)
