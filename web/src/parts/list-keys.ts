// Keys of a long list: from row to row, to its search, and into the row that is chosen.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { isTyping, hasModifier } from "./keys";

interface Listed {
  count: number;
  chosen: number;
  /** Pixels of a row. */
  row: number;
  move: (to: number) => void;
  open: (at: number) => void;
  search: RefObject<HTMLInputElement | null>;
  box: RefObject<HTMLDivElement | null>;
}

export function useListKeys({ count, chosen, row, move, open, search, box }: Listed): void {
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      if (hasModifier(event)) return;
      if (isTyping(event)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
      }
      const onControl = event.target instanceof HTMLElement && event.target.closest("a, button") !== null;
      const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 300) / row) - 1);
      const steps: Record<string, () => void> = {
        j: () => move(chosen + 1),
        k: () => move(chosen - 1),
        ArrowDown: () => move(chosen + 1),
        ArrowUp: () => move(chosen - 1),
        PageDown: () => move(chosen + page),
        PageUp: () => move(chosen - page),
        Home: () => move(0),
        End: () => move(count - 1),
        "/": () => search.current?.focus(),
        ...(onControl ? {} : { Enter: () => open(chosen) }),
      };
      if (!Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      steps[event.key]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
