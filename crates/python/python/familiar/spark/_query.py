"""A set of queries against the functions of a table that was searched before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._build import Built, built_of, columns_of, input_of, prepared
from ._join import COLUMNS_OF_NODES, links_between
from ._stages import Progress, Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["query"]


def query(
    table: DataFrame,
    known: str,
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
) -> DataFrame:
    """Ask which functions of a table have clones in another one, which `clones` searched before.

    The tables that `clones` left in its folder are read as they are: nothing of the known side is parsed again, and only its rows that
    share a token of a query's prefix are compared.

    Args:
        table, column, id_column, path_column, language_column, progress: The queries, as for `build`.
        known: The folder of `clones` for the table that is asked.
        work: A folder for the tables of this job.
        similarity, min_tokens, settings: Those of the call of `clones`.

    Returns:
        A row for each function of a query and each distinct function that is its clone: ``id``, ``path``, ``name``, ``start_line``, ``end_line``
        of the query; ``node`` and ``twin`` of what was found; ``type`` and ``similarity``. Join ``node`` with the fragments of ``known`` for the
        places. A pair within two functions that are a pair themselves is not left out, as it is by `clones`.

    Raises:
        InputError: As for `build`, or ``known`` is no folder of `clones` with these settings.
        UsageError: A setting is not allowed.
    """
    from pyspark.sql import functions as F

    similarity = float(similarity)
    asked = {"min_tokens": min_tokens, **settings}
    columns, known = columns_of(column, id_column, path_column, language_column), known.rstrip("/")
    how: dict[str, Any] = {"measure": "token-overlap", "similarity": similarity}
    words, there = prepared(table, known, "clones", asked, progress, None, **how)
    stages = Stages(table.sparkSession, work, {"job": "query", "settings": words, "known": known}, progress, columns)
    # What is not there fails before anything is read.
    nodes = there.read("nodes", COLUMNS_OF_NODES)
    built = built_of(stages, words, input_of(table, columns), id_column)
    grouped = built.fragments.groupBy("node", "twin", "family").agg(F.first("bag").alias("bag"))
    queries = stages.make("nodes", lambda: grouped)
    links = links_between(stages, queries, nodes, there, ("token-overlap", [similarity]))
    return _found(built, queries, nodes, links)


def _found(built: Built, queries: DataFrame, nodes: DataFrame, links: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    asked = queries.select(F.col("node").alias("asked"), F.col("twin").alias("asked_twin"))
    equal = asked.join(nodes.select("node", "twin"), F.col("asked_twin") == F.col("twin"))
    kind = F.when(F.col("asked") == F.col("node"), 1).otherwise(2)
    equal = equal.select("asked", "node", kind.alias("type"), F.lit(1.0).alias("similarity"))
    both = links.select("left", "right", "similarity")
    turned = both.select(F.col("right").alias("left"), F.col("left").alias("right"), "similarity")
    near = both.unionByName(turned).join(asked, F.col("left") == F.col("asked"))
    near = near.join(nodes.select("node"), F.col("right") == F.col("node"))
    near = near.select("asked", "node", F.lit(3).alias("type"), "similarity").dropDuplicates(["asked", "node"])
    found = equal.unionByName(near).join(nodes.select("node", "twin"), "node")
    places = built.files.join(built.fragments, ["blob", "language"])
    places = places.select("id", "path", "name", "start_line", "end_line", F.col("node").alias("asked"))
    return places.join(found, "asked").drop("asked")
