// Evidence without names: what may say one is left out, projects get the names that the report gives them.

import type { AuditTable, EvidencePack, FindingPack } from "../data/audit/model";

export const withoutNames = (table: AuditTable): AuditTable => ({ ...table, against: [] });

export function evidenceWithoutNames(pack: EvidencePack, names: Map<string, string>, otherwise: string): EvidencePack {
  const layers = pack.layers.map((list) => list.map(({ layer, expression }) => ({ layer, expression, evidence: "" })));
  const places = pack.places.map((list) =>
    list.map(({ project, path, first_line, first_seen, last_seen, evidence, license, base }) => ({
      ...{ project: names.get(project) ?? otherwise, path, first_line, first_seen, last_seen, evidence, revision: null },
      ...(license !== undefined && { license }),
      ...(base !== undefined && { base }),
    })),
  );
  return { layers, places, texts: pack.texts.map(() => []), fragments: pack.fragments };
}

/** Duties and rules follow from licenses and name nobody; everything else may. */
export function findingsWithoutNames(pack: FindingPack): FindingPack {
  const spoken = new Set(pack.findings.flatMap((finding) => [finding.duties, ...finding.pairs.map((pair) => pair.duties)]));
  const texts = pack.texts.map((list, at) => (spoken.has(at) ? list : []));
  const findings = pack.findings.map((finding) => ({ ...finding, reason: "", origin_reason: "" }));
  return { texts, rules: pack.rules, findings };
}
