// Which findings are shown, and in which order.

import { VERDICTS } from "../data/audit/audit";
import { JUDGEMENTS } from "../data/decision";
import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";
import type { FindingDecisions } from "../decisions/by-finding";
import { ALL, type AuditFilter, auditPasses, fromAuditParams, toAuditParams } from "./audit-filter";
import { ALL as ALL_FOUND, type FoundFilter, foundPasses, fromFoundParams, toFoundParams } from "./found-filter";

export type Column = "rank" | "type" | "coverage" | "similarity" | "lines" | "tokens" | "copies" | "verdict" | "first" | "path";

/** What may be asked for of decisions; the places are those of `Marks`. */
export const DECISIONS = ["undecided", ...JUDGEMENTS] as const;

/** What a reader asked for. */
export interface Filter {
  kind: FindingKind;
  /** Words, `path:` and `name:` prefixes, quotes, and `-` in front of what may not be there. */
  query: string;
  /** Empty for all. */
  types: number[];
  /** Empty for all. */
  language: string;
  /** Percent; of a search how much is known. */
  least: number;
  most: number;
  /** Fewest lines. */
  lines: number;
  /** Empty for all; `undecided`, or a judgement. */
  decision: "" | (typeof DECISIONS)[number];
  /** Of an audit. */
  audit: AuditFilter;
  /** Of a search in a corpus. */
  found: FoundFilter;
  sort: Column;
  descending: boolean;
}

export const EVERYTHING: Filter = {
  kind: "classes",
  query: "",
  types: [],
  language: "",
  least: 0,
  most: 100,
  lines: 0,
  decision: "",
  audit: ALL,
  found: ALL_FOUND,
  sort: "rank",
  descending: false,
};

/** What a term may look at alone; `tokens` is the fewest, and words in code are looked for beforehand. */
const PLACES = ["path", "name", "kind", "tokens", "code"] as const;

interface Term {
  text: string;
  where: (typeof PLACES)[number] | "both";
  not: boolean;
}

const TERM = /(-)?(?:(path|name|kind|tokens|code):)?(?:"([^"]*)"?|([^\s"]+))/g;

/** A query but for what it asks of code. */
export function withoutCode(query: string): string {
  return query.replace(TERM, (term, _, where) => (where === "code" ? "" : term));
}

/** The terms of a query. */
export function terms(query: string): Term[] {
  const found: Term[] = [];
  for (const [, not, where, quoted, word] of query.matchAll(TERM)) {
    const text = (quoted ?? word ?? "").toLowerCase();
    if (text) found.push({ text, where: PLACES.find((place) => place === where) ?? "both", not: not === "-" });
  }
  return found;
}

const lowered = new WeakMap<string[], string[]>();

function lower(texts: string[]): string[] {
  let list = lowered.get(texts);
  if (!list) lowered.set(texts, (list = texts.map((text) => text.toLowerCase())));
  return list;
}

/** For each fragment whether a term hits it; `code` says which have a word. */
function hits(result: Result, term: Term, code: Map<string, Uint8Array> | undefined): Uint8Array {
  const { files, fragments } = result.tables;
  const hit = new Uint8Array(fragments.file.length);
  if (term.where === "code") return code?.get(term.text) ?? hit;
  if (term.where === "kind") {
    const is = fragments.kinds.map((kind) => kind === term.text);
    return hit.map((_, id) => (is[fragments.kind[id]] ? 1 : 0));
  }
  if (term.where === "tokens") {
    const fewest = Number(term.text) || 0;
    return hit.map((_, id) => (fragments.tokens[id] >= fewest ? 1 : 0));
  }
  const within = (texts: string[], asked: boolean) => (asked ? lower(texts).map((text) => text.includes(term.text)) : []);
  const inPath = within(files.paths, term.where !== "name");
  const inName = within(fragments.names, term.where !== "path");
  for (let id = 0; id < hit.length; id++) hit[id] = inPath[fragments.file[id]] || inName[fragments.name[id]] ? 1 : 0;
  return hit;
}

/** The numbers of the findings that pass the filter, in its order. */
export function findings(result: Result, filter: Filter, decisions: FindingDecisions | null = null, code?: Map<string, Uint8Array>): Uint32Array {
  const { classes, pairs, fragments, files } = result.tables;
  const asked = terms(filter.query).map((term) => ({ not: term.not, hit: hits(result, term, code) }));
  const types = new Set(filter.types);
  const language = filter.language ? files.languages.indexOf(filter.language) : -1;
  const [least, most] = [filter.least * 100, filter.most * 100];
  const speaks = (id: number) => language < 0 || files.language[fragments.file[id]] === language;
  const isOfType = (type: number) => types.size === 0 || types.has(type);
  const { found: search } = result;
  // Of a search, how much is known stands in the place of how alike the pairs are.
  const mostOf = (number: number) => (search ? search.best[search.query(number)] : result.most[number]);
  const leastOf = (number: number) => (search ? search.best[search.query(number)] : result.least[number]);
  const amounts = search ? search.table.pairs.coverage : pairs.similarity;
  const ofClasses = (number: number) => {
    const members = result.members(number);
    return (
      isOfType(classes.type[number]) &&
      mostOf(number) >= least &&
      leastOf(number) <= most &&
      fragments.lines[members[0]] >= filter.lines &&
      (language < 0 || members.some(speaks)) &&
      asked.every(({ not, hit }) => members.some((member) => hit[member] === 1) !== not)
    );
  };
  const ofPairs = (pair: number) => {
    const [left, right] = [pairs.left[pair], pairs.right[pair]];
    return (
      isOfType(pairs.type[pair]) &&
      amounts[pair] >= least &&
      amounts[pair] <= most &&
      Math.max(fragments.lines[left], fragments.lines[right]) >= filter.lines &&
      (speaks(left) || speaks(right)) &&
      asked.every(({ not, hit }) => (hit[left] === 1 || hit[right] === 1) !== not)
    );
  };
  const decided = filter.decision ? DECISIONS.indexOf(filter.decision) : -1;
  const isDecided = (number: number) => decided < 0 || (decisions ? decisions[filter.kind][number] : 0) === decided;
  const ofKind = filter.kind === "classes" ? ofClasses : ofPairs;
  const others = [auditPasses(result, filter.kind, filter.audit), foundPasses(result, filter.kind, filter.found)].filter((test) => test !== null);
  const passes = (number: number) => others.every((test) => test(number)) && ofKind(number);
  const count = filter.kind === "classes" ? classes.type.length : pairs.left.length;
  const found = new Uint32Array(count);
  let length = 0;
  for (let number = 0; number < count; number++) if (isDecided(number) && passes(number)) found[length++] = number;
  return sorted(result, found.slice(0, length), filter);
}

/** What a column sorts by, for each finding. */
function key(result: Result, filter: Filter): ((number: number) => number) | null {
  const { classes, pairs, fragments } = result.tables;
  const { audit, found } = result;
  const first = (number: number) => classes.members[classes.first[number]];
  if (filter.kind === "classes") {
    switch (filter.sort) {
      case "rank":
        return null;
      case "type":
        return (number) => classes.type[number];
      case "similarity":
        return (number) => result.least[number];
      case "lines":
        return (number) => fragments.lines[first(number)];
      case "tokens":
        return (number) => fragments.tokens[first(number)];
      case "copies":
        return (number) => classes.first[number + 1] - classes.first[number];
      case "verdict":
        return (number) => VERDICTS.indexOf(audit?.verdict(number) as (typeof VERDICTS)[number]);
      case "coverage":
        return (number) => found?.best[first(number)] ?? 0;
      case "first":
        return (number) => found?.table.queries.year[first(number)] || 9_999;
      case "path":
        return first;
    }
  }
  switch (filter.sort) {
    case "type":
      return (pair) => pairs.type[pair];
    case "similarity":
      return (pair) => pairs.similarity[pair];
    case "coverage":
      return (pair) => found?.table.pairs.coverage[pair] ?? 0;
    case "lines":
      return (pair) => Math.max(fragments.lines[pairs.left[pair]], fragments.lines[pairs.right[pair]]);
    case "tokens":
      return (pair) => Math.max(fragments.tokens[pairs.left[pair]], fragments.tokens[pairs.right[pair]]);
    case "verdict":
      return (pair) => VERDICTS.indexOf(audit?.verdictOfPair(pair) as (typeof VERDICTS)[number]);
    default:
      return null;
  }
}

function sorted(result: Result, found: Uint32Array, filter: Filter): Uint32Array {
  const by = key(result, filter);
  const sign = filter.descending ? -1 : 1;
  if (by === null) return filter.descending ? found.reverse() : found;
  // Key and place in one number: numbers sort without a comparison of ours, and equal keys stay in their order.
  const room = Math.max(result.tables.classes.type.length, result.tables.pairs.left.length, 1);
  const keys = Float64Array.from(found, (number) => sign * by(number) * room + number);
  keys.sort();
  return Uint32Array.from(keys, (value) => ((value % room) + room) % room);
}

/** The filter as part of an address. */
export function toParams(filter: Filter): URLSearchParams {
  const params = new URLSearchParams();
  if (filter.kind !== "classes") params.set("show", filter.kind);
  if (filter.query) params.set("q", filter.query);
  if (filter.types.length) params.set("type", filter.types.join(","));
  if (filter.language) params.set("language", filter.language);
  if (filter.least > 0) params.set("least", String(filter.least));
  if (filter.most < 100) params.set("most", String(filter.most));
  if (filter.lines > 0) params.set("lines", String(filter.lines));
  if (filter.decision) params.set("decision", filter.decision);
  toAuditParams(filter.audit, params);
  toFoundParams(filter.found, params);
  if (filter.sort !== "rank" || filter.descending) params.set("sort", (filter.descending ? "-" : "") + filter.sort);
  return params;
}

const COLUMNS: readonly Column[] = ["rank", "type", "coverage", "similarity", "lines", "tokens", "copies", "verdict", "first", "path"];

/** The filter that an address asks for; what cannot be read is left as it is without it. */
export function fromParams(params: URLSearchParams): Filter {
  const number = (name: string, otherwise: number) => {
    const value = Number(params.get(name) ?? otherwise);
    return Number.isFinite(value) ? value : otherwise;
  };
  const sort = params.get("sort") ?? "rank";
  const column = COLUMNS.find((known) => known === sort.replace(/^-/, "")) ?? "rank";
  return {
    kind: params.get("show") === "pairs" ? "pairs" : "classes",
    query: params.get("q") ?? "",
    types: (params.get("type") ?? "").split(",").map(Number).filter((type) => type >= 1 && type <= 4),
    language: params.get("language") ?? "",
    least: number("least", 0),
    most: number("most", 100),
    lines: number("lines", 0),
    decision: DECISIONS.find((known) => known === params.get("decision")) ?? "",
    audit: fromAuditParams(params),
    found: fromFoundParams(params),
    sort: column,
    descending: sort.startsWith("-"),
  };
}
