// Decisions as others write them: other files of them, results that hold what is accepted, and policies.

import { TomlDate, parse } from "smol-toml";
import { validated, fromDocument, type Decision } from "../data/decision";

/** Who brings it in, and when, where the text itself does not say. */
export interface Import {
  author: string;
  decided: string;
}

/** The decisions in a text; an error where there are none to be had. */
export function importDecisions(text: string, by: Import): Decision[] {
  if (!/^\s*\{/.test(text)) return fromPolicy(text, by);
  const document = JSON.parse(text) as Partial<Found>;
  return document.schema === "familiar.clones/1" || document.schema === "familiar.audit/1" ? fromResult(document as Found, by) : fromDocument(text);
}

/** The entries of a policy (`[[audit.accepted]]` in `familiar.toml`). */
function fromPolicy(text: string, { author }: Import): Decision[] {
  const { audit } = parse(text) as { audit?: { accepted?: unknown } };
  const accepted = audit?.accepted ?? [];
  if (!Array.isArray(accepted)) throw new Error("audit.accepted");
  return accepted.map((entry: { fingerprint?: unknown; reason?: unknown; date?: unknown }, at) => {
    const decided = entry.date instanceof TomlDate ? entry.date.toISOString() : entry.date;
    return sound({ fingerprint: entry.fingerprint, decided, author, decision: "accepted", comment: entry.reason }, at);
  });
}

interface Found {
  schema: string;
  fragments: { path: string; start_line: number }[];
  classes: { representative: number; members: number[]; fingerprint: string }[];
  pairs: { left: number; right: number; fingerprint: string }[];
}

/** Everything that a result holds, accepted: its classes and the pairs between them; of an audit its pairs. */
function fromResult({ schema, fragments, classes, pairs }: Found, { author, decided }: Import): Decision[] {
  const ofClasses = schema === "familiar.audit/1" ? [] : classes;
  const classOf = new Map(ofClasses.flatMap(({ members }, number) => members.map((member) => [member, number] as const)));
  const links = pairs.filter(({ left, right }) => !classOf.has(left) || classOf.get(left) !== classOf.get(right));
  const found = [...ofClasses.map(({ fingerprint, representative }) => [fingerprint, representative] as const), ...links.map(({ fingerprint, left }) => [fingerprint, left] as const)];
  return found.map(([fingerprint, fragment], at) => {
    const place = fragments[fragment];
    return sound({ fingerprint, decided, author, decision: "accepted", place: place && `${place.path}:${place.start_line}` }, at);
  });
}

function sound(value: unknown, at: number): Decision {
  const decision = validated(value);
  if (!decision) throw new Error(`decision ${at + 1}`);
  return decision;
}
