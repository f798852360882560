"""Jobs of Spark while executors die and memory ends: the rows stay the same."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from clusters import expected, pairs_of, sources, table
from familiar.spark import _build, _stages, _tasks

pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)
spark_jobs = pytest.importorskip("familiar.spark")
cloudpickle = pyspark.cloudpickle

#: The stages in which an executor is killed, the most telling first. What `query` reads as `build` does comes last.
STAGES = {
    "clones": ["compared", "nodes", "order", "links"],
    "build": ["files", "repeats", "fragments"],
    "duplicates": ["samples", "nodes", "order", "compared", "links"],
    "query": ["nodes", "keys", "compared", "links"],
    "vectors": ["vectors"],
    "aligned": ["nodes", "shapes", "counts", "candidates", "links"],
    "query again": ["files", "repeats", "fragments"],
}

#: How many executors the long test kills. `FAMILIAR_KILLS` asks for more, up to one in each stage of each job, which are 25.
KILLS = int(os.environ.get("FAMILIAR_KILLS", "2"))

SEARCH: dict[str, Any] = {"min_tokens": 30, "similarity": 0.7}


def executors() -> list[int]:
    """The processes of this cluster's executors: those that this process started, by way of the driver."""
    parents: dict[int, int] = {}
    found: list[int] = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if b"CoarseGrainedExecutorBackend" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            # It ended meanwhile.
            continue

    def is_own(process: int) -> bool:
        while process > 1 and process != os.getpid():
            process = parents.get(process, 0)
        return process == os.getpid()

    return [process for process in found if is_own(process)]


class Killer:
    """Kills an executor in each of some stages, while tasks of the stage run."""

    def __init__(self, spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self._tracker = spark.sparkContext.statusTracker()
        self._asked: list[str] = []
        self.killed: list[str] = []
        make = _stages.Stages.make

        def made(stages: Any, name: str, *given: Any) -> Any:
            if name not in self._asked:
                return make(stages, name, *given)
            self._asked.remove(name)
            table = self._while_killing(name, lambda: make(stages, name, *given))
            for _ in range(60):
                if self.killed[-1:] == [name]:
                    break
                # The stage was over before anything died: once more.
                shutil.rmtree(f"{stages._work}/_done/{name}")
                table = self._while_killing(name, lambda: make(stages, name, *given))
            return table

        monkeypatch.setattr(_stages.Stages, "make", made)

    def aim(self, stages: list[str]) -> None:
        self._asked = list(stages)

    def _while_killing(self, stage: str, make: Callable[[], Any]) -> Any:
        while not (running := executors()):
            time.sleep(0.1)
        done = threading.Event()
        killer = threading.Thread(target=self._kill, args=(stage, running, done))
        killer.start()
        try:
            return make()
        finally:
            done.set()
            killer.join()

    def _kill(self, stage: str, running: list[int], done: threading.Event) -> None:
        while not done.wait(0.01):
            of_stages = [self._tracker.getStageInfo(number) for number in self._tracker.getActiveStageIds()]
            if any(info is not None and info.numActiveTasks > 0 for info in of_stages):
                os.kill(running[len(self.killed) % len(running)], signal.SIGKILL)
                self.killed.append(stage)
                return


def planned() -> dict[str, list[str]]:
    """As many stages as there are kills."""
    left, plan = KILLS, {}
    for job, stages in STAGES.items():
        plan[job] = stages[:left]
        left -= len(plan[job])
    return {job: stages for job, stages in plan.items() if stages}


@pytest.mark.skipif(KILLS == 0, reason="FAMILIAR_KILLS=0")
def test_killed_executors_change_nothing(spark: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("executors are no processes of their own")
    rows = sources("crates/index")
    named: dict[str, Any] = {"column": "code", "id_column": "path"}
    near: dict[str, Any] = {"language": "rust", "set_jaccard": 0.6, "multiset_jaccard": 0.5}
    known = str(tmp_path / "known")

    def pairs(work: str, **settings: Any) -> set[tuple[Any, ...]]:
        found = spark_jobs.clones(table(spark, rows), work, **named, **SEARCH, **settings)
        return pairs_of(found.pairs().toArrow().to_pylist())

    def build(work: str) -> set[tuple[Any, ...]]:
        built = spark_jobs.build(table(spark, rows), work, **named)
        return {(*row,) for row in built.fragments.select("blob", "ordinal", "node").collect()}

    def duplicates(work: str) -> set[tuple[Any, ...]]:
        found = spark_jobs.duplicates(table(spark, rows), work, **named, **near)
        return {tuple(row.values()) for row in found.pairs().toArrow().to_pylist()}

    def query(work: str) -> set[tuple[Any, ...]]:
        found = spark_jobs.query(table(spark, rows[:20]), known, work, **named, **SEARCH)
        return {tuple(row.values()) for row in found.toArrow().to_pylist()}

    def vectors(work: str) -> set[tuple[Any, ...]]:
        made = spark_jobs.vectors(table(spark, rows[:20]), work, **named, language="rust").toArrow().to_pylist()
        return {(row["id"], *(row["vector"] or ())) for row in made}

    def aligned(work: str) -> set[tuple[Any, ...]]:
        return pairs(work, measure="aligned", include_idioms=True)

    jobs = {"clones": pairs, "build": build, "duplicates": duplicates, "query": query, "vectors": vectors}
    jobs |= {"aligned": aligned, "query again": query}
    killer, plan = Killer(spark, monkeypatch), planned()
    if "query" in plan:
        pairs(known)
    for job, stages in plan.items():
        # What the job finds when nothing dies: other tests hold that beside one machine.
        killer.aim([])
        want = jobs[job](str(tmp_path / f"{job}-whole"))
        killer.aim(stages)
        assert want and jobs[job](str(tmp_path / job)) == want, job
    assert sorted(killer.killed) == sorted(stage for stages in plan.values() for stage in stages)


def test_a_task_that_runs_out_of_memory_takes_fewer_rows(
    spark: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker of a step dies as the system kills what takes too much memory, wherever it is given more than 8 rows at a time."""
    rows = sources("crates/index")
    own = sys.modules[__name__]
    cloudpickle.register_pickle_by_value(own)
    monkeypatch.setattr(_build, "Step", Tight)
    try:
        found = spark_jobs.clones(table(spark, rows), str(tmp_path / "work"), column="code", id_column="path", **SEARCH)
        pairs = pairs_of(found.pairs().toArrow().to_pylist())
    finally:
        cloudpickle.unregister_pickle_by_value(own)
    assert pairs == expected(rows, tmp_path / "tree", **SEARCH)


class Tight(_tasks.Step):
    """A step that has memory for 8 rows."""

    def _run(self, batches: Any, arguments: list[Any]) -> Iterator[Any]:
        from familiar.spark import _tasks

        whole = _tasks.slices

        def tight(batches: Any) -> Iterator[Any]:
            for rows in whole(batches):
                if rows.num_rows > 8:
                    os.kill(os.getpid(), signal.SIGKILL)
                yield rows

        _tasks.slices = tight
        try:
            yield from super()._run(batches, arguments)
        finally:
            _tasks.slices = whole
