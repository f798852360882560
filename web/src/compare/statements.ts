// Which lines of two fragments correspond, where it is known which statements do.

import type { Explanation } from "../data/explanation";
import { inOrder, type Comparison, type Row, type Span } from "./align";
import type { Source } from "./tokens";

/** A statement's first and last line on both sides. */
export interface Statements {
  matched: Span[];
  onlyLeft: [number, number][];
  onlyRight: [number, number][];
}

/** What a line of one side is: part of a matched statement, of one that only this side has, or of none. */
type Kind = "matched" | "alone" | "none";

type Sides<S> = [S, S];

/** The statements of an explanation that lie within the lines of both sides, as all do unless somebody changed the result. */
export function statementsOf({ statements, only_left, only_right }: Explanation, [left, right]: Sides<[number, number]>): Statements {
  const isWithin = ([first, last]: [number, number], [from, to]: [number, number]) => from <= first && first <= last && last <= to;
  const matched = statements.filter((it) => isWithin(it.left, left) && isWithin(it.right, right));
  return {
    matched: matched.map((it): Span => [...it.left, ...it.right]),
    onlyLeft: only_left.statements.filter((lines) => isWithin(lines, left)),
    onlyRight: only_right.statements.filter((lines) => isWithin(lines, right)),
  };
}

/** Sets matched statements beside each other, as far as they come in the same order; the others stand alone, and are linked by their numbers. */
export function compareStatements(sources: Sides<Source>, lines: Sides<[number, number]>, statements: Statements): Comparison {
  const ends: Sides<number> = [Math.min(lines[0][1], sources[0].lines), Math.min(lines[1][1], sources[1].lines)];
  const kinds = [kindsOf(statements.matched, statements.onlyLeft, 0), kindsOf(statements.matched, statements.onlyRight, 1)];
  const kind = (side: number, line: number): Kind => kinds[side].get(line) ?? "none";
  const rows: Row[] = [];
  const next: Sides<number> = [lines[0][0], lines[1][0]];
  const upTo = (left: number, right: number) => between(rows, next, [left, right], kind);
  for (const [a0, a1, b0, b1] of inOrder(statements.matched)) {
    upTo(Math.min(a0, ends[0] + 1), Math.min(b0, ends[1] + 1));
    const [left, right] = [Math.min(a1, ends[0]), Math.min(b1, ends[1])];
    while (next[0] <= left || next[1] <= right) {
      rows.push({ left: next[0] <= left ? next[0]++ : 0, right: next[1] <= right ? next[1]++ : 0, state: "alike" });
    }
  }
  upTo(ends[0] + 1, ends[1] + 1);
  return { rows, leftChanges: new Map(), rightChanges: new Map(), renames: [] };
}

function kindsOf(matched: Span[], alone: [number, number][], side: 0 | 1): Map<number, Kind> {
  const kinds = new Map<number, Kind>();
  const put = (first: number, last: number, kind: Kind) => {
    for (let line = first; line <= last; line++) kinds.set(line, kind);
  };
  for (const [first, last] of alone) put(first, last, "alone");
  for (const span of matched) put(span[2 * side], span[2 * side + 1], "matched");
  return kinds;
}

/** Pushes the lines before those that correspond next: what no statement is made of side by side, the rest alone. */
function between(rows: Row[], next: Sides<number>, ends: Sides<number>, kind: (side: number, line: number) => Kind): void {
  const is = (side: 0 | 1, wanted: Kind | "any") => next[side] < ends[side] && (wanted === "any" || kind(side, next[side]) === wanted);
  const moved = (side: 0 | 1) => kind(side, next[side]) === "matched";
  while (is(0, "any") || is(1, "any")) {
    if (is(0, "none") && is(1, "none")) rows.push({ left: next[0]++, right: next[1]++, state: "plain" });
    else if (is(0, "any") && !is(0, "none")) rows.push({ state: moved(0) ? "moved" : "left", left: next[0]++, right: 0 });
    else if (is(1, "any") && !is(1, "none")) rows.push({ state: moved(1) ? "moved" : "right", left: 0, right: next[1]++ });
    else if (is(0, "any")) rows.push({ left: next[0]++, right: 0, state: "plain" });
    else rows.push({ left: 0, right: next[1]++, state: "plain" });
  }
}

/** The lines on the other side to which each line corresponds. */
export function counterparts(matched: Span[]): Sides<Map<number, [number, number]>> {
  const found: Sides<Map<number, [number, number]>> = [new Map(), new Map()];
  for (const [a0, a1, b0, b1] of matched) {
    for (let line = a0; line <= a1; line++) if (!found[0].has(line)) found[0].set(line, [b0, b1]);
    for (let line = b0; line <= b1; line++) if (!found[1].has(line)) found[1].set(line, [a0, a1]);
  }
  return found;
}
