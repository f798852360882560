// The tree as areas: how many lines of each folder and file are duplicated.

import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from "d3-hierarchy";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Result } from "../data/result";
import { go, pathSearch, sourceAddress } from "../parts/router";
import { isTyping, modified } from "../parts/small";
import { visible } from "../parts/visible";
import { F, T, number } from "../text";

interface Node {
  name: string;
  path: string;
  /** -1 for a folder. */
  file: number;
  duplicated: number;
  lines: number;
  children: Node[];
}

/** The folders and files that hold duplicated lines. */
function tree(result: Result): Node {
  const { files } = result.tables;
  const folder = (name: string, path: string): Node => ({ name, path, file: -1, duplicated: 0, lines: 0, children: [] });
  const root = folder("", "");
  const folders = new Map<string, Node>([["", root]]);
  const at = (path: string): Node => {
    const known = folders.get(path);
    if (known) return known;
    const cut = path.lastIndexOf("/");
    const node = folder(path.slice(cut + 1), path);
    folders.set(path, node);
    at(cut < 0 ? "" : path.slice(0, cut)).children.push(node);
    return node;
  };
  files.paths.forEach((path, file) => {
    const [duplicated, lines] = [result.duplicated[file], files.lines[file]];
    if (duplicated === 0) return;
    const cut = path.lastIndexOf("/");
    at(cut < 0 ? "" : path.slice(0, cut)).children.push({ name: path.slice(cut + 1), path, file, duplicated, lines, children: [] });
  });
  const add = (node: Node): void => {
    for (const child of node.children) {
      add(child);
      node.duplicated += child.duplicated;
      node.lines += child.lines;
    }
  };
  add(root);
  return root;
}

/** The folder of a path, or the first below it in which there is something to choose. */
function find(root: Node, path: string): Node {
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

/** As many levels of a folder as a view shows, and of each what has at least `least` duplicated lines. */
function pruned(node: Node, levels: number, least: number): Node {
  if (levels === 0 || node.file >= 0) return { ...node, children: [] };
  // A folder with nothing but a folder is no level.
  if (node.children.length === 1 && node.children[0].file < 0) {
    const only = pruned(node.children[0], levels, least);
    return { ...only, name: `${node.name}/${only.name}` };
  }
  const children = [...node.children].sort((a, b) => b.duplicated - a.duplicated || (a.path < b.path ? -1 : 1));
  const kept = children.filter((child) => child.duplicated >= least).map((child) => pruned(child, levels - 1, least));
  const rest = children.slice(kept.length);
  if (rest.length > 0) {
    const duplicated = rest.reduce((sum, child) => sum + child.duplicated, 0);
    kept.push({ name: T.smaller(rest.length), path: node.path, file: -2, duplicated, lines: 0, children: [] });
  }
  return { ...node, children: kept };
}

export function MapView({ result, params }: { result: Result; params: URLSearchParams }) {
  const root = useMemo(() => tree(result), [result]);
  const node = find(root, params.get("path") ?? "");
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
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || modified(event) || isTyping(event) || !node.path) return;
      go(mapAddress(node.path.slice(0, Math.max(0, node.path.lastIndexOf("/")))));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  const cells = useMemo(() => {
    if (width === 0) return [];
    const shown = hierarchy(pruned(node, 3, (node.duplicated * LEAST) / (width * height)), (child) => child.children)
      .sum((child) => (child.children.length === 0 ? child.duplicated : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const layout = treemap<Node>()
      .size([width, height])
      .tile(treemapSquarify)
      .paddingInner(2)
      .paddingRight((cell) => (cell.depth > 0 && cell.children ? 2 : 0))
      .paddingLeft((cell) => (cell.depth > 0 && cell.children ? 2 : 0))
      .paddingBottom((cell) => (cell.depth > 0 && cell.children ? 2 : 0))
      .paddingTop((cell) => (cell.depth > 0 && cell.children ? 18 : 0))
      .round(true);
    return layout(shown)
      .descendants()
      .filter((cell) => cell.depth > 0 && cell.ancestors().slice(1).every(showsContent));
  }, [node, width, height]);
  const words: MapWords = result.found ? F.map : T;
  if (root.duplicated === 0) return <p class="notice">{words.mapEmpty}</p>;
  return (
    <div class="map">
      <div class="map-head">
        <Trail node={node} />
        <span class="muted">{words.mapLines(node.duplicated, Math.max(node.lines, node.duplicated))}</span>
        <span class="spacer" />
        <span class="muted map-help">{words.mapHelp}</span>
        <span class="scale" aria-hidden="true">
          0 %{[0, 1, 2, 3, 4].map((heat) => <span key={heat} class={`heat heat-${heat}`} />)}100 %
        </span>
      </div>
      <div class="map-area" ref={box}>
        {cells.map((cell) => (
          <Cell key={`${cell.depth}:${cell.data.path}:${cell.data.file}`} cell={cell} words={words} />
        ))}
      </div>
    </div>
  );
}

/** Whether a cell has room for what is in it. */
function showsContent({ depth, children, x0, y0, x1, y1 }: HierarchyRectangularNode<Node>): boolean {
  return depth === 0 || (children !== undefined && x1 - x0 >= GROUP[0] && y1 - y0 >= GROUP[1]);
}

const mapAddress = (path: string) => (path ? `#/map?${new URLSearchParams({ path })}` : "#/map");

function Trail({ node }: { node: Node }) {
  const parts = node.path ? node.path.split("/") : [];
  return (
    <nav class="trail" aria-label={T.views.map}>
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
      {node.path && <a class="trail-find" href={pathSearch(`${node.path}/`)}>{T.views.findings}</a>}
    </nav>
  );
}

/** What a map says of its areas. */
type MapWords = Pick<typeof T, keyof typeof F.map>;

function Cell({ cell, words }: { cell: HierarchyRectangularNode<Node>; words: MapWords }) {
  const { data, x0, y0, x1, y1 } = cell;
  const [width, height] = [x1 - x0, y1 - y0];
  if (width < 2 || height < 2) return null;
  const share = data.lines > 0 ? Math.min(1, data.duplicated / data.lines) : -1;
  const heat = share < 0 ? "none" : String(Math.min(4, Math.floor(share * 5)));
  const isGroup = showsContent(cell);
  const href = data.file >= 0 ? sourceAddress(data.file) : data.file === -2 ? pathSearch(`${data.path}/`) : mapAddress(data.path);
  const label = share < 0 ? words.shareUnknown(visible(data.path), data.duplicated) : words.mapCell(visible(data.path), data.duplicated, share);
  return (
    <a
      class={`cell ${isGroup ? "group" : `heat-${heat}`}`}
      href={href}
      title={label}
      aria-label={width > 40 && height > 15 ? undefined : label}
      style={{ left: `${x0}px`, top: `${y0}px`, width: `${width}px`, height: `${height}px` }}
    >
      {width > 40 && height > 15 && (
        <span class="cell-name">
          {visible(data.name)}
          {data.file === -1 && "/"}
        </span>
      )}
      {!isGroup && width > 50 && height > 34 && <span class="cell-count">{number(data.duplicated)}</span>}
    </a>
  );
}
