// A list of rows of one height, of which only those in sight are made.

import type { ComponentChildren, RefObject } from "preact";
import { options } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Extent, type Position, extent, positionAfter, positionAt } from "./long-list";

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

/** Where each list that is drawn stands. */
const positions = new WeakMap<HTMLElement, Position & { extent: Extent }>();

/** Pixels of an area that rows have, without what stays above them. */
const roomOf = (area: HTMLElement) => area.clientHeight - ((area.lastElementChild as HTMLElement | null)?.offsetTop ?? 0);

/** Pixels of rows above what is in sight of a list. */
export const topOf = (area: HTMLElement) => positions.get(area)?.top ?? area.scrollTop;

/** Scrolls a list until so many pixels of rows are above what is in sight. */
export function scrollTo(area: HTMLElement | null, top: number): void {
  if (!area) return;
  const known = positions.get(area);
  if (known) Object.assign(known, positionAt(known.extent, top, roomOf(area)));
  area.scrollTop = known ? known.top - known.shift : top;
}

export function Rows({ count, height, row, box, class: name = "", onScroll, role, head, ...rest }: Properties) {
  const own = useRef<HTMLDivElement>(null);
  const element = box ?? own;
  const [{ range, shift }, setRange] = useState<{ range: [number, number]; shift: number }>({ range: [0, 60], shift: 0 });
  const printing = usePrinting();
  const whole = extent(count, height);
  /** Takes over how far the area is scrolled, and makes the rows that are in sight there. */
  const look = () => {
    const area = element.current;
    if (!area) return;
    const before = positions.get(area);
    const room = roomOf(area);
    const isSame = before?.extent.total === whole.total;
    // Of a long list that has become longer or shorter, the same rows stay in sight. A short one is scrolled by the browser alone.
    const top = before && before.extent.pages > 1 ? before.top : area.scrollTop;
    const now = isSame ? positionAfter(whole, before, area.scrollTop, room) : positionAt(whole, top, room);
    positions.set(area, { ...now, extent: whole });
    const isLong = whole.pages > 1 || (before?.extent.pages ?? 1) > 1;
    if (isLong && Math.abs(area.scrollTop - (now.top - now.shift)) >= 1) area.scrollTop = now.top - now.shift;
    const first = Math.max(0, Math.floor(now.top / height) - MARGIN);
    const after = Math.ceil((now.top + area.clientHeight) / height) + MARGIN;
    setRange((last) => (last.range[0] === first && last.range[1] === after && last.shift === now.shift ? last : { range: [first, after], shift: now.shift }));
  };
  useLayoutEffect(look, [count, height]);
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const observer = new ResizeObserver(() => latest.current());
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
      <div class="rows-inner" role="presentation" style={{ height: printing ? "auto" : `${whole.height}px` }}>
        <div class="rows-window" role="presentation" style={{ transform: printing ? "none" : `translateY(${first * height - shift}px)` }}>
          {made}
        </div>
      </div>
    </div>
  );
}

/** Brings a row into sight. */
export function reveal(area: HTMLElement | null, at: number, height: number, middle = false): void {
  if (!area) return;
  const [row, top, room] = [at * height, topOf(area), roomOf(area)];
  if (middle) scrollTo(area, row - area.clientHeight / 3);
  else if (row < top) scrollTo(area, row);
  else if (row + height > top + room) scrollTo(area, row + height - room);
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
