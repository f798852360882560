// Decides on a finding: buttons, a comment, and what was said before.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { JUDGEMENTS, type Judgement } from "../data/decision";
import { useBook } from "../decisions/by-finding";
import { book } from "../decisions/store";
import { T } from "../text";
import { isTyping, modified } from "./keys";
import { visible } from "./visible";

/** What somebody said of a finding, in short. */
export function Mark({ mark }: { mark: number }) {
  if (mark === 0) return null;
  const judgement = JUDGEMENTS[mark - 1];
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

const standing = (subject: Subject | null) => (subject?.fingerprint ? book.standing.get(subject.fingerprint) : undefined);

/** Says something of a finding. */
async function say(subject: Subject, decision: Judgement, comment: string): Promise<void> {
  const fingerprint = subject.fingerprint ?? (await subject.find());
  await book.decide([{ fingerprint, place: subject.place, decision, comment }]);
}

/** Decides on `subject` when a key is pressed. */
export function useDecisionKeys(subject: Subject | null): void {
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      const decision = KEYS[event.key];
      if (!decision || !subject || modified(event) || isTyping(event)) return;
      event.preventDefault();
      void say(subject, decision, standing(subject)?.comment ?? "");
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

/** Who decides, where nobody has signed in. */
export function Signature() {
  useBook();
  if (book.signed) return <span class="muted">{T.decidesAs(visible(book.author))}</span>;
  return (
    <label class="field signature">
      {T.yourName}
      <input type="text" value={book.author} placeholder={T.somebody} maxLength={200} autocomplete="name" onChange={(event) => book.sign(event.currentTarget.value)} />
    </label>
  );
}

export function Decide({ subject, about }: { subject: Subject | null; about: string }) {
  useBook();
  const said = standing(subject);
  const [comment, setComment] = useState("");
  useEffect(() => setComment(said?.comment ?? ""), [subject?.place, said?.comment]);
  useDecisionKeys(subject);
  const decide = (decision: Judgement) => subject && void say(subject, decision, comment.trim());
  const changed = said && comment.trim() !== (said.comment ?? "");
  return (
    <div class="decide" role="group" aria-label={about}>
      <span class="decide-about">{about}</span>
      <span class="segmented">
        {JUDGEMENTS.map((judgement) => (
          <button
            key={judgement}
            type="button"
            class={`mark-${judgement}`}
            aria-pressed={said?.decision === judgement}
            title={T.judgementKey[judgement]}
            disabled={!subject}
            onClick={() => decide(said?.decision === judgement ? "open" : judgement)}
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
          if (event.key === "Enter" && changed) decide(said.decision);
        }}
      />
      {changed && <button type="button" class="quiet" onClick={() => decide(said.decision)}>{T.saveComment}</button>}
      <Signature />
      {said && <span class="muted decide-by">{T.decidedBy(visible(said.author), said.decided.slice(0, 10))}</span>}
      {book.error && <span class="bad" role="alert">{T.notKept(visible(book.error))}</span>}
    </div>
  );
}
