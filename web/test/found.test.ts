import { expect, test } from "vitest";
import { compareAlong, inOrder, type Span } from "../src/compare/align";
import { Source } from "../src/compare/tokens";
import type { Place } from "../src/data/audit/model";
import { foundTable, nameStandardInput } from "../src/data/found/chunks";
import type { ReportData, Tables } from "../src/data/model";
import { Result } from "../src/data/result";
import { csv } from "../src/findings/export";
import { EVERYTHING, findings, fromParams, toParams, type Filter } from "../src/findings/filter";
import { stretchesOf } from "../src/findings/found-stretches";
import { Pseudonyms } from "../src/findings/pseudonyms";
import { byCoverage } from "../src/found/overview";

const column = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));
const number = (value: number) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
const changes = (...values: number[]) => values.map((value, at) => value - (values[at - 1] ?? 0)).flatMap((change) => number(change < 0 ? -2 * change - 1 : 2 * change));
const place = (project: string, first_seen: string): Place => ({ ...{ project, path: "x.py", first_line: 1, revision: "r", first_seen, last_seen: null, evidence: "commit-time" }, author: "Ann" });

// Two files: lib's blob has all of the first one in two stretches and half of the second, fork's has some of the first.
const found = foundTable(
  {
    ...{ corpus: "world", projects: ["lib", "fork"], licenses: ["MIT", null], by_project: [[0, 2, 1], [1, 1, 0]] },
    summary: { files: 3, known: 2, whole: 1, blobs: 2, more_blobs: 0, projects: 2 },
    queries: { known_lines: column(20, 5), projects: column(2, 1), more_blobs: column(0, 3), origin: column(3, 0), origin_known: column(1, 0), year: column(0xde, 0x0f, 0) },
    pairs: { coverage: column(...number(10_000), ...number(2_500), ...number(5_000)), is_version: column(0, 0, 0), stretches: column(2, 1, 1), lines: column(...changes(1, 10, 21, 30, 11, 20, 1, 10, 3, 8, 1, 6, 1, 5, 40, 44)) },
    blobs: { names: ["swh:1:cnt:aa", "swh:1:cnt:bb"], places: column(2, 1), all_projects: column(1, 1), project_counts: column(1, 1), projects: column(0, 1), license_counts: column(1, 1), licenses: column(0, 1) },
    packs: { blobs: column(0), origins: column(0) },
  },
  { classes: 2, pairs: 3 },
);
// Fragments: the files, lib's blob with what it has of the first and of the second, fork's blob.
const tables = {
  head: { settings: { roots: ["app", "lib", "fork"] }, asked: 1 },
  files: { paths: ["app/a.py", "app/b.py", "lib/x.py", "fork/x.py"], languages: ["python"], language: new Uint8Array(4), lines: Uint32Array.of(20, 10, 50, 9), missing: new Map() },
  fragments: { names: ["f"], kinds: ["file"], file: Uint32Array.of(0, 1, 2, 2, 3), kind: new Uint8Array(5), name: new Uint32Array(5), start: Uint32Array.of(1, 1, 1, 40, 1), lines: Uint32Array.of(20, 10, 30, 5, 6), tokens: new Uint32Array(5) },
  classes: { type: Uint8Array.of(1, 3), first: Uint32Array.of(0, 3, 5), members: Uint32Array.of(0, 2, 4, 1, 3) },
  pairs: { left: Uint32Array.of(0, 0, 1), right: Uint32Array.of(2, 4, 3), type: Uint8Array.of(1, 2, 3), similarity: Uint16Array.of(10000, 10000, 8000) },
  found,
} as unknown as Tables;
const data = {
  tables: () => Promise.resolve(tables),
  blobs: () => Promise.resolve([{ blob: "swh:1:cnt:aa", places: [place("lib", "2014-01-01T00:00:00Z")], licenses: [{ expression: "MIT", layer: "license-file", layers: [{ layer: "license-file", expression: "MIT", evidence: "lib says so" }], occurrences: [0] }] }]),
  origins: () => Promise.resolve([{ known: true, reason: "lib had it", ...place("lib", "2014-01-01T00:00:00Z") }]),
} as unknown as ReportData;
const result = new Result(tables, data);
const passing = (asked: Partial<Filter["found"]>, more: Partial<Filter> = {}) => [...findings(result, { ...EVERYTHING, ...more, found: { ...EVERYTHING.found, ...asked } })];

test("how much is known is told of files, matches and lines", () => {
  const search = result.found!;
  expect([...search.best]).toEqual([10_000, 5_000]);
  expect(search.stretches(0)).toEqual([[1, 10, 21, 30], [11, 20, 1, 10]]);
  expect([search.lines(0), search.lines(1)]).toEqual([20, 6]);
  expect([search.origin(0), search.origin(1)]).toEqual([2, -1]);
  expect([search.isWitness(0, 0), search.isWitness(0, 1)]).toEqual([true, false]);
  expect([...result.duplicated]).toEqual([20, 5, 0, 0]);
});

test("files and matches pass by how much is known, license and project", () => {
  expect([passing({ known: "whole" }), passing({ known: "part" }), passing({ license: "NONE" }), passing({ project: "lib" })]).toEqual([[0], [1], [0], [0, 1]]);
  // One blob has to have all that is asked for.
  expect(passing({ known: "whole", project: "fork" })).toEqual([]);
  expect([passing({ license: "MIT" }, { kind: "pairs" }), passing({}, { kind: "pairs", least: 40, most: 60 })]).toEqual([[0, 2], [2]]);
  expect(passing({}, { sort: "first", descending: true })).toEqual([1, 0]);
  const filter: Filter = { ...EVERYTHING, found: { known: "part", license: "A OR B", project: "a&b" }, sort: "coverage" };
  expect(fromParams(new URLSearchParams(toParams(filter).toString()))).toEqual(filter);
});

test("a table of matches says where, how much and under which license", async () => {
  const [header, first, ...more] = await csv(result, "classes", Uint32Array.of(0, 1));
  expect(header).toMatch(/^type,coverage,similarity,path/);
  expect(first).toBe("1,1.0000,1.0000,app/a.py,1,20,1-10=21-30 11-20=1-10,swh:1:cnt:aa,lib/x.py,1,30,lib,1,2,MIT,2014\n");
  expect(more.length).toBe(2);
});

test("the margin of a file shows its stretches, that of a blob the other side of them", () => {
  expect(stretchesOf(result, result.found!, 0).map(({ from, to, other }) => [from, to, other])).toEqual([[1, 10, 2], [3, 8, 4], [11, 20, 2]]);
  expect(stretchesOf(result, result.found!, 2).map(({ from, to, other }) => [from, to, other])).toEqual([[1, 10, 0], [21, 30, 0], [40, 44, 1]]);
});

test("lines correspond within stretches and nowhere else", () => {
  const none = new Uint32Array(0);
  const text = (lines: string[]) => new Source({ text: `${lines.join("\n")}\n`, starts: none, ends: none, kinds: new Uint8Array(0) });
  const [a, b] = [text(["a = one(1)", "end(x)", "b = two(2)", "end(x)"]), text(["a = one(1)", "end(x)", "c = more(3)", "b = two(2)"])];
  const rows = compareAlong(a, b, [[1, 1, 1, 1], [3, 3, 4, 4]]).rows.map(({ left, right }) => [left, right]);
  expect(rows).toEqual([[1, 1], [2, 0], [0, 2], [0, 3], [3, 4]]);
});

test("of stretches in another order those stay that cover most", () => {
  const spans: Span[] = [[1, 10, 50, 59], [11, 40, 1, 30], [41, 60, 31, 49]];
  expect(inOrder(spans)).toEqual([[11, 40, 1, 30], [41, 60, 31, 49]]);
  expect(inOrder([spans[0]])).toEqual([spans[0]]);
});

test("amounts are counted with what is known nowhere", () => {
  const values = byCoverage(Uint16Array.of(10_000, 9_999, 500), 7, false).map(({ label, value }) => [label, value]);
  expect(values.filter(([, value]) => value !== 0)).toEqual([["none", 7], ["0", 1], ["90", 1], ["all", 1]]);
});

test("standard input is called so, and a file of that name is not", () => {
  const named = (paths: string[], queries: number) => {
    const files = { paths } as never;
    nameStandardInput(files, { names: ["-"], name: Uint32Array.of(0) } as never, queries);
    return paths;
  };
  expect([named(["-", "x"], 1), named(["-", "x"], 2)]).toEqual([["standard input", "x"], ["-", "x"]]);
});

test("hidden names are in no place and no reason", async () => {
  const hidden = new Pseudonyms(data);
  const said = JSON.stringify([await hidden.blobs(0), await hidden.origins(0), (await hidden.tables()).found]);
  for (const name of ["lib", "fork", "Ann", "world"]) expect(said).not.toContain(`"${name}`);
  expect(said).not.toContain("lib ");
  expect(said).toContain("2014-01-01");
});
