// Which findings of an audit are shown: by verdict, policy's decision, the licenses of both sides, and whose the other side is.

import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";

/** Each empty for all. */
export interface AuditFilter {
  verdict: string;
  /** A decision, or `others` for all but the project's own code. */
  policy: string;
  /** The license here, and that of the other side; `NONE` where none is known. */
  here: string;
  license: string;
  project: string;
}

export const ALL: AuditFilter = { verdict: "", policy: "", here: "", license: "", project: "" };

const KEYS = ["verdict", "policy", "here", "license", "project"] as const;

export function toAuditParams(filter: AuditFilter, params: URLSearchParams): void {
  for (const key of KEYS) if (filter[key]) params.set(key, filter[key]);
}

export function fromAuditParams(params: URLSearchParams): AuditFilter {
  return Object.fromEntries(KEYS.map((key) => [key, params.get(key) ?? ""])) as unknown as AuditFilter;
}

/** Whether a finding passes, by its number; null where all do. */
export function auditPasses(result: Result, kind: FindingKind, filter: AuditFilter): ((number: number) => boolean) | null {
  const { audit } = result;
  if (!audit || KEYS.every((key) => filter[key] === "")) return null;
  const { pairs } = result.tables;
  const isUnder = (fragment: number, license: string) => license === "" || (audit.license(fragment) || "NONE") === license;
  const isOf = (fragment: number) => filter.project === "" || audit.project(fragment) === filter.project;
  if (kind === "classes") {
    const decided = (number: number) =>
      filter.policy === "" || (filter.policy === "others" ? audit.decision(number) !== "own" : audit.decision(number) === filter.policy);
    return (number) => {
      const [first, ...others] = result.members(number);
      return (
        (filter.verdict === "" || audit.verdict(number) === filter.verdict) &&
        decided(number) &&
        isUnder(first, filter.here) &&
        isUnder(audit.table.findings.origin[number], filter.license) &&
        (filter.project === "" || others.some(isOf))
      );
    };
  }
  // Policy decides on findings; of pairs there is only whether both sides are one project's.
  const decided = (pair: number) => {
    if (filter.policy === "") return true;
    if (filter.policy === "others" || filter.policy === "own") return audit.isOwn(pair) === (filter.policy === "own");
    return audit.decision(result.classOf[pairs.left[pair]]) === filter.policy;
  };
  return (pair) =>
    (filter.verdict === "" || audit.verdictOfPair(pair) === filter.verdict) &&
    decided(pair) &&
    isUnder(pairs.left[pair], filter.here) &&
    isUnder(pairs.right[pair], filter.license) &&
    isOf(pairs.right[pair]);
}

/** What filters may ask for, as far as findings have it. */
export interface Choices {
  verdicts: string[];
  decisions: string[];
  here: string[];
  licenses: string[];
  projects: string[];
}

export function choices(result: Result): Choices {
  const { audit } = result;
  const { classes, pairs } = result.tables;
  const none: Choices = { verdicts: [], decisions: [], here: [], licenses: [], projects: [] };
  if (!audit) return none;
  const sets = { verdicts: new Set<string>(), decisions: new Set<string>(), here: new Set<string>(), licenses: new Set<string>(), projects: new Set<string>() };
  for (let number = 0; number < classes.type.length; number++) {
    sets.verdicts.add(audit.verdict(number));
    sets.decisions.add(audit.decision(number));
    sets.here.add(audit.license(result.members(number)[0]) || "NONE");
  }
  for (let pair = 0; pair < pairs.left.length; pair++) {
    sets.licenses.add(audit.license(pairs.right[pair]) || "NONE");
    sets.projects.add(audit.project(pairs.right[pair]));
  }
  const sorted = (set: Set<string>) => [...set].sort();
  return {
    verdicts: sorted(sets.verdicts),
    decisions: sorted(sets.decisions),
    here: sorted(sets.here),
    licenses: sorted(sets.licenses),
    projects: sorted(sets.projects),
  };
}
