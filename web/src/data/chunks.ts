// Report data from chunks: scripts beside the page, or blocks of data inside it. A page opened from a disk may not fetch.

import { type RawAudit, auditTable } from "./audit/chunks";
import type { EvidencePack, FindingPack } from "./audit/model";
import { Reader, fill, fillRising } from "./columns";
import { validated, type Decision } from "./decision";
import { type RawFound, foundTable, nameStandardInput } from "./found/chunks";
import type { Explanation, ExplanationIndex } from "./explanation";
import type { BlobText, Origin, Unknown } from "./found/model";
import type { ClassTable, FileTable, Fingerprints, FragmentTable, Head, PairTable, ReportData, Skip, SourceText, Tables } from "./model";

declare global {
  interface Window {
    familiar?: (name: string, value: unknown) => void;
  }
}

interface PackedFile {
  text: string;
  runs: string;
}

/** Characters of source text that stay in memory. */
const KEPT = 8_000_000;

/** Loads chunks by name; a page has one of them. */
export class Chunks {
  private readonly waiting = new Map<string, (value: unknown) => void>();

  constructor() {
    window.familiar = (name, value) => {
      this.waiting.get(name)?.(value);
      this.waiting.delete(name);
    };
  }

  load<T>(name: string): Promise<T> {
    const block = document.getElementById(`data-${name}`);
    if (block) return Promise.resolve(JSON.parse(block.textContent ?? "") as T);
    return new Promise<T>((resolve, reject) => {
      const script = document.createElement("script");
      this.waiting.set(name, resolve as (value: unknown) => void);
      script.onload = () => script.remove();
      script.onerror = () => {
        script.remove();
        this.waiting.delete(name);
        reject(new Error(`data/${name}.js`));
      };
      script.src = `data/${name}.js`;
      document.head.append(script);
    });
  }
}

/** The data of a report that `familiar clones --format html` wrote. */
export class ChunkData implements ReportData {
  private readonly chunks: Chunks;
  private packs: Uint32Array = new Uint32Array(0);
  private firstOfPack = new Map<number, number>();
  private pairChunks = 0;
  /** Packs that are in memory, the last used at the end. */
  private readonly kept = new Map<number, Promise<PackedFile[]>>();
  private readonly sizes = new Map<number, number>();

  constructor(chunks: Chunks) {
    this.chunks = chunks;
  }

  async tables(): Promise<Tables> {
    const [head, files, fragments, classes] = await Promise.all([
      this.chunks.load<Head>("head"),
      this.chunks.load<RawFiles>("files"),
      this.chunks.load<RawFragments>("fragments"),
      this.chunks.load<RawClasses>("classes"),
    ]);
    const { counts } = head;
    this.pairChunks = counts.pair_chunks;
    const names = Array.from({ length: counts.pair_chunks }, (_, at) => `pairs-${at}`);
    const pairs = await Promise.all(names.map((name) => this.chunks.load<RawPairs>(name)));
    const audit = head.audited === undefined ? undefined : auditTable(await this.chunks.load<RawAudit>("audit"), counts);
    const found = head.asked === undefined ? undefined : foundTable(await this.chunks.load<RawFound>("find"), counts);
    const explanations = counts.explanations ? explanationIndex(await this.chunks.load<RawExplanations>("explanations")) : undefined;
    this.packs = new Uint32Array(counts.files);
    fill(this.packs, files.pack);
    this.packs.forEach((pack, file) => {
      if (pack > 0 && !this.firstOfPack.has(pack)) this.firstOfPack.set(pack, file);
    });
    const tables: Tables = {
      head,
      files: fileTable(files, counts.files),
      fragments: fragmentTable(fragments, counts.fragments),
      classes: classTable(classes, counts.classes),
      pairs: pairTable(pairs, counts.pairs),
      ...(explanations && { explanations }),
      ...(audit && { audit }),
      ...(found && { found }),
    };
    if (found) nameStandardInput(tables.files, tables.fragments, counts.classes);
    return tables;
  }

  async source(file: number): Promise<SourceText | null> {
    const pack = this.packs[file];
    if (!pack) return null;
    // A file without text takes no place in a pack.
    let at = 0;
    for (let other = this.firstOfPack.get(pack) ?? file; other < file; other++) {
      if (this.packs[other] === pack) at++;
    }
    const packed = (await this.pack(pack))[at];
    return packed ? unpacked(packed) : null;
  }

  private pack(pack: number): Promise<PackedFile[]> {
    let files = this.kept.get(pack);
    if (files) {
      this.kept.delete(pack);
    } else {
      files = this.chunks.load<PackedFile[]>(`source-${pack - 1}`);
      files.then(
        (list) => this.evict(pack, list.reduce((sum, file) => sum + file.text.length + file.runs.length, 0)),
        () => this.kept.delete(pack),
      );
    }
    this.kept.set(pack, files);
    return files;
  }

  private evict(pack: number, size: number): void {
    this.sizes.set(pack, size);
    let total = 0;
    for (const kept of this.kept.keys()) total += this.sizes.get(kept) ?? 0;
    for (const kept of this.kept.keys()) {
      if (total <= KEPT || kept === pack) break;
      total -= this.sizes.get(kept) ?? 0;
      this.kept.delete(kept);
    }
  }

  async fingerprints(): Promise<Fingerprints> {
    const chunks = Array.from({ length: this.pairChunks }, (_, at) => this.chunks.load<string>(`fingerprints-${at}`));
    const [classes, ...pairs] = await Promise.all([this.chunks.load<string>("fingerprints-classes"), ...chunks]);
    return { classes, pairs: pairs.join("") };
  }

  async decisions(): Promise<Decision[]> {
    const { counts } = await this.chunks.load<Head>("head");
    if (!counts.decisions) return [];
    const list = await this.chunks.load<unknown[]>("decisions");
    return list.map(validated).filter((decision) => decision !== null);
  }

  explanations(pack: number): Promise<Explanation[]> {
    return this.chunks.load(`explanations-${pack}`);
  }

  evidence(pack: number): Promise<EvidencePack> {
    return this.chunks.load(`evidence-${pack}`);
  }

  findings(pack: number): Promise<FindingPack> {
    return this.chunks.load(`findings-${pack}`);
  }

  blobs(pack: number): Promise<BlobText[]> {
    return this.chunks.load(`blobs-${pack}`);
  }

  origins(pack: number): Promise<Origin[]> {
    return this.chunks.load(`origins-${pack}`);
  }

  unknown(): Promise<Unknown[]> {
    return this.chunks.load("unknown");
  }

  async skipped(): Promise<Skip[]> {
    const rows = await this.chunks.load<[number, string, string][]>("skipped");
    return rows.map(([root, path, reason]) => ({ root, path, reason }));
  }
}

interface RawFiles {
  paths: string[];
  languages: string[];
  language: string;
  lines: string;
  pack: string;
  missing: Record<string, string>;
}

function fileTable(raw: RawFiles, count: number): FileTable {
  const language = new Uint8Array(count);
  const lines = new Uint32Array(count);
  fill(language, raw.language);
  fill(lines, raw.lines);
  const missing = new Map(Object.entries(raw.missing).map(([file, reason]) => [Number(file), reason]));
  return { paths: raw.paths, languages: raw.languages, language, lines, missing };
}

interface RawFragments {
  names: string[];
  kinds: string[];
  file: string;
  kind: string;
  name: string;
  start: string;
  lines: string;
  tokens: string;
}

function fragmentTable(raw: RawFragments, count: number): FragmentTable {
  const table: FragmentTable = {
    names: raw.names,
    kinds: raw.kinds,
    file: new Uint32Array(count),
    kind: new Uint8Array(count),
    name: new Uint32Array(count),
    start: new Uint32Array(count),
    lines: new Uint32Array(count),
    tokens: new Uint32Array(count),
  };
  fillRising(table.file, raw.file);
  fill(table.kind, raw.kind);
  fill(table.name, raw.name);
  fill(table.start, raw.start);
  fill(table.lines, raw.lines);
  fill(table.tokens, raw.tokens);
  return table;
}

interface RawClasses {
  type: string;
  size: string;
  members: string;
}

function classTable(raw: RawClasses, count: number): ClassTable {
  const type = new Uint8Array(count);
  const first = new Uint32Array(count + 1);
  fill(type, raw.type);
  fillRising(first, raw.size, 1);
  const members = new Uint32Array(first[count]);
  const reader = new Reader(raw.members);
  let member = 0;
  for (let at = 0; at < members.length; at++) members[at] = member += reader.nextChange();
  return { type, first, members };
}

interface RawPairs {
  left: string;
  right: string;
  type: string;
  similarity: string;
}

function pairTable(chunks: RawPairs[], count: number): PairTable {
  const table: PairTable = {
    left: new Uint32Array(count),
    right: new Uint32Array(count),
    type: new Uint8Array(count),
    similarity: new Uint16Array(count),
  };
  let from = 0;
  for (const raw of chunks) {
    const to = fillRising(table.left, raw.left, from);
    fill(table.right, raw.right, from);
    for (let at = from; at < to; at++) table.right[at] += table.left[at];
    fill(table.type, raw.type, from);
    fill(table.similarity, raw.similarity, from);
    from = to;
  }
  return table;
}

interface RawExplanations {
  pair: string;
  first: string;
}

function explanationIndex(raw: RawExplanations): ExplanationIndex {
  const rises = (text: string) => {
    const list: number[] = [];
    fillRising(list, text);
    return Uint32Array.from(list);
  };
  return { pair: rises(raw.pair), first: rises(raw.first) };
}

function unpacked(packed: PackedFile): SourceText {
  const [starts, ends, kinds]: number[][] = [[], [], []];
  const reader = new Reader(packed.runs);
  let at = 0;
  while (!reader.done) {
    at += reader.next();
    const run = reader.next();
    starts.push(at);
    kinds.push(run % 16);
    ends.push((at += Math.floor(run / 16)));
  }
  return { text: packed.text, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends), kinds: Uint8Array.from(kinds) };
}
