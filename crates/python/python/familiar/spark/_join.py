"""Bags that have much in common: a join by prefixes (Bayardo et al. 2007; Vernica et al. 2010), exact.

The most frequent tokens are counted once and frozen. Each bag has a key for each token of its prefix, and bags of one key meet in one
bucket, to which they travel in packs. A token that many bags have is cut into blocks, and each two blocks meet in a bucket of their own: so
no task grows with the most frequent token, and bags that are equal never take part, since they are one node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._stages import Stages
from ._tasks import COUNTS, PACKS, Step, buckets, frozen, summed, together

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["COLUMNS_OF_NODES", "is_whole", "links", "links_between", "order"]

#: Frequent tokens that the order knows.
_FREQUENT = 1_000_000
#: Rows of one key that are compared with one another.
_CELL = 4096
#: Elements of the largest bag that travels with its keys.
_LARGEST = 1000
#: Keys, at most, that queries may ask for so that only rows of these travel.
_ASKED = 4_000_000

COLUMNS_OF_NODES = "node binary, twin binary, family int, bag binary"
_COLUMNS_OF_LINKS = "left binary, right binary, similarity double, multiset double"


def order(stages: Stages, nodes: DataFrame) -> DataFrame:
    """How many bags have each of the most frequent tokens: a stage."""
    from pyspark.sql import functions as F

    def made() -> DataFrame:
        counted = nodes.select("bag").mapInArrow(Step("Counts", buckets(stages.spark)), PACKS)
        return summed(counted, 2).orderBy(F.desc("count"), "number").limit(_FREQUENT)

    return stages.make("order", made)


def is_whole(rows: int) -> bool:
    """Whether an order of so many rows has all tokens that stand in two bags."""
    return rows < _FREQUENT


def links(stages: Stages, nodes: DataFrame, measure: tuple[str, list[float]]) -> DataFrame:
    """The pairs of nodes that are alike: ``left``, ``right``, ``similarity``, ``multiset``. The smaller node stands on the left."""
    tokens = frozen(order(stages, nodes))
    cut = (stages.rows("nodes"), buckets(stages.spark), _LARGEST, _CELL, is_whole(stages.rows("order")))
    step = Step("Keys", *measure, cut, None, tables=(tokens,))
    return _compared(stages, nodes.mapInArrow(step, PACKS), nodes, measure)


def links_between(
    stages: Stages, asked: DataFrame, known: DataFrame, there: Stages, measure: tuple[str, list[float]]
) -> DataFrame:
    """The same of two sides, of which only nodes of different sides are compared. ``there`` made ``known``, and its order."""
    from pyspark.sql import functions as F

    tokens, whole = frozen(there.read("order", COUNTS)), is_whole(there.rows("order"))
    counts = Step("KeyCounts", *measure, whole, buckets(stages.spark), tables=(tokens,))
    keys = stages.make("keys", lambda: summed(asked.select("family", "bag").mapInArrow(counts, PACKS), 1))
    all_of_them = stages.rows("keys") <= _ASKED
    of_keys = frozen(keys if all_of_them else keys.where(F.col("count") > _CELL))
    cut = (there.rows("nodes"), buckets(stages.spark), _LARGEST, _CELL, whole)
    sides = []
    for rows, is_known in ((asked, False), (known, True)):
        step = Step("Keys", *measure, cut, (all_of_them, is_known), tables=(tokens, of_keys))
        sides.append(rows.mapInArrow(step, PACKS))
    both = asked.unionByName(known).dropDuplicates(["node"])
    return _compared(stages, sides[0].unionByName(sides[1]), both, measure)


def _compared(stages: Stages, packs: DataFrame, nodes: DataFrame, measure: tuple[str, list[float]]) -> DataFrame:
    """The pairs of the packs that are alike: a stage. Those with a bag too large to travel are looked up in ``nodes``."""
    from pyspark.sql import functions as F

    step = Step("links", *measure)
    found = stages.make("compared", lambda: together(packs).mapInArrow(step, _COLUMNS_OF_LINKS))

    def verified() -> DataFrame:
        large = found.where("similarity IS NULL").select("left", "right").dropDuplicates()
        bags = nodes.select("node", "bag")
        for side in ("left", "right"):
            of_side = bags.select(F.col("node").alias(side), F.col("bag").alias(f"{side}_bag"))
            large = large.join(of_side, side)
        rest = large.mapInArrow(Step("verify", *measure), _COLUMNS_OF_LINKS)
        return found.where("similarity IS NOT NULL").unionByName(rest)

    return stages.make("links", verified)
