"""Which programs the transformations are for: the twenty of Auto-SPT.

Each rule follows the description in docs/transformations.md, in both parts: what it does, and where it does not apply.
"""

import ast

from forms import arithmetic, calls_itself, ranges, rule, texts, two_assignments
from program import FUNCTIONS, PAUSES, is_name_assign, names, own


@rule("modular-arithmetic-distribution")
def has_operand(p):
    operands = [side for it in arithmetic(p) for side in (it.left, it.right)]
    operands += [it.value for it in p.of(ast.AugAssign) if isinstance(it.op, (ast.Add, ast.Sub, ast.Mult))]
    whole = [it for it in operands if p.kind(it) in (None, "int", "bool")]
    return p.has("type", "int") and any(
        not isinstance(it, (ast.Constant, ast.List, ast.Tuple, ast.ListComp, ast.JoinedStr)) for it in whole
    )


@rule("arithmetic-expression-decomposition")
def has_operator(p):
    whole = (None, "int", "bool")
    return p.has("type", "int") and any(
        p.kind(it.left) in whole and p.kind(it.right) in whole for it in arithmetic(p)
    )


@rule("nested-function-encapsulation")
def has_body(p):
    for home, working in p.bodies():
        plain = isinstance(home, ast.FunctionDef) and not home.decorator_list and not calls_itself(p, home)
        if plain and p.alone(working[-1]) and not p.words & {"super", "__class__"} and not p.reflective:
            return True
    return False


@rule("recursive-comprehension-flattening")
def has_list_comprehension(p):
    comps = [it for it in p.values() if isinstance(it, ast.ListComp)]
    return p.has("len", "sum") and any(not any(at.is_async for at in it.generators) for it in comps)


@rule("modular-index-obfuscation", "for-while-countdown")
def has_range(p):
    return any(ranges(p))


@rule("cyclic-variable-rotation")
def rotates(p):
    for it in p.of(ast.Assign):
        target = it.targets[0]
        if len(it.targets) == 1 and isinstance(target, ast.Tuple) and isinstance(it.value, ast.Tuple):
            ids = [at.id for at in target.elts if isinstance(at, ast.Name)]
            starred = any(isinstance(at, ast.Starred) for at in it.value.elts)
            if (
                len(ids) == len(target.elts) == len(set(ids)) == len(it.value.elts)
                and not starred
                and len(ids) > 1
            ):
                return True
    return False


@rule("conditional-expression-vectorization")
def chooses_value(p):
    ways = [(it, it.body, it.orelse) for it in p.values() if isinstance(it, ast.IfExp)]
    for it in p.of(ast.If):
        both = [it.body, it.orelse]
        if all(len(at) == 1 and isinstance(at[0], ast.Return) and at[0].value for at in both) and p.alone(it):
            ways.append((it, it.body[0].value, it.orelse[0].value))
    return p.has("bool") and any(p.may_be_called(then) and p.may_be_called(other) for _, then, other in ways)


@rule("state-variable-accumulation", "redundant-code")
def assigns(p):
    homes = [(home, working) for home, working in p.bodies()]
    return any(is_name_assign(it) and p.alone(it) for home, _ in homes for it in own(home))


@rule("exponential-base-conversion")
def has_whole_number(p):
    plain = [
        it for it in p.values() if isinstance(it, ast.Constant) and type(it.value) is int and it.value < 2**32
    ]
    return p.has("sum", "enumerate", "len", "int") and bool(plain)


@rule("modular-state-threading", "circular-buffer-state-threading")
def has_plain_for(p):
    return any(p.free(it) for it in p.of(ast.For))


@rule("state-machine-enumeration")
def has_states(p):
    for home in p.of(*FUNCTIONS):
        working = p.working(home.body)
        inside = [
            it for it in own(home) if isinstance(it, (ast.Global, ast.Nonlocal)) and it not in home.body
        ]
        if 2 <= len(working) <= 30 and all(p.alone(it) for it in working) and not inside:
            return True
    return False


@rule("temporal-state-inversion")
def neighbors(p):
    def called(first, second):
        before = first.targets[0].id
        home = p.home(first)
        if not p.free(first) or not p.may_be_called(first.value):
            return False
        if any(isinstance(it, (*PAUSES, ast.NamedExpr)) for it in ast.walk(second.value)):
            return False
        stores = (
            {it.id for it in own(home) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
            if isinstance(home, FUNCTIONS)
            else set()
        )
        return all(it == before or p.bound_before(second, it) for it in names(second.value) & stores)

    for block in p.blocks():
        runs, at = [], 0
        while at < len(block):
            run = []
            while at < len(block) and is_name_assign(block[at]) and p.alone(block[at]):
                run.append(block[at])
                at += 1
            runs.append(run)
            at += 1
        if any(len(run) == 2 and called(*run) for run in runs):
            return True
    return False


@rule("dimensional-array-flattening")
def has_items(p):
    shown = [it for it in p.values() if isinstance(it, (ast.List, ast.Tuple)) and len(it.elts) > 1]
    shown = [
        it
        for it in shown
        if isinstance(it, ast.List) or p.segment(it)[:1] == "(" and p.segment(it)[-1:] == ")"
    ]
    return p.has("range") and any(not any(isinstance(at, ast.Starred) for at in it.elts) for it in shown)


@rule("probabilistic-control-flow")
def has_if(p):
    for home, _ in p.bodies():
        for it in own(home):
            around = p.parent[it]
            part = isinstance(around, ast.If) and around.has_elif and it in around.orelse
            if isinstance(it, ast.If) and not it.has_elif and not part and p.alone(it):
                if sum(isinstance(at, ast.stmt) for at in ast.walk(it)) <= 10:
                    return True
    return False


@rule("iterative-state-composition")
def composed(p):
    one = {
        "abs",
        "all",
        "any",
        "bin",
        "bool",
        "chr",
        "dict",
        "enumerate",
        "float",
        "hex",
        "int",
        "iter",
        "len",
        "list",
        "max",
        "min",
        "oct",
        "ord",
        "print",
        "repr",
        "reversed",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "frozenset",
    }

    def single(it):
        plain = (
            isinstance(it, ast.Call)
            and isinstance(it.func, ast.Name)
            and it.func.id in one
            and p.has(it.func.id)
        )
        return (
            plain
            and len(it.args) == 1
            and not it.keywords
            and not isinstance(it.args[0], (ast.Starred, ast.GeneratorExp))
        )

    # Python allows no `:=` in what a comprehension goes through.
    inside = {at for it in p.of(ast.comprehension) for at in ast.walk(it.iter)}
    return any(single(it) and single(it.args[0]) and it not in inside for it in p.values())


@rule("modular-state-interleaving")
def joined_condition(p):
    tests = [
        it.test
        for it in p.of(ast.If, ast.While)
        if isinstance(it.test, ast.BoolOp) and len(it.test.values) <= 8
    ]
    return p.has("bool", "range") and any(all(p.may_be_called(at) for at in it.values) for it in tests)


@rule("modular-state-accumulation")
def gives(p):
    for home, _ in p.bodies():
        for it in own(home):
            changes = isinstance(it, ast.AugAssign) and isinstance(it.target, ast.Name)
            if (changes or isinstance(it, ast.Return) and it.value) and p.alone(it):
                return True
    return False


@rule("cumulative-state-mapping")
def has_text(p):
    return p.has("range") and any(2 <= len(it.value) <= 60 for it in texts(p))


@rule("positional-state-encoding")
def joined(p):
    return p.has("len") and any(two_assignments(p))
