"""Which programs the transformations are for: names, branches and loops.

Each rule follows the description in docs/transformations.md, in both parts: what it does, and where it does not apply.
"""

import ast

from forms import ranges, returned_or_assigned, rule, seen_functions
from program import FUNCTIONS, LOOPS, is_name_assign, jumps, leaves, names, own


@rule(
    "variable-rename",
    "variable-rename-style",
    "variable-rename-role",
    "variable-rename-prefixed",
    "variable-rename-numbered",
)
def has_local(p):
    return not p.reflective and any(p.locals())


@rule("variable-rename-short")
def has_long_local(p):
    return not p.reflective and any(len(it) > 1 for it in p.locals())


@rule("conditional", "cast")
def has_condition(p):
    return p.has("bool") and any(not isinstance(it.test, ast.Constant) for it in p.of(ast.If, ast.While))


@rule("conditional-ternary")
def one_value(p):
    def chooses(it):
        ways = [returned_or_assigned(it.body), returned_or_assigned(it.orelse)]
        plain = ways[0] and ways[0] == ways[1] and not it.has_elif
        text = "\n".join(p.lines[it.lineno - 1 : it.end_lineno])
        return (
            plain
            and "#" not in text
            and not any(
                p.parent[it].__dict__.get("orelse") == [it] and p.parent[it].has_elif
                for _ in [0]
                if isinstance(p.parent[it], ast.If)
            )
        )

    choices = [it.value for it in p.of(ast.Return)] + [
        it.value for it in p.of(ast.Assign) if is_name_assign(it)
    ]
    return any(chooses(it) for it in p.of(ast.If)) or any(
        isinstance(it, ast.IfExp) and p.alone(p.parent[it]) for it in choices
    )


@rule("conditional-nested")
def nested(p):
    for it in p.of(ast.If):
        is_and = isinstance(it.test, ast.BoolOp) and isinstance(it.test.op, ast.And) and len(it.orelse) <= 3
        inner = (
            len(it.body) == 1 and isinstance(it.body[0], ast.If) and not it.orelse and not it.body[0].orelse
        )
        around = p.parent[it]
        if (is_and or inner or it.has_elif) and not (
            isinstance(around, ast.If) and around.has_elif and it in around.orelse
        ):
            return True
    return False


@rule("conditional-early-exit")
def exits(p):
    for block in p.blocks():
        for at, it in enumerate(block):
            around = p.parent[it]
            is_part = isinstance(around, ast.If) and around.has_elif and it in around.orelse
            if isinstance(it, ast.If) and not it.has_elif and not is_part and leaves(it.body):
                if it.orelse or at + 1 < len(block) and p.alone(block[at + 1]) and p.alone(block[-1]):
                    return True
    return False


@rule("conditional-table")
def branches(p):
    return any(p.free(it) and p.alone(it) for it in p.of(ast.If))


@rule("for-while", "for-while-true")
def has_for(p):
    return p.has("iter", "next", "object") and any(p.free(it) and not it.orelse for it in p.of(ast.For))


@rule("while-for")
def has_while(p):
    return p.has("iter", "int") and any(p.free(it) and not it.orelse for it in p.of(ast.While))


@rule("for-while-index")
def has_places(p):
    def written(step):
        if isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub):
            step = step.operand
        return isinstance(step, ast.Constant) and isinstance(step.value, int) and step.value != 0

    stepped = any(len(it.iter.args) < 3 or written(it.iter.args[2]) for it in ranges(p))
    typed = [it for it in p.of(ast.For) if p.free(it) and p.kind(it.iter) in ("list", "tuple", "str")]
    return stepped or p.has("len") and bool(typed)


@rule("for-while-stack")
def settled(p):
    def short(it):
        if isinstance(it, ast.BinOp) and isinstance(it.op, (ast.Add, ast.Sub)):
            return short(it.left) and short(it.right)
        length = isinstance(it, ast.Call) and isinstance(it.func, ast.Name) and it.func.id == "len"
        return length or isinstance(it, ast.Constant) and isinstance(it.value, int) and abs(it.value) < 10_000

    new = (ast.List, ast.Tuple, ast.ListComp)
    for it in p.of(ast.For):
        called = (
            isinstance(it.iter, ast.Call)
            and isinstance(it.iter.func, ast.Name)
            and it.iter.func.id in ("sorted", "list", "tuple")
        )
        if (
            p.free(it)
            and p.has("list", "len", "sorted", "tuple")
            and (called or isinstance(it.iter, new) or p.kind(it.iter) in ("str", "tuple"))
        ):
            return True
    return p.has("list", "len") and any(all(short(at) for at in it.iter.args) for it in ranges(p))


@rule("if-else-flip", "if-else-flip-flag")
def two_branches(p):
    return any(it.orelse and p.free(it) for it in p.of(ast.If))


@rule("if-else-flip-match", "if-else-flip-comparison")
def two_branches_and_bool(p):
    one_line = [it for it in p.of(ast.If) if it.orelse and it.test.lineno == it.test.end_lineno]
    return p.has("bool") and bool(one_line)


@rule("if-else-flip-elif")
def has_elif(p):
    return any(it.has_elif for it in p.of(ast.If))


@rule("statement-swap")
def independent(p):
    for first, second in p.pairs():
        if not p.free(first) or p.inside_try(first) or p.reflective:
            continue
        if is_name_assign(first) and is_name_assign(second):
            a, b = first.targets[0].id, second.targets[0].id
            still = all(isinstance(it.value, ast.Constant) for it in (first, second))
            if a != b and still:
                return True
    return False


@rule("unroll")
def short_loop(p):
    for it in p.of(*LOOPS):
        short = sum(isinstance(at, ast.stmt) for at in ast.walk(ast.Module(it.body, []))) <= 12
        quiet = isinstance(it, ast.While) or p.free(it) and not any(jumps(it))
        if short and quiet and not it.orelse and p.has("iter"):
            return True
    return False


@rule("parameter-copy")
def has_parameter(p):
    for home, working in p.bodies():
        if isinstance(home, FUNCTIONS) and not p.reflective and not p.words & {"super", "__class__"}:
            own_names = {it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)}
            if own_names & set().union(*(names(it) for it in working)):
                return True
    return False


@rule("parameter-rename")
def renames_parameter(p):
    return any(it.args.args for it in seen_functions(p))


@rule("function-rename")
def has_function(p):
    counted = [it.name for it in p.of(*FUNCTIONS)]
    for it in p.of(*FUNCTIONS):
        plain = (
            p.free(it)
            and not it.decorator_list
            and counted.count(it.name) == 1
            and not it.name.startswith("__")
        )
        if plain and not p.reflective and p.alone(it):
            return True
    return False


@rule("field-rename")
def has_field(p):
    by_text = {
        "getattr",
        "setattr",
        "hasattr",
        "__dict__",
        "__slots__",
        "__getattr__",
        "__setattr__",
        "pickle",
        "dataclass",
        "dataclasses",
        "json",
        "copy",
        "match",
    }
    classes = p.of(ast.ClassDef)
    if p.reflective or by_text & p.words or any(it.bases or it.decorator_list for it in classes):
        return False
    for it in classes:
        fields = {}
        for at in p.of(ast.Attribute):
            in_class = any(up is it for up in p.above(at))
            fields.setdefault(at.attr, []).append(
                in_class and isinstance(at.value, ast.Name) and at.value.id == "self"
            )
        stores = {
            at.attr
            for at in ast.walk(it)
            if isinstance(at, ast.Attribute)
            and isinstance(p.parent[at], ast.Assign)
            and isinstance(at.ctx, ast.Store)
        }
        others = p.bound | {at.id for at in p.of(ast.Name)}
        text = " ".join(at.value for at in p.of(ast.Constant) if isinstance(at.value, str))
        for name in stores:
            own_name = p.script or name.startswith("_") and not name.endswith("__")
            if own_name and all(fields[name]) and name not in others and name not in text:
                return True
    return False


@rule("dispatch-table")
def rows_of_values(p):
    for it in p.of(ast.If):
        around = p.parent[it]
        if isinstance(around, ast.If) and around.has_elif and it in around.orelse:
            continue
        parts, ways, at = [], [], it
        while True:
            parts.append(at.test)
            ways.append(at.body)
            if not at.has_elif:
                break
            at = at.orelse[0]
        ways.append(at.orelse)
        kinds = {returned_or_assigned(way) for way in ways}
        if len(kinds) == 1 and None not in kinds and len(ways) <= 5 and p.alone(it):
            if all(p.may_be_called(part) for part in parts + [way[0].value for way in ways]):
                return True
    return False


@rule("boolean-exchange")
def boolean(p):
    for home in p.of(*FUNCTIONS):
        given = {}
        for it in own(home):
            if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store):
                around = p.parent[it]
                literal = (
                    is_name_assign(around)
                    and isinstance(around.value, ast.Constant)
                    and isinstance(around.value.value, bool)
                )
                given.setdefault(it.id, []).append(literal)
        if any(
            all(it)
            and p.private(name, home)
            and name not in {at.arg for at in ast.walk(home.args) if isinstance(at, ast.arg)}
            for name, it in given.items()
        ):
            return not p.reflective
    return False


@rule("infinite-loop-spelling")
def endless(p):
    return any(isinstance(it.test, ast.Constant) and it.test.value in (True, 1) for it in p.of(ast.While))


@rule("while-condition-inside")
def asks(p):
    return any(not isinstance(it.test, ast.Constant) and not it.orelse for it in p.of(ast.While))


@rule("continue-else")
def continues(p):
    for loop in p.of(*LOOPS):
        for at, it in enumerate(loop.body):
            if not isinstance(it, ast.If) or it.orelse or not p.alone(it):
                continue
            behind = loop.body[at + 1 :]
            skips = isinstance(it.body[-1], ast.Continue)
            if behind and skips and p.alone(behind[0]) and p.alone(behind[-1]) or not behind and not skips:
                return True
    return False
