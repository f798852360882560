// What people say of findings, as `familiar.decisions/1` has it.

export const JUDGEMENTS = ["accepted", "false-positive", "needs-action"] as const;
/** `open` takes back what was said. */
export type Judgement = (typeof JUDGEMENTS)[number] | "open";

export interface Decision {
  fingerprint: string;
  /** In UTC, as 2026-01-31T12:00:00Z. */
  decided: string;
  author: string;
  decision: Judgement;
  comment?: string;
  place?: string;
}

/** What is decided now: who and when is added. */
export type NewDecision = Pick<Decision, "fingerprint" | "decision"> & { comment: string; place: string };

export const SCHEMA = "familiar.decisions/1";
const MOST_COMMENT = 4_000;

/** A decision that a file or a server gave; null where it is none. */
export function validated(value: unknown): Decision | null {
  if (typeof value !== "object" || value === null) return null;
  const { fingerprint, decided, author, decision, comment, place } = value as Record<string, unknown>;
  if (typeof fingerprint !== "string" || !/^[0-9a-f]{32}$/i.test(fingerprint)) return null;
  if (typeof decided !== "string" || Number.isNaN(Date.parse(decided))) return null;
  if (typeof author !== "string" || !author.trim()) return null;
  const known = [...JUDGEMENTS, "open" as const].find((judgement) => judgement === decision);
  if (!known) return null;
  return {
    fingerprint: fingerprint.toLowerCase(),
    decided: `${new Date(decided).toISOString().slice(0, 19)}Z`,
    author: author.slice(0, 200),
    decision: known,
    ...(typeof comment === "string" && comment ? { comment: comment.slice(0, MOST_COMMENT) } : {}),
    ...(typeof place === "string" && place ? { place: place.slice(0, 1_000) } : {}),
  };
}

/** The decisions in a document; an error where it is none. */
export function fromDocument(text: string): Decision[] {
  const document = JSON.parse(text) as { schema?: unknown; decisions?: unknown };
  if (document.schema !== SCHEMA || !Array.isArray(document.decisions)) throw new Error(`no ${SCHEMA}`);
  return document.decisions.map((value, at) => {
    const decision = validated(value);
    if (!decision) throw new Error(`decision ${at + 1}`);
    return decision;
  });
}

const order = (a: Decision, b: Decision) =>
  compare(a.fingerprint, b.fingerprint) || compare(a.decided, b.decided) || compare(a.author, b.author) || compare(a.decision, b.decision);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** All of them, each once, by fingerprint and time. */
export function merge(...lists: Decision[][]): Decision[] {
  const all = new Map(lists.flat().map((decision) => [JSON.stringify(decision), decision]));
  return [...all.values()].sort(order);
}

/** The newest of each finding, without those that take back what was said. */
export function latestDecisions(all: Decision[]): Map<string, Decision> {
  const newest = new Map<string, Decision>();
  for (const decision of [...all].sort(order)) newest.set(decision.fingerprint, decision);
  for (const [fingerprint, { decision }] of newest) if (decision === "open") newest.delete(fingerprint);
  return newest;
}

/** The document as a file. */
export function toDocument(all: Decision[]): string {
  return `${JSON.stringify({ schema: SCHEMA, decisions: merge(all) }, null, 2)}\n`;
}

/** What is settled as entries of a policy, for `familiar.toml`. */
export function toPolicy(all: Decision[]): string {
  const settled = [...latestDecisions(all).values()].filter(({ decision }) => decision !== "needs-action").sort(order);
  return settled
    .map(({ fingerprint, decision, comment, author, decided }) => {
      const why = comment || (decision === "false-positive" ? "no copy" : "accepted");
      const by = ` (${author})`;
      const room = MOST_COMMENT - by.length;
      const reason = (why.length > room ? `${why.slice(0, room - 1)}…` : why) + by;
      return `[[audit.accepted]]\nfingerprint = "${fingerprint}"\nreason = ${toml(reason)}\ndate = ${decided.slice(0, 10)}\n`;
    })
    .join("\n");
}

/** A basic string of TOML, on one line. */
function toml(text: string): string {
  // JSON's escapes are TOML's, but for what JSON lets stand.
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
