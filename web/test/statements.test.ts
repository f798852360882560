import { expect, test } from "vitest";
import { compareStatements, counterparts, statementsOf } from "../src/compare/statements";
import { Source } from "../src/compare/tokens";
import { placeOf, swapped, type Explanation } from "../src/data/explanation";

const source = (lines: number) => new Source({ text: "x\n".repeat(lines), starts: new Uint32Array(), ends: new Uint32Array(), kinds: new Uint8Array() });

/** The rows as text: the numbers of both lines and what they are to each other. */
const rows = (matched: [number, number, number, number][], onlyLeft: [number, number][], onlyRight: [number, number][], lines: [number, number]) =>
  compareStatements([source(lines[0]), source(lines[1])], [[1, lines[0]], [1, lines[1]]], { matched, onlyLeft, onlyRight }).rows.map(
    ({ left, right, state }) => `${left || "-"} ${right || "-"} ${state}`,
  );

test("statements that correspond in order stand side by side, what only one side has alone", () => {
  // Line 2 on the left is a comment, line 5 on the right a brace.
  expect(rows([[1, 1, 1, 1], [4, 4, 3, 4]], [[3, 3]], [[2, 2]], [4, 5])).toEqual(["1 1 alike", "- 2 right", "2 - plain", "3 - left", "4 3 alike", "- 4 alike", "- 5 plain"]);
});

test("a statement that corresponds to one elsewhere stands alone and says so", () => {
  expect(rows([[1, 1, 2, 2], [2, 2, 1, 1], [3, 3, 3, 3]], [], [], [3, 3])).toEqual(["- 1 moved", "1 2 alike", "2 - moved", "3 3 alike"]);
  expect([...counterparts([[1, 2, 5, 5]])[0]]).toEqual([[1, [5, 5]], [2, [5, 5]]]);
});

test("every line stands in one row, also where statements share lines or lie outside", () => {
  const found = rows([[1, 1, 1, 3], [1, 1, 4, 4], [2, 9, 5, 5]], [[2, 2]], [], [3, 4]);
  const of = (side: number) => found.map((row) => row.split(" ")[side]).filter((line) => line !== "-");
  expect(of(0)).toEqual(["1", "2", "3"]);
  expect(of(1)).toEqual(["1", "2", "3", "4"]);
  expect(rows([], [], [], [1, 2])).toEqual(["1 1 plain", "- 2 plain"]);
});

test("lines that no fragment has are left out", () => {
  const of = (lines: [number, number]) => ({ words: [], statements: [lines] });
  const part = { cosine: 0, adds: 0 };
  const statements = [{ left: [1, 4_000_000_000] as [number, number], right: [1, 1] as [number, number], similarity: 1 }];
  const explanation: Explanation = { similarity: 0, parts: { flow: part, words: part, spelling: part, forms: part }, words: [], statements, only_left: of([3, 2]), only_right: of([2, 2]) };
  expect(statementsOf(explanation, [[1, 3], [1, 3]])).toEqual({ matched: [], onlyLeft: [], onlyRight: [[2, 2]] });
});

test("an explanation is found by its pair", () => {
  const index = { pair: Uint32Array.from([2, 3, 7, 9]), first: Uint32Array.from([0, 3]) };
  expect([2, 7, 9].map((pair) => placeOf(index, pair))).toEqual([[0, 0], [0, 2], [1, 0]]);
  expect([0, 8, 10].map((pair) => placeOf(index, pair))).toEqual([null, null, null]);
});

test("swapping the sides twice gives the same", () => {
  const part = { cosine: 0.5, adds: 0.2 };
  const explanation: Explanation = {
    similarity: 0.8,
    parts: { flow: part, words: part, spelling: part, forms: part },
    words: [{ left: "low", right: "lo", adds: 0.1 }],
    statements: [{ left: [1, 1], right: [3, 3], similarity: 0.9 }, { left: [2, 2], right: [1, 1], similarity: 0.8 }],
    only_left: { words: ["a"], statements: [[3, 3]] },
    only_right: { words: [], statements: [] },
  };
  const other = swapped(explanation);
  expect(other.statements.map(({ left }) => left[0])).toEqual([1, 3]);
  expect([other.words[0].left, other.only_right.words]).toEqual(["lo", ["a"]]);
  expect(swapped(other)).toEqual(explanation);
});
