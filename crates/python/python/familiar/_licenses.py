"""``familiar.licenses``: under which licenses code stands."""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import _familiar
from ._flags import Progress, flags, paths_of
from ._result import Result

__all__ = ["licenses"]


def licenses(
    path: str | os.PathLike[str],
    *,
    license_text: bool = False,
    exclude: str | Iterable[str] | None = None,
    no_ignore: bool = False,
    threads: int | None = None,
    memory: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Tell the licenses of files, with the evidence for each.

    Args:
        path: A folder, a file, or any source that ``familiar corpus add`` takes, such as ``"pypi:requests"``.
        license_text: Whether the rows also hold the lines that say something.
        exclude: Globs of paths to leave out, as in .gitignore.
        no_ignore: Whether files that .gitignore leaves out are read, too.
        threads: Number of threads; one for each core where it is None.
        memory: A limit such as ``"2GiB"``.
        progress: Called with the stage, the bytes that are done, and all bytes.

    Returns:
        A row for each file: ``path``, ``expression`` (SPDX, or None), ``by``, ``ids``, ``layers``, ``copyrights``.
        ``about`` has ``packages`` and ``skipped``.

    Raises:
        FamiliarError: The source cannot be read.

    >>> import pathlib, tempfile, familiar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "a.py").write_text("# SPDX-License-Identifier: MIT\\n")
    ...     [(file["path"], file["expression"]) for file in familiar.licenses(folder)]
    [('a.py', 'MIT')]
    """
    given = flags(license_text=license_text, exclude=exclude, no_ignore=no_ignore, threads=threads, memory=memory)
    return Result(_familiar.licenses([*given, *paths_of(path)], progress))
