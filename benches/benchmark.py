#!/usr/bin/env python3
"""Times the steps of `familiar benchmark` on made-up replies.

    benches/benchmark.py FAMILIAR ROWS [REPLIES]

ROWS are JSON lines (.jsonl or .jsonl.zst) with code1, code2, lang1 and lang2, or with code and lang.
Replies with four implementations each are put together from them, in fences, in lists without fences, with prose, and cut. Then `import`,
`parse` and `filter` run over REPLIES of them (100,000), and the time and the memory of each step are printed.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


def rows(path):
    command = ["zstdcat", path] if path.endswith(".zst") else ["cat", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield json.loads(line)


def functions(path):
    """The functions of the rows by language."""
    found = {}
    for row in rows(path):
        if "code1" in row:
            for side in "12":
                found.setdefault(row["lang" + side], {})[row["code" + side]] = None
        else:
            found.setdefault(row["lang"], {})[row["code"]] = None
    return [(lang, list(codes)) for lang, codes in sorted(found.items()) if len(codes) > 4]


def reply(number, lang, codes):
    """A reply with four implementations, in one of five forms."""
    chosen = [codes[(7 * number + at + 1) % len(codes)] for at in range(4)]
    form = number % 5
    if form == 0:
        return "Here are four clones.\n\n" + "\n\n".join(f"```{lang}\n{code}\n```" for code in chosen)
    if form == 1:
        return "\n\n".join(f"{at + 1}. Another way:\n\n{code}" for at, code in enumerate(chosen))
    if form == 2:
        return "\n\n".join(f"**Clone {at + 1}**\n```\n{code}\n```\nThis one is short." for at, code in enumerate(chosen))
    if form == 3:
        return f"```{lang}\n" + "\n\n".join(chosen) + "\n```"
    whole = "\n\n".join(f"```{lang}\n{code}\n```" for code in chosen)
    return whole[: len(whole) * 9 // 10]


def timed(command):
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{command[2]}: {time.monotonic() - start:.1f} s, {cpu:.1f} CPU s, at most {after.ru_maxrss / 1024:.0f} MiB so far")


def main():
    familiar, path = sys.argv[1], sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        project, replies = f"{folder}/b", pathlib.Path(folder, "replies.jsonl")
        all_of_them = functions(path)
        with replies.open("w") as out:
            for number in range(count):
                lang, codes = all_of_them[number % len(all_of_them)]
                row = {"seed": codes[7 * number % len(codes)], "lang": lang, "prompt": "type-3-type-4", "reply": reply(number, lang, codes)}
                out.write(json.dumps(row) + "\n")
        print(f"{count} replies, {replies.stat().st_size / 1e6:.0f} MB")
        subprocess.run([familiar, "benchmark", "new", project, "-q"], check=True)
        timed([familiar, "benchmark", "import", project, str(replies)])
        timed([familiar, "benchmark", "parse", project])
        timed([familiar, "benchmark", "filter", project])


if __name__ == "__main__":
    main()
