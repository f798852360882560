// The licenses of a tree from chunks (docs/formats/report.md).

import type { Chunks } from "../data/chunks";
import { fill } from "../data/columns";
import type { Details, Expression, Head, License, Packages, Skip, Table } from "./model";

type RawExpression = [text: string, category: string, licenses: [string, string][]];

export interface RawFiles {
  paths: string[];
  expressions: RawExpression[];
  kinds: string[];
  holders: string[];
  license: string;
  by: string;
  lines: string;
  text: string;
  details: string;
  layers: string;
  held: string;
  layer: { kind: string; license: string; flags: string; start: string; more: string };
  holder: string;
}

interface RawPackages {
  rows: [purl: string, name: string, version: string | null, folder: string][];
  expressions: RawExpression[];
  license: string;
}

/** Different values, numbered as they come. */
class Distinct<V> {
  readonly list: V[] = [];
  private readonly numbers = new Map<string, number>();

  number(key: string, make: () => V): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.list.push(make()) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }
}

/** The expressions of all chunks, and the licenses in them. */
class Named {
  readonly expressions = new Distinct<Expression>();
  readonly licenses = new Distinct<License>();

  number([text, category, named]: RawExpression): number {
    return this.expressions.number(text, () => ({
      text,
      category,
      licenses: named.map(([name, kind]) => this.licenses.number(name, () => ({ name, category: kind }))),
    }));
  }
}

function column(text: string): number[] {
  const numbers: number[] = [];
  fill(numbers, text);
  return numbers;
}

/** Puts the chunks of files together. */
export function joined(head: Head, chunks: RawFiles[]): Table & { text: Uint32Array; details: Uint32Array } {
  const [named, kinds, holders] = [new Named(), new Distinct<string>(), new Distinct<string>()];
  const { files } = head.counts;
  const of = (list: number[], text: string, map: (number: number) => number = (number) => number) => {
    for (const number of column(text)) list.push(map(number));
  };
  const paths: string[] = [];
  const [license, by, lines, text, details, layers, held, holder]: number[][] = [[], [], [], [], [], [], [], []];
  const layer = { kind: [] as number[], license: [] as number[], flags: [] as number[], start: [] as number[], more: [] as number[] };
  for (const raw of chunks) {
    const expression = raw.expressions.map((one) => named.number(one));
    const kind = raw.kinds.map((name) => kinds.number(name, () => name));
    const name = raw.holders.map((name) => holders.number(name, () => name));
    const licensed = (number: number) => (number === 0 ? -1 : expression[number - 1]);
    for (const path of raw.paths) paths.push(path);
    of(license, raw.license, licensed);
    of(by, raw.by, (number) => kind[number]);
    of(lines, raw.lines);
    of(text, raw.text);
    of(details, raw.details);
    of(layers, raw.layers);
    of(held, raw.held);
    of(layer.kind, raw.layer.kind, (number) => kind[number]);
    of(layer.license, raw.layer.license, licensed);
    of(layer.flags, raw.layer.flags);
    of(layer.start, raw.layer.start);
    of(layer.more, raw.layer.more);
    of(holder, raw.holder, (number) => name[number]);
  }
  return {
    head,
    paths,
    licenses: named.licenses.list,
    expressions: named.expressions.list,
    kinds: kinds.list,
    holders: holders.list,
    license: Int32Array.from(license),
    by: Uint8Array.from(by),
    lines: Uint32Array.from(lines),
    firstLayer: firsts(layers, files),
    layers: {
      kind: Uint8Array.from(layer.kind),
      license: Int32Array.from(layer.license),
      flags: Uint8Array.from(layer.flags),
      start: Uint32Array.from(layer.start),
      end: Uint32Array.from(layer.more, (more, at) => layer.start[at] + more),
    },
    firstHolder: firsts(held, files),
    holder: Uint32Array.from(holder),
    text: Uint32Array.from(text),
    details: Uint32Array.from(details),
  };
}

/** Where each begins, of so many each, and where the last ends. */
function firsts(counts: number[], length: number): Uint32Array {
  const first = new Uint32Array(length + 1);
  for (let at = 0; at < length; at++) first[at + 1] = first[at] + (counts[at] ?? 0);
  return first;
}

/** How many files before `file` share its pack. */
function placeInPack(packs: Uint32Array, file: number): number {
  let place = 0;
  // Files without a text lie between those of a pack, which is never behind the next one.
  for (let at = file - 1; at >= 0 && (packs[at] === packs[file] || packs[at] === 0); at--) if (packs[at] === packs[file]) place++;
  return place;
}

/** The way to everything that the report holds. */
export class LicenseData {
  private readonly chunks: Chunks;
  private text: Uint32Array = new Uint32Array(0);
  private details: Uint32Array = new Uint32Array(0);
  /** The last packs that were read. */
  private readonly kept = new Map<string, Promise<unknown[]>>();

  constructor(chunks: Chunks) {
    this.chunks = chunks;
  }

  async table(): Promise<Table> {
    const head = await this.chunks.load<Head>("head");
    const names = Array.from({ length: head.counts.chunks }, (_, at) => `files-${at}`);
    const { text, details, ...table } = joined(head, await Promise.all(names.map((name) => this.chunks.load<RawFiles>(name))));
    [this.text, this.details] = [text, details];
    return table;
  }

  /** The file's text as far as the report has it, or null. */
  async textOf(file: number): Promise<string | null> {
    if (this.text[file] === 0) return null;
    const pack = await this.pack<string>(`text-${this.text[file] - 1}`);
    return pack[placeInPack(this.text, file)] ?? null;
  }

  async detailsOf(file: number): Promise<Details> {
    const pack = await this.pack<Details>(`details-${this.details[file]}`);
    // The first pack is number 0, and no file is without one.
    const first = this.details.indexOf(this.details[file]);
    return pack[file - first];
  }

  private pack<V>(name: string): Promise<V[]> {
    let pack = this.kept.get(name);
    if (!pack) {
      pack = this.chunks.load<V[]>(name);
      pack.catch(() => this.kept.delete(name));
      for (const old of this.kept.keys()) if (this.kept.size >= KEPT) this.kept.delete(old);
      this.kept.set(name, pack);
    }
    return pack as Promise<V[]>;
  }

  async packages(): Promise<Packages> {
    const raw = await this.chunks.load<RawPackages>("packages");
    const named = new Named();
    raw.expressions.forEach((one) => named.number(one));
    const license = column(raw.license);
    const rows = raw.rows.map(([purl, name, version, folder], at) => ({ purl, name, version, folder, license: license[at] - 1 }));
    return { rows, expressions: named.expressions.list };
  }

  skipped(): Promise<Skip[]> {
    return this.chunks.load("skipped");
  }
}

/** Packs that stay in memory. */
const KEPT = 24;
