"""Clones among files and among texts."""

from __future__ import annotations

import os
import pathlib
import pickle
import re
from collections.abc import Callable
from typing import Any

import duckdb
import familiar
import numpy
import pandas
import polars
import pyarrow
import pytest
from familiar import _show

from samples import OTHER, RENAMED, REPOSITORY, TOTAL

Command = Callable[..., list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, []),
        ({"min_tokens": 30}, ["--min-tokens", 30]),
        ({"types": [1, 2], "granularity": "function"}, ["--types", "1,2", "--granularity", "function"]),
        ({"min_tokens": 25, "include_idioms": True, "types": (1, 2, 3)}, ["--min-tokens", 25, "--include-idioms"]),
        ({"types": 4, "encoder": "static", "confidence": 0.5}, ["--types=4", "--encoder=static", "--confidence=0.5"]),
        ({"types": 4, "confidence": 0.5, "explain": True}, ["--types=4", "--confidence=0.5", "--explain"]),
        ({"max_pairs_per_class": 1, "lang": "python"}, ["--max-pairs-per-class", 1, "--lang", "python"]),
    ],
)
def test_rows_are_those_of_the_command_line(options: dict[str, Any], words: list[object], command: Command) -> None:
    paths = [REPOSITORY / "benches", REPOSITORY / "tools"]
    expected = command("clones", *paths, *words)
    result = familiar.clones(paths, **options)
    assert result.to_dicts() == expected
    assert len(result) == len(expected)
    assert bool(result) == bool(expected)


def test_values_of_numpy_and_bytes_are_those_of_python(tree: pathlib.Path) -> None:
    expected = familiar.clones(tree, min_tokens=30).to_dicts()
    options: dict[str, Any] = {"min_tokens": numpy.int64(30), "include_idioms": numpy.False_, "types": numpy.array([1, 2])}
    assert familiar.clones(os.fsencode(tree), **options).to_dicts() == expected != []
    assert familiar.Corpus(b"world").path == "world"  # type: ignore[arg-type]


def test_lines_of_a_side_end_as_in_a_file() -> None:
    row = {"start_line": 7, "end_line": 8, "path": "a.py"}
    shown = _show.SideBySide({"left": row, "right": row, "alignment": []}, "a\x0cb\nc", "d\n")._repr_html_()
    assert [int(number) for number in re.findall(r"'> *(\d+) ", shown)] == [7, 8, 7]


def test_arrow_has_the_same_rows(command: Command) -> None:
    expected = command("clones", REPOSITORY / "benches")
    table = pyarrow.table(familiar.clones(REPOSITORY / "benches"))
    assert table.num_rows == len(expected) > 0

    def without_nulls(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_nulls(inner) for key, inner in value.items() if inner is not None}
        return value

    rows = [without_nulls(row) for row in table.to_pylist()]
    for row, line in zip(rows, expected, strict=True):
        if "vector_similarity" not in line:
            assert row == line


def test_libraries_take_a_result(tree: pathlib.Path) -> None:
    result = familiar.clones(tree, min_tokens=30)
    assert len(result) == 1
    assert polars.DataFrame(result)["type"].to_list() == [2]
    assert pandas.DataFrame.from_arrow(result)["type"].tolist() == [2]
    table = pyarrow.table(result)
    relation = duckdb.sql('SELECT "left".path FROM result')
    assert relation is not None and relation.fetchall() == [("one.py",)]
    # A result can be read any number of times.
    assert pyarrow.table(result) == table


def test_a_result_shows_itself_and_is_pickled(tree: pathlib.Path) -> None:
    result = familiar.clones(tree, min_tokens=30)
    assert repr(result) == "<familiar.Clones: 1 row>"
    shown = result._repr_html_()
    assert "1 class" in shown and "one.py:" in shown and "result += cost * (1 + rate)" in shown
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dicts() == result.to_dicts()
    assert again.summary == result.summary and result.summary["files"] == 3
    assert again.classes == [] and "<th>left</th>" in again._repr_html_()
    assert pyarrow.table(again) == pyarrow.table(result)


def test_markup_in_code_is_no_markup(tmp_path: pathlib.Path) -> None:
    for name in ("<b>one</b>.py", "<b>two</b>.py"):
        (tmp_path / name.replace("/", "∕")).write_text(TOTAL)
    shown = familiar.clones(tmp_path, min_tokens=30)._repr_html_()
    assert "<b>" not in shown and "&lt;b&gt;" in shown


def test_query_and_against(tree: pathlib.Path, command: Command) -> None:
    query, against = tree / "one.py", [tree / "two.py", tree / "three.py"]
    expected = command("clones", "--query", query, "--against", *against)
    assert familiar.clones(query=query, against=against).to_dicts() == expected != []


def test_texts_of_a_list() -> None:
    result = familiar.clones([TOTAL, OTHER.encode(), RENAMED], language="python", min_tokens=30)
    assert [(row["left"]["path"], row["right"]["path"], row["type"]) for row in result] == [("0", "2", 2)]


def test_nothing_has_no_rows(tmp_path: pathlib.Path) -> None:
    for result in (familiar.clones(tmp_path), familiar.clones([], language="python")):
        assert len(result) == 0 and not result and result.to_dicts() == []
        assert pyarrow.table(result).num_rows == 0
        assert "0 rows" in result._repr_html_()


def test_classes_and_code_of_a_result(tree: pathlib.Path) -> None:
    result = familiar.clones(tree, min_tokens=30)
    [found] = result.classes
    assert [member["path"] for member in found["members"]] == ["one.py", "two.py"]
    assert (found["rank"], found["type"], found["lines"]) == (1, 2, 8)
    assert result.code(found["members"][1]) == RENAMED.strip()
    pair = result.side_by_side()
    assert (pair.left, pair.right) == (TOTAL.strip(), RENAMED.strip())
    assert repr(pair) == "<familiar.SideBySide: one.py:3-10 and two.py:2-9>"
    with pytest.raises(IndexError, match="there is no row 1: there are 1 row"):
        result.side_by_side(1)
    (tree / "two.py").unlink()
    with pytest.raises(familiar.InputError, match="the code of two.py:2-9 cannot be shown: "):
        result.side_by_side()
    assert "one.py:" in result._repr_html_()


def test_code_of_texts_is_shown_and_escaped() -> None:
    text = TOTAL.replace("amount = 0", "amount = 0 if taxes else '<b>'")
    result = familiar.clones([text, text], language="python", min_tokens=30)
    shown = result._repr_html_()
    assert "&lt;b&gt;" in shown and "<b>" not in shown
