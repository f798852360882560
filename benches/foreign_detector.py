#!/usr/bin/env python3
"""copydetect as a detector: `familiar attack --detector 'command:python3 benches/foreign_detector.py'`.

`pip install copydetect` first. copydetect compares the fingerprints of two texts by winnowing, as MOSS does. The score is the
larger of both shares of overlap, from 0 to 1.
"""
import io
import json
import sys

import copydetect

# The defaults of copydetect: a noise threshold of 25 and a guarantee of the same length, which makes windows of 1.
SIZE, WINDOW = 25, 1


def fingerprint(code, language):
    return copydetect.CodeFingerprint(f"one.{language}", SIZE, WINDOW, fp=io.StringIO(code))


def score(pair):
    one, two = fingerprint(pair["code1"], pair["lang1"]), fingerprint(pair["code2"], pair["lang2"])
    _, shares, _ = copydetect.compare_files(one, two)
    return float(min(1.0, max(shares)))


ENDINGS = {"python": "py", "java": "java", "c": "c", "cpp": "cpp", "javascript": "js", "typescript": "ts", "go": "go"}

for line in sys.stdin:
    pairs = json.loads(line)["pairs"]
    for pair in pairs:
        pair["lang1"], pair["lang2"] = (ENDINGS.get(pair[key], pair[key]) for key in ("lang1", "lang2"))
    print(json.dumps({"scores": [score(pair) for pair in pairs]}), flush=True)
