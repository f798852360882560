// The network: which links are drawn, what hangs together, and where each node stands. The same data gives the same picture.

import { packSiblings } from "d3-hierarchy";
import { type SimulationLinkDatum, type SimulationNodeDatum, forceLink, forceManyBody, forceSimulation, forceX, forceY, forceCollide } from "d3-force";
import type { Link } from "./groups";

/** Most nodes and links that are drawn. */
export const MOST_NODES = 1000;
export const MOST_LINKS = 1500;

export interface Cluster {
  /** Those with most lines in common first. */
  members: number[];
  /** The strongest first. */
  links: Link[];
}

const stronger = (x: Link, y: Link) => y.similarity - x.similarity || y.lines - x.lines || x.a - y.a || x.b - y.b;

/** Finds the top of what has been joined. */
function joined(): { top: (of: number) => number; join: (a: number, b: number) => boolean } {
  const parent = new Map<number, number>();
  const top = (of: number): number => {
    let at = of;
    let next = parent.get(at);
    while (next !== undefined && next !== at) {
      const above = parent.get(next) ?? next;
      parent.set(at, above);
      [at, next] = [next, above];
    }
    return at;
  };
  const join = (a: number, b: number) => {
    const [x, y] = [top(a), top(b)];
    parent.set(y, x);
    return x !== y;
  };
  return { top, join };
}

/** What hangs together by these links, the largest first. */
export function clusters(links: Link[]): Cluster[] {
  const { top, join } = joined();
  const weight = new Map<number, number>();
  for (const { a, b, lines } of links) {
    join(a, b);
    for (const one of [a, b]) weight.set(one, (weight.get(one) ?? 0) + lines);
  }
  const found = new Map<number, Cluster>();
  for (const one of weight.keys()) {
    const at = top(one);
    if (!found.has(at)) found.set(at, { members: [], links: [] });
    found.get(at)!.members.push(one);
  }
  for (const link of links) found.get(top(link.a))!.links.push(link);
  for (const cluster of found.values()) {
    cluster.members.sort((x, y) => weight.get(y)! - weight.get(x)! || x - y);
    cluster.links.sort(stronger);
  }
  const order = (x: Cluster, y: Cluster) => y.members.length - x.members.length || stronger(x.links[0], y.links[0]);
  return [...found.values()].sort(order);
}

/** The links that are drawn: of each cluster those that hold it together, then the strongest. Whole clusters while there is room for their nodes. */
export function drawn(all: Cluster[], nodes = MOST_NODES, most = MOST_LINKS): Cluster[] {
  const shown: Cluster[] = [];
  let room = nodes;
  for (const cluster of all) {
    if (room <= 1) break;
    shown.push(cluster.members.length <= room ? cluster : part(cluster, room));
    room -= shown.at(-1)!.members.length;
  }
  const count = shown.reduce((sum, { links }) => sum + links.length, 0);
  if (count <= most) return shown;
  const { join } = joined();
  const held = new Set(shown.flatMap(({ links }) => links.filter(({ a, b }) => join(a, b))));
  const others = shown.flatMap(({ links }) => links.filter((link) => !held.has(link))).sort(stronger);
  const kept = new Set([...held, ...others.slice(0, Math.max(0, most - held.size))]);
  return shown.map(({ members, links }) => ({ members, links: links.filter((link) => kept.has(link)) }));
}

/** Of a cluster that is too large, the members with most in common. */
function part({ members, links }: Cluster, room: number): Cluster {
  const kept = new Set(members.slice(0, room));
  const inside = links.filter(({ a, b }) => kept.has(a) && kept.has(b));
  const linked = new Set(inside.flatMap(({ a, b }) => [a, b]));
  return { members: members.filter((one) => linked.has(one)), links: inside };
}

/** Pixels of the thinnest and the widest link. */
export const [THIN, WIDE] = [1.5, 10];

/** How wide a link is drawn by its lines: its area of ink, as it were, grows with them, and `most` lines are the widest. */
export const widthOf = (lines: number, most: number): number => THIN + (WIDE - THIN) * Math.sqrt(Math.min(1, lines / Math.max(1, most)));

/** From which similarity, in ten thousandths, a link has which shade; the first is the lightest. */
const SHADES = [0, 8_000, 9_000, 9_800];

/** The shade of a link, the darker the more alike. */
export const shadeOf = (similarity: number): number => SHADES.findLastIndex((from) => similarity >= from);

/** Most links whose lines are written beside them. */
export const MOST_WRITTEN = 40;

export interface Place {
  node: number;
  x: number;
  y: number;
  /** The cluster's number. */
  cluster: number;
}

/** Where the nodes stand: each cluster by itself, and the clusters packed beside each other. */
export function layout(shown: Cluster[]): Place[] {
  const discs = shown.map((cluster) => {
    const places = spread(cluster);
    const r = places.reduce((most, { x, y }) => Math.max(most, Math.hypot(x, y)), 0) + 34;
    return { places, r, x: 0, y: 0 };
  });
  packSiblings(discs);
  return discs.flatMap(({ places, x, y }, cluster) => places.map((place) => ({ node: place.node, x: place.x + x, y: place.y + y, cluster })));
}

type Body = SimulationNodeDatum & { node: number };

/** One cluster, its middle at zero. The simulation has its own numbers for chance, always the same. */
function spread({ members, links }: Cluster): { node: number; x: number; y: number }[] {
  const bodies: Body[] = members.map((node) => ({ node }));
  const at = new Map(members.map((node, place) => [node, place]));
  const springs: (SimulationLinkDatum<Body> & { similarity: number })[] = links.map(({ a, b, similarity }) => ({ source: at.get(a)!, target: at.get(b)!, similarity }));
  // What is more alike stands nearer.
  const distance = ({ similarity }: { similarity: number }) => 70 + (1 - similarity / 10_000) * 80;
  const simulation = forceSimulation(bodies)
    .force("link", forceLink(springs).distance(distance))
    .force("charge", forceManyBody().strength(-160).distanceMax(600))
    .force("apart", forceCollide(13))
    .force("x", forceX(0).strength(0.05))
    .force("y", forceY(0).strength(0.05))
    .stop();
  simulation.tick(members.length > 300 ? 150 : 300);
  const middle = (of: "x" | "y") => {
    const least = bodies.reduce((least, body) => Math.min(least, body[of]!), Infinity);
    return (least + bodies.reduce((most, body) => Math.max(most, body[of]!), -Infinity)) / 2;
  };
  const [x, y] = [middle("x"), middle("y")];
  return bodies.map((body) => ({ node: body.node, x: body.x! - x, y: body.y! - y }));
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** On which side of its node each name stands for which there is room at a scale; the first nodes of the list go before others. */
export function labelled(places: Place[], names: string[], scale: number): Map<number, "right" | "left"> {
  const taken = new Map<string, Box[]>();
  const cells = ({ left, right, top, bottom }: Box) => {
    const found: string[] = [];
    for (let x = Math.floor(left / 80); x <= Math.floor(right / 80); x++) {
      for (let y = Math.floor(top / 40); y <= Math.floor(bottom / 40); y++) found.push(`${x},${y}`);
    }
    return found;
  };
  const put = (box: Box) => cells(box).forEach((cell) => taken.set(cell, [...(taken.get(cell) ?? []), box]));
  const apart = (one: Box, other: Box) => one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top;
  const free = (box: Box) => cells(box).every((cell) => (taken.get(cell) ?? []).every((other) => apart(box, other)));
  const around = (x: number, y: number, from: number, to: number): Box => ({ left: x * scale + from, right: x * scale + to, top: y * scale - 6, bottom: y * scale + 6 });
  for (const { x, y } of places) put(around(x, y, -6, 6));
  const shown = new Map<number, "right" | "left">();
  for (const { node, x, y } of places) {
    const wide = 6.8 * Math.min(names[node].length, 25) + 12;
    for (const side of ["right", "left"] as const) {
      const box = side === "right" ? around(x, y, 8, wide) : around(x, y, -wide, -8);
      if (!free(box)) continue;
      put(box);
      shown.set(node, side);
      break;
    }
  }
  return shown;
}

/** What lies under a point: the nearest node, or the nearest link; both within `reach`. Where links cross, the nearest middle line counts. */
export function under(places: Place[], links: Link[], x: number, y: number, reach: number): { node: number } | { link: Link } | null {
  let [best, node] = [reach * 1.4, -1];
  const at = new Map<number, Place>();
  for (const place of places) {
    at.set(place.node, place);
    const far = Math.hypot(place.x - x, place.y - y);
    if (far < best) [best, node] = [far, place.node];
  }
  if (node >= 0) return { node };
  let [near, found] = [reach, null as Link | null];
  for (const link of links) {
    const [from, to] = [at.get(link.a), at.get(link.b)];
    if (!from || !to) continue;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const t = Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)));
    const far = Math.hypot(from.x + t * dx - x, from.y + t * dy - y);
    if (far < near) [near, found] = [far, link];
  }
  return found ? { link: found } : null;
}
