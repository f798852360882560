// The sources of a corpus as rows: the versions of one package are one of them.

import type { CorpusSource } from "./model";

export interface SourceRow {
  /** What the row is called: the source, or the package without a version. */
  name: string;
  /** The newest version first; one where it is no package, or has no other version. */
  versions: { version: string; source: CorpusSource }[];
}

/** Between the name of a package and its version, by registry. */
const MARKS: Record<string, string> = { pypi: "==", npm: "@", crate: "@" };

/** A package and the version of it that a source is; null of what is no version of a package. */
export function versionOf(source: string): { name: string; version: string } | null {
  const registry = source.slice(0, source.indexOf(":"));
  if (!Object.hasOwn(MARKS, registry)) return null;
  // The name of a package of npm may start with the mark.
  const at = source.indexOf(MARKS[registry], registry.length + 2);
  return at < 0 ? null : { name: source.slice(0, at), version: source.slice(at + MARKS[registry].length) };
}

const newest = new Intl.Collator("en", { numeric: true });

/** One row for each source, and for each package whatever its versions, in the order in which they come. */
export function rowsOf(sources: CorpusSource[]): SourceRow[] {
  const rows = new Map<string, SourceRow>();
  for (const source of sources) {
    const { name, version } = versionOf(source.source) ?? { name: source.source, version: "" };
    const row = rows.get(name);
    if (row) row.versions.push({ version, source });
    else rows.set(name, { name, versions: [{ version, source }] });
  }
  for (const { versions } of rows.values()) versions.sort((a, b) => newest.compare(b.version, a.version));
  return [...rows.values()];
}

/** What all versions come to. */
export const total = ({ versions }: SourceRow) => ({
  read: versions.reduce((last, { source }) => Math.max(last, source.read), 0),
  occurrences: versions.reduce((sum, { source }) => sum + source.occurrences, 0),
  skips: versions.reduce((sum, { source }) => sum + source.skips, 0),
});
