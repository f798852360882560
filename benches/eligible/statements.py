"""Which programs the transformations are for: statements, functions and comprehensions.

Each rule follows the description in docs/transformations.md, in both parts: what it does, and where it does not apply.
"""

import ast
import pathlib
import re

from forms import calls_itself, ranges, rule, two_assignments
from program import DEFS, FUNCTIONS, LOOPS, PAUSES, is_name_assign, is_text, jumps, names, own


@rule("declaration-merge")
def merged(p):
    return any(
        "#" not in "".join(p.lines[first.lineno - 1 : second.lineno - 1])
        for first, second in two_assignments(p)
    )


@rule("comprehension-loop")
def comprehension(p):
    comps = (ast.ListComp, ast.SetComp, ast.DictComp)
    takes = {"sum", "len", "max", "min", "any", "all", "sorted", "set", "tuple", "list"}
    for it in p.of(ast.Assign, ast.Return):
        value = it.value
        if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
            only = value.args[0]
            named = isinstance(value.func, ast.Name) and p.has(value.func.id) and value.func.id
            joins = (
                isinstance(value.func, ast.Attribute)
                and value.func.attr == "join"
                and isinstance(value.func.value, ast.Constant)
            )
            if isinstance(only, ast.ListComp) and named in takes:
                value = only
            elif isinstance(only, ast.GeneratorExp) and (joins or named in ("sorted", "tuple", "list")):
                value = only
        plain = isinstance(value, comps) or isinstance(value, ast.GeneratorExp) and value is not it.value
        if not plain or not p.alone(it) or p.reflective or not p.free(it) or not p.may_be_called(value):
            continue
        bound = {
            at.id for at in ast.walk(value) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)
        }
        inner = [
            at for at in ast.walk(value) if isinstance(at, (ast.Lambda, ast.GeneratorExp)) and at is not value
        ]
        if not any(bound & names(at) for at in inner):
            return True
    return False


@rule("loop-comprehension")
def fills(p):
    for first, loop in p.pairs():
        if not (
            is_name_assign(first)
            and isinstance(first.value, ast.List)
            and not first.value.elts
            and isinstance(loop, ast.For)
        ):
            continue
        name, at, bound, parts = first.targets[0].id, loop, set(), []
        while isinstance(at, (ast.For, ast.If)) and not at.orelse and len(at.body) == 1:
            parts.append(at.iter if isinstance(at, ast.For) else at.test)
            bound |= names(at.target) if isinstance(at, ast.For) else set()
            at = at.body[0]
        call = at.value if isinstance(at, ast.Expr) else None
        home = p.home(first)
        if not (
            isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.append" and len(call.args) == 1
        ):
            continue
        parts.append(call.args[0])
        inside = set(ast.walk(loop))
        elsewhere = [
            it for it in own(home) if isinstance(it, ast.Name) and it.id in bound and it not in inside
        ]
        quiet = not any(name in names(it) or not p.may_be_called(it) for it in parts)
        still = p.private(name, home) and all(p.private(it, home) for it in bound)
        if quiet and still and not elsewhere and not p.inside_try(first) and not p.reflective:
            return True
    return False


@rule("tail-recursion")
def tail(p):
    for it in p.of(ast.FunctionDef):
        calls = [at for at in ast.walk(it) if isinstance(at, ast.Name) and at.id == it.name]
        tails = [
            at.value
            for at in own(it)
            if isinstance(at, ast.Return) and isinstance(at.value, ast.Call) and at.value.func in calls
        ]
        plain = (
            not it.decorator_list
            and not it.args.defaults
            and not it.args.vararg
            and not it.args.kwarg
            and not it.args.kwonlyargs
        )
        same = all(len(at.args) == len(it.args.args) and not at.keywords for at in tails)
        inner = any(
            isinstance(at, (*DEFS, ast.GeneratorExp, *LOOPS, ast.Try, ast.With, *PAUSES)) for at in own(it)
        )
        stores = {at.id for at in own(it) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)} - {
            at.arg for at in it.args.args
        }
        reads = [
            at
            for at in own(it)
            if isinstance(at, ast.Name) and at.id in stores and isinstance(at.ctx, ast.Load)
        ]
        nested_if = all(p.bound_before(at, at.id) for at in reads)
        if (
            tails
            and len(tails) == len(calls)
            and plain
            and same
            and not inner
            and nested_if
            and p.free(it)
            and not p.reflective
        ):
            return True
    return False


@rule("loop-recursion")
def halves(p):
    loops = list(ranges(p))
    for it in loops:
        home = p.home(it)
        inside = [at for at in ast.walk(it) if at is not it]
        nested = any(at in loops for at in inside)
        stops = (
            ast.Return,
            *PAUSES,
            ast.Global,
            ast.Nonlocal,
            ast.FunctionDef,
            ast.Lambda,
            ast.Delete,
            ast.With,
            ast.Import,
            ast.ImportFrom,
        )
        stops = any(isinstance(at, stops) for at in inside) or any(
            isinstance(at, ast.Break) for at in jumps(it)
        )
        shared = isinstance(home, FUNCTIONS) and any(
            isinstance(at, (ast.Global, ast.Nonlocal)) for at in own(home)
        )
        known = (
            isinstance(home, FUNCTIONS)
            and not calls_itself(p, home)
            and not shared
            or home is p.tree
            and p.script
        )
        if (
            not nested
            and not stops
            and not it.orelse
            and known
            and not p.reflective
            and not p.words & {"super", "__class__"}
        ):
            return True
    return False


@rule("declaration-split")
def several(p):
    for it in p.of(ast.Assign):
        pair = (
            len(it.targets) == 1
            and isinstance(it.targets[0], (ast.Tuple, ast.List))
            and isinstance(it.value, (ast.Tuple, ast.List))
        )
        if pair:
            both = [it.targets[0].elts, it.value.elts]
            starred = any(isinstance(at, ast.Starred) for at in both[0] + both[1])
            pair = 2 <= len(both[0]) == len(both[1]) <= 8 and not starred
        if (pair or 2 <= len(it.targets) <= 8) and p.alone(it) and p.free(it):
            return True
    return False


@rule("declaration-move")
def moves(p):
    for block in p.blocks():
        working = p.working(block)
        for first, second in zip(working, working[1:]):
            literal = (
                is_name_assign(first)
                and isinstance(first.value, ast.Constant)
                and p.alone(first)
                and p.alone(second)
            )
            if not literal or working[-1] is second or p.inside_try(first) or p.reflective:
                continue
            name = first.targets[0].id
            comment = "#" in "".join(p.lines[first.lineno - 1 : second.lineno - 1])
            if name not in names(second) and p.private(name, p.home(first)) and not comment:
                if not any(
                    isinstance(it, (ast.ListComp, ast.SetComp, ast.DictComp)) and name in names(it)
                    for it in ast.walk(p.home(first))
                ):
                    return True
    return False


@rule("try-wrap")
def wraps(p):
    return p.has("Exception", "BaseException") and any(
        isinstance(home, FUNCTIONS) and p.alone(working[-1]) for home, working in p.bodies()
    )


@rule("dead-code")
def copies(p):
    for home, working in p.bodies():
        declares = any(isinstance(it, (ast.Global, ast.Nonlocal)) and it not in home.body for it in own(home))
        for statement in working:
            for it in [statement, *own(statement)]:
                kind = isinstance(it, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)) and not is_text(
                    it
                )
                if (
                    (kind or isinstance(it, ast.Return) and it.value)
                    and p.alone(it)
                    and not declares
                    and p.home(it) is home
                ):
                    return True
    return False


@rule("no-effect-deletion")
def nothing(p):
    for block in p.blocks():
        if len(block) > 1:
            for it in block:
                if isinstance(it, ast.Pass) and p.alone(it):
                    return True
            last, around = block[-1], p.parent[block[-1]]
            plain = isinstance(last, ast.Return) and (
                last.value is None or isinstance(last.value, ast.Constant) and last.value.value is None
            )
            if plain and isinstance(around, FUNCTIONS) and p.alone(last):
                return True
            if (
                isinstance(last, ast.Continue)
                and isinstance(around, LOOPS)
                and block is around.body
                and p.alone(last)
            ):
                return True
    return False


@rule("function-extract")
def extracts(p):
    kinds = (
        ast.BinOp,
        ast.Compare,
        ast.BoolOp,
        ast.UnaryOp,
        ast.Call,
        ast.Subscript,
        ast.IfExp,
        ast.ListComp,
        ast.SetComp,
        ast.DictComp,
    )
    for it in p.of(ast.Assign, ast.Return):
        home = p.home(it)
        if not isinstance(it.value, kinds) or not p.alone(it) or not p.free(it) or p.reflective:
            continue
        if isinstance(it, ast.Assign) and len(it.targets) > 1:
            continue
        again = isinstance(home, FUNCTIONS) and calls_itself(p, home)
        shared = (
            [at for at in own(home) if isinstance(at, (*DEFS, ast.GeneratorExp))]
            if isinstance(home, FUNCTIONS)
            else []
        )
        seen = set().union(*(names(at) for at in shared)) & names(it.value) if shared else set()
        inner = any(
            isinstance(at, (ast.Lambda, ast.Constant)) and isinstance(at, ast.Lambda)
            for at in ast.walk(it.value)
        )
        if not again and not seen and not inner and p.may_be_called(it.value):
            return True
    return False


@rule("function-inline")
def inlined(p):
    for function in p.of(ast.FunctionDef):
        working = p.working(function.body)
        plain = (
            len(working) == 1
            and isinstance(working[0], ast.Return)
            and working[0].value
            and not function.decorator_list
        )
        args = function.args
        if not plain or args.defaults or args.vararg or args.kwarg or args.kwonlyargs or p.reflective:
            continue
        single = sum(it.name == function.name for it in p.of(*FUNCTIONS)) == 1 and not isinstance(
            p.home(function), ast.ClassDef
        )
        body = working[0].value
        one_line = body.lineno == body.end_lineno and len(p.segment(body)) <= 300
        if (
            not single
            or not one_line
            or any(isinstance(it, (*PAUSES, ast.NamedExpr)) for it in ast.walk(body))
        ):
            continue
        parameters = {it.arg for it in args.args}
        for it in p.of(ast.Call):
            called = (
                isinstance(it.func, ast.Name)
                and it.func.id == function.name
                and it.lineno > function.end_lineno
            )
            same = (
                len(it.args) == len(args.args)
                and not it.keywords
                and not any(isinstance(at, (ast.Starred, ast.GeneratorExp)) for at in it.args)
            )
            home = p.home(it)
            hidden = (
                {at.id for at in own(home) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)}
                if isinstance(home, FUNCTIONS)
                else set()
            )
            hidden |= (
                {at.arg for at in ast.walk(home.args) if isinstance(at, ast.arg)}
                if isinstance(home, FUNCTIONS)
                else set()
            )
            if called and same and not hidden & (names(body) - parameters):
                return True
    return False


@rule("member-reorder")
def members(p):
    for first, second in p.pairs():
        if isinstance(first, FUNCTIONS) and isinstance(second, FUNCTIONS) and first.name != second.name:
            if not first.decorator_list and not second.decorator_list:
                heads = [it.args for it in (first, second)] + [
                    it.returns for it in (first, second) if it.returns
                ]
                runs = any(
                    isinstance(at, (ast.Call, ast.Lambda, ast.BinOp)) for it in heads for at in ast.walk(it)
                )
                used = {at.arg for it in heads for at in ast.walk(it) if isinstance(at, ast.arg)}
                named = set().union(*(names(it) for it in heads)) | used
                if not runs and not named & {first.name, second.name}:
                    return True
    return False


@rule("import-alias")
def imports(p):
    for it in p.of(ast.Import, ast.ImportFrom):
        for alias in it.names:
            name = alias.asname or alias.name
            uses = [at for at in p.of(ast.Name) if at.id == name]
            binds = [at for at in uses if not isinstance(at.ctx, ast.Load)] + [
                at for at in p.of(ast.arg) if at.arg == name
            ]
            again = (
                sum(
                    (at.asname or at.name) == name
                    for up in p.of(ast.Import, ast.ImportFrom)
                    for at in up.names
                )
                > 1
            )
            if (
                "." not in name
                and name != "*"
                and uses
                and not binds
                and not again
                and not p.reflective
                and p.free(it)
            ):
                if (
                    name not in {at.name for at in p.of(*FUNCTIONS, ast.ClassDef)}
                    and getattr(it, "module", "") != "__future__"
                ):
                    return True
    return False


MODULES = pathlib.Path(__file__).parents[2] / "crates/transform/src/python/functions/modules.rs"


def fixed_names():
    """The table of modules with names that always mean the same."""
    rows = re.findall(r'\(\s*"(\w+)",\s*&\[([^\]]*)\]', MODULES.read_text())
    return {module: set(re.findall(r'"(\w+)"', names)) for module, names in rows}


@rule("import-form")
def import_form(p):
    table = fixed_names()
    bound = [at.asname or at.name for it in p.of(ast.Import, ast.ImportFrom) for at in it.names]
    defined = {at.name for at in p.of(*FUNCTIONS, ast.ClassDef)} | {at.arg for at in p.of(ast.arg)}
    for it in p.of(ast.Import, ast.ImportFrom):
        names_of = [alias.asname or alias.name for alias in it.names]
        uses = [at for at in p.of(ast.Name) if at.id in names_of]
        plain = all(isinstance(at.ctx, ast.Load) for at in uses) and all(bound.count(name) == 1 for name in names_of)
        known_here = p.script or isinstance(p.home(it), FUNCTIONS) or p.alone(it)
        if p.reflective or not (plain and uses and known_here and p.free(it)) or set(names_of) & defined:
            continue
        if isinstance(it, ast.ImportFrom):
            known = table.get(it.module, set())
            if not it.level and all(alias.name in known for alias in it.names):
                return True
        elif len(it.names) == 1:
            known = table.get(it.names[0].name, set())
            above = [p.parent[at] for at in uses]
            if all(isinstance(at, ast.Attribute) and isinstance(at.ctx, ast.Load) and at.attr in known for at in above):
                return True
    return False
