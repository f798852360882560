"""Familiar on Apache Spark: the same answers as one machine gives, over tables that one machine cannot hold.

Jobs take data frames of Spark and write each of their stages to a folder. Familiar works inside the tasks, on batches in Arrow. A
job that is started again goes on behind its last finished stage. It needs pyspark 4 and, as ``mapInArrow`` does, pandas and pyarrow.
"""

from __future__ import annotations

from ._build import Built, build
from ._clones import Clones, clones
from ._duplicates import Duplicates, duplicates
from ._query import query
from ._vectors import vectors

__all__ = ["Built", "Clones", "Duplicates", "build", "clones", "duplicates", "query", "vectors"]
