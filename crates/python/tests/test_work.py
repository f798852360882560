"""Errors, Ctrl-C, threads, processes and progress."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import familiar
import pytest

from samples import REPOSITORY, TOTAL


def test_errors_have_the_texts_of_the_command_line() -> None:
    with pytest.raises(familiar.InputError, match="nowhere"):
        familiar.clones("nowhere")
    with pytest.raises(familiar.UsageError, match=r"--similarity 2 is out of range: give a number above 0"):
        familiar.clones(".", similarity=2.0)
    with pytest.raises(familiar.UsageError, match=r"invalid value 'functions' for '--granularity <LIST>'.*function"):
        familiar.clones(".", granularity="functions")
    corpus = familiar.Corpus("./nowhere")
    for call in (lambda: corpus.find(code="x = 1", lang="python"), corpus.vectors, corpus.clones):
        with pytest.raises(familiar.CorpusError, match="there is no corpus"):
            call()
    programs = [{"id": "a", "lang": "python", "code": TOTAL}]
    with pytest.raises(familiar.UsageError, match="--threshold 2"):
        familiar.attack(programs, detector="builtin", set="orig-4", threshold=2)
    assert issubclass(familiar.UsageError, ValueError) and issubclass(familiar.CorpusError, familiar.FamiliarError)


def large_tree(folder: pathlib.Path) -> pathlib.Path:
    """A folder that takes a debug build many seconds."""
    for number in range(400):
        lines = (f"    value_{number}_{line} = compute({line}, other[{line} % {number + 2}])" for line in range(400))
        (folder / f"file{number}.py").write_text("def work(other):\n" + "\n".join(lines) + "\n")
    return folder


def test_ctrl_c_ends_the_work_within_a_second(tmp_path: pathlib.Path) -> None:
    program = """
        import sys, time, familiar
        print("begin", flush=True)
        try:
            familiar.clones(sys.argv[1], types=[1, 2, 3, 4])
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """
    words = [sys.executable, "-c", textwrap.dedent(program), str(large_tree(tmp_path))]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(1.0)
        assert process.poll() is None, "the work is too short for this test"
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert time.monotonic() - began < 1.0


def interrupted(work: Callable[[], object]) -> float:
    """Interrupts work after half a second, and tells how long it went on."""
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    return time.monotonic() - sent[0]


def test_many_near_duplicates_take_no_memory_and_end_with_ctrl_c() -> None:
    found = familiar.duplicates(["x = 1"] * 20_000, language="python")
    assert found.keep == [True] + [False] * 19_999
    assert [row["id2"] for row in islice(found, 3)] == ["1", "10", "100"]
    assert interrupted(lambda: len(found)) < 2.0
    assert interrupted(lambda: pickle.dumps(found)) < 2.0


def test_a_result_holds_no_thread_and_can_be_read_after_a_fork(tmp_path: pathlib.Path) -> None:
    # So many pairs that several threads make them.
    for number in range(30):
        (tmp_path / f"{number}.py").write_text(TOTAL)
    program = """
        import os, sys, familiar
        result = familiar.clones(sys.argv[1], threads=4, min_tokens=30)
        rows = result.to_dicts()
        assert len(rows) > 64, len(rows)
        assert len(os.listdir("/proc/self/task")) == 1, os.listdir("/proc/self/task")
        child = os.fork()
        if child == 0:
            os._exit(0 if result.to_dicts() == rows else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(tmp_path)], check=True, timeout=120)


def test_an_interrupted_addition_leaves_no_part(tmp_path: pathlib.Path) -> None:
    (tmp_path / "large").mkdir()
    large_tree(tmp_path / "large")
    corpus = familiar.Corpus(tmp_path / "corpus")
    small = tmp_path / "small"
    small.mkdir()
    (small / "a.py").write_text("def f(x):\n    return x + 1\n" * 30)
    corpus.add(small)
    before = (tmp_path / "corpus" / "manifest.json").read_bytes()

    def stop(stage: str, done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        corpus.add(tmp_path / "large", progress=stop)
    assert (tmp_path / "corpus" / "manifest.json").read_bytes() == before
    assert len(corpus.find(small / "a.py")) == 1


def test_other_threads_of_python_run_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    familiar.clones(REPOSITORY / "crates" / "cli")
    took = time.monotonic() - began
    done.set()
    thread.join()
    assert ticks > took * 10


def test_several_threads_at_once(tree: pathlib.Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: familiar.clones(tree, min_tokens=30).to_dicts(), range(8)))
    assert all(rows == results[0] for rows in results) and len(results[0]) == 1


def _count(folder: str) -> int:
    return len(familiar.clones(folder, min_tokens=30))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(tree: pathlib.Path, method: str) -> None:
    assert _count(str(tree)) == 1
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(_count, [str(tree)] * 4).get(timeout=60) == [1] * 4


def test_progress_is_told_on_the_thread_that_calls() -> None:
    told = []
    familiar.clones(REPOSITORY / "crates" / "cli", progress=lambda *now: told.append((threading.get_ident(), *now)))
    assert told and {ident for ident, *_ in told} == {threading.get_ident()}
    assert all(isinstance(stage, str) and 0 <= done for _, stage, done, _ in told)


def test_an_error_of_the_callback_ends_the_work(tree: pathlib.Path) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        familiar.clones(tree, progress=stop)


def test_paths_that_are_not_utf8(tmp_path: pathlib.Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"na\xefve")
    os.mkdir(folder)
    for name in (b"one.py", b"t\xffo.py"):
        with open(os.path.join(folder, name), "w") as file:
            file.write(TOTAL)
    rows = familiar.clones(os.fsdecode(folder), min_tokens=30).to_dicts()
    assert [row["right"]["path"] for row in rows] == ["t%FFo.py"]
    assert bytes(rows[0]["right"]["path_bytes"]) == b"t\xffo.py"
