"""``familiar.audit``: code that also stands elsewhere, and whether its license allows that."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._result import Audit
from .errors import UsageError

if TYPE_CHECKING:
    from ._corpus import Corpus

__all__ = ["audit"]


def audit(
    *paths: str | os.PathLike[str],
    against: str | os.PathLike[str] | Corpus | Iterable[str | os.PathLike[str] | Corpus],
    code: str | bytes | None = None,
    granularity: str | Iterable[str] | None = None,
    types: int | Iterable[int] | None = None,
    measure: str | None = None,
    similarity: float | None = None,
    min_tokens: int | None = None,
    min_lines: int | None = None,
    max_gap_tokens: int | None = None,
    cross_language: bool = False,
    include_trivial: bool = False,
    decisions: str | os.PathLike[str] | None = None,
    lang: str | Iterable[str] | None = None,
    exclude: str | Iterable[str] | None = None,
    no_ignore: bool = False,
    include_generated: bool = False,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Find code that also stands elsewhere, and say whether its license allows this use.

    Args:
        paths: Folders, files, corpora, or other sources that ``familiar corpus add`` takes.
        against: Corpora, or sources that are read for this call only.
        code: A text to audit instead of paths. It needs ``lang`` if the text alone does not tell its language.

    All other arguments are flags of ``familiar audit``. A policy under ``[audit]`` in a ``familiar.toml`` above the path counts.

    Returns:
        A row for each pair: the keys of a clone, ``direction``, ``verdict``, ``attribution``, ``laundering`` and ``own``.
        Both sides have their licenses with the evidence, and their occurrences. ``findings`` has the pieces of code, the
        most serious first, and ``denied`` says how many the policy denies. This is not legal advice.

    Raises:
        UsageError: A value is not allowed, or there is neither a path nor a text.
        FamiliarError: Something cannot be read.

    >>> import pathlib, tempfile, familiar
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
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     source = pathlib.Path(folder, "project")
    ...     source.mkdir()
    ...     _ = (source / "a.py").write_text("# SPDX-License-Identifier: GPL-3.0-only\\n" + code)
    ...     result = familiar.audit(code=code, lang="python", against=str(source), min_tokens=30)
    >>> [(finding["status"], finding["decision"]) for finding in result.findings]
    [('conflict', 'denied')]
    """
    if (code is None) == (not paths):
        raise UsageError("give paths to audit, or code=")
    given = flags(
        against=_names(against),
        granularity=granularity,
        types=types,
        measure=measure,
        similarity=similarity,
        min_tokens=min_tokens,
        min_lines=min_lines,
        max_gap_tokens=max_gap_tokens,
        cross_language=cross_language,
        include_trivial=include_trivial,
        decisions=decisions,
        lang=lang,
        exclude=exclude,
        no_ignore=no_ignore,
        include_generated=include_generated,
        threads=threads,
        memory=memory,
    )
    text = code.encode("utf-8", "surrogatepass") if isinstance(code, str) else code
    return Audit(_familiar.audit([*given, *paths_of(paths or ["-"])], text, progress))


def _names(against: Any) -> list[str]:
    """The names of corpora and sources."""
    several: Iterable[Any] = against if isinstance(against, Iterable) and not isinstance(against, str) else [against]
    return [os.fsdecode(getattr(one, "path", one)) for one in several]
