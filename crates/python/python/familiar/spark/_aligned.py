"""Functions whose statements correspond: candidates by shared grams, and their comparison.

It is the search of one machine, with the same bounds, in meetings of rows: shapes that keep one gram, the candidates of one shape, and
nodes of one form. Nodes of one shape differ in names and literals alone. Shapes have numbers in the order in which the search takes
them, so what it takes next is what has the next number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._build import Built
from ._stages import Stages
from ._tasks import PACKS, Step, buckets, frozen, summed, together

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["links"]

#: Most nodes of a shape that others are compared with, as the core has it, and nodes of one that a task compares together.
_OF_SHAPE = 192
_TOGETHER = 64
#: Shapes whose grams, or pairs, meet in one bucket, about.
_OF_BUCKET = 1024

_PLACE = "first struct<path: string, id: string, ordinal: int>"
_NODES = f"node binary, twin binary, family int, tokens int, sequence binary, {_PLACE}, shape binary, form binary, mass float"
_LINKS = "left binary, right binary, similarity double, multiset double"


def links(stages: Stages, built: Built, similarity: float) -> DataFrame:
    """The pairs of nodes that are alike: ``left``, ``right``, ``similarity``, ``multiset``. The smaller node stands on the left."""
    from pyspark.sql import functions as F

    nodes = stages.make("nodes", lambda: _nodes(built))
    shapes = stages.make("shapes", lambda: _shapes(nodes))
    totals = frozen(nodes.groupBy("family").agg(F.sum("tokens").alias("tokens")))

    def counted() -> DataFrame:
        step = Step("GramCounts", buckets(stages.spark), tables=(totals,))
        return summed(shapes.select("family", "sequence").mapInArrow(step, PACKS), 2)

    counts = frozen(stages.make("counts", counted))

    candidates = stages.make("candidates", lambda: _candidates(stages, shapes, (totals, counts), similarity))
    return stages.make("links", lambda: _compared(nodes, shapes, candidates, similarity).unionByName(_forms(nodes)))


def _nodes(built: Built) -> DataFrame:
    """Distinct functions, each with the first of its places, and its ``place`` among those of its shape."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    texts = built.files.groupBy("blob", "language").agg(F.min(F.struct("path", "id")).alias("at"))
    fragments = built.fragments.join(texts, ["blob", "language"])
    first = F.struct("at.path", "at.id", "ordinal")
    grouped = fragments.withColumn("first", first).groupBy("node", "twin", "family")
    nodes = grouped.agg(
        F.first("tokens").alias("tokens"), F.min_by("sequence", "first").alias("sequence"), F.min("first").alias("first")
    )
    of_shape = Window.partitionBy("shape").orderBy("first")
    return nodes.mapInArrow(Step("Shapes"), _NODES).withColumn("place", F.row_number().over(of_shape))


def _shapes(nodes: DataFrame) -> DataFrame:
    """A row for each shape, with a number: a larger shape has a larger one."""
    from pyspark.sql import functions as F

    ordered = nodes.where("place = 1").select("shape", "family", "mass", "sequence").orderBy("shape")
    return ordered.withColumn("id", F.monotonically_increasing_id())


def _candidates(stages: Stages, shapes: DataFrame, tables: tuple[bytes, bytes], similarity: float) -> DataFrame:
    """For each shape the larger ones that it is compared with, in their order."""
    meet = max(buckets(stages.spark), stages.rows("shapes") // _OF_BUCKET + 1)
    grams = shapes.select("family", "id", "mass", "sequence").mapInArrow(Step("Grams", meet, tables=tables), PACKS)
    met = together(grams).mapInArrow(Step("Meetings", similarity, meet), PACKS)
    return together(met).mapInArrow(Step("ranked"), "left bigint, right bigint, rank int")


def _compared(nodes: DataFrame, shapes: DataFrame, candidates: DataFrame, similarity: float) -> DataFrame:
    from pyspark.sql import functions as F

    numbered = nodes.join(shapes.select("shape", "id"), "shape").select("id", "place", "node", "sequence")
    part = F.floor((F.col("place") - 1) / _TOGETHER)
    nodes_of = F.collect_list(F.struct("place", "node", "sequence")).alias("own")
    own = numbered.groupBy("id", part.alias("part")).agg(nodes_of)
    rights = numbered.where(F.col("place") <= _OF_SHAPE).withColumnRenamed("id", "right")
    row = F.struct("rank", "place", "node", "sequence")
    others = candidates.join(rights, "right").groupBy("left").agg(F.collect_list(row).alias("others"))
    both = own.join(others, F.col("id") == F.col("left")).select("own", "others")
    return both.mapInArrow(Step("compare", similarity), _LINKS)


def _forms(nodes: DataFrame) -> DataFrame:
    """Links nodes that are equal but for names and literals, and no twins."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    number = F.row_number().over(Window.partitionBy("form").orderBy("first"))
    numbered = nodes.select("form", "first", "node", "twin").withColumn("number", number)
    row = F.struct("number", "node", "twin")
    lists = numbered.groupBy("form").agg(
        F.collect_list(row).alias("rows"), F.min("twin").alias("low"), F.max("twin").alias("high")
    )
    return lists.where("low != high").select("rows").mapInArrow(Step("same_forms"), _LINKS)
