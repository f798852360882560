// The lines of a file that say something.

import type { Details, Table } from "./model";
import { HERE } from "./model";

export interface EvidenceLines {
  from: number;
  to: number;
  /** The category of a license, or a claim of copyright. */
  kind: string;
}

export const COPYRIGHT = "copyright";

/** In the order of their lines. Claims stand in one with a license's lines where they are the same. */
export function evidenceLines(table: Table, file: number, details: Details): EvidenceLines[] {
  const { layers, firstLayer, expressions } = table;
  const list: EvidenceLines[] = [];
  for (let at = firstLayer[file]; at < firstLayer[file + 1]; at++) {
    if (!(layers.flags[at] & HERE) || layers.start[at] === 0) continue;
    list.push({ from: layers.start[at], to: layers.end[at], kind: expressions[layers.license[at]]?.category ?? "unknown" });
  }
  for (const [, , from, to] of details.copyrights) list.push({ from, to, kind: COPYRIGHT });
  return list.sort((a, b) => a.from - b.from || a.to - b.to || (a.kind < b.kind ? -1 : 1));
}

/** For each line what is said there: a license's words before a claim's. */
export function byLine(list: EvidenceLines[]): Map<number, string> {
  const lines = new Map<number, string>();
  for (const { from, to, kind } of list) {
    for (let line = from; line <= to; line++) if (kind !== COPYRIGHT || !lines.has(line)) lines.set(line, kind);
  }
  return lines;
}
