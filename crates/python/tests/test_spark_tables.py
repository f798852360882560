"""What jobs of Spark say of tables, folders and settings: nothing is left out without a word."""

from __future__ import annotations

import json
import pathlib
import shutil
import uuid
from typing import Any

import familiar
import pytest
from clusters import Row, expected, pairs_of, table
from samples import OTHER, RENAMED, TOTAL

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)
spark_jobs = pytest.importorskip("familiar.spark")

NAMED: dict[str, Any] = {"column": "code", "id_column": "path"}
#: A name in C, and a keyword in C++.
NEW = """
int total(int *prices, int *taxes, int count, int new) {
  int amount = 0;
  for (int i = 0; i < count; i++) {
    amount += prices[i] * (1 + taxes[i]);
    amount -= prices[i] / 2;
  }
  if (new > amount) {
    return new;
  }
  amount -= new;
  return amount * 100;
}
"""


def rows_of(**texts: str) -> list[Row]:
    return [(name.replace("_", "."), bytearray(text.encode())) for name, text in texts.items()]


@pytest.mark.parametrize("text", ["x = 1\n", TOTAL], ids=["no function", "one function"])
def test_a_table_without_a_pair_has_no_pairs(spark: Any, tmp_path: pathlib.Path, text: str) -> None:
    rows = table(spark, rows_of(a_py=text))
    settings: dict[str, Any] = {**NAMED, "min_tokens": 30}
    work = [str(tmp_path / name) for name in ("overlap", "aligned", "near", "query")]
    assert spark_jobs.clones(rows, work[0], **settings).pairs().count() == 0
    aligned = spark_jobs.clones(rows, work[1], measure="aligned", include_idioms=True, **settings)
    assert aligned.pairs().count() == 0
    assert spark_jobs.duplicates(rows, work[2], language="python", **NAMED).pairs().count() == 0
    assert spark_jobs.query(rows, work[0], work[3], **settings).count() == int(text == TOTAL)


def test_languages_of_one_family_class_words_differently(spark: Any, tmp_path: pathlib.Path) -> None:
    rows = rows_of(a_c=NEW, b_cpp=NEW, c_c=NEW)
    found = spark_jobs.clones(table(spark, rows), str(tmp_path / "work"), min_tokens=30, **NAMED)
    pairs = pairs_of(found.pairs().toArrow().to_pylist())
    assert pairs == expected(rows, tmp_path / "tree", min_tokens=30)
    assert sorted(kind for *_, kind, _ in pairs) == [1, 3, 3]


def test_ids_name_each_row_once(spark: Any, tmp_path: pathlib.Path) -> None:
    twice = table(spark, [("a.py", bytearray(TOTAL.encode())), ("a.py", bytearray(RENAMED.encode()))])
    nulls = spark.createDataFrame([(None, TOTAL), (None, TOTAL)], "path string, code string")
    language: dict[str, Any] = {"language": "python"}
    jobs = [(spark_jobs.build, {}), (spark_jobs.duplicates, language), (spark_jobs.vectors, language)]
    for number, (job, more) in enumerate(jobs):
        with pytest.raises(familiar.InputError, match=r"column path has the id a\.py in 2 rows"):
            job(twice, str(tmp_path / f"twice{number}"), **NAMED, **more)
        with pytest.raises(familiar.InputError, match="column path has a row without an id"):
            job(nulls, str(tmp_path / f"nulls{number}"), **NAMED, **more)


def test_a_finished_folder_knows_its_columns_and_not_their_order(spark: Any, tmp_path: pathlib.Path) -> None:
    rows = spark.createDataFrame([("a.py", TOTAL, OTHER)], "path string, code string, other string")
    work = str(tmp_path / "work")
    built = spark_jobs.build(rows, work, min_tokens=30, renaming="consistent", **NAMED)
    assert built.fragments.count() == 1
    told: list[str] = []
    spark_jobs.build(
        rows, work, renaming="consistent", min_tokens=30, progress=lambda stage, _: told.append(stage), **NAMED
    )
    assert told == []
    with pytest.raises(familiar.InputError, match="holds the results of other settings"):
        spark_jobs.build(rows, work, column="other", id_column="path", min_tokens=30, renaming="consistent")


def test_a_folder_of_others_is_not_touched(spark: Any, tmp_path: pathlib.Path) -> None:
    mine = str(tmp_path / "data" / "keys")
    spark.range(3).write.parquet(mine)
    with pytest.raises(familiar.InputError, match="keys is there already, and no job of Familiar made it"):
        spark_jobs.build(table(spark, rows_of(a_py=TOTAL)), str(tmp_path / "data"), **NAMED)
    assert spark.read.parquet(mine).count() == 3
    with pytest.raises(familiar.UsageError, match="as a pattern"):
        spark_jobs.build(table(spark, rows_of(a_py=TOTAL)), str(tmp_path / "run[1]"), **NAMED)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"types": [1]}, "types has no effect on Spark: give the types to pairs"),
        ({"cross_language": True}, "cross_language has no effect"),
        ({"granularity": "run"}, "granularity has no effect"),
        ({"exclude": "*.py"}, "exclude has no effect"),
        ({"max_pairs_per_class": 1}, "max_pairs_per_class has no effect"),
        ({"format": "json"}, "format has no effect"),
        ({"min_tokens": None}, "min_tokens is a number on Spark"),
        ({"similarity": 2}, "similarity 2 is out of range"),
    ],
    ids=str,
)
def test_a_setting_without_effect_is_refused(spark: Any, tmp_path: pathlib.Path, settings: Any, what: str) -> None:
    rows = table(spark, rows_of(a_py=TOTAL))
    with pytest.raises(familiar.UsageError, match=what):
        spark_jobs.clones(rows, str(tmp_path), **NAMED, **settings)


def test_a_build_reads_functions_of_50_tokens(spark: Any, tmp_path: pathlib.Path) -> None:
    rows = rows_of(short_py=OTHER, long_py=TOTAL)
    built = spark_jobs.build(table(spark, rows), str(tmp_path / "work"), **NAMED)
    assert [row["tokens"] >= 50 for row in built.fragments.collect()] == [True]
    [done] = (tmp_path / "work" / "_done" / "files").glob("part-*.json")
    assert "--min-tokens=50" in json.loads(json.loads(done.read_text())["settings"])["settings"]


def test_a_table_that_changes_is_refused(spark: Any, tmp_path: pathlib.Path) -> None:
    from pyspark.sql import functions as F

    drawn = F.udf(lambda: f"{TOTAL}# {uuid.uuid4()}").asNondeterministic()
    drawn = spark.range(3).select(F.col("id").cast("string").alias("path"), drawn().alias("code"))
    drawn = drawn.withColumn("path", F.concat("path", F.lit(".py")))
    with pytest.raises(familiar.InputError, match="the table gave other rows when it was read again"):
        spark_jobs.build(drawn, str(tmp_path), **NAMED)


def test_rows_without_a_text_in_a_known_language_have_a_reason(spark: Any, tmp_path: pathlib.Path) -> None:
    with pytest.raises(familiar.UsageError, match="there is no language pyton: did you mean python"):
        spark_jobs.vectors(table(spark, rows_of(a_py=TOTAL)), str(tmp_path / "no"), language="pyton", **NAMED)
    texts: list[tuple[str, bytes, str | None]] = [("one", TOTAL.encode(), "Py3"), ("two", b"\x7fELF\0\0\1\0", "python"), ("three", TOTAL.encode(), "klingon")]
    texts += [("four", TOTAL.encode(), ""), ("five", TOTAL.encode(), None)]
    rows = spark.createDataFrame(texts, "path string, code binary, lang string")
    unknown, none = "the language klingon is not known", "it says no language"
    reasons = {"one": None, "two": "binary", "three": unknown, "four": none, "five": none}
    made = spark_jobs.vectors(rows, str(tmp_path / "vectors"), language_column="lang", **NAMED).collect()
    assert {row["id"]: row["reason"] for row in made} == reasons
    assert {row["id"] for row in made if row["vector"] is not None} == {"one"}
    near = spark_jobs.duplicates(rows, str(tmp_path / "near"), language_column="lang", **NAMED)
    assert {row["id"]: row["reason"] for row in near.skipped.collect()} == {
        name: reason for name, reason in reasons.items() if reason
    }
    built = spark_jobs.build(rows, str(tmp_path / "build"), language_column="lang", min_tokens=30, **NAMED)
    skipped = {row["id"]: row["reason"] for row in built.skipped.collect()}
    assert skipped.keys() >= {"two", "three"} and skipped["three"] == unknown and "one" not in skipped
    local = familiar.clones(rows.toArrow(), column="code", id_column="path", language_column="lang", min_tokens=30)
    assert {row["path"]: row["reason"] for row in local.skipped} == {"two": "binary", "three": unknown}


def test_bytes_that_are_not_utf8_tell_rows_apart(spark: Any, tmp_path: pathlib.Path) -> None:
    rows: list[Row] = [("a", bytearray(b"s = 'caf\xe9'\n")), ("b", bytearray(b"s = 'caf\xe8'\n"))]
    settings: dict[str, Any] = {"language": "python", "set_jaccard": 0.1, "multiset_jaccard": 0}
    found = spark_jobs.duplicates(table(spark, rows), str(tmp_path), **NAMED, **settings)
    one = familiar.duplicates([bytes(code or b"") for _, code in rows], **settings)
    [spread], [local] = found.pairs().collect(), one.to_dicts()
    assert spread["set_jaccard"] == local["set_jaccard"] == 0.5
