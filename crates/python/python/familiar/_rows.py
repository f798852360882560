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
from ._texts import Text, is_table
from .errors import InputError

__all__ = ["file_of_rows", "file_of_texts"]


@contextmanager
def file_of_texts(texts: Iterable[Text]) -> Iterator[str]:
    """A file with a line of JSON for each text: ``id``, ``lang`` and ``code``. It is gone afterwards."""
    with _file() as path:
        _write(path, ({"id": name, "lang": of, "code": code.decode("utf-8", "replace")} for name, code, of in texts))
        yield str(path)


@contextmanager
def file_of_rows(data: object) -> Iterator[str]:
    """The file that ``data`` names, or one with the rows that it holds: a table, or dictionaries."""
    if isinstance(data, (str, os.PathLike)):
        yield os.fsdecode(data)
        return
    with _file() as path:
        if hasattr(data, "__arrow_c_stream__"):
            try:
                _familiar.write_lines(data, str(path))
            except ImportError:
                # pandas gives Arrow only where pyarrow is there.
                _write(path, _records(data))
        else:
            _write(path, _records(data))
        yield str(path)


@contextmanager
def _file() -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix="familiar-") as folder:
        yield pathlib.Path(folder, "rows.jsonl")


def _records(data: Any) -> Iterator[Mapping[str, Any]]:
    if is_table(data):
        names = [str(name) for name in data.columns]
        for cells in zip(*(data[name].tolist() for name in names)):
            # A number that is none stands for what is missing.
            yield {name: cell for name, cell in zip(names, cells) if cell is not None and cell == cell}
        return
    if not isinstance(data, Iterable):
        raise InputError(f"rows are a file, a table or dictionaries, and this is {type(data).__name__}")
    for number, row in enumerate(data):
        if not isinstance(row, Mapping):
            raise InputError(f"row {number} is no dictionary: it is {type(row).__name__}")
        yield row


def _write(path: pathlib.Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for number, row in enumerate(rows):
            try:
                out.write(json.dumps(dict(row)) + "\n")
            except TypeError as error:
                raise InputError(f"row {number} cannot be written as JSON: {error}") from None
