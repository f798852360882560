// What the server says, as it comes over the wire. Every text in it may be hostile.

import type { Unanswered } from "../parts/partial";

export type Scope = "read" | "upload" | "admin";

export interface Session {
  name: string;
  scopes: Scope[];
  /** Whether nobody needs a token. */
  open: boolean;
  /** Seconds since 1970. */
  expires: number | null;
  version: string;
  read_only: boolean;
  /** By which ending of a name the server knows each language. */
  endings: Record<string, string>;
}

export interface CorpusRow {
  name: string;
  /** The server that holds it, where that is another one. */
  peer?: string;
  blobs: number;
  bytes: number;
  fragments: number;
  languages: Record<string, number>;
  sources: number;
  error: string | null;
}

export interface CorpusSource {
  source: string;
  read: number;
  base?: boolean;
  without?: string[];
  exclude?: string[];
  occurrences: number;
  skips: number;
}

export interface CorpusInfo {
  generation: number;
  text: boolean;
  vectors?: string;
  blobs: number;
  bytes: number;
  lines: number;
  occurrences: number;
  fragments: number;
  skips: number;
  disk_bytes: number;
  languages: Record<string, number>;
  sources: CorpusSource[];
  projects: { project: string; occurrences: number }[];
}

export interface Skip {
  source: string;
  path: string;
  reason: string;
}

export interface Occurrence {
  project: string;
  family?: string;
  base?: boolean;
  purl?: string;
  revision: string | null;
  removed_by?: string;
  path: string;
  /** Where several were asked. */
  corpora?: string[];
  first_line: number;
  first_seen: string | null;
  last_seen: string | null;
  evidence: string;
  author?: string;
  link?: string;
  license?: string;
}

export interface Layer {
  layer: string;
  expression: string | null;
  evidence: string;
  path?: string;
}

export interface License {
  expression: string | null;
  layer: string;
  layers: Layer[];
  /** Positions in the blob's occurrences. */
  occurrences: number[];
}

export interface Found {
  blob: string;
  language: string;
  /** First and last line of the query, first and last line of the blob. */
  matched_lines: [number, number, number, number][];
  /** Of each of them the lines there, where the corpus keeps text. */
  matched_text?: string[][];
  coverage: number;
  type: number;
  similarity: number;
  projects: number;
  occurrences: Occurrence[];
  licenses?: License[];
  versions?: Found[];
}

/** A license of code, judged for a project. */
export interface Judged {
  license: string;
  status: string;
  duties: string[];
  rules: { source: string; text: string }[];
}

export interface Origin extends Partial<Occurrence> {
  known: boolean;
  reason: string;
  blob?: string;
}

export interface FindResult {
  query: { language: string; start_line: number; end_line: number; tokens: number };
  blobs: Found[];
  more_blobs: number;
  origin: Origin;
  /** Servers that were asked and did not answer. */
  unanswered?: Unanswered[];
}

export interface Upload {
  id: string;
  name: string;
  bytes: number;
  created: number;
}

export interface ClonesRequest {
  uploads: string[];
  base: string[];
  corpora: string[];
  layout: "tree" | "submissions";
  between_projects: boolean;
  granularity: string[];
  types: number[];
  min_tokens: number;
  min_lines: number;
  cross_language: boolean;
}

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface Job {
  id: string;
  kind: "clones" | "audit" | "licenses" | "corpus-add" | "corpus-update" | "corpus-remove";
  title: string;
  state: JobState;
  stage: string;
  done: number;
  /** 0 where nobody knows. */
  total: number;
  created: number;
  started: number | null;
  ended: number | null;
  error: string | null;
  result: string | null;
  owner: string;
}

export interface ResultRow {
  id: string;
  kind: string;
  title: string;
  created: number;
  files: number;
  classes: number;
  pairs: number;
  duplication: number;
  /** Of an audit: findings by verdict, without the project's own code, and by what the policy decides. */
  verdicts?: { by_verdict: Record<string, number>; by_decision: Record<string, number> };
  bytes: number;
  /** Servers that were to take part and did not. */
  unanswered: Unanswered[];
}

const FORMATS = {
  clones: ["json", "csv", "ndjson", "sarif", "markdown", "gitlab"],
  audit: ["text", "json", "csv", "ndjson", "sarif", "spdx-json", "cyclonedx"],
  licenses: ["text", "json", "csv", "ndjson"],
} as const;

export type Format = (typeof FORMATS)[keyof typeof FORMATS][number];

/** The formats that a result of some kind can be had in. */
export const formats = (kind: string): readonly Format[] => (Object.hasOwn(FORMATS, kind) ? FORMATS[kind as keyof typeof FORMATS] : ["json"]);
