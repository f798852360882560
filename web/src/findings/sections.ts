// To which semester or section a group belongs: as its name's folder says, or as a CSV says that the reader opens.

import { rows } from "../csv";

export interface Sections {
  labels: string[];
  /** The label's number for each group, or -1. */
  of: Int32Array;
}

/** Which pairs are shown: all, those between sections, those within one, or those within the one of this number. */
export type Choice = "all" | "between" | "within" | number;

/** Sections from the names' folders, as in `2026/ann` and `2025/bob`. */
export function fromNames(names: string[]): Sections | null {
  const folders = names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf("/"))));
  const labels = [...new Set(folders)].filter((folder) => folder).sort();
  // Where each has its own folder, or all have one, it says nothing.
  if (labels.length < 2 || labels.length > names.length / 2) return null;
  const of = Int32Array.from(folders, (folder) => labels.indexOf(folder));
  return { labels, of };
}

const NAME = /^(name|author|student|project)s?$/i;
const GROUP = /^(group|section|semester|class|course|term)s?$/i;

/** The group of each name in a table of `name,group`; commas, semicolons or tabs, with or without a first line that names the columns. */
export function readTable(text: string): Map<string, string> {
  const lines = rows(text.replace(/^\ufeff/, ""));
  let [name, group] = [0, 1];
  const head = lines[0]?.map((cell) => cell.trim()) ?? [];
  const [nameAt, groupAt] = [head.findIndex((cell) => NAME.test(cell)), head.findIndex((cell) => GROUP.test(cell))];
  if (nameAt >= 0 && groupAt >= 0) {
    [name, group] = [nameAt, groupAt];
    lines.shift();
  }
  const found = new Map<string, string>();
  for (const line of lines) {
    const [key, value] = [line[name]?.trim(), line[group]?.trim()];
    if (key && value) found.set(key, value);
  }
  return found;
}

/** A table's sections for groups, whose names may have other cases, folders in front or an ending; null where no name is there. */
export function fromTable(names: string[], table: Map<string, string>): Sections | null {
  const plain = (name: string) => name.trim().toLowerCase().normalize("NFC");
  const known = new Map([...table].map(([name, group]) => [plain(name), group]));
  const find = (name: string) => {
    const whole = plain(name);
    const last = whole.slice(whole.lastIndexOf("/") + 1);
    return known.get(whole) ?? known.get(last) ?? known.get(last.replace(/\.\w{1,8}$/, ""));
  };
  const labelOf = names.map(find);
  const labels = [...new Set(labelOf.filter((label) => label !== undefined))].sort();
  if (labels.length === 0) return null;
  return { labels, of: Int32Array.from(labelOf, (label) => (label === undefined ? -1 : labels.indexOf(label))) };
}

/** Whether a choice shows a pair. A group without a section is in no one's. */
export function passes({ a, b }: { a: number; b: number }, { of }: Sections, choice: Choice): boolean {
  if (choice === "all") return true;
  if (choice === "between") return of[a] !== of[b] && of[a] >= 0 && of[b] >= 0;
  if (choice === "within") return of[a] === of[b] && of[a] >= 0;
  return of[a] === choice && of[b] === choice;
}
