"""A small cluster of Spark, whose executors are processes of their own, and what its results are held beside."""

from __future__ import annotations

import os
import pathlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

import familiar
import pytest
from samples import OTHER, RENAMED, REPOSITORY, TOTAL

Row = tuple[str, bytearray | None]

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


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    # No task runs long enough for the second compiler to pay.
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    session = (
        SparkSession.builder.master(os.environ.get("FAMILIAR_SPARK_MASTER", "local-cluster[2,1,1024]"))
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.extraJavaOptions", java)
        .config("spark.executor.extraJavaOptions", java)
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
    return {(place(row["left"]), place(row["right"]), row["type"], round(row["similarity"], 9)) for row in rows}


def expected(rows: list[Row], folder: pathlib.Path, **settings: Any) -> set[tuple[Any, ...]]:
    """The pairs that one machine finds."""
    for path, code in rows:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(code or b""))
    found = familiar.clones(folder, granularity="function", **{"measure": "token-overlap", **settings})
    return pairs_of(found)
