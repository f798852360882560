"""Which programs each transformation of Python programs is for: one question to the syntax tree for each.

Each rule follows the description in docs/transformations.md, in both parts: what it does, and where it does not
apply. `benches/eligible.py` reads it.
"""

import ast
import builtins
import re
import symtable

LOOPS = (ast.For, ast.While)
DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SIMPLE = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Raise, ast.Pass, ast.Break, ast.Continue,
    ast.Assert, ast.Delete, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal,
)
PAUSES = (ast.Yield, ast.YieldFrom, ast.Await)
REFLECTION = {
    "exec", "eval", "locals", "globals", "vars", "dir", "compile", "__import__", "_getframe", "currentframe", "inspect",
    "settrace", "breakpoint",
}
FROZEN = {"int", "bool", "float", "str", "NoneType", "range"}
NUMBERS = {"int", "bool", "float"}
RESULTS = {
    "len": "int", "ord": "int", "int": "int", "bool": "bool", "isinstance": "bool", "any": "bool", "all": "bool",
    "float": "float", "str": "str", "chr": "str", "repr": "str", "bin": "str", "hex": "str", "input": "str",
    "list": "list", "sorted": "list", "tuple": "tuple", "set": "set", "dict": "dict", "range": "range",
}


def names(node):
    """All names in a node."""
    return {it.id for it in ast.walk(node) if isinstance(it, ast.Name)}


def own(node):
    """Nodes below a node, without those in functions and classes inside."""
    stack = list(ast.iter_child_nodes(node))
    while stack:
        at = stack.pop()
        yield at
        if not isinstance(at, DEFS):
            stack.extend(ast.iter_child_nodes(at))


def jumps(loop):
    """`break` and `continue` that belong to a loop."""
    stack = list(loop.body)
    while stack:
        at = stack.pop()
        if isinstance(at, (ast.Break, ast.Continue)):
            yield at
        elif isinstance(at, LOOPS):
            stack.extend(at.orelse)
        elif not isinstance(at, DEFS):
            stack.extend(ast.iter_child_nodes(at))


def leaves(body):
    """Whether control never reaches the end."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))


def is_elif(node):
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and getattr(node, "has_elif", False)


class Program:
    """A program with what the rules ask for."""

    def __init__(self, code):
        self.code = code.replace("\r\n", "\n")
        self.lines = self.code.split("\n")
        self.tree = ast.parse(self.code)
        self.parent = {}
        self.nodes = list(ast.walk(self.tree))
        for node in self.nodes:
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
        for node in self.of(ast.If):
            first = node.orelse[0] if len(node.orelse) == 1 else None
            node.has_elif = isinstance(first, ast.If) and self.lines[first.lineno - 1][first.col_offset :].startswith("elif")
        self.words = set(re.findall(r"\w+", self.code))
        used = {it.id for it in self.of(ast.Name)} | {it.attr for it in self.of(ast.Attribute)}
        used |= {alias.name for it in self.of(ast.Import, ast.ImportFrom) for alias in it.names}
        self.reflective = bool(used & REFLECTION)
        bound = {it.id for it in self.of(ast.Name) if not isinstance(it.ctx, ast.Load)}
        bound |= {it.name for it in self.of(*FUNCTIONS, ast.ClassDef)} | {it.arg for it in self.of(ast.arg)}
        for it in self.of(ast.Import, ast.ImportFrom):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in it.names}
        self.bound = bound
        self.all_imported = "*" in bound
        self.script = any(
            isinstance(it, ast.Call) and ast.unparse(it.func) in ("print", "input", "sys.stdin.read", "sys.stdin.readline")
            for it in own(self.tree)
        )
        self.table = symtable.symtable(self.code, "program", "exec")

    def of(self, *kinds):
        return [it for it in self.nodes if isinstance(it, kinds)]

    def has(self, *builtin):
        """Whether the builtins mean what Python means by them."""
        return not self.all_imported and not self.reflective and not self.bound & set(builtin)

    def above(self, node):
        while node in self.parent:
            node = self.parent[node]
            yield node

    def home(self, node):
        """The function or class around, or the module."""
        return next((it for it in self.above(node) if isinstance(it, (*FUNCTIONS, ast.ClassDef, ast.Module))), self.tree)

    def free(self, node):
        """Whether new names may stand beside it."""
        return not isinstance(self.home(node), ast.ClassDef)

    def alone(self, node):
        """Whether it has its lines for itself."""
        before = self.lines[node.lineno - 1].encode()[: node.col_offset].decode(errors="replace")
        behind = self.lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode(errors="replace").strip()
        return not before.strip() and (not behind or behind.startswith("#"))

    def blocks(self):
        for node in self.nodes:
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    yield block

    def pairs(self):
        """Neighbors in a block that have their lines for themselves, with nothing but blanks in between."""
        for block in self.blocks():
            for first, second in zip(block, block[1:]):
                if self.alone(first) and self.alone(second):
                    yield first, second

    def working(self, body):
        """Statements behind the docstring, imports and declarations."""
        at = 0
        while at < len(body) and (
            is_text(body[at]) or isinstance(body[at], (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal))
        ):
            at += 1
        return body[at:]

    def bodies(self):
        """Functions, and the module where it is a script, that may begin with something new."""
        homes = self.of(*FUNCTIONS) + ([self.tree] if self.script else [])
        for home in homes:
            working = self.working(home.body)
            if working and self.alone(working[0]):
                yield home, working

    def inside_try(self, node):
        for it in self.above(node):
            if isinstance(it, DEFS):
                return False
            if isinstance(it, (ast.Try, ast.With)):
                return True
        return False

    def locals(self, parameters=False):
        """Names of local variables that nobody else sees."""
        stack = list(self.table.get_children())
        while stack:
            table = stack.pop()
            stack.extend(table.get_children())
            if table.get_type() == "function":
                for symbol in table.get_symbols():
                    plain = symbol.is_local() and symbol.is_assigned() and not symbol.is_imported() and not symbol.is_namespace()
                    if plain and symbol.is_parameter() == parameters and not symbol.get_name().startswith(("_", ".")):
                        yield symbol.get_name()

    def private(self, name, home):
        """Whether a name is a local variable of a function that no inner function uses."""
        if not isinstance(home, FUNCTIONS):
            return False
        for inner in own(home):
            if isinstance(inner, (*DEFS, ast.GeneratorExp)) and name in names(inner):
                return False
            if isinstance(inner, (ast.Global, ast.Nonlocal)) and name in inner.names:
                return False
            if isinstance(inner, ast.Delete) and name in names(inner):
                return False
        stores = {it.id for it in own(home) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
        stores |= {it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)}
        return name in stores

    def bound_before(self, node, name):
        """Whether the name is a parameter, or a statement before it in a block around assigns it."""
        home = self.home(node)
        if isinstance(home, FUNCTIONS) and name in {it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)}:
            return True
        at = node
        for around in self.above(node):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(around, field, None)
                if isinstance(block, list) and at in block:
                    for statement in block[: block.index(at)]:
                        if isinstance(statement, ast.Assign) and any(name in names(it) for it in statement.targets):
                            return True
            if isinstance(around, ast.For) and at in around.body and name in names(around.target):
                return True
            if around is home:
                return False
            at = around
        return False

    def may_be_called(self, node):
        """Whether a `lambda` may hold the expression."""
        home = self.home(node)
        if isinstance(home, ast.ClassDef) or any(isinstance(it, (*PAUSES, ast.NamedExpr)) for it in ast.walk(node)):
            return False
        if not isinstance(home, FUNCTIONS):
            return True
        stores = {it.id for it in own(home) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
        inner = {it.id for it in ast.walk(node) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
        return all(self.bound_before(node, it) for it in (names(node) & stores) - inner)

    def kind(self, node, depth=4):
        """The name of the built-in type of an expression, where it is plain to see."""
        if isinstance(node, ast.Constant):
            return type(node.value).__name__
        if isinstance(node, ast.JoinedStr):
            return "str"
        for form, kind in ((ast.List, "list"), (ast.ListComp, "list"), (ast.Tuple, "tuple"), (ast.Set, "set"), (ast.Dict, "dict")):
            if isinstance(node, form):
                return kind
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self.has(node.func.id):
            return RESULTS.get(node.func.id)
        if isinstance(node, ast.UnaryOp):
            return "bool" if isinstance(node.op, ast.Not) else self.kind(node.operand, depth)
        if isinstance(node, ast.BinOp):
            both = {self.kind(node.left, depth), self.kind(node.right, depth)}
            if both <= {"int", "bool"}:
                return "float" if isinstance(node.op, ast.Div) else None if isinstance(node.op, ast.Pow) else "int"
            if both <= NUMBERS and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
                return "float"
            if both == {"str"} and isinstance(node.op, ast.Add):
                return "str"
            return None
        if isinstance(node, ast.Compare) and all(isinstance(it, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for it in node.ops):
            return "bool"
        if isinstance(node, ast.Name) and depth:
            return self.kind_of_name(node, depth)
        return None

    def kind_of_name(self, node, depth):
        home = self.home(node)
        if not self.private(node.id, home) or node.id in {it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)}:
            return None
        kinds = set()
        for it in own(home):
            if not (isinstance(it, ast.Name) and it.id == node.id and isinstance(it.ctx, ast.Store)):
                continue
            around = self.parent[it]
            if isinstance(around, ast.Assign):
                kinds.add(self.kind(around.value, depth - 1))
            elif isinstance(around, ast.AugAssign) and isinstance(around.op, (ast.Add, ast.Sub, ast.Mult)):
                kinds.add(self.kind(around.value, depth - 1))
            elif isinstance(around, (ast.For, ast.comprehension)) and around.target is it:
                kinds.add({"range": "int", "str": "str"}.get(self.kind(around.iter, depth - 1)))
            else:
                kinds.add(None)
        return kinds.pop() if len(kinds) == 1 else None

    def values(self):
        """Expressions in whose place another one may stand."""
        for node in self.nodes:
            if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                chain = [node, *self.above(node)]
                if not any(isinstance(it, (ast.JoinedStr, ast.FormattedValue, ast.pattern)) for it in chain[1:]):
                    if not self.is_annotation(node):
                        yield node

    def is_annotation(self, node):
        at = node
        for around in self.above(node):
            if getattr(around, "annotation", None) is at or getattr(around, "returns", None) is at:
                return True
            if at in getattr(around, "decorator_list", []):
                return True
            at = around
        return False

    def segment(self, node):
        return ast.get_source_segment(self.code, node) or ""


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, ast.JoinedStr)) and isinstance(
        getattr(node.value, "value", ""), str
    )


def is_name_assign(node):
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


RULES = {}


def rule(*those):
    def add(question):
        for name in those:
            RULES[name] = question
        return question

    return add


@rule("variable-rename", "variable-rename-style", "variable-rename-role", "variable-rename-prefixed", "variable-rename-numbered")
def has_local(p):
    return not p.reflective and any(p.locals())


@rule("variable-rename-short")
def has_long_local(p):
    return not p.reflective and any(len(it) > 1 for it in p.locals())


@rule("conditional", "cast")
def has_condition(p):
    return p.has("bool") and any(not isinstance(it.test, ast.Constant) for it in p.of(ast.If, ast.While))


def returned_or_assigned(body):
    if len(body) != 1:
        return None
    if isinstance(body[0], ast.Return) and body[0].value:
        return "return"
    return body[0].targets[0].id if is_name_assign(body[0]) else None


@rule("conditional-ternary")
def one_value(p):
    def chooses(it):
        ways = [returned_or_assigned(it.body), returned_or_assigned(it.orelse)]
        plain = ways[0] and ways[0] == ways[1] and not it.has_elif
        text = "\n".join(p.lines[it.lineno - 1 : it.end_lineno])
        return plain and "#" not in text and not any(p.parent[it].__dict__.get("orelse") == [it] and p.parent[it].has_elif for _ in [0] if isinstance(p.parent[it], ast.If))

    choices = [it.value for it in p.of(ast.Return)] + [it.value for it in p.of(ast.Assign) if is_name_assign(it)]
    return any(chooses(it) for it in p.of(ast.If)) or any(isinstance(it, ast.IfExp) and p.alone(p.parent[it]) for it in choices)


@rule("conditional-nested")
def nested(p):
    for it in p.of(ast.If):
        is_and = isinstance(it.test, ast.BoolOp) and isinstance(it.test.op, ast.And) and len(it.orelse) <= 3
        inner = len(it.body) == 1 and isinstance(it.body[0], ast.If) and not it.orelse and not it.body[0].orelse
        around = p.parent[it]
        if (is_and or inner or it.has_elif) and not (isinstance(around, ast.If) and around.has_elif and it in around.orelse):
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


@rule("for-while", "for-while-true")
def has_for(p):
    return p.has("iter", "next", "object") and any(p.free(it) and not it.orelse for it in p.of(ast.For))


@rule("while-for")
def has_while(p):
    return p.has("iter", "int") and any(p.free(it) and not it.orelse for it in p.of(ast.While))


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
        if is_name_assign(first) and is_name_assign(second) and not p.inside_try(first):
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


def arithmetic(p):
    for it in p.of(ast.BinOp):
        if isinstance(it.op, (ast.Add, ast.Sub, ast.Mult)) and it in set(p.values()):
            yield it


@rule("modular-arithmetic-distribution")
def has_operand(p):
    operands = [side for it in arithmetic(p) for side in (it.left, it.right)]
    operands += [it.value for it in p.of(ast.AugAssign) if isinstance(it.op, (ast.Add, ast.Sub, ast.Mult))]
    whole = [it for it in operands if p.kind(it) in (None, "int", "bool")]
    return p.has("type", "int") and any(not isinstance(it, (ast.Constant, ast.List, ast.Tuple, ast.ListComp, ast.JoinedStr)) for it in whole)


@rule("arithmetic-expression-decomposition")
def has_operator(p):
    whole = (None, "int", "bool")
    return p.has("type", "int") and any(p.kind(it.left) in whole and p.kind(it.right) in whole for it in arithmetic(p))


def calls_itself(p, function):
    calls = {it.name: names(it) | {at.attr for at in ast.walk(it) if isinstance(at, ast.Attribute)} for it in p.of(*FUNCTIONS)}
    seen, stack = set(), [function.name]
    while stack:
        for name in calls.get(stack.pop(), ()):
            if name == function.name:
                return True
            if name not in seen:
                seen.add(name)
                stack.append(name)
    return False


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


def ranges(p):
    for it in p.of(ast.For):
        call = it.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and p.free(it):
            if p.has("range") and not call.keywords and not any(isinstance(at, ast.Starred) for at in call.args):
                yield it


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
            if len(ids) == len(target.elts) == len(set(ids)) == len(it.value.elts) and not starred and len(ids) > 1:
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
    plain = [it for it in p.values() if isinstance(it, ast.Constant) and type(it.value) is int and it.value < 2**32]
    return p.has("sum", "enumerate", "len", "int") and bool(plain)


@rule("modular-state-threading", "circular-buffer-state-threading")
def has_plain_for(p):
    return any(p.free(it) for it in p.of(ast.For))


@rule("state-machine-enumeration")
def has_states(p):
    for home in p.of(*FUNCTIONS):
        working = p.working(home.body)
        inside = [it for it in own(home) if isinstance(it, (ast.Global, ast.Nonlocal)) and it not in home.body]
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
        stores = {it.id for it in own(home) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)} if isinstance(home, FUNCTIONS) else set()
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
    shown = [it for it in shown if isinstance(it, ast.List) or p.segment(it)[:1] == "(" and p.segment(it)[-1:] == ")"]
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
        "abs", "all", "any", "bin", "bool", "chr", "dict", "enumerate", "float", "hex", "int", "iter", "len", "list", "max", "min",
        "oct", "ord", "print", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "frozenset",
    }

    def single(it):
        plain = isinstance(it, ast.Call) and isinstance(it.func, ast.Name) and it.func.id in one and p.has(it.func.id)
        return plain and len(it.args) == 1 and not it.keywords and not isinstance(it.args[0], (ast.Starred, ast.GeneratorExp))

    # Python allows no `:=` in what a comprehension goes through.
    inside = {at for it in p.of(ast.comprehension) for at in ast.walk(it.iter)}
    return any(single(it) and single(it.args[0]) and it not in inside for it in p.values())


@rule("modular-state-interleaving")
def joined_condition(p):
    tests = [it.test for it in p.of(ast.If, ast.While) if isinstance(it.test, ast.BoolOp) and len(it.test.values) <= 8]
    return p.has("all", "any", "range") and any(all(p.may_be_called(at) for at in it.values) for it in tests)


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


def texts(p):
    """Plain texts that are values, without quotes, escapes and prefixes."""
    for it in p.values():
        if isinstance(it, ast.Constant) and isinstance(it.value, str) and not isinstance(p.parent[it], ast.Expr):
            text = p.segment(it)
            if text[:1] in "\"'" and text[:3] not in ('"""', "'''") and not set(text[1:-1]) & set("\\\"'\n\t"):
                yield it


def two_assignments(p):
    for first, second in p.pairs():
        if is_name_assign(first) and is_name_assign(second) and not p.inside_try(first) and p.free(first):
            a, b = first.targets[0].id, second.targets[0].id
            if a != b and a not in names(second.value) and p.private(a, p.home(first)):
                if not any(isinstance(it, (ast.ListComp, ast.SetComp, ast.DictComp)) and a in names(it) for it in ast.walk(second)):
                    yield first, second


@rule("positional-state-encoding")
def joined(p):
    return p.has("len") and any(two_assignments(p))


@rule("declaration-merge")
def merged(p):
    return any("#" not in "".join(p.lines[first.lineno - 1 : second.lineno - 1]) for first, second in two_assignments(p))


@rule("parameter-copy")
def has_parameter(p):
    for home, working in p.bodies():
        if isinstance(home, FUNCTIONS) and not p.reflective and not p.words & {"super", "__class__"}:
            own_names = {it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)}
            if own_names & set().union(*(names(it) for it in working)):
                return True
    return False


def seen_functions(p):
    """Functions all of whose uses are calls, and that only this program calls."""
    for it in p.of(*FUNCTIONS):
        inner = isinstance(p.home(it), FUNCTIONS) or isinstance(p.home(it), ast.Module) and (p.script or it.name.startswith("_") and not it.name.startswith("__"))
        uses = [at for at in p.of(ast.Name) if at.id == it.name]
        called = all(isinstance(p.parent[at], ast.Call) and p.parent[at].func is at for at in uses)
        single = sum(at.name == it.name for at in p.of(*FUNCTIONS, ast.ClassDef)) == 1
        starred = any(at.arg is None for use in uses for at in getattr(p.parent[use], "keywords", ()))
        if inner and called and single and not starred and not it.decorator_list and not p.reflective:
            yield it


@rule("parameter-rename")
def renames_parameter(p):
    return any(it.args.args for it in seen_functions(p))


@rule("function-rename")
def has_function(p):
    counted = [it.name for it in p.of(*FUNCTIONS)]
    for it in p.of(*FUNCTIONS):
        plain = p.free(it) and not it.decorator_list and counted.count(it.name) == 1 and not it.name.startswith("__")
        if plain and not p.reflective and p.alone(it):
            return True
    return False


@rule("field-rename")
def has_field(p):
    by_text = {
        "getattr", "setattr", "hasattr", "__dict__", "__slots__", "__getattr__", "__setattr__", "pickle", "dataclass", "dataclasses",
        "json", "copy", "match",
    }
    classes = p.of(ast.ClassDef)
    if p.reflective or by_text & p.words or any(it.bases or it.decorator_list for it in classes):
        return False
    for it in classes:
        fields = {}
        for at in p.of(ast.Attribute):
            in_class = any(up is it for up in p.above(at))
            fields.setdefault(at.attr, []).append(in_class and isinstance(at.value, ast.Name) and at.value.id == "self")
        stores = {at.attr for at in ast.walk(it) if isinstance(at, ast.Attribute) and isinstance(p.parent[at], ast.Assign) and isinstance(at.ctx, ast.Store)}
        others = p.bound | {at.id for at in p.of(ast.Name)}
        text = " ".join(at.value for at in p.of(ast.Constant) if isinstance(at.value, str))
        for name in stores:
            own_name = p.script or name.startswith("_") and not name.endswith("__")
            if own_name and all(fields[name]) and name not in others and name not in text:
                return True
    return False


@rule("conditional-table")
def branches(p):
    return any(p.free(it) and p.alone(it) for it in p.of(ast.If))


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
                literal = is_name_assign(around) and isinstance(around.value, ast.Constant) and isinstance(around.value.value, bool)
                given.setdefault(it.id, []).append(literal)
        if any(all(it) and p.private(name, home) and name not in {at.arg for at in ast.walk(home.args) if isinstance(at, ast.arg)} for name, it in given.items()):
            return not p.reflective
    return False


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
        called = isinstance(it.iter, ast.Call) and isinstance(it.iter.func, ast.Name) and it.iter.func.id in ("sorted", "list", "tuple")
        if p.free(it) and p.has("list", "len", "sorted", "tuple") and (called or isinstance(it.iter, new) or p.kind(it.iter) in ("str", "tuple")):
            return True
    return p.has("list", "len") and any(all(short(at) for at in it.iter.args) for it in ranges(p))


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


@rule("comprehension-loop")
def comprehension(p):
    comps = (ast.ListComp, ast.SetComp, ast.DictComp)
    takes = {"sum", "len", "max", "min", "any", "all", "sorted", "set", "tuple", "list"}
    for it in p.of(ast.Assign, ast.Return):
        value = it.value
        if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
            only = value.args[0]
            named = isinstance(value.func, ast.Name) and p.has(value.func.id) and value.func.id
            joins = isinstance(value.func, ast.Attribute) and value.func.attr == "join" and isinstance(value.func.value, ast.Constant)
            if isinstance(only, ast.ListComp) and named in takes:
                value = only
            elif isinstance(only, ast.GeneratorExp) and (joins or named in ("sorted", "tuple", "list")):
                value = only
        plain = isinstance(value, comps) or isinstance(value, ast.GeneratorExp) and value is not it.value
        if not plain or not p.alone(it) or p.reflective or not p.free(it) or not p.may_be_called(value):
            continue
        bound = {at.id for at in ast.walk(value) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)}
        inner = [at for at in ast.walk(value) if isinstance(at, (ast.Lambda, ast.GeneratorExp)) and at is not value]
        if not any(bound & names(at) for at in inner):
            return True
    return False


@rule("loop-comprehension")
def fills(p):
    for first, loop in p.pairs():
        if not (is_name_assign(first) and isinstance(first.value, ast.List) and not first.value.elts and isinstance(loop, ast.For)):
            continue
        name, at, bound, parts = first.targets[0].id, loop, set(), []
        while isinstance(at, (ast.For, ast.If)) and not at.orelse and len(at.body) == 1:
            parts.append(at.iter if isinstance(at, ast.For) else at.test)
            bound |= names(at.target) if isinstance(at, ast.For) else set()
            at = at.body[0]
        call = at.value if isinstance(at, ast.Expr) else None
        home = p.home(first)
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.append" and len(call.args) == 1):
            continue
        parts.append(call.args[0])
        inside = set(ast.walk(loop))
        elsewhere = [it for it in own(home) if isinstance(it, ast.Name) and it.id in bound and it not in inside]
        quiet = not any(name in names(it) or not p.may_be_called(it) for it in parts)
        still = p.private(name, home) and all(p.private(it, home) for it in bound)
        if quiet and still and not elsewhere and not p.inside_try(first) and not p.reflective:
            return True
    return False


@rule("tail-recursion")
def tail(p):
    for it in p.of(ast.FunctionDef):
        calls = [at for at in ast.walk(it) if isinstance(at, ast.Name) and at.id == it.name]
        tails = [at.value for at in own(it) if isinstance(at, ast.Return) and isinstance(at.value, ast.Call) and at.value.func in calls]
        plain = not it.decorator_list and not it.args.defaults and not it.args.vararg and not it.args.kwarg and not it.args.kwonlyargs
        same = all(len(at.args) == len(it.args.args) and not at.keywords for at in tails)
        inner = any(isinstance(at, (*DEFS, ast.GeneratorExp, *LOOPS, ast.Try, ast.With, *PAUSES)) for at in own(it))
        stores = {at.id for at in own(it) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)} - {at.arg for at in it.args.args}
        reads = [at for at in own(it) if isinstance(at, ast.Name) and at.id in stores and isinstance(at.ctx, ast.Load)]
        nested_if = all(p.bound_before(at, at.id) for at in reads)
        if tails and len(tails) == len(calls) and plain and same and not inner and nested_if and p.free(it) and not p.reflective:
            return True
    return False


@rule("loop-recursion")
def halves(p):
    loops = list(ranges(p))
    for it in loops:
        home = p.home(it)
        inside = [at for at in ast.walk(it) if at is not it]
        nested = any(at in loops for at in inside)
        stops = (ast.Return, *PAUSES, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.Lambda, ast.Delete, ast.With, ast.Import, ast.ImportFrom)
        stops = any(isinstance(at, stops) for at in inside) or any(isinstance(at, ast.Break) for at in jumps(it))
        shared = isinstance(home, FUNCTIONS) and any(isinstance(at, (ast.Global, ast.Nonlocal)) for at in own(home))
        known = isinstance(home, FUNCTIONS) and not calls_itself(p, home) and not shared or home is p.tree and p.script
        if not nested and not stops and not it.orelse and known and not p.reflective and not p.words & {"super", "__class__"}:
            return True
    return False


@rule("augmented-assignment")
def augments(p):
    def in_place(target):
        if isinstance(target, ast.Name):
            return True
        parts = [target.value] + ([target.slice] if isinstance(target, ast.Subscript) else [])
        home = p.home(target)
        return all(isinstance(it, ast.Constant) or isinstance(it, ast.Name) and p.private(it.id, home) for it in parts)

    return any(p.alone(it) and in_place(it.target) for home, _ in p.bodies() for it in own(home) if isinstance(it, ast.AugAssign))


@rule("increment-rewrite")
def increments(p):
    changes = [(it.target, it.op, it.value) for it in p.of(ast.AugAssign)]
    changes += [(it.left, it.op, it.right) for it in p.of(ast.BinOp)]
    for left, op, right in changes:
        number = isinstance(right, ast.Constant) and type(right.value) in (int, float)
        if isinstance(op, (ast.Add, ast.Sub)) and number and p.kind(left) in NUMBERS:
            return True
    return False


def calm(p, node):
    """Whether computing it does nothing that others may see: names, literals, sums of known numbers."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return p.private(node.id, p.home(node)) and p.bound_before(node, node.id)
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)) and p.kind(node) in ("int", "bool") and calm(p, node.left) and calm(p, node.right)


@rule("operand-swap")
def commutes(p):
    for it in p.of(ast.BinOp):
        op = isinstance(it.op, (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor))
        if op and p.kind(it.left) in NUMBERS and p.kind(it.right) in NUMBERS and (calm(p, it.left) or calm(p, it.right)):
            return not isinstance(it.left, ast.Constant) or not isinstance(it.right, ast.Constant)
    return False


@rule("comparison-swap")
def turns(p):
    signs = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    for it in p.of(ast.Compare):
        if len(it.ops) == 1 and isinstance(it.ops[0], signs):
            left, right = it.left, it.comparators[0]
            if isinstance(left, ast.Constant) != isinstance(right, ast.Constant):
                if not isinstance(getattr(left, "value", None), bytes) and not isinstance(getattr(right, "value", None), bytes):
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
            if all(isinstance(at, ast.Constant) or isinstance(at, ast.Name) and p.private(at.id, home) for at in middle):
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
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in vars(builtins) and p.has(value.func.id):
            plain = not value.keywords and not any(isinstance(at, (ast.Starred, ast.GeneratorExp)) for at in value.args)
            parts = value.args if plain else []
        computed = any(not isinstance(at, (ast.Name, ast.Constant)) for at in parts)
        quiet = value and not any(isinstance(at, (*PAUSES, ast.NamedExpr)) for at in ast.walk(value))
        if computed and quiet and p.alone(it) and p.free(it) and (isinstance(it, ast.Return) or len(it.targets) == 1):
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
            if isinstance(it.value, bool) or type(it.value) is int and re.fullmatch("[0-9]{1,15}", p.segment(it)):
                return True
    return any(len(it.value) > 1 for it in texts(p))


@rule("constant-naming")
def names_constants(p):
    literals = {it for it in p.values() if isinstance(it, ast.Constant) and type(it.value) in (int, float)} | set(texts(p))
    for home, working in p.bodies():
        code = [it for it in working if not isinstance(it, DEFS)]
        if any(at in literals for it in code for at in own(it)):
            return True
    return False


@rule("constant-inlining")
def inlines(p):
    for it in p.of(ast.Assign):
        if not is_name_assign(it) or not isinstance(it.value, ast.Constant) or not p.alone(it) or p.reflective:
            continue
        name, home = it.targets[0].id, p.home(it)
        places = [at for at in own(home) if isinstance(at, ast.Name) and at.id == name]
        stores = [at for at in places if not isinstance(at.ctx, ast.Load)]
        loads = [at for at in places if isinstance(at.ctx, ast.Load)]
        in_text = any(isinstance(up, ast.FormattedValue) for at in loads for up in p.above(at))
        once = len(stores) == 1 and loads and p.private(name, home) and name not in {at.arg for at in ast.walk(home.args) if isinstance(at, ast.arg)}
        if once and not in_text and all(p.bound_before(at, name) for at in loads) and it.lineno == it.end_lineno:
            return True
    return False


@rule("string-building")
def builds(p):
    for it in p.values():
        if isinstance(p.parent[it], ast.Expr):
            continue
        if isinstance(it, ast.Call) and isinstance(it.func, ast.Name) and it.func.id == "str" and p.has("str"):
            if len(it.args) == 1 and not it.keywords and not isinstance(it.args[0], (ast.Starred, ast.GeneratorExp)):
                return True
        if isinstance(it, ast.BinOp) and isinstance(it.op, ast.Add) and p.kind(it.left) == p.kind(it.right) == "str":
            return True
        if isinstance(it, ast.JoinedStr) and re.match("[fF](\"|')(?!\\1)", p.segment(it)) and it.lineno == it.end_lineno:
            parts = [at for at in it.values if isinstance(at, ast.FormattedValue)]
            nested = any(isinstance(at.format_spec, ast.JoinedStr) and any(isinstance(up, ast.FormattedValue) for up in at.format_spec.values) for at in parts)
            text = p.segment(it)
            if parts and not nested and "\\" not in text and "=" not in text and p.has("format", "str", "repr", "ascii"):
                return len(parts) < 10 and "$" not in text
    return False


@rule("declaration-split")
def several(p):
    for it in p.of(ast.Assign):
        pair = len(it.targets) == 1 and isinstance(it.targets[0], (ast.Tuple, ast.List)) and isinstance(it.value, (ast.Tuple, ast.List))
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
            literal = is_name_assign(first) and isinstance(first.value, ast.Constant) and p.alone(first) and p.alone(second)
            if not literal or working[-1] is second or p.inside_try(first) or p.reflective:
                continue
            name = first.targets[0].id
            comment = "#" in "".join(p.lines[first.lineno - 1 : second.lineno - 1])
            if name not in names(second) and p.private(name, p.home(first)) and not comment:
                if not any(isinstance(it, (ast.ListComp, ast.SetComp, ast.DictComp)) and name in names(it) for it in ast.walk(p.home(first))):
                    return True
    return False


@rule("try-wrap")
def wraps(p):
    return p.has("Exception", "BaseException") and any(isinstance(home, FUNCTIONS) and p.alone(working[-1]) for home, working in p.bodies())


@rule("dead-code")
def copies(p):
    for home, working in p.bodies():
        declares = any(isinstance(it, (ast.Global, ast.Nonlocal)) and it not in home.body for it in own(home))
        for statement in working:
            for it in [statement, *own(statement)]:
                kind = isinstance(it, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)) and not is_text(it)
                if (kind or isinstance(it, ast.Return) and it.value) and p.alone(it) and not declares and p.home(it) is home:
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
            plain = isinstance(last, ast.Return) and (last.value is None or isinstance(last.value, ast.Constant) and last.value.value is None)
            if plain and isinstance(around, FUNCTIONS) and p.alone(last):
                return True
            if isinstance(last, ast.Continue) and isinstance(around, LOOPS) and block is around.body and p.alone(last):
                return True
    return False


@rule("function-extract")
def extracts(p):
    kinds = (ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.IfExp, ast.ListComp, ast.SetComp, ast.DictComp)
    for it in p.of(ast.Assign, ast.Return):
        home = p.home(it)
        if not isinstance(it.value, kinds) or not p.alone(it) or not p.free(it) or p.reflective:
            continue
        if isinstance(it, ast.Assign) and len(it.targets) > 1:
            continue
        again = isinstance(home, FUNCTIONS) and calls_itself(p, home)
        shared = [at for at in own(home) if isinstance(at, (*DEFS, ast.GeneratorExp))] if isinstance(home, FUNCTIONS) else []
        seen = set().union(*(names(at) for at in shared)) & names(it.value) if shared else set()
        inner = any(isinstance(at, (ast.Lambda, ast.Constant)) and isinstance(at, ast.Lambda) for at in ast.walk(it.value))
        if not again and not seen and not inner and p.may_be_called(it.value):
            return True
    return False


@rule("function-inline")
def inlined(p):
    for function in p.of(ast.FunctionDef):
        working = p.working(function.body)
        plain = len(working) == 1 and isinstance(working[0], ast.Return) and working[0].value and not function.decorator_list
        args = function.args
        if not plain or args.defaults or args.vararg or args.kwarg or args.kwonlyargs or p.reflective:
            continue
        single = sum(it.name == function.name for it in p.of(*FUNCTIONS)) == 1 and not isinstance(p.home(function), ast.ClassDef)
        body = working[0].value
        one_line = body.lineno == body.end_lineno and len(p.segment(body)) <= 300
        if not single or not one_line or any(isinstance(it, (*PAUSES, ast.NamedExpr)) for it in ast.walk(body)):
            continue
        parameters = {it.arg for it in args.args}
        for it in p.of(ast.Call):
            called = isinstance(it.func, ast.Name) and it.func.id == function.name and it.lineno > function.end_lineno
            same = len(it.args) == len(args.args) and not it.keywords and not any(isinstance(at, (ast.Starred, ast.GeneratorExp)) for at in it.args)
            home = p.home(it)
            hidden = {at.id for at in own(home) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)} if isinstance(home, FUNCTIONS) else set()
            hidden |= {at.arg for at in ast.walk(home.args) if isinstance(at, ast.arg)} if isinstance(home, FUNCTIONS) else set()
            if called and same and not hidden & (names(body) - parameters):
                return True
    return False


@rule("member-reorder")
def members(p):
    for first, second in p.pairs():
        if isinstance(first, FUNCTIONS) and isinstance(second, FUNCTIONS) and first.name != second.name:
            if not first.decorator_list and not second.decorator_list:
                heads = [it.args for it in (first, second)] + [it.returns for it in (first, second) if it.returns]
                runs = any(isinstance(at, (ast.Call, ast.Lambda, ast.BinOp)) for it in heads for at in ast.walk(it))
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
            binds = [at for at in uses if not isinstance(at.ctx, ast.Load)] + [at for at in p.of(ast.arg) if at.arg == name]
            again = sum((at.asname or at.name) == name for up in p.of(ast.Import, ast.ImportFrom) for at in up.names) > 1
            if "." not in name and name != "*" and uses and not binds and not again and not p.reflective and p.free(it):
                if name not in {at.name for at in p.of(*FUNCTIONS, ast.ClassDef)} and getattr(it, "module", "") != "__future__":
                    return True
    return False


@rule("layout-indent")
def indented(p):
    starts = [p.lines[it.lineno - 1][: it.col_offset] for it in p.of(ast.stmt) if p.lines[it.lineno - 1][: it.col_offset].strip() == ""]
    marks = set("".join(starts))
    return len(marks) == 1


@rule("layout-blank-lines")
def follows(p):
    return any(not "".join(p.lines[first.end_lineno : second.lineno - 1]) and second.lineno == first.end_lineno + 1 and not getattr(second, "decorator_list", None) for first, second in p.pairs())


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
        items = list(it.args) + list(it.keywords) if isinstance(it, ast.Call) else it.args.args if isinstance(it, ast.FunctionDef) else it.keys if isinstance(it, ast.Dict) else it.elts
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
            if second.lineno == first.end_lineno + 1 and "#" not in p.lines[first.end_lineno - 1].encode()[first.end_col_offset :].decode(errors="replace"):
                return True
    return False


@rule("layout-docstring")
def documented(p):
    readers = {"__doc__", "doctest", "help", "argparse", "docopt", "getdoc"}
    homes = [p.tree, *p.of(*FUNCTIONS, ast.ClassDef)]
    return not p.reflective and not readers & p.words and any(it.body and is_text(it.body[0]) and p.alone(it.body[0]) for it in homes)


@rule("layout-comments-removed")
def commented(p):
    import io
    import tokenize

    for it in tokenize.generate_tokens(io.StringIO(p.code).readline):
        if it.type == tokenize.COMMENT and (it.start[0] > 2 or not it.string.startswith("#!") and "coding" not in it.string):
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
