// Which findings of a report are decided, and how.

import { useEffect, useMemo, useState } from "preact/hooks";
import { JUDGEMENTS, type Decision } from "../data/decision";
import type { Fingerprints, FindingKind } from "../data/model";
import { NO_CLASS, type Result } from "../data/result";
import { book } from "./store";

/** For each class and pair: 0 where nothing is decided, otherwise the judgement's place in `JUDGEMENTS`, plus one. */
export interface Marks {
  classes: Uint8Array;
  pairs: Uint8Array;
  /** Where fingerprints stand, so that decisions lead to findings. */
  found: Map<string, { kind: FindingKind; number: number }>;
}

export function marks(result: Result, prints: Fingerprints, standing: Map<string, Decision>): Marks {
  const { classes, pairs } = result.tables;
  const found: Marks["found"] = new Map();
  const mark = (all: string, count: number, kind: FindingKind) => {
    const list = new Uint8Array(count);
    if (standing.size === 0) return list;
    for (let number = 0; number < count; number++) {
      const fingerprint = all.slice(number * 32, number * 32 + 32);
      const decision = standing.get(fingerprint);
      if (!decision) continue;
      list[number] = JUDGEMENTS.indexOf(decision.decision as (typeof JUDGEMENTS)[number]) + 1;
      if (!found.has(fingerprint)) found.set(fingerprint, { kind, number });
    }
    return list;
  };
  const ofClasses = mark(prints.classes, classes.type.length, "classes");
  const ofPairs = mark(prints.pairs, pairs.left.length, "pairs");
  // What holds for a class holds for its pairs, unless something else is said of one.
  if (standing.size > 0) {
    for (let pair = 0; pair < ofPairs.length; pair++) {
      if (ofPairs[pair] !== 0) continue;
      const number = result.commonClass(pairs.left[pair], pairs.right[pair]);
      if (number !== NO_CLASS) ofPairs[pair] = ofClasses[number];
    }
  }
  return { classes: ofClasses, pairs: ofPairs, found };
}

/** Draws anew when something is decided. */
export function useBook(): number {
  const [version, setVersion] = useState(book.version);
  useEffect(() => {
    setVersion(book.version);
    return book.listen(() => setVersion(book.version));
  }, []);
  return version;
}

/** The marks of a report as they are now; null where nothing is decided, or its fingerprints are still to come. */
export function useMarks(result: Result): Marks | null {
  const version = useBook();
  const needed = book.standing.size > 0;
  const prints = useFingerprints(result, needed);
  return useMemo(() => (needed && prints ? marks(result, prints, book.standing) : null), [result, prints, version]);
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
