"""What runs inside the tasks: batches in, batches out. Rows never become objects of Python."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .. import __version__, _familiar
from ..errors import FamiliarError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    #: Batches that come, and those that go.
    Given = Iterable[pyarrow.RecordBatch]
    Batches = Iterator[pyarrow.RecordBatch]

__all__ = ["COUNTS", "PACKS", "Step", "buckets", "frozen", "summed", "together"]

#: Rows of a bucket and what one task has for it, in bytes.
PACKS = "bucket int, pack binary"
#: Rows of what was counted.
COUNTS = "number bigint, count bigint"

#: Texts that are read at a time.
_ROWS = 512


class Step:
    """One of the core's operations, as ``mapInArrow`` takes it.

    ``kind`` names a class of the extension module, of which ``arguments`` make a value in each task, or a function that takes them.
    Tables that were counted once follow them; `frozen` makes bytes of each.
    """

    def __init__(self, kind: str, *arguments: Any, tables: tuple[bytes, ...] = ()) -> None:
        self._kind = kind
        self._arguments = arguments
        self._tables = tables
        self._version = __version__

    def __call__(self, batches: Given) -> Batches:
        import pyarrow

        core = getattr(_familiar, self._kind, None)
        if __version__ != self._version or core is None:
            lacks = "" if core is not None else f", without {self._kind}"
            raise FamiliarError(
                f"this executor has familiar-code {__version__}{lacks}, and the driver has {self._version}: install the "
                "same version everywhere"
            )
        arguments = list(self._arguments)
        for table in self._tables:
            arguments.append(pyarrow.ipc.open_stream(table).read_next_batch())
        for made in self._run(batches, arguments):
            if made is not None and len(made) > 0:
                yield pyarrow.record_batch(made)

    def _run(self, batches: Given, arguments: list[Any]) -> Iterator[Any]:
        core = getattr(_familiar, self._kind)
        if not isinstance(core, type):
            for batch in slices(batches):
                yield self._call(core, *arguments, batch)
            return
        made = self._call(core, *arguments)
        if hasattr(made, "next_pairs"):
            for batch in slices(batches):
                self._call(made.push, batch)
                while (pairs := self._call(made.next_pairs)) is not None:
                    yield pairs
        elif hasattr(made, "finish"):
            for batch in slices(batches):
                yield self._call(made.push, batch)
            yield self._call(made.finish)
        else:
            work = made.of if hasattr(made, "of") else made.read
            for batch in slices(batches):
                yield self._call(work, batch)

    def _call(self, work: Callable[..., Any], *given: Any) -> Any:
        """All that the core does goes through here, for whoever measures it."""
        return work(*given)


def frozen(table: DataFrame) -> bytes:
    """A table as bytes that travel with a step."""
    import pyarrow

    rows = table.toArrow().combine_chunks()
    out = io.BytesIO()
    with pyarrow.ipc.new_stream(out, rows.schema) as writer:
        # One batch, even where there is no row.
        [batch] = rows.to_batches() or [pyarrow.RecordBatch.from_pylist([], schema=rows.schema)]
        writer.write_batch(batch)
    return out.getvalue()


def buckets(spark: SparkSession) -> int:
    """In how many buckets packs meet at least: as many as a shuffle has partitions."""
    return int(spark.conf.get("spark.sql.shuffle.partitions", "200") or "200")


def together(packs: DataFrame) -> DataFrame:
    """A row for each bucket, with all of its packs."""
    from pyspark.sql import functions as F

    return packs.groupBy("bucket").agg(F.collect_list("pack").alias("packs")).select("packs")


def summed(packs: DataFrame, least: int) -> DataFrame:
    """What tasks counted, added up: all that they counted so often at least."""
    return together(packs).mapInArrow(Step("sums", least), COUNTS)


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
