import { expect, test } from "vitest";
import { type Position, extent, positionAfter, positionAt } from "../src/parts/long-list";

const [ROW, ROOM] = [30, 600];

/** A list as a browser scrolls it: the element is as high as the extent says, and shows `ROOM` pixels of it. */
class List {
  readonly extent;
  position: Position = { top: 0, shift: 0 };
  scrolled = 0;

  constructor(readonly count: number) {
    this.extent = extent(count, ROW);
  }

  scroll(to: number): void {
    this.scrolled = Math.round(Math.max(0, Math.min(to, this.extent.height - ROOM)));
    this.position = positionAfter(this.extent, this.position, this.scrolled, ROOM);
    this.scrolled = Math.round(this.position.top - this.position.shift);
    expect(this.scrolled).toBeGreaterThanOrEqual(0);
    expect(this.scrolled).toBeLessThanOrEqual(this.extent.height - ROOM);
  }

  /** The first and the last row that are in sight as a whole. */
  get rows(): [number, number] {
    return [Math.ceil(this.position.top / ROW), Math.floor((this.position.top + ROOM) / ROW) - 1];
  }
}

test("the last of five million rows is reached, and the first again", () => {
  const list = new List(5_000_000);
  expect(list.extent.height).toBeLessThan(17_000_000);
  list.scroll(list.extent.height);
  expect(list.rows[1]).toBe(4_999_999);
  list.scroll(0);
  expect(list.rows[0]).toBe(0);
  list.position = positionAt(list.extent, 5_000_000 * ROW, ROOM);
  expect(list.rows[1]).toBe(4_999_999);
});

test("a wheel moves every row through the sight, over all borders of pages", () => {
  const list = new List(5_000_000);
  // From the middle to more than two pages further, and back.
  list.scroll(list.extent.height / 2);
  for (const way of [120, -120]) {
    for (let step = 0; step < 1_000; step++) {
      const before = list.position.top;
      list.scroll(list.scrolled + way);
      expect(list.position.top).toBeCloseTo(before + way, 6);
    }
  }
  list.scroll(list.extent.height - ROOM - 1_000);
  for (let step = 0; step < 700; step++) list.scroll(list.scrolled + 120);
  expect(list.rows[1]).toBe(4_999_999);
  list.scroll(1_000);
  for (let step = 0; step < 20_000 && list.position.top > 0; step++) list.scroll(list.scrolled - 120);
  expect(list.rows[0]).toBe(0);
});

test("the scroll bar reaches every hundredth of the rows", () => {
  const list = new List(5_000_000);
  for (let part = 0; part <= 100; part++) {
    list.scroll(((list.extent.height - ROOM) * part) / 100);
    expect(Math.abs(list.rows[0] / 5_000_000 - part / 100)).toBeLessThan(0.002);
  }
});

test("a list that a browser can draw is scrolled by the browser alone", () => {
  const list = new List(100_000);
  expect(list.extent.height).toBe(3_000_000);
  for (const to of [0, 5, 2_999_400, 17, 1_000_000]) {
    list.scroll(to);
    expect(list.position).toEqual({ top: to, shift: 0 });
  }
});
