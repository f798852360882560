"""The vectors that a corpus keeps of its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _familiar
from ._show import counted

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__all__ = ["Vectors"]


class Vectors:
    """The vectors of a corpus, and the functions that they are of.

    As Arrow it has a row for each function: ``blob``, ``project`` and ``path`` (of its first place), ``language``,
    ``start_line``, ``end_line``, ``tokens`` and ``vector`` (a list of fixed size of 32-bit numbers). Row ``i`` of the array
    that :meth:`to_numpy` gives is the vector of row ``i``.
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: _familiar.Vectors) -> None:
        self._rows = rows

    @property
    def shape(self) -> tuple[int, int]:
        """How many functions there are, and how many numbers a vector has."""
        return len(self._rows), self._rows.dimensions

    def to_numpy(self) -> NDArray[numpy.float32]:
        """The vectors as an array of the shape (functions, dimensions). Each has length 1. This needs numpy."""
        import numpy

        return numpy.frombuffer(self._rows.values(), dtype=numpy.float32).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.to_numpy().astype(dtype or "float32", copy=False)

    def __len__(self) -> int:
        return len(self._rows)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with a stream of record batches (the Arrow PyCapsule interface)."""
        return self._rows.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        functions, dimensions = self.shape
        return f"<familiar.Vectors: {counted(functions, 'function')}, {dimensions} dimensions>"
