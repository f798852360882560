import { expect, test } from "vitest";
import { merge, fromDocument, toPolicy, latestDecisions, toDocument, type Decision } from "../src/data/decision";
import type { ReportData, Tables } from "../src/data/model";
import { Result } from "../src/data/result";
import { decisionsByFinding } from "../src/decisions/by-finding";
import { importDecisions } from "../src/decisions/import";
import { EVERYTHING, findings, fromParams, toParams } from "../src/findings/filter";

const print = (digit: string) => digit.repeat(32);
const decision = (digit: string, second: number, what: Decision["decision"], comment = ""): Decision => ({
  fingerprint: print(digit),
  decided: `2026-01-31T00:00:0${second}Z`,
  author: "ada",
  decision: what,
  ...(comment ? { comment } : {}),
});

test("the newest of a finding counts, in whatever order they come", () => {
  const all = [decision("b", 1, "accepted"), decision("a", 2, "open"), decision("a", 1, "accepted"), decision("b", 3, "needs-action")];
  expect([...latestDecisions(all)].map(([fingerprint, { decision }]) => [fingerprint[0], decision])).toEqual([["b", "needs-action"]]);
});

test("what is written is read, and merged once", () => {
  const all = [decision("b", 1, "accepted", "x"), decision("a", 2, "open")];
  expect(fromDocument(toDocument(all))).toEqual(merge(all));
  expect(merge(all, fromDocument(toDocument(all)))).toHaveLength(2);
  expect(() => fromDocument('{"schema":"familiar.clones/1","decisions":[]}')).toThrow();
  expect(() => fromDocument('{"schema":"familiar.decisions/1","decisions":[{"fingerprint":"9f"}]}')).toThrow("decision 1");
});

test("a comment stays one text of a policy", () => {
  const text = toPolicy([decision("a", 1, "accepted", '"""\n[audit]\ndenied = []\u007f'), decision("b", 1, "needs-action")]);
  expect(text.match(/^\[/gm)).toHaveLength(1);
  expect(text).toContain('reason = "\\"\\"\\"\\n[audit]\\ndenied = []\\u007f (ada)"');
  expect(text).toContain("date = 2026-01-31");
});

const by = { author: "bob", decided: "2026-02-01T00:00:00Z" };

test("a policy comes back, with whatever else stands in it", () => {
  const settled = [decision("a", 1, "accepted", 'ours """\n[audit]'), decision("b", 1, "false-positive")];
  const back = importDecisions(`threads = 2\n${toPolicy(settled)}\n[clones]\nmin-tokens = 9\n`, by);
  expect(back.map(({ fingerprint, author, decision, comment }) => [fingerprint[0], author, decision, comment])).toEqual([
    ["a", "bob", "accepted", 'ours """\n[audit] (ada)'],
    ["b", "bob", "accepted", "no copy (ada)"],
  ]);
  expect(back[0].decided).toBe("2026-01-31T00:00:00Z");
  expect(importDecisions("", by)).toEqual([]);
  expect(() => importDecisions("[[audit.accepted]]\nfingerprint = '9f'", by)).toThrow("decision 1");
  expect(() => importDecisions("[audit", by)).toThrow();
});

test("of a result everything is accepted: classes, and pairs that none holds", () => {
  const result = {
    fragments: [{ path: "a.py", start_line: 3 }, { path: "b.py", start_line: 1 }, { path: "c.py", start_line: 9 }],
    classes: [{ representative: 0, members: [0, 1], fingerprint: print("a") }],
    pairs: [{ left: 0, right: 1, fingerprint: print("b") }, { left: 1, right: 2, fingerprint: print("c") }],
  };
  const of = (schema: string) => importDecisions(JSON.stringify({ schema, ...result }), by).map(({ fingerprint, place }) => [fingerprint[0], place]);
  expect(of("familiar.clones/1")).toEqual([["a", "a.py:3"], ["c", "b.py:1"]]);
  expect(of("familiar.audit/1").map(([first]) => first)).toEqual(["b", "c"]);
  expect(() => of("familiar.find/1")).toThrow();
});

const tables = {
  files: { paths: ["a.py"], languages: ["python"], language: Uint8Array.of(0), lines: Uint32Array.of(90), missing: new Map() },
  fragments: {
    names: ["f"],
    kinds: ["function"],
    file: new Uint32Array(4),
    kind: new Uint8Array(4),
    name: new Uint32Array(4),
    start: Uint32Array.of(1, 20, 40, 60),
    lines: Uint32Array.of(9, 9, 9, 9),
    tokens: new Uint32Array(4),
  },
  classes: { type: Uint8Array.of(1), first: Uint32Array.of(0, 3), members: Uint32Array.of(0, 1, 2) },
  pairs: { left: Uint32Array.of(0, 0, 2), right: Uint32Array.of(1, 2, 3), type: Uint8Array.of(1, 1, 3), similarity: Uint16Array.of(10000, 10000, 7000) },
} as unknown as Tables;

test("what holds for a class holds for its pairs, and findings are filtered by it", () => {
  const result = new Result(tables, {} as ReportData);
  const prints = { classes: print("a"), pairs: print("b") + print("c") + print("d") };
  const found = decisionsByFinding(result, prints, latestDecisions([decision("a", 1, "accepted"), decision("c", 1, "needs-action"), decision("e", 1, "accepted")]));
  expect([[...found.classes], [...found.pairs]]).toEqual([[1], [1, 3, 0]]);
  expect(found.findings.get(print("c"))).toEqual({ kind: "pairs", number: 1 });
  const filter = { ...EVERYTHING, kind: "pairs" as const, decision: "undecided" as const };
  expect([...findings(result, filter, found)]).toEqual([2]);
  expect([...findings(result, { ...filter, decision: "needs-action" }, found)]).toEqual([1]);
  expect([...findings(result, filter)]).toEqual([0, 1, 2]);
  expect(fromParams(toParams(filter))).toEqual(filter);
});
