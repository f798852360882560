"""Texts to files and fragments: each distinct text is parsed once."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .. import _familiar
from .._flags import flags
from ..errors import InputError, UsageError
from ._stages import Progress, Stages, unique
from ._tasks import Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Built", "build", "built_of", "columns_of", "input_of", "prepared"]

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
        table: Any data frame of Spark. It is read twice, and has to give the same rows each time: write what is drawn at random,
            cut off with ``limit`` or numbered by Spark to a file first.
        work: A folder of its own that Spark can write, for the tables. A build that is started again with it goes on.
        column: The column that holds code, as text or bytes.
        id_column: The column that names the rows, uniquely.
        path_column: The column of paths, by which languages, fixtures and generated files are told. Otherwise the ids are.
        language_column: The column of languages. Otherwise they are told from path and text.
        progress: Called with the name of each stage and its number of rows.
        settings: Which functions count, as for `familiar.clones`: ``min_tokens`` (50), ``min_lines``, ``renaming``, ``lang``,
            ``include_generated``, ``include_idioms`` and ``memory`` (of a task).

    Raises:
        InputError: The table has no such column or gave other rows when it was read again, two rows have one id or a row has none,
            or the folder holds the results of other settings, or something else.
        UsageError: A setting is not allowed.
    """
    columns = columns_of(column, id_column, path_column, language_column)
    words, stages = prepared(table, work, "build", settings, progress, columns)
    return built_of(stages, words, input_of(table, columns), id_column)


#: What can be said of fragments here. All else has no effect on a cluster.
_SETTINGS = ("min_tokens", "min_lines", "renaming", "lang", "include_generated", "include_idioms", "memory")


def prepared(
    table: DataFrame,
    work: str,
    job: str,
    settings: dict[str, Any],
    progress: Progress | None,
    columns: dict[str, str | None] | None,
    **more: Any,
) -> tuple[list[str], Stages]:
    """The flags of a job, checked, and its stages. ``more`` are settings of its own."""
    settings = {"min_tokens": 50, **settings}
    for name in settings:
        if name not in _SETTINGS:
            hint = ": give the types to pairs()" if name == "types" else f"; there are {', '.join(_SETTINGS)}"
            raise UsageError(f"{name} has no effect on Spark{hint}")
    if settings["min_tokens"] is None:
        raise UsageError("min_tokens is a number on Spark: the limit by information depends on the whole tree")
    # The order in which they are given says nothing.
    words = sorted(flags(granularity="function", **settings, **more))
    # What is not allowed fails here, and not in the tasks.
    _familiar.Fragments(words)
    return words, Stages(table.sparkSession, work, {"job": job, "settings": words}, progress, columns)


def columns_of(
    column: str, id_column: str, path_column: str | None = None, language_column: str | None = None
) -> dict[str, str | None]:
    """The columns of a user's table, by the names that tasks know."""
    return {"id": id_column, "code": column, "path": path_column, "language": language_column}


def input_of(table: DataFrame, named: dict[str, str | None]) -> DataFrame:
    """The columns of a table under the names that tasks know."""
    from pyspark.sql import functions as F

    for name in named.values():
        if name is not None and name not in table.columns:
            raise InputError(f"there is no column {name}; the table has {', '.join(table.columns)}")
    columns = [F.col(f"`{name}`").alias(alias) for alias, name in named.items() if name is not None]
    chosen = table.select(*columns)
    return chosen.withColumn("id", F.col("id").cast("string")).withColumn("code", F.col("code").cast("binary"))


def built_of(
    stages: Stages, words: list[str], rows: DataFrame, id_column: str, *, sequences: bool = False
) -> Built:
    """The tables of a build; ``rows`` are as `input_of` gives them. Fragments have their tokens in order, or their bags."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    files = stages.make("files", lambda: rows.mapInArrow(Step("Files", words), _FILES), unique(id_column))

    def repeated() -> DataFrame:
        first = F.min("id").over(Window.partitionBy("blob", "language"))
        repeated = files.where("reason IS NULL").withColumn("first", first).where("id != first")
        return repeated.select("id", "blob", "language")

    repeats = stages.make("repeats", repeated)
    ids = repeats.select("id")
    once = rows.join(F.broadcast(ids) if stages.rows("repeats") <= _SENT else ids, "id", "left_anti")

    def same(fragments: DataFrame) -> None:
        count, texts = _texts(files.where("reason IS NULL"))
        repeated, others = _texts(repeats)
        if _texts(fragments.where("kind IS NULL")) != (count - repeated, texts ^ others):
            raise InputError("the table gave other rows when it was read again: write it to a file, and read it from there")

    step = Step("Fragments", words, sequences)
    fragments = stages.make("fragments", lambda: once.mapInArrow(step, _FRAGMENTS), same)
    failed = fragments.where("reason IS NOT NULL").select("blob", "language", F.col("reason").alias("why"))
    joined = files.join(failed, ["blob", "language"], "left").withColumn("reason", F.coalesce("reason", "why"))
    return Built(
        files=joined.where("reason IS NULL").select("id", "path", "blob", "language"),
        fragments=fragments.where("kind IS NOT NULL").drop("reason"),
        skipped=joined.where("reason IS NOT NULL").select("id", "path", "reason"),
    )


def _texts(rows: DataFrame) -> tuple[int, int]:
    """How many texts these are, and a number that tells them from others."""
    from pyspark.sql import functions as F

    [row] = rows.agg(F.count("*").alias("rows"), F.bit_xor(F.xxhash64("blob", "language")).alias("texts")).collect()
    return row["rows"], row["texts"] or 0
