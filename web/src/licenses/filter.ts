// Which files are shown, and in which order.

import { A } from "../text";
import { type Table, DISAGREES } from "./model";

export type Column = "path" | "license" | "by" | "others" | "holders" | "lines";
export const COLUMNS: readonly Column[] = ["path", "license", "by", "others", "holders", "lines"];
export const STATES = ["disagree", "none"] as const;

/** What a reader asked for; what is empty asks for nothing. */
export interface Filter {
  /** Words, `path:`, `license:` and `holder:` prefixes, quotes, and `-` in front of what may not be there. */
  query: string;
  /** An expression that was concluded. */
  license: string;
  /** A license that some layer names. */
  id: string;
  category: string;
  by: string;
  state: "" | (typeof STATES)[number];
  sort: Column;
  descending: boolean;
}

export const EVERYTHING: Filter = { query: "", license: "", id: "", category: "", by: "", state: "", sort: "path", descending: false };

/** The category of files of which no license is known. */
export const NOTHING = "none";
/** From those that ask for nothing to those that allow nothing. */
export const CATEGORIES = [
  "public-domain", "permissive", "weak-copyleft", "share-alike", "strong-copyleft", "network-copyleft",
  "source-available", "restricted", "proprietary", "unlicensed", "agreement", "unknown", NOTHING,
] as const;

export const categoryOf = (table: Table, file: number) => (table.license[file] < 0 ? NOTHING : table.expressions[table.license[file]].category);

const lowered = new WeakMap<readonly string[], string[]>();

function lower(texts: readonly string[]): string[] {
  let list = lowered.get(texts);
  if (!list) lowered.set(texts, (list = texts.map((text) => text.toLowerCase())));
  return list;
}

const expressionTexts = new WeakMap<Table, string[]>();

function textsOf(table: Table): string[] {
  let list = expressionTexts.get(table);
  if (!list) expressionTexts.set(table, (list = table.expressions.map(({ text }) => text)));
  return list;
}

type Test = (file: number) => boolean;

/** A test for each word of a query. */
function words(table: Table, query: string): Test[] {
  const tests: Test[] = [];
  for (const [, not, where, quoted, word] of query.matchAll(/(-)?(path:|license:|holder:)?(?:"([^"]*)"?|([^\s"]+))/g)) {
    const text = (quoted ?? word ?? "").toLowerCase();
    if (!text) continue;
    const within = (texts: readonly string[]) => lower(texts).map((one) => one.includes(text));
    const paths = lower(table.paths);
    const license = where === undefined || where === "license:" ? within(textsOf(table)) : [];
    const holder = where === undefined || where === "holder:" ? within(table.holders) : [];
    const inPath = where === undefined || where === "path:";
    const held = holder.includes(true);
    const hit = (file: number) => {
      if (inPath && paths[file].includes(text)) return true;
      if (license[table.license[file]]) return true;
      if (held) for (let at = table.firstHolder[file]; at < table.firstHolder[file + 1]; at++) if (holder[table.holder[at]]) return true;
      return false;
    };
    tests.push(not ? (file) => !hit(file) : hit);
  }
  return tests;
}

/** How many layers of a file disagree. */
export function disagreeing(table: Table, file: number): number {
  let count = 0;
  for (let at = table.firstLayer[file]; at < table.firstLayer[file + 1]; at++) count += table.layers.flags[at] & DISAGREES;
  return count;
}

/** For each expression whether it names a license. */
export function naming(table: Table, id: string): boolean[] {
  const at = table.licenses.findIndex(({ name }) => name === id);
  return table.expressions.map(({ licenses }) => licenses.includes(at));
}

function tests(table: Table, filter: Filter): Test[] {
  const list: Test[] = [];
  if (filter.license) {
    const wanted = table.expressions.findIndex(({ text }) => text === filter.license);
    list.push((file) => wanted >= 0 && table.license[file] === wanted);
  }
  if (filter.category) list.push((file) => categoryOf(table, file) === filter.category);
  if (filter.by) {
    const wanted = table.kinds.indexOf(filter.by);
    list.push((file) => table.by[file] === wanted);
  }
  if (filter.state === "none") list.push((file) => table.license[file] < 0);
  if (filter.state === "disagree") list.push((file) => disagreeing(table, file) > 0);
  if (filter.id) {
    const names = naming(table, filter.id);
    list.push((file) => {
      for (let at = table.firstLayer[file]; at < table.firstLayer[file + 1]; at++) if (names[table.layers.license[at]]) return true;
      return false;
    });
  }
  return list.concat(words(table, filter.query));
}

/** The files that pass, in their order. */
export function files(table: Table, filter: Filter): Uint32Array {
  const all = tests(table, filter);
  const found = new Uint32Array(table.paths.length);
  let length = 0;
  for (let file = 0; file < found.length; file++) if (all.every((test) => test(file))) found[length++] = file;
  return sorted(table, found.subarray(0, length), filter);
}

/** Places of texts in the alphabet. */
function ranks(texts: readonly string[]): Uint32Array {
  const rank = new Uint32Array(texts.length);
  lower(texts)
    .map((text, at) => ({ text, at }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.at - b.at))
    .forEach(({ at }, place) => (rank[at] = place + 1));
  return rank;
}

const placed = new WeakMap<Table, Uint32Array | null>();

/** Places of the paths in the order of folders; null where they come in it, as those of a tree do and those of an archive may not. */
function placesOfPaths(table: Table): Uint32Array | null {
  let places = placed.get(table);
  if (places === undefined) {
    const keys = table.paths.map((path) => path.replaceAll("/", "\0"));
    places = keys.every((key, at) => at === 0 || keys[at - 1] <= key) ? null : Uint32Array.from(ranks(keys));
    placed.set(table, places);
  }
  return places;
}

function key(table: Table, column: Column): ((file: number) => number) | null {
  switch (column) {
    case "path": {
      const place = placesOfPaths(table);
      return place && ((file) => place[file]);
    }
    case "license": {
      const rank = ranks(textsOf(table));
      return (file) => (table.license[file] < 0 ? 0 : rank[table.license[file]]);
    }
    case "by": {
      const order = Object.keys(A.layers);
      return (file) => order.indexOf(table.kinds[table.by[file]]);
    }
    case "others":
      return (file) => disagreeing(table, file);
    case "holders": {
      const rank = ranks(table.holders);
      const [first] = [table.firstHolder];
      return (file) => (first[file] === first[file + 1] ? table.holders.length + 1 : rank[table.holder[first[file]]]);
    }
    case "lines":
      return (file) => table.lines[file];
  }
}

function sorted(table: Table, found: Uint32Array, { sort, descending }: Filter): Uint32Array {
  const by = key(table, sort);
  if (by === null) return descending ? found.slice().reverse() : found;
  const [sign, room] = [descending ? -1 : 1, table.paths.length];
  const keys = Float64Array.from(found, (file) => sign * by(file) * room + file);
  keys.sort();
  return Uint32Array.from(keys, (value) => ((value % room) + room) % room);
}

/** The filter as part of an address. */
export function toParams(filter: Partial<Filter>): URLSearchParams {
  const params = new URLSearchParams();
  if (filter.query) params.set("q", filter.query);
  for (const name of ["license", "id", "category", "by", "state"] as const) if (filter[name]) params.set(name, filter[name]);
  const { sort = "path", descending = false } = filter;
  if (sort !== "path" || descending) params.set("sort", (descending ? "-" : "") + sort);
  return params;
}

/** The filter that an address asks for. */
export function fromParams(params: URLSearchParams): Filter {
  const text = (name: string) => params.get(name) ?? "";
  const sort = text("sort");
  return {
    query: text("q"),
    license: text("license"),
    id: text("id"),
    category: text("category"),
    by: text("by"),
    state: STATES.find((known) => known === text("state")) ?? "",
    sort: COLUMNS.find((known) => known === sort.replace(/^-/, "")) ?? "path",
    descending: sort.startsWith("-"),
  };
}

export const filesAddress = (filter: Partial<Filter> = {}) => {
  const query = toParams(filter).toString();
  return `#/files${query ? `?${query}` : ""}`;
};
export const below = (folder: string) => filesAddress(folder ? { query: `path:"${folder}/"` } : {});
export const fileAddress = (file: number, line?: number) => `#/file/${file}${line ? `?line=${line}` : ""}`;
export const licenseAddress = (name: string) => `#/license/${encodeURIComponent(name)}`;
