"""Detectors by name, and functions that are detectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Detector", "named"]

#: A name of the command line, or a function. It gets a list of pairs, each with ``code1``, ``lang1``, ``code2`` and ``lang2``,
#: and gives a number from 0 to 1 for each.
Detector = str | Callable[[list[dict[str, str]]], Iterable[float]]


def named(detectors: Iterable[Detector]) -> tuple[list[str], list[tuple[str, Callable[..., Any]]]]:
    """The names of all detectors, and the functions among them with their names.

    >>> named(["builtin", len])
    (['builtin', 'function:len'], [('function:len', <built-in function len>)])
    """
    names: list[str] = []
    functions: list[tuple[str, Callable[..., Any]]] = []
    for detector in detectors:
        if isinstance(detector, str):
            names.append(detector)
            continue
        name = f"function:{getattr(detector, '__qualname__', type(detector).__qualname__)}"
        while name in names:
            name += "'"
        names.append(name)
        functions.append((name, detector))
    return names, functions
