// What a comparison of a file with a blob has: the way from blob to blob, and from stretch to stretch.

import { useLayoutEffect } from "preact/hooks";
import type { Span } from "../compare/align";
import type { Found } from "../data/found/found";
import { NO_CLASS, type Result } from "../data/result";
import { isTyping, hasModifier } from "../parts/keys";
import { compareAddress, go } from "../router";
import { F, similarity } from "../text";

/** How much of the file the blob has, and how alike that is. */
export function matchSummary(result: Result, found: Found, pair: number): string {
  if (pair < 0) return "";
  const alike = result.tables.pairs.similarity[pair];
  const parts = [F.coverageOf(similarity(found.table.pairs.coverage[pair])), alike < 10_000 && F.alike(similarity(alike)), found.table.pairs.isVersion[pair] === 1 && F.version];
  return parts.map((one) => (one ? ` · ${one}` : "")).join("");
}

export function blobOption(result: Result, found: Found, [query, blob]: [number, number], at: number, all: number, place: string): string {
  const pair = result.pairOf(query, blob);
  return F.member(at, all, pair < 0 ? "" : similarity(found.table.pairs.coverage[pair]), place);
}

interface StepProperties {
  members: number[];
  id: number;
  choose: (id: number) => void;
}

/** The blob before and the one after, as they are ranked. */
export function BlobSteps({ members, id, choose }: StepProperties) {
  const at = members.indexOf(id);
  return (
    <span class="blob-steps">
      <button class="quiet" aria-label={F.previousBlob} title={F.previousBlob} disabled={at <= 0} onClick={() => choose(members[at - 1])}>←</button>
      <button class="quiet" aria-label={F.nextBlob} title={F.nextBlob} disabled={at + 1 >= members.length} onClick={() => choose(members[at + 1])}>→</button>
    </span>
  );
}

/** h and l go from blob to blob of one file. */
export function useBlobKeys(result: Result, query: number, blob: number): void {
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      const by = { h: -1, l: 1 }[event.key];
      const number = result.classOf[query] ?? NO_CLASS;
      if (!result.found || by === undefined || number === NO_CLASS || hasModifier(event) || isTyping(event)) return;
      const members = result.members(number);
      const next = members[members.indexOf(blob) + by];
      if (next === undefined || next === query) return;
      event.preventDefault();
      go(compareAddress(query, next));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

/** Stretches that a list offers. */
const OFFERED = 200;

/** Which stretch is compared, or all of them that stand in the same order on both sides. */
export function StretchChoice({ spans, chosen, choose, inOrder }: { spans: Span[]; chosen: number; choose: (at: number) => void; inOrder: number }) {
  return (
    <label class="stretch-choice">
      {F.stretchLabel}
      <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
        <option value={-1}>{F.stretchesAll(inOrder, spans.length)}</option>
        {spans.slice(0, OFFERED).map((span, at) => (
          <option key={span.join()} value={at}>{F.stretch(...span)}</option>
        ))}
      </select>
    </label>
  );
}
