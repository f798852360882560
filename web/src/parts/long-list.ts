// Positions in a list whose rows together are higher than a browser lets an element be.
//
// Firefox stops at about 17.9 million pixels and Chromium at 33.5 million, with a zoom in proportion earlier. A list of up
// to `MOST_PIXELS` is as high as its rows. The element of a longer one has that height, and stands for a part of the
// list: `shift` says how far below its own top the part is that the element shows. The list is divided into pages, and
// each page has a shift, from none for the first to the whole rest for the last. So a wheel moves rows by as many pixels
// as in a short list, and the scroll bar reaches every page. SlickGrid introduced this division.

/** Pixels that every browser lets an element be high, with room for a zoom. */
const MOST_PIXELS = 4_000_000;

/** Pages in the height of one element. */
const PAGES = 100;

export interface Extent {
  /** Pixels of all rows. */
  total: number;
  /** Pixels of the element. */
  height: number;
  /** Pixels of a page, and how many there are. */
  page: number;
  pages: number;
}

export function extent(count: number, row: number, most = MOST_PIXELS): Extent {
  const total = count * row;
  if (total <= most) return { total, height: total, page: Math.max(1, total), pages: 1 };
  const page = most / PAGES;
  return { total, height: most, page, pages: Math.floor(total / page) };
}

/** Where a list stands. */
export interface Position {
  /** Pixels of rows above what is in sight. */
  top: number;
  /** Those of them that the element leaves out; the rest is how far it is scrolled. */
  shift: number;
}

function shiftOf({ total, height, pages }: Extent, page: number): number {
  return pages === 1 ? 0 : Math.round((page * (total - height)) / (pages - 1));
}

/** The position with so many pixels of rows above, or the nearest one that leaves no room empty. */
export function positionAt(of: Extent, top: number, room: number): Position {
  const within = Math.max(0, Math.min(top, of.total - room));
  return { top: within, shift: shiftOf(of, Math.min(of.pages - 1, Math.floor(within / of.page))) };
}

/** The position after the element was scrolled to `scrolled`; a step within `room` moves rows by as much. */
export function positionAfter(of: Extent, before: Position, scrolled: number, room: number): Position {
  if (of.pages === 1) return { top: scrolled, shift: 0 };
  const step = scrolled - (before.top - before.shift);
  // Browsers round what they are told.
  if (Math.abs(step) < 1) return before;
  if (Math.abs(step) <= room) return positionAt(of, before.top + step, room);
  const fraction = Math.max(0, scrolled) / Math.max(1, of.height - room);
  const shift = shiftOf(of, Math.min(of.pages - 1, Math.floor((fraction * (of.total - room)) / of.page)));
  return { top: Math.max(0, Math.min(scrolled + shift, of.total - room)), shift };
}
