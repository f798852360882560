#!/usr/bin/env python3
"""Do programs that were rewritten still pass their tests?

Usage: transformed.py LANGUAGE OUT.tsv --rows FILE [--every N] [--from N] [--names NAME,NAME] [--typescript DIR]

Reads the rows of LANGUAGE (java, c, cpp, javascript, typescript, go), applies each transformation alone to each program
whose test passes, and runs the test again in the sandbox. OUT gets a row for each transformation: applied, tested, right. Beside it,
OUT.wrong has the code of each variant that fails.

Programs of Java and C++ run in groups of one file each; a group that fails runs again one by one. The C programs of
gfg_parallel have two functions, of which the second gets the body of the rewritten one, and a loop compares what they give.
TypeScript becomes JavaScript by the compiler in DIR/node_modules before it runs.

Needs `cargo build -p familiar-sandbox --examples`.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = pathlib.Path(os.environ.get("EXAMPLES", ROOT / "target/debug/examples"))
GROUP = {"java": 24, "cpp": 12}


def rows_of(path, language):
    text = subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout.decode()
    rows = (json.loads(line) for line in text.splitlines())
    return [row for row in rows if row["lang"] == language]


def write_rows(path, rows):
    raw = "".join(json.dumps(row) + "\n" for row in rows).encode()
    subprocess.run(["zstd", "-q", "-f", "-o", path], input=raw, check=True)


def failing(rows, folder):
    """The ids of the rows that do not pass their tests."""
    if not rows:
        return set()
    path = folder / "tested.jsonl.zst"
    write_rows(path, rows)
    out = subprocess.run([EXAMPLES / "tested", path], capture_output=True, check=True, text=True).stdout
    skipped = [line for line in out.splitlines() if "skipped" in line]
    if skipped:
        sys.exit(skipped[0])
    return {line[2:].split(": ")[0] for line in out.splitlines() if line.startswith("  ")}


# --- one program of many -------------------------------------------------------------------------------------------


def java_group(rows):
    imports, parts, calls = set(), [], []
    for number, row in enumerate(rows):
        body = []
        for line in (row["code"] + "\n" + row["test"]).splitlines():
            if re.match(r"\s*import .*;\s*$", line):
                imports.add(line.strip())
                continue
            line = re.sub(r"^(public )?((?:final |abstract )*(?:class|interface|enum) )", r"static \2", line)
            body.append(line)
        parts.append(f"class V{number} {{\n" + "\n".join(body) + "\n}\n")
        calls.append(f"        V{number}.Main.main(args);\n")
    code = "\n".join(sorted(imports)) + "\n" + "".join(parts)
    test = "public class Main {\n    public static void main(String[] args) throws Exception {\n" + "".join(calls) + "    }\n}\n"
    return code, test


def cpp_group(rows):
    heads, parts, calls = {}, [], []
    for number, row in enumerate(rows):
        body = []
        for line in (row["code"] + "\n" + row["test"]).splitlines():
            if re.match(r"\s*#\s*(include|undef)", line):
                heads[line.strip()] = None
            else:
                body.append(re.sub(r"\bint main\(", "int test_main(", line))
        parts.append(f"namespace v{number} {{\n" + "\n".join(body) + "\n}\n")
        takes = "argc, argv" if re.search(r"\bint main\(int", row["test"]) else ""
        calls.append(f"v{number}::test_main({takes});\n")
    code = "\n".join(heads) + "\n" + "".join(parts)
    return code, "int main(int argc, char** argv) {\n" + "".join(calls) + "return 0;\n}\n"


def grouped_failures(rows, language, folder):
    """The ids that fail, with programs of a language that compiles slowly in groups."""
    make = {"java": java_group, "cpp": cpp_group}.get(language)
    if make is None:
        return failing(rows, folder)
    size = GROUP[language]
    groups = [rows[at : at + size] for at in range(0, len(rows), size)]
    together = []
    for number, group in enumerate(groups):
        code, test = make(group)
        together.append({"id": f"g{number}", "lang": language, "code": code, "test": test})
    bad = failing(together, folder)
    alone = [row for number, group in enumerate(groups) if f"g{number}" in bad for row in group]
    print(f"{language}: {len(bad)} of {len(groups)} groups run again", file=sys.stderr)
    return failing(alone, folder)


# --- the functions of gfg_parallel ---------------------------------------------------------------------------------

GOLD = re.compile(r"^(?P<head>.*?)(?P<gold>^[^\n]*\bf_gold\b.*?^\})(?P<between>.*?)^[^\n]*f_filled[^\n]*\{\}\n(?P<main>.*)$", re.S | re.M)


def gfg(row):
    """The function of a row, and a program that compares it with another one; `None` where the row has another form."""
    code = row["test_template"]
    found = GOLD.match(code)
    if found is None:
        return None
    main = re.sub(r'printf\("#Results:.*?\);', "", found["main"])
    main = re.sub(r"return 0;\s*\}\s*$", "return n_success == len(param0) ? 0 : 1;\n}\n", main)
    return found["head"], found["gold"] + "\n", main


def gfg_test(original, variant):
    """Original and variant in one program."""
    return original + re.sub(r"\bf_gold\b", "f_filled", variant)


# --- TypeScript ----------------------------------------------------------------------------------------------------

STRIP = """
const ts = require('typescript');
const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean);
const options = { target: 'ES2022', module: 'CommonJS', removeComments: false };
for (const line of lines) {
  const row = JSON.parse(line);
  for (const key of ['code', 'test']) row[key] = ts.transpileModule(row[key], { compilerOptions: options }).outputText
    .replace(/^Object\\.defineProperty\\(exports, "__esModule".*$/m, '').replace(/^"use strict";$/m, '');
  console.log(JSON.stringify(row));
}
"""


def stripped(rows, folder):
    raw = "".join(json.dumps(row) + "\n" for row in rows)
    ran = subprocess.run(["node", "-e", STRIP], input=raw, cwd=folder, capture_output=True, check=True, text=True)
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    return [row | {"lang": "javascript"} for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--names")
    parser.add_argument("--rows", required=True, help="humaneval_mbpp_multilang.jsonl.zst, or gfg_parallel.jsonl.zst for C")
    parser.add_argument("--typescript")
    arguments = parser.parse_args()
    language = arguments.language
    with tempfile.TemporaryDirectory() as name:
        run(arguments, language, pathlib.Path(name))


def run(arguments, language, folder):
    if language == "c":
        rows = []
        for row in rows_of(arguments.rows, "c")[arguments.first :: arguments.every]:
            parts = gfg(row)
            if parts is not None:
                head, gold, main = parts
                rows.append({"id": row["id"], "lang": "c", "code": gold, "head": head, "main": main, "test": ""})
    else:
        rows = rows_of(arguments.rows, language)[arguments.first :: arguments.every]
    by_id = {row["id"]: row for row in rows}

    def runnable(name, row, code):
        if language == "c":
            return {"id": name, "lang": "c", "code": row["head"] + gfg_test(row["code"], code), "test": row["main"]}
        return {"id": name, "lang": language, "code": code, "test": row["test"]}

    def failures(jobs):
        if language == "typescript":
            return failing(stripped(jobs, arguments.typescript), folder)
        return grouped_failures(jobs, language, folder)

    bad = failures([runnable(row["id"], row, row["code"]) for row in rows])
    print(f"{language}: {len(rows) - len(bad)} of {len(rows)} pass", file=sys.stderr)
    source = folder / "rows.jsonl.zst"
    write_rows(source, [{key: row[key] for key in ("id", "lang", "code")} for row in rows])
    made = subprocess.run([EXAMPLES / "rewritten", source], capture_output=True, check=True, text=True)
    applied, tested, right = (collections.Counter() for _ in range(3))
    jobs, names = [], {}
    wanted = arguments.names.split(",") if arguments.names else None
    for line in made.stdout.splitlines():
        variant = json.loads(line)
        name, original = variant["name"], variant["id"]
        if "fault" in variant:
            print(f"{name} {original}: {variant['fault']}", file=sys.stderr)
            continue
        if wanted and name not in wanted:
            continue
        applied[name] += 1
        if original in bad:
            continue
        tested[name] += 1
        job = f"{original}+{name}"
        names[job] = name, original, variant["code"]
        jobs.append(runnable(job, by_id[original], variant["code"]))
    wrong = failures(jobs)
    with open(f"{arguments.out}.wrong", "w") as file:
        for job in sorted(wrong):
            name, original, code = names[job]
            file.write(f"##### {name} {original}\n{code}\n----- before\n{by_id[original]['code']}\n")
    for job, (name, _, _) in names.items():
        right[name] += job not in wrong
    with open(arguments.out, "w") as file:
        for name in applied:
            file.write(f"{name}\t{applied[name]}\t{tested[name]}\t{right[name]}\n")
    print(f"{language}: {sum(right.values())} of {sum(tested.values())} right", file=sys.stderr)


if __name__ == "__main__":
    main()
