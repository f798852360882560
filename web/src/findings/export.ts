// The findings that a filter leaves, as files that other tools read.

import { field } from "../csv";
import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";
import { AUDIT_HEADER, auditFields, auditFinding, auditFragment, auditPair } from "./audit-export";
import { foundCsv, foundJson } from "./found-export";

const HEADER = "type,similarity,left_path,left_start,left_end,left_name,right_path,right_start,right_end,right_name,language,fingerprint";

/** Pairs in the columns of `--format csv`; of classes, the pairs of the first member with each other one. */
export async function csv(result: Result, kind: FindingKind, list: Uint32Array): Promise<string[]> {
  if (result.found) return foundCsv(result, kind, list);
  const { pairs } = result.tables;
  const fingerprints = (await result.fingerprints()).pairs;
  const { audit } = result;
  const lines = [`${HEADER}${audit ? AUDIT_HEADER : ""}\n`];
  const decision = (left: number, right: number) => {
    const finding = result.classOf[left];
    return audit?.table.findings.origin[finding] === right ? audit.decision(finding) : "";
  };
  const side = (id: number) => {
    const [start, end] = result.lines(id);
    return `${field(result.path(id))},${start},${end},${field(result.name(id))}`;
  };
  const put = (pair: number) => {
    const [left, right] = [pairs.left[pair], pairs.right[pair]];
    const similarity = (pairs.similarity[pair] / 10_000).toFixed(4);
    const print = fingerprints.slice(pair * 32, pair * 32 + 32);
    lines.push(`${pairs.type[pair]},${similarity},${side(left)},${side(right)},${result.language(left)},${print}${audit ? auditFields(audit, pair, [left, right], decision(left, right)) : ""}\n`);
  };
  for (const number of list) {
    if (kind === "pairs") {
      put(number);
      continue;
    }
    const [first, ...others] = result.members(number);
    for (const other of others) {
      const pair = result.pairOf(first, other);
      if (pair >= 0) put(pair);
    }
  }
  return lines;
}

/** The same findings with names as keys. */
export async function json(result: Result, kind: FindingKind, list: Uint32Array): Promise<string[]> {
  if (result.found) return foundJson(result, kind, list);
  const { pairs, classes, head } = result.tables;
  const { audit } = result;
  const fingerprints = await result.fingerprints();
  const fragment = (id: number) => {
    const [start_line, end_line] = result.lines(id);
    return { path: result.path(id), language: result.language(id), kind: result.kind(id), name: result.name(id), start_line, end_line, ...(audit && auditFragment(audit, id)) };
  };
  const row = (number: number) =>
    kind === "pairs"
      ? {
          type: pairs.type[number],
          similarity: pairs.similarity[number] / 10_000,
          fingerprint: fingerprints.pairs.slice(number * 32, number * 32 + 32),
          left: fragment(pairs.left[number]),
          right: fragment(pairs.right[number]),
          ...(audit && auditPair(audit, number)),
        }
      : {
          rank: number + 1,
          type: classes.type[number],
          fingerprint: fingerprints.classes.slice(number * 32, number * 32 + 32),
          members: Array.from(result.members(number), fragment),
          ...(audit && auditFinding(audit, number)),
        };
  const parts = [`{"tool":${JSON.stringify(head.tool)},"settings":${JSON.stringify(head.settings)},"${kind}":[\n`];
  list.forEach((number, at) => parts.push(`${at > 0 ? ",\n" : ""}${JSON.stringify(row(number))}`));
  parts.push("\n]}\n");
  return parts;
}
