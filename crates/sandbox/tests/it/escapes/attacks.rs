//! The table of attacks.

/// What must hold after an attack.
pub(super) enum Holds {
    /// Every attempt was refused, and the program came to its end.
    Refused,
    /// The program ended in one of these ways.
    Ends(&'static [&'static str]),
    /// Nothing escaped, however the program ended.
    Bounded,
}

/// One attack.
pub(super) struct Attack {
    pub(super) name: &'static str,
    /// SECRET is a file outside, OUTSIDE its folder, FAMILIAR the number of the process that asks, and NUMBER tells leftovers.
    pub(super) program: &'static str,
    pub(super) holds: Holds,
}

/// What all attacks have: `attempt` tries something that must not work, `call` makes a system call.
pub(super) const PRELUDE: &str = r#"
import ctypes, os, socket, signal, subprocess, sys, time, resource, fcntl, mmap
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    result = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def attempt(action, *arguments, **named):
    try:
        result = action(*arguments, **named)
    except BaseException as error:
        print("refused")
    else:
        print("escaped", action, arguments, result)
def read(path):
    with open(path, "rb") as file:
        return file.read(100)
def only(path):
    names = os.listdir(path)
    if all(name.startswith("familiar-sandbox") for name in names):
        raise OSError("nothing but its own")
    return names
def write(path, mode="w"):
    with open(path, mode) as file:
        file.write("x")
"#;

const fn refused(name: &'static str, program: &'static str) -> Attack {
    Attack { name, program, holds: Holds::Refused }
}

const fn ends(name: &'static str, program: &'static str, ends: &'static [&'static str]) -> Attack {
    Attack { name, program, holds: Holds::Ends(ends) }
}

const fn bounded(name: &'static str, program: &'static str) -> Attack {
    Attack { name, program, holds: Holds::Bounded }
}

/// Numbers of system calls are those of x86-64 and, where they are new, the same everywhere.
pub(super) const ATTACKS: &[Attack] = &[
    // files
    refused("read a file outside", "attempt(read, 'SECRET')"),
    refused("read the home folder of root", "attempt(os.listdir, '/root'); attempt(os.listdir, '/home')"),
    refused("read /etc/shadow and /etc/passwd", "attempt(read, '/etc/shadow'); attempt(read, '/etc/passwd')"),
    refused("list the root of the system's temporary folder", "attempt(only, '/tmp')"),
    refused(
        "write outside",
        "for p in ('OUTSIDE/new', '/tmp/new', '/usr/new', '/dev/shm/new', '/var/tmp/new'): attempt(write, p)",
    ),
    refused("append to a file outside", "attempt(write, 'SECRET', 'a')"),
    refused("cut a file outside short", "attempt(os.truncate, 'SECRET', 0)"),
    refused(
        "delete, move and replace outside",
        "attempt(os.unlink, 'SECRET'); attempt(os.rename, 'SECRET', 'OUTSIDE/other')\nwrite('mine'); attempt(os.replace, 'mine', 'SECRET')",
    ),
    refused(
        "make a folder and a pipe outside",
        "attempt(os.mkdir, 'OUTSIDE/folder'); attempt(os.mkfifo, 'OUTSIDE/pipe')",
    ),
    refused(
        "change the mode of files outside",
        "attempt(os.chmod, 'SECRET', 0o777); attempt(os.chmod, '/usr', 0o777); attempt(os.chmod, 'OUTSIDE', 0o777)",
    ),
    refused(
        "change owner and time of files outside",
        "attempt(os.utime, 'SECRET', (0, 0)); attempt(os.chown, 'SECRET', 0, 0)",
    ),
    refused("change attributes of files outside", "attempt(os.setxattr, 'SECRET', 'user.x', b'x')"),
    refused(
        "follow a symlink out of the scratch folder",
        "os.symlink('SECRET', 'link'); attempt(read, 'link'); attempt(write, 'link')",
    ),
    refused(
        "follow a symlink to a folder",
        "os.symlink('/', 'top'); attempt(read, 'top/etc/passwd'); attempt(os.listdir, 'top/root')",
    ),
    refused("hard link to a file outside", "attempt(os.link, 'SECRET', 'mine')"),
    refused(
        "climb out of the scratch folder",
        "attempt(read, '../' * 20 + 'SECRET'); attempt(write, '../../new'); attempt(only, '../../..')",
    ),
    refused("open by handle", "attempt(call, 304, -100, ctypes.create_string_buffer(64), 0)"),
    refused(
        "write to device files",
        "for p in ('/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/sda', '/dev/tty', '/dev/ptmx'): attempt(write, p)",
    ),
    refused(
        "make a device file",
        "attempt(os.mknod, 'device', 0o600 | 0o020000, os.makedev(1, 1)); attempt(os.mknod, 'disk', 0o600 | 0o060000, os.makedev(254, 0))",
    ),
    refused(
        "the folder of the program is deleted",
        "os.rmdir(os.getcwd()); attempt(write, 'new'); attempt(os.getcwd)",
    ),
    // /proc and other processes
    refused(
        "read secrets of the first process",
        "attempt(read, '/proc/1/environ'); attempt(read, '/proc/1/root/etc/shadow'); attempt(os.listdir, '/proc/1/fd')",
    ),
    refused(
        "read secrets of Familiar",
        "attempt(read, '/proc/FAMILIAR/environ'); attempt(read, '/proc/FAMILIAR/mem'); attempt(os.listdir, '/proc/FAMILIAR/fd')",
    ),
    refused(
        "write to the memory of the server",
        "p = os.getppid(); attempt(read, f'/proc/{p}/mem'); attempt(open, f'/proc/{p}/mem', 'r+b')",
    ),
    refused(
        "find open files by /proc/self",
        "attempt(os.listdir, '/proc/self/fd'); attempt(read, '/proc/self/maps')",
    ),
    refused(
        "change settings of the kernel",
        "attempt(write, '/proc/sys/kernel/core_pattern'); attempt(write, '/proc/sysrq-trigger'); attempt(write, '/sys/power/state')",
    ),
    refused(
        "trace the server and Familiar",
        "for p in (os.getppid(), FAMILIAR): attempt(call, 101, 16, p, 0, 0)",
    ),
    refused(
        "read the memory of the server and of Familiar",
        "b = ctypes.create_string_buffer(64)\nfor p in (os.getppid(), FAMILIAR): attempt(call, 310, p, ctypes.byref(b), 1, ctypes.byref(b), 1, 0)",
    ),
    refused("take an open file of the server", "attempt(call, 438, os.pidfd_open(os.getpid()), 1, 0)"),
    refused(
        "send signals to Familiar and to others",
        "for p in (FAMILIAR, 2 ** 22 - 7): attempt(os.kill, p, signal.SIGTERM)",
    ),
    ends(
        "kill everything",
        "try:\n    os.kill(-1, signal.SIGKILL)\nexcept OSError: pass\nraise KeyError",
        &[r#"Raised("KeyError")"#],
    ),
    bounded(
        "kill the server",
        "for s in range(1, 65):\n    if s not in (9, 19):\n        try: os.kill(os.getppid(), s)\n        except OSError: pass\nos.kill(os.getppid(), 9); os.kill(os.getppid(), 19)",
    ),
    bounded(
        "kill the group of the server",
        "try:\n    os.killpg(os.getpgid(os.getppid()), 9)\nexcept OSError: pass",
    ),
    refused(
        "send signals by the owner of a file",
        "r, w = os.pipe(); attempt(fcntl.fcntl, r, fcntl.F_SETOWN, os.getppid()); attempt(fcntl.fcntl, r, 10, 9); attempt(fcntl.ioctl, r, 0x8901, b'1234')",
    ),
    refused(
        "change limits of the server",
        "attempt(resource.prlimit, os.getppid(), resource.RLIMIT_CPU, (0, 0)); attempt(resource.prlimit, FAMILIAR, resource.RLIMIT_CPU)",
    ),
    refused(
        "raise its own limits",
        "for r in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE): attempt(resource.setrlimit, r, (-1, -1))",
    ),
    refused(
        "bind the server to one processor",
        "attempt(os.sched_setaffinity, os.getppid(), {0}); attempt(os.setpriority, os.PRIO_PROCESS, os.getppid(), 19); attempt(os.sched_setscheduler, os.getppid(), os.SCHED_IDLE, os.sched_param(0))",
    ),
    // the net
    refused(
        "connect by TCP",
        "attempt(socket.create_connection, ('127.0.0.1', 80), 1); attempt(socket.create_connection, ('1.1.1.1', 53), 1)",
    ),
    refused("listen", "attempt(socket.create_server, ('127.0.0.1', 0))"),
    refused(
        "send by UDP",
        "attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53))); attempt(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))",
    ),
    refused("look names up", "attempt(socket.getaddrinfo, 'example.org', 80)"),
    refused(
        "raw and packet sockets",
        "attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1); attempt(socket.socket, socket.AF_PACKET, socket.SOCK_RAW)",
    ),
    refused(
        "unix sockets, with and without a name",
        "attempt(socket.socket, socket.AF_UNIX); attempt(lambda: socket.socket(socket.AF_UNIX).connect('\\0abstract'))",
    ),
    refused(
        "sockets to the kernel and the host",
        "for f in (16, 40, 38, 17, 29, 31, 44): attempt(socket.socket, f, socket.SOCK_DGRAM)",
    ),
    refused("a pair of sockets that is not local", "attempt(socket.socketpair, socket.AF_INET)"),
    // rights and the kernel
    refused(
        "become root",
        "attempt(os.setuid, 0); attempt(os.setgid, 0); attempt(os.setgroups, [0]); attempt(os.setresuid, 0, 0, 0)",
    ),
    bounded(
        "run programs with the rights of root",
        "r = subprocess.run(['/bin/su', '-c', 'id'], capture_output=True, stdin=subprocess.DEVNULL)\nprint('escaped' if b'uid=0' in r.stdout else 'refused')",
    ),
    refused(
        "mount",
        "attempt(call, 165, b'none', b'/tmp', b'tmpfs', 0, 0); attempt(call, 430, b'tmpfs', 0); attempt(call, 166, b'/', 2)",
    ),
    refused("chroot and pivot_root", "attempt(os.chroot, '.'); attempt(call, 155, b'.', b'.')"),
    refused(
        "new namespaces",
        "for f in (0x10000000, 0x20000, 0x40000000, 0x20000000): attempt(call, 272, f); attempt(call, 56, f | 17, 0, 0, 0, 0)",
    ),
    refused("new namespaces by clone3", "attempt(call, 435, ctypes.create_string_buffer(88), 88)"),
    refused("enter namespaces of others", "attempt(call, 308, os.pidfd_open(os.getpid()), 0x20000000)"),
    refused(
        "the kernel's keys",
        "attempt(call, 250, 0, -3, 1); attempt(call, 248, b'user', b'a', b'b', 1, -3); attempt(call, 249, b'user', b'a', 0, 0)",
    ),
    refused(
        "bpf, perf, userfaultfd and modules",
        "attempt(call, 321, 0, 0, 0); attempt(call, 298, 0, 0, -1, -1, 0); attempt(call, 323, 0); attempt(call, 175, 0, 0, 0); attempt(call, 313, 0, 0, 0)",
    ),
    refused(
        "io_uring",
        "attempt(call, 425, 8, ctypes.create_string_buffer(120)); attempt(call, 426, 0, 0, 0, 0)",
    ),
    refused("a program in memory only", "attempt(os.memfd_create, 'x'); attempt(call, 447, 0)"),
    refused(
        "clock, name and restart of the machine",
        "attempt(time.clock_settime, time.CLOCK_REALTIME, 0); attempt(socket.sethostname, 'x'); attempt(call, 169, 0xfee1dead, 672274793, 0x4321fedc, 0)",
    ),
    refused(
        "type into the terminal",
        "attempt(fcntl.ioctl, 0, 0x5412, b'x'); attempt(fcntl.ioctl, 0, 0x541c, b'x')",
    ),
    refused(
        "old and foreign calls",
        "attempt(call, 135, 0x0040000); attempt(call, 172, 3); attempt(call, 173, 0, 1, 1); attempt(call, 10 ** 4)",
    ),
    ends(
        "calls of 32 bits",
        "m = mmap.mmap(-1, 4096, prot=7)\nm.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))\nf = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(m)))\nprint('escaped' if f() > 0 else 'refused')",
        &["Killed(31)", "Killed(11)", "Finished"],
    ),
    // shared memory and queues, which would outlive a program
    refused(
        "memory and queues that outlive it",
        "attempt(call, 29, 1234, 4096, 0o1666); attempt(call, 68, 1234, 0o1666); attempt(call, 64, 1234, 1, 0o1666); attempt(call, 240, b'x', 0o102, 0o666, 0)",
    ),
    // secrets that are inherited
    refused(
        "secrets in the environment",
        "left = set(os.environ) - {'PATH', 'LANG', 'HOME', 'TMPDIR', 'PYTHONHASHSEED', 'LC_CTYPE'}\nprint(left or 'refused')",
    ),
    refused(
        "open files that are inherited",
        "for fd in range(4, 1024): \n    try: os.fstat(fd)\n    except OSError: continue\n    print('escaped', fd)\nprint('refused')",
    ),
    refused("the server's pipes", "for fd in range(40, 64): attempt(os.write, fd, b'\\x05\\0\\0\\0hello')"),
    // resources
    bounded(
        "a fork bomb",
        "n = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\nexcept OSError: pass\nprint('escaped' if n > 40 else n)",
    ),
    bounded("a fork bomb that grows", "while True:\n    try: os.fork()\n    except OSError: pass"),
    bounded(
        "too many threads",
        "import threading\nn = 0\ntry:\n    while n < 1000:\n        threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); n += 1\nexcept RuntimeError: pass\nprint('escaped' if n > 40 else n)",
    ),
    ends("10 GB of memory", "x = bytearray(10 << 30)\nprint('escaped')", &[r#"Raised("MemoryError")"#]),
    ends(
        "memory bit by bit",
        "x = []\nwhile True: x.append(bytearray(1 << 20))",
        &[r#"Raised("MemoryError")"#, "TimedOut"],
    ),
    refused("shared memory of 10 GB", "attempt(mmap.mmap, -1, 10 << 30)"),
    ends(
        "deep recursion in C",
        "sys.setrecursionlimit(10**9)\nx = []\nfor _ in range(10**6): x = [x]\nrepr(x)",
        &["Killed(11)", "Killed(6)", "TimedOut"],
    ),
    ends("endless output", "while True: print('x' * 1000)", &["TooMuchOutput"]),
    ends("endless output to standard error", "while True: sys.stderr.write('x' * 1000)", &["TooMuchOutput"]),
    ends("an endless report of itself", "while True: os.write(3, b'x' * 1000)", &["TooMuchOutput"]),
    ends("an endless loop", "while True: pass", &["TimedOut"]),
    ends("sleep beyond the time", "time.sleep(60)", &["TimedOut"]),
    ends(
        "every signal is ignored",
        "for s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\ntime.sleep(60)",
        &["TimedOut"],
    ),
    ends(
        "the signal of used-up time is caught",
        "signal.signal(signal.SIGXCPU, lambda *a: None)\nwhile True: pass",
        &["TimedOut", "Killed(9)"],
    ),
    ends(
        "stdout is closed, and it lives on",
        "sys.stdout.flush(); os.close(1); os.close(2); os.close(3); time.sleep(60)",
        &["TimedOut"],
    ),
    ends("it stops itself", "os.kill(os.getpid(), signal.SIGSTOP)", &["TimedOut"]),
    bounded(
        "a huge file",
        "with open('big', 'wb') as f:\n    for _ in range(4096): f.write(bytes(1 << 20))\nprint('escaped')",
    ),
    refused(
        "a huge file with a hole",
        "f = open('hole', 'wb'); attempt(f.truncate, 1 << 40); attempt(os.posix_fallocate, f.fileno(), 0, 1 << 30)",
    ),
    bounded(
        "a full disk",
        "n = 0\ntry:\n    while True:\n        with open(str(n), 'wb') as f: f.write(bytes(8 << 20))\n        n += 1\nexcept OSError: pass\nprint('escaped' if n > 100 else n)",
    ),
    bounded(
        "many files",
        "n = 0\ntry:\n    while True: open(f'f{n}', 'w').close(); n += 1\nexcept OSError: pass",
    ),
    bounded(
        "deep folders",
        "n = 0\ntry:\n    while n < 3000: os.mkdir('d'); os.chdir('d'); n += 1\nexcept OSError: pass",
    ),
    bounded(
        "folders that cannot be read",
        "os.makedirs('a/b/c'); write('a/b/c/d')\nfor p in ('a/b/c', 'a/b', 'a', '.'):\n    try: os.chmod(p, 0)\n    except OSError: pass",
    ),
    bounded(
        "the folder above cannot be read",
        "for p in ('.', '..'):\n    try: os.chmod(p, 0)\n    except OSError: pass",
    ),
    bounded(
        "the folder above is full of links and pipes",
        "os.symlink('/', '../a'); os.mkfifo('../b'); os.symlink('a', '../run2'); os.rename('../run', '../c'); os.symlink('/usr', '../run')",
    ),
    refused(
        "pages between pipes",
        "r, w = os.pipe(); attempt(call, 275, r, 0, w, 0, 1, 0); attempt(call, 278, w, 0, 0, 0); attempt(call, 276, r, w, 1, 0)",
    ),
    refused("watch files outside", "attempt(call, 294, 0); attempt(call, 253); attempt(call, 300, 0, 0)"),
    bounded(
        "all open files",
        "x = []\ntry:\n    while True: x.append(os.dup(0))\nexcept OSError: pass\nprint('escaped' if len(x) > 1024 else len(x))",
    ),
    // what is left behind
    bounded("a child that is left", "subprocess.Popen(['sleep', 'NUMBER'])"),
    bounded(
        "a grandchild in a session of its own",
        "if os.fork() == 0:\n    try: os.setsid()\n    except OSError: pass\n    if os.fork() == 0: os.execvp('sleep', ['sleep', 'NUMBER'])\n    os._exit(0)\nos.wait()",
    ),
    bounded(
        "children that fork as they die",
        "for _ in range(4):\n    if os.fork() == 0:\n        while True:\n            try:\n                if os.fork(): os._exit(0)\n            except OSError: pass\ntime.sleep(0.1)",
    ),
    // pretending
    ends("an exit code that pretends success", "sys.stdout.flush(); os._exit(0)", &["Exited(0)"]),
    ends("sys.exit pretends success", "sys.exit(0)", &["Exited(0)"]),
    bounded(
        "a report that is no report",
        "os.write(3, b'{\"end\": {\"raised\": 7}}\\n[[[[\\n' + b'[' * 100000 + b'\\n\\xff\\xfe')",
    ),
];
