"""Bags that have much in common: a join by prefixes (Bayardo et al. 2007; Vernica et al. 2010), exact.

The most frequent tokens are counted once and frozen. Each bag gives a row for each token of its prefix, and rows of one token meet in
one task. A token that many bags have is cut into blocks, and each two blocks are a task of their own: so no task grows with the most
frequent token, and bags that are equal never take part, since they are one node.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ._stages import Stages
from ._tasks import Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["COLUMNS_OF_KEYS", "cells_between", "compared", "frozen", "keys_of", "links", "order"]

#: Frequent tokens that the order knows.
_FREQUENT = 100_000
#: Rows of one key that one task holds.
_CELL = 4096

COLUMNS_OF_KEYS = "key bigint, size int, node binary, twin binary, family int, bag binary"
_COLUMNS_OF_LINKS = "left binary, right binary, similarity double, multiset double"


def order(stages: Stages, nodes: DataFrame) -> DataFrame:
    """How many bags have each of the most frequent tokens: a stage."""
    from pyspark.sql import functions as F

    def made() -> DataFrame:
        counted = nodes.select("bag").mapInArrow(Step("Counts"), "token bigint, bags bigint")
        summed = counted.groupBy("token").agg(F.sum("bags").alias("bags")).where("bags > 1")
        return summed.orderBy(F.desc("bags"), "token").limit(_FREQUENT)

    return stages.make("order", made)


def frozen(order: DataFrame) -> bytes:
    """The order as bytes that travel with a step."""
    import pyarrow

    table = order.orderBy("token").toArrow()
    out = io.BytesIO()
    with pyarrow.ipc.new_stream(out, table.schema) as writer:
        # One batch, even where there is no row.
        for batch in table.combine_chunks().to_batches() or [pyarrow.RecordBatch.from_pylist([], schema=table.schema)]:
            writer.write_batch(batch)
    return out.getvalue()


def keys_of(nodes: DataFrame, measure: tuple[str, list[float]], order: bytes) -> DataFrame:
    """A row for each key of each node's prefix."""
    columns = nodes.select("node", "twin", "family", "bag")
    return columns.mapInArrow(Step("Keys", *measure, order=order), COLUMNS_OF_KEYS)


def links(stages: Stages, nodes: DataFrame, measure: tuple[str, list[float]]) -> DataFrame:
    """The pairs of nodes that are alike: ``left``, ``right``, ``similarity``, ``multiset``. The smaller node stands on the left."""
    tokens = frozen(order(stages, nodes))
    keys = stages.make("keys", lambda: keys_of(nodes, measure, tokens))
    return compared(stages, cells(keys), nodes, measure)


def cells(keys: DataFrame) -> DataFrame:
    """The rows of keys with the cell of the key in which they are compared: blocks ``a`` and ``b``, of which the row is in ``block``."""
    from pyspark.sql import functions as F

    heavy = keys.groupBy("key").count().where(F.col("count") > _CELL)
    heavy = F.broadcast(heavy.select("key", F.ceil(F.col("count") / _CELL).cast("int").alias("blocks")))
    zero = F.lit(0)
    light = keys.join(heavy, "key", "left_anti").withColumns({"a": zero, "b": zero, "block": zero})
    split = keys.join(heavy, "key").withColumn("block", F.pmod(F.xxhash64("node"), F.col("blocks")).cast("int"))
    split = split.withColumn("other", F.explode(F.sequence(zero, F.col("blocks") - 1)))
    split = split.withColumns({"a": F.least("block", "other"), "b": F.greatest("block", "other")})
    return light.unionByName(split.drop("other", "blocks"))


def cells_between(asked: DataFrame, known: DataFrame) -> DataFrame:
    """The same for two sides, of which only rows of different sides are compared. ``known`` may hold keys that nobody asks for.

    Blocks of ``asked`` are numbered first, and those of ``known`` behind them. So ``a`` is a block of one side and ``b`` of the other.
    """
    from pyspark.sql import functions as F

    def blocks(rows: DataFrame, name: str) -> DataFrame:
        return rows.groupBy("key").agg(F.ceil(F.count("*") / _CELL).cast("int").alias(name))

    met = known.join(asked.select("key").distinct(), "key", "left_semi")
    heavy = blocks(asked, "left").join(blocks(met, "right"), "key").where((F.col("left") > 1) | (F.col("right") > 1))
    heavy = F.broadcast(heavy)
    zero, one = F.lit(0), F.lit(1)

    def side(rows: DataFrame, number: int) -> DataFrame:
        light = rows.join(heavy.select("key"), "key", "left_anti")
        light = light.withColumns({"a": zero, "b": one, "block": F.lit(number)})
        split = rows.join(heavy, "key")
        own, other = (F.col("left"), F.col("right")) if number == 0 else (F.col("right"), F.col("left"))
        split = split.withColumn("block", F.pmod(F.xxhash64("node"), own).cast("int"))
        split = split.withColumn("other", F.explode(F.sequence(zero, other - 1)))
        first, second = ("block", "other") if number == 0 else ("other", "block")
        split = split.withColumns({"a": F.col(first), "b": F.col("left") + F.col(second)})
        split = split.withColumn("block", F.col("a") if number == 0 else F.col("b"))
        return light.unionByName(split.drop("other", "left", "right"))

    return side(asked, 0).unionByName(side(met, 1))


def compared(
    stages: Stages, cells: DataFrame, nodes: DataFrame, measure: tuple[str, list[float]]
) -> DataFrame:
    """The pairs of the cells that are alike: a stage. Those with a bag too large to travel are looked up in ``nodes``."""
    from pyspark.sql import functions as F

    row = F.struct("block", "size", "node", "twin", "family", "bag")
    together = cells.groupBy("key", "a", "b").agg(F.collect_list(row).alias("rows")).where("size(rows) > 1")
    found = stages.make("compared", lambda: together.mapInArrow(Step("links", *measure), _COLUMNS_OF_LINKS))

    def verified() -> DataFrame:
        large = found.where("similarity IS NULL").select("left", "right").dropDuplicates()
        bags = nodes.select("node", "bag")
        for side in ("left", "right"):
            of_side = bags.select(F.col("node").alias(side), F.col("bag").alias(f"{side}_bag"))
            large = large.join(of_side, side)
        rest = large.mapInArrow(Step("verify", *measure), _COLUMNS_OF_LINKS)
        return found.where("similarity IS NOT NULL").unionByName(rest)

    return stages.make("links", verified)
