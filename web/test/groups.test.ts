import { expect, test } from "vitest";
import type { ReportData, Tables } from "../src/data/model";
import { Result } from "../src/data/result";
import { between, groupOf, groups, ordered } from "../src/findings/groups";
import { Pseudonyms, pseudonymsOf, realName } from "../src/findings/pseudonyms";

const paths = ["ann/a.py", "bob/b.py", "cid/c.py", "cid/d.py"];
// Three members of one class, in which Bob's and Cid's are no listed pair, and a pair within Cid's folder.
const tables = {
  head: { settings: { roots: ["hw"] } },
  files: { paths, languages: ["python"], language: new Uint8Array(4), lines: Uint32Array.of(90, 50, 40, 30), missing: new Map() },
  fragments: {
    names: ["total"],
    kinds: ["function"],
    file: Uint32Array.of(0, 0, 1, 2, 3),
    kind: new Uint8Array(5),
    name: new Uint32Array(5),
    start: Uint32Array.of(1, 5, 1, 1, 40),
    lines: Uint32Array.of(10, 20, 9, 8, 9),
    tokens: new Uint32Array(5),
  },
  classes: { type: Uint8Array.of(3), first: Uint32Array.of(0, 3), members: Uint32Array.of(1, 2, 3) },
  pairs: { left: Uint32Array.of(0, 1, 1, 3), right: Uint32Array.of(2, 2, 3, 4), type: Uint8Array.of(3, 3, 3, 1), similarity: Uint16Array.of(9000, 8000, 7000, 10000) },
} as unknown as Tables;

test("groups are folders of one tree, and trees where there are several", () => {
  expect(groupOf(["a/b/c.py", "a/d.py", "e.py"], ["x"])).toEqual({ names: ["a", "e.py"], of: Uint32Array.of(0, 0, 1) });
  expect(groupOf(["a/b/c.py", "a/d.py", "e.py"], ["x"], "below").names).toEqual(["a/b", "a/d.py", "e.py"]);
  expect(groupOf(["x/b/c.py", "y/d/e.py"], ["x", "y"], "below").names).toEqual(["x/b", "y/d"]);
  expect(groupOf(["a/b/c.py", "a/d.py"], ["a", "a/b"]).names).toEqual(["a/b", "a"]);
});

test("lines count once, on the side that has fewer, and members of a class are linked", () => {
  const { names, links } = groups(new Result(tables, {} as ReportData));
  expect(names).toEqual(["ann", "bob", "cid"]);
  expect(links).toEqual([
    { a: 0, b: 1, findings: 2, listed: 2, classed: 0, similarity: 9000, lines: 9 },
    { a: 0, b: 2, findings: 1, listed: 1, classed: 0, similarity: 7000, lines: 8 },
    { a: 1, b: 2, findings: 1, listed: 0, classed: 1, similarity: 7000, lines: 8 },
  ]);
});

test("what is equal to the same code is linked, though its class is not listed", () => {
  const pairs = { left: Uint32Array.of(0, 0, 0), right: Uint32Array.of(2, 3, 4), type: new Uint8Array(3).fill(1), similarity: new Uint16Array(3).fill(10000) };
  const classes = { type: new Uint8Array(0), first: Uint32Array.of(0), members: new Uint32Array(0) };
  const found = groups(new Result({ ...tables, pairs, classes } as unknown as Tables, {} as ReportData));
  const [, , link] = found.links;
  expect(link).toEqual({ a: 1, b: 2, findings: 2, listed: 0, classed: 0, similarity: 10000, lines: 9 });
  expect(between(found, link)).toBe(`#/findings?show=pairs&q=${encodeURIComponent('path:"bob/"')}`);
});

test("what is linked stands together, the largest cluster first", () => {
  const link = (a: number, b: number, lines: number) => ({ a, b, lines, findings: 1, listed: 1, classed: 0, similarity: 1 });
  expect(ordered([link(7, 8, 50), link(1, 2, 30), link(2, 3, 20)], 10)).toEqual([2, 1, 3, 7, 8]);
  expect(ordered([link(7, 8, 50), link(1, 2, 30)], 3)).toEqual([7, 8, 1]);
});

test("names are replaced everywhere, always by the same", async () => {
  const data = { tables: async () => tables, skipped: async () => [{ root: 0, path: "ann/x.bin", reason: "binary" }, { root: 0, path: "eve/y.bin", reason: "binary" }] };
  const hidden = new Pseudonyms(data as unknown as ReportData);
  const shown = (await hidden.tables()).files.paths;
  expect(shown.join()).not.toMatch(/ann|bob|cid/);
  expect(shown.map((path) => path.split("/")[1])).toEqual(["a.py", "b.py", "c.py", "d.py"]);
  expect(new Set(shown.map((path) => path.split("/")[0])).size).toBe(3);
  expect(await new Pseudonyms(data as unknown as ReportData).tables()).toEqual(await hidden.tables());
  expect((await hidden.skipped()).map((skip) => skip.path)).toEqual([`${shown[0].split("/")[0]}/x.bin`, "somebody/y.bin"]);
  expect(realName(shown[0].split("/")[0])).toBe("ann");
  const sets = pseudonymsOf(["2026/ann", "2026/bob", "2025/cid", "2025/ann"]);
  expect([...sets].map(([name, other]) => `${name.slice(0, 4)} ${other.slice(0, 12)}`).sort()).toEqual(["2025 set-1/group-", "2025 set-1/group-", "2026 set-2/group-", "2026 set-2/group-"]);
  expect(pseudonymsOf(["x.py", "y"]).get("x.py")).toMatch(/^group-[12]\.py$/);
});
