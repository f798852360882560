import { expect, test } from "vitest";
import type { ReportData, Tables } from "../src/data/model";
import { Result } from "../src/data/result";
import { nested, rowsOf } from "../src/findings/same-lines";

/** Classes given by their members, `[file, first line, lines]` each; pairs are those with the first member. */
function result(classes: [number, number, number][][]): Result {
  const places = classes.flat().map((place, at) => ({ place, at })).sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1]);
  const ids = new Map(places.map(({ at }, id) => [at, id]));
  let next = 0;
  const members = classes.map((list) => list.map(() => ids.get(next++)!));
  const pairs = members.flatMap(([first, ...others]) => others.map((other) => [Math.min(first, other), Math.max(first, other)])).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const count = places.length;
  return new Result(
    {
      head: { settings: { roots: ["."] } },
      files: { paths: ["a", "b", "c"], languages: ["rust"], language: new Uint8Array(3), lines: Uint32Array.of(500, 500, 500), missing: new Map() },
      fragments: {
        ...{ names: [""], kinds: ["run"], kind: new Uint8Array(count), name: new Uint32Array(count), tokens: new Uint32Array(count) },
        file: Uint32Array.from(places, ({ place }) => place[0]),
        start: Uint32Array.from(places, ({ place }) => place[1]),
        lines: Uint32Array.from(places, ({ place }) => place[2]),
      },
      classes: { type: new Uint8Array(classes.length).fill(2), first: Uint32Array.from([0, ...classes.map((_, at) => classes.slice(0, at + 1).flat().length)]), members: Uint32Array.from(members.flat()) },
      pairs: { left: Uint32Array.from(pairs, ([left]) => left), right: Uint32Array.from(pairs, ([, right]) => right), type: new Uint8Array(pairs.length).fill(2), similarity: new Uint16Array(pairs.length).fill(10_000) },
    } as unknown as Tables,
    {} as ReportData,
  );
}
const all = (count: number) => Uint32Array.from({ length: count }, (_, at) => at);

// One stretch of two files in four cuts, and something else.
const cut = result([
  [[0, 10, 40], [1, 110, 40]],
  [[0, 12, 30], [1, 112, 30]],
  [[0, 200, 20], [2, 1, 20]],
  [[0, 45, 20], [1, 145, 20]],
  [[0, 20, 30], [1, 120, 30], [2, 300, 10]],
]);

test("what has most of its lines in an earlier finding stands under it", () => {
  const found = nested(cut, "classes", all(5));
  expect([...found.heads]).toEqual([0, 2, 3]);
  expect([...found.under]).toEqual([[0, [1, 4]]]);
  expect(found.hidden).toBe(2);
});

test("a row that would show the same lines as an earlier one stands under it, wherever its other copies are", () => {
  const made = result([
    [[0, 10, 40], [1, 110, 40]],
    [[0, 12, 30], [2, 112, 30], [2, 200, 30], [2, 300, 30]],
    [[2, 114, 30], [0, 15, 30], [1, 400, 30], [2, 450, 30]],
  ]);
  expect([...nested(made, "classes", all(3)).under]).toEqual([[0, [1]]]);
});

test("the order of the list says which finding is shown", () => {
  expect([...nested(cut, "classes", Uint32Array.of(1, 0)).under]).toEqual([[1, [0]]]);
  expect([...nested(cut, "classes", Uint32Array.of(4, 0, 1, 2)).heads]).toEqual([4, 2]);
});

test("nothing is lost, whatever is open", () => {
  const found = nested(cut, "classes", all(5));
  expect(rowsOf(found, new Set())).toEqual({ rows: Uint32Array.of(0, 2, 3), isUnder: new Uint8Array(3) });
  const { rows, isUnder } = rowsOf(found, new Set([0, 2]));
  expect([[...rows], [...isUnder]]).toEqual([[0, 1, 4, 2, 3], [0, 1, 1, 0, 0]]);
});

test("every shown stretch stands once, on random classes", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let round = 0; round < 50; round++) {
    const classes = Array.from({ length: 30 }, () => Array.from({ length: 2 + random(2) }, (): [number, number, number] => [random(3), 1 + random(300), 5 + random(60)]));
    const made = result(classes);
    const { heads, under, hidden } = nested(made, "classes", all(30));
    const every = [...heads, ...[...under.values()].flat()].sort((a, b) => a - b);
    expect(every).toEqual([...all(30)]);
    expect(hidden).toBe(30 - heads.length);
    const linesOf = (finding: number, copies = 9) => classes[finding].slice(0, copies).flatMap(([file, start, lines]) => Array.from({ length: lines }, (_, at) => `${file}:${start + at}`));
    for (const [above, list] of under) {
      const shown = new Set(linesOf(above));
      for (const finding of list) {
        const lines = linesOf(finding);
        const first = linesOf(finding, 1);
        const shares = (some: string[], of: Set<string>) => some.filter((line) => of.has(line)).length * 2 > some.length;
        expect(shares(lines, shown) || shares(first, new Set(linesOf(above, 1)))).toBe(true);
        expect(finding).toBeGreaterThan(above);
      }
    }
  }
});

test("pairs stand under a pair of the same files that covers both sides", () => {
  const { heads, under } = nested(cut, "pairs", all(cut.tables.pairs.left.length));
  expect(heads.length).toBeLessThan(cut.tables.pairs.left.length);
  for (const [above, list] of under) {
    for (const pair of list) {
      expect(cut.path(cut.tables.pairs.left[pair])).toBe(cut.path(cut.tables.pairs.left[above]));
      expect(cut.path(cut.tables.pairs.right[pair])).toBe(cut.path(cut.tables.pairs.right[above]));
    }
  }
});
