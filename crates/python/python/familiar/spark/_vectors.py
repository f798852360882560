"""Vectors of the texts of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _familiar
from .._flags import flags
from .._represent import TEXT
from ..errors import UsageError
from ._build import columns_of, input_of
from ._stages import Progress, Stages, unique
from ._tasks import Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["vectors"]

_VECTORS = "id string, vector array<float>, reason string"


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
        ``id``, ``vector`` (numbers of 32 bits whose squares have the sum 1) and ``reason``: why a row has no vector.

    Raises:
        InputError: The table has no such column, two rows have one id or a row has none, or the folder holds the results of other
            settings, or something else.
        UsageError: Neither or both of ``language`` and ``language_column`` are given, or there is no such language or encoder.
    """
    if (language is None) == (language_column is None):
        raise UsageError("give language=, or language_column=")
    columns = columns_of(column, id_column, language_column=language_column)
    rows = input_of(table, columns)
    words = [*flags(encoder=encoder, threads=1), *TEXT]
    # What is not allowed fails here, and not in the tasks.
    _familiar.Embedding(words, language)
    settings = {"job": "vectors", "encoder": encoder, "language": language}
    stages = Stages(table.sparkSession, work, settings, progress, columns)
    step = Step("Embedding", words, language)
    return stages.make("vectors", lambda: rows.mapInArrow(step, _VECTORS), unique(id_column))
