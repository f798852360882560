// Small parts that the views of an audit share.

import { useEffect, useState } from "preact/hooks";
import { visible } from "../parts/visible";
import { A } from "../text";
import type { Place } from "./model";

export function VerdictBadge({ verdict }: { verdict: string }) {
  return (
    <span class={`verdict verdict-${verdict}`} title={A.verdictWhat[verdict]}>
      {A.verdicts[verdict] ?? visible(verdict)}
    </span>
  );
}

export function DecisionBadge({ decision }: { decision: string }) {
  return (
    <span class={`decision decision-${decision}`} title={A.decisionWhat[decision]}>
      {A.decisions[decision] ?? visible(decision)}
    </span>
  );
}

export const licenseText = (license: string) => (license === "" || license === "NONE" ? A.noLicense : visible(license));

/** The day of a time, or that there is none. */
export const day = (time: string | null | undefined) => (time ? visible(time.slice(0, 10)) : A.unknownTime);

/** From when until when a place is known to have had it. */
export const seen = (place: Place, isHere = false) =>
  `${day(place.first_seen)}${place.last_seen ? ` – ${day(place.last_seen)}` : isHere ? ` – ${A.stillThere}` : ""}`;

export const evidenceText = (evidence: string) => A.evidence[evidence] ?? visible(evidence);

/** What a promise gives; undefined until it does, null where it fails. */
export function useLoaded<V>(load: () => Promise<V>, keys: readonly unknown[]): V | null | undefined {
  const [loaded, setLoaded] = useState<{ keys: readonly unknown[]; value: V | null }>();
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setLoaded({ keys, value }),
      () => current && setLoaded({ keys, value: null }),
    );
    return () => {
      current = false;
    };
  }, keys);
  return loaded && loaded.keys.every((key, at) => key === keys[at]) ? loaded.value : undefined;
}

/** A list that shows some rows until more is asked for. */
export function useShown(first: number): [number, () => void] {
  const [shown, setShown] = useState(first);
  return [shown, () => setShown((before) => before + 500)];
}
