// What exports of an audit's findings have beside the columns of clones; the names are those of `familiar audit --format csv`.

import { field } from "../csv";
import type { Audit } from "../data/audit/audit";

export const AUDIT_HEADER = ",right_project,left_license,left_license_by,right_license,right_license_by,older,verdict,attribution,laundering,own,decision";

/** The further fields of a pair; `decision` where it stands for a finding. */
export function auditFields(audit: Audit, pair: number, [left, right]: [number, number], decision: string): string {
  const license = (id: number) => `${field(audit.license(id) || "NONE")},${field(audit.licenseBy(id))}`;
  const fields = [audit.older(pair), audit.worseOfPair(pair), audit.grade(pair), audit.isLaundering(pair), audit.isOwn(pair), decision];
  return `,${field(audit.project(right))},${license(left)},${license(right)},${fields.map((one) => field(String(one))).join(",")}`;
}

/** What is said of a fragment, a pair and a finding, by name. */
export const auditFragment = (audit: Audit, id: number) => ({ project: audit.project(id), license: audit.license(id) || null, license_by: audit.licenseBy(id) });

export const auditPair = (audit: Audit, pair: number) => ({
  verdict: audit.worseOfPair(pair),
  into_path: audit.verdictOfPair(pair),
  older: audit.older(pair),
  attribution: audit.grade(pair),
  laundering: audit.isLaundering(pair),
  own: audit.isOwn(pair),
});

export const auditFinding = (audit: Audit, finding: number) => ({ verdict: audit.verdict(finding), decision: audit.decision(finding) });
