"""``familiar.attack``: how robust a detector is against rewritten programs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from . import _familiar
from ._detectors import Detector, named
from ._flags import Progress, flags, paths_of
from ._rows import file_of_rows

__all__ = ["attack"]


def attack(
    data: str | os.PathLike[str] | Iterable[object] | object,
    *,
    detector: Detector = "builtin",
    set: str | Iterable[str] | None = None,
    beam: int | None = None,
    steps: int | None = None,
    threshold: float | None = None,
    targeted: bool = False,
    one_site: bool = False,
    verify: bool = False,
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
    """Search the rewritten programs that a detector recognizes least, and report how robust it is.

    Args:
        data: A file of JSON lines, a table, or dictionaries, with ``lang``, ``code`` and ``id`` or ``problem_id`` (and
            ``test`` and ``entry_point`` where there are some).
        detector: A name, as on the command line, or a function of this process. The function gets a list of pairs, each
            with ``code1``, ``lang1``, ``code2`` and ``lang2``, and gives a number from 0 to 1 for each. It is called on other
            threads, for one list at a time.
        progress: Called with the stage, the programs that are done, and 0.

    All other arguments are flags of ``familiar attack``.

    Returns:
        What ``familiar attack --format json`` writes: ``worst_case_distance``, ``below_threshold``, ``by_step``,
        ``by_transformation`` and ``pairs``, among others.

    Raises:
        UsageError: A value is not allowed.
        InputError: The data cannot be read, or hold no program that can be rewritten.
        FamiliarError: The detector gives no numbers from 0 to 1, or not one for each pair.

    Whatever the function raises is raised here.

    >>> import familiar
    >>> def equal(pairs):
    ...     return [float(pair["code1"] == pair["code2"]) for pair in pairs]
    >>> code = "def f(items):\\n    total = 0\\n    for item in items:\\n        total += item\\n    return total\\n"
    >>> result = familiar.attack([{"id": "f", "lang": "python", "code": code}], detector=equal, set="orig-4", steps=1)
    >>> result["detector"], result["below_threshold"], result["worst_case_distance"]["mean"]
    ('function:equal', 1.0, 1.0)
    """
    names, functions = named([detector])
    given = flags(
        detector=names,
        set=set,
        beam=beam,
        steps=steps,
        threshold=threshold,
        targeted=targeted,
        one_site=one_site,
        verify=verify,
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
        made: dict[str, Any] = json.loads(_familiar.attack([*given, *paths_of(file)], functions, progress))
    return made
