"""Writes the submissions of a class of 60 to class-2025 and class-2026, and sections.csv.

Each submission has some functions of Python's standard library, and some submissions have functions of others.
"""

import ast
import pathlib
import random
import re
import sysconfig

FAMILIES = ["abel", "brandt", "cruz", "dietz", "ernst", "fuchs"]
GIVEN = ["ben", "bilal", "carla", "elif", "emma", "farid", "hugo", "ines", "jonas", "liam", "noah", "olga", "rosa", "sami", "zoe"]
# How many members each cluster has.
CLUSTERS = [12, 8, 5, 4, 2]


def functions(folder):
    """The functions of a folder that are neither short nor long, without those that have lines of another one."""
    found, known = {}, set()
    for file in sorted(pathlib.Path(folder).glob("*.py")):
        text = file.read_text(errors="replace")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and 14 <= node.end_lineno - node.lineno <= 40:
                lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
                indent = len(lines[0]) - len(lines[0].lstrip())
                long = {line.strip() for line in lines if len(line.strip()) > 20}
                if node.name not in found and len(long & known) < 2 and len(long) > 8:
                    found[node.name] = "\n".join(line[indent:] for line in lines)
                    known |= long
    return list(found.values())


def edited(text, chance):
    """A copy with another name for one variable, and now and then without a line."""
    names = sorted(set(re.findall(r"\b([a-z_]{4,})\b(?= = )", text)))
    if names:
        text = re.sub(rf"\b{chance.choice(names)}\b", "value_" + str(chance.randrange(9)), text)
    lines = text.split("\n")
    if chance.random() < 0.4:
        lines.insert(len(lines) // 2, re.match(r"\s*", lines[len(lines) // 2]).group() + "print('here')")
    return "\n".join(lines)


def main():
    chance = random.Random(60)
    pool = functions(sysconfig.get_path("stdlib"))
    chance.shuffle(pool)
    people = [f"{family}_{given}" for family in FAMILIES for given in GIVEN]
    chance.shuffle(people)
    people = sorted(people[:60])
    semester = {name: 2025 + at % 2 for at, name in enumerate(people)}
    code = {name: [pool.pop() for _ in range(3)] for name in people}
    chance.shuffle(people)
    start = 0
    for size in CLUSTERS:
        members = people[start : start + size]
        start += size
        for at, name in enumerate(members[1:], 1):
            source = members[chance.randrange(max(0, at - 3), at)]
            for text in chance.sample(code[source], chance.choice([1, 2, 2])):
                code[name].append(text if chance.random() < 0.3 else edited(text, chance))
    for name, texts in code.items():
        folder = pathlib.Path(f"class-{semester[name]}") / name
        folder.mkdir(parents=True)
        (folder / "solution.py").write_text("\n\n\n".join(texts) + "\n")
    rows = "".join(f"{name},{year}\n" for name, year in sorted(semester.items()))
    pathlib.Path("sections.csv").write_text("name,group\n" + rows)


main()
