// A search in a corpus as views ask for it: names instead of numbers, and places on demand.

import { packOf } from "../audit/audit";
import type { Place } from "../audit/model";
import type { ReportData, Tables } from "../model";
import type { BlobText, FoundTable, NumberLists, Origin } from "./model";

/** First and last line of the query, first and last line of the blob. */
export type Stretch = [number, number, number, number];

/** Packs of each kind that stay in memory. */
const KEPT = 40;

/** All of a file. */
export const WHOLE = 10_000;

export class Found {
  readonly table: FoundTable;
  /** How many files were asked for of which something is known: their fragments and files come first. */
  readonly count: number;
  /** Of each query the most that a blob has, in ten thousandths. */
  readonly best: Uint16Array;
  private readonly tables: Tables;
  private readonly data: ReportData;
  private readonly packs = new Map<string, Promise<unknown[]>>();

  constructor(tables: Tables, table: FoundTable, data: ReportData) {
    this.tables = tables;
    this.table = table;
    this.data = data;
    this.count = table.queries.year.length;
    this.best = new Uint16Array(this.count);
    const { left } = tables.pairs;
    table.pairs.coverage.forEach((coverage, pair) => (this.best[left[pair]] = Math.max(this.best[left[pair]], coverage)));
  }

  isQuery(fragment: number): boolean {
    return fragment < this.count;
  }

  /** The query of a class. */
  query(number: number): number {
    const { classes } = this.tables;
    return classes.members[classes.first[number]];
  }

  /** The fragment of the blob in a pair. */
  right(pair: number): number {
    return this.tables.pairs.right[pair];
  }

  /** The blob that a fragment is of. */
  blob(fragment: number): number {
    return this.tables.fragments.file[fragment] - this.count;
  }

  stretches(pair: number): Stretch[] {
    const { first, lines } = this.table.pairs;
    return Array.from({ length: first[pair + 1] - first[pair] }, (_, at) => [...lines.subarray(4 * (first[pair] + at), 4 * (first[pair] + at) + 4)] as Stretch);
  }

  /** Lines of the query that a pair has, each counted once. */
  lines(pair: number): number {
    let [count, next] = [0, 0];
    for (const [from, to] of this.stretches(pair).sort((a, b) => a[0] - b[0])) {
      const first = Math.max(from, next);
      if (first > to) continue;
      count += to - first + 1;
      next = to + 1;
    }
    return count;
  }

  /** Under which licenses a fragment's blob stands; empty for none that is known. */
  licenses(fragment: number): string[] {
    return of(this.table.blobs.licenses, this.blob(fragment)).map((at) => this.table.licenses[at] ?? "");
  }

  /** The numbers of the projects in which a fragment's blob stands, those that had it first where there are many. */
  projects(fragment: number): number[] {
    return of(this.table.blobs.projects, this.blob(fragment));
  }

  /** The first project of a blob, as far as times say. */
  project(fragment: number): string {
    const [first] = this.projects(fragment);
    return this.table.projects[first] ?? "";
  }

  /** Whether a blob has about as much of a query as any, so that its places tell who had it: four fifths of what the best has. */
  isWitness(query: number, pair: number): boolean {
    return this.table.pairs.coverage[pair] * 5 >= this.best[query] * 4;
  }

  /** The fragment that had a query first, where it is known and listed; otherwise -1. */
  origin(query: number): number {
    const { origin, originKnown } = this.table.queries;
    return originKnown[query] === 1 ? origin[query] - 1 : -1;
  }

  async blobText(fragment: number): Promise<BlobText> {
    return this.row("blobs", this.table.packs.blobs, this.blob(fragment), (pack) => this.data.blobs(pack));
  }

  async originOf(query: number): Promise<Origin> {
    return this.row("origins", this.table.packs.origins, query, (pack) => this.data.origins(pack));
  }

  unknown() {
    return this.data.unknown();
  }

  private async row<R>(kind: string, firsts: number[], at: number, load: (pack: number) => Promise<R[]>): Promise<R> {
    const number = packOf(firsts, at);
    const key = `${kind}-${number}`;
    const before = this.packs.get(key) as Promise<R[]> | undefined;
    this.packs.delete(key);
    const pack = before ?? load(number);
    if (!before) pack.catch(() => this.packs.delete(key));
    this.packs.set(key, pack);
    for (const old of this.packs.keys()) {
      if (this.packs.size <= KEPT) break;
      this.packs.delete(old);
    }
    return (await pack)[at - firsts[number]];
  }
}

/** The place that had it first, where there is one. */
export function placeOf({ known: _, reason: __, blob: ___, ...place }: Origin): Place | null {
  const { project, path, first_line, revision, first_seen, last_seen, evidence } = place;
  if (project === undefined || evidence === undefined) return null;
  return { ...place, project, evidence, path: path ?? "", first_line: first_line ?? 1, revision: revision ?? null, first_seen: first_seen ?? null, last_seen: last_seen ?? null };
}

function of({ first, list }: NumberLists, at: number): number[] {
  return [...list.subarray(first[at], first[at + 1])];
}
