#!/usr/bin/env python3
"""How long a judge waits: `familiar benchmark judge` over many pairs.

    python3 benches/judging.py FAMILIAR ROWS [PAIRS [JUDGEMENTS]]

ROWS are JSON lines (.jsonl or .jsonl.zst) with code1, code2, lang1 and lang2. They are repeated up to PAIRS pairs (60,000), each with a number
of its own in a comment. Prints the time from the start of the program to the first pair, and for each of JUDGEMENTS (1,000) the time from
the verdict to the next pair, which includes that the verdict is on the disk.
"""

import http.client
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from benchmark import rows


def write_pairs(path, source, count):
    with path.open("w") as out:
        for number, row in zip(range(count), itertools.cycle(list(rows(source)))):
            pair = {"id": f"p{number}", "seed_id": f"s{number // 4}", "prompt": "p", "band": "cross-language"}
            for side in "12":
                pair |= {"lang" + side: row["lang" + side], "code" + side: f"{row['code' + side]}\n{number}"}
            out.write(json.dumps(pair) + "\n")


def ask(connection, token, path, body):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{path}: {answer.status} {text[:200]!r}")
    return json.loads(text)


def main():
    familiar, source = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 60_000
    judgements = int(sys.argv[4]) if len(sys.argv) > 4 else 1_000
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder, "b")
        subprocess.run([familiar, "benchmark", "new", project, "-q"], check=True)
        write_pairs(project / "pairs.jsonl", source, count)
        settings = project / "benchmark.toml"
        settings.write_text(settings.read_text().replace("\ngroups = []", '\ngroups = [["ada", "bob"]]'))
        start = time.perf_counter()
        command = [familiar, "benchmark", "judge", project, "-q", "--listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            token = None
            for line in server.stdout:
                if line.startswith("listening on http://"):
                    connection = http.client.HTTPConnection(line.split("http://")[1].strip())
                    break
                token = token or (line.strip().split("\t")[1] if "\t" in line else None)
            pair = ask(connection, token, "/api/next", {})["pair"]
            print(f"{count} pairs: the first one after {1000 * (time.perf_counter() - start):.0f} ms")
            waits = []
            for _ in range(judgements):
                start = time.perf_counter()
                said = {"pair_id": pair["pair_id"], "verdict": "true", "comment": "", "seconds": 3.0}
                ask(connection, token, "/api/judgements", {"said": said})
                pair = ask(connection, token, "/api/next", {})["pair"]
                waits.append(1000 * (time.perf_counter() - start))
            server.kill()
        waits.sort()
        print(f"the next one after {waits[len(waits) // 2]:.1f} ms (median), {waits[len(waits) * 99 // 100]:.1f} ms (99 of 100), "
              f"{waits[-1]:.1f} ms (the slowest of {judgements})")


if __name__ == "__main__":
    main()
