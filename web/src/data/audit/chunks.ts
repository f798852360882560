// The chunk of an audit (docs/formats/report.md), unpacked.

import { fill, fillRising } from "../columns";
import type { AuditTable } from "./model";

export interface RawAudit extends Pick<AuditTable, "disclaimer" | "against" | "summary" | "table" | "words"> {
  roots: string;
  fragments: { license: string; license_by: string };
  findings: { origin: string; origin_known: string; status: string; decision: string; year: string };
  pairs: { status: string; into: string; older: string; grade: string; laundering: string; own: string };
  packs: { evidence: string; findings: string };
}

interface Counts {
  files: number;
  fragments: number;
  classes: number;
  pairs: number;
}

export function auditTable(raw: RawAudit, counts: Counts): AuditTable {
  const { disclaimer, against, summary, table, words, fragments, findings, pairs, packs } = raw;
  const filled = <C extends { [at: number]: number }>(into: C, text: string): C => (fill(into, text), into);
  const bytes = (count: number, text: string) => filled(new Uint8Array(count), text);
  const numbers = (count: number, text: string) => filled(new Uint32Array(count), text);
  const rises = (text: string) => {
    const list: number[] = [];
    fillRising(list, text);
    return list;
  };
  return {
    ...{ disclaimer, against, summary, table, words },
    roots: numbers(counts.files, raw.roots),
    fragments: { license: numbers(counts.fragments, fragments.license), licenseBy: numbers(counts.fragments, fragments.license_by) },
    findings: {
      origin: numbers(counts.classes, findings.origin),
      originKnown: bytes(counts.classes, findings.origin_known),
      status: numbers(counts.classes, findings.status),
      decision: numbers(counts.classes, findings.decision),
      year: filled(new Uint16Array(counts.classes), findings.year),
    },
    pairs: {
      status: numbers(counts.pairs, pairs.status),
      into: numbers(counts.pairs, pairs.into),
      older: numbers(counts.pairs, pairs.older),
      grade: numbers(counts.pairs, pairs.grade),
      laundering: bytes(counts.pairs, pairs.laundering),
      own: bytes(counts.pairs, pairs.own),
    },
    packs: { evidence: rises(packs.evidence), findings: rises(packs.findings) },
  };
}
