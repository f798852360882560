"""Texts out of tables, data frames and lists."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _familiar
from .errors import FamiliarError, InputError, UsageError

__all__ = ["numbered_texts_of", "texts_of"]

#: A name, the bytes, and the language, which may be empty.
Text = tuple[str, bytes, str]


def texts_of(
    data: object,
    column: str | None,
    language: str | None,
    language_column: str | None = None,
    id_column: str | None = None,
) -> list[Text] | None:
    """The texts that ``data`` holds, or None where it holds paths."""
    found = numbered_texts_of(data, column, language, language_column, id_column)
    return None if found is None else found[0]


def numbered_texts_of(
    data: object,
    column: str | None,
    language: str | None,
    language_column: str | None = None,
    id_column: str | None = None,
) -> tuple[list[Text], list[int], int] | None:
    """The same with the number of the row of each text, and with how many rows there are."""
    if language is not None:
        _familiar.check_language(language)
    if is_table(data):
        if column is None:
            raise UsageError("a table needs the name of the column that holds code: give column=")
        return _of_table(data, column, language, language_column, id_column)
    for name, value in (("column", column), ("language_column", language_column), ("id_column", id_column)):
        if value is not None:
            raise UsageError(f"{name}= names a column of a table, and {type(data).__name__} is no table")
    if language is None:
        if is_column(data) and not all(map(_is_path, values_of(data))):
            raise UsageError("the column holds what is no path: where it holds code, give language=")
        return None
    if data is None or isinstance(data, (str, bytes, os.PathLike)) or not isinstance(data, Iterable):
        raise UsageError("language= goes with texts: give a list of texts, or leave it out for paths")
    if is_column(data):
        cells = [_cell(value, row) for row, value in enumerate(values_of(data))]
    else:
        cells = [as_bytes(text, row) for row, text in enumerate(data)]
    # What a column lacks holds no code.
    numbered = [(row, cell) for row, cell in enumerate(cells) if cell is not None]
    return [(str(row), cell, language) for row, cell in numbered], [row for row, _ in numbered], len(cells)


def _is_path(value: object) -> bool:
    return isinstance(value, (str, bytes, os.PathLike)) and os.path.exists(value)


def is_table(data: object) -> bool:
    """Whether it gives columns: by Arrow, or as a data frame of pandas does."""
    return hasattr(data, "columns") or hasattr(data, "__arrow_c_stream__") and not is_column(data)


def is_column(data: object) -> bool:
    """Whether it is one column: a series of pandas or polars, or an array of pyarrow or numpy."""
    return not hasattr(data, "columns") and any(hasattr(data, name) for name in ("dtype", "chunks", "to_pylist"))


def values_of(column: Any) -> Iterable[object]:
    """The values of one column as objects of Python."""
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            values: Iterable[object] = getattr(column, name)()
            return values
    return list(column)


def as_bytes(text: object, row: int) -> bytes:
    """The bytes of a text. What cannot be encoded stands as in a path that is not UTF-8."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    raise InputError(f"row {row} is no text: it is {type(text).__name__}")


def columns_of(table: Any, names: list[str]) -> list[list[bytes | None]]:
    """Some columns of a table as bytes."""
    if hasattr(table, "__arrow_c_stream__"):
        try:
            return [list(column) for column in _familiar.column(_narrowed(table, names), names)]
        except ImportError:
            # pandas gives Arrow only where pyarrow is there.
            pass
        except FamiliarError:
            raise
        except Exception as error:
            raise InputError(f"the table cannot be read: {error}") from error
    labels = labels_of(table)
    for name in names:
        if name not in labels:
            raise InputError(f"there is no column {name}; the table has {', '.join(labels)}")
    return [[_cell(value, row) for row, value in enumerate(values_of(table[labels[name]]))] for name in names]


def labels_of(table: Any) -> dict[str, Any]:
    """The labels of a data frame's columns, by their texts."""
    return {str(label): label for label in table.columns}


def _narrowed(table: Any, names: list[str]) -> Any:
    """A data frame of pandas with the columns that are asked for alone: it makes Arrow of all that it has, and not all can be."""
    if type(table).__module__.partition(".")[0] != "pandas":
        return table
    labels = labels_of(table)
    if not all(name in labels for name in names):
        # The error names the columns, and needs no row.
        return table.iloc[:0]
    return table[[labels[name] for name in dict.fromkeys(names)]]


def is_missing(value: Any) -> bool:
    """Whether it stands for no value: None, a number that is none, or the NA of pandas, whose comparison is no truth."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True
    except ValueError:
        return False


def _cell(value: object, row: int) -> bytes | None:
    if is_missing(value):
        return None
    return as_bytes(value if isinstance(value, (bytes, bytearray, memoryview)) else str(value), row)


def _of_table(
    table: object, column: str, language: str | None, language_column: str | None, id_column: str | None
) -> tuple[list[Text], list[int], int]:
    if language is not None and language_column is not None:
        raise UsageError("language= and language_column= say the same: give one of them")
    names = [name for name in (column, language_column, id_column) if name is not None]
    columns = dict(zip(names, columns_of(table, names)))
    count = len(columns[column])
    ids = columns[id_column] if id_column else [str(row).encode() for row in range(count)]
    languages = columns[language_column] if language_column else [(language or "").encode()] * count
    texts: list[Text] = []
    numbers: list[int] = []
    for row, (name, code, of) in enumerate(zip(ids, columns[column], languages)):
        # A row without code holds no clone.
        if code is not None:
            texts.append((_text(name, str(row)), code, _text(of, "")))
            numbers.append(row)
    return texts, numbers, count


def _text(value: bytes | None, otherwise: str) -> str:
    return otherwise if value is None else value.decode("utf-8", "replace")
