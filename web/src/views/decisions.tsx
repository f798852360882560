// What was decided, of this report and of others: a list, and the way out to files and back.

import { useMemo, useRef, useState } from "preact/hooks";
import { JUDGEMENTS, toPolicy, toDocument, type Decision } from "../data/decision";
import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";
import { useDecisionStore, useFindingDecisions } from "../decisions/by-finding";
import { decisionStore } from "../decisions/store";
import { download } from "../download";
import { JudgementBadge, Signature } from "../parts/decide";
import { Name } from "../parts/labels";
import { visible } from "../parts/visible";
import { compareAddress, findingsAddress } from "../router";
import { T, number } from "../text";
import { sidesOf } from "./findings";

/** Rows that are shown at once. */
const SHOWN = 200;

export function Decisions({ result }: { result: Result }) {
  const version = useDecisionStore();
  const decisions = useFindingDecisions(result);
  const [shown, setShown] = useState(SHOWN);
  const [taken, setTaken] = useState<number | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const list = useMemo(() => [...decisionStore.latest.values()].sort((a, b) => (a.decided < b.decided ? 1 : a.decided > b.decided ? -1 : 0)), [version]);
  const counts = useMemo(() => {
    const counted = new Array<number>(JUDGEMENTS.length + 1).fill(0);
    decisions?.classes.forEach((mark) => counted[mark]++);
    if (!decisions) counted[0] = result.tables.classes.type.length;
    return counted;
  }, [decisions]);
  const importFiles = async (files: FileList | null) => {
    let sum = 0;
    for (const one of files ?? []) sum += await decisionStore.importFile(await one.text());
    setTaken(sum);
    if (file.current) file.current.value = "";
  };
  return (
    <div class="decisions">
      <section class="figures">
        <Figure value={counts[0]} what={T.undecided} href={findingsAddress(new URLSearchParams({ decision: "undecided" }))} />
        {JUDGEMENTS.map((judgement, at) => (
          <Figure key={judgement} value={counts[at + 1]} what={T.judgementOf[judgement]} href={findingsAddress(new URLSearchParams({ decision: judgement }))} />
        ))}
      </section>
      <div class="decisions-bar">
        <Signature />
        <span class="spacer" />
        <button class="quiet" disabled={list.length === 0} onClick={() => download([toDocument(decisionStore.all)], "decisions.json", "application/json")} title={T.saveDecisionsWhat}>{T.saveDecisions}</button>
        <button class="quiet" disabled={list.length === 0} onClick={() => download([toPolicy(decisionStore.all)], "accepted.toml", "application/toml")} title={T.savePolicyWhat}>{T.savePolicy}</button>
        <button class="quiet" onClick={() => file.current?.click()} title={T.takeOverWhat}>{T.takeOver}</button>
        <input ref={file} type="file" hidden multiple accept=".json,.toml" aria-label={T.takeOver} onChange={(event) => void importFiles(event.currentTarget.files)} />
      </div>
      <p class="muted" role="status">
        {taken !== null && !decisionStore.error && `${T.takenOver(taken)} `}
        {decisionStore.isOnServer ? T.keptOnServer : T.keptHere}
      </p>
      {decisionStore.error && <p class="bad" role="alert">{T.notKept(visible(decisionStore.error))}</p>}
      {list.length === 0 ? (
        <p class="notice">{T.noDecisions}</p>
      ) : (
        <table class="plain decisions-list">
          <caption>{T.decisionsList}</caption>
          <thead>
            <tr>{[T.decisionWhat, T.decisionFinding, T.comment, T.decisionWho, T.decisionWhen].map((name) => <th scope="col" key={name}>{name}</th>)}</tr>
          </thead>
          <tbody>
            {list.slice(0, shown).map((decision) => (
              <tr key={decision.fingerprint}>
                <td><JudgementBadge at={JUDGEMENTS.indexOf(decision.decision as (typeof JUDGEMENTS)[number]) + 1} /></td>
                <td><Finding result={result} decision={decision} finding={decisions?.findings.get(decision.fingerprint)} /></td>
                <td class="comment">{visible(decision.comment ?? "")}</td>
                <td>{visible(decision.author)}</td>
                <td class="nowrap">{decision.decided.slice(0, 10)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.length > shown && <button class="quiet" onClick={() => setShown(shown + 1000)}>{T.more(list.length - shown)}</button>}
    </div>
  );
}

function Figure({ value, what, href }: { value: number; what: string; href: string }) {
  return (
    <a class="figure" href={href}>
      <span class="value">{number(value)}</span>
      <span class="what">{what}</span>
    </a>
  );
}

function Finding({ result, decision, finding }: { result: Result; decision: Decision; finding: { kind: FindingKind; number: number } | undefined }) {
  if (!finding) return <span class="muted">{decision.place ? visible(decision.place) : decision.fingerprint.slice(0, 12)} · {T.notInReport}</span>;
  const [left, right] = sidesOf(result, finding.kind, finding.number);
  return (
    <a href={compareAddress(left, right)}>
      <Name result={result} fragment={left} /> <span class="muted">{visible(T.range(result.path(left), ...result.lines(left)))}</span>
    </a>
  );
}
