// What belongs to which semester or section, and which pairs are shown for it: the part of the bar that Groups and Network share.

import { useMemo, useState } from "preact/hooks";
import type { Result } from "../data/result";
import { type By, groupOf, groups, type Groups } from "../findings/groups";
import { realName } from "../findings/pseudonyms";
import { type Choice, type Sections, fromNames, fromTable, readTable } from "../findings/sections";
import { T } from "../text";
import { visible } from "./visible";

/** More than this is no list of a class. */
const MOST_BYTES = 2_000_000;

/** A table is kept while its tab is open, since the page starts anew when names are hidden. */
const key = () => `familiar-sections:${location.pathname}`;

function storedTable(): string | null {
  try {
    return sessionStorage.getItem(key());
  } catch {
    return null;
  }
}

function storeTable(text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key());
    else sessionStorage.setItem(key(), text);
  } catch {
    // It is asked for again.
  }
}

export interface Sectioned {
  sections: Sections | null;
  choice: Choice;
  choose: (choice: Choice) => void;
  /** The reader's table, where one is open. */
  table: string | null;
  open: (text: string | null) => void;
}

export function useSections(result: Result, by: By): Sectioned {
  const [table, setTable] = useState(storedTable);
  const [choice, choose] = useState<Choice>("all");
  const sections = useMemo(() => sectionsOf(result, by, table), [result, by, table]);
  const open = (text: string | null) => {
    storeTable(text);
    setTable(text);
    choose("all");
  };
  return { sections, choice: sections && !(typeof choice === "number" && choice >= sections.labels.length) ? choice : "all", choose, table, open };
}

function sectionsOf(result: Result, by: By, table: string | null): Sections | null {
  const of = (found: Groups) => {
    const fromReader = table === null ? null : fromTable(found.names.map(realName), readTable(table));
    return fromReader ?? (table === null ? fromNames(found.names) : null);
  };
  if (by !== "files") return of(groups(result, by));
  // A file is where its folder or author is.
  const above = of(groups(result, "top"));
  if (above === null) return null;
  const { of: group } = groupOf(result.tables.files.paths, result.tables.head.settings.roots);
  return { labels: above.labels, of: Int32Array.from(group, (at) => above.of[at]) };
}

/** The colour of a section or a cluster; there are eight, and one for all others. */
export const category = (at: number) => (at >= 0 && at < 8 ? `cat-${at}` : "cat-none");

export function SectionsBar({ sectioned: { sections, choice, choose, table, open } }: { sectioned: Sectioned }) {
  const [error, setError] = useState("");
  const read = async (file: File | undefined) => {
    if (!file) return;
    const text = file.size <= MOST_BYTES ? await file.text() : "";
    setError(readTable(text).size > 0 ? "" : T.sectionsUnread);
    if (readTable(text).size > 0) open(text);
  };
  const change = (value: string) => choose(value === "all" || value === "between" || value === "within" ? value : Number(value));
  const without = sections ? sections.of.reduce((sum, one) => sum + (one < 0 ? 1 : 0), 0) : 0;
  return (
    <div class="sections-bar">
      {sections && (
        <label>
          {T.sectionsShow}{" "}
          <select value={String(choice)} onChange={(event) => change(event.currentTarget.value)}>
            <option value="all">{T.sectionsAll}</option>
            <option value="between">{T.sectionsBetween}</option>
            <option value="within">{T.sectionsWithin}</option>
            {sections.labels.map((label, at) => <option value={String(at)} key={label}>{T.sectionsOnly(visible(label))}</option>)}
          </select>
        </label>
      )}
      {sections && (
        <ul class="sections-legend">
          {sections.labels.slice(0, 9).map((label, at) => (
            <li key={label}><span class={`dot ${category(at)}`} />{at < 8 ? visible(label) : T.more(sections.labels.length - 8)}</li>
          ))}
          {without > 0 && <li class="muted">{T.sectionsWithout(without)}</li>}
        </ul>
      )}
      <label class="file-button" title={T.sectionsWhat}>
        {T.sectionsOpen}
        <input type="file" accept=".csv,.tsv,.txt,text/csv" onChange={(event) => (void read(event.currentTarget.files?.[0]), (event.currentTarget.value = ""))} />
      </label>
      {table !== null && <button class="quiet" onClick={() => open(null)}>{T.sectionsClose}</button>}
      {(error || (table !== null && !sections)) && <span role="alert">{error || T.sectionsNobody}</span>}
    </div>
  );
}
