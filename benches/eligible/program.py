"""A program with what the rules ask its syntax tree for."""

import ast
import re
import symtable

LOOPS = (ast.For, ast.While)


DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.Return,
    ast.Raise,
    ast.Pass,
    ast.Break,
    ast.Continue,
    ast.Assert,
    ast.Delete,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.Nonlocal,
)


PAUSES = (ast.Yield, ast.YieldFrom, ast.Await)


REFLECTION = {
    "exec",
    "eval",
    "locals",
    "globals",
    "vars",
    "dir",
    "compile",
    "__import__",
    "_getframe",
    "currentframe",
    "inspect",
    "settrace",
    "breakpoint",
}


FROZEN = {"int", "bool", "float", "str", "NoneType", "range"}


NUMBERS = {"int", "bool", "float"}


RESULTS = {
    "len": "int",
    "ord": "int",
    "int": "int",
    "bool": "bool",
    "isinstance": "bool",
    "any": "bool",
    "all": "bool",
    "float": "float",
    "str": "str",
    "chr": "str",
    "repr": "str",
    "bin": "str",
    "hex": "str",
    "input": "str",
    "list": "list",
    "sorted": "list",
    "tuple": "tuple",
    "set": "set",
    "dict": "dict",
    "range": "range",
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
            node.has_elif = isinstance(first, ast.If) and self.lines[first.lineno - 1][
                first.col_offset :
            ].startswith("elif")
        self.words = set(re.findall(r"\w+", self.code))
        used = {it.id for it in self.of(ast.Name)}
        # `re.compile` makes no code.
        makes_none = lambda it: it.attr == "compile" and ast.unparse(it.value) in ("re", "regex")
        used |= {it.attr for it in self.of(ast.Attribute) if not makes_none(it)}
        used |= {alias.name for it in self.of(ast.Import, ast.ImportFrom) for alias in it.names}
        self.reflective = bool(used & REFLECTION)
        bound = {it.id for it in self.of(ast.Name) if not isinstance(it.ctx, ast.Load)}
        bound |= {it.name for it in self.of(*FUNCTIONS, ast.ClassDef)} | {it.arg for it in self.of(ast.arg)}
        for it in self.of(ast.Import, ast.ImportFrom):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in it.names}
        self.bound = bound
        self.all_imported = "*" in bound
        self.script = any(
            isinstance(it, ast.Call)
            and ast.unparse(it.func) in ("print", "input", "sys.stdin.read", "sys.stdin.readline")
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
        return next(
            (it for it in self.above(node) if isinstance(it, (*FUNCTIONS, ast.ClassDef, ast.Module))),
            self.tree,
        )

    def free(self, node):
        """Whether new names may stand beside it."""
        return not isinstance(self.home(node), ast.ClassDef)

    def alone(self, node):
        """Whether it has its lines for itself."""
        before = self.lines[node.lineno - 1].encode()[: node.col_offset].decode(errors="replace")
        behind = (
            self.lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode(errors="replace").strip()
        )
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
                    plain = (
                        symbol.is_local()
                        and symbol.is_assigned()
                        and not symbol.is_imported()
                        and not symbol.is_namespace()
                    )
                    if (
                        plain
                        and symbol.is_parameter() == parameters
                        and not symbol.get_name().startswith(("_", "."))
                    ):
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
        if isinstance(home, FUNCTIONS) and name in {
            it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)
        }:
            return True
        at = node
        for around in self.above(node):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(around, field, None)
                if isinstance(block, list) and at in block:
                    for statement in block[: block.index(at)]:
                        if isinstance(statement, ast.Assign) and any(
                            name in names(it) for it in statement.targets
                        ):
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
        if isinstance(home, ast.ClassDef) or any(
            isinstance(it, (*PAUSES, ast.NamedExpr)) for it in ast.walk(node)
        ):
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
        for form, kind in (
            (ast.List, "list"),
            (ast.ListComp, "list"),
            (ast.Tuple, "tuple"),
            (ast.Set, "set"),
            (ast.Dict, "dict"),
        ):
            if isinstance(node, form):
                return kind
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self.has(node.func.id):
            return RESULTS.get(node.func.id)
        if isinstance(node, ast.UnaryOp):
            return "bool" if isinstance(node.op, ast.Not) else self.kind(node.operand, depth)
        if isinstance(node, ast.BinOp):
            both = {self.kind(node.left, depth), self.kind(node.right, depth)}
            if both <= {"int", "bool"}:
                return (
                    "float"
                    if isinstance(node.op, ast.Div)
                    else None if isinstance(node.op, ast.Pow) else "int"
                )
            if both <= NUMBERS and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
                return "float"
            if both == {"str"} and isinstance(node.op, ast.Add):
                return "str"
            return None
        if isinstance(node, ast.Compare) and all(
            isinstance(it, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for it in node.ops
        ):
            return "bool"
        if isinstance(node, ast.Name) and depth:
            return self.kind_of_name(node, depth)
        return None

    def kind_of_name(self, node, depth):
        home = self.home(node)
        if not self.private(node.id, home) or node.id in {
            it.arg for it in ast.walk(home.args) if isinstance(it, ast.arg)
        }:
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
                if not any(
                    isinstance(it, (ast.JoinedStr, ast.FormattedValue, ast.pattern)) for it in chain[1:]
                ):
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
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, (ast.Constant, ast.JoinedStr))
        and isinstance(getattr(node.value, "value", ""), str)
    )


def is_name_assign(node):
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
