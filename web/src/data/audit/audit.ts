// An audit as views ask for it: words instead of numbers, and evidence on demand.

import type { ReportData, Tables } from "../model";
import type { AuditTable, Evidence, EvidencePack, FindingPack, FindingText, PairText } from "./model";

/** Packs of each kind that stay in memory. */
const KEPT = 40;

/** The verdicts, the most serious first, and what policy makes of them. */
export const VERDICTS = ["conflict", "unknown", "contested", "compatible", "same"] as const;
export const DECISIONS = ["denied", "open", "allowed", "accepted", "own"] as const;

export class Audit {
  readonly table: AuditTable;
  private readonly tables: Tables;
  private readonly data: ReportData;
  private readonly evidences = new Map<number, Promise<EvidencePack>>();
  private readonly texts = new Map<number, Promise<FindingPack>>();

  constructor(tables: Tables, table: AuditTable, data: ReportData) {
    this.tables = tables;
    this.table = table;
    this.data = data;
  }

  private word(at: number): string {
    return this.table.words[at] ?? "";
  }

  verdict(finding: number): string {
    return this.word(this.table.findings.status[finding]);
  }

  decision(finding: number): string {
    return this.word(this.table.findings.decision[finding]);
  }

  /** In the direction into PATH, unless the code is known to have gone out of it. */
  verdictOfPair(pair: number): string {
    return this.word(this.table.pairs.into[pair]);
  }

  /** The verdict as exports say it. Results of older Familiars gave the worse of both directions here. */
  worseOfPair(pair: number): string {
    return this.word(this.table.pairs.status[pair]);
  }

  /** `left`, `right` or `unknown`. */
  older(pair: number): string {
    return this.word(this.table.pairs.older[pair]);
  }

  grade(pair: number): string {
    return this.word(this.table.pairs.grade[pair]);
  }

  isLaundering(pair: number): boolean {
    return this.table.pairs.laundering[pair] === 1;
  }

  isOwn(pair: number): boolean {
    return this.table.pairs.own[pair] === 1;
  }

  /** The license of a fragment; empty where none is known. */
  license(fragment: number): string {
    const license = this.table.fragments.license[fragment];
    return license > 0 ? this.word(license - 1) : "";
  }

  licenseBy(fragment: number): string {
    return this.word(this.table.fragments.licenseBy[fragment]);
  }

  root(fragment: number): number {
    return this.table.roots[this.tables.fragments.file[fragment]];
  }

  /** The name of the tree or project that a fragment is in. */
  project(fragment: number): string {
    return this.tables.head.settings.roots[this.root(fragment)] ?? "";
  }

  /** Whether a fragment is PATH's. */
  isHere(fragment: number): boolean {
    return this.root(fragment) < (this.tables.head.audited ?? 0);
  }

  async evidence(fragment: number): Promise<Evidence> {
    const { evidence } = this.table.packs;
    const number = packOf(evidence, fragment);
    const pack = await kept(this.evidences, number, () => this.data.evidence(number));
    return unpackedEvidence(pack, fragment - evidence[number]);
  }

  async text(finding: number): Promise<FindingText> {
    const { findings } = this.table.packs;
    const number = packOf(findings, finding);
    const pack = await kept(this.texts, number, () => this.data.findings(number));
    return unpackedFinding(pack, finding - findings[number]);
  }
}

/** The number of the pack that holds `at`, by the first of each. */
export function packOf(firsts: number[], at: number): number {
  let [from, to] = [0, firsts.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (firsts[middle] <= at) from = middle;
    else to = middle;
  }
  return from;
}

function kept<P>(packs: Map<number, Promise<P>>, number: number, load: () => Promise<P>): Promise<P> {
  const before = packs.get(number);
  packs.delete(number);
  const pack = before ?? load();
  if (!before) pack.catch(() => packs.delete(number));
  packs.set(number, pack);
  for (const old of packs.keys()) {
    if (packs.size <= KEPT) break;
    packs.delete(old);
  }
  return pack;
}

function unpackedEvidence(pack: EvidencePack, at: number): Evidence {
  const [layers, places, copyrights, disagreements] = pack.fragments[at];
  return { layers: pack.layers[layers], places: pack.places[places], copyrights: pack.texts[copyrights], disagreements: pack.texts[disagreements] };
}

function unpackedFinding({ texts, rules, findings }: FindingPack, at: number): FindingText {
  const found = findings[at];
  const pairs = found.pairs.map(
    (pair): PairText => ({
      right: pair.right,
      direction: texts[pair.direction],
      since: pair.since ?? null,
      leftToRight: pair.left_to_right ?? null,
      rightToLeft: pair.right_to_left ?? null,
      apprentice: pair.apprentice ?? null,
      duties: texts[pair.duties],
      rules: rules[pair.rules],
      attribution: texts[pair.attribution],
      laundering: texts[pair.laundering],
    }),
  );
  const { reason, origin_reason: originReason, fingerprint, places, projects } = found;
  return { reason, originReason, fingerprint, places, projects, advice: texts[found.advice], duties: texts[found.duties], rules: rules[found.rules], pairs };
}
