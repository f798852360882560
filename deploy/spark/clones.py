#!/usr/bin/env python3
"""The clones of a table of code on the cluster of `compose.yaml`, written as Parquet.

    clones.py TABLE WORK [--column code] [--id path]

`SPARK_MASTER` names the master. `TABLE` is a folder or file of Parquet that all machines see, and so is `WORK`, where stages and
pairs go.
"""

import argparse
import os

import familiar.spark
from pyspark.sql import SparkSession


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("work")
    parser.add_argument("--column", default="code")
    parser.add_argument("--id", default="path")
    given = parser.parse_args()
    spark = SparkSession.builder.master(os.environ["SPARK_MASTER"]).appName("familiar").getOrCreate()
    found = familiar.spark.clones(
        spark.read.parquet(given.table),
        given.work,
        column=given.column,
        id_column=given.id,
        progress=lambda stage, rows: print(f"{stage}: {rows} rows", flush=True),
    )
    found.pairs().write.mode("overwrite").parquet(f"{given.work.rstrip('/')}/pairs")
    print(f"{spark.read.parquet(f'{given.work}/pairs').count()} pairs", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
