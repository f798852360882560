// What the views share of a result: its tables, and what follows from them.

import { Audit } from "./audit/audit";
import { Found } from "./found/found";
import { placeOf, swapped, type Explanation } from "./explanation";
import type { Fingerprints, ReportData, SourceText, Tables } from "./model";

export const NO_CLASS = 0xffffffff;

/** A result whose tables are loaded. */
export class Result {
  readonly tables: Tables;
  /** The class of each fragment, or NO_CLASS. */
  readonly classOf: Uint32Array;
  /** Least and largest similarity of each class's rays. */
  readonly least: Uint16Array;
  readonly most: Uint16Array;
  /** Lines of each file that members of classes cover, each counted once. */
  readonly duplicated: Uint32Array;
  /** The first fragment of each file; one more entry at the end. */
  readonly firstOfFile: Uint32Array;
  /** Of an audit alone. */
  readonly audit: Audit | null;
  /** Of a search in a corpus alone. */
  readonly found: Found | null;
  private readonly data: ReportData;
  /** The pack that was read last. */
  private explained: { pack: number; rows: Promise<Explanation[]> } | undefined;
  private prints: Promise<Fingerprints> | undefined;

  constructor(tables: Tables, data: ReportData) {
    this.tables = tables;
    this.data = data;
    const { fragments, classes, pairs, files } = tables;
    this.classOf = new Uint32Array(fragments.file.length).fill(NO_CLASS);
    for (let number = 0; number < classes.type.length; number++) {
      for (let at = classes.first[number]; at < classes.first[number + 1]; at++) this.classOf[classes.members[at]] = number;
    }
    this.least = new Uint16Array(classes.type.length).fill(10_000);
    this.most = new Uint16Array(classes.type.length);
    for (let pair = 0; pair < pairs.left.length; pair++) {
      const [left, right] = [pairs.left[pair], pairs.right[pair]];
      const number = this.classOf[left];
      if (number === NO_CLASS || number !== this.classOf[right]) continue;
      const representative = classes.members[classes.first[number]];
      if (representative !== left && representative !== right) continue;
      this.least[number] = Math.min(this.least[number], pairs.similarity[pair]);
      this.most[number] = Math.max(this.most[number], pairs.similarity[pair]);
    }
    // In an audit a fragment of others may be in several classes; PATH's, the first of each, is in one.
    if (tables.audit) {
      for (let number = 0; number < classes.type.length; number++) {
        const [first, ...others] = this.members(number);
        this.classOf[first] = number;
        [this.least[number], this.most[number]] = [10_000, 0];
        for (const other of others) {
          const similarity = pairs.similarity[this.pairOf(first, other)];
          this.least[number] = Math.min(this.least[number], similarity);
          this.most[number] = Math.max(this.most[number], similarity);
        }
      }
    }
    this.firstOfFile = new Uint32Array(files.paths.length + 1).fill(fragments.file.length);
    for (let id = fragments.file.length - 1; id >= 0; id--) this.firstOfFile[fragments.file[id]] = id;
    for (let file = files.paths.length - 1; file >= 0; file--) {
      this.firstOfFile[file] = Math.min(this.firstOfFile[file], this.firstOfFile[file + 1]);
    }
    this.audit = tables.audit ? new Audit(tables, tables.audit, data) : null;
    this.found = tables.found ? new Found(tables, tables.found, data) : null;
    this.duplicated = this.found ? this.knownLines(this.found) : this.covered();
  }

  /** Of the files that were asked for, the lines that somebody has. */
  private knownLines({ table }: Found): Uint32Array {
    const lines = new Uint32Array(this.tables.files.paths.length);
    lines.set(table.queries.knownLines);
    return lines;
  }

  private covered(): Uint32Array {
    const { fragments, files } = this.tables;
    const lines = new Uint32Array(files.paths.length);
    let next = 0;
    let file = -1;
    for (let id = 0; id < fragments.file.length; id++) {
      if (this.classOf[id] === NO_CLASS) continue;
      if (fragments.file[id] !== file) [file, next] = [fragments.file[id], 0];
      const start = Math.max(fragments.start[id], next);
      const end = fragments.start[id] + fragments.lines[id];
      if (end > start) [lines[file], next] = [lines[file] + end - start, end];
    }
    return lines;
  }

  members(number: number): Uint32Array {
    const { first, members } = this.tables.classes;
    return members.subarray(first[number], first[number + 1]);
  }

  /** The class of which two fragments are members, one of them the first where a fragment may be in several; or NO_CLASS. */
  commonClass(a: number, b: number): number {
    const numbers = [this.classOf[a], this.classOf[b]];
    if (!this.audit) return numbers[0] === numbers[1] ? numbers[0] : NO_CLASS;
    const holds = (number: number) => number !== NO_CLASS && [a, b].every((id) => this.members(number).includes(id));
    return numbers.find(holds) ?? NO_CLASS;
  }

  path(fragment: number): string {
    return this.tables.files.paths[this.tables.fragments.file[fragment]];
  }

  name(fragment: number): string {
    return this.tables.fragments.names[this.tables.fragments.name[fragment]];
  }

  kind(fragment: number): string {
    return this.tables.fragments.kinds[this.tables.fragments.kind[fragment]];
  }

  language(fragment: number): string {
    const { files, fragments } = this.tables;
    return files.languages[files.language[fragments.file[fragment]]];
  }

  /** The first and the last line. */
  lines(fragment: number): [number, number] {
    const { start, lines } = this.tables.fragments;
    return [start[fragment], start[fragment] + lines[fragment] - 1];
  }

  /** The number of the pair of two fragments, or -1 where none is listed. */
  pairOf(a: number, b: number): number {
    const [left, right] = [Math.min(a, b), Math.max(a, b)];
    const { pairs } = this.tables;
    let [from, to] = [0, pairs.left.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const before = pairs.left[middle] < left || (pairs.left[middle] === left && pairs.right[middle] < right);
      if (before) from = middle + 1;
      else to = middle;
    }
    return pairs.left[from] === left && pairs.right[from] === right ? from : -1;
  }

  /** The type of two fragments, wherever they are shown: that of their pair, or of the class through which they are similar; 0 where they are not. */
  typeOf(a: number, b: number): number {
    const pair = this.pairOf(a, b);
    if (pair >= 0) return this.tables.pairs.type[pair];
    const number = this.commonClass(a, b);
    return number === NO_CLASS ? 0 : this.tables.classes.type[number];
  }

  /** What makes two fragments alike; null where that is not said. */
  async explanation(left: number, right: number): Promise<Explanation | null> {
    const { explanations } = this.tables;
    const pair = this.pairOf(left, right);
    const place = explanations && pair >= 0 ? placeOf(explanations, pair) : null;
    if (!place) return null;
    const [pack, row] = place;
    if (this.explained?.pack !== pack) this.explained = { pack, rows: this.data.explanations(pack) };
    const explanation = (await this.explained.rows)[row];
    return left === this.tables.pairs.left[pair] ? explanation : swapped(explanation);
  }

  source(file: number): Promise<SourceText | null> {
    return this.data.source(file);
  }

  fingerprints(): Promise<Fingerprints> {
    return (this.prints ??= this.data.fingerprints());
  }

  skipped() {
    return this.data.skipped();
  }
}
