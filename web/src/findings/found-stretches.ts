// The stretches of a file that correspond to others, for its margin.

import type { Found } from "../data/found/found";
import type { Result } from "../data/result";

export interface Stretch {
  id: number;
  from: number;
  to: number;
  type: number;
  /** What it is compared with. */
  other: number;
}

/** Matches of one file whose stretches are shown; those that have most of it. */
const MOST = 200;

/** By their first lines. */
export function stretchesOf(result: Result, found: Found, file: number): Stretch[] {
  const { pairs } = result.tables;
  const list: Stretch[] = [];
  const add = (id: number, other: number) => {
    const pair = result.pairOf(id, other);
    for (const [a, b, c, d] of found.stretches(pair)) {
      const [from, to] = found.isQuery(id) ? [a, b] : [c, d];
      list.push({ id, from, to, type: pairs.type[pair], other });
    }
  };
  if (found.isQuery(file)) {
    for (const blob of result.members(result.classOf[file]).subarray(1, MOST + 1)) add(file, blob);
  } else {
    const end = Math.min(result.firstOfFile[file + 1], result.firstOfFile[file] + MOST);
    for (let id = result.firstOfFile[file]; id < end; id++) add(id, result.members(result.classOf[id])[0]);
  }
  return list.sort((a, b) => a.from - b.from || b.to - a.to);
}
