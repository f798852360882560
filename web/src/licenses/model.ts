// What the views know of the licenses of a tree.

/** A license, or an exception from one. */
export interface License {
  name: string;
  category: string;
}

export interface Expression {
  text: string;
  category: string;
  /** Positions in the licenses. */
  licenses: number[];
}

export interface Head {
  result: "licenses";
  tool: { name: string; version: string };
  /** What was read, as it was named. */
  root: string;
  counts: { files: number; chunks: number; packages: number; skipped: number };
}

/** The files in the order of their paths, in columns; -1 stands for none. */
export interface Table {
  head: Head;
  paths: string[];
  licenses: License[];
  expressions: Expression[];
  /** Names of layers. */
  kinds: string[];
  holders: string[];
  /** Position in the expressions. */
  license: Int32Array;
  /** Position in the kinds: whose word counts. */
  by: Uint8Array;
  lines: Uint32Array;
  /** Layers of the files, one after another, and where those of each begin. */
  firstLayer: Uint32Array;
  layers: Layers;
  firstHolder: Uint32Array;
  /** Positions in the holders. */
  holder: Uint32Array;
}

export interface Layers {
  kind: Uint8Array;
  license: Int32Array;
  /** 1 where it disagrees, and 2 more where it stands in the file itself. */
  flags: Uint8Array;
  /** From 1; 0 where there are no lines. */
  start: Uint32Array;
  end: Uint32Array;
}

export const DISAGREES = 1;
export const HERE = 2;

/** What is shown of one file alone, by its layers. */
export interface Details {
  /** Evidence, path, rule, score. */
  layers: [string, string | null, string | null, number | null][];
  /** Statement, holder, first and last line. */
  copyrights: [string, string | null, number, number][];
  missing?: string;
}

export interface Package {
  purl: string;
  name: string;
  version: string | null;
  folder: string;
  /** -1 where none is declared. */
  license: number;
}

export interface Packages {
  rows: Package[];
  expressions: Expression[];
}

export type Skip = [path: string, reason: string];
