// What an audit came to: in a sentence, in figures, and in a row of a table.

import { VERDICTS } from "../../data/audit/audit";
import { VerdictBadge } from "../../parts/verdict";
import { A } from "../../text";
import type { ResultRow } from "../model";
import { number } from "../text";

type Verdicts = NonNullable<ResultRow["verdicts"]>;

/** The verdicts that an audit gave, the most serious first; conflicts even where there are none. */
const given = ({ by_verdict }: Verdicts) => VERDICTS.filter((verdict) => verdict === "conflict" || (by_verdict[verdict] ?? 0) > 0);

/** The sentence that an audit's result opens with, and whether something is denied. */
export function outcomeOf({ by_verdict, by_decision }: Verdicts): { what: string; isBad: boolean } {
  const foreign = Object.values(by_verdict).reduce((sum, count) => sum + count, 0);
  const denied = by_decision["denied"] ?? 0;
  return { what: A.outcome(denied, by_decision["open"] ?? 0, foreign).what, isBad: denied > 0 };
}

export function OutcomeFigures({ verdicts }: { verdicts: Verdicts }) {
  return (
    <section class="figures verdict-figures">
      {given(verdicts).map((verdict) => (
        <div key={verdict} class={`figure fill-${verdict}`}>
          <span class="value">{number(verdicts.by_verdict[verdict] ?? 0)}</span>
          <span class="what">{A.verdicts[verdict]}</span>
          <span class="muted">{A.verdictWhat[verdict]}</span>
        </div>
      ))}
    </section>
  );
}

export function OutcomeCell({ verdicts }: { verdicts: Verdicts }) {
  return (
    <span class="outcome-cell" title={outcomeOf(verdicts).what}>
      {given(verdicts).filter((verdict) => (verdicts.by_verdict[verdict] ?? 0) > 0).map((verdict) => (
        <span key={verdict} class="nowrap">{number(verdicts.by_verdict[verdict])} <VerdictBadge verdict={verdict} /></span>
      ))}
      {given(verdicts).every((verdict) => !verdicts.by_verdict[verdict]) && <span class="muted">{A.outcomeNone}</span>}
    </span>
  );
}
