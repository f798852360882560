"""The names that a text uses and nobody gives."""
import ast
import builtins
import importlib
import symtable

# What stands before the name of a module that is missing.
MODULE = "module "
AROUND = {"__name__", "__file__", "__doc__", "__builtins__"}


def tables(table):
    yield table
    for child in table.get_children():
        yield from tables(child)


def imported(tree):
    """The modules that are imported anywhere: each with its name, or nothing where it is not there."""
    names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    modules = {}
    for name in sorted(names):
        try:
            modules[name] = importlib.import_module(name)
        except Exception:
            modules[name] = None
    return modules


def members(tree, modules):
    """Members that a module of this version and system does not have."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id)
            if module is not None and not hasattr(module, node.attr):
                yield node.value.id + "." + node.attr


def missing_names(text):
    try:
        tree, top = ast.parse(text), symtable.symtable(text, "side", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return []
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
        return []
    known = AROUND | set(dir(builtins))
    used = set()
    for table in tables(top):
        for symbol in table.get_symbols():
            own = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
            if table is top and own or symbol.is_declared_global() and own:
                known.add(symbol.get_name())
            if symbol.is_global() or table is top:
                used.add(symbol.get_name())
    modules = imported(tree)
    gone = [MODULE + name for name, module in modules.items() if module is None]
    return gone + sorted(used - known) + sorted(set(members(tree, modules)))
