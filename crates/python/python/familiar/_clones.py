"""``familiar.clones``: copied code among files, or among texts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._result import Clones
from ._texts import texts_of

__all__ = ["clones"]


def clones(
    data: str | os.PathLike[str] | Iterable[Any] | object | None = None,
    *,
    column: str | None = None,
    language: str | None = None,
    language_column: str | None = None,
    id_column: str | None = None,
    query: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    against: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    between_projects: bool = False,
    granularity: str | Iterable[str] | None = None,
    types: int | Iterable[int] | None = None,
    measure: str | None = None,
    similarity: float | None = None,
    renaming: str | None = None,
    min_tokens: int | None = None,
    include_idioms: bool = False,
    min_lines: int | None = None,
    max_gap_tokens: int | None = None,
    validate: float | bool | None = None,
    confidence: float | None = None,
    test_callbacks: bool = False,
    encoder: str | None = None,
    cross_language: bool = False,
    lang: str | Iterable[str] | None = None,
    exclude: str | Iterable[str] | None = None,
    include_generated: bool = False,
    no_ignore: bool = False,
    changed_since: str | None = None,
    baseline: str | os.PathLike[str] | None = None,
    decisions: str | os.PathLike[str] | None = None,
    max_pairs_per_class: int | None = None,
    explain: bool = False,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Clones:
    """Find clones (copied code) among files or among texts.

    Args:
        data: One path or several paths, as ``familiar clones PATH…`` takes them. Or a table (anything with
            ``__arrow_c_stream__``, a data frame of pandas or polars) whose ``column`` holds code. Or, with ``language``,
            a list of texts (``str`` or ``bytes``). None is the current folder.
        column: The column of the table that holds code.
        language: The language of all texts, such as ``"python"``.
        language_column: The column that holds the language of each text.
        id_column: The column whose values stand as ``path`` in the result. Otherwise that is the number of the row, from 0.
        progress: Called with the stage, the bytes that are done of it, and all bytes (0 where they are not known). Use
            :class:`familiar.Bar` for tqdm.

    All other arguments are flags of ``familiar clones``; see ``familiar clones --help``. ``min_tokens`` counts tokens,
    ``min_lines`` lines, ``similarity`` and ``confidence`` are shares from 0 to 1, ``memory`` is a size such as ``"2GiB"``.
    ``familiar.toml`` is not read.

    Returns:
        A row for each pair: ``left`` and ``right`` (fragments), ``type``, ``similarity``, ``measure``, ``fingerprint``,
        ``vector_similarity``, ``alignment`` and ``explanation``. ``classes`` groups them.

    Raises:
        UsageError: A value is not allowed, or arguments do not go together.
        InputError: A path or the table cannot be read, or there is no such column.

    >>> import familiar
    >>> code = '''
    ... def total(prices, taxes, discount):
    ...     amount = 0
    ...     for price, tax in zip(prices, taxes):
    ...         amount += price * (1 + tax)
    ...     if discount > amount:
    ...         raise ValueError(discount)
    ...     amount -= discount
    ...     return round(amount, 2)
    ... '''
    >>> result = familiar.clones([code, code], language="python", min_tokens=30)
    >>> [(pair["left"]["path"], pair["right"]["path"], pair["type"]) for pair in result]
    [('0', '1', 1)]
    """
    given = flags(
        query=query,
        against=against,
        between_projects=between_projects,
        granularity=granularity,
        types=types,
        measure=measure,
        similarity=similarity,
        renaming=renaming,
        min_tokens=min_tokens,
        include_idioms=include_idioms,
        min_lines=min_lines,
        max_gap_tokens=max_gap_tokens,
        validate=validate,
        confidence=confidence,
        test_callbacks=test_callbacks,
        encoder=encoder,
        cross_language=cross_language,
        lang=lang,
        exclude=exclude,
        include_generated=include_generated,
        no_ignore=no_ignore,
        changed_since=changed_since,
        baseline=baseline,
        decisions=decisions,
        max_pairs_per_class=max_pairs_per_class,
        explain=explain,
        threads=threads,
        memory=memory,
    )
    texts = texts_of(data, column, language, language_column, id_column)
    if texts is not None:
        return Clones(_familiar.clones_of(given, texts, progress))
    paths = [] if data is None else paths_of(data)  # type: ignore[arg-type]
    return Clones(_familiar.clones([*given, *paths], progress))
