"""Clones among all functions of a table."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ._build import Built, built_of, input_of, prepared
from ._join import links as links_of
from ._stages import Progress

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["Clones", "clones"]


@dataclasses.dataclass(frozen=True)
class Clones:
    """Fragments in groups of equal ones, and the groups that are alike.

    Attributes:
        built: The files and fragments.
        links: ``left`` and ``right``, two nodes that are edited copies of each other (Type-3), and their ``similarity``.
    """

    built: Built
    links: DataFrame

    @property
    def members(self) -> DataFrame:
        """Every fragment at every place: the columns of the fragments, and ``id`` and ``path`` of its file."""
        return self.built.files.join(self.built.fragments.drop("bag"), ["blob", "language"])

    def stars(self) -> DataFrame:
        """The classes of equal fragments (Type-1 and Type-2) as stars: ``twin``, the ``representative`` and each other ``member``.

        A class of n has n - 1 rows. Both are structures of ``id`` and ``ordinal``, and the representative is the first of them.
        """
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        place = F.struct("id", "ordinal")
        first = F.min(place).over(Window.partitionBy("twin"))
        rows = self.members.select("twin", first.alias("representative"), place.alias("member"))
        return rows.where("representative != member")

    def pairs(self, types: tuple[int, ...] = (1, 2, 3)) -> DataFrame:
        """Every pair, as the rows of `familiar.clones` have them. A class of n equal fragments has n(n - 1)/2 of them.

        Columns: ``left`` and ``right`` (each a structure of ``id``, ``path``, ``name``, ``start_line``, ``end_line``, ``ordinal``), ``type``
        and ``similarity``. A pair within two fragments that are a pair themselves is left out.
        """
        from pyspark.sql import functions as F

        left, right = _sides(self.members)
        one_to_three = F.when(F.col("left.node") == F.col("right.node"), 1).otherwise(2)
        is_ordered = F.struct("left.id", "left.ordinal") < F.struct("right.id", "right.ordinal")
        equal = left.join(right, F.col("left.twin") == F.col("right.twin")).where(is_ordered)
        equal = equal.select("left", "right", one_to_three.alias("type"), F.lit(1.0).alias("similarity"))
        nodes = self.links.select(F.col("left").alias("l"), F.col("right").alias("r"), "similarity")
        linked = nodes.join(left, F.col("l") == F.col("left.node")).join(right, F.col("r") == F.col("right.node"))
        linked = linked.select("left", "right", F.lit(3).alias("type"), "similarity")
        asked = equal.unionByName(linked).where(F.col("type").isin(*types)).where(~_overlaps())
        rest = self._without_contained(asked)
        return rest.select(_shown("left"), _shown("right"), "type", "similarity")

    def _without_contained(self, pairs: DataFrame) -> DataFrame:
        """Leaves out the pairs that lie within others."""
        from pyspark.sql import functions as F

        ends = [
            F.col("left.id").alias("left_id"),
            F.col("left.ordinal").alias("left_ordinal"),
            F.col("right.id").alias("right_id"),
            F.col("right.ordinal").alias("right_ordinal"),
        ]
        nested = pairs.where((F.size("left.enclosing") > 0) | (F.size("right.enclosing") > 0))
        nested = nested.select(*ends, "left.enclosing", F.col("right.enclosing").alias("enclosing_right"))
        for side, enclosing in (("left", "enclosing"), ("right", "enclosing_right")):
            around = F.concat(enclosing, F.array(f"{side}_ordinal"))
            nested = nested.withColumn(f"{side}_wide", F.explode(around))
        apart = (F.col("left_wide") != F.col("left_ordinal")) | (F.col("right_wide") != F.col("right_ordinal"))
        nested = nested.where(apart).drop("enclosing", "enclosing_right")
        reported = pairs.select(*ends)
        swapped = reported.select(
            F.col("right_id").alias("left_id"),
            F.col("right_ordinal").alias("left_ordinal"),
            F.col("left_id").alias("right_id"),
            F.col("left_ordinal").alias("right_ordinal"),
        )
        wide = reported.unionByName(swapped).select(
            "left_id",
            F.col("left_ordinal").alias("left_wide"),
            "right_id",
            F.col("right_ordinal").alias("right_wide"),
        )
        names = ["left_id", "left_ordinal", "right_id", "right_ordinal"]
        inner = nested.join(wide, ["left_id", "left_wide", "right_id", "right_wide"], "left_semi")
        inner = inner.select(*names).dropDuplicates()
        keyed = pairs.withColumns(dict(zip(names, ["left.id", "left.ordinal", "right.id", "right.ordinal"])))
        return keyed.join(inner, names, "left_anti").drop(*names)


def clones(
    table: DataFrame,
    work: str,
    *,
    column: str,
    id_column: str,
    path_column: str | None = None,
    language_column: str | None = None,
    similarity: float = 0.8,
    min_tokens: int = 50,
    progress: Progress | None = None,
    **settings: Any,
) -> Clones:
    """Find the clones among all functions of a column of code: what
    ``familiar clones --granularity function --measure token-overlap`` finds with the same settings.

    Args:
        table, work, column, id_column, path_column, language_column, progress: As for `build`.
        similarity: How much of the larger function's tokens both have at least, above 0 and at most 1.
        min_tokens: The fewest tokens of a function.
        settings: As for `build`.

    Raises:
        InputError: The table has no such column, or the folder holds the results of other settings.
        UsageError: A setting is not allowed.
    """
    from pyspark.sql import functions as F

    settings = {"min_tokens": min_tokens, **settings}
    words, stages = prepared(
        table, work, "clones", {**settings, "measure": "token-overlap", "similarity": similarity}, progress
    )
    built = built_of(stages, words, input_of(table, column, id_column, path_column, language_column))
    grouped = built.fragments.groupBy("node", "twin", "family").agg(F.first("bag").alias("bag"))
    nodes = stages.make("nodes", lambda: grouped)
    found = links_of(stages, nodes, ("token-overlap", [float(similarity)]))
    return Clones(built=built, links=found.select("left", "right", "similarity"))


def _sides(members: DataFrame) -> tuple[DataFrame, DataFrame]:
    from pyspark.sql import functions as F

    columns = [
        "id", "path", "name", "start_line", "end_line", "ordinal", "first", "tokens", "node", "twin", "enclosing",
    ]  # fmt: skip
    return tuple(members.select(F.struct(*columns).alias(side)) for side in ("left", "right"))  # type: ignore[return-value]


def _overlaps() -> Column:
    """Whether both sides share tokens of one file."""
    from pyspark.sql import functions as F

    def ends(side: str) -> Column:
        return F.col(f"{side}.first") + F.col(f"{side}.tokens")

    meet = (F.col("left.first") < ends("right")) & (F.col("right.first") < ends("left"))
    return (F.col("left.id") == F.col("right.id")) & meet


def _shown(side: str) -> Column:
    from pyspark.sql import functions as F

    columns = ("id", "path", "name", "start_line", "end_line", "ordinal")
    return F.struct(*[f"{side}.{column}" for column in columns]).alias(side)
