"""Progress on a bar of tqdm."""

from __future__ import annotations

from typing import Any

__all__ = ["Bar"]


class Bar:
    """Shows progress on a bar of tqdm, or of whatever has its methods.

    Pass it as ``progress``. One bar serves one call after another::

        with tqdm(unit="B", unit_scale=True) as bar:
            familiar.clones("src", progress=familiar.Bar(bar))

    >>> from types import SimpleNamespace
    >>> bar = SimpleNamespace(n=0, total=None, set_description=print, refresh=lambda: None)
    >>> Bar(bar)("reading", 10, 100)
    reading
    >>> bar.n, bar.total
    (10, 100)
    """

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._stage: str | None = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self._stage = stage
            self._bar.set_description(stage)
        self._bar.total = total or None
        self._bar.n = done
        self._bar.refresh()
