// Which findings of a report are decided, and how.

import { useEffect, useMemo, useState } from "preact/hooks";
import { JUDGEMENTS, type Decision } from "../data/decision";
import type { Fingerprints, FindingKind } from "../data/model";
import { NO_CLASS, type Result } from "../data/result";
import { decisionStore } from "./store";

/** For each class and pair: 0 where nothing is decided, otherwise the judgement's place in `JUDGEMENTS`, plus one. */
export interface FindingDecisions {
  classes: Uint8Array;
  pairs: Uint8Array;
  /** Where fingerprints stand, so that decisions lead to findings. */
  findings: Map<string, { kind: FindingKind; number: number }>;
}

export function decisionsByFinding(result: Result, prints: Fingerprints, latest: Map<string, Decision>): FindingDecisions {
  const { classes, pairs } = result.tables;
  const findings: FindingDecisions["findings"] = new Map();
  const numbered = (all: string, count: number, kind: FindingKind) => {
    const list = new Uint8Array(count);
    if (latest.size === 0) return list;
    for (let number = 0; number < count; number++) {
      const fingerprint = all.slice(number * 32, number * 32 + 32);
      const decision = latest.get(fingerprint);
      if (!decision) continue;
      list[number] = JUDGEMENTS.indexOf(decision.decision as (typeof JUDGEMENTS)[number]) + 1;
      if (!findings.has(fingerprint)) findings.set(fingerprint, { kind, number });
    }
    return list;
  };
  const ofClasses = numbered(prints.classes, classes.type.length, "classes");
  const ofPairs = numbered(prints.pairs, pairs.left.length, "pairs");
  // What holds for a class holds for its pairs, unless something else is said of one.
  if (latest.size > 0) {
    for (let pair = 0; pair < ofPairs.length; pair++) {
      if (ofPairs[pair] !== 0) continue;
      const number = result.commonClass(pairs.left[pair], pairs.right[pair]);
      if (number !== NO_CLASS) ofPairs[pair] = ofClasses[number];
    }
  }
  return { classes: ofClasses, pairs: ofPairs, findings };
}

/** Draws anew when something is decided. */
export function useDecisionStore(): number {
  const [version, setVersion] = useState(decisionStore.version);
  useEffect(() => {
    setVersion(decisionStore.version);
    return decisionStore.listen(() => setVersion(decisionStore.version));
  }, []);
  return version;
}

/** The marks of a report as they are now; null where nothing is decided, or its fingerprints are still to come. */
export function useFindingDecisions(result: Result): FindingDecisions | null {
  const version = useDecisionStore();
  const needed = decisionStore.latest.size > 0;
  const prints = useFingerprints(result, needed);
  return useMemo(() => (needed && prints ? decisionsByFinding(result, prints, decisionStore.latest) : null), [result, prints, version]);
}

/** A report's fingerprints, where they are needed and there. */
export function useFingerprints(result: Result, needed = true): Fingerprints | null {
  const [prints, setPrints] = useState<Fingerprints | null>(null);
  useEffect(() => {
    let current = true;
    if (needed) void result.fingerprints().then((loaded) => current && setPrints(loaded), () => {});
    return () => {
      current = false;
    };
  }, [result, needed]);
  return prints;
}
