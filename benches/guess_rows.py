"""Gathers labelled code, and text that is none, from which languages are learnt to be guessed.

    python3 benches/guess_rows.py DATA > rows.jsonl

DATA is the folder with the labelled sets of `docs/quality.md`. Every row has `lang` (`other` for what is no code), `code`, `source`
(the set and the repository), `problem` (rows of one problem are learnt from together or not at all), and `learn`: whether
weights may be learnt from it. Only sets whose terms allow that are taken for it; the others only measure.
"""

import argparse
import json
import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

LEARN = {"exercism_parallel", "humaneval_mbpp_multilang", "gfg_parallel", "thealgorithms", "leetcode_parallel", "conala",
         "codenet_java1k_sample"}
MEASURE = {"clcdsa", "project_euler_python", "semanticclonebench_partial"}
# Repositories of `leetcode_parallel` and languages of `thealgorithms` under terms that do not allow it.
NOT_LEARNT = {("leetcode_parallel", "haoel/leetcode"), ("thealgorithms", "javascript")}
MOST = 1500  # rows of one set in one language
LANGUAGES = set("python java c cpp csharp go javascript typescript rust kotlin swift ruby php scala dart".split())
CODE = re.compile(r"^( *)\.\. (?:code-block|sourcecode|code):: *(\S*) *$")


def rows_of(data: Path, name: str) -> Iterator[dict]:
    text = subprocess.run(["zstd", "-dc", data / f"{name}.jsonl.zst"], capture_output=True, check=True).stdout
    return map(json.loads, filter(None, text.decode().split("\n")))


def labelled(data: Path, name: str) -> Iterator[dict]:
    """At most `MOST` rows for each language of a set."""
    found = defaultdict(list)
    for row in rows_of(data, name):
        codes = [(row["lang"], row["code"])] if "code" in row else [(row["lang"], row["code1"]), (row["lang"], row["code2"])]
        if row.get("split") == "test" or row["lang"] not in LANGUAGES:
            continue
        source = (name, row.get("repo", row["lang"]))
        learn = name in LEARN and (name, row.get("repo")) not in NOT_LEARNT and (name, row["lang"]) not in NOT_LEARNT
        problem = str(row.get("problem_id") or row.get("question_id") or row.get("id"))
        for lang, code in codes:
            origin = row.get("repo", "") if name == "leetcode_parallel" else ""
            found[lang].append({"lang": lang, "code": code, "source": f"{source[0]} {origin}".strip(), "problem": problem, "learn": learn})
    for _, rows in sorted(found.items()):
        random.Random(name).shuffle(rows)
        yield from rows[:MOST]


def documentation(data: Path) -> Iterator[dict]:
    """Blocks whose directive names the language, what was typed in sessions, what they printed, and the prose about it all."""
    for row in rows_of(data, "python_docs_rst"):
        kinds = defaultdict(list)
        block, indent, prose, printed, typed = None, 0, [], [], []
        for line in row["text"].splitlines() + [""]:
            depth = len(line) - len(line.lstrip())
            if block is not None and (not line.strip() or depth > indent):
                kinds[block].append(line)
                continue
            block = None
            if line.rstrip().endswith("::"):
                # What a literal block is in, nobody says: it is neither learnt from nor measured.
                indent, block = depth, "unknown"
            if match := CODE.match(line):
                indent, language = len(match[1]), match[2].lower()
                block = {"python": "python", "python3": "python", "c": "c", "": "unknown"}.get(language, "other")
                kinds[block].append("\0")
            elif block:
                pass
            elif match := re.match(r"^ *(?:>>>|\.\.\.) ?(.*)$", line):
                typed.append(match[1])
                session = True
            elif line.strip():
                (printed if typed and session and depth else prose).append(line)
            else:
                session = False
        kinds.pop("unknown", None)
        for language, lines in kinds.items():
            for code in "\n".join(lines).split("\0"):
                yield row["path"], language, code
        yield row["path"], "python", "\n".join(typed)
        yield row["path"], "other", "\n".join(printed)
        yield row["path"], "other", "\n".join(prose)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    for name in sorted(LEARN | MEASURE):
        for row in labelled(data, name):
            print(json.dumps(row))
    for path, language, code in documentation(data):
        if code.strip():
            row = {"lang": language, "code": code, "source": "python_docs_rst", "problem": path, "learn": True}
            print(json.dumps(row))
    tasks = list(rows_of(data, "codenet_problem_samples"))
    for row in random.Random("tasks").sample(tasks, 600):
        print(json.dumps({"lang": "other", "code": row["text"], "source": "codenet_problem_samples", "problem": row["problem_id"], "learn": False}))


if __name__ == "__main__":
    main()
