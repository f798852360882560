// Decides on a finding: buttons, a comment, and what was said before.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { JUDGEMENTS, type Judgement } from "../data/decision";
import { useDecisionStore } from "../decisions/by-finding";
import { decisionStore } from "../decisions/store";
import { T } from "../text";
import { isTyping, hasModifier } from "./keys";
import { visible } from "./visible";

/** A judgement in short, by its place in `JUDGEMENTS` plus one; nothing for 0. */
export function JudgementBadge({ at }: { at: number }) {
  if (at === 0) return null;
  const judgement = JUDGEMENTS[at - 1];
  return <span class={`mark mark-${judgement}`} title={T.judgement[judgement]}>{T.judgementShort[judgement]}</span>;
}

/** The keys that decide. */
const KEYS: Record<string, Judgement> = { a: "accepted", f: "false-positive", n: "needs-action", u: "open" };

export interface Subject {
  /** Null until it is needed: the fingerprints of a large report take megabytes. */
  fingerprint: string | null;
  find: () => Promise<string>;
  /** Where it is, for people. */
  place: string;
}

const latestOf = (subject: Subject | null) => (subject?.fingerprint ? decisionStore.latest.get(subject.fingerprint) : undefined);

/** Decides on a finding. */
async function decideOn(subject: Subject, decision: Judgement, comment: string): Promise<void> {
  const fingerprint = subject.fingerprint ?? (await subject.find());
  await decisionStore.decide([{ fingerprint, place: subject.place, decision, comment }]);
}

/** Decides on `subject` when a key is pressed. */
export function useDecisionKeys(subject: Subject | null): void {
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      const decision = KEYS[event.key];
      if (!decision || !subject || hasModifier(event) || isTyping(event)) return;
      event.preventDefault();
      void decideOn(subject, decision, latestOf(subject)?.comment ?? "");
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

/** Who decides, where nobody has signed in. */
export function Signature() {
  useDecisionStore();
  if (decisionStore.isSignedIn) return <span class="muted">{T.decidesAs(visible(decisionStore.author))}</span>;
  return (
    <label class="field signature">
      {T.yourName}
      <input type="text" value={decisionStore.author} placeholder={T.somebody} maxLength={200} autocomplete="name" onChange={(event) => decisionStore.setAuthor(event.currentTarget.value)} />
    </label>
  );
}

export function Decide({ subject, about }: { subject: Subject | null; about: string }) {
  useDecisionStore();
  const latest = latestOf(subject);
  const [comment, setComment] = useState("");
  useEffect(() => setComment(latest?.comment ?? ""), [subject?.place, latest?.comment]);
  useDecisionKeys(subject);
  const decide = (decision: Judgement) => subject && void decideOn(subject, decision, comment.trim());
  const changed = latest && comment.trim() !== (latest.comment ?? "");
  return (
    <div class="decide" role="group" aria-label={about}>
      <span class="decide-about">{about}</span>
      <span class="segmented">
        {JUDGEMENTS.map((judgement) => (
          <button
            key={judgement}
            type="button"
            class={`mark-${judgement}`}
            aria-pressed={latest?.decision === judgement}
            title={T.judgementKey[judgement]}
            disabled={!subject}
            onClick={() => decide(latest?.decision === judgement ? "open" : judgement)}
          >
            {T.judgement[judgement]}
          </button>
        ))}
      </span>
      <input
        class="decide-comment"
        type="text"
        value={comment}
        maxLength={4000}
        placeholder={T.comment}
        aria-label={T.comment}
        onInput={(event) => setComment(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && changed) decide(latest.decision);
        }}
      />
      {changed && <button type="button" class="quiet" onClick={() => decide(latest.decision)}>{T.saveComment}</button>}
      <Signature />
      {latest && <span class="muted decide-by">{T.decidedBy(visible(latest.author), latest.decided.slice(0, 10))}</span>}
      {decisionStore.error && <span class="bad" role="alert">{T.notKept(visible(decisionStore.error))}</span>}
    </div>
  );
}
