"""How good is a detector? ``familiar evaluate`` as functions.

Data are a file of JSON lines (plain or compressed by zstd), a table, or dictionaries, in the field names of the command line.
Each function gives what ``--format json`` writes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from . import _familiar
from ._detectors import Detector, named
from ._flags import Progress, flags, paths_of
from ._rows import file_of_rows

__all__ = ["pairs", "retrieval", "robustness"]

#: A file, a table, or dictionaries.
Rows = str | os.PathLike[str] | Iterable[object] | object


def pairs(
    data: Rows,
    *,
    fragments: Rows | None = None,
    measure: str | None = None,
    encoder: str | None = None,
    similarity: float | None = None,
    blind: bool = False,
    by: str | None = None,
    negatives: str | None = None,
    draw: int | None = None,
    seed: int | None = None,
    min_tokens: int | None = None,
    min_lines: int | None = None,
    lang: str | Iterable[str] | None = None,
    where: str | Iterable[str] | None = None,
    group: str | None = None,
    cross_language: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Recall, precision and what lies between, on labeled pairs.

    Args:
        data: Rows with ``code1``, ``code2``, ``lang1``, ``lang2`` (or ``lang``) and ``label``, and ``type`` if known. Or rows with
            ``id1`` and ``id2``, which stand in ``fragments``. With ``draw``: rows with ``problem_id``, ``lang`` and ``code``.
        fragments: Rows with ``id``, ``lang`` and ``code``.

    All other arguments are flags of ``familiar evaluate pairs``.

    Returns:
        ``recall``, ``precision``, ``f1``, ``auc``, ``false_positive_rate``, ``recall_by_type``, ``recall_at_fpr``, ``curve`` and
        more; ``skipped`` has the rows that could not be used.

    Raises:
        UsageError: A value is not allowed.
        InputError: The data cannot be read, or hold no pair.

    >>> import familiar
    >>> rows = [
    ...     {"lang": "python", "code1": "a = b + 1", "code2": "c = d + 1", "label": 1},
    ...     {"lang": "python", "code1": "a = b + 1", "code2": "print(x)", "label": 0},
    ... ]
    >>> result = familiar.evaluate.pairs(rows, measure="aligned")
    >>> result["recall"], result["false_positive_rate"]
    (1.0, 0.0)
    """
    with ExitStack() as files:
        given = flags(
            fragments=None if fragments is None else files.enter_context(file_of_rows(fragments)),
            measure=measure,
            encoder=encoder,
            similarity=similarity,
            blind=blind,
            by=by,
            negatives=negatives,
            draw=draw,
            seed=seed,
            min_tokens=min_tokens,
            min_lines=min_lines,
            lang=lang,
            where=where,
            group=group,
            cross_language=cross_language,
            threads=threads,
        )
        file = files.enter_context(file_of_rows(data))
        made: dict[str, Any] = json.loads(_familiar.evaluate_pairs([*given, *paths_of(file)], progress))
    return made


def retrieval(
    data: Rows,
    *,
    measure: str | None = None,
    encoder: str | None = None,
    blind: bool = False,
    group: str | None = None,
    max_per_group: int | None = None,
    one_of: int | None = None,
    lang: str | Iterable[str] | None = None,
    where: str | Iterable[str] | None = None,
    cross_language: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """How well each row finds the rows that solve the same problem.

    Args:
        data: Rows with ``problem_id`` (or another ``group``), ``lang`` and ``code``.

    All other arguments are flags of ``familiar evaluate retrieval``.

    Returns:
        ``map_at_r``, ``mrr``, ``precision_at_1``, ``by_language`` and more.

    Raises:
        UsageError: A value is not allowed, or a measure would compare too many rows.
        InputError: The data cannot be read, or no row has another of its group.

    >>> import familiar
    >>> code = ["a = b + c", "x = y + z", "for i in q: f(i)", "for j in r: g(j)"]
    >>> rows = [{"problem_id": number // 2, "lang": "python", "code": text} for number, text in enumerate(code)]
    >>> familiar.evaluate.retrieval(rows, measure="aligned")["map_at_r"]
    1.0
    """
    given = flags(
        measure=measure,
        encoder=encoder,
        blind=blind,
        group=group,
        max_per_group=max_per_group,
        one_of=one_of,
        lang=lang,
        where=where,
        cross_language=cross_language,
        threads=threads,
    )
    with file_of_rows(data) as file:
        made: dict[str, Any] = json.loads(_familiar.evaluate_retrieval([*given, *paths_of(file)], progress))
    return made


def robustness(
    data: Rows,
    *,
    detector: Detector | Iterable[Detector] = "builtin",
    set: str | Iterable[str] | None = None,
    false_positives: float | None = None,
    pairs: int | None = None,
    beam: int | None = None,
    steps: int | None = None,
    unsandboxed: bool = False,
    patience: int | None = None,
    seed: int | None = None,
    programs: int | None = None,
    group: str | None = None,
    max_per_group: int | None = None,
    but_one_of: int | None = None,
    lang: str | Iterable[str] | None = None,
    where: str | Iterable[str] | None = None,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The share of programs that a detector still recognizes, whatever a set of transformations makes of them.

    Args:
        data: Rows with ``lang``, ``code`` and ``problem_id``.
        detector: One or several: names, or functions as :func:`familiar.attack` takes them.
        set: One or several sets of transformations.
        progress: Called with the stage, the searches that are done, and 0.

    All other arguments are flags of ``familiar evaluate robustness``.

    Returns:
        ``results`` has an entry for each detector and set, with ``robustness`` and ``threshold``, among others.

    Raises:
        UsageError: A value is not allowed.
        InputError: The data cannot be read, or hold no two programs of different problems.

    Whatever a function raises is raised here.
    """
    several = [detector] if isinstance(detector, str) or callable(detector) else list(detector)
    names, functions = named(several)
    given = flags(
        detector=names,
        set=set,
        false_positives=false_positives,
        pairs=pairs,
        beam=beam,
        steps=steps,
        unsandboxed=unsandboxed,
        patience=patience,
        seed=seed,
        programs=programs,
        group=group,
        max_per_group=max_per_group,
        but_one_of=but_one_of,
        lang=lang,
        where=where,
        threads=threads,
        memory=memory,
    )
    with file_of_rows(data) as file:
        words = [*given, *paths_of(file)]
        made: dict[str, Any] = json.loads(_familiar.evaluate_robustness(words, functions, progress))
    return made
