// Which files and matches of a search are shown: by how much is known, the licenses of blobs and the projects in which these stand.

import { WHOLE } from "../data/found/found";
import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";

/** Each empty for all. */
export interface FoundFilter {
  /** `whole` or `part`. */
  known: string;
  /** `NONE` where none is known. */
  license: string;
  project: string;
}

export const ALL: FoundFilter = { known: "", license: "", project: "" };

/** Names of their own: an audit's filters have the others. */
const KEYS = { known: "known", license: "found-license", project: "in" } as const;
type Key = keyof typeof KEYS;

export function toFoundParams(filter: FoundFilter, params: URLSearchParams): void {
  for (const key of Object.keys(KEYS) as Key[]) if (filter[key]) params.set(KEYS[key], filter[key]);
}

export function fromFoundParams(params: URLSearchParams): FoundFilter {
  const value = (key: Key) => params.get(KEYS[key]) ?? "";
  return { known: value("known"), license: value("license"), project: value("project") };
}

/** What is asked for as part of an address. */
export function foundParams(filter: Partial<FoundFilter>, more: Record<string, string> = {}): URLSearchParams {
  const params = new URLSearchParams(more);
  toFoundParams({ ...ALL, ...filter }, params);
  return params;
}

/** Whether a file or a match passes, by its number; null where all do. */
export function foundPasses(result: Result, kind: FindingKind, filter: FoundFilter): ((number: number) => boolean) | null {
  const { found } = result;
  if (!found || Object.values(filter).every((value) => value === "")) return null;
  const project = found.table.projects.indexOf(filter.project);
  const isWanted = (fragment: number) =>
    (filter.license === "" || found.licenses(fragment).some((license) => (license || "NONE") === filter.license)) &&
    (filter.project === "" || found.projects(fragment).includes(project));
  const isAsMuch = (coverage: number) => filter.known === "" || (coverage >= WHOLE) === (filter.known === "whole");
  if (kind === "pairs") {
    const { right } = result.tables.pairs;
    return (pair) => isAsMuch(found.table.pairs.coverage[pair]) && isWanted(right[pair]);
  }
  // What is asked of blobs is asked of one.
  return (number) => {
    const [query, ...blobs] = result.members(number);
    if (filter.license === "" && filter.project === "") return isAsMuch(found.best[query]);
    return blobs.some((blob) => isWanted(blob) && isAsMuch(found.table.pairs.coverage[result.pairOf(query, blob)]));
  };
}

/** What filters may ask for. */
export interface Choices {
  licenses: string[];
  projects: string[];
}

/** Projects that a list offers. */
const OFFERED = 1_000;

export function choices(result: Result): Choices {
  const table = result.found?.table;
  if (!table) return { licenses: [], projects: [] };
  const listed = new Set(table.blobs.projects.list);
  const projects = table.byProject.map(([project]) => project).filter((project) => listed.has(project)).slice(0, OFFERED);
  return {
    licenses: table.licenses.map((license) => license ?? "NONE").sort(),
    projects: projects.map((project) => table.projects[project]).sort(),
  };
}
