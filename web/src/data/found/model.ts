// What a search in a corpus knows beside pairs: how much of each file is known, where blobs stand, and who was first.

import type { Layer, Place } from "../audit/model";

/** Queries are numbered as their fragments and files are, blobs as their files are after these. */
export interface FoundTable {
  corpus: string;
  summary: {
    /** Files that were asked for, those that are known, and those of which some blob has all. */
    files: number;
    known: number;
    whole: number;
    blobs: number;
    /** Blobs that are not listed. */
    more_blobs: number;
    projects: number;
  };
  /** Forks of each other are one. */
  projects: string[];
  /** Null where nothing says one. */
  licenses: (string | null)[];
  queries: {
    knownLines: Uint32Array;
    projects: Uint32Array;
    moreBlobs: Uint32Array;
    /** The fragment that had it first plus one; 0 where it is not listed. */
    origin: Uint32Array;
    originKnown: Uint8Array;
    /** 0 where nothing tells. */
    year: Uint16Array;
  };
  /** In the order of the pairs. */
  pairs: {
    /** In ten thousandths of the query's tokens. */
    coverage: Uint16Array;
    isVersion: Uint8Array;
    /** Where each one's stretches start in `lines`; one more entry at the end. */
    first: Uint32Array;
    /** First and last line of the query, first and last line of the blob. */
    lines: Uint32Array;
  };
  blobs: {
    /** SWHIDs. */
    names: string[];
    places: Uint32Array;
    allProjects: Uint32Array;
    projects: NumberLists;
    licenses: NumberLists;
  };
  /** Project, files of which it has some, files that it has whole; those that have most first. */
  byProject: [number, number, number][];
  /** The first blob and the first query of each pack. */
  packs: { blobs: number[]; origins: number[] };
}

/** A list of numbers for each of many. */
export interface NumberLists {
  /** One more entry at the end. */
  first: Uint32Array;
  list: Uint32Array;
}

/** Where a blob stands, and under which licenses. */
export interface BlobText {
  blob: string;
  places: Place[];
  licenses: BlobLicense[];
}

export interface BlobLicense {
  expression: string | null;
  layer: string;
  layers: Layer[];
  /** Positions of places. */
  occurrences: number[];
}

/** Who had it first, as far as times say. */
export interface Origin extends Partial<Place> {
  known: boolean;
  reason: string;
  blob?: string;
}

/** A file of which nothing is known: path, lines, tokens. */
export type Unknown = [string, number, number];
