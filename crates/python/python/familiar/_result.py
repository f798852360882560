"""Results: rows in Arrow, and what is known beside them."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from . import _familiar

__all__ = ["Result"]

#: Rows that a notebook shows.
_SHOWN = 20


class Result:
    """Rows of a result, in the order of the command line.

    The rows are those of ``--format ndjson``. A library that takes Arrow gets them without a copy::

        polars.DataFrame(result)
        pandas.DataFrame.from_arrow(result)
        pyarrow.table(result)
        duckdb.sql("FROM result")

    Without such a library, iterate over the rows or call :meth:`to_dicts`. Pairs of equal code are not stored, but
    enumerated each time, so a result takes little memory however many pairs it has. A result can be pickled.
    """

    __slots__ = ("__dict__", "_rows")

    def __init__(self, rows: _familiar.Rows) -> None:
        self._rows = rows

    @cached_property
    def about(self) -> dict[str, Any]:
        """What is known beside the rows: of clones ``settings`` and ``summary``, of licenses ``packages`` and ``skipped``."""
        about: dict[str, Any] = json.loads(self._rows.about)
        return about

    @property
    def summary(self) -> dict[str, Any]:
        """The result in numbers (of clones), or else ``{"rows": N}``."""
        summary: dict[str, Any] = self.about.get("summary") or {"rows": len(self)}
        return summary

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """What was not read: ``path`` and ``reason`` of each file."""
        skipped: list[dict[str, Any]] = self.about.get("skipped") or self.summary.get("skipped", [])
        return skipped

    def to_dicts(self) -> list[dict[str, Any]]:
        """All rows, each as a dictionary."""
        return list(self)

    def __len__(self) -> int:
        return len(self._rows)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for lines in self._rows.chunks():
            yield from map(json.loads, lines.splitlines())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with a stream of record batches (the Arrow PyCapsule interface)."""
        return self._rows.__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> tuple[type[Result], tuple[_familiar.Rows]]:
        return type(self), (self._rows,)

    def __repr__(self) -> str:
        return f"<familiar.Result: {_counted(len(self))}>"

    def _repr_html_(self) -> str:
        shown: list[dict[str, Any]] = []
        for row in self:
            shown.append({key: _cell(value) for key, value in row.items()})
            if len(shown) == _SHOWN:
                break
        columns = list(dict.fromkeys(key for row in shown for key in row))
        head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(row.get(column, ''))}</td>" for column in columns) + "</tr>"
            for row in shown
        )
        total = len(self)
        more = f"; the first {len(shown)} are shown" if total > len(shown) else ""
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if shown else ""
        return f"<div>{table}<p>{_counted(total)}{more}</p></div>"


def _counted(rows: int) -> str:
    return f"{rows} row" if rows == 1 else f"{rows} rows"


def _cell(value: object) -> str:
    """A value in a few characters: of a fragment its place."""
    if isinstance(value, dict) and {"path", "start_line", "end_line"} <= value.keys():
        return f"{value['path']}:{value['start_line']}-{value['end_line']}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:119] + "…"
