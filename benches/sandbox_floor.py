"""What running Python programs with their tests costs without a sandbox: python3 -I benches/sandbox_floor.py ROWS.jsonl

Rows have the keys `code` and `test`. Two loops run each program that passes four times: first in a process of its own, made by
`os.fork` of an interpreter that has imported the usual modules, then all in one process. CPU time is user and system time.
"""

import gc
import io
import json
import os
import resource
import signal
import sys
import time
import types

# The hooks of these modules would run in each process.
hear_of_forks = os.register_at_fork
os.register_at_fork = lambda **hooks: None
import abc, bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools  # noqa: F401,E401,E402
import hashlib, heapq, itertools, math, operator, random, re, string, statistics, textwrap  # noqa: F401,E401,E402
import threading, traceback, typing, unittest  # noqa: F401,E401,E402

os.register_at_fork = hear_of_forks


class ByAnyName:
    """A module that is not found is the program."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, cls) if path is None else None

    @staticmethod
    def create_module(spec):
        return sys.modules["program"]

    @staticmethod
    def exec_module(module):
        pass


def run(row):
    main = sys.modules["program"] = types.ModuleType("program")
    namespace = main.__dict__
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not ByAnyName]
    exec(compile(row["code"], "program.py", "exec", dont_inherit=True), namespace)
    sys.meta_path.append(ByAnyName)
    exec(compile(row["test"], "test.py", "exec", dont_inherit=True), namespace)
    cases = [held for held in namespace.values() if isinstance(held, type) and issubclass(held, unittest.TestCase)]
    if cases:
        load = unittest.defaultTestLoader.loadTestsFromTestCase
        result = unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite(map(load, cases)))
        assert result.wasSuccessful()


def in_own_process(row, nothing, seconds=0):
    process = os.fork()
    if process == 0:
        signal.alarm(seconds)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        gc.enable()
        try:
            run(row)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(process, 0)[1] == 0


def in_this_process(row, nothing):
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    run(row)


def measured(name, way, rows, nothing):
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    loops = []
    for _ in range(2):
        loops.append(os.fork())
        if loops[-1] == 0:
            gc.freeze()
            for row in rows * 4:
                way(row, nothing)
            os._exit(0)
    for loop in loops:
        os.waitpid(loop, 0)
    after, seconds, count = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start, 8 * len(rows)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    faults = (after.ru_minflt - before.ru_minflt) / count
    print(
        f"{name}: {count} programs, {seconds:.2f} s, {count / seconds:.0f} a second; "
        f"of each {cpu * 1e3 / count:.2f} ms of CPU and {faults:.0f} page faults",
        flush=True,
    )


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    nothing = os.open("/dev/null", os.O_RDWR)
    rows = [row for row in rows if in_own_process(row, nothing, 2)]
    gc.disable()
    gc.collect()
    measured("one process each", in_own_process, rows, nothing)
    measured("all in one process", in_this_process, rows, nothing)


main()
