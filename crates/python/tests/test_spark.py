"""Jobs of Spark beside the same work on one machine, on a small cluster whose executors are processes of their own."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from typing import Any

import familiar
import pytest
from samples import OTHER, RENAMED, REPOSITORY, TOTAL

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)
spark_jobs = pytest.importorskip("familiar.spark")
_join = pytest.importorskip("familiar.spark._join")

Row = tuple[str, bytearray | None]

#: How many executors the long test kills. `FAMILIAR_KILLS` asks for more.
KILLS = int(os.environ.get("FAMILIAR_KILLS", "2"))

NESTED = '''
def outer(values, rates, limit):
    def inner(prices, taxes, discount):
        amount = 0
        for price, tax in zip(prices, taxes):
            amount += price * (1 + tax)
        if discount > amount:
            raise ValueError(discount)
        return round(amount, 2)

    total = inner(values, rates, limit) + inner(rates, values, limit)
    return [total * value for value in values if value > limit]
'''


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        SparkSession.builder.master(os.environ.get("FAMILIAR_SPARK_MASTER", "local-cluster[2,1,1024]"))
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.ui.enabled", "false")
        .config("spark.task.maxFailures", "8")
        .config("spark.deploy.maxExecutorRetries", "-1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    if not starts(session):
        pytest.skip("the executors of Spark do not start here")
    yield session
    session.stop()


def starts(session: Any) -> bool:
    """Whether executors run, which a job waits for without end."""
    ran = threading.Event()

    def run() -> None:
        session.range(1).count()
        ran.set()

    threading.Thread(target=run, daemon=True).start()
    return ran.wait(240)


def sources(*folders: str) -> list[Row]:
    """The files of this repository below some folders, and code that nests."""
    files: list[Row] = [
        (str(path.relative_to(REPOSITORY)), bytearray(path.read_bytes()))
        for folder in folders
        for path in sorted((REPOSITORY / folder).rglob("*.rs"))
    ]
    own = {"one.py": TOTAL, "two.py": RENAMED, "three.py": OTHER, "nested.py": NESTED, "nested_too.py": NESTED}
    own["copy/one.py"] = TOTAL
    return files + [(name, bytearray(text.encode())) for name, text in own.items()]


def table(spark: Any, rows: list[Row]) -> Any:
    return spark.createDataFrame(rows, "path string, code binary").repartition(3)


def place(side: dict[str, Any]) -> tuple[str, int, int]:
    return (side["path"], side["start_line"], side["end_line"])


def pairs_of(rows: Any) -> set[tuple[Any, ...]]:
    return {
        (*sorted((place(row["left"]), place(row["right"]))), row["type"], round(row["similarity"], 9)) for row in rows
    }


def expected(rows: list[Row], folder: pathlib.Path, **settings: Any) -> set[tuple[Any, ...]]:
    """The pairs that one machine finds."""
    for path, code in rows:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(code or b""))
    found = familiar.clones(folder, granularity="function", measure="token-overlap", **settings)
    return pairs_of(found)


def test_clones_are_those_of_one_machine(spark: Any, tmp_path: pathlib.Path) -> None:
    rows = sources("crates/index")
    told: list[tuple[str, int]] = []
    found = spark_jobs.clones(
        table(spark, rows),
        str(tmp_path / "work"),
        column="code",
        id_column="path",
        min_tokens=30,
        similarity=0.7,
        progress=lambda stage, count: told.append((stage, count)),
    )
    pairs = pairs_of(found.pairs().toArrow().to_pylist())
    assert pairs == expected(rows, tmp_path / "tree", min_tokens=30, similarity=0.7)
    assert {kind for *_, kind, _ in pairs} == {1, 2, 3}
    assert [stage for stage, _ in told] == ["files", "fragments", "nodes", "order", "keys", "compared", "links"]
    assert dict(told)["files"] == len(rows)
    # A class of three has two rays: the file, its copy, and the renamed one.
    stars = found.stars().toArrow().to_pylist()
    assert len([row for row in stars if row["member"]["id"] in ("one.py", "two.py", "copy/one.py")]) == 2


def test_what_cannot_be_read_is_skipped_with_its_reason(spark: Any, tmp_path: pathlib.Path) -> None:
    rows: list[Row] = [("one.py", bytearray(TOTAL.encode())), ("two.py", bytearray(RENAMED.encode()))]
    poisoned: list[Row] = [("zero.py", bytearray(b"\0\1\2" * 99)), ("deep.c", bytearray(b"(" * 500_000)), ("none.py", None)]
    rows += poisoned + [("list.py", bytearray(b"# Generated by the protocol buffer compiler.  DO NOT EDIT!\n"))]
    found = spark_jobs.clones(
        table(spark, rows), str(tmp_path / "work"), column="code", id_column="path", min_tokens=30
    )
    assert found.pairs().count() == 1
    skipped = {row["id"]: row["reason"] for row in found.built.skipped.toArrow().to_pylist()}
    assert skipped["zero.py"] == "binary" and skipped["none.py"] == "a null" and skipped["list.py"] == "generated"


def test_near_duplicates_are_those_of_one_machine(spark: Any, tmp_path: pathlib.Path) -> None:
    rows = sources("crates/index") + [("again.rs", bytearray(b"fn main() {}")), ("more.rs", bytearray(b"fn main() {}"))]
    rows = [row for row in rows if row[0].endswith(".rs")]
    rows += [(f"{path}.copy", (code or bytearray()) + b"\nfn copy() {}\n") for path, code in rows[:9]]
    settings: dict[str, Any] = {"language": "rust", "set_jaccard": 0.6, "multiset_jaccard": 0.5}
    found = spark_jobs.duplicates(
        table(spark, rows), str(tmp_path / "work"), column="code", id_column="path", **settings
    )
    import pyarrow

    ids, codes = zip(*rows)
    local = pyarrow.table({"id": list(ids), "code": [bytes(code or b"") for code in codes]})
    one = familiar.duplicates(local, column="code", id_column="id", **settings)
    spread = {tuple(row.values()) for row in found.pairs().toArrow().to_pylist()}
    assert len(spread) > 9
    assert spread == {tuple(row.values()) for row in one}


def test_queries_find_what_a_search_of_both_finds(
    spark: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Most keys have more rows than this, on one side or on both, and are cut into blocks.
    monkeypatch.setattr(_join, "_CELL", 2)
    known = sources("crates/index")
    asked: list[Row] = [("mine.py", bytearray(RENAMED.encode())), ("other.py", bytearray(b"x = 1\n"))]
    settings: dict[str, Any] = {"column": "code", "id_column": "path", "min_tokens": 30, "similarity": 0.7}
    there = str(tmp_path / "known")
    of_known = spark_jobs.clones(table(spark, known), there, **settings)
    asked.append(("part.rs", (known[0][1] or bytearray()) + b"\nfn more() {}\n"))
    found = spark_jobs.query(table(spark, asked), there, str(tmp_path / "work"), **settings)
    places = of_known.members.select("node", "id", "start_line").toArrow().to_pylist()
    spread = {
        (row["path"], row["start_line"], it["id"], it["start_line"], row["type"])
        for row in found.toArrow().to_pylist()
        for it in places
        if it["node"] == row["node"]
    }
    both = [*known, *asked]
    names = {name for name, _ in asked}
    local = expected(both, tmp_path / "tree", min_tokens=30, similarity=0.7)
    crossing = set()
    for left, right, kind, _ in local:
        if (left[0] in names) != (right[0] in names):
            mine, theirs = (left, right) if left[0] in names else (right, left)
            crossing.add((mine[0], mine[1], theirs[0], theirs[1], kind))
    assert spread == crossing and ("mine.py", 2, "two.py", 2, 1) in spread


def test_vectors_are_those_of_one_machine(spark: Any, tmp_path: pathlib.Path) -> None:
    rows: list[Row] = [("one", bytearray(TOTAL.encode())), ("two", bytearray(RENAMED.encode())), ("none", None)]
    made = spark_jobs.vectors(
        table(spark, rows), str(tmp_path), column="code", id_column="path", language="python"
    ).toArrow()
    spread = {row["id"]: row["vector"] for row in made.to_pylist()}
    local = familiar.embed([TOTAL, RENAMED], "python")
    assert spread == {"one": local[0].tolist(), "two": local[1].tolist()}


def test_a_job_names_columns_and_settings_that_are_wrong(spark: Any, tmp_path: pathlib.Path) -> None:
    rows, work = table(spark, [("a.py", bytearray(TOTAL.encode()))]), str(tmp_path / "work")
    with pytest.raises(familiar.InputError, match="there is no column cod; the table has path, code"):
        spark_jobs.clones(rows, work, column="cod", id_column="path")
    with pytest.raises(familiar.UsageError, match="--renaming"):
        spark_jobs.build(rows, work, column="code", id_column="path", renaming="none")
    with pytest.raises(familiar.InputError, match="a threshold is out of range"):
        spark_jobs.duplicates(rows, work, column="code", id_column="path", language="python", set_jaccard=2)
    spark_jobs.build(rows, work, column="code", id_column="path")
    with pytest.raises(familiar.InputError, match="holds the results of other settings"):
        spark_jobs.build(rows, work, column="code", id_column="path", min_tokens=99)


def test_an_executor_with_another_version_is_refused(spark: Any) -> None:
    from familiar.spark._tasks import Step
    from pyspark.errors import PythonException

    step = Step("Samples", "python", True, 1 << 28)
    step._version = "0.0.1"
    rows = table(spark, [("a.py", bytearray(TOTAL.encode()))]).withColumnRenamed("path", "id")
    with pytest.raises(PythonException, match="install the same version everywhere"):
        rows.mapInArrow(step, "id string, reason string, node binary, tokens int, bag binary").collect()


def test_a_driver_that_died_goes_on_behind_its_last_stage(spark: Any, tmp_path: pathlib.Path) -> None:
    rows = sources("crates/index")
    data, work = str(tmp_path / "data"), str(tmp_path / "work")
    table(spark, rows).write.parquet(data)
    script = f'''
        import os, familiar.spark
        from pyspark.sql import SparkSession

        def told(stage, count):
            if stage == "nodes":
                os.kill(os.getpid(), 9)

        spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        rows = spark.read.parquet({data!r})
        familiar.spark.clones(rows, {work!r}, column="code", id_column="path", min_tokens=30, progress=told)
    '''
    died = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()[-2000:]
    told: list[str] = []
    found = spark_jobs.clones(
        spark.read.parquet(data),
        work,
        column="code",
        id_column="path",
        min_tokens=30,
        progress=lambda stage, count: told.append(stage),
    )
    assert told == ["order", "keys", "compared", "links"]
    assert pairs_of(found.pairs().toArrow().to_pylist()) == expected(rows, tmp_path / "tree", min_tokens=30)


def test_another_engine_that_speaks_spark_connect_finds_the_same(tmp_path: pathlib.Path) -> None:
    """Sail has no JVM. In a process of its own, since a session of Spark is one for each process."""
    pytest.importorskip("pysail")
    rows = sources("crates/index")
    want = expected(rows, tmp_path / "tree", min_tokens=30, similarity=0.7)
    script = f"""
        import json, pathlib, pyarrow, familiar.spark
        from pysail.spark import SparkConnectServer
        from pyspark.sql import SparkSession

        server = SparkConnectServer()
        server.start(background=True)
        _, port = server.listening_address
        spark = SparkSession.builder.remote(f"sc://localhost:{{port}}").getOrCreate()
        tree = pathlib.Path({str(tmp_path / "tree")!r})
        files = sorted(path for path in tree.rglob("*") if path.is_file())
        rows = {{"path": [str(it.relative_to(tree)) for it in files], "code": [it.read_bytes() for it in files]}}
        found = familiar.spark.clones(
            spark.createDataFrame(pyarrow.table(rows)), {str(tmp_path / "work")!r}, column="code", id_column="path",
            min_tokens=30, similarity=0.7,
        )
        print(json.dumps(found.pairs().toArrow().to_pylist()))
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert pairs_of(json.loads(done.stdout.splitlines()[-1])) == want


def executors() -> list[int]:
    """The processes of this cluster's executors."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"CoarseGrainedExecutorBackend" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            # It ended meanwhile.
            continue
    return found


@pytest.mark.skipif(KILLS == 0, reason="FAMILIAR_KILLS=0")
def test_killed_executors_change_nothing(spark: Any, tmp_path: pathlib.Path) -> None:
    """An executor dies in each stage of each job, until there were enough; with 20 kills every stage has its own."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("executors are no processes of their own")
    rows = sources("crates/index")
    killed: list[str] = []
    armed = False

    def kill(stage: str, count: int = 0) -> None:
        """Kills an executor while the stage after this one is at work."""
        running = executors()
        if armed and len(killed) < KILLS and running:
            threading.Timer(0.3, lambda: os.kill(running[len(killed) % len(running)], signal.SIGKILL)).start()
            killed.append(stage)

    settings: dict[str, Any] = {"column": "code", "id_column": "path", "progress": kill}
    search: dict[str, Any] = {"min_tokens": 30, "similarity": 0.7}
    near: dict[str, Any] = {"language": "rust", "set_jaccard": 0.6, "multiset_jaccard": 0.5}

    def clones(work: str) -> set[tuple[Any, ...]]:
        kill("the start")
        found = spark_jobs.clones(table(spark, rows), work, **settings, **search)
        return pairs_of(found.pairs().toArrow().to_pylist())

    def duplicates(work: str) -> set[tuple[Any, ...]]:
        kill("the start")
        found = spark_jobs.duplicates(table(spark, rows), work, **settings, **near)
        return {tuple(row.values()) for row in found.pairs().toArrow().to_pylist()}

    def query(work: str) -> set[tuple[Any, ...]]:
        kill("the start")
        found = spark_jobs.query(table(spark, rows[:20]), known, work, **settings, **search)
        return {tuple(row.values()) for row in found.toArrow().to_pylist()}

    known = str(tmp_path / "known")
    spark_jobs.clones(table(spark, rows), known, column="code", id_column="path", **search)
    for job in (clones, duplicates, query):
        if len(killed) < KILLS:
            # What the job finds when nothing dies: the tests above hold that beside one machine.
            armed = False
            want = job(str(tmp_path / f"{job.__name__}-whole"))
            armed = True
            assert want and job(str(tmp_path / job.__name__)) == want
    assert len(killed) == KILLS
