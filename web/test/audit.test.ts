import { expect, test } from "vitest";
import { findingOf } from "../src/audit/findings";
import { packOf } from "../src/data/audit/audit";
import { auditTable } from "../src/data/audit/chunks";
import type { EvidencePack, FindingPack, Place } from "../src/data/audit/model";
import type { ReportData, Tables } from "../src/data/model";
import { ownRoots } from "../src/data/model";
import { NO_CLASS, Result } from "../src/data/result";
import { externalLink } from "../src/external-link";
import { csv } from "../src/findings/export";
import { EVERYTHING, findings, fromParams, toParams, type Filter } from "../src/findings/filter";
import { Pseudonyms } from "../src/findings/pseudonyms";
import { nested } from "../src/findings/same-lines";
import { byYear, ticks, timeline, widened } from "../src/findings/timeline";
import { sidesOf } from "../src/views/findings";

const column = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));
const place = (project: string, first_seen: string | null, more: Partial<Place> = {}): Place => ({
  ...{ project, path: "a.py", first_line: 1, revision: null, first_seen, last_seen: null, evidence: first_seen ? "commit-time" : "none" },
  ...more,
});

// Two pieces of PATH's code: the first stands in lib and in fork, the second is the project's own and stands in lib's same lines.
const audit = auditTable(
  {
    ...{ disclaimer: "no advice", against: ["world"], table: [], summary: {} as never },
    words: ["MIT", "GPL-3.0-only", "conflict", "same", "denied", "own", "left", "right", "none", "file-tag"],
    roots: column(0, 1, 2),
    fragments: { license: column(1, 1, 2, 0), license_by: column(9, 9, 9, 8) },
    findings: { origin: column(2, 2), origin_known: column(1, 0), status: column(2, 3), decision: column(4, 5), year: column(0xde, 0x0f, 0) },
    pairs: { status: column(2, 3, 3), into: column(2, 3, 3), older: column(7, 7, 6), grade: column(8, 8, 8), laundering: column(1, 0, 0), own: column(0, 0, 1) },
    packs: { evidence: column(0, 2), findings: column(0) },
  },
  { files: 3, fragments: 4, classes: 2, pairs: 3 },
);
const tables = {
  head: { settings: { roots: ["app", "lib", "fork"] }, audited: 1 },
  files: { paths: ["app/a.py", "lib/b.py", "fork/b.py"], languages: ["python"], language: new Uint8Array(3), lines: new Uint32Array(3), missing: new Map() },
  fragments: { names: ["f"], kinds: ["function"], file: Uint32Array.of(0, 0, 1, 2), kind: new Uint8Array(4), name: new Uint32Array(4), start: Uint32Array.of(1, 20, 1, 1), lines: Uint32Array.of(9, 9, 9, 9), tokens: new Uint32Array(4) },
  classes: { type: Uint8Array.of(1, 3), first: Uint32Array.of(0, 3, 5), members: Uint32Array.of(0, 2, 3, 1, 2) },
  pairs: { left: Uint32Array.of(0, 0, 1), right: Uint32Array.of(2, 3, 2), type: Uint8Array.of(1, 1, 3), similarity: Uint16Array.of(10000, 10000, 8000) },
  audit,
} as unknown as Tables;
const texts: FindingPack = {
  texts: [[], ["keep the notice"], ["lib had it"]],
  rules: [[{ source: "matrix", text: "no" }]],
  findings: [{ reason: "lib says so", origin_reason: "lib", fingerprint: "ab", places: 2, projects: 2, advice: 2, duties: 1, rules: 0, pairs: [{ right: 2, direction: 2, since: "2020-01-01T00:00:00Z", duties: 1, rules: 0, attribution: 0, laundering: 2 }] }],
};
const pack: EvidencePack = {
  layers: [[{ layer: "file-tag", expression: "MIT", evidence: "lib", path: "lib/LICENSE" }]],
  places: [[place("lib", "2014-01-01T00:00:00Z", { author: "Ann", link: "https://example.org/ann" }), place("nowhere", null)]],
  texts: [["Copyright Ann"], []],
  fragments: [[0, 0, 0, 1]],
};
const data = {
  tables: () => Promise.resolve(tables),
  evidence: () => Promise.resolve(pack),
  findings: () => Promise.resolve(texts),
  fingerprints: () => Promise.resolve({ classes: "", pairs: "0".repeat(96) }),
} as unknown as ReportData;
const result = new Result(tables, data);
const found = (asked: Partial<Filter["audit"]>, kind: Filter["kind"] = "classes") => [...findings(result, { ...EVERYTHING, kind, audit: { ...EVERYTHING.audit, ...asked } })];

test("a fragment of others that several findings share takes none of their similarity", () => {
  expect([[...result.least], [...result.most]]).toEqual([[10000, 8000], [10000, 8000]]);
  expect([result.commonClass(0, 2), result.commonClass(1, 2), result.commonClass(1, 3)]).toEqual([0, 1, NO_CLASS]);
  expect([findingOf(result, [2, 0]), findingOf(result, [1, 2]), findingOf(result, [2, 3])]).toEqual([0, 1, NO_CLASS]);
});

test("findings pass by verdict, decision, licenses and project", () => {
  expect([found({ verdict: "conflict" }), found({ policy: "others" }), found({ policy: "own" }), found({ project: "fork" })]).toEqual([[0], [0], [1], [0]]);
  expect([found({ license: "GPL-3.0-only" }), found({ license: "NONE" }), found({ here: "NONE" })]).toEqual([[0, 1], [], []]);
  expect([found({ license: "NONE" }, "pairs"), found({ policy: "others" }, "pairs"), found({ policy: "denied" }, "pairs")]).toEqual([[1], [0, 1], [0, 1]]);
  expect([...findings(result, { ...EVERYTHING, sort: "verdict", descending: true })]).toEqual([1, 0]);
  const filter: Filter = { ...EVERYTHING, audit: { ...EVERYTHING.audit, verdict: "conflict", license: "A OR B", project: "a&b" } };
  expect(fromParams(new URLSearchParams(toParams(filter).toString()))).toEqual(filter);
});

test("exports say the verdict, and the decision of the pair that stands for a finding", async () => {
  const lines = await csv(result, "pairs", Uint32Array.of(0, 1));
  expect(lines[0]).toContain("fingerprint,right_project,left_license");
  expect(lines[1]).toMatch(/,lib,MIT,file-tag,GPL-3.0-only,file-tag,right,conflict,none,true,false,denied\n$/);
  expect(lines[2]).toMatch(/,fork,MIT,file-tag,NONE,none,right,same,none,false,false,\n$/);
});

test("packs are found by their first", () => {
  expect([0, 1, 2, 9].map((at) => packOf([0, 2, 5], at))).toEqual([0, 0, 1, 2]);
});

test("hidden names are in no evidence", async () => {
  const hidden = new Pseudonyms(data);
  const said = JSON.stringify([await hidden.evidence(0), await hidden.findings(0), (await hidden.tables()).audit?.against]);
  for (const name of ["lib", "nowhere", "Ann", "ann", "world"]) expect(said).not.toContain(name);
  expect(said).toContain("keep the notice");
  expect(said).toContain("2014-01-01");
});

test("the earliest is told by times that prove something", () => {
  const places = [place("b", "2015-05-05T00:00:00Z"), place("fork", "2014-02-03T00:00:00Z", { family: "b" }), place("c", "1999-01-01T00:00:00Z", { evidence: "file-time" }), place("d", null)];
  const line = timeline([{ fragment: 3, places, isHere: false }, { fragment: 1, places: [place("app", "2020-01-01T00:00:00Z")], isHere: true }]);
  expect(line.lanes.map(({ name, projects, isHere }) => [name, projects, isHere])).toEqual([["b", ["b", "fork"], false], ["app", ["app"], true]]);
  expect([line.first?.place.project, line.undated.map(({ place }) => place.project)]).toEqual(["fork", ["c", "d"]]);
  expect(timeline([]).first).toBe(null);
});

test("an axis has round moments within it", () => {
  const texts = (from: string, until: string) => ticks(Date.parse(from), Date.parse(until), 6).map(({ text }) => text);
  expect(texts("2014-03-01", "2020-02-01")).toEqual(["2015", "2016", "2017", "2018", "2019", "2020"]);
  expect(texts("2019-11-20", "2020-02-10")).toEqual(["2019-12", "2020-01", "2020-02"]);
  expect(texts("2020-01-01", "2020-01-04")).toEqual(["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"]);
  const [from, until] = widened(5e11, 5e11);
  expect(until).toBeGreaterThan(from);
});

test("years without findings count too, but one wrong date makes no thousand of them", () => {
  expect(byYear([2015, 0, 2013, 2015])).toEqual({ years: [{ year: 2013, findings: [2] }, { year: 2014, findings: [] }, { year: 2015, findings: [0, 3] }], unknown: [1] });
  expect(byYear([2015, 9999]).years.length).toBe(2);
});

test("only links over https are followed", () => {
  expect(["https://a.example/b", "http://a.example", "javascript:alert(1)", " https://a", "https://", undefined].map(externalLink)).toEqual(["https://a.example/b", null, null, null, null, null]);
});

test("a finding opens with the place that its verdict is about, and is called what was audited", () => {
  expect([sidesOf(result, "classes", 0), sidesOf(result, "classes", 1)]).toEqual([[0, 2], [1, 2]]);
  for (const finding of [0, 1]) expect(result.audit?.verdictOfPair(result.pairOf(...sidesOf(result, "classes", finding)))).toBe(result.audit?.verdict(finding));
  expect(ownRoots(tables.head)).toEqual(["app"]);
});

test("nothing stands under a finding that is less serious or decided differently", () => {
  // The same lines of PATH: a conflict that is denied, and the project's own code.
  const same = new Result({ ...tables, fragments: { ...tables.fragments, start: Uint32Array.of(1, 1, 1, 1) } }, data);
  expect([...nested(same, "classes", Uint32Array.of(0, 1)).heads]).toEqual([0, 1]);
  expect([...nested(same, "classes", Uint32Array.of(1, 0)).heads]).toEqual([1, 0]);
});
