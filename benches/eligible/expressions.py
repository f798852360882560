"""Which programs the transformations are for: expressions.

Each rule follows the description in docs/transformations.md, in both parts: what it does, and where it does not apply.
"""

import ast
import builtins
import re

from forms import calm, rule, texts
from program import DEFS, NUMBERS, PAUSES, is_name_assign, own


@rule("augmented-assignment")
def augments(p):
    def in_place(target):
        if isinstance(target, ast.Name):
            return True
        parts = [target.value] + ([target.slice] if isinstance(target, ast.Subscript) else [])
        home = p.home(target)
        return all(
            isinstance(it, ast.Constant) or isinstance(it, ast.Name) and p.private(it.id, home)
            for it in parts
        )

    return any(
        p.alone(it) and in_place(it.target)
        for home, _ in p.bodies()
        for it in own(home)
        if isinstance(it, ast.AugAssign)
    )


@rule("increment-rewrite")
def increments(p):
    changes = [(it.target, it.op, it.value) for it in p.of(ast.AugAssign)]
    changes += [(it.left, it.op, it.right) for it in p.of(ast.BinOp)]
    for left, op, right in changes:
        number = isinstance(right, ast.Constant) and type(right.value) in (int, float)
        if isinstance(op, (ast.Add, ast.Sub)) and number and p.kind(left) in NUMBERS:
            return True
    return False


@rule("operand-swap")
def commutes(p):
    for it in p.of(ast.BinOp):
        op = isinstance(it.op, (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor))
        if (
            op
            and p.kind(it.left) in NUMBERS
            and p.kind(it.right) in NUMBERS
            and (calm(p, it.left) or calm(p, it.right))
        ):
            return not isinstance(it.left, ast.Constant) or not isinstance(it.right, ast.Constant)
    return False


@rule("comparison-swap")
def turns(p):
    signs = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    for it in p.of(ast.Compare):
        if len(it.ops) == 1 and isinstance(it.ops[0], signs):
            left, right = it.left, it.comparators[0]
            if isinstance(left, ast.Constant) != isinstance(right, ast.Constant):
                if not isinstance(getattr(left, "value", None), bytes) and not isinstance(
                    getattr(right, "value", None), bytes
                ):
                    return True
    return False


@rule("comparison-rewrite")
def rewrites(p):
    for it in p.values():
        if not isinstance(it, ast.Compare):
            continue
        home = p.home(it)
        if len(it.ops) > 1:
            middle = it.comparators[:-1]
            if all(
                isinstance(at, ast.Constant) or isinstance(at, ast.Name) and p.private(at.id, home)
                for at in middle
            ):
                return True
        elif isinstance(it.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
            return True
        elif all(p.kind(at) == "int" for at in (it.left, it.comparators[0])):
            return True
    return False


@rule("expression-split")
def splits(p):
    for it in p.of(ast.Assign, ast.Return):
        value = it.value
        parts = []
        if isinstance(value, ast.BinOp):
            parts = [value.left, value.right]
        elif isinstance(value, ast.Compare) and len(value.ops) == 1:
            parts = [value.left, value.comparators[0]]
        elif isinstance(value, ast.BoolOp) and len(value.values) == 2:
            parts = value.values[:1]
        elif isinstance(value, ast.IfExp):
            parts = [value.test]
        elif (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in vars(builtins)
            and p.has(value.func.id)
        ):
            plain = not value.keywords and not any(
                isinstance(at, (ast.Starred, ast.GeneratorExp)) for at in value.args
            )
            parts = value.args if plain else []
        computed = any(not isinstance(at, (ast.Name, ast.Constant)) for at in parts)
        quiet = value and not any(isinstance(at, (*PAUSES, ast.NamedExpr)) for at in ast.walk(value))
        if (
            computed
            and quiet
            and p.alone(it)
            and p.free(it)
            and (isinstance(it, ast.Return) or len(it.targets) == 1)
        ):
            return True
    return False


@rule("expression-fold")
def folds(p):
    for first, second in p.pairs():
        if not is_name_assign(first) or not isinstance(second, (ast.Return, ast.Assign)) or not second.value:
            continue
        name, home = first.targets[0].id, p.home(first)
        uses = [it for it in own(home) if isinstance(it, ast.Name) and it.id == name]
        at = second.value
        while not isinstance(at, ast.Name):
            if isinstance(at, ast.BinOp):
                at = at.left
            elif isinstance(at, (ast.Attribute, ast.Subscript)):
                at = at.value
            elif isinstance(at, ast.Compare):
                at = at.left
            else:
                break
        comment = "#" in "".join(p.lines[first.end_lineno - 1 : second.lineno - 1])
        if at in uses and len(uses) == 2 and p.private(name, home) and not comment and not p.reflective:
            if name not in {it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)}:
                return True
    return False


@rule("literal-rewrite")
def has_literal(p):
    for it in p.values():
        if isinstance(it, ast.Constant) and not isinstance(p.parent[it], ast.Expr):
            if (
                isinstance(it.value, bool)
                or type(it.value) is int
                and re.fullmatch("[0-9]{1,15}", p.segment(it))
            ):
                return True
    return any(len(it.value) > 1 for it in texts(p))


@rule("constant-naming")
def names_constants(p):
    literals = {
        it for it in p.values() if isinstance(it, ast.Constant) and type(it.value) in (int, float)
    } | set(texts(p))
    for home, working in p.bodies():
        code = [it for it in working if not isinstance(it, DEFS)]
        if any(at in literals for it in code for at in own(it)):
            return True
    return False


@rule("constant-inlining")
def inlines(p):
    for it in p.of(ast.Assign):
        if (
            not is_name_assign(it)
            or not isinstance(it.value, ast.Constant)
            or not p.alone(it)
            or p.reflective
        ):
            continue
        name, home = it.targets[0].id, p.home(it)
        places = [at for at in own(home) if isinstance(at, ast.Name) and at.id == name]
        stores = [at for at in places if not isinstance(at.ctx, ast.Load)]
        loads = [at for at in places if isinstance(at.ctx, ast.Load)]
        in_text = any(isinstance(up, ast.FormattedValue) for at in loads for up in p.above(at))
        once = (
            len(stores) == 1
            and loads
            and p.private(name, home)
            and name not in {at.arg for at in ast.walk(home.args) if isinstance(at, ast.arg)}
        )
        if (
            once
            and not in_text
            and all(p.bound_before(at, name) for at in loads)
            and it.lineno == it.end_lineno
        ):
            return True
    return False


@rule("string-building")
def builds(p):
    for it in p.values():
        if isinstance(p.parent[it], ast.Expr):
            continue
        if (
            isinstance(it, ast.Call)
            and isinstance(it.func, ast.Name)
            and it.func.id == "str"
            and p.has("str")
        ):
            if (
                len(it.args) == 1
                and not it.keywords
                and not isinstance(it.args[0], (ast.Starred, ast.GeneratorExp))
            ):
                return True
        if (
            isinstance(it, ast.BinOp)
            and isinstance(it.op, ast.Add)
            and p.kind(it.left) == p.kind(it.right) == "str"
        ):
            return True
        if (
            isinstance(it, ast.JoinedStr)
            and re.match("[fF](\"|')(?!\\1)", p.segment(it))
            and it.lineno == it.end_lineno
        ):
            parts = [at for at in it.values if isinstance(at, ast.FormattedValue)]
            nested = any(
                isinstance(at.format_spec, ast.JoinedStr)
                and any(isinstance(up, ast.FormattedValue) for up in at.format_spec.values)
                for at in parts
            )
            text = p.segment(it)
            if (
                parts
                and not nested
                and "\\" not in text
                and "=" not in text
                and p.has("format", "str", "repr", "ascii")
            ):
                return len(parts) < 10 and "$" not in text
    return False
