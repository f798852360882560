// The matches that a filter leaves, as files that other tools read.

import { field } from "../csv";
import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";

const HEADER = "type,coverage,similarity,path,start,end,matched_lines,blob,blob_path,blob_start,blob_end,project,projects,places,licenses,year\n";

/** Of a file, its matches, the best first. */
function matches(result: Result, kind: FindingKind, list: Uint32Array): number[] {
  if (kind === "pairs") return [...list];
  return [...list].flatMap((number) => {
    const [query, ...blobs] = result.members(number);
    return blobs.map((blob) => result.pairOf(query, blob));
  });
}

export function foundCsv(result: Result, kind: FindingKind, list: Uint32Array): string[] {
  const { found } = result;
  const { pairs } = result.tables;
  if (!found) return [];
  const fraction = (value: number) => (value / 10_000).toFixed(4);
  const row = (pair: number) => {
    const [query, blob] = [pairs.left[pair], pairs.right[pair]];
    const of = found.blob(blob);
    const { names, allProjects, places } = found.table.blobs;
    const fields = [
      ...[pairs.type[pair], fraction(found.table.pairs.coverage[pair]), fraction(pairs.similarity[pair])],
      ...[field(result.path(query)), ...result.lines(query), field(found.stretches(pair).map(([a, b, c, d]) => `${a}-${b}=${c}-${d}`).join(" "))],
      ...[names[of], field(result.path(blob)), ...result.lines(blob), field(found.project(blob)), allProjects[of], places[of]],
      ...[field(found.licenses(blob).map((license) => license || "NONE").join(" | ")), found.table.queries.year[query] || ""],
    ];
    return `${fields.join(",")}\n`;
  };
  return [HEADER, ...matches(result, kind, list).map(row)];
}

export function foundJson(result: Result, kind: FindingKind, list: Uint32Array): string[] {
  const { found } = result;
  const { pairs, head } = result.tables;
  if (!found) return [];
  const row = (pair: number) => {
    const [query, blob] = [pairs.left[pair], pairs.right[pair]];
    return {
      ...{ type: pairs.type[pair], coverage: found.table.pairs.coverage[pair] / 10_000, similarity: pairs.similarity[pair] / 10_000 },
      ...{ path: result.path(query), blob: found.table.blobs.names[found.blob(blob)], blob_path: result.path(blob), matched_lines: found.stretches(pair) },
      ...{ projects: found.projects(blob).map((project) => found.table.projects[project]), licenses: found.licenses(blob).map((license) => license || null) },
    };
  };
  const parts = [`{"tool":${JSON.stringify(head.tool)},"settings":${JSON.stringify(head.settings)},"matches":[\n`];
  matches(result, kind, list).forEach((pair, at) => parts.push(`${at > 0 ? ",\n" : ""}${JSON.stringify(row(pair))}`));
  parts.push("\n]}\n");
  return parts;
}
