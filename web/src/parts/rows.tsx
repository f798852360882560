// A list of rows of one height, of which only those in sight are made.

import type { ComponentChildren, RefObject } from "preact";
import { options } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Most rows that go on paper. */
const PRINTED = 400;
/** Rows made above and below what is in sight. */
const MARGIN = 8;

interface Properties {
  count: number;
  height: number;
  row: (at: number) => ComponentChildren;
  /** Given the scrolling element. */
  box?: RefObject<HTMLDivElement | null>;
  class?: string;
  onScroll?: (box: HTMLDivElement) => void;
  [attribute: `aria-${string}`]: string | number | boolean | undefined;
  role?: "grid" | "list" | "presentation";
  /** Stays above the rows. */
  head?: ComponentChildren;
  tabIndex?: number;
}

export function Rows({ count, height, row, box, class: name = "", onScroll, role, head, ...rest }: Properties) {
  const own = useRef<HTMLDivElement>(null);
  const element = box ?? own;
  const [range, setRange] = useState<[number, number]>([0, 60]);
  const printing = usePrinting();
  const look = () => {
    const area = element.current;
    if (!area) return;
    const first = Math.max(0, Math.floor(area.scrollTop / height) - MARGIN);
    const after = Math.ceil((area.scrollTop + area.clientHeight) / height) + MARGIN;
    setRange(([from, to]) => (from === first && to === after ? [from, to] : [first, after]));
  };
  useLayoutEffect(look, [count, height]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  const [first, after] = printing ? [0, Math.min(count, PRINTED)] : [range[0], Math.min(count, range[1])];
  const made: ComponentChildren[] = [];
  for (let at = first; at < after; at++) made.push(row(at));
  return (
    <div
      ref={element}
      class={`rows ${name}`}
      role={role}
      onScroll={() => {
        look();
        if (onScroll && element.current) onScroll(element.current);
      }}
      {...rest}
    >
      {head}
      <div class="rows-inner" role="presentation" style={{ height: printing ? "auto" : `${count * height}px` }}>
        <div class="rows-window" role="presentation" style={{ transform: printing ? "none" : `translateY(${first * height}px)` }}>
          {made}
        </div>
      </div>
    </div>
  );
}

/** Brings a row into sight. */
export function reveal(area: HTMLElement | null, at: number, height: number, middle = false): void {
  if (!area) return;
  const top = at * height;
  const room = area.clientHeight - ((area.lastElementChild as HTMLElement | null)?.offsetTop ?? 0);
  if (middle) area.scrollTop = top - area.clientHeight / 3;
  else if (top < area.scrollTop) area.scrollTop = top;
  else if (top + height > area.scrollTop + room) area.scrollTop = top + height - room;
}

/** Whether the page is about to be printed; it is drawn anew at once, before the browser takes it. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const set = (value: boolean) => () => {
      const before = options.debounceRendering;
      options.debounceRendering = (render) => render();
      setPrinting(value);
      if (before) options.debounceRendering = before;
      else delete options.debounceRendering;
    };
    const [start, stop] = [set(true), set(false)];
    addEventListener("beforeprint", start);
    addEventListener("afterprint", stop);
    return () => {
      removeEventListener("beforeprint", start);
      removeEventListener("afterprint", stop);
    };
  }, []);
  return printing;
}
