// The files that a filter leaves, as a table for other tools.

import { field } from "../csv";
import { categoryOf } from "./filter";
import { DISAGREES, type Table } from "./model";

const HEADER = "path,license,category,by,disagreeing,holders,lines\n";

/** Where several stand in one field, this is between them. */
const BETWEEN = "; ";

export function csv(table: Table, list: Uint32Array): string[] {
  const rows = [HEADER];
  for (const file of list) {
    const license = table.license[file] < 0 ? "" : table.expressions[table.license[file]].text;
    const columns = [
      field(table.paths[file]),
      field(license),
      categoryOf(table, file),
      table.kinds[table.by[file]],
      field(others(table, file).map(({ kind, license }) => `${kind}: ${license}`).join(BETWEEN)),
      field(holders(table, file).join(BETWEEN)),
      String(table.lines[file]),
    ];
    rows.push(`${columns.join(",")}\n`);
  }
  return rows;
}

/** What the layers say that disagree. */
export function others(table: Table, file: number): { kind: string; license: string }[] {
  const { layers, firstLayer } = table;
  const list: { kind: string; license: string }[] = [];
  for (let at = firstLayer[file]; at < firstLayer[file + 1]; at++) {
    if (layers.flags[at] & DISAGREES) list.push({ kind: table.kinds[layers.kind[at]], license: table.expressions[layers.license[at]]?.text ?? "" });
  }
  return list;
}

export function holders(table: Table, file: number): string[] {
  return Array.from(table.holder.subarray(table.firstHolder[file], table.firstHolder[file + 1]), (at) => table.holders[at]);
}
