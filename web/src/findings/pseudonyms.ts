// A result whose authors, projects or folders have other names, so that it can be shown to those whom it is about.

import type { EvidencePack, FindingPack } from "../data/audit/model";
import type { Decision } from "../data/decision";
import type { Explanation } from "../data/explanation";
import type { BlobText, Origin, Unknown } from "../data/found/model";
import type { Fingerprints, ReportData, Skip, SourceText, Tables } from "../data/model";
import { evidenceWithoutNames, findingsWithoutNames, withoutNames } from "./audit-pseudonyms";
import { blobWithoutNames, originWithoutNames, tableWithoutNames } from "./found-pseudonyms";
import { groupOf } from "./groups";
import { fromNames } from "./sections";

/** Data in which every group has a name that says nothing; the same one whenever it is asked for. Code stays as it is. */
export class Pseudonyms implements ReportData {
  private readonly data: ReportData;
  private loaded: Promise<{ tables: Tables; names: Map<string, string> }> | undefined;

  constructor(data: ReportData) {
    this.data = data;
  }

  private load() {
    return (this.loaded ??= this.data.tables().then(renamed));
  }

  async tables(): Promise<Tables> {
    return (await this.load()).tables;
  }

  source(file: number): Promise<SourceText | null> {
    return this.data.source(file);
  }

  /** Words of the code, which stays as it is. */
  explanations(pack: number): Promise<Explanation[]> {
    return this.data.explanations(pack);
  }

  fingerprints(): Promise<Fingerprints> {
    return this.data.fingerprints();
  }

  async decisions(): Promise<Decision[]> {
    // Where a finding was may be a name.
    return (await this.data.decisions()).map(({ place: _, ...decision }) => decision);
  }

  async evidence(pack: number): Promise<EvidencePack> {
    const { names } = await this.load();
    return evidenceWithoutNames(await this.data.evidence(pack), names, UNKNOWN);
  }

  async findings(pack: number): Promise<FindingPack> {
    return findingsWithoutNames(await this.data.findings(pack));
  }

  async blobs(pack: number): Promise<BlobText[]> {
    const { names } = await this.load();
    return (await this.data.blobs(pack)).map((blob) => blobWithoutNames(blob, names, UNKNOWN));
  }

  async origins(pack: number): Promise<Origin[]> {
    const { names } = await this.load();
    return (await this.data.origins(pack)).map((origin) => originWithoutNames(origin, names, UNKNOWN));
  }

  unknown(): Promise<Unknown[]> {
    return this.data.unknown();
  }

  async skipped(): Promise<Skip[]> {
    const { tables, names } = await this.load();
    if (tables.head.settings.roots.length > 1) return this.data.skipped();
    const other = (path: string) => {
      const [top, ...below] = path.split("/");
      return [names.get(top) ?? UNKNOWN, ...below].join("/");
    };
    return (await this.data.skipped()).map((skip) => ({ ...skip, path: other(skip.path) }));
  }
}

/** Of whom nothing is found. */
const UNKNOWN = "somebody";

function renamed(tables: Tables): { tables: Tables; names: Map<string, string> } {
  const { head, files } = tables;
  const { names, of } = groupOf(files.paths, head.settings.roots);
  const all = head.settings.roots.length > 1 ? [...new Set([...names, ...head.settings.roots])] : names;
  const pseudonyms = pseudonymsOf(all);
  for (const [name, other] of pseudonyms) real.set(other, name);
  const paths = files.paths.map((path, file) => pseudonyms.get(names[of[file]])! + path.slice(names[of[file]].length));
  const roots = head.settings.roots.length > 1 ? head.settings.roots.map((root) => pseudonyms.get(root)!) : head.settings.roots;
  const audit = tables.audit && { audit: withoutNames(tables.audit) };
  const found = tables.found && { found: tableWithoutNames(tables.found, pseudonyms, UNKNOWN) };
  return { tables: { ...tables, ...audit, ...found, head: { ...head, settings: { ...head.settings, roots } }, files: { ...files, paths } }, names: pseudonyms };
}

const real = new Map<string, string>();

/** What a group is called where names are not hidden: for what a reader brings along, never to be shown. */
export const realName = (name: string) => real.get(name) ?? name;

/** Numbers in an order that does not follow the alphabet. A file keeps its ending. */
export function pseudonymsOf(names: string[]): Map<string, string> {
  const shuffled = [...names].sort((a, b) => hash(a) - hash(b) || (a < b ? -1 : 1));
  const ending = (name: string) => /\.\w{1,8}$/.exec(name)?.[0] ?? "";
  // What belongs together still does.
  const sections = fromNames(names);
  const set = new Map(names.map((name, at) => [name, sections && sections.of[at] >= 0 ? `set-${sections.of[at] + 1}/` : ""]));
  return new Map(shuffled.map((name, at) => [name, `${set.get(name)}group-${String(at + 1).padStart(String(names.length).length, "0")}${ending(name)}`]));
}

/** FNV-1a, and the last steps of MurmurHash3, so that like names are far from each other. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
