import { expect, test } from "vitest";
import type { Link } from "../src/findings/groups";
import { clusters, drawn, labelled, layout, shadeOf, THIN, under, WIDE, widthOf } from "../src/findings/network";

const link = (a: number, b: number, similarity = 9000, lines = 10): Link => ({ a, b, similarity, lines, findings: 1, listed: 1, classed: 0 });

test("what hangs together is one cluster, the largest first", () => {
  const found = clusters([link(7, 8), link(1, 2, 8000, 50), link(3, 2, 9500)]);
  expect(found.map(({ members }) => members)).toEqual([[2, 1, 3], [7, 8]]);
  expect(found[0].links.map(({ a }) => a)).toEqual([3, 1]);
});

test("where not all links are drawn, clusters still hang together by their strongest", () => {
  const ring = [link(0, 1, 9000), link(1, 2, 8000), link(2, 3, 7000), link(0, 3, 7500), link(0, 2, 9900)];
  const [few] = drawn(clusters(ring), 10, 3);
  expect(few.links.map(({ a, b }) => `${a}${b}`)).toEqual(["02", "01", "03"]);
  expect(clusters(few.links)[0].members).toHaveLength(4);
  const [cut, ...rest] = drawn(clusters([...ring, link(8, 9)]), 3);
  expect(cut.members).toHaveLength(3);
  expect(rest).toEqual([]);
});

test("the same links give the same places, clusters apart from each other", () => {
  const make = () => layout(drawn(clusters([link(0, 1), link(1, 2), link(2, 0), link(5, 6)])));
  const places = make();
  expect(make()).toEqual(places);
  expect(places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  const far = (a: number, b: number) => Math.hypot(places[a].x - places[b].x, places[a].y - places[b].y);
  for (const one of [0, 1, 2]) for (const other of [3, 4]) expect(far(one, other)).toBeGreaterThan(30);
});

test("names do not lie upon names", () => {
  const places = [0, 1, 2, 3].map((node) => ({ node, x: node * 14, y: 0, cluster: 0 }));
  const shown = labelled(places, ["long-name", "long-name", "long-name", "long-name"], 1);
  expect([...shown]).toEqual([[0, "left"], [3, "right"]]);
  expect(labelled(places, ["a", "b", "c", "d"], 20).size).toBe(4);
});

test("a point is a node's before it is a link's", () => {
  const places = [{ node: 4, x: 0, y: 0, cluster: 0 }, { node: 9, x: 100, y: 0, cluster: 0 }];
  const links = [link(4, 9)];
  expect(under(places, links, 3, 2, 8)).toEqual({ node: 4 });
  expect(under(places, links, 50, 6, 8)).toEqual({ link: links[0] });
  expect(under(places, links, 50, 20, 8)).toBeNull();
});

test("a link is as wide as it has lines, whatever its similarity", () => {
  const widths = [1, 10, 50, 200].map((lines) => widthOf(lines, 200));
  expect(widths).toEqual([...widths].sort((a, b) => a - b));
  expect(new Set(widths).size).toBe(4);
  expect([widthOf(0, 200), widthOf(200, 200), widthOf(9, 0)]).toEqual([THIN, WIDE, WIDE]);
  expect([0, 7_999, 8_000, 9_500, 10_000].map(shadeOf)).toEqual([0, 0, 1, 2, 3]);
});
