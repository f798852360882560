"""The warm server: makes a process for each program, waits for it within the limits, and tells what it saw.

It is started confined, so that whatever it starts is confined too. Requests come on standard input and replies go to standard
output: four bytes with the length, the lowest first, and then JSON. What programs say of themselves is passed on unread.
"""

import atexit
import builtins
import ctypes
import gc
import io
import json
import os
import platform
import random
import re
import resource
import select
import signal
import stat
import struct
import sys
import time
import traceback
import types

# What most programs import is there before they start.
import abc, array, bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools  # noqa: F401,E401
import hashlib, heapq, itertools, math, operator, string, statistics, textwrap, typing, threading  # noqa: F401,E401

REPORT = 3
FIRST_OTHER, LAST_OTHER = 4, 64
REQUESTS, REPLIES = 40, 41
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
# kill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo; then setsid, setpgid
CALLS = {
    "x86_64": ((62, 234, 129, 297), (112, 109)),
    "aarch64": ((129, 131, 138, 240), (157, 154)),
}


class Gone(Exception):
    """Nobody waits for replies any more."""


def read_exactly(count):
    parts = []
    while count:
        part = os.read(REQUESTS, min(count, 1 << 20))
        if not part:
            raise Gone
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_all(data):
    view = memoryview(data)
    while view:
        view = view[os.write(REPLIES, view) :]


# ---- In the process of a program ----


def keep_signals_inside():
    """From here on this process can send signals to itself alone, and stays in its group of processes."""
    signals, groups = CALLS[platform.machine()]
    allow, refuse = (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050001)
    code = [(0x20, 0, 0, 0)]  # the number of the call
    for number in groups:
        code += [(0x15, 0, 1, number), refuse]
    for number in signals:
        # The group of the caller is 0. Another number than its own is refused.
        code += [(0x15, 0, 5, number), (0x20, 0, 0, 16), (0x15, 2, 0, os.getpid())]
        code += [(0x15, 1, 0, 0 if number == signals[0] else os.getpid()), refuse, allow]
    code.append(allow)
    packed = b"".join(struct.pack("HBBI", *instruction) for instruction in code)
    held = ctypes.create_string_buffer(packed)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    program = Program(len(code), ctypes.addressof(held))
    if ctypes.CDLL(None).prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError("no filter of system calls")


def name_of(error):
    kind = type(error)
    return kind.__qualname__


def shown(value, around=(), depth=0):
    """A value as text that does not depend on addresses or on the order of sets."""
    kind = type(value)
    if kind in (int, float, complex, str, bytes, bool, type(None), range):
        return repr(value)
    if id(value) in around or depth > 50:
        return "..."
    inner = (*around, id(value))
    each = lambda values: [shown(item, inner, depth + 1) for item in values]
    if kind in (list, collections.deque):
        return f"{'' if kind is list else 'deque'}[{', '.join(each(value))}]"
    if kind is tuple:
        return f"({', '.join(each(value))},)"
    if kind in (set, frozenset):
        return f"{kind.__name__}{{{', '.join(sorted(each(value)))}}}"
    if isinstance(value, dict):
        pairs = (f"{shown(k, inner, depth + 1)}: {shown(v, inner, depth + 1)}" for k, v in value.items())
        return f"{'' if kind is dict else kind.__qualname__}{{{', '.join(pairs)}}}"
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)):
        return "<function>" if not isinstance(value, type) else f"<class {value.__qualname__}>"
    if hasattr(kind, "__next__"):
        return f"iterator[{', '.join(each(itertools.islice(value, 1000)))}]"
    if isinstance(value, BaseException):
        return f"{name_of(value)}{shown(value.args, inner, depth + 1)}"
    if kind.__repr__ is object.__repr__:
        held = {**{name: getattr(value, name, None) for name in getattr(kind, "__slots__", ())}}
        held.update(getattr(value, "__dict__", {}))
        return f"{kind.__qualname__}{shown(held, inner, depth + 1)}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def report(line, dumps=json.dumps, write=os.write):
    view = memoryview((dumps(line) + "\n").encode())
    while view:
        view = view[write(REPORT, view) :]


def call_all(namespace, function, inputs, tell):
    for arguments in inputs:
        try:
            values = [eval(text, namespace) for text in arguments]
            result = shown(namespace[function](*values))
            line = {"returned": f"{result} after {shown(values)}"}
        except Exception as error:
            line = {"raised": name_of(error)}
        tell(line)


def run_one(job, tell):
    """Runs a program and its test as a module of their own, and gives how that ended. Each result of a call is told."""
    calls = "function" in job
    main = types.ModuleType("program" if calls else "__main__")
    sys.modules[main.__name__] = main
    namespace = main.__dict__
    namespace["__builtins__"] = builtins
    try:
        exec(compile(job["text"], "program.py", "exec", dont_inherit=True), namespace)
        if calls:
            call_all(namespace, job["function"], job["inputs"], tell)
        elif "asserts" in job:
            exec(compile(job["asserts"], "test.py", "exec", dont_inherit=True), namespace)
    except SystemExit as end:
        code = 0 if end.code is None else end.code if isinstance(end.code, int) else 1
        if code == 1 and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
        return {"exited": code & 0xFF}
    except BaseException as error:
        limit = 20
        traceback.print_exception(type(error), error, error.__traceback__.tb_next, limit)
        return {"raised": name_of(error)}
    return "finished"


def run_group(jobs):
    """Runs programs that trust one another in this process. Their output is kept apart."""
    for job in jobs:
        sys.stdout, sys.stderr = out, err = io.StringIO(), io.StringIO()
        random.seed(0)
        calls = []
        end = run_one(job, calls.append)
        outcome = {"end": end, "stdout": as_letters(out), "stderr": as_letters(err), "calls": calls}
        report({"outcome": outcome})


def as_letters(written):
    return written.getvalue().encode("utf-8", "surrogateescape").decode("latin-1")


def open_standard_files():
    sys.stdin = io.TextIOWrapper(open(0, "rb"), encoding="utf-8", errors="surrogateescape")
    sys.stdout = io.TextIOWrapper(open(1, "wb"), encoding="utf-8", errors="surrogateescape")
    sys.stderr = io.TextIOWrapper(
        open(2, "wb", 0), encoding="utf-8", errors="backslashreplace", write_through=True
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def be_program(jobs, limits, ends):
    for number, end in enumerate(ends):
        os.dup2(end, number)
    os.closerange(FIRST_OTHER, LAST_OTHER)
    os.chdir("run")
    resource.setrlimit(resource.RLIMIT_CPU, (limits["cpu"], limits["cpu"] + 1))
    os.setpgid(0, 0)
    if limits["confined"] and not limits["namespaces"]:
        keep_signals_inside()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    open_standard_files()
    sys.argv = ["program.py"]
    sys.path = [path for path in sys.path if path]
    random.seed(0)
    gc.enable()
    if len(jobs) > 1:
        run_group(jobs)
        os._exit(0)
    end = run_one(jobs[0], lambda line: report({"called": line}))
    threading._shutdown()
    atexit._run_exitfuncs()
    for file in (sys.stdout, sys.stderr):
        try:
            file.flush()
        except (OSError, ValueError, AttributeError):
            pass
    report({"end": end})
    os._exit(end["exited"] if isinstance(end, dict) and "exited" in end else int(end != "finished"))


# ---- In the server ----


class Run:
    """One process of a program, and what came from it."""

    def __init__(self, jobs, limits):
        self.limits = limits
        standard_input = self.input_of(jobs[0])
        pipes = [os.pipe() for _ in range(3)]
        os.mkdir("run", 0o700)
        self.process = os.fork()
        if self.process == 0:
            try:
                be_program(jobs, limits, [standard_input, *(write for _, write in pipes)])
            except BaseException:
                os._exit(99)
        if not limits["namespaces"]:
            try:
                os.setpgid(self.process, self.process)
            except OSError:
                pass
        os.close(standard_input)
        for _, write in pipes:
            os.close(write)
        self.handle = os.pidfd_open(self.process)
        self.files = {read: bytearray() for read, _ in pipes}
        self.reason = None

    @staticmethod
    def input_of(job):
        """A file that holds the standard input and has no name any more."""
        data = job.get("input", "").encode("latin-1")
        if not data:
            return os.open("/dev/null", os.O_RDONLY)
        written = os.open("input", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(written, data)
        read = os.open("input", os.O_RDONLY)
        os.close(written)
        os.unlink("input")
        return read

    def wait(self):
        """Reads until the program has ended or is over a limit."""
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        poll.register(REQUESTS, 0)
        for file in self.files:
            os.set_blocking(file, False)
            poll.register(file, select.POLLIN)
        deadline = time.monotonic() + self.limits["wall"]
        while self.reason is None:
            left = deadline - time.monotonic()
            if left <= 0:
                self.reason = "time"
                break
            ended = False
            for file, event in poll.poll(min(left, 0.2) * 1000 + 1):
                if file == self.handle:
                    ended = True
                elif file == REQUESTS:
                    raise Gone
                elif not self.read(file):
                    poll.unregister(file)
            if ended:
                break
            if not self.limits["namespaces"] and holds_more_than(self.limits["scratch"], "run"):
                self.reason = "disk"

    def read(self, file):
        """Reads what is there. False at the end of the file."""
        held = self.files[file]
        while True:
            try:
                part = os.read(file, 1 << 16)
            except BlockingIOError:
                return True
            if not part:
                return False
            held += part
            if len(held) > self.limits["output"]:
                del held[self.limits["output"] :]
                self.reason = self.reason or "output"
                return False

    def finish(self):
        """Ends everything that the program has started, and gives the reply."""
        if self.limits["namespaces"]:
            kill(os.kill, -1)
        else:
            kill(os.killpg, self.process)
        status = os.waitpid(self.process, 0)[1]
        reap(self.limits["confined"])
        if self.reason != "output":
            for file in self.files:
                self.read(file)
        for file in (*self.files, self.handle):
            os.close(file)
        out, err, said = (bytes(held).decode("latin-1") for held in self.files.values())
        reply = {"stdout": out, "stderr": err, "said": said, "over": self.reason}
        code = os.waitstatus_to_exitcode(status)
        return {**reply, ("exited" if code >= 0 else "killed"): abs(code)}


def kill(by, target):
    try:
        by(target, signal.SIGKILL)
    except ProcessLookupError:
        pass


def reap(all_are_dead):
    try:
        while os.waitpid(-1, 0 if all_are_dead else os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def holds_more_than(size, top):
    """Whether a folder holds more bytes than that, more than 4,096 entries, or folders nested more than 100 deep."""
    waiting, entries, held = [top], 0, 0
    while waiting:
        try:
            listed = os.scandir(waiting.pop())
        except OSError:
            continue
        with listed:
            for entry in listed:
                entries += 1
                try:
                    held += entry.stat(follow_symlinks=False).st_blocks * 512
                except OSError:
                    pass
                if entries > 4096 or held > size or entry.path.count("/") > 100:
                    return True
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return False


def clean():
    """Empties the scratch folder for the next program. Folders are moved up before they are emptied, so no path is long."""
    try:
        os.rmdir("run")
        if not os.listdir("."):
            return
    except OSError:
        pass
    waiting, moved = list(os.listdir(".")), 0
    while waiting:
        folder = waiting.pop()
        mode = os.lstat(folder).st_mode
        if not stat.S_ISDIR(mode):
            os.unlink(folder)
            continue
        if mode & 0o700 != 0o700:
            os.chmod(folder, 0o700)
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if not stat.S_ISDIR(mode):
                os.unlink(path)
                continue
            if mode & 0o700 != 0o700:
                os.chmod(path, 0o700)
            while True:
                moved += 1
                up = f"_{moved}"
                if not os.path.lexists(up):
                    break
            os.rename(path, up)
            waiting.append(up)
        os.rmdir(folder)


def serve(limits):
    while True:
        request = json.loads(read_exactly(int.from_bytes(read_exactly(4), "little")))
        run = Run(request["jobs"], limits)
        try:
            run.wait()
        finally:
            reply = run.finish()
        clean()
        data = json.dumps(reply).encode()
        write_all(len(data).to_bytes(4, "little") + data)


def main():
    limits = json.loads(sys.argv[1])
    os.dup2(0, REQUESTS)
    os.dup2(1, REPLIES)
    nothing = os.open("/dev/null", os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    random.seed(0)
    gc.disable()
    gc.collect()
    gc.freeze()
    try:
        serve(limits)
    except Gone:
        pass


main()
