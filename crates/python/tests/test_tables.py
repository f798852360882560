"""Tables of all libraries and of all types."""

from __future__ import annotations

from typing import Any

import familiar
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
