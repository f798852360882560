"""Plants copies of a tree's own functions in it, and counts how many of them `familiar clones` finds.

    python3 benches/planted.py TREE WORK --seed 1 --count 60 --program target/release/familiar [--program OTHER]

Only Python trees, since Python reads its own code. Functions are drawn at random among those of the sizes asked for. Each is
copied four times, into files of its own: as it is, with every local name and parameter renamed, with a statement more, and
renamed with a statement more (Type-1, Type-2 and twice Type-3). A copy is found where some pair covers at least seven tenths
of its lines and of its original's.
"""

import argparse
import ast
import io
import json
import random
import shutil
import subprocess
import tokenize
from pathlib import Path

KINDS = ["exact", "renamed", "edited", "renamed and edited"]
SIZES = [(6, 9), (10, 19), (20, 60)]


def functions(tree: Path) -> list[tuple[Path, ast.FunctionDef, list[str]]]:
    """The functions of the tree outside tests that hold no other function, with their lines."""
    found = []
    for path in sorted(tree.rglob("*.py")):
        relative = path.relative_to(tree)
        if any(part.startswith(("test", "conftest")) for part in relative.parts):
            continue
        try:
            text = path.read_text()
            module = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError):
            continue
        lines = text.splitlines()
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef):
                inner = [n for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.Lambda)) and n is not node]
                if not inner:
                    found.append((relative, node, lines[node.lineno - 1 : node.end_lineno]))
    return found


def code_lines(node: ast.FunctionDef) -> int:
    """Lines of the function without its documentation."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return 1 + sum(statement.end_lineno - statement.lineno + 1 for statement in body)


def dedented(lines: list[str]) -> list[str]:
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] if line[:indent].isspace() or not indent else line for line in lines]


def renamed(code: str) -> str:
    """The function with its parameters and the names that it assigns renamed one to one."""
    function = ast.parse(code).body[0]
    names = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)} - {"self", "cls"}
    names |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    to = {name: f"{chr(97 + at % 26)}{at}_new" for at, name in enumerate(sorted(names))}
    out, before = [], ""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        string = token.string
        if token.type == tokenize.NAME and string in to and before != ".":
            string = to[string]
        before = token.string
        out.append((token.type, string))
    return tokenize.untokenize(out)


def edited(lines: list[str], generator: random.Random) -> list[str]:
    """The function with one statement more, before a random statement of its body."""
    function = ast.parse("\n".join(lines)).body[0]
    statement = generator.choice(function.body[1:] or function.body)
    indent = " " * statement.col_offset
    at = statement.lineno - 1
    return lines[:at] + [f'{indent}log.debug("so far", {at})'] + lines[at:]


def plant(tree: Path, work: Path, seed: int, count: int) -> list[dict]:
    """Copies the tree and plants copies; says which."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(tree, work, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    generator = random.Random(seed)
    all_functions = functions(tree)
    planted = []
    for size in SIZES:
        fit = [one for one in all_functions if size[0] <= code_lines(one[1]) <= size[1]]
        for path, node, lines in generator.sample(fit, min(count, len(fit))):
            lines = dedented(lines)
            for kind in KINDS:
                copy = lines
                try:
                    if "edited" in kind:
                        copy = edited(copy, generator)
                    if "renamed" in kind:
                        copy = renamed("\n".join(copy)).splitlines()
                    ast.parse("\n".join(copy))
                except (SyntaxError, tokenize.TokenError):
                    continue
                place = f"planted_{len(planted)}.py"
                (work / place).write_text("\n".join(copy) + "\n")
                planted.append(
                    {
                        "size": size,
                        "kind": kind,
                        "original": (str(path), node.lineno, node.end_lineno),
                        "copy": (place, 1, len(copy)),
                    }
                )
    return planted


def covers(side: dict, place: tuple[str, int, int]) -> bool:
    path, first, last = place
    both = min(side["end_line"], last) - max(side["start_line"], first) + 1
    return side["path"] == path and both >= 0.7 * (last - first + 1)


def found(program: str, work: Path, planted: list[dict]) -> list[dict]:
    """Those of the copies that the program finds beside their originals."""
    result = Path(f"{work}.json")
    command = [program, "clones", str(work), "--format", "json", "--output", str(result), "--quiet"]
    subprocess.run(command, check=True)
    report = json.loads(result.read_text())
    fragments = {row["id"]: row for row in report["fragments"]}
    by_copy: dict[str, list[tuple[dict, dict]]] = {}
    for pair in report["pairs"]:
        left, right = fragments[pair["left"]], fragments[pair["right"]]
        for a, b in ((left, right), (right, left)):
            by_copy.setdefault(b["path"], []).append((a, b))
    return [
        one
        for one in planted
        if any(
            covers(a, one["original"]) and covers(b, one["copy"]) for a, b in by_copy.get(one["copy"][0], [])
        )
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("work", type=Path, help="a folder to make; what is there goes")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=60, help="functions of each size")
    parser.add_argument("--program", action="append", required=True)
    arguments = parser.parse_args()
    planted = plant(arguments.tree, arguments.work, arguments.seed, arguments.count)
    print("| lines | copies | " + " | ".join(arguments.program) + " |")
    print("|---|---|" + "--:|" * len(arguments.program))
    hits: dict[tuple, list[int]] = {}
    for kind in KINDS:
        of_kind = [one for one in planted if one["kind"] == kind]
        # One kind at a time, so that no copy is found by another copy.
        for one in planted:
            hidden = arguments.work / one["copy"][0]
            text = hidden if one["kind"] == kind else hidden.with_suffix(".hidden")
            source = hidden if hidden.exists() else hidden.with_suffix(".hidden")
            if source != text:
                source.rename(text)
        for at, program in enumerate(arguments.program):
            for one in found(program, arguments.work, of_kind):
                hits.setdefault((one["size"], kind), [0] * len(arguments.program))[at] += 1
    for size in SIZES:
        for kind in KINDS:
            count = sum(one["size"] == size and one["kind"] == kind for one in planted)
            of = hits.get((size, kind), [0] * len(arguments.program))
            print(f"| {size[0]}–{size[1]} | {kind} | " + " | ".join(f"{hit} of {count}" for hit in of) + " |")


if __name__ == "__main__":
    main()
