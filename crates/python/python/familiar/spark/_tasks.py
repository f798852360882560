"""What runs inside the tasks: batches in, batches out. Rows never become objects of Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .. import __version__, _familiar
from ..errors import FamiliarError

if TYPE_CHECKING:
    import pyarrow

    #: Batches that come, and those that go.
    Given = Iterable[pyarrow.RecordBatch]
    Batches = Iterator[pyarrow.RecordBatch]

__all__ = ["Step"]

#: Texts that are read at a time.
_ROWS = 512


class Step:
    """One of the core's operations, as ``mapInArrow`` takes it.

    ``kind`` names a class of the extension module, of which ``arguments`` make a value in each task, or a function that compares.
    """

    def __init__(self, kind: str, *arguments: Any, order: bytes | None = None) -> None:
        self._kind = kind
        self._arguments = arguments
        self._order = order
        self._version = __version__

    def __call__(self, batches: Given) -> Batches:
        import pyarrow

        if __version__ != self._version:
            raise FamiliarError(
                f"this executor has familiar-code {__version__}, and the driver has {self._version}: install the same "
                "version everywhere"
            )
        arguments = list(self._arguments)
        if self._order is not None:
            arguments.append(pyarrow.ipc.open_stream(self._order).read_all().combine_chunks().to_batches()[0])
        for made in self._run(batches, arguments):
            if made is not None and len(made) > 0:
                yield pyarrow.record_batch(made)

    def _run(self, batches: Given, arguments: list[Any]) -> Iterator[Any]:
        if self._kind in ("links", "verify"):
            compare = getattr(_familiar, self._kind)
            for batch in slices(batches):
                yield compare(*arguments, batch)
            return
        core = getattr(_familiar, self._kind)(*arguments)
        if self._kind == "Counts":
            for batch in slices(batches):
                yield core.push(batch)
            yield core.finish()
            return
        work = core.of if hasattr(core, "of") else core.read
        for batch in slices(batches):
            yield work(batch)


def slices(batches: Given) -> Batches:
    """Batches of at most some hundred rows; a task that is tried again takes fewer at a time, since it may have run out of memory."""
    rows = max(1, _ROWS >> (3 * attempt()))
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def attempt() -> int:
    """How often this task was tried before."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return int(context.attemptNumber()) if context is not None else 0
