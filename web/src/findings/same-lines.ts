// Findings that stand in the same lines: the first of them in a list is shown, the others stand under it.

import { VERDICTS } from "../data/audit/audit";
import type { FragmentTable, Tables, FindingKind } from "../data/model";
import type { Result } from "../data/result";

/** A list of findings in which each stretch of code is shown once. */
export interface Nested {
  /** What is shown, in the order of the list. */
  heads: Uint32Array;
  /** By the finding that is shown: those whose lines are mostly its lines, in the order of the list. */
  under: Map<number, number[]>;
  /** How many stand under others. */
  hidden: number;
}

/** Pairs between the same two files of which one is compared with every further one. */
const LOOKED_BACK = 64;

/** Puts each finding of a list under the first one before it that has most of its lines. */
export function nested(result: Result, kind: FindingKind, list: Uint32Array): Nested {
  // A search has one row for each file that was asked for.
  if (result.found) return { heads: list, under: new Map(), hidden: 0 };
  return kind === "classes" ? gathered(list, classHost(result)) : gathered(list, pairHost(result));
}

/** Findings that are looked at for the first ones. */
const FIRST = 2_000;

/** The first findings by rank, each stretch of code once. */
export function topFindings(result: Result, count: number): number[] {
  const all = Uint32Array.from({ length: Math.min(FIRST, result.tables.classes.type.length) }, (_, at) => at);
  return [...nested(result, "classes", all).heads.subarray(0, count)];
}

/** The rows that a reader sees: what is shown, and under each finding that is open what stands in its lines. */
export function rowsOf({ heads, under }: Nested, open: ReadonlySet<number>): { rows: Uint32Array; isUnder: Uint8Array } {
  if (![...open].some((finding) => under.has(finding))) return { rows: heads, isUnder: new Uint8Array(heads.length) };
  const [rows, isUnder]: [number[], number[]] = [[], []];
  for (const head of heads) {
    rows.push(head);
    isUnder.push(0);
    if (!open.has(head)) continue;
    for (const finding of under.get(head) ?? []) {
      rows.push(finding);
      isUnder.push(1);
    }
  }
  return { rows: Uint32Array.from(rows), isUnder: Uint8Array.from(isUnder) };
}

/** `host` tells the shown finding that has most of a finding's lines, or -1, and then takes it as shown itself. */
function gathered(list: Uint32Array, host: (finding: number) => number): Nested {
  const heads = new Uint32Array(list.length);
  const under = new Map<number, number[]>();
  let count = 0;
  for (const finding of list) {
    const above = host(finding);
    if (above < 0) heads[count++] = finding;
    else if (under.has(above)) under.get(above)!.push(finding);
    else under.set(above, [finding]);
  }
  return { heads: heads.slice(0, count), under, hidden: list.length - count };
}

/** Of an audit: nothing stands under a finding that is less serious, or that policy decides differently. */
function mayStandUnder({ audit }: Result): (finding: number, above: number) => boolean {
  if (!audit) return () => true;
  const seriousness = (finding: number) => VERDICTS.indexOf(audit.verdict(finding) as (typeof VERDICTS)[number]);
  return (finding, above) => audit.decision(finding) === audit.decision(above) && seriousness(finding) >= seriousness(above);
}

/** For every line of the files which finding was shown for it first. */
class Owners {
  private readonly lines = new Map<number, Int32Array>();

  constructor(
    private readonly fragments: FragmentTable,
    private readonly ends: Uint32Array,
  ) {}

  private of(file: number): Int32Array {
    let lines = this.lines.get(file);
    if (!lines) this.lines.set(file, (lines = new Int32Array(this.ends[file]).fill(-1)));
    return lines;
  }

  /** The finding that has more than half of the lines of some fragments, or -1. */
  most(ids: Uint32Array): number {
    const { file, start, lines } = this.fragments;
    const shared = new Map<number, number>();
    let total = 0;
    for (const id of ids) {
      const owners = this.of(file[id]);
      total += lines[id];
      for (let line = start[id]; line < start[id] + lines[id]; line++) if (owners[line] >= 0) shared.set(owners[line], (shared.get(owners[line]) ?? 0) + 1);
    }
    for (const [finding, count] of shared) if (count * 2 > total) return finding;
    return -1;
  }

  /** The lines of some fragments are a finding's from now on, unless they are another's. */
  take(ids: Uint32Array, finding: number): void {
    const { file, start, lines } = this.fragments;
    for (const id of ids) {
      const owners = this.of(file[id]);
      for (let line = start[id]; line < start[id] + lines[id]; line++) if (owners[line] < 0) owners[line] = finding;
    }
  }
}

/** One after the last line of each file that a fragment covers. */
function endsOf({ files, fragments }: Tables): Uint32Array {
  const ends = new Uint32Array(files.paths.length);
  for (let id = 0; id < fragments.file.length; id++) ends[fragments.file[id]] = Math.max(ends[fragments.file[id]], fragments.start[id] + fragments.lines[id]);
  return ends;
}

/** A class stands under the first one that has most of the lines of all its copies, or whose first copy has most of the lines of its own first copy: these are what a row shows. */
function classHost(result: Result): (finding: number) => number {
  const { fragments } = result.tables;
  const may = mayStandUnder(result);
  const ends = endsOf(result.tables);
  const [all, first] = [new Owners(fragments, ends), new Owners(fragments, ends)];
  return (finding) => {
    const members = result.members(finding);
    // Of an audit the code of PATH counts: many findings come from the same file elsewhere.
    const copies = result.audit ? members.filter((id) => result.audit!.isHere(id)) : members;
    const shown = members.subarray(0, 1);
    for (const above of [all.most(copies), first.most(shown)]) if (above >= 0 && may(finding, above)) return above;
    all.take(copies, finding);
    first.take(shown, finding);
    return -1;
  };
}

/** Pairs between the same two files are compared with those that are shown of these files. */
function pairHost(result: Result): (finding: number) => number {
  const { fragments, pairs } = result.tables;
  const { audit } = result;
  const shown = new Map<string, number[]>();
  const seriousness = (pair: number) => (audit ? VERDICTS.indexOf(audit.verdictOfPair(pair) as (typeof VERDICTS)[number]) : 0);
  const shares = (one: number, other: number) => {
    const from = Math.max(fragments.start[one], fragments.start[other]);
    const end = Math.min(fragments.start[one] + fragments.lines[one], fragments.start[other] + fragments.lines[other]);
    return (end - from) * 2 > fragments.lines[one];
  };
  return (pair) => {
    const [left, right] = [pairs.left[pair], pairs.right[pair]];
    const key = `${fragments.file[left]} ${fragments.file[right]}`;
    let list = shown.get(key);
    if (!list) shown.set(key, (list = []));
    const above = list.slice(-LOOKED_BACK).find((other) => shares(left, pairs.left[other]) && shares(right, pairs.right[other]) && seriousness(pair) >= seriousness(other));
    if (above !== undefined) return above;
    list.push(pair);
    return -1;
  };
}
