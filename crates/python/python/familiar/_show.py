"""Results in a notebook: small tables, and two pieces of code side by side."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["SideBySide", "counted", "place", "table"]

#: Lines of each side that a notebook shows.
_LINES = 40
#: Characters of a cell, and of a line of code.
_WIDTH = 120


class SideBySide:
    """Two pieces of code, one beside the other. A notebook shows lines that correspond on a ground of their own."""

    __slots__ = ("left", "right", "row")

    def __init__(self, row: Mapping[str, Any], left: str, right: str) -> None:
        #: The row of the pair.
        self.row = row
        #: The code of both sides.
        self.left = left
        self.right = right

    def __repr__(self) -> str:
        return f"<familiar.SideBySide: {place(self.row['left'])} and {place(self.row['right'])}>"

    def _repr_html_(self) -> str:
        runs = self.row.get("alignment") or []
        sides = (
            (self.row["left"], self.left, {line for run in runs for line in range(run[0], run[1] + 1)}),
            (self.row["right"], self.right, {line for run in runs for line in range(run[2], run[3] + 1)}),
        )
        head = "".join(f"<th style='text-align:left'>{html.escape(place(side))}</th>" for side, _, _ in sides)
        body = "".join(f"<td style='vertical-align:top;text-align:left'>{_code(*side)}</td>" for side in sides)
        return f"<table><thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>"


def _code(side: Mapping[str, Any], code: str, marked: set[int]) -> str:
    # Other characters end no line of a file.
    lines = code.removesuffix("\n").split("\n")
    shown = []
    for number, line in enumerate(lines[:_LINES], side["start_line"]):
        ground = "background:rgba(255,200,0,.2)" if number in marked else ""
        shown.append(f"<span style='{ground}'>{number:4} {html.escape(_cut(line))}</span>")
    if len(lines) > _LINES:
        shown.append(f"     … {len(lines) - _LINES} more lines")
    return "<pre style='margin:0'>" + "\n".join(shown) + "</pre>"


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table of HTML; all cells are text."""
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell(one))}</td>" for one in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""


def place(fragment: Mapping[str, Any]) -> str:
    """Where a fragment stands.

    >>> place({"path": "a.py", "start_line": 3, "end_line": 9})
    'a.py:3-9'
    """
    return f"{fragment['path']}:{fragment['start_line']}-{fragment['end_line']}"


def cell(value: object) -> str:
    """A value in a few characters: of a fragment its place."""
    if isinstance(value, Mapping) and {"path", "start_line", "end_line"} <= value.keys():
        return _cut(place(value))
    return _cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def counted(number: int, one: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(2, "row"), counted(2, "class")
    ('1 row', '2 rows', '2 classes')
    """
    return f"{number} {one}" if number == 1 else f"{number} {one}{'es' if one.endswith('s') else 's'}"
