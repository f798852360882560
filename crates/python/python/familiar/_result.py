"""Results: rows in Arrow, and what is known beside them."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from . import _familiar
from ._show import SideBySide, counted, place, table
from .errors import InputError

__all__ = ["Audit", "Clones", "Duplicates", "Result"]

#: Rows that a notebook shows.
_SHOWN = 20
#: Places of a class that a notebook shows.
_PLACES = 3


class Result:
    """Rows of a result, in the order of the command line.

    The rows are those of ``--format ndjson``. A library that takes Arrow gets them without a copy::

        polars.DataFrame(result)
        pandas.DataFrame.from_arrow(result)
        pyarrow.table(result)
        duckdb.sql("FROM result")

    Without such a library, iterate over the rows or call :meth:`to_dicts`. Pairs of clones and of near-duplicates are not
    stored, but enumerated each time, so such a result takes little memory however many pairs it has. A result can be pickled.
    """

    __slots__ = ("__dict__", "_rows")

    def __init__(self, rows: _familiar.Rows, skipped: list[dict[str, Any]] | None = None) -> None:
        self._rows = rows
        #: What was not given to the core.
        self._skipped = skipped or []

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
        return self._skipped + skipped

    def to_dicts(self) -> list[dict[str, Any]]:
        """All rows, each as a dictionary."""
        # A list would ask for the number of rows first, and so make them twice.
        return [*iter(self)]

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

    def __reduce__(self) -> tuple[type[Result], tuple[Any, ...]]:
        return type(self), (self._rows, self._skipped)

    def __repr__(self) -> str:
        return f"<familiar.{type(self).__name__}: {counted(len(self), 'row')}>"

    def _repr_html_(self) -> str:
        shown = list(islice(self, _SHOWN))
        columns = list(dict.fromkeys(key for row in shown for key in row))
        total = len(self)
        more = f"; the first {len(shown)} are shown" if total > len(shown) else ""
        rows = ([row.get(column, "") for column in columns] for row in shown)
        return f"<div>{table(columns, rows)}<p>{counted(total, 'row')}{more}</p></div>"


class Clones(Result):
    """Pairs of clones, with their classes and their code."""

    @cached_property
    def classes(self) -> list[dict[str, Any]]:
        """The classes, the one that matters most first: ``rank``, ``type``, ``lines``, ``score``, ``fingerprint`` and
        ``members`` (fragments, the representative first). A result that was pickled has none."""
        classes: list[dict[str, Any]] = json.loads(self._rows.classes())
        return classes

    def code(self, fragment: Mapping[str, Any]) -> str:
        """The code of a fragment: of a side of a row, or of a member of a class.

        Raises:
            InputError: It cannot be read any more, or the result was pickled.
        """
        code, reason = self._rows.code(fragment["id"])
        if code is None:
            raise InputError(f"the code of {place(fragment)} cannot be shown: {reason}")
        return code

    def side_by_side(self, pair: int | Mapping[str, Any] = 0) -> SideBySide:
        """Both sides of a pair, for a notebook.

        Args:
            pair: A row of this result, or its number.

        Raises:
            IndexError: There is no such row.
            InputError: Its code cannot be read any more.
        """
        if isinstance(pair, int):
            found = next(islice(self, pair, None), None) if pair >= 0 else None
            if found is None:
                raise IndexError(f"there is no row {pair}: there are {counted(len(self), 'row')}")
            pair = found
        return SideBySide(pair, self.code(pair["left"]), self.code(pair["right"]))

    def _repr_html_(self) -> str:
        if not self.classes:
            return super()._repr_html_()
        shown = self.classes[:_SHOWN]
        rows = (
            [one["rank"], len(one["members"]), one["lines"], one["type"], self._name(one), _places(one)] for one in shown
        )
        classes = table(["rank", "copies", "lines", "type", "name", "places"], rows)
        said = counted(len(self.classes), "class") + f", {self.summary['duplication']:.1%} of the lines are copies"
        try:
            pair = self.side_by_side(0)._repr_html_()
        except (IndexError, InputError):
            pair = ""
        return f"<div><p>{html.escape(said)}</p>{classes}{pair}</div>"

    @staticmethod
    def _name(one: Mapping[str, Any]) -> str:
        return str(one["members"][0]["name"])


def _places(one: Mapping[str, Any]) -> str:
    members = one["members"]
    more = [f"{len(members) - _PLACES} more"] if len(members) > _PLACES else []
    return ", ".join([place(member) for member in members[:_PLACES]] + more)


class Audit(Result):
    """Pairs of code here and code elsewhere, with licenses and verdicts."""

    @property
    def findings(self) -> list[dict[str, Any]]:
        """Each piece of code that also stands elsewhere, the most serious first. ``pair`` is the number of its row, and
        ``others`` are the numbers of the rows with other places."""
        findings: list[dict[str, Any]] = self.about["findings"]
        return findings

    @property
    def table(self) -> list[dict[str, Any]]:
        """The distribution by licenses and verdict."""
        rows: list[dict[str, Any]] = self.about["table"]
        return rows

    @property
    def denied(self) -> int:
        """Findings that the policy denies. Without a policy: licenses in conflict. The command exits with 1 if there are some."""
        return int(self.summary["audit"]["denied"])

    def _repr_html_(self) -> str:
        rows = self.to_dicts()
        shown = self.findings[:_SHOWN]
        cells = (
            [one["rank"], one["status"], one["decision"], rows[one["pair"]]["left"], rows[one["pair"]]["right"], one["reason"]]
            for one in shown
        )
        findings = table(["rank", "status", "decision", "here", "elsewhere", "reason"], cells)
        said = f"{counted(len(self.findings), 'finding')}, {self.denied} denied. {self.about['disclaimer']}"
        return f"<div>{findings}<p>{html.escape(said)}</p></div>"


class Duplicates(Result):
    """Pairs of near-duplicates, with their clusters, and which rows to keep."""

    def __init__(
        self,
        rows: _familiar.Rows,
        numbers: list[int] | None = None,
        total: int = 0,
        skipped: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(rows, skipped)
        self._numbers = numbers
        self._total = total

    @property
    def clusters(self) -> list[list[str]]:
        """The ids of each cluster: a representative, and those that are near-duplicates of it."""
        clusters: list[list[str]] = self.about["clusters"]
        return clusters

    @property
    def kept(self) -> list[str]:
        """The ids of the rows to keep, in the order of the data. No two of them are near-duplicates."""
        kept: list[str] = self.about["kept"]
        return kept

    @property
    def keep(self) -> list[bool]:
        """Whether each row of the table or of the list is to keep: a mask for ``filter`` of polars and pyarrow and for ``[]``
        of pandas. Rows without code are not compared, and stay.

        Raises:
            InputError: The data were files, whose rows are not counted.
        """
        if self._numbers is None:
            raise InputError("the data are files: `kept` has the ids of the rows to keep")
        mask = [True] * self._total
        for row in self.about["dropped_rows"]:
            mask[self._numbers[row]] = False
        return mask

    def __reduce__(self) -> tuple[type[Result], tuple[Any, ...]]:
        return type(self), (self._rows, self._numbers, self._total, self._skipped)
