"""Texts out of tables, data frames and lists."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _familiar
from .errors import InputError, UsageError

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
    if is_table(data):
        if column is None:
            raise UsageError("a table needs the name of the column that holds code: give column=")
        return _of_table(data, column, language, language_column, id_column)
    for name, value in (("column", column), ("language_column", language_column), ("id_column", id_column)):
        if value is not None:
            raise UsageError(f"{name}= names a column of a table, and {type(data).__name__} is no table")
    if language is None:
        return None
    if data is None or isinstance(data, (str, bytes, os.PathLike)) or not isinstance(data, Iterable):
        raise UsageError("language= goes with texts: give a list of texts, or leave it out for paths")
    texts = [(str(row), as_bytes(text, row), language) for row, text in enumerate(data)]
    return texts, list(range(len(texts))), len(texts)


def is_table(data: object) -> bool:
    """Whether it gives columns: by Arrow, or as a data frame of pandas does."""
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns")


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
            return [list(column) for column in _familiar.column(table, names)]
        except ImportError:
            # pandas gives Arrow only where pyarrow is there.
            pass
    known = [str(name) for name in table.columns]
    for name in names:
        if name not in known:
            raise InputError(f"there is no column {name}; the table has {', '.join(known)}")
    return [[_cell(value, row) for row, value in enumerate(table[name].tolist())] for name in names]


def _cell(value: object, row: int) -> bytes | None:
    missing = value is None or value != value
    return None if missing else as_bytes(value if isinstance(value, bytes) else str(value), row)


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
