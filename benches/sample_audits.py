"""Draws pairs of audits to read: sample_audits.py TABLE.tsv CASE=REPORT.json:N... CASE=REPORT.json:TEXT,...

REPORT is what `familiar audit --format json` wrote; N pairs of it are drawn, spread over verdicts and clone types, at most one of a
file of the audited side and two of a blob of the other, always the same ones of the same report. TEXT takes the first pair whose
left path ends with it. TABLE is written anew; `finding` is the status and the decision of the finding that has the pair. What a reader
said of a pair (the columns `reader`, `right_verdict` and `why`) is kept by case and places, unless its finding says something else now.
"""

import csv
import hashlib
import json
import os
import sys

COLUMNS = ["case", "left", "right", "fingerprint", "type", "similarity", "left_license", "left_by", "right_license",
           "right_by", "older", "verdict", "finding", "attribution", "reader", "right_verdict", "why"]
SAID = COLUMNS[-3:]
KEY = ["case", "left", "right", "finding"]


def place(report, fragment):
    """project with its version, path and lines"""
    root = fragment.get("root")
    project = report["settings"]["roots"][root] if root is not None else ""
    purl = next((o["purl"] for o in fragment["occurrences"] if o.get("project") == project and o.get("purl")), None)
    name = purl.removeprefix("pkg:").replace("@", " ") if purl else os.path.basename(project)
    return f"{name} {fragment['path']}:{fragment['start_line']}-{fragment['end_line']}"


def finding_of(report, pair):
    """status and decision of the finding that has the pair"""
    number = report["pairs"].index(pair)
    finding = next(finding for finding in report["findings"] if number in [finding["pair"], *finding["others"]])
    return f"{finding['status']}/{finding['decision']}"


def row(case, report, pair):
    left, right = (report["fragments"][pair[side]] for side in ("left", "right"))
    return {
        "case": case, "left": place(report, left), "right": place(report, right), "fingerprint": pair["fingerprint"],
        "type": pair["type"], "similarity": f"{pair['similarity']:.2f}",
        "left_license": left["license"] or "none", "left_by": left["license_by"] or "",
        "right_license": right["license"] or "none", "right_by": right["license_by"] or "",
        "older": pair["direction"]["older"], "verdict": pair["verdict"]["status"],
        "finding": finding_of(report, pair), "attribution": pair["attribution"]["grade"],
    }


def draw(report, count):
    """`count` pairs, one of each verdict and type in turn, in the order of their hashes"""
    def order(pair):
        return hashlib.sha256(pair["fingerprint"].encode()).hexdigest()

    strata, files, blobs = {}, set(), {}
    for pair in sorted(report["pairs"], key=lambda pair: (order(pair), pair["left"], pair["right"])):
        left, right = (report["fragments"][pair[side]] for side in ("left", "right"))
        if (left["root"], left["path"]) not in files and blobs.get(right["blob"], 0) < 2:
            files.add((left["root"], left["path"]))
            blobs[right["blob"]] = blobs.get(right["blob"], 0) + 1
            strata.setdefault((pair["verdict"]["status"], pair["type"]), []).append(pair)
    drawn = []
    while len(drawn) < count and any(strata.values()):
        for key in sorted(strata):
            if strata[key] and len(drawn) < count:
                drawn.append(strata[key].pop(0))
    return drawn


def chosen(report, ends):
    """the first pair of each left path that ends so"""
    for end in ends.split(","):
        yield next(pair for pair in report["pairs"] if report["fragments"][pair["left"]]["path"].endswith(end))


def main():
    table, *reports = sys.argv[1:]
    said = {}
    if os.path.exists(table):
        with open(table, encoding="utf-8", newline="") as old:
            said = {tuple(r[c] for c in KEY): [r[c] for c in SAID] for r in csv.DictReader(old, delimiter="\t")}
    rows = []
    for argument in reports:
        case, path = argument.split("=", 1)
        path, count = path.rsplit(":", 1)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        pairs = draw(report, int(count)) if count.isdigit() else chosen(report, count)
        rows += [row(case, report, pair) for pair in pairs]
    with open(table, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for line in sorted(rows, key=lambda line: (line["case"], line["left"], line["right"])):
            line.update(zip(SAID, said.get(tuple(line[c] for c in KEY), ["", "", ""])))
            writer.writerow(line)
    unread = sum(not line["reader"] for line in rows)
    print(f"{len(rows)} pairs, {unread} of them not read")


main()
