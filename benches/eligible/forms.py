"""Forms of code that several rules look for, and the list of rules."""

import ast

from program import FUNCTIONS, is_name_assign, names

RULES = {}


def rule(*those):
    def add(question):
        for name in those:
            RULES[name] = question
        return question

    return add


def returned_or_assigned(body):
    if len(body) != 1:
        return None
    if isinstance(body[0], ast.Return) and body[0].value:
        return "return"
    return body[0].targets[0].id if is_name_assign(body[0]) else None


def arithmetic(p):
    for it in p.of(ast.BinOp):
        if isinstance(it.op, (ast.Add, ast.Sub, ast.Mult)) and it in set(p.values()):
            yield it


def calls_itself(p, function):
    calls = {
        it.name: names(it) | {at.attr for at in ast.walk(it) if isinstance(at, ast.Attribute)}
        for it in p.of(*FUNCTIONS)
    }
    seen, stack = set(), [function.name]
    while stack:
        for name in calls.get(stack.pop(), ()):
            if name == function.name:
                return True
            if name not in seen:
                seen.add(name)
                stack.append(name)
    return False


def ranges(p):
    for it in p.of(ast.For):
        call = it.iter
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "range"
            and p.free(it)
        ):
            if (
                p.has("range")
                and not call.keywords
                and not any(isinstance(at, ast.Starred) for at in call.args)
            ):
                yield it


def texts(p):
    """Plain texts that are values, without quotes, escapes and prefixes."""
    for it in p.values():
        if (
            isinstance(it, ast.Constant)
            and isinstance(it.value, str)
            and not isinstance(p.parent[it], ast.Expr)
        ):
            text = p.segment(it)
            if (
                text[:1] in "\"'"
                and text[:3] not in ('"""', "'''")
                and not set(text[1:-1]) & set("\\\"'\n\t")
            ):
                yield it


def two_assignments(p):
    for first, second in p.pairs():
        if is_name_assign(first) and is_name_assign(second) and not p.inside_try(first) and p.free(first):
            a, b = first.targets[0].id, second.targets[0].id
            if a != b and a not in names(second.value) and p.private(a, p.home(first)):
                if not any(
                    isinstance(it, (ast.ListComp, ast.SetComp, ast.DictComp)) and a in names(it)
                    for it in ast.walk(second)
                ):
                    yield first, second


def seen_functions(p):
    """Functions all of whose uses are calls, and that only this program calls."""
    for it in p.of(*FUNCTIONS):
        inner = (
            isinstance(p.home(it), FUNCTIONS)
            or isinstance(p.home(it), ast.Module)
            and (p.script or it.name.startswith("_") and not it.name.startswith("__"))
        )
        uses = [at for at in p.of(ast.Name) if at.id == it.name]
        called = all(isinstance(p.parent[at], ast.Call) and p.parent[at].func is at for at in uses)
        single = sum(at.name == it.name for at in p.of(*FUNCTIONS, ast.ClassDef)) == 1
        starred = any(at.arg is None for use in uses for at in getattr(p.parent[use], "keywords", ()))
        if inner and called and single and not starred and not it.decorator_list and not p.reflective:
            yield it


def calm(p, node):
    """Whether computing it does nothing that others may see: names, literals, sums of known numbers."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return p.private(node.id, p.home(node)) and p.bound_before(node, node.id)
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult))
        and p.kind(node) in ("int", "bool")
        and calm(p, node.left)
        and calm(p, node.right)
    )
