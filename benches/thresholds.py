#!/usr/bin/env python3
"""Draws recall and false positives against the threshold, from results of `familiar evaluate pairs --format json`.

    python3 benches/thresholds.py FIGURE.svg TITLE=RESULT.json ...

One panel for each result: the solid line is recall, the dashed one the rate of false positives, from a threshold of 0.01
to one of 0.99 by its log-odds. Needs Python 3.11 and nothing outside its library.
"""

import html
import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, GAP = 260, 180, 34, 26, 46


THRESHOLDS = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


def across(threshold: float) -> float:
    """Where a threshold stands between the first and the last."""
    odds = [math.log(p / (1 - p)) for p in (THRESHOLDS[0], threshold, THRESHOLDS[-1])]
    return WIDTH * (odds[1] - odds[0]) / (odds[2] - odds[0])


def line(curve: list[dict], key: str, dashes: str) -> str:
    shown = [p for p in curve if THRESHOLDS[0] <= p["threshold"] <= THRESHOLDS[-1]]
    points = " ".join(f"{across(p['threshold']):.1f},{(1 - p[key]) * HEIGHT:.1f}" for p in shown)
    return f'<polyline points="{points}" fill="none" stroke="#1f4e79" stroke-width="1.6" {dashes}/>'


def panel(title: str, curve: list[dict], left: float, top: float) -> str:
    grid = "".join(
        f'<line x1="0" x2="{WIDTH}" y1="{y * HEIGHT}" y2="{y * HEIGHT}" stroke="#ddd"/>'
        f'<text x="-6" y="{y * HEIGHT + 4}" text-anchor="end">{1 - y:g}</text>'
        for y in (0, 0.25, 0.5, 0.75, 1)
    ) + "".join(
        f'<line x1="{across(x):.1f}" x2="{across(x):.1f}" y1="0" y2="{HEIGHT}" stroke="#ddd"/>'
        f'<text x="{across(x):.1f}" y="{HEIGHT + 14}" text-anchor="middle">{x:g}</text>'
        for x in THRESHOLDS
    )
    lines = line(curve, "recall", "") + line(curve, "fpr", 'stroke-dasharray="4 3"')
    return f'<g transform="translate({left},{top})"><text x="0" y="-8">{html.escape(title)}</text>{grid}{lines}</g>'


def main() -> int:
    figure, *named = sys.argv[1:]
    results = [(title, json.loads(Path(path).read_text())) for title, path in (n.split("=", 1) for n in named)]
    panels = [
        panel(title, result["curve"], LEFT + at % 2 * (WIDTH + GAP), TOP + at // 2 * (HEIGHT + GAP))
        for at, (title, result) in enumerate(results)
    ]
    width, height = LEFT + 2 * (WIDTH + GAP), TOP + (len(results) + 1) // 2 * (HEIGHT + GAP)
    Path(figure).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(panels)}</svg>\n'
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
