"""Bags that have much in common: a join by prefixes (Bayardo et al. 2007; Vernica et al. 2010), exact.

The most frequent tokens are counted once and frozen. Each bag gives a row for each token of its prefix, and rows of one token meet in
one task. A token that many bags have is cut into blocks, and each two blocks are a task of their own: so no task grows with the most
frequent token, and bags that are equal never take part, since they are one node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._stages import Stages
from ._tasks import Step, frozen

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["COLUMNS_OF_KEYS", "COLUMNS_OF_NODES", "COLUMNS_OF_ORDER", "cells_between", "compared", "keys_of", "links", "order"]

#: Frequent tokens that the order knows.
_FREQUENT = 100_000
#: Rows of one key that one task holds.
_CELL = 4096

COLUMNS_OF_NODES = "node binary, twin binary, family int, bag binary"
COLUMNS_OF_ORDER = "token bigint, bags bigint"
COLUMNS_OF_KEYS = "key bigint, size int, node binary, twin binary, family int, bag binary"
_COLUMNS_OF_LINKS = "left binary, right binary, similarity double, multiset double"


def order(stages: Stages, nodes: DataFrame) -> DataFrame:
    """How many bags have each of the most frequent tokens: a stage."""
    from pyspark.sql import functions as F

    def made() -> DataFrame:
        counted = nodes.select("bag").mapInArrow(Step("Counts"), COLUMNS_OF_ORDER)
        summed = counted.groupBy("token").agg(F.sum("bags").alias("bags")).where("bags > 1")
        return summed.orderBy(F.desc("bags"), "token").limit(_FREQUENT)

    return stages.make("order", made)


def keys_of(nodes: DataFrame, measure: tuple[str, list[float]], order: bytes) -> DataFrame:
    """A row for each key of each node's prefix."""
    columns = nodes.select("node", "twin", "family", "bag")
    return columns.mapInArrow(Step("Keys", *measure, tables=(order,)), COLUMNS_OF_KEYS)


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
    # Nearly all keys have one block. They go the same way, so that the rows are read once.
    blocks = F.coalesce("blocks", F.lit(1))
    split = keys.join(heavy, "key", "left").withColumns({
        "block": F.pmod(F.xxhash64("node"), blocks).cast("int"),
        "other": F.explode(F.sequence(F.lit(0), blocks - 1)),
    })
    split = split.withColumns({"a": F.least("block", "other"), "b": F.greatest("block", "other")})
    return split.drop("other", "blocks")


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
    number_of = {name: F.coalesce(name, F.lit(1)) for name in ("left", "right")}

    def side(rows: DataFrame, number: int) -> DataFrame:
        own, other = (number_of["left"], number_of["right"]) if number == 0 else (number_of["right"], number_of["left"])
        split = rows.join(heavy, "key", "left").withColumns({
            "block": F.pmod(F.xxhash64("node"), own).cast("int"),
            "other": F.explode(F.sequence(F.lit(0), other - 1)),
        })
        first, second = ("block", "other") if number == 0 else ("other", "block")
        split = split.withColumns({"a": F.col(first), "b": number_of["left"] + F.col(second)})
        split = split.withColumn("block", F.col("a") if number == 0 else F.col("b"))
        return split.drop("other", "left", "right")

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
