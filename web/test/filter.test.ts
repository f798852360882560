import { expect, test } from "vitest";
import type { ReportData, Tables } from "../src/data/model";
import { Result } from "../src/data/result";
import { linesOf, searchCode } from "../src/findings/code-search";
import { EVERYTHING, findings, fromParams, terms, toParams, withoutCode, type Filter } from "../src/findings/filter";

const tables = {
  files: { paths: ["src/a.py", "src/b c.go"], languages: ["python", "go"], language: Uint8Array.of(0, 1), lines: Uint32Array.of(90, 50), missing: new Map() },
  fragments: {
    names: ["total", "sum_all"],
    kinds: ["function", "run"],
    file: Uint32Array.of(0, 0, 1, 1),
    kind: Uint8Array.of(0, 0, 0, 1),
    name: Uint32Array.of(0, 0, 1, 1),
    start: Uint32Array.of(1, 5, 1, 40),
    lines: Uint32Array.of(10, 20, 9, 9),
    tokens: Uint32Array.of(50, 120, 60, 60),
  },
  classes: { type: Uint8Array.of(1, 3), first: Uint32Array.of(0, 2, 4), members: Uint32Array.of(2, 3, 0, 1) },
  pairs: { left: Uint32Array.of(0, 0, 2), right: Uint32Array.of(1, 2, 3), type: Uint8Array.of(3, 3, 1), similarity: Uint16Array.of(8000, 7000, 10000) },
} as unknown as Tables;
const result = new Result(tables, {} as ReportData);
const found = (filter: Partial<Filter>) => [...findings(result, { ...EVERYTHING, ...filter })];

test("findings pass where a side or a member does", () => {
  expect(found({ query: "A.PY" })).toEqual([1]);
  expect(found({ query: "path:total" })).toEqual([]);
  expect(found({ kind: "pairs", query: "total -name:sum" })).toEqual([0]);
  expect(found({ kind: "pairs", query: '"b c"' })).toEqual([1, 2]);
  expect(found({ kind: "pairs", language: "go", most: 99 })).toEqual([1]);
  expect(found({ types: [3], lines: 10 })).toEqual([1]);
});

test("terms ask what a fragment is", () => {
  expect(found({ query: "kind:run" })).toEqual([0]);
  expect(found({ query: "-kind:run" })).toEqual([1]);
  expect(found({ kind: "pairs", query: "tokens:61" })).toEqual([0]);
  expect(found({ kind: "pairs", query: "tokens:60 kind:function" })).toEqual([0, 1, 2]);
  expect(found({ query: "tokens:x kind:funct" })).toEqual([]);
});

test("words in code are looked for line by line", async () => {
  expect(linesOf("a\nbb b\n\nab", "b")).toEqual([2, 4]);
  expect(linesOf("a b", "c")).toEqual([]);
  const texts = ["1\n2\nSUM\n4\n5\n", null];
  const data = { source: async (file: number) => (texts[file] === null ? null : { text: texts[file] }) } as unknown as ReportData;
  const reading = new Result(tables, data);
  const found: number[][] = [];
  await searchCode(reading, [0, 1], ["sum", "none"], ({ hits, progress: share }) => {
    if (share === 1) for (const query of ["code:sum", "-code:sum", "code:none"]) found.push([...findings(reading, { ...EVERYTHING, kind: "pairs", query }, null, hits)]);
    return true;
  });
  // Lines 1 to 10 have it, lines 5 to 24 and the other file do not.
  expect(found).toEqual([[0, 1], [2], []]);
  const shares: [number, boolean][] = [];
  await searchCode(reading, [0, 1], ["sum"], ({ progress: share, isDone: over }) => (shares.push([share, over]), true), 3);
  expect(shares).toEqual([[0.5, true]]);
  expect(withoutCode('a -code:"b c" path:d code:e')).toBe("a  path:d ");
});

test("both directions keep every finding", () => {
  expect(found({ kind: "pairs", sort: "similarity", descending: true })).toEqual([2, 0, 1]);
  expect(found({ kind: "pairs", sort: "similarity" })).toEqual([1, 0, 2]);
  expect(found({ sort: "lines", descending: true })).toEqual([1, 0]);
  expect(found({ kind: "pairs", sort: "tokens" })).toEqual([1, 2, 0]);
});

test("lines that members share count once", () => {
  expect([...result.duplicated]).toEqual([24, 18]);
});

test("an address gives its filter back", () => {
  const filter: Filter = { ...EVERYTHING, kind: "pairs", query: "-x \"y z\"", types: [2, 3], least: 70, sort: "lines", descending: true };
  expect(fromParams(toParams(filter))).toEqual(filter);
  expect(fromParams(new URLSearchParams("sort=<b>&least=x&type=9"))).toEqual(EVERYTHING);
  expect(terms('-path:"a b" c')).toEqual([
    { text: "a b", where: "path", not: true },
    { text: "c", where: "both", not: false },
  ]);
});

test("a pair has one type, listed or not", () => {
  for (let pair = 0; pair < tables.pairs.left.length; pair++) {
    const [left, right] = [tables.pairs.left[pair], tables.pairs.right[pair]];
    expect([result.typeOf(left, right), result.typeOf(right, left)]).toEqual([tables.pairs.type[pair], tables.pairs.type[pair]]);
  }
  expect([result.typeOf(1, 2), result.typeOf(1, 3)]).toEqual([0, 0]);
});
