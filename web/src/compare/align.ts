// Which lines of two fragments correspond, and what differs on them.

import { Class, withoutNames, isSignificant, type Source, type Token } from "./tokens";

/** How the two sides of a row stand to each other. */
export type State = "same" | "renamed" | "changed" | "left" | "right" | StatementState;

/** The same where statements are compared: lines that correspond, here or elsewhere, and lines of no statement. */
export type StatementState = "alike" | "moved" | "plain";

/** One row of a comparison: line numbers from 1, or 0 for none. */
export interface Row {
  left: number;
  right: number;
  state: State;
}

/** How a token differs from its counterpart. */
export type TokenChange = "" | "renamed" | "changed";

export interface Comparison {
  rows: Row[];
  /** For each line that has any, the mark of each of its tokens. */
  leftChanges: Map<number, TokenChange[]>;
  rightChanges: Map<number, TokenChange[]>;
  /** Names that stand for each other throughout, with how often. */
  renames: { from: string; to: string; times: number }[];
}

interface Line {
  number: number;
  tokens: Token[];
  /** Positions in `tokens` of those that count. */
  places: number[];
  exact: number;
  normalized: number;
  /** The numbers of its words, in order of size. */
  words: Int32Array;
  /** How much a match of this line says. */
  weight: number;
}

/** Largest product of lines that are compared each with each; beyond it, only lines that occur once bind. */
const MOST_CELLS = 1_000_000;
/** The same where lines that are only similar may match. */
const MOST_SIMILAR = 250_000;

/** Numbers that stand for texts, the same for the same. */
function numbering(): (key: string) => number {
  const numbers = new Map<string, number>();
  return (key) => {
    let found = numbers.get(key);
    if (found === undefined) numbers.set(key, (found = numbers.size));
    return found;
  };
}

/** Compares lines `left[0]` to `left[1]` of one source with some of another. */
export function compare(a: Source, left: [number, number], b: Source, right: [number, number]): Comparison {
  const number = numbering();
  const [as, bs] = [linesOf(a, left, number), linesOf(b, right, number)];
  const matched: [number, number][] = [];
  align(as, 0, as.length, bs, 0, bs.length, matched);
  return describe(as, bs, matched);
}

/** First and last line on the left, first and last on the right. */
export type Span = [number, number, number, number];

/** From the first to the last line of some stretches, on the left and on the right. */
export function covered(spans: Span[]): [[number, number], [number, number]] {
  const [left, right]: [[number, number], [number, number]] = [[Infinity, -Infinity], [Infinity, -Infinity]];
  for (const [a0, a1, b0, b1] of spans) {
    [left[0], left[1]] = [Math.min(left[0], a0), Math.max(left[1], a1)];
    [right[0], right[1]] = [Math.min(right[0], b0), Math.max(right[1], b1)];
  }
  return [left, right];
}

/** Compares what is known to correspond, stretch by stretch, which come in the same order on both sides; no line between them has a counterpart. */
export function compareAlong(a: Source, b: Source, spans: Span[]): Comparison {
  const number = numbering();
  const [left, right] = covered(spans);
  const [as, bs] = [linesOf(a, left, number), linesOf(b, right, number)];
  const matched: [number, number][] = [];
  let [i, j] = [0, 0];
  for (const [a0, a1, b0, b1] of spans) {
    const [fromA, fromB] = [Math.max(i, a0 - left[0]), Math.max(j, b0 - right[0])];
    [i, j] = [Math.min(as.length, a1 - left[0] + 1), Math.min(bs.length, b1 - right[0] + 1)];
    align(as, fromA, i, bs, fromB, j, matched);
  }
  return describe(as, bs, matched);
}

/** Of stretches those that come in the same order on both sides and cover most lines, by their lines on the left. */
export function inOrder(spans: Span[]): Span[] {
  const sorted = [...spans].sort((x, y) => x[0] - y[0] || x[2] - y[2]);
  const worth: number[] = [];
  const before: number[] = [];
  sorted.forEach(([a0, a1, b0, b1], at) => {
    before[at] = -1;
    for (let other = Math.max(0, at - MOST_BEFORE); other < at; other++) {
      const [c0, c1, d0, d1] = sorted[other];
      const isBefore = c0 <= a0 && c1 < a1 && d0 <= b0 && d1 < b1;
      if (isBefore && (before[at] < 0 || worth[other] > worth[before[at]])) before[at] = other;
    }
    worth[at] = a1 - a0 + 1 + (before[at] < 0 ? 0 : worth[before[at]]);
  });
  const chain: Span[] = [];
  let end = worth.length > 0 ? 0 : -1;
  worth.forEach((value, at) => {
    if (value > worth[end]) end = at;
  });
  for (let at = end; at >= 0; at = before[at]) chain.push(sorted[at]);
  return chain.reverse();
}

/** Stretches before one that may come before it; there are few but where code repeats itself. */
const MOST_BEFORE = 500;

function linesOf(source: Source, [first, last]: [number, number], number: (key: string) => number): Line[] {
  const lines: Line[] = [];
  for (let at = first; at <= Math.min(last, source.lines); at++) {
    const tokens = source.tokens(at);
    const places = tokens.flatMap((token, place) => (isSignificant(token) ? [place] : []));
    const counted = places.map((place) => tokens[place]);
    const comment = tokens.filter((token) => token.kind === Class.Comment).map((token) => token.text.trim()).join(" ");
    const key = counted.length ? counted.map((token) => token.text).join("\u0000") : `\u0003${comment}`;
    const weight = counted.length > 2 ? 4 : counted.length > 0 ? 1.5 : comment ? 1 : 0.4;
    lines.push({
      number: at,
      tokens,
      places,
      exact: number(`=${key}`),
      words: Int32Array.from(counted, (token) => number(token.text)).sort(),
      normalized: number(counted.length ? `~${counted.map(withoutNames).join("\u0000")}` : `=${key}`),
      weight,
    });
  }
  return lines;
}

/** Pushes the pairs of lines of `a[a0..a1]` and `b[b0..b1]` that correspond, in order. */
function align(a: Line[], a0: number, a1: number, b: Line[], b0: number, b1: number, out: [number, number][]): void {
  while (a0 < a1 && b0 < b1 && a[a0].exact === b[b0].exact) out.push([a0++, b0++]);
  const tail: [number, number][] = [];
  while (a0 < a1 && b0 < b1 && a[a1 - 1].exact === b[b1 - 1].exact) tail.push([--a1, --b1]);
  const cells = (a1 - a0) * (b1 - b0);
  if (cells > 0 && cells <= MOST_CELLS) {
    bestAlignment(a, a0, a1, b, b0, b1, out);
  } else if (cells > 0) {
    const anchors = uniqueLines(a, a0, a1, b, b0, b1);
    let [i, j] = [a0, b0];
    for (const [x, y] of anchors) {
      align(a, i, x, b, j, y, out);
      out.push([x, y]);
      [i, j] = [x + 1, y + 1];
    }
    if (anchors.length > 0) align(a, i, a1, b, j, b1, out);
  }
  for (const pair of tail.reverse()) out.push(pair);
}

/** The alignment of the largest score. */
function bestAlignment(a: Line[], a0: number, a1: number, b: Line[], b0: number, b1: number, out: [number, number][]): void {
  const [rows, columns] = [a1 - a0, b1 - b0];
  const similar = rows * columns <= MOST_SIMILAR;
  const width = columns + 1;
  const score = new Float32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const skip = Math.max(score[(i + 1) * width + j], score[i * width + j + 1]);
      const worth = lineSimilarity(a[a0 + i], b[b0 + j], similar);
      score[i * width + j] = worth > 0 ? Math.max(skip, score[(i + 1) * width + j + 1] + worth) : skip;
    }
  }
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    const here = score[i * width + j];
    if (here === score[(i + 1) * width + j]) i++;
    else if (here === score[i * width + j + 1]) j++;
    else out.push([a0 + i++, b0 + j++]);
  }
}

/** What it is worth to set two lines side by side; 0 where they may not be. */
function lineSimilarity(a: Line, b: Line, similar: boolean): number {
  if (a.exact === b.exact) return a.weight;
  if (a.normalized === b.normalized) return a.weight * 0.8;
  const [short, long] = [Math.min(a.places.length, b.places.length), Math.max(a.places.length, b.places.length)];
  if (!similar || short < 2 || short * 3 < long) return 0;
  let [common, i, j] = [0, 0, 0];
  while (i < a.words.length && j < b.words.length) {
    const difference = a.words[i] - b.words[j];
    if (difference === 0) common++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  const overlap = (2 * common) / (short + long);
  return overlap >= 0.5 ? overlap * 2 : 0;
}

/** Lines that occur once on each side, in an order that holds on both. */
function uniqueLines(a: Line[], a0: number, a1: number, b: Line[], b0: number, b1: number): [number, number][] {
  const once = (lines: Line[], from: number, to: number) => {
    const at = new Map<number, number>();
    for (let i = from; i < to; i++) at.set(lines[i].exact, at.has(lines[i].exact) ? -1 : i);
    return at;
  };
  const [ofA, ofB] = [once(a, a0, a1), once(b, b0, b1)];
  const common: [number, number][] = [];
  for (let i = a0; i < a1; i++) {
    const j = ofB.get(a[i].exact);
    if (ofA.get(a[i].exact) === i && j !== undefined && j >= 0) common.push([i, j]);
  }
  return longestRising(common);
}

/** The longest part of `pairs` whose second numbers rise. */
function longestRising(pairs: [number, number][]): [number, number][] {
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, j], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]][1] < j) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? ends[low - 1] : -1;
    ends[low] = at;
  });
  const chain: [number, number][] = [];
  for (let at = ends.length ? ends[ends.length - 1] : -1; at >= 0; at = before[at]) chain.push(pairs[at]);
  return chain.reverse();
}

/** Tokens of two lines that correspond, as positions in `places`. */
function matchTokens(a: Line, b: Line): [number, number][] {
  const [n, m] = [a.places.length, b.places.length];
  if (a.normalized === b.normalized) return a.places.map((_, at) => [at, at]);
  if (n * m > 250_000) return [];
  const width = m + 1;
  const score = new Float32Array((n + 1) * width);
  const worth = (i: number, j: number) => {
    const [x, y] = [a.tokens[a.places[i]], b.tokens[b.places[j]]];
    return x.text === y.text ? 1 : x.kind === y.kind && withoutNames(x) === withoutNames(y) ? 0.4 : 0;
  };
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const skip = Math.max(score[(i + 1) * width + j], score[i * width + j + 1]);
      const value = worth(i, j);
      score[i * width + j] = value > 0 ? Math.max(skip, score[(i + 1) * width + j + 1] + value) : skip;
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < n && j < m) {
    const here = score[i * width + j];
    if (here === score[(i + 1) * width + j]) i++;
    else if (here === score[i * width + j + 1]) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

/** Counts which names stand for which. */
class NamePairs {
  private readonly to = new Map<string, Set<string>>();
  private readonly from = new Map<string, Set<string>>();
  private readonly times = new Map<string, number>();

  add(x: string, y: string): void {
    const put = (map: Map<string, Set<string>>, key: string, value: string) => {
      const set = map.get(key);
      if (set) set.add(value);
      else map.set(key, new Set([value]));
    };
    put(this.to, x, y);
    put(this.from, y, x);
    const key = `${x}\u0000${y}`;
    this.times.set(key, (this.times.get(key) ?? 0) + 1);
  }

  /** Whether `x` stands for `y` and for nothing else, and the other way round. */
  isRename(x: string, y: string): boolean {
    return x !== y && this.to.get(x)?.size === 1 && this.from.get(y)?.size === 1 && this.to.get(x)?.has(y) === true;
  }

  renames(): { from: string; to: string; times: number }[] {
    const all = [...this.times].map(([key, times]) => {
      const [from, to] = key.split("\u0000");
      return { from, to, times };
    });
    return all.filter(({ from, to }) => this.isRename(from, to)).sort((x, y) => y.times - x.times);
  }
}

function describe(a: Line[], b: Line[], matched: [number, number][]): Comparison {
  const names = new NamePairs();
  const tokens = matched.map(([i, j]) => (a[i].exact === b[j].exact ? null : matchTokens(a[i], b[j])));
  matched.forEach(([i, j], at) => {
    const pairs = tokens[at] ?? a[i].places.map((_, place): [number, number] => [place, place]);
    for (const [x, y] of pairs) {
      const [left, right] = [a[i].tokens[a[i].places[x]], b[j].tokens[b[j].places[y]]];
      if (left && right && left.kind === Class.Name && right.kind === Class.Name) names.add(left.text, right.text);
    }
  });
  const result: Comparison = { rows: [], leftChanges: new Map(), rightChanges: new Map(), renames: names.renames() };
  let [i, j] = [0, 0];
  const alone = (toI: number, toJ: number) => {
    while (i < toI) result.rows.push({ left: a[i++].number, right: 0, state: "left" });
    while (j < toJ) result.rows.push({ left: 0, right: b[j++].number, state: "right" });
  };
  matched.forEach(([x, y], at) => {
    alone(x, y);
    const pairs = tokens[at];
    const state = pairs ? compareTokens(a[x], b[y], pairs, names, result) : "same";
    result.rows.push({ left: a[x].number, right: b[y].number, state });
    [i, j] = [x + 1, y + 1];
  });
  alone(a.length, b.length);
  return result;
}

/** Marks what differs between two lines, and says how they stand to each other. */
function compareTokens(a: Line, b: Line, pairs: [number, number][], names: NamePairs, result: Comparison): State {
  const marksOf = (line: Line) => line.tokens.map((token): TokenChange => (isSignificant(token) ? "changed" : ""));
  const [left, right] = [marksOf(a), marksOf(b)];
  for (const [x, y] of pairs) {
    const [placeA, placeB] = [a.places[x], b.places[y]];
    const [one, other] = [a.tokens[placeA].text, b.tokens[placeB].text];
    const how: TokenChange = one === other ? "" : names.isRename(one, other) ? "renamed" : "changed";
    left[placeA] = how;
    right[placeB] = how;
  }
  result.leftChanges.set(a.number, left);
  result.rightChanges.set(b.number, right);
  const all = [...left, ...right];
  return all.includes("changed") ? "changed" : all.includes("renamed") ? "renamed" : "same";
}
