"""Vectors of the texts of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _familiar
from .._flags import flags
from .._represent import TEXT
from ..errors import UsageError
from ._build import input_of
from ._stages import Progress, Stages
from ._tasks import Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["vectors"]


def vectors(
    table: DataFrame,
    work: str,
    *,
    column: str,
    id_column: str,
    language: str | None = None,
    language_column: str | None = None,
    encoder: str = "builtin",
    progress: Progress | None = None,
) -> DataFrame:
    """Make a vector of each text: those of `familiar.embed`.

    Args:
        table, work, column, id_column, progress: As for `build`.
        language: The language of all texts.
        language_column: The column that holds the language of each text.
        encoder: As for `familiar.embed`.

    Returns:
        ``id`` and ``vector``, numbers of 32 bits whose squares have the sum 1. A row without code has no vector.

    Raises:
        InputError: The table has no such column, or the folder holds the results of other settings.
        UsageError: Neither or both of ``language`` and ``language_column`` are given.
    """
    from pyspark.sql import functions as F

    if (language is None) == (language_column is None):
        raise UsageError("give language=, or language_column=")
    rows = input_of(table, column, id_column, language_column=language_column)
    if language is not None:
        rows = rows.withColumn("language", F.lit(language))
    words = [*flags(encoder=encoder, threads=1), *TEXT]
    # What is not allowed fails here, and not in the tasks.
    _familiar.Embedding(words)
    stages = Stages(table.sparkSession, work, {"job": "vectors", "encoder": encoder, "language": language}, progress)
    return stages.make("vectors", lambda: rows.mapInArrow(Step("Embedding", words), "id string, vector array<float>"))
