// Who had some code first: occurrences in the order of time, a lane for each project or family of forks.

import type { Place } from "../data/audit/model";

/** One time at which the code stood somewhere. */
export interface Event {
  fragment: number;
  place: Place;
  /** Milliseconds since 1970. */
  from: number;
  until: number;
}

export interface Lane {
  /** The project, or the name of its family. */
  name: string;
  /** Projects of a family, where it has more than one. */
  projects: string[];
  /** The earliest first. */
  events: Event[];
  isHere: boolean;
}

export interface Timeline {
  /** The earliest first. */
  lanes: Lane[];
  /** Places without a time, or whose time proves nothing. */
  undated: { fragment: number; place: Place; isHere: boolean }[];
  /** The earliest of all by a time that can be compared. */
  first: Event | null;
  from: number;
  until: number;
}

/** Times that prove nothing: a file's can be set at will. */
const WEAK = new Set(["none", "file-time"]);

/** When a place's code came there, by a time that can be compared; NaN where there is none. */
export function timeOf(place: Place): number {
  return place.first_seen === null || WEAK.has(place.evidence) ? NaN : Date.parse(place.first_seen);
}

/** The occurrences of some fragments; those of `here` are the audited side. */
export function timeline(found: { fragment: number; places: Place[]; isHere: boolean }[]): Timeline {
  const lanes = new Map<string, Lane>();
  const undated: Timeline["undated"] = [];
  for (const { fragment, places, isHere } of found) {
    for (const place of places) {
      const from = timeOf(place);
      if (Number.isNaN(from)) {
        undated.push({ fragment, place, isHere });
        continue;
      }
      const name = place.family ?? place.project;
      const key = `${isHere ? "h" : "t"}${name}`;
      const until = place.last_seen === null ? from : Math.max(from, Date.parse(place.last_seen) || from);
      let lane = lanes.get(key);
      if (!lane) lanes.set(key, (lane = { name, projects: [], events: [], isHere }));
      if (!lane.projects.includes(place.project)) lane.projects.push(place.project);
      lane.events.push({ fragment, place, from, until });
    }
  }
  const list = [...lanes.values()];
  for (const lane of list) {
    lane.events.sort((a, b) => a.from - b.from || compareText(a.place.project, b.place.project) || compareText(a.place.path, b.place.path));
    lane.projects.sort();
  }
  list.sort((a, b) => a.events[0].from - b.events[0].from || Number(b.isHere) - Number(a.isHere) || compareText(a.name, b.name));
  const events = list.flatMap((lane) => lane.events);
  return {
    lanes: list,
    undated,
    first: list[0]?.events[0] ?? null,
    from: events.reduce((least, event) => Math.min(least, event.from), Infinity),
    until: events.reduce((most, event) => Math.max(most, event.until), -Infinity),
  };
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const DAY = 86_400_000;

/** The stretch of an axis around two moments, so that what is all of one day stands in its middle. */
export function widened(from: number, until: number): [number, number] {
  const least = 60 * DAY;
  const more = Math.max(0, least - (until - from)) / 2;
  return [from - more, until + more];
}

/** Steps of an axis in years, months and days. */
const STEPS: [number, "year" | "month" | "day"][] = [
  [1, "day"],
  [2, "day"],
  [1, "month"],
  [2, "month"],
  [3, "month"],
  [6, "month"],
  [1, "year"],
  [2, "year"],
  [5, "year"],
  [10, "year"],
  [20, "year"],
  [50, "year"],
  [100, "year"],
  [1000, "year"],
];
const LENGTH = { year: 365.25 * DAY, month: 30.44 * DAY, day: DAY };

/** Round moments between two, `most` or fewer, each with the words for it. */
export function ticks(from: number, until: number, most: number): { at: number; text: string }[] {
  const [step, unit] = STEPS.find(([count, unit]) => (until - from) / (count * LENGTH[unit]) <= most) ?? STEPS[STEPS.length - 1];
  const start = new Date(from);
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  const moment = (number: number) => {
    if (unit === "year") return Date.UTC(Math.floor(year / step) * step + number * step, 0, 1);
    if (unit === "month") return Date.UTC(year, Math.floor(month / step) * step + number * step, 1);
    return Date.UTC(year, month, day + number * step);
  };
  const length = unit === "year" ? 4 : unit === "month" ? 7 : 10;
  const found = [];
  for (let number = 0; number <= 2 * most + 2; number++) {
    const at = moment(number);
    if (at > until) break;
    if (at >= from) found.push({ at, text: new Date(at).toISOString().slice(0, length) });
  }
  return found;
}

/** How many findings have each year, without gaps; null where no year is known. */
export function byYear(years: ArrayLike<number>): { years: { year: number; findings: number[] }[]; unknown: number[] } {
  const found = new Map<number, number[]>();
  for (let finding = 0; finding < years.length; finding++) {
    const year = years[finding];
    const list = found.get(year);
    if (list) list.push(finding);
    else found.set(year, [finding]);
  }
  const unknown = found.get(0) ?? [];
  found.delete(0);
  const known = [...found.keys()].sort((a, b) => a - b);
  if (known.length === 0) return { years: [], unknown };
  const [first, last] = [known[0], known[known.length - 1]];
  // One wrong date must not make a thousand bars.
  const all = last - first > MOST_YEARS ? known : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return { years: all.map((year) => ({ year, findings: found.get(year) ?? [] })), unknown };
}

const MOST_YEARS = 60;
