// What the page is for, and what can be done on it: opened by a button in the frame, or with the key ?.

import { useLayoutEffect, useRef } from "preact/hooks";
import { T } from "../text";
import { isTyping, hasModifier } from "./keys";

export function Help({ title, lines }: { title: string; lines: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isOpen = box.current?.matches(":popover-open") ?? false;
      // The key that closes the help leads nowhere else.
      if (event.key === "Escape" && isOpen) box.current?.hidePopover();
      else if (event.key === "?" && !hasModifier(event) && !isTyping(event)) box.current?.togglePopover();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("keydown", pressed, true);
    return () => removeEventListener("keydown", pressed, true);
  }, []);
  return (
    <>
      <button class="quiet help-button" popovertarget="help" title={T.helpWhat} aria-label={T.help}>?</button>
      <div ref={box} id="help" class="help" popover="auto" role="region" aria-label={T.help}>
        <h2>{title}</h2>
        <ul class="bullets">
          {lines.map((line) => <li key={line}>{line}</li>)}
        </ul>
      </div>
    </>
  );
}
