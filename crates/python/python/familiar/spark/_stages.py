"""The stages of a job: each is a table in a folder, and is made once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _familiar
from ..errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Progress", "Stages"]

#: Called with the stage and the number of its rows when it is finished.
Progress = Callable[[str, int], object]

_DONE = "stage string, settings string, rows bigint"


class Stages:
    """The tables of one job.

    A stage counts when its mark is written, which happens after its rows are. So what a driver left behind when it died is made
    again, and what was finished is not.
    """

    def __init__(self, spark: SparkSession, work: str, settings: dict[str, Any], progress: Progress | None) -> None:
        self.spark = spark
        self._work = work.rstrip("/")
        self._settings = json.dumps({**settings, "version": _familiar.__version__}, sort_keys=True)
        self._progress = progress

    def make(self, name: str, rows: Callable[[], DataFrame]) -> DataFrame:
        """The table of a stage: what is there already, or what ``rows`` gives, written."""
        place, mark = f"{self._work}/{name}", f"{self._work}/_done/{name}"
        done = self._done(name)
        made = rows()
        if not done:
            made.write.mode("overwrite").option("compression", "zstd").parquet(place)
        # An engine may write no file where there is no row.
        table = self.spark.read.schema(made.schema).parquet(place)
        if not done:
            count = table.count()
            row = [(name, self._settings, count)]
            self.spark.createDataFrame(row, _DONE).coalesce(1).write.mode("overwrite").json(mark)
            if self._progress is not None:
                self._progress(name, count)
        return table

    def read(self, name: str) -> DataFrame:
        """The table of a stage that another job finished."""
        if not self._done(name):
            raise InputError(f"{self._work} has no finished stage {name}: run the job that makes it first")
        return self.spark.read.parquet(f"{self._work}/{name}")

    def _done(self, name: str) -> bool:
        done = self._read_mark(f"{self._work}/_done/{name}")
        if done is not None and done["settings"] != self._settings:
            raise InputError(
                f"{self._work} holds the results of other settings ({done['settings']}): give another folder, "
                "or delete this one"
            )
        return done is not None

    def _read_mark(self, mark: str) -> Any:
        from pyspark.errors import AnalysisException

        try:
            found = self.spark.read.schema(_DONE).json(mark).collect()
        except AnalysisException:
            # There is no such path yet.
            return None
        return found[0] if found else None
