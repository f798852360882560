// The chunk of a search in a corpus (docs/formats/report.md), unpacked.

import { F } from "../../text";
import { Reader, fill, fillRising } from "../columns";
import type { FileTable, FragmentTable } from "../model";
import type { FoundTable, NumberLists } from "./model";

export interface RawFound extends Pick<FoundTable, "corpus" | "summary" | "projects" | "licenses"> {
  queries: { known_lines: string; projects: string; more_blobs: string; origin: string; origin_known: string; year: string };
  pairs: { coverage: string; is_version: string; stretches: string; lines: string };
  blobs: { names: string[]; places: string; all_projects: string; project_counts: string; projects: string; license_counts: string; licenses: string };
  by_project: [number, number, number][];
  packs: { blobs: string; origins: string };
}

export function foundTable(raw: RawFound, counts: { classes: number; pairs: number }): FoundTable {
  const { corpus, summary, projects, licenses, queries, pairs, blobs } = raw;
  const filled = <C extends { [at: number]: number }>(into: C, text: string): C => (fill(into, text), into);
  const numbers = (count: number, text: string) => filled(new Uint32Array(count), text);
  const firsts = (count: number, text: string) => {
    const first = new Uint32Array(count + 1);
    fillRising(first, text, 1);
    return first;
  };
  const lists = (sizes: string, text: string): NumberLists => {
    const first = firsts(blobs.names.length, sizes);
    return { first, list: numbers(first[blobs.names.length], text) };
  };
  const rises = (text: string) => {
    const list: number[] = [];
    fillRising(list, text);
    return list;
  };
  const first = firsts(counts.pairs, pairs.stretches);
  return {
    ...{ corpus, summary, projects, licenses },
    queries: {
      knownLines: numbers(counts.classes, queries.known_lines),
      projects: numbers(counts.classes, queries.projects),
      moreBlobs: numbers(counts.classes, queries.more_blobs),
      origin: numbers(counts.classes, queries.origin),
      originKnown: filled(new Uint8Array(counts.classes), queries.origin_known),
      year: filled(new Uint16Array(counts.classes), queries.year),
    },
    pairs: {
      coverage: filled(new Uint16Array(counts.pairs), pairs.coverage),
      isVersion: filled(new Uint8Array(counts.pairs), pairs.is_version),
      first,
      lines: changes(4 * first[counts.pairs], pairs.lines),
    },
    blobs: {
      names: blobs.names,
      places: numbers(blobs.names.length, blobs.places),
      allProjects: numbers(blobs.names.length, blobs.all_projects),
      projects: lists(blobs.project_counts, blobs.projects),
      licenses: lists(blobs.license_counts, blobs.licenses),
    },
    byProject: raw.by_project,
    packs: { blobs: rises(raw.packs.blobs), origins: rises(raw.packs.origins) },
  };
}

function changes(count: number, text: string): Uint32Array {
  const reader = new Reader(text);
  let value = 0;
  return Uint32Array.from({ length: count }, () => (value += reader.nextChange()));
}

/** Standard input has no path; of it there is one query at most. */
export function nameStandardInput(files: FileTable, fragments: FragmentTable, queries: number): void {
  if (queries !== 1 || files.paths[0] !== "-") return;
  files.paths[0] = F.standardInput;
  fragments.names[fragments.name[0]] = F.standardInput;
}
