#!/usr/bin/env python3
"""Draws what attacks on detectors came to, from results of `familiar attack --format json`.

    python3 benches/robustness_figures.py steps FIGURE.svg DETECTOR=RESULT.json,RESULT.json ...
    python3 benches/robustness_figures.py alone FIGURE.svg DETECTOR=RESULT.json ...

`steps` has one panel for each detector: the mean distance of the worst case after each step, a line for the set of each
result. `alone` has one bar for each transformation and detector: the mean distance of what it makes by itself. Needs
Python 3.11 and nothing outside its library.
"""

import html
import json
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, GAP = 260, 180, 34, 26, 46
COLORS = ("#1f4e79", "#b04a1f", "#3c7a3c")
BAR, NAMES = 7, 250


def read(path: str) -> dict:
    return json.loads(Path(path).read_text())


def text(x: float, y: float, said: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{html.escape(said)}</text>'


def lines_of(result: dict, color: str, is_lowest: bool) -> str:
    """The line of one set, with its name at its end."""
    values = [0.0, *result["by_step"]]
    place = lambda at, value: (WIDTH * at / (len(values) - 1), (1 - value) * HEIGHT)
    points = " ".join("{:.1f},{:.1f}".format(*place(at, value)) for at, value in enumerate(values))
    line = f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.6"/>'
    x, y = place(len(values) - 1, values[-1])
    return line + text(x, y + (12 if is_lowest or y < 14 else -4), result["set"], f'fill="{color}" text-anchor="end"')


def panel(title: str, results: list[dict], left: float, top: float) -> str:
    steps = len(results[0]["by_step"])
    grid = "".join(
        f'<line x1="0" x2="{WIDTH}" y1="{y * HEIGHT}" y2="{y * HEIGHT}" stroke="#ddd"/>'
        + text(-6, y * HEIGHT + 4, f"{1 - y:g}", 'text-anchor="end"')
        for y in (0, 0.25, 0.5, 0.75, 1)
    ) + "".join(
        text(WIDTH * at / steps, HEIGHT + 14, str(at), 'text-anchor="middle"') for at in range(steps + 1)
    )
    lowest = min(results, key=lambda result: result["by_step"][-1])
    drawn = "".join(lines_of(result, color, result is lowest) for result, color in zip(results, COLORS))
    return f'<g transform="translate({left},{top})">{text(0, -8, title)}{grid}{drawn}</g>'


def by_steps(named: list[tuple[str, str]]) -> tuple[float, float, str]:
    panels = [
        panel(title, [read(path) for path in paths.split(",")],
              LEFT + at % 2 * (WIDTH + GAP), TOP + at // 2 * (HEIGHT + GAP))
        for at, (title, paths) in enumerate(named)
    ]
    return LEFT + 2 * (WIDTH + GAP), TOP + (len(named) + 1) // 2 * (HEIGHT + GAP), "".join(panels)


def alone(named: list[tuple[str, str]]) -> tuple[float, float, str]:
    results = [(title, {one["name"]: one["distance"] for one in read(path)["by_transformation"]}) for title, path in named]
    total = lambda name: sum(values.get(name, 0.0) for _, values in results)
    names = sorted(results[0][1], key=lambda name: (-total(name), name))
    row = BAR * len(results) + 5
    drawn = []
    for at, (title, _) in enumerate(results):
        drawn.append(text(NAMES + at * 110, 14, title, f'fill="{COLORS[at]}"'))
    for at, name in enumerate(names):
        top = TOP + at * row
        drawn.append(text(NAMES - 6, top + row / 2 + 2, name, 'text-anchor="end"'))
        for which, (_, values) in enumerate(results):
            width = values.get(name, 0.0) * WIDTH
            drawn.append(f'<rect x="{NAMES}" y="{top + which * BAR}" width="{width:.1f}" height="{BAR - 1}" fill="{COLORS[which]}"/>')
            drawn.append(text(NAMES + width + 4, top + which * BAR + 6, f"{values.get(name, 0.0):.2f}", 'font-size="7"'))
    return NAMES + WIDTH + 40, TOP + len(names) * row + 8, "".join(drawn)


def main() -> int:
    what, figure, *named = sys.argv[1:]
    width, height, drawn = {"steps": by_steps, "alone": alone}[what]([tuple(n.split("=", 1)) for n in named])
    Path(figure).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="white"/>{drawn}</svg>\n'
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
