"""``familiar.transform``: programs that look different and behave the same."""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._result import Result
from ._rows import decoded, file_of_texts
from ._texts import texts_of

__all__ = ["transform"]


def transform(
    data: str | os.PathLike[str] | Iterable[object] | object,
    *,
    column: str | None = None,
    language: str | None = None,
    language_column: str | None = None,
    id_column: str | None = None,
    with_: str | Iterable[str] | None = None,
    set: str | Iterable[str] | None = None,
    at: str | None = None,
    count: int | None = None,
    seed: int | None = None,
    verify: bool = False,
    unsandboxed: bool = False,
    exclude: str | Iterable[str] | None = None,
    no_ignore: bool = False,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Rewrite programs so that they look different and behave the same.

    Args:
        data: Paths as ``familiar transform`` takes them. Or a table whose ``column`` holds code. Or, with ``language``, a list
            of texts.
        column: The column of the table that holds code.
        language: The language of all texts.
        language_column: The column that holds the language of each text.
        id_column: The column that names the rows. Otherwise their numbers do, from 0.
        with_: Transformations that are applied one after the other.
        set: Sets of transformations instead, each of which gives a program of its own: ``"all"``, ``"orig-4"``, ``"new-20"``, …

    All other arguments are flags of ``familiar transform``. ``familiar transform --list`` shows transformations and sets.

    Returns:
        A row for each new program: ``source`` (a path or an id), ``lang``, ``code``, ``steps``, ``verified``, and ``evidence``
        and ``reason`` where it was run. ``skipped`` has the programs that stay as they are, with the reason.

    Raises:
        UsageError: A value is not allowed, or arguments do not go together.
        FamiliarError: The data cannot be read, or there is no such transformation.

    >>> import familiar
    >>> code = "def f(items):\\n    for item in items:\\n        print(item)\\n"
    >>> result = familiar.transform([code], language="python", with_="variable-rename")
    >>> [(row["source"], [step["name"] for step in row["steps"]]) for row in result]
    [('0', ['variable-rename'])]
    """
    given = flags(
        with_=with_,
        set=set,
        at=at,
        count=count,
        seed=seed,
        verify=verify,
        unsandboxed=unsandboxed,
        exclude=exclude,
        no_ignore=no_ignore,
        threads=threads,
        memory=memory,
    )
    texts = texts_of(data, column, language, language_column, id_column)
    if texts is None:
        return Result(_familiar.transform([*given, *paths_of(data)], progress))  # type: ignore[arg-type]
    read, skipped, _ = decoded(texts)
    with file_of_texts(read) as rows:
        return Result(_familiar.transform([*given, *paths_of(rows)], progress), skipped)
