"""The stages of a job: each is a table in a folder, and is made once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _familiar
from ..errors import InputError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Progress", "Stages", "unique"]

#: Called with the stage and the number of its rows when it is finished.
Progress = Callable[[str, int], object]

_DONE = "stage string, settings string, rows bigint"
#: All that a job may write into its folder.
_NAMES = (
    *("files", "repeats", "fragments", "nodes", "order", "keys", "compared", "links"),
    *("shapes", "counts", "candidates", "samples", "vectors"),
)
#: What Spark reads as a pattern in a path.
_PATTERNS = "{}[]*?\\"


class Stages:
    """The tables of one job.

    A stage counts when its mark is written, which happens after its rows are. So what a driver left behind when it died is made
    again, and what was finished is not. A folder in which something stands that no job of Familiar made is not touched.

    Args:
        settings: What a finished stage depends on.
        columns: Which columns of the table are read; None where another job made the stages, and they are read alone.
    """

    def __init__(
        self,
        spark: SparkSession,
        work: str,
        settings: dict[str, Any],
        progress: Progress | None,
        columns: dict[str, str | None] | None = None,
    ) -> None:
        for character in _PATTERNS:
            if character in work:
                raise UsageError(f"Spark reads {character} in {work} as a pattern: give a folder without it")
        self.spark = spark
        self._work = work.rstrip("/")
        self._columns = columns
        more = {} if columns is None else {"columns": columns}
        self._settings = json.dumps({**settings, **more, "version": _familiar.__version__}, sort_keys=True)
        self._progress = progress
        self._rows: dict[str, int] = {}

    def make(
        self, name: str, rows: Callable[[], DataFrame], check: Callable[[DataFrame], None] | None = None
    ) -> DataFrame:
        """The table of a stage: what is there already, or what ``rows`` gives, written.

        Args:
            check: Called with the table before the stage counts. It raises an error where the table is not as it should be.
        """
        place = f"{self._work}/{name}"
        done = self._done(name)
        made = rows()
        if done is None:
            self._begin()
            made.write.mode("overwrite").option("compression", "zstd").parquet(place)
        # An engine may write no file where there is no row.
        table = self.spark.read.schema(made.schema).parquet(place)
        if done is not None:
            self._rows[name] = done["rows"]
            return table
        if check is not None:
            check(table)
        self._rows[name] = table.count()
        self._mark(name, self._rows[name])
        if self._progress is not None:
            self._progress(name, self._rows[name])
        return table

    def rows(self, name: str) -> int:
        """How many rows a stage has that was made or read."""
        return self._rows[name]

    def read(self, name: str, schema: str) -> DataFrame:
        """The table of a stage that another job finished."""
        done = self._done(name)
        if done is None:
            raise InputError(f"{self._work} has no finished stage {name}: run the job that makes it first")
        self._rows[name] = done["rows"]
        return self.spark.read.schema(schema).parquet(f"{self._work}/{name}")

    def _begin(self) -> None:
        """Takes the folder for this job, unless something of others stands where a stage would be written."""
        if self._read_mark("_begun") is not None:
            return
        for name in _NAMES:
            if self._exists(f"{self._work}/{name}"):
                raise InputError(
                    f"{self._work}/{name} is there already, and no job of Familiar made it: give a folder of its own"
                )
        self._mark("_begun", 0)

    def _exists(self, place: str) -> bool:
        """Whether files stand below a place."""
        from pyspark.errors import AnalysisException

        try:
            files = self.spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(place)
            return bool(files.select("path").limit(1).collect())
        except AnalysisException:
            # There is no such path.
            return False

    def _done(self, name: str) -> Any:
        done = self._read_mark(name)
        if done is not None and self._of(done["settings"]) != self._settings:
            raise InputError(
                f"{self._work} holds the results of other settings ({done['settings']}): give another folder, "
                "or delete this one"
            )
        return done

    def _of(self, settings: str) -> str:
        """The settings that count, of those of a mark."""
        if self._columns is not None:
            return settings
        return json.dumps({name: value for name, value in json.loads(settings).items() if name != "columns"}, sort_keys=True)

    def _mark(self, name: str, count: int) -> None:
        row = [(name, self._settings, count)]
        marks = self.spark.createDataFrame(row, _DONE).coalesce(1)
        marks.write.mode("overwrite").json(f"{self._work}/_done/{name}")

    def _read_mark(self, name: str) -> Any:
        from pyspark.errors import AnalysisException

        try:
            found = self.spark.read.schema(_DONE).json(f"{self._work}/_done/{name}").collect()
        except AnalysisException:
            # There is no such path yet.
            return None
        return found[0] if found else None


def unique(column: str) -> Callable[[DataFrame], None]:
    """Fails where two rows have one ``id``, or a row has none: pairs are told by ids. ``column`` is what the user calls it."""

    def check(table: DataFrame) -> None:
        from pyspark.sql import functions as F

        for row in table.groupBy("id").agg(F.count("*").alias("rows")).where("id IS NULL OR rows > 1").limit(1).collect():
            what = "a row without an id" if row["id"] is None else f"the id {row['id']} in {row['rows']} rows"
            raise InputError(
                f"column {column} has {what}: give each row an id of its own, or name another column as id_column"
            )

    return check
