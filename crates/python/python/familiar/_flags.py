"""Keyword arguments as the flags of the command line."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Progress", "flags", "paths_of"]

#: Called with the stage, the units that are done of it, and all units (0 where they are not known).
Progress = Callable[[str, int, int], object]


def flags(**named: Any) -> list[str]:
    """The words for the command line: ``min_tokens=30`` is ``--min-tokens=30``.

    None and False leave a flag out, True gives it without a value, and a list gives it once for each value.

    >>> flags(min_tokens=30, types=[1, 2], lang="python", no_ignore=True, exclude=None)
    ['--min-tokens=30', '--types=1', '--types=2', '--lang=python', '--no-ignore']
    """
    words: list[str] = []
    for name, given in named.items():
        flag, value = "--" + name.rstrip("_").replace("_", "-"), _plain(given)
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (str, bytes, numbers.Number, os.PathLike)):
            words.append(f"{flag}={_text(value)}")
        else:
            words.extend(f"{flag}={_text(one)}" for one in value)
    return words


def paths_of(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """The paths after the flags.

    >>> paths_of("src")
    ['--', 'src']
    """
    if isinstance(paths, (str, bytes, os.PathLike)):
        return ["--", _text(paths)]
    return ["--", *map(_text, paths)]


def _text(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(_plain(value))


def _plain(value: Any) -> Any:
    """The number or truth that a scalar of numpy stands for; else the value itself."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value
