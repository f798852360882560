"""Data that operations of the command read from a file: written to one where it is in memory."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import _familiar
from ._texts import Text, is_missing, is_table, labels_of, values_of
from .errors import FamiliarError, InputError

__all__ = ["decoded", "file_of_rows", "file_of_texts"]


@contextmanager
def file_of_texts(texts: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """A file with a line of JSON for each text: ``id``, ``lang`` and ``code``. It is gone afterwards."""
    with _file() as path:
        _write(path, ({"id": name, "lang": of, "code": code} for name, code, of in texts))
        yield str(path)


def decoded(texts: list[Text]) -> tuple[list[tuple[str, str, str]], list[dict[str, Any]], list[int]]:
    """The same texts, decoded as a file is; what is no text, with the reason; and the places of the former."""
    read: list[tuple[str, str, str]] = []
    skipped: list[dict[str, Any]] = []
    places: list[int] = []
    for place, (name, code, of) in enumerate(texts):
        text = _familiar.text(code)
        if text is None:
            skipped.append({"path": name, "reason": "binary"})
        else:
            read.append((name, text, of))
            places.append(place)
    return read, skipped, places


@contextmanager
def file_of_rows(data: object) -> Iterator[str]:
    """The file that ``data`` names, or one with the rows that it holds: a table, or dictionaries."""
    if isinstance(data, (str, os.PathLike)):
        yield os.fsdecode(data)
        return
    with _file() as path:
        if is_table(data) and hasattr(data, "__arrow_c_stream__"):
            try:
                _familiar.write_lines(data, str(path))
            except ImportError:
                # pandas gives Arrow only where pyarrow is there.
                _write(path, _records(data))
            except FamiliarError:
                raise
            except Exception as error:
                raise InputError(f"the table cannot be read: {error}") from error
        else:
            _write(path, _records(data))
        yield str(path)


@contextmanager
def _file() -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix="familiar-") as folder:
        yield pathlib.Path(folder, "rows.jsonl")


def _records(data: Any) -> Iterator[Mapping[str, Any]]:
    if is_table(data):
        labels = labels_of(data)
        for cells in zip(*(values_of(data[label]) for label in labels.values())):
            yield {name: cell for name, cell in zip(labels, cells) if not is_missing(cell)}
        return
    if not isinstance(data, Iterable):
        raise InputError(f"rows are a file, a table or dictionaries, and this is {type(data).__name__}")
    for number, row in enumerate(data):
        if not isinstance(row, Mapping):
            raise InputError(f"row {number} is no dictionary: it is {type(row).__name__}")
        yield {name: cell for name, cell in row.items() if not is_missing(cell)}


def _plain(value: Any) -> Any:
    """A number of numpy, or what else stands for a value of Python, as that value."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "shape", ()) == ():
        return item()
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"an object of the type {type(value).__name__} has no form in JSON")


def _write(path: pathlib.Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for number, row in enumerate(rows):
            try:
                out.write(json.dumps(dict(row), default=_plain, allow_nan=False) + "\n")
            except (TypeError, ValueError) as error:
                raise InputError(f"row {number} cannot be written as JSON: {error}") from None
