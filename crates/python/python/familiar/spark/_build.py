"""Texts to files and fragments: each distinct text is parsed once."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .. import _familiar
from .._flags import flags
from ..errors import InputError
from ._stages import Progress, Stages
from ._tasks import Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Built", "build", "built_of", "input_of", "prepared"]

_FILES = "id string, path string, blob string, language string, reason string"
#: So many ids of repeated texts, at most, are sent to every task; of more of them, each task gets its share, and all texts move.
_SENT = 1_000_000
_FRAGMENTS = (
    "blob string, language string, reason string, kind string, name string, ordinal int, start_line int, end_line int, "
    "first int, tokens int, family int, node binary, twin binary, enclosing array<int>, bag binary, sequence binary"
)


@dataclasses.dataclass(frozen=True)
class Built:
    """What a build made, as tables.

    Attributes:
        files: ``id``, ``path``, ``blob`` (git object id), ``language``: every text that takes part.
        fragments: A row for each fragment of each distinct text: ``blob``, ``language``, ``kind``, ``name``, ``ordinal`` (place among the
            fragments of its text), ``start_line``, ``end_line`` (from 1), ``first`` (token), ``tokens``, ``family``, ``node`` (the same for
            equal fragments, Type-1), ``twin`` (the same for those that are equal once renamed, Type-2), ``enclosing`` (ordinals), ``bag`` or, for the aligned measure, ``sequence``.
        skipped: ``id``, ``path``, ``reason``: every text that does not take part.
    """

    files: DataFrame
    fragments: DataFrame
    skipped: DataFrame


def build(
    table: DataFrame,
    work: str,
    *,
    column: str,
    id_column: str,
    path_column: str | None = None,
    language_column: str | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Built:
    """Read the fragments of a column of code.

    Args:
        table: Any data frame of Spark.
        work: A folder that Spark can write, for the tables. A build that is started again with it goes on.
        column: The column that holds code, as text or bytes.
        id_column: The column that names the rows, uniquely.
        path_column: The column of paths, by which languages, fixtures and generated files are told. Otherwise the ids are.
        language_column: The column of languages. Otherwise they are told from path and text.
        progress: Called with the name of each stage and its number of rows.
        settings: Those of `familiar.clones` that say which fragments count, such as ``min_tokens``; functions are read.

    Raises:
        InputError: The table has no such column, the folder holds the results of other settings, or a repeated text has the id of
            another row.
        UsageError: A setting is not allowed.
    """
    words, stages = prepared(table, work, "build", settings, progress)
    return built_of(stages, words, input_of(table, column, id_column, path_column, language_column))


def prepared(
    table: DataFrame, work: str, job: str, settings: dict[str, Any], progress: Progress | None, **more: Any
) -> tuple[list[str], Stages]:
    """The flags of a job, checked, and its stages."""
    words = flags(**{"granularity": "function", **settings})
    # What is not allowed fails here, and not in the tasks.
    _familiar.Fragments(words)
    return words, Stages(table.sparkSession, work, {"job": job, "settings": words, **more}, progress)


def input_of(
    table: DataFrame, column: str, id_column: str, path_column: str | None = None, language_column: str | None = None
) -> DataFrame:
    """The columns of a table under the names that tasks know."""
    from pyspark.sql import functions as F

    named = {"id": id_column, "code": column, "path": path_column, "language": language_column}
    for name in named.values():
        if name is not None and name not in table.columns:
            raise InputError(f"there is no column {name}; the table has {', '.join(table.columns)}")
    columns = [F.col(f"`{name}`").alias(alias) for alias, name in named.items() if name is not None]
    chosen = table.select(*columns)
    return chosen.withColumn("id", F.col("id").cast("string")).withColumn("code", F.col("code").cast("binary"))


def built_of(stages: Stages, words: list[str], rows: DataFrame, *, sequences: bool = False) -> Built:
    """The tables of a build; ``rows`` are as `input_of` gives them. Fragments have their tokens in order, or their bags."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    files = stages.make("files", lambda: rows.mapInArrow(Step("Files", words), _FILES))

    def repeated() -> DataFrame:
        first = F.min("id").over(Window.partitionBy("blob", "language"))
        return files.where("reason IS NULL").withColumn("first", first).where("id != first").select("id")

    repeats = stages.make("repeats", repeated)
    count = repeats.count()
    sent = F.broadcast(repeats) if count <= _SENT else repeats
    if count and files.join(sent, "id", "left_semi").count() != count:
        raise InputError("two rows have one id: give the rows ids of their own, or name another column as id_column")
    once = rows.join(sent, "id", "left_anti")
    fragments = stages.make("fragments", lambda: once.mapInArrow(Step("Fragments", words, sequences), _FRAGMENTS))
    failed = fragments.where("reason IS NOT NULL").select("blob", "language", F.col("reason").alias("why"))
    joined = files.join(failed, ["blob", "language"], "left").withColumn("reason", F.coalesce("reason", "why"))
    return Built(
        files=joined.where("reason IS NULL").select("id", "path", "blob", "language"),
        fragments=fragments.where("reason IS NULL").drop("reason"),
        skipped=joined.where("reason IS NOT NULL").select("id", "path", "reason"),
    )
