"""Near-duplicates among the texts of a table."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from .. import _familiar
from ..errors import UsageError
from ._build import columns_of, input_of
from ._join import links as links_of
from ._stages import Progress, Stages, unique
from ._tasks import Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Duplicates", "duplicates"]

_SAMPLES = "id string, reason string, node binary, tokens int, bag binary"
#: Bytes that one text may take while it is read.
_MEMORY = 256 << 20


@dataclasses.dataclass(frozen=True)
class Duplicates:
    """Texts in groups of those with equal bags of tokens, and the groups that are alike.

    Attributes:
        samples: ``id``, ``node`` (the same for texts with equal bags) and ``tokens``: every text that takes part.
        links: ``left`` and ``right``, two nodes, with ``set_jaccard`` and ``multiset_jaccard``.
        skipped: ``id`` and ``reason``: every text that does not take part.
    """

    samples: DataFrame
    links: DataFrame
    skipped: DataFrame

    def stars(self) -> DataFrame:
        """The groups of equal bags as stars: the ``representative`` and each other ``member``, both ids."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        first = F.min("id").over(Window.partitionBy("node"))
        return self.samples.select(first.alias("representative"), F.col("id").alias("member")).where(
            "representative != member"
        )

    def pairs(self) -> DataFrame:
        """Every pair: ``id1`` and ``id2`` (the smaller first), ``set_jaccard`` and ``multiset_jaccard``, as `familiar.duplicates` has them."""
        from pyspark.sql import functions as F

        one = self.samples.select(F.col("id").alias("id1"), F.col("node").alias("left"))
        two = self.samples.select(F.col("id").alias("id2"), F.col("node").alias("right"))
        equal = one.join(two, one["left"] == two["right"]).where("id1 < id2")
        whole = F.lit(1.0)
        equal = equal.select("id1", "id2", whole.alias("set_jaccard"), whole.alias("multiset_jaccard"))
        near = self.links.join(one, "left").join(two, "right")
        first, second = F.least("id1", "id2"), F.greatest("id1", "id2")
        near = near.select(first.alias("id1"), second.alias("id2"), "set_jaccard", "multiset_jaccard")
        return equal.unionByName(near)


def duplicates(
    table: DataFrame,
    work: str,
    *,
    column: str,
    id_column: str,
    language: str | None = None,
    language_column: str | None = None,
    set_jaccard: float = 0.9,
    multiset_jaccard: float = 0.8,
    without_strings: bool = False,
    progress: Progress | None = None,
) -> Duplicates:
    """Find texts whose tokens are nearly the same: what `familiar.duplicates` finds. Every such pair is found.

    Args:
        table, work, column, id_column, progress: As for `familiar.spark.build`.
        language: The language of all texts.
        language_column: The column that holds the language of each text.
        set_jaccard: The lowest Jaccard index of the sets of tokens, above 0 and at most 1.
        multiset_jaccard: The lowest Jaccard index of the multisets of tokens, from 0 to 1.
        without_strings: Whether the literals of strings and characters are left out.

    A text that takes more than 256 MiB while it is read is left out.

    Raises:
        InputError: The table has no such column, two rows have one id or a row has none, or the folder holds the results of other
            settings, or something else.
        UsageError: A setting is not allowed.
    """
    from pyspark.sql import functions as F

    if (language is None) == (language_column is None):
        raise UsageError("give language=, or language_column=")
    columns = columns_of(column, id_column, language_column=language_column)
    rows = input_of(table, columns)
    measure = ("jaccard", [float(set_jaccard), float(multiset_jaccard)])
    reader = (language, not without_strings, _MEMORY)
    # What is not allowed fails here, and not in the tasks.
    _familiar.Samples(*reader)
    _familiar.check_measure(*measure)
    settings = {"job": "duplicates", "measure": measure, "reader": reader}
    stages = Stages(table.sparkSession, work, settings, progress, columns)
    samples = stages.make("samples", lambda: rows.mapInArrow(Step("Samples", *reader), _SAMPLES), unique(id_column))
    read = samples.where("reason IS NULL")
    grouped = read.groupBy("node").agg(F.first("bag").alias("bag"))
    grouped = grouped.withColumns({"twin": F.col("node"), "family": F.lit(0)})
    found = links_of(stages, stages.make("nodes", lambda: grouped), measure)
    return Duplicates(
        samples=read.select("id", "node", "tokens"),
        links=found.withColumnsRenamed({"similarity": "set_jaccard", "multiset": "multiset_jaccard"}),
        skipped=samples.where("reason IS NOT NULL").select("id", "reason"),
    )
