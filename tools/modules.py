#!/usr/bin/env python3
"""Checks that the modules of each crate, and those of the pages, form layers: no circle among their files.

Usage: tools/modules.py [--arrows] [FOLDER…]

FOLDER is a crate (`crates/search`) or `web`; without one, all of them are read. A file is one module. An arrow leads
from the file that names an item to the file that defines it, through all re-exports. A `mod` line and a re-export are
no arrows, since they take nothing from the file. Tests do not count. `--arrows` prints what ties each circle.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Strings and comments of Rust, which name nothing. A quote that opens no character is a lifetime.
SILENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\n]+?|[^\'\\\n])\'', re.S
)
TEST_ONLY = re.compile(r"#\[cfg\((?:test|all\(test[^\]]*\)|any\(test[^\]]*\))\)\]\s*(?:#\[[^\]]*\]\s*)*")
ITEM = re.compile(
    r"(?<!['\w])(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+(?:mut\s+)?([A-Za-z_]\w*)"
)
MOD = re.compile(r"(?:#\[path\s*=\s*\"([^\"]+)\"\]\s*)?(?:pub(?:\([^)]*\))?\s+)?\bmod\s+(\w+)\s*(;|\{)")
USE = re.compile(r"(pub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
PATH = re.compile(r"(?<![\w:])(?:\w+\s*::\s*)+\w+")


def silenced(text):
    """The text without strings and comments; what a `path` attribute says is kept."""
    kept = re.sub(r'#\[path\s*=\s*"[^"]+"\]', lambda found: found.group().replace('"', "\x00"), text)
    return SILENT.sub(lambda found: '""' if found.group().endswith('"') else " ", kept).replace("\x00", '"')


def block_end(text, start):
    """Where the item that starts at `start` ends: behind its `;`, or behind the brace that closes it."""
    depth = 0
    for place in range(start, len(text)):
        letter = text[place]
        if letter in "{([":
            depth += 1
        elif letter in "})]":
            depth -= 1
            if depth == 0 and letter == "}":
                return place + 1
        elif letter in ";," and depth == 0:
            return place + 1
    return len(text)


def without_tests(text):
    """The text without the items that are compiled for tests only."""
    while found := TEST_ONLY.search(text):
        text = text[: found.start()] + text[block_end(text, found.end()) :]
    return text


def flattened(tree, before=()):
    """The paths of a `use`: pairs of the path and the name that it gets."""
    tree = tree.strip()
    opened = tree.find("{")
    if opened < 0:
        path, _, name = tree.partition(" as ")
        parts = before + tuple(part.strip() for part in path.split("::") if part.strip())
        if parts and parts[-1] == "self":
            parts = parts[:-1]
        return [(parts, name.strip() or (parts[-1] if parts else ""))]
    head = before + tuple(part.strip() for part in tree[:opened].split("::") if part.strip())
    paths, depth, start = [], 0, opened + 1
    for place in range(opened, tree.rfind("}") + 1):
        letter = tree[place]
        depth += (letter == "{") - (letter == "}")
        if (letter == "," and depth == 1) or depth == 0:
            if tree[start:place].strip():
                paths += flattened(tree[start:place], head)
            start = place + 1
    return paths


class Module:
    """One module of a crate: a file, or a block `mod x { … }` in a file."""

    def __init__(self, file, parent, name):
        self.file, self.parent, self.name = file, parent, name
        self.children, self.items = {}, set()
        self.uses = []  # (path, name, whether others may see it)
        self.paths = []


def read(file, folder, parent, name, text=None):
    """Reads a module and those below it. Its children stand in `folder`."""
    module = Module(file, parent, name)
    if text is None:
        text = without_tests(silenced(file.read_text()))
    rest, place = [], 0
    for found in MOD.finditer(text):
        if found.start() < place:
            continue
        path, child, opening = found.groups()
        rest.append(text[place : found.start()])
        if opening == "{":
            place = block_end(text, found.end() - 1)
            inner = text[found.end() : place - 1]
            module.children[child] = read(file, folder / child, module, child, inner)
            continue
        place = found.end()
        if path:
            at = file.parent / path
            below = at.parent
        else:
            at, below = folder / f"{child}.rs", folder / child
            if not at.exists():
                at = below / "mod.rs"
        if at.exists():
            module.children[child] = read(at, below, module, child)
    rest.append(text[place:])
    text = "".join(rest)
    for found in USE.finditer(text):
        for path, given in flattened(found.group(2)):
            module.uses.append((path, given, bool(found.group(1))))
    text = USE.sub("", text)
    module.items = set(ITEM.findall(text))
    module.paths = [tuple(re.split(r"\s*::\s*", found)) for found in PATH.findall(text)]
    module.words = set(re.findall(r"\w+", text))
    return module


def everything(module):
    """The module and all below it."""
    yield module
    for child in module.children.values():
        yield from everything(child)


def look_up(root, module, path, seen=frozenset()):
    """The modules that define what `path` names, seen from `module`; nothing if it is of another crate."""
    key = (id(module), path)
    if key in seen:
        return set()
    seen = seen | {key}
    at = module
    for index, part in enumerate(path):
        rest = path[index + 1 :]
        if part == "crate" and index == 0:
            at = root
        elif part == "self":
            pass
        elif part == "super":
            at = at.parent or at
        elif part == "*":
            return {at}
        elif part in at.children:
            at = at.children[part]
            if not rest:
                return {at}
        elif part in at.items:
            return {at}
        else:
            found = set()
            for used, name, _ in at.uses:
                if name == part and used[:1] != (part,):
                    found |= look_up(root, at, used + rest, seen)
                elif name == "*" and used[0] in ("crate", "self", "super", *at.children, *at.items):
                    found |= look_up(root, at, used[:-1] + path[index:], seen)
            return found
    return {at}


def arrows_of_rust(folder):
    """The arrows of a crate: for each file, the files it takes from, each with the names taken."""
    arrows = {}
    sources = folder / "src"
    for start in ("lib.rs", "main.rs"):
        if not (sources / start).exists():
            continue
        root = read(sources / start, sources, None, "crate")
        for module in everything(root):
            here = arrows.setdefault(module.file, {})
            taken = [(path, path[-1]) for path in module.paths]
            for path, name, shown in module.uses:
                # A re-export takes nothing, unless the file also uses the name.
                if not shown or name in module.words:
                    taken.append((path, name))
            for path, name in taken:
                for target in look_up(root, module, path):
                    if target.file != module.file:
                        # Naming a module alone takes nothing from it: the path behind it does.
                        if path[-1] in (target.name, "self") and path[-1] not in target.items:
                            continue
                        here.setdefault(target.file, set()).add(name)
    return arrows


IMPORT = re.compile(r"^\s*(import|export)\s+(?:type\s+)?([^;'\"]*?)\bfrom\s*[\"']([^\"']+)[\"']", re.M)
BARE = re.compile(r"\bimport\s*\(?\s*[\"']([^\"']+)[\"']")


def arrows_of_pages(folder):
    """The arrows of the pages: for each file, the files that it imports."""
    sources = folder / "src"
    files = [file for file in sorted(sources.rglob("*.ts*")) if ".test." not in file.name]
    arrows = {}
    for file in files:
        here = arrows.setdefault(file, {})
        text = file.read_text()
        named = [(found[1], found[2]) for found in IMPORT.findall(text) if found[0] == "import"]
        for names, source in named + [("all of it", source) for source in BARE.findall(text)]:
            if not source.startswith("."):
                continue
            target = (file.parent / source).resolve()
            for candidate in (target, target.with_suffix(".ts"), target.with_suffix(".tsx"),
                              pathlib.Path(f"{target}.ts"), pathlib.Path(f"{target}.tsx")):
                if candidate.is_file() and candidate in files:
                    here.setdefault(candidate, set()).add(" ".join(names.split()))
                    break
    return arrows


def circles(arrows):
    """The groups of files that reach each other (Tarjan, Depth-first search and linear graph algorithms, 1972)."""
    order, low, stack, waiting, found = {}, {}, [], set(), []

    def visit(start):
        work = [(start, iter(sorted(arrows.get(start, ()))))]
        order[start] = low[start] = len(order)
        stack.append(start)
        waiting.add(start)
        while work:
            node, others = work[-1]
            for other in others:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    waiting.add(other)
                    work.append((other, iter(sorted(arrows.get(other, ())))))
                    break
                if other in waiting:
                    low[node] = min(low[node], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    group = []
                    while True:
                        group.append(stack.pop())
                        waiting.discard(group[-1])
                        if group[-1] == node:
                            break
                    if len(group) > 1:
                        found.append(sorted(group))

    for node in sorted(arrows):
        if node not in order:
            visit(node)
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--arrows", action="store_true", help="print what ties each circle")
    arguments = parser.parse_args()
    folders = [pathlib.Path(folder).resolve() for folder in arguments.folders] or [
        *sorted(toml.parent for toml in ROOT.glob("crates/*/Cargo.toml")),
        *sorted(toml.parent for toml in ROOT.glob("tools/*/Cargo.toml")),
        ROOT / "web",
    ]
    for folder in folders:
        if not (folder / "src").is_dir():
            parser.error(f"{folder} has no folder src: give a crate, or web")
    count = 0
    for folder in folders:
        arrows = arrows_of_pages(folder) if (folder / "package.json").exists() else arrows_of_rust(folder)
        for group in circles(arrows):
            count += 1
            print(f"{folder.name}: a circle of {len(group)} files:",
                  ", ".join(str(file.relative_to(folder / "src")) for file in group))
            for file in group if arguments.arrows else ():
                for other, names in sorted(arrows[file].items()):
                    if other in group:
                        print(f"  {file.relative_to(folder / 'src')} takes {', '.join(sorted(names))}"
                              f" from {other.relative_to(folder / 'src')}")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
