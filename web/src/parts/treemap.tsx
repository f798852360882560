// A tree of folders as areas.

import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from "d3-hierarchy";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { go } from "../router";
import { T } from "../text";
import { isTyping, hasModifier } from "./keys";
import { visible } from "./visible";

export interface Area {
  name: string;
  path: string;
  /** -1 for a folder, -2 for what is too small by itself. */
  file: number;
  size: number;
  /** Whatever else is summed up. */
  sums: readonly number[];
  children: Area[];
}

const plus = (one: readonly number[], other: readonly number[]) => other.map((value, at) => value + (one[at] ?? 0));

/** The folders and files that have some size. */
export function areas(paths: readonly string[], size: (file: number) => number, sums: (file: number) => readonly number[]): Area {
  const folder = (name: string, path: string): Area => ({ name, path, file: -1, size: 0, sums: [], children: [] });
  const root = folder("", "");
  const folders = new Map<string, Area>([["", root]]);
  const at = (path: string): Area => {
    const known = folders.get(path);
    if (known) return known;
    const cut = path.lastIndexOf("/");
    const node = folder(path.slice(cut + 1), path);
    folders.set(path, node);
    at(cut < 0 ? "" : path.slice(0, cut)).children.push(node);
    return node;
  };
  paths.forEach((path, file) => {
    if (size(file) === 0) return;
    const cut = path.lastIndexOf("/");
    at(cut < 0 ? "" : path.slice(0, cut)).children.push({ name: path.slice(cut + 1), path, file, size: size(file), sums: sums(file), children: [] });
  });
  const add = (node: Area): void => {
    for (const child of node.children) {
      add(child);
      node.size += child.size;
      node.sums = plus(node.sums, child.sums);
    }
  };
  add(root);
  return root;
}

/** The folder of a path, or the first below it in which there is something to choose. */
export function find(root: Area, path: string): Area {
  let node = root;
  while (node.path !== path) {
    const next = node.children.find((child) => child.file < 0 && (child.path === path || path.startsWith(`${child.path}/`)));
    if (!next) return root;
    node = next;
  }
  while (node.children.length === 1 && node.children[0].file < 0) node = node.children[0];
  return node;
}

/** Pixels of the smallest cell that is drawn; a folder's smaller ones are one together. */
const LEAST = 150;
/** Width and height from which a folder shows what is in it. */
const GROUP = [44, 40];

/** As many levels of a folder as a view shows, and of each what is at least of some size. */
function pruned(node: Area, levels: number, least: number): Area {
  if (levels === 0 || node.file >= 0) return { ...node, children: [] };
  // A folder with nothing but a folder is no level.
  if (node.children.length === 1 && node.children[0].file < 0) {
    const only = pruned(node.children[0], levels, least);
    return { ...only, name: `${node.name}/${only.name}` };
  }
  const children = [...node.children].sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  const kept = children.filter((child) => child.size >= least).map((child) => pruned(child, levels - 1, least));
  const rest = children.slice(kept.length);
  if (rest.length > 0) {
    const [size, sums] = [rest.reduce((sum, child) => sum + child.size, 0), rest.reduce((sum, child) => plus(sum, child.sums), [] as readonly number[])];
    kept.push({ name: T.smaller(rest.length), path: node.path, file: -2, size, sums, children: [] });
  }
  return { ...node, children: kept };
}

/** Whether a cell has room for what is in it. */
function showsContent({ depth, children, x0, y0, x1, y1 }: HierarchyRectangularNode<Area>): boolean {
  return depth === 0 || (children !== undefined && x1 - x0 >= GROUP[0] && y1 - y0 >= GROUP[1]);
}

function layout(node: Area, width: number, height: number): HierarchyRectangularNode<Area>[] {
  if (width === 0) return [];
  const shown = hierarchy(pruned(node, 3, (node.size * LEAST) / (width * height)), (child) => child.children)
    .sum((child) => (child.children.length === 0 ? child.size : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const inside = (pixels: number) => (cell: HierarchyRectangularNode<Area>) => (cell.depth > 0 && cell.children ? pixels : 0);
  return treemap<Area>()
    .size([width, height])
    .tile(treemapSquarify)
    .paddingInner(2)
    .paddingRight(inside(2))
    .paddingLeft(inside(2))
    .paddingBottom(inside(2))
    .paddingTop(inside(18))
    .round(true)(shown)
    .descendants()
    .filter((cell) => cell.depth > 0 && cell.ancestors().slice(1).every(showsContent));
}

/** How a cell looks, and where it leads. */
export interface Look {
  class: string;
  href: string;
  label: string;
  count: string;
  /** In the place of the class's. */
  background?: string;
}

export const mapAddress = (path: string) => (path ? `#/map?${new URLSearchParams({ path })}` : "#/map");

/** The cells of a folder, which fill what room there is; Escape leads to the folder above. */
export function Treemap({ node, look }: { node: Area; look: (area: Area) => Look }) {
  const box = useRef<HTMLDivElement>(null);
  const [[width, height], setSize] = useState([0, 0]);
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    const measure = () => setSize([area.clientWidth, area.clientHeight]);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(area);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || hasModifier(event) || isTyping(event) || !node.path) return;
      go(mapAddress(node.path.slice(0, Math.max(0, node.path.lastIndexOf("/")))));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  const cells = useMemo(() => layout(node, width, height), [node, width, height]);
  return (
    <div class="map-area" ref={box}>
      {cells.map((cell) => (
        <Cell key={`${cell.depth}:${cell.data.path}:${cell.data.file}`} cell={cell} look={look} />
      ))}
    </div>
  );
}

function Cell({ cell, look }: { cell: HierarchyRectangularNode<Area>; look: (area: Area) => Look }) {
  const { data, x0, y0, x1, y1 } = cell;
  const [width, height] = [x1 - x0, y1 - y0];
  if (width < 2 || height < 2) return null;
  const isGroup = showsContent(cell);
  const { class: name, href, label, count, background } = look(data);
  return (
    <a
      class={`cell ${isGroup ? "group" : name}`}
      href={href}
      title={label}
      aria-label={width > 40 && height > 15 ? undefined : label}
      style={{ left: `${x0}px`, top: `${y0}px`, width: `${width}px`, height: `${height}px`, ...(background && !isGroup && { background }) }}
    >
      {width > 40 && height > 15 && (
        <span class="cell-name">
          {visible(data.name)}
          {data.file === -1 && "/"}
        </span>
      )}
      {!isGroup && width > 50 && height > 34 && <span class="cell-count">{count}</span>}
    </a>
  );
}

/** The folders that lead to the one that is shown. */
export function Trail({ node, label, find }: { node: Area; label: string; find: { href: string; text: string } }) {
  const parts = node.path ? node.path.split("/") : [];
  return (
    <nav class="trail" aria-label={label}>
      <a href="#/map">{T.mapRoot}</a>
      {parts.map((part, at) => (
        // A path from the root of the disk begins with a part that has no name.
        part !== "" && (
          <span key={at}>
            {" / "}
            <a href={mapAddress(parts.slice(0, at + 1).join("/"))}>{visible(part)}</a>
          </span>
        )
      ))}
      {node.path && <a class="trail-find" href={find.href}>{find.text}</a>}
    </nav>
  );
}
