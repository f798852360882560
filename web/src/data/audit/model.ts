// What an audit knows beside clones: verdicts, policy's decisions, licenses, and what speaks for them.

/** Columns hold positions in `words` but where they say something else. */
export interface AuditTable {
  disclaimer: string;
  against: string[];
  summary: {
    findings: number;
    by_status: Record<string, number>;
    denied: number;
    accepted: number;
    own: number;
    laundering: number;
    left_out: Record<string, number>;
    unused_acceptances: string[];
    left_out_pairs: number;
  };
  table: TableRow[];
  words: string[];
  /** The root of each file. */
  roots: Uint32Array;
  fragments: {
    /** Position plus one; 0 where no license is known. */
    license: Uint32Array;
    licenseBy: Uint32Array;
  };
  findings: {
    /** The other side's fragment that stands for the rest. */
    origin: Uint32Array;
    originKnown: Uint8Array;
    status: Uint32Array;
    decision: Uint32Array;
    /** 0 where nothing tells. */
    year: Uint16Array;
  };
  pairs: {
    /** The verdict as exports say it, and in the direction into PATH. */
    status: Uint32Array;
    into: Uint32Array;
    older: Uint32Array;
    grade: Uint32Array;
    laundering: Uint8Array;
    own: Uint8Array;
  };
  /** The first fragment and the first finding of each pack. */
  packs: { evidence: number[]; findings: number[] };
}

export interface TableRow {
  license: string;
  other_license: string;
  verdict: string;
  apprentice: string | null;
  pairs: number;
  findings: number;
}

/** One word on the license of a file. */
export interface Layer {
  layer: string;
  expression: string | null;
  evidence: string;
  path?: string;
  start_line?: number;
  end_line?: number;
  score?: number;
  rule?: string;
}

/** Where a blob stands. */
export interface Place {
  project: string;
  family?: string;
  base?: boolean;
  purl?: string;
  revision: string | null;
  removed_by?: string;
  path: string;
  first_line: number;
  first_seen: string | null;
  last_seen: string | null;
  evidence: string;
  author?: string;
  link?: string;
  license?: string;
}

export interface Rule {
  source: string;
  text: string;
}

export interface EvidencePack {
  layers: Layer[][];
  places: Place[][];
  texts: string[][];
  /** Of each fragment: positions of its layers, places, copyrights and disagreements. */
  fragments: [number, number, number, number][];
}

export interface FindingPack {
  texts: string[][];
  rules: Rule[][];
  findings: PackedFinding[];
}

export interface PackedFinding {
  reason: string;
  origin_reason: string;
  fingerprint: string;
  places: number;
  projects: number;
  advice: number;
  duties: number;
  rules: number;
  pairs: PackedPair[];
}

export interface PackedPair {
  right: number;
  direction: number;
  since?: string;
  left_to_right?: string;
  right_to_left?: string;
  apprentice?: string;
  duties: number;
  rules: number;
  attribution: number;
  laundering: number;
}

/** What speaks for one fragment's license and age. */
export interface Evidence {
  layers: Layer[];
  places: Place[];
  copyrights: string[];
  disagreements: string[];
}

/** What a reader is told of one finding. */
export interface FindingText {
  reason: string;
  originReason: string;
  fingerprint: string;
  places: number;
  projects: number;
  advice: string[];
  duties: string[];
  rules: Rule[];
  pairs: PairText[];
}

export interface PairText {
  right: number;
  direction: string[];
  /** Since when the code is known to stand in PATH. */
  since: string | null;
  leftToRight: string | null;
  rightToLeft: string | null;
  apprentice: string | null;
  duties: string[];
  rules: Rule[];
  attribution: string[];
  laundering: string[];
}
