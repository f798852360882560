"""``familiar.Corpus``: a collection of code that is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._audit import audit
from ._result import Audit, Clones, Result
from ._vectors import Vectors
from .errors import UsageError

__all__ = ["Corpus"]


class Corpus:
    """A collection of code that is kept in a folder.

    Args:
        path: The name of a corpus, or a path (with a ``/`` in it), as the command line takes them.

    A corpus holds no open files, so it can be pickled, and used from several threads and processes.

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
    ...     _ = (source / "a.py").write_text(code)
    ...     corpus = familiar.Corpus(pathlib.Path(folder, "corpus"))
    ...     done = corpus.add(source)
    ...     found = corpus.find(code=code, lang="python").to_dicts()
    >>> done["added"][0]["blobs"], found[0]["blobs"][0]["coverage"]
    (1, 1.0)
    """

    __slots__ = ("path",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        #: The name or the path.
        self.path = os.fsdecode(path)

    def __repr__(self) -> str:
        return f"familiar.Corpus({self.path!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Corpus) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)

    def add(
        self,
        *sources: str | os.PathLike[str],
        base: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
        no_text: bool = False,
        vectors: str | bool | None = None,
        exclude: str | Iterable[str] | None = None,
        no_ignore: bool = False,
        max_file: str | None = None,
        max_archive: str | None = None,
        max_depth: int | None = None,
        max_download: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Add sources. The corpus is created if it does not exist.

        The arguments are those of ``familiar corpus add``. A source comes in as a whole or not at all.

        Returns:
            ``added`` (a dictionary for each source, with numbers of ``blobs``, ``occurrences`` and ``skips``, and
            ``bytes``) and ``held`` (releases that were there already).

        Raises:
            FamiliarError: Some source cannot be read. The others stand in the corpus then.
        """
        given = flags(
            base=base,
            no_text=no_text,
            vectors=vectors,
            exclude=exclude,
            no_ignore=no_ignore,
            max_file=max_file,
            max_archive=max_archive,
            max_depth=max_depth,
            max_download=max_download,
            threads=threads,
            memory=memory,
        )
        words = [*given, *paths_of([self.path, *sources])]
        done: dict[str, Any] = json.loads(_familiar.add(words, progress))
        return done

    def find(
        self,
        *queries: str | os.PathLike[str],
        code: str | bytes | None = None,
        lang: str | None = None,
        granularity: str | Iterable[str] | None = None,
        types: int | Iterable[int] | None = None,
        measure: str | None = None,
        similarity: float | None = None,
        confidence: float | None = None,
        encoder: str | None = None,
        min_tokens: int | None = None,
        min_lines: int | None = None,
        coverage: float | None = None,
        cross_language: bool = False,
        project: str | Iterable[str] | None = None,
        since: str | None = None,
        limit: int | None = None,
        explain: bool = False,
        licenses: bool = False,
        no_licenses: bool = False,
        exclude: str | Iterable[str] | None = None,
        threads: int | None = None,
        memory: str | None = None,
        progress: Progress | None = None,
    ) -> Result:
        """Look up code: who has it, how much of it, and who had it first?

        Args:
            queries: Files, lines of a file (``"a.py:10-20"``), or folders.
            code: A text to look up instead. It needs ``lang`` if the text alone does not tell its language.

        All other arguments are flags of ``familiar find``.

        Returns:
            A row for each query: ``query``, ``blobs`` (the best first), ``more_blobs``, ``origin``.

        Raises:
            CorpusError: There is no such corpus, or it is not as it should be.
            FamiliarError: A query cannot be read.
        """
        if (code is None) == (not queries):
            raise UsageError("give paths to look up, or code=")
        given = flags(
            in_=self.path,
            lang=lang,
            granularity=granularity,
            types=types,
            measure=measure,
            similarity=similarity,
            confidence=confidence,
            encoder=encoder,
            min_tokens=min_tokens,
            min_lines=min_lines,
            coverage=coverage,
            cross_language=cross_language,
            project=project,
            since=since,
            limit=limit,
            explain=explain,
            licenses=licenses,
            no_licenses=no_licenses,
            exclude=exclude,
            threads=threads,
            memory=memory,
        )
        text = code.encode("utf-8", "surrogatepass") if isinstance(code, str) else code
        return Result(_familiar.find([*given, *paths_of(queries or ["-"])], text, progress))

    def clones(
        self,
        against: Corpus | str | os.PathLike[str] | None = None,
        *,
        beside: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> Clones:
        """Find the clones inside this corpus, or between it and another.

        Args:
            against: Another corpus. A pair has one side in each then.
            beside: Corpora that this one is compared with, too.
            options: The keyword arguments of :func:`familiar.clones` that go with ``familiar clones --in``.

        Returns:
            Rows as those of :func:`familiar.clones`.
        """
        others = [] if against is None else [against.path if isinstance(against, Corpus) else os.fsdecode(against)]
        given = flags(in_=[self.path, *others], beside=beside, **options)
        return Clones(_familiar.clones(given, progress))

    def audit(
        self,
        *paths: str | os.PathLike[str],
        code: str | bytes | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> Audit:
        """Find code that also stands in this corpus, and say whether its license allows this use.

        Args:
            paths: Folders, files, corpora, or other sources that ``familiar corpus add`` takes.
            code: A text to audit instead.
            options: Other keyword arguments of :func:`familiar.audit`.

        Returns:
            Rows and findings as those of :func:`familiar.audit`.
        """
        return audit(*paths, against=self, code=code, progress=progress, **options)

    def vectors(self, *, progress: Progress | None = None) -> Vectors:
        """The vectors that the corpus keeps of its functions. ``add(…, vectors=True)`` makes them.

        Args:
            progress: Called with the stage, the functions that are read, and 0.

        Returns:
            A table with a row for each function, and an array of numpy with its vectors.

        Raises:
            CorpusError: There is no such corpus, it has no vectors, or some code in it has none yet.
        """
        return Vectors(_familiar.vectors(self.path, progress))
