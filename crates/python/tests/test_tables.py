"""Tables of all libraries and of all types."""

from __future__ import annotations

import pickle
from typing import Any

import familiar
import numpy
import pandas
import polars
import pyarrow
import pytest

from samples import OTHER, RENAMED, TOTAL

CODE = [TOTAL, None, OTHER, RENAMED]
DICTIONARY = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())


def pairs(table: Any, **options: Any) -> list[tuple[str, str]]:
    given: dict[str, Any] = {"column": "code", "language": "python", "min_tokens": 30} | options
    return [(row["left"]["path"], row["right"]["path"]) for row in familiar.clones(table, **given)]


@pytest.mark.parametrize(
    "kind",
    [
        pyarrow.string(),
        pyarrow.large_string(),
        pyarrow.string_view(),
        pyarrow.binary(),
        pyarrow.large_binary(),
        pyarrow.binary_view(),
        DICTIONARY,
    ],
    ids=str,
)
def test_columns_of_all_types(kind: Any) -> None:
    plain = pyarrow.array(CODE)
    binary = pyarrow.types.is_binary(kind) or pyarrow.types.is_large_binary(kind) or kind == pyarrow.binary_view()
    array = plain.cast(pyarrow.binary()).cast(kind) if binary else plain.cast(kind)
    assert pairs(pyarrow.table({"code": array})) == [("0", "3")]


def test_data_frames() -> None:
    assert pairs(polars.DataFrame({"code": CODE})) == [("0", "3")]
    assert pairs(pandas.DataFrame({"code": CODE})) == [("0", "3")]
    assert pairs(polars.DataFrame({"code": CODE}).with_columns(polars.col("code").cast(polars.Categorical))) == [
        ("0", "3")
    ]


def test_a_data_frame_without_arrow() -> None:
    class Frame:
        columns = ["code"]

        def __getitem__(self, name: str) -> Any:
            return pandas.Series(CODE, dtype=object)

    assert pairs(Frame()) == [("0", "3")]


def test_a_data_frame_of_pandas_with_columns_that_arrow_cannot_hold() -> None:
    frame = pandas.DataFrame({"code": CODE, "mixed": [1, "a", None, b"b"], 7: ["python"] * 4})
    assert pairs(frame) == [("0", "3")]
    assert pairs(frame, language=None, language_column="7") == [("0", "3")]
    with pytest.raises(familiar.InputError, match="the table cannot be read"):
        pairs(frame, id_column="mixed")
    with pytest.raises(familiar.InputError, match=r"no column cod .*; the table has code, mixed, 7"):
        pairs(frame, column="cod")


def test_a_data_frame_without_arrow_with_what_is_missing_and_labels_that_are_no_text() -> None:
    class Frame:
        columns = [0]

        def __getitem__(self, name: int) -> Any:
            assert name == 0
            return pandas.Series([TOTAL, pandas.NA, float("nan"), RENAMED], dtype=object)

    assert pairs(Frame(), column="0") == [("0", "3")]


@pytest.mark.parametrize(
    "column",
    [
        pandas.Series(CODE),
        polars.Series(CODE),
        pyarrow.chunked_array([CODE[:1], CODE[1:]]),
        pyarrow.array(CODE),
        numpy.array(CODE, dtype=object),
    ],
    ids=["pandas", "polars", "chunked", "arrow", "numpy"],
)
def test_one_column_is_a_list_of_texts(column: Any) -> None:
    found = familiar.clones(column, language="python", min_tokens=30)
    assert [(row["left"]["path"], row["right"]["path"]) for row in found] == [("0", "3")]
    assert familiar.duplicates(column, language="python").keep == [True] * 4


def test_languages_have_one_meaning() -> None:
    table = pyarrow.table({"code": [TOTAL, RENAMED, TOTAL, TOTAL], "lang": ["Py3", "python", "klingon", ""]})
    columns: dict[str, Any] = {"column": "code", "language_column": "lang"}
    found = familiar.clones(table, min_tokens=30, **columns)
    assert [(row["left"]["path"], row["right"]["path"]) for row in found] == [("0", "1")]
    reasons = {row["path"]: row["reason"] for row in found.skipped}
    # A row that says nothing is told from its name and its text, and here both say nothing.
    assert reasons == {"2": "the language klingon is not known"}
    near = familiar.duplicates(table, **columns)
    assert near.keep == [True] * 4 and len(near.skipped) == 2
    assert pairs(table, language="Py3") != []
    for call in (familiar.duplicates, familiar.transform):
        with pytest.raises(familiar.UsageError, match="there is no language pyton: did you mean python"):
            call([TOTAL, TOTAL], language="pyton")


def test_bytes_that_are_not_utf8_differ_and_what_is_no_text_is_told() -> None:
    rows = [b"s = 'caf\xe9'\n", b"\x7fELF\0\0\1\0", b"s = 'caf\xe8'\n", b"s = 'caf\xe9'\n"]
    near = familiar.duplicates(rows, language="python")
    assert near.keep == [True, True, True, False]
    assert near.skipped == [{"path": "1", "reason": "binary"}]
    assert pickle.loads(pickle.dumps(near)).skipped == near.skipped
    made = familiar.transform(rows[:2], language="python", with_="variable-rename")
    assert {"path": "1", "reason": "binary"} in made.skipped


def test_bytes_in_a_dictionary_are_texts() -> None:
    columns = {name: pyarrow.array([code]) for name, code in (("code1", b"a = b + 1"), ("code2", b"c = d + 1"))}
    plain = pyarrow.table({**columns, "lang": ["python"], "label": [1]})
    encoded = pyarrow.table({name: column.dictionary_encode() for name, column in columns.items()})
    encoded = encoded.append_column("lang", [["python"]]).append_column("label", [[1]])
    results = [familiar.evaluate.pairs(table, measure="aligned") for table in (plain, encoded)]
    assert results[0]["recall"] == 1.0 and results[0] == results[1]


@pytest.mark.parametrize(
    "filter",
    ["query", "between_projects", "exclude", "no_ignore", "changed_since", "baseline", "decisions"],
)
def test_what_texts_have_not_is_refused(filter: str) -> None:
    value: Any = True if filter in ("between_projects", "no_ignore") else "a"
    more: dict[str, Any] = {"against": "b"} if filter == "query" else {}
    with pytest.raises(familiar.UsageError, match=f"--{filter.replace('_', '-')} goes with paths"):
        familiar.clones([TOTAL], language="python", **{filter: value}, **more)


def test_chunks_and_no_rows() -> None:
    chunked = pyarrow.table({"code": pyarrow.chunked_array([[TOTAL], [], [None, OTHER], [RENAMED]])})
    assert pairs(chunked) == [("0", "3")]
    assert pairs(chunked.slice(0, 0)) == []
    assert pairs(pyarrow.table({"code": pyarrow.array([], pyarrow.string())})) == []
    assert pairs(pyarrow.table({"code": pyarrow.nulls(3)})) == []


def test_ids_and_languages_of_columns() -> None:
    table = pyarrow.table({"code": CODE, "lang": ["python"] * 4, "number": [7, 8, 9, 10], "name": list("abcd")})
    assert pairs(table, language=None, language_column="lang", id_column="name") == [("a", "d")]
    assert pairs(table, id_column="number") == [("7", "10")]


def test_huge_cells_and_bytes_that_are_no_text() -> None:
    huge = TOTAL + "# padding\n" * 400_000
    rows = [TOTAL.encode(), b"\xff\xfe\x00\x01" * 1000, huge.encode(), TOTAL.encode() + b"# \xff\xe9\n"]
    result = familiar.clones(pyarrow.table({"code": rows}), column="code", language="python", min_tokens=30)
    assert {row["right"]["path"] for row in result} == {"2", "3"}


def test_a_wrong_column_lists_the_columns() -> None:
    for table in (pyarrow.table({"code": CODE, "lang": CODE}), polars.DataFrame({"code": CODE, "lang": CODE})):
        with pytest.raises(familiar.InputError, match=r"no column cod.*code.*lang"):
            pairs(table, column="cod")
    with pytest.raises(familiar.InputError, match="column code: it holds Float64; give a column of texts"):
        pairs(pyarrow.table({"code": [1.5]}))
    with pytest.raises(familiar.UsageError, match="give column="):
        familiar.clones(pyarrow.table({"code": CODE}))
    with pytest.raises(familiar.UsageError, match="no table"):
        familiar.clones("src", column="code")
    with pytest.raises(familiar.UsageError, match="there is no language pyhton: did you mean python"):
        pairs(pyarrow.table({"code": CODE}), language="pyhton")
    with pytest.raises(familiar.InputError, match="row 1 is no text: it is int"):
        familiar.clones([TOTAL, 3], language="python")
