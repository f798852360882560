"""Which programs the transformations are for: layout.

Each rule follows the description in docs/transformations.md, in both parts: what it does, and where it does not apply.
"""

import ast
import re

from forms import rule
from program import FUNCTIONS, SIMPLE, is_text


@rule("layout-indent")
def indented(p):
    starts = [
        p.lines[it.lineno - 1][: it.col_offset]
        for it in p.of(ast.stmt)
        if p.lines[it.lineno - 1][: it.col_offset].strip() == ""
    ]
    marks = set("".join(starts))
    return len(marks) == 1


@rule("layout-blank-lines")
def follows(p):
    return any(
        not "".join(p.lines[first.end_lineno : second.lineno - 1])
        and second.lineno == first.end_lineno + 1
        and not getattr(second, "decorator_list", None)
        for first, second in p.pairs()
    )


@rule("layout-blank-lines-removed")
def blank(p):
    inside = set()
    for it in p.of(ast.Constant, ast.JoinedStr):
        inside |= set(range(it.lineno, it.end_lineno)) if it.end_lineno > it.lineno else set()
    lines = p.lines[:-1] if p.lines[-1] == "" else p.lines
    return any(not line.strip() and at not in inside for at, line in enumerate(lines))


@rule("layout-line-split")
def commas(p):
    for it in p.of(ast.Call, ast.List, ast.Tuple, ast.Dict, ast.FunctionDef):
        if any(isinstance(up, ast.JoinedStr) for up in p.above(it)):
            continue
        items = (
            list(it.args) + list(it.keywords)
            if isinstance(it, ast.Call)
            else (
                it.args.args
                if isinstance(it, ast.FunctionDef)
                else it.keys if isinstance(it, ast.Dict) else it.elts
            )
        )
        if isinstance(it, ast.Tuple) and not p.segment(it).startswith("("):
            continue
        where = [(at.value if isinstance(at, ast.keyword) else at) for at in items if at]
        if len(where) > 1 and where[0].lineno == where[-1].end_lineno:
            return True
    return False


@rule("layout-joined")
def joins(p):
    for first, second in p.pairs():
        if isinstance(first, SIMPLE) and isinstance(second, SIMPLE):
            if second.lineno == first.end_lineno + 1 and "#" not in p.lines[first.end_lineno - 1].encode()[
                first.end_col_offset :
            ].decode(errors="replace"):
                return True
    return False


@rule("layout-docstring")
def documented(p):
    readers = {"__doc__", "doctest", "help", "argparse", "docopt", "getdoc"}
    homes = [p.tree, *p.of(*FUNCTIONS, ast.ClassDef)]
    return (
        not p.reflective
        and not readers & p.words
        and any(it.body and is_text(it.body[0]) and p.alone(it.body[0]) for it in homes)
    )


@rule("layout-comments-removed")
def commented(p):
    import io
    import tokenize

    for it in tokenize.generate_tokens(io.StringIO(p.code).readline):
        if it.type == tokenize.COMMENT and (
            it.start[0] > 2 or not it.string.startswith("#!") and "coding" not in it.string
        ):
            return True
    return False


@rule("layout-quotes")
def quoted(p):
    inner = {at for it in p.of(ast.JoinedStr) for at in ast.walk(it)}
    for it in p.of(ast.Constant):
        if isinstance(it.value, str) and it not in inner:
            text = p.segment(it)
            if re.fullmatch(r"\"[^\"'\\\n]*\"|'[^\"'\\\n]*'", text):
                return True
    return False


@rule("layout-parentheses")
def values_alone(p):
    values = [it.value for it in p.of(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return) if it.value]
    values += [it.test for it in p.of(ast.If, ast.While)]
    for it in values:
        before = p.lines[it.lineno - 1].encode()[: it.col_offset].decode(errors="replace").rstrip()
        if not before.endswith("(") and not isinstance(it, (ast.Tuple, ast.GeneratorExp)):
            return True
    return False
