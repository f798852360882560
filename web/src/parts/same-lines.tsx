// Findings in the same lines as another: how many there are, and what shows them.

import { useLayoutEffect } from "preact/hooks";
import { T } from "../text";
import { isTyping, hasModifier } from "./keys";

/** A key that shows or hides what stands in the same lines. */
export function useUnfoldKey(unfold: () => void): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== T.keyUnfold || hasModifier(event) || isTyping(event)) return;
      event.preventDefault();
      unfold();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

/** Opens the findings in the same lines as a row. */
export function SameLines({ count, isOpen, toggle }: { count: number; isOpen: boolean; toggle: () => void }) {
  if (count === 0) return null;
  return (
    <button
      type="button"
      class="quiet same-lines"
      aria-expanded={isOpen}
      aria-label={`${isOpen ? T.sameLinesClose(count) : T.sameLines(count)} ${T.sameLinesWords}`}
      title={T.sameLinesWhat(count)}
      onClick={(event) => {
        event.stopPropagation();
        toggle();
      }}
      onDblClick={(event) => event.stopPropagation()}
    >
      {isOpen ? T.sameLinesClose(count) : T.sameLines(count)}<span class="in-words"> {T.sameLinesWords}</span>
    </button>
  );
}
