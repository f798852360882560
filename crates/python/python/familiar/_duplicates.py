"""``familiar.duplicates``: rows of a data set that are nearly the same."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Iterable

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._result import Result
from ._texts import texts_of

__all__ = ["duplicates"]


def duplicates(
    data: str | os.PathLike[str] | Iterable[object] | object,
    *,
    column: str | None = None,
    language: str | None = None,
    language_column: str | None = None,
    id_column: str | None = None,
    set_jaccard: float | None = None,
    multiset_jaccard: float | None = None,
    without_strings: bool = False,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Find samples whose tokens are nearly the same. Every such pair is found.

    Args:
        data: Data sets as ``familiar codenet duplicates`` takes them. Or a table whose ``column`` holds code. Or, with
            ``language``, a list of texts.
        column: The column of the table that holds code.
        language: The language of all texts.
        language_column: The column that holds the language of each text.
        id_column: The column that names the rows. Otherwise their numbers do, from 0.
        set_jaccard: The lowest Jaccard index of the sets of tokens, above 0 and at most 1.
        multiset_jaccard: The lowest Jaccard index of the multisets of tokens, from 0 to 1.
        without_strings: Whether the literals of strings and characters are left out.
        threads: Number of threads; one for each core where it is None.
        memory: A limit such as ``"2GiB"``.
        progress: Called with the stage, the rows that are done, and 0.

    Returns:
        A row for each pair: ``id1``, ``id2``, ``set_jaccard``, ``multiset_jaccard``, sorted by the ids.

    Raises:
        InputError: The table has no such column.
        UsageError: A value is not allowed, or arguments do not go together.
        FamiliarError: The data cannot be read.

    >>> import familiar
    >>> code = "int main() { int total = 0; for (int i = 0; i < 9; i++) { total += i; } return total; }"
    >>> familiar.duplicates([code, code + " // the same", "int x;"], language="c").to_dicts()
    [{'id1': '0', 'id2': '1', 'set_jaccard': 1.0, 'multiset_jaccard': 1.0}]
    """
    given = flags(
        set_jaccard=set_jaccard,
        multiset_jaccard=multiset_jaccard,
        without_strings=without_strings,
        threads=threads,
        memory=memory,
    )
    texts = texts_of(data, column, language, language_column, id_column)
    if texts is None:
        return Result(_familiar.duplicates([*given, *paths_of(data)], progress))  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory(prefix="familiar-") as folder:
        rows = pathlib.Path(folder, "rows.jsonl")
        with rows.open("w", encoding="utf-8") as out:
            for name, code, of in texts:
                out.write(json.dumps({"id": name, "lang": of, "code": code.decode("utf-8", "replace")}) + "\n")
        return Result(_familiar.duplicates([*given, *paths_of(rows)], progress))
