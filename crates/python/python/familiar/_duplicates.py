"""``familiar.duplicates``: rows of a data set that are nearly the same."""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._result import Duplicates
from ._rows import decoded, file_of_texts
from ._texts import numbered_texts_of

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
    like_codenet: bool = False,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Duplicates:
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
        like_codenet: Whether clusters are made as CodeNet's own program makes them.
        threads: Number of threads; one for each core where it is None.
        memory: A limit such as ``"2GiB"``.
        progress: Called with the stage, the rows that are done, and 0.

    Returns:
        A row for each pair: ``id1``, ``id2``, ``set_jaccard``, ``multiset_jaccard``, sorted by the ids. ``clusters`` groups
        them, and ``kept`` and ``keep`` say which rows to keep so that no two of them are near-duplicates.

    Raises:
        InputError: The table has no such column, or cannot be read.
        UsageError: A value is not allowed, or arguments do not go together.
        FamiliarError: The data cannot be read.

    >>> import familiar
    >>> code = "int main() { int total = 0; for (int i = 0; i < 9; i++) { total += i; } return total; }"
    >>> familiar.duplicates([code, code + " // the same", "int x;"], language="c").to_dicts()
    [{'id1': '0', 'id2': '1', 'set_jaccard': 1.0, 'multiset_jaccard': 1.0}]
    >>> familiar.duplicates([code, code + " // the same", "int x;"], language="c").keep
    [True, False, True]
    """
    given = flags(
        set_jaccard=set_jaccard,
        multiset_jaccard=multiset_jaccard,
        without_strings=without_strings,
        like_codenet=like_codenet,
        threads=threads,
        memory=memory,
    )
    found = numbered_texts_of(data, column, language, language_column, id_column)
    if found is None:
        return Duplicates(_familiar.duplicates([*given, *paths_of(data)], progress))  # type: ignore[arg-type]
    texts, numbers, total = found
    read, skipped, places = decoded(texts)
    with file_of_texts(read) as rows:
        made = _familiar.duplicates([*given, *paths_of(rows)], progress)
    return Duplicates(made, [numbers[place] for place in places], total, skipped)
