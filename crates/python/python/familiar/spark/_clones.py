"""Clones among all functions of a table."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .. import _familiar
from ..errors import UsageError
from ._aligned import links as aligned_links
from ._build import Built, built_of, columns_of, input_of, prepared
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
        return self.built.files.join(self.built.fragments.drop("bag", "sequence"), ["blob", "language"])

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
        and ``similarity``. What comes first by path and place stands on the left. A pair within two fragments that are a pair
        themselves is left out.
        """
        from pyspark.sql import functions as F

        left, right = _side(self.members, "left"), _side(self.members, "right")
        kind = F.when(F.col("left_node") == F.col("right_node"), 1).otherwise(2)
        equal = left.join(right, F.col("left_twin") == F.col("right_twin")).where(_before("left", "right"))
        equal = equal.withColumns({"type": kind, "similarity": F.lit(1.0)})
        nodes = self.links.select(F.col("left").alias("l"), F.col("right").alias("r"), "similarity")
        linked = nodes.join(left, F.col("l") == F.col("left_node")).join(right, F.col("r") == F.col("right_node"))
        linked = _in_order(linked.withColumn("type", F.lit(3)))
        asked = equal.unionByName(linked).where(F.col("type").isin(*types)).where(f"NOT ({_OVERLAPS})")
        return _without_contained(asked).select(_shown("left"), _shown("right"), "type", "similarity")


def clones(
    table: DataFrame,
    work: str,
    *,
    column: str,
    id_column: str,
    path_column: str | None = None,
    language_column: str | None = None,
    measure: str = "token-overlap",
    similarity: float | None = None,
    min_tokens: int = 50,
    include_idioms: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Clones:
    """Find the clones among all functions of a column of code: what ``familiar clones --granularity function`` finds with the same
    settings and measure.

    Args:
        table, work, column, id_column, path_column, language_column, progress: As for `build`.
        measure: ``token-overlap``, how much of the larger function's tokens both have, or ``aligned``, how much of their statements
            corresponds in order.
        similarity: How much that is at least, above 0 and at most 1. By default 0.8 for token overlap, and 0.7 for the other.
        min_tokens: The fewest tokens of a function.
        include_idioms: Whether code that is alike without being copied counts. ``aligned`` needs it: what an idiom is depends on all
            files together.
        settings: As for `build`.

    Raises:
        InputError: As for `build`.
        UsageError: A setting is not allowed.
    """
    from pyspark.sql import functions as F

    if measure not in _SIMILARITY:
        raise UsageError(f"there is no measure {measure} on Spark: give token-overlap or aligned")
    if measure == "aligned" and not include_idioms:
        raise UsageError("the measure aligned needs include_idioms=True on Spark: what an idiom is depends on all files")
    similarity = float(_SIMILARITY[measure] if similarity is None else similarity)
    _familiar.check_measure("token-overlap", [similarity])
    settings = {"min_tokens": min_tokens, "include_idioms": include_idioms, **settings}
    columns = columns_of(column, id_column, path_column, language_column)
    words, stages = prepared(table, work, "clones", settings, progress, columns, measure=measure, similarity=similarity)
    built = built_of(stages, words, input_of(table, columns), id_column, sequences=measure == "aligned")
    if measure == "aligned":
        found = aligned_links(stages, built, similarity)
    else:
        grouped = built.fragments.groupBy("node", "twin", "family").agg(F.first("bag").alias("bag"))
        nodes = stages.make("nodes", lambda: grouped)
        found = links_of(stages, nodes, (measure, [similarity]))
    return Clones(built=built, links=found.select("left", "right", "similarity"))


#: The measures, and from where on they make a pair.
_SIMILARITY = {"token-overlap": 0.8, "aligned": 0.7}
_COLUMNS = ("id", "path", "name", "start_line", "end_line", "ordinal", "first", "tokens", "node", "twin", "enclosing")
_OVERLAPS = (
    "left_id = right_id AND left_first < right_first + right_tokens AND right_first < left_first + left_tokens"
)


def _side(members: DataFrame, side: str) -> DataFrame:
    """The columns of one side of pairs."""
    from pyspark.sql import functions as F

    return members.select(*[F.col(column).alias(f"{side}_{column}") for column in _COLUMNS])


def _before(one: str, two: str) -> str:
    """Whether one side comes before the other, as pairs of one machine have them."""
    order = ("path", "id", "first", "ordinal")
    cases = []
    for number, column in enumerate(order):
        equal = [f"{one}_{before} = {two}_{before}" for before in order[:number]]
        cases.append(" AND ".join([*equal, f"{one}_{column} < {two}_{column}"]))
    return " OR ".join(f"({case})" for case in cases)


def _in_order(pairs: DataFrame) -> DataFrame:
    """Pairs whose sides may be turned, with the first on the left."""
    from pyspark.sql import functions as F

    turned = F.expr(_before("right", "left"))
    sides = [
        F.when(turned, F.col(f"{other}_{column}")).otherwise(F.col(f"{side}_{column}")).alias(f"{side}_{column}")
        for side, other in (("left", "right"), ("right", "left"))
        for column in _COLUMNS
    ]
    return pairs.select(*sides, "type", "similarity")


def _without_contained(pairs: DataFrame) -> DataFrame:
    """Leaves out the pairs that lie within others."""
    from pyspark.sql import functions as F

    places = ["left_id", "left_ordinal", "right_id", "right_ordinal"]
    nested = pairs.where("size(left_enclosing) > 0 OR size(right_enclosing) > 0")
    nested = nested.select(*places, "left_enclosing", "right_enclosing")
    for side in ("left", "right"):
        around = F.concat(f"{side}_enclosing", F.array(f"{side}_ordinal"))
        nested = nested.withColumn(f"{side}_wide", F.explode(around))
    nested = nested.where("left_wide != left_ordinal OR right_wide != right_ordinal")
    reported = pairs.select(*places)
    turned = [F.col(it).alias(to) for it, to in zip(places, ["right_id", "right_ordinal", "left_id", "left_ordinal"])]
    both = reported.unionByName(reported.select(*turned))
    wide = both.withColumnsRenamed({"left_ordinal": "left_wide", "right_ordinal": "right_wide"})
    inner = nested.join(wide, ["left_id", "left_wide", "right_id", "right_wide"], "left_semi")
    return pairs.join(inner.select(*places).dropDuplicates(), places, "left_anti")


def _shown(side: str) -> Column:
    from pyspark.sql import functions as F

    columns = ("id", "path", "name", "start_line", "end_line", "ordinal")
    return F.struct(*[F.col(f"{side}_{column}").alias(column) for column in columns]).alias(side)
