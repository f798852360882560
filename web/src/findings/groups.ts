// Who has how much in common: the findings between folders, projects or authors.

import { field } from "../csv";
import type { Result } from "../data/result";
import { NO_CLASS } from "../data/result";
import { findingsAddress } from "../router";
import type { Sections } from "./sections";

/** Ten thousandths. */
const EQUAL = 10_000;

/** What stands as one: trees, projects or the folders at the top; the folders in them; or files. */
export type By = "top" | "below" | "files";

/** What two groups have in common. */
export interface Link {
  a: number;
  b: number;
  /** Pairs of fragments, one in each. */
  findings: number;
  /** Those of them that the list of pairs has; the others follow from it. */
  listed: number;
  /** Those of the others that are members of one class. */
  classed: number;
  /** Of the pair that is most alike, in ten thousandths. */
  similarity: number;
  /** Lines that the findings cover, on the side that has fewer. */
  lines: number;
}

export interface Groups {
  names: string[];
  /** What to search paths for, so that one name is not found in a longer one. */
  search: string[];
  /** Those with most lines in common first. */
  links: Link[];
}

/** Most members of one class of which every two are compared; of more, each with the first. */
const MOST = 300;

/** The group that each file is in: the tree or the project where there are several, otherwise the folder at the top. */
export function groupOf(paths: string[], roots: string[], by: By = "top"): { names: string[]; of: Uint32Array } {
  const ends = roots.length > 1 ? roots.map((root) => (root.endsWith("/") ? root : `${root}/`)).sort((a, b) => b.length - a.length) : [];
  const numbers = new Map<string, number>();
  const nameOf = (path: string) => {
    if (by === "files") return path;
    const root = ends.find((end) => path.startsWith(end));
    const cut = path.indexOf("/");
    const top = root?.slice(0, -1) ?? (cut > 0 ? path.slice(0, cut) : path);
    if (by === "top" || top === path) return top;
    const next = path.indexOf("/", top.length + 1);
    return next > 0 ? path.slice(0, next) : path;
  };
  const of = Uint32Array.from(paths, (path) => {
    const name = nameOf(path);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  });
  return { names: [...numbers.keys()], of };
}

const cache = new WeakMap<Result, Map<By, Groups>>();

/** What is found between different groups; reckoned once. */
export function groups(result: Result, by: By = "top"): Groups {
  const kept = cache.get(result) ?? new Map<By, Groups>();
  cache.set(result, kept);
  let found = kept.get(by);
  if (!found) kept.set(by, (found = computed(result, by)));
  return found;
}

function computed(result: Result, by: By): Groups {
  const { files, fragments, pairs, classes, head } = result.tables;
  const { names, of } = groupOf(files.paths, head.settings.roots, by);
  const group = (fragment: number) => of[fragments.file[fragment]];
  const found = new Map<number, { findings: number; listed: number; classed: number; similarity: number; sides: [number[], number[]] }>();
  const add = (left: number, right: number, similarity: number, by?: "listed" | "classed") => {
    const [x, y] = [group(left), group(right)];
    if (x === y) return;
    const [a, b, one, other] = x < y ? [x, y, left, right] : [y, x, right, left];
    const key = a * names.length + b;
    let link = found.get(key);
    if (!link) found.set(key, (link = { findings: 0, listed: 0, classed: 0, similarity: 0, sides: [[], []] }));
    link.findings++;
    if (by) link[by]++;
    link.similarity = Math.max(link.similarity, similarity);
    link.sides[0].push(one);
    link.sides[1].push(other);
  };
  // A class's members are alike, of which the pairs list only those with the first one.
  const listed = new Map<number, number>();
  for (let pair = 0; pair < pairs.left.length; pair++) {
    const [left, right] = [pairs.left[pair], pairs.right[pair]];
    add(left, right, pairs.similarity[pair], "listed");
    const number = result.classOf[left];
    if (number === NO_CLASS || number !== result.classOf[right]) continue;
    const first = classes.members[classes.first[number]];
    if (first === left) listed.set(right, pairs.similarity[pair]);
    else if (first === right) listed.set(left, pairs.similarity[pair]);
  }
  for (let number = 0; number < classes.type.length; number++) {
    const members = result.members(number);
    const others = [...members.subarray(1)];
    if (others.length > MOST) continue;
    for (let i = 0; i < others.length; i++) {
      for (let j = i + 1; j < others.length; j++) {
        add(others[i], others[j], Math.min(listed.get(others[i]) ?? result.least[number], listed.get(others[j]) ?? result.least[number]), "classed");
      }
    }
  }
  for (const equal of equalOnes(result)) {
    for (let i = 0; i < equal.length; i++) {
      for (let j = i + 1; j < equal.length; j++) {
        const [one, other] = [result.classOf[equal[i]], result.classOf[equal[j]]];
        const isNamed = (one !== NO_CLASS && one === other) || result.pairOf(equal[i], equal[j]) >= 0;
        if (!isNamed) add(equal[i], equal[j], EQUAL);
      }
    }
  }
  const covered = (list: number[]) => {
    const sorted = [...new Set(list)].sort((x, y) => x - y);
    let [lines, file, next] = [0, -1, 0];
    // Fragments are in the order of files and starts.
    for (const id of sorted) {
      if (fragments.file[id] !== file) [file, next] = [fragments.file[id], 0];
      const start = Math.max(fragments.start[id], next);
      const end = fragments.start[id] + fragments.lines[id];
      if (end > start) [lines, next] = [lines + end - start, end];
    }
    return lines;
  };
  const links = [...found].map(([key, { findings, listed, classed, similarity, sides }]) => ({
    a: Math.floor(key / names.length),
    b: key % names.length,
    findings,
    listed,
    classed,
    similarity,
    lines: Math.min(covered(sides[0]), covered(sides[1])),
  }));
  links.sort((x, y) => y.lines - x.lines || y.similarity - x.similarity || x.a - y.a || x.b - y.b);
  const search = names.slice();
  // A folder's name ends with a slash, a file's does not.
  files.paths.forEach((path, file) => {
    if (path !== names[of[file]]) search[of[file]] = `${names[of[file]]}/`;
  });
  return { names, search, links };
}

/**
 * The fragments that are equal to the same one: of classes that are not listed by themselves, the pairs name only those with
 * the first member. Equality holds between any two of them.
 */
function equalOnes({ tables: { pairs }, classOf, audit }: Result): number[][] {
  // Every pair of an audit is one of a class.
  if (audit) return [];
  const others = new Map<number, number[]>();
  for (let pair = 0; pair < pairs.left.length; pair++) {
    const [left, right] = [pairs.left[pair], pairs.right[pair]];
    const isClass = classOf[left] !== NO_CLASS && classOf[left] === classOf[right];
    if (pairs.similarity[pair] < EQUAL || isClass) continue;
    const equal = others.get(left);
    if (equal) equal.push(right);
    else others.set(left, [right]);
  }
  return [...others.values()].filter((equal) => equal.length > 1 && equal.length <= MOST);
}

/**
 * The findings that two groups have in common: as pairs, or as classes where no pair of them is listed. Where there is
 * neither, the pairs of the first group lead to both.
 */
export function between({ search }: Groups, { a, b, listed, classed }: Link): string {
  const query = (listed + classed > 0 ? [a, b] : [a]).map((group) => `path:"${search[group].replaceAll('"', "")}"`).join(" ");
  return findingsAddress(new URLSearchParams(listed > 0 || classed === 0 ? { show: "pairs", q: query } : { q: query }));
}

/** Pairs of groups as a file that a spreadsheet reads; with sections where there are any. */
export function pairsCsv({ names }: Groups, links: Link[], sections: Sections | null = null): string[] {
  const label = (group: number) => field(sections?.labels[sections.of[group]] ?? "");
  const row = ({ a, b, lines, findings, similarity }: Link) =>
    `${field(names[a])},${field(names[b])},${lines},${findings},${(similarity / 10_000).toFixed(4)}${sections ? `,${label(a)},${label(b)}` : ""}\n`;
  return [`one,other,lines,findings,similarity${sections ? ",one_group,other_group" : ""}\n`, ...links.map(row)];
}

/** Groups in the order in which a matrix shows them: those that are linked beside each other, the largest cluster first. */
export function ordered(links: Link[], most: number): number[] {
  const parent = new Map<number, number>();
  const top = (of: number): number => {
    let at = of;
    while ((parent.get(at) ?? at) !== at) at = parent.get(at)!;
    return at;
  };
  const weight = new Map<number, number>();
  for (const { a, b, lines } of links) {
    for (const one of [a, b]) {
      if (!weight.has(one)) {
        // As many as there is room for, by their strongest links.
        if (weight.size === most) continue;
        parent.set(one, one);
        weight.set(one, 0);
      }
      weight.set(one, weight.get(one)! + lines);
    }
    if (weight.has(a) && weight.has(b)) parent.set(top(b), top(a));
  }
  const clusters = new Map<number, number[]>();
  for (const one of weight.keys()) clusters.set(top(one), [...(clusters.get(top(one)) ?? []), one]);
  const heaviest = (x: number, y: number) => weight.get(y)! - weight.get(x)! || x - y;
  const sorted = [...clusters.values()].map((cluster) => cluster.sort(heaviest));
  return sorted.sort((x, y) => y.length - x.length || heaviest(x[0], y[0])).flat();
}
