import { expect, test } from "vitest";
import type { Chunks } from "../src/data/chunks";
import { joined, LicenseData, type RawFiles } from "../src/licenses/data";
import { byLine, evidenceLines } from "../src/licenses/evidence-lines";
import { csv, others } from "../src/licenses/export";
import { EVERYTHING, files, fromParams, toParams, type Filter } from "../src/licenses/filter";
import { licenseCounts, placesOf } from "../src/licenses/license-counts";
import type { Head } from "../src/licenses/model";
import { areas } from "../src/parts/treemap";

const column = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));
const head: Head = { result: "licenses", tool: { name: "familiar", version: "0" }, root: "tree", counts: { files: 4, chunks: 2, packages: 0, skipped: 0 } };

// Two chunks, whose numbers mean different things: MIT is the first expression of one and the second of the other.
const first: RawFiles = {
  paths: ["src/a.c", "src/B.c"],
  expressions: [["MIT", "permissive", [["MIT", "permissive"]]], ["GPL-2.0-only OR MIT", "permissive", [["GPL-2.0-only", "strong-copyleft"], ["MIT", "permissive"]]]],
  kinds: ["file-notice", "license-file"],
  holders: ["Ann Author"],
  ...{ license: column(1, 2), by: column(0, 1), lines: column(9, 3), text: column(1, 1), details: column(0, 0), layers: column(2, 1), held: column(1, 0) },
  layer: { kind: column(0, 1, 1), license: column(1, 2, 2), flags: column(2, 1, 0), start: column(2, 1, 1), more: column(3, 0, 0) },
  holder: column(0),
};
const second: RawFiles = {
  paths: ["x.bin", "z.c"],
  expressions: [["GPL-2.0-only", "strong-copyleft", [["GPL-2.0-only", "strong-copyleft"]]], ["MIT", "permissive", [["MIT", "permissive"]]]],
  kinds: ["none", "file-tag"],
  holders: ["=Ann, \"Author\""],
  ...{ license: column(0, 2), by: column(0, 1), lines: column(0, 5), text: column(0, 1), details: column(0, 1), layers: column(1, 1), held: column(0, 1) },
  layer: { kind: column(0, 1), license: column(0, 2), flags: column(0, 2), start: column(0, 1), more: column(0, 0) },
  holder: column(0),
};
const table = joined(head, [first, second]);
const found = (filter: Partial<Filter>) => [...files(table, { ...EVERYTHING, ...filter })];

test("numbers of different chunks mean the same after they are joined", () => {
  expect(table.expressions.map(({ text }) => text)).toEqual(["MIT", "GPL-2.0-only OR MIT", "GPL-2.0-only"]);
  expect([...table.license]).toEqual([0, 1, -1, 0]);
  expect(table.licenses.map(({ name }) => name)).toEqual(["MIT", "GPL-2.0-only"]);
  expect(Array.from(table.by, (at) => table.kinds[at])).toEqual(["file-notice", "license-file", "none", "file-tag"]);
  expect(others(table, 0)).toEqual([{ kind: "license-file", license: "GPL-2.0-only OR MIT" }]);
});

test("a filter leaves what was asked for, in its order", () => {
  expect(found({ license: "MIT" })).toEqual([0, 3]);
  expect(found({ license: "ISC" })).toEqual([]);
  expect(found({ id: "GPL-2.0-only" })).toEqual([0, 1]);
  expect(found({ category: "none" })).toEqual([2]);
  expect(found({ state: "disagree" })).toEqual([0]);
  expect(found({ by: "file-tag" })).toEqual([3]);
  expect(found({ query: "src/ b" })).toEqual([1]);
  expect(found({ query: "holder:ann -path:src/" })).toEqual([3]);
  expect(found({ query: "license:gpl" })).toEqual([1]);
  expect(found({ query: '"ann author"' })).toEqual([0]);
  expect(found({ sort: "license" })).toEqual([2, 1, 0, 3]);
  expect(found({ sort: "lines", descending: true })).toEqual([0, 3, 1, 2]);
  expect(found({ sort: "path", descending: true })[0]).toBe(3);
});

test("an address keeps a filter", () => {
  const filter: Filter = { query: "a&b", license: "MIT OR X", id: "MIT", category: "permissive", by: "reuse", state: "none", sort: "holders", descending: true };
  expect(fromParams(new URLSearchParams(toParams(filter).toString()))).toEqual(filter);
  expect(fromParams(new URLSearchParams("state=x&sort=toString"))).toEqual(EVERYTHING);
});

test("a table for others keeps names apart and formulas quiet", () => {
  expect(csv(table, Uint32Array.of(0, 3)).join("")).toBe(
    "path,license,category,by,disagreeing,holders,lines\n" +
      "src/a.c,MIT,permissive,file-notice,license-file: GPL-2.0-only OR MIT,Ann Author,9\n" +
      "z.c,MIT,permissive,file-tag,,\"'=Ann, \"\"Author\"\"\",5\n",
  );
});

test("a license has its files and the places that say it", () => {
  expect(licenseCounts(table)).toEqual([
    { license: 0, concluded: 3, named: 3, places: 2 },
    { license: 1, concluded: 1, named: 2, places: 0 },
  ]);
  expect(placesOf(table, 0)).toEqual({ files: [0, 1, 3], places: [{ file: 0, layer: 0, count: 1 }, { file: 3, layer: 4, count: 1 }] });
});

test("lines that say something are marked, a license's before a claim's", () => {
  const list = evidenceLines(table, 0, { layers: [], copyrights: [["(c)", null, 1, 2]] });
  expect([...byLine(list)]).toEqual([[1, "copyright"], [2, "permissive"], [3, "permissive"], [4, "permissive"], [5, "permissive"]]);
});

test("texts and details are found in their packs", async () => {
  const packs: Record<string, unknown> = { head, "files-0": first, "files-1": second, "text-0": ["A", "B", "Z"], "details-0": ["a", "b", "x"], "details-1": ["z"] };
  const data = new LicenseData({ load: (name: string) => Promise.resolve(packs[name]) } as unknown as Chunks);
  await data.table();
  expect(await Promise.all([0, 1, 2, 3].map((file) => data.textOf(file)))).toEqual(["A", "B", null, "Z"]);
  expect(await Promise.all([0, 1, 2, 3].map((file) => data.detailsOf(file)))).toEqual(["a", "b", "x", "z"]);
});

test("folders sum up what is below them", () => {
  const root = areas(["a/b/1", "a/2", "3"], () => 1, (file) => [file, 1]);
  expect([root.size, ...root.sums]).toEqual([3, 3, 3]);
  expect(root.children[0]).toMatchObject({ path: "a", size: 2, sums: [1, 2] });
});
