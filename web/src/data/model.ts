// A result as the views see it: tables of numbers, and source text on demand.

import type { AuditTable, EvidencePack, FindingPack } from "./audit/model";
import type { Decision } from "./decision";
import type { Explanation, ExplanationIndex } from "./explanation";
import type { BlobText, FoundTable, Origin, Unknown } from "./found/model";

/** What was asked for and found, in numbers; the keys are those of `familiar.clones/1`. */
export interface Head {
  schema: string;
  tool: { name: string; version: string };
  settings: {
    granularity: string[];
    types: number[];
    measure: string;
    similarity: number;
    renaming: string;
    min_tokens: number;
    min_lines: number;
    max_gap_tokens: number;
    roots: string[];
  };
  summary: {
    files: number;
    bytes: number;
    lines: number;
    fragments: number;
    tokens: number;
    duplicated_lines: number;
    duplication: number;
    ignored_lines: number;
    generated: number;
    not_code: number;
    accepted: number;
    /** Classes of the baseline that are not found any more, where there was one. */
    gone?: number;
    skipped: number;
    /** Servers that were to take part and did not. */
    unanswered?: { peer: string; reason: string }[];
  };
  counts: { files: number; fragments: number; classes: number; pairs: number; pair_chunks: number; decisions?: number; explanations?: number };
  /** Of an audit: how many of the settings' roots are PATH's; the others are projects of corpora. */
  audited?: number;
  /** Of a search in a corpus: how many of the settings' roots were asked for; the others are projects. */
  asked?: number;
}

/** What was compared, audited or asked for: the settings' roots without the projects that it was compared with. */
export const ownRoots = ({ settings, asked, audited }: Head): string[] => settings.roots.slice(0, asked ?? audited);

/** The files that hold findings. */
export interface FileTable {
  paths: string[];
  languages: string[];
  /** Position in `languages`. */
  language: Uint8Array;
  /** 0 where the text is missing. */
  lines: Uint32Array;
  /** Why a file's text is missing, by the file's number. */
  missing: Map<number, string>;
}

/** Ordered by file and start. */
export interface FragmentTable {
  names: string[];
  kinds: string[];
  file: Uint32Array;
  kind: Uint8Array;
  name: Uint32Array;
  start: Uint32Array;
  lines: Uint32Array;
  tokens: Uint32Array;
}

/** By rank. */
export interface ClassTable {
  type: Uint8Array;
  /** Where each class's members start in `members`; one more entry at the end. */
  first: Uint32Array;
  /** The representative of each class first. */
  members: Uint32Array;
}

/** Ordered by left and right fragment. */
export interface PairTable {
  left: Uint32Array;
  right: Uint32Array;
  type: Uint8Array;
  /** In ten thousandths. */
  similarity: Uint16Array;
}

export interface Tables {
  head: Head;
  files: FileTable;
  fragments: FragmentTable;
  classes: ClassTable;
  pairs: PairTable;
  /** Where pairs are explained. */
  explanations?: ExplanationIndex;
  /** Of an audit alone. */
  audit?: AuditTable;
  /** Of a search in a corpus alone. */
  found?: FoundTable;
}

/** One file's text and where its words that are no plain names stand. */
export interface SourceText {
  text: string;
  /** First and last (exclusive) unit and class of each run, in order. */
  starts: Uint32Array;
  ends: Uint32Array;
  kinds: Uint8Array;
}

export interface Skip {
  root: number;
  path: string;
  reason: string;
}

export interface Fingerprints {
  classes: string;
  pairs: string;
}

/** What a list of findings holds. */
export type FindingKind = "classes" | "pairs";

/** Where a report's data come from; everything the views know they know from here. */
export interface ReportData {
  tables(): Promise<Tables>;
  /** The text of a file; null where the report does not have it. */
  source(file: number): Promise<SourceText | null>;
  /** All fingerprints, 32 digits each, one after another. */
  fingerprints(): Promise<Fingerprints>;
  skipped(): Promise<Skip[]>;
  /** What was decided when the report was written. */
  decisions(): Promise<Decision[]>;
  /** What makes pairs of type 4 alike, in packs. */
  explanations(pack: number): Promise<Explanation[]>;
  /** What an audit says of fragments and of findings, in packs. */
  evidence(pack: number): Promise<EvidencePack>;
  findings(pack: number): Promise<FindingPack>;
  /** What a search says of blobs and of who was first, in packs, and the files that nobody has. */
  blobs(pack: number): Promise<BlobText[]>;
  origins(pack: number): Promise<Origin[]>;
  unknown(): Promise<Unknown[]>;
}
