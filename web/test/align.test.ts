import { expect, test } from "vitest";
import { compare } from "../src/compare/align";
import { Source } from "../src/compare/tokens";

function source(text: string): Source {
  return new Source({ text, starts: new Uint32Array(0), ends: new Uint32Array(0), kinds: new Uint8Array(0) });
}

function compared(left: string, right: string) {
  const [a, b] = [source(left), source(right)];
  return compare(a, [1, a.lines], b, [1, b.lines]);
}

test("a name that stands for another throughout is a rename, one that does not is a change", () => {
  const { rows, renames, leftChanges: leftMarks } = compared("x = a + b\ny = a + c\n", "x = n + b\ny = n + d * c\n");
  expect(rows.map((row) => row.state)).toEqual(["renamed", "changed"]);
  expect(renames).toEqual([{ from: "a", to: "n", times: 2 }]);
  expect(leftMarks.get(1)).toEqual(["", "", "", "", "renamed", "", "", "", ""]);
  expect(compared("f(a, a)", "f(n, m)").rows[0].state).toBe("changed");
});

test("lines that only one side has stand alone, and the others stay side by side", () => {
  const { rows } = compared("start(1)\none()\n\nend(x, y)\n", "start(1)\ntwo = three + four\n\nend(x, y)\n");
  expect(rows).toEqual([
    { left: 1, right: 1, state: "same" },
    { left: 2, right: 0, state: "left" },
    { left: 0, right: 2, state: "right" },
    { left: 3, right: 3, state: "same" },
    { left: 4, right: 4, state: "same" },
  ]);
});

test("long sides are bound by the lines that occur once", () => {
  const lines = (count: number, salt: string) => Array.from({ length: count }, (_, at) => `call(${salt}${at}, ${at})`);
  const common = lines(50, "shared");
  const { rows } = compared([...lines(2500, "a"), ...common, "tail(1)"].join("\n"), [...lines(2500, "b"), ...common, "end(2)"].join("\n"));
  expect(rows.filter((row) => row.state === "same").length).toBeGreaterThanOrEqual(50);
});

test("every line end opens one line", () => {
  expect(source("a\r\nb\rc\n").lines).toBe(3);
  expect(source("a\r\nb\rc\n").line(2)).toBe("b");
});
