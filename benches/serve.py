#!/usr/bin/env python3
"""Asks a server for snippets in an open loop.

    python3 benches/serve.py http://127.0.0.1:7420 CORPUS TREE [RATE CONNECTIONS SECONDS]

RATE requests a second for SECONDS seconds over CONNECTIONS connections, each with 50 lines of a Python file below TREE. A request
waits for a connection where all are taken; its latency counts from when it was due. Prints statuses, the rate that was kept, and
latencies in milliseconds.
"""
import asyncio
import json
import os
import random
import sys
import time
from pathlib import Path


def snippets(tree, number=400):
    """50 lines from the start of some function in each of some files."""
    random.seed(7)
    files = sorted(path for path in Path(tree).rglob("*.py") if path.stat().st_size > 3000)
    chosen = []
    for path in random.sample(files, min(number, len(files))):
        lines = path.read_text(errors="replace").splitlines()
        starts = [at for at, line in enumerate(lines[:-50]) if line.lstrip().startswith("def ")]
        if starts:
            start = random.choice(starts)
            chosen.append("\n".join(lines[start : start + 50]))
    return chosen


def request(corpus, code):
    body = json.dumps({"code": code, "language": "python", "corpus": corpus}).encode()
    head = f"POST /api/v1/find HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    token = os.environ.get("FAMILIAR_TOKEN")
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    return f"{head}\r\n".encode() + body


async def run(url, corpus, tree, rate, connections, seconds):
    requests = [request(corpus, code) for code in snippets(tree)]
    host, port = url.split("//")[1].split(":")
    free = asyncio.Queue()
    for _ in range(connections):
        free.put_nowait(await asyncio.open_connection(host, port))
    latencies, statuses = [], {}

    async def ask(due, asked):
        reader, writer = await free.get()
        writer.write(asked)
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        length = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length"))
        await reader.readexactly(length)
        free.put_nowait((reader, writer))
        latencies.append((time.perf_counter() - due) * 1000)
        status = lines[0].split()[1].decode()
        statuses[status] = statuses.get(status, 0) + 1

    # Everything that is opened when it is first asked.
    for asked in requests:
        await ask(time.perf_counter(), asked)
    latencies.clear()
    statuses.clear()
    start, tasks = time.perf_counter(), []
    for number in range(int(rate * seconds)):
        due = start + number / rate
        await asyncio.sleep(max(0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(ask(due, random.choice(requests))))
    await asyncio.gather(*tasks)
    took = time.perf_counter() - start
    latencies.sort()
    at = lambda share: f"{latencies[min(len(latencies) - 1, int(share * len(latencies)))]:.1f}"
    print(f"{len(latencies)} requests of {len(requests)} snippets, {statuses}, {len(latencies) / took:.0f} a second, "
          f"ms: p50 {at(0.5)}, p90 {at(0.9)}, p99 {at(0.99)}, most {latencies[-1]:.1f}")


if __name__ == "__main__":
    numbers = [float(text) for text in sys.argv[4:]] + [500, 200, 20][len(sys.argv) - 4 :]
    asyncio.run(run(*sys.argv[1:4], numbers[0], int(numbers[1]), numbers[2]))
