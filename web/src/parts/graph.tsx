// A network as a picture that is moved and scaled by mouse, fingers, keys and buttons.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Link } from "../findings/groups";
import { MOST_WRITTEN, type Place, labelled, shadeOf, under, widthOf } from "../findings/network";
import { T, number } from "../text";
import { isTyping, hasModifier } from "./keys";

export interface GraphProps {
  places: Place[];
  links: Link[];
  /** Short names, by node. */
  labels: string[];
  /** Of a node: its colour's class. */
  colour: (place: Place) => string;
  /** What the reader points at, or has chosen; all else fades. */
  pointed: Pointed;
  point: (at: Pointed) => void;
  choose: (node: number) => void;
  open: (link: Link) => void;
  /** What is said beside the pointer. */
  say: (what: { node: number } | { link: Link }) => string;
  title: string;
}

/** A node, or one link alone. */
export type Pointed = { node: number } | { link: Link } | null;

interface View {
  x: number;
  y: number;
  k: number;
}

/** Pixels of a link that has room for its lines. */
const ROOM = 74;

/** How far along a link its lines are written: not in its middle, where links cross most. */
const BESIDE = 0.42;

type Target = ReturnType<typeof under>;

export function Graph(props: GraphProps) {
  const { places, links, pointed } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, height] = useSize(box);
  const { view, setView, zoom, key } = useView(places, width, height);
  const [target, setTarget] = useState<{ at: Target; x: number; y: number } | null>(null);
  const drag = useRef<{ x: number; y: number; view: View; far: boolean } | null>(null);

  const hit = (event: PointerEvent): Target => {
    const { left, top } = box.current!.getBoundingClientRect();
    return under(places, links, (event.clientX - left - view.x) / view.k, (event.clientY - top - view.y) / view.k, 8 / view.k);
  };
  const move = (event: PointerEvent) => {
    const from = drag.current;
    if (from && (from.far || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4)) {
      from.far = true;
      setView({ ...from.view, x: from.view.x + event.clientX - from.x, y: from.view.y + event.clientY - from.y });
      return;
    }
    const at = hit(event);
    const { left, top } = box.current!.getBoundingClientRect();
    setTarget(at && { at, x: event.clientX - left, y: event.clientY - top });
    props.point(at);
  };
  const up = (event: PointerEvent) => {
    const clicked = drag.current && !drag.current.far;
    drag.current = null;
    if (!clicked) return;
    const at = hit(event);
    if (at && "link" in at) props.open(at.link);
    else props.choose(at ? at.node : -1);
  };
  useWheel(box, (event) => {
    const { left, top } = box.current!.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
  });
  return (
    <div class="graph">
      <div
        ref={box}
        class={`graph-area ${target ? "hit" : ""} ${pointed ? "dimmed" : ""}`}
        tabIndex={0}
        role="group"
        aria-label={T.networkKeys}
        onKeyDown={key}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          drag.current = { x: event.clientX, y: event.clientY, view, far: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => (drag.current = null)}
        onPointerLeave={() => (setTarget(null), props.point(null))}
      >
        {width > 0 && <Picture {...props} view={view} width={width} height={height} />}
        {target?.at && !drag.current?.far && <p class="graph-tip" style={{ left: `${Math.min(target.x + 14, Math.max(0, width - 270))}px`, top: `${target.y + 14 > height - 60 ? target.y - 58 : target.y + 14}px` }}>{props.say(target.at)}</p>}
      </div>
      <div class="graph-buttons">
        <button onClick={() => zoom(1.4)} aria-label={T.zoomIn} title={T.zoomIn}>+</button>
        <button onClick={() => zoom(1 / 1.4)} aria-label={T.zoomOut} title={T.zoomOut}>−</button>
        <button onClick={() => setView(null)} aria-label={T.zoomFit} title={T.zoomFit}>⤢</button>
      </div>
    </div>
  );
}

/** What is in sight: all, until the reader moves it or makes it larger; and again when there are other places. */
function useView(places: Place[], width: number, height: number) {
  const fit = useMemo(() => fitted(places, width, height), [places, width, height]);
  const [moved, setView] = useState<View | null>(null);
  useEffect(() => setView(null), [places]);
  const view = moved ?? fit;
  const zoom = (by: number, x = width / 2, y = height / 2) => {
    const k = Math.min(12, Math.max(fit.k / 3, view.k * by));
    setView({ k, x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * k) / view.k });
  };
  const pan = (x: number, y: number) => setView({ ...view, x: view.x + x, y: view.y + y });
  const key = (event: KeyboardEvent) => {
    if (isTyping(event) || hasModifier(event)) return;
    const steps: Record<string, () => void> = {
      ArrowLeft: () => pan(60, 0),
      ArrowRight: () => pan(-60, 0),
      ArrowUp: () => pan(0, 60),
      ArrowDown: () => pan(0, -60),
      "+": () => zoom(1.3),
      "=": () => zoom(1.3),
      "-": () => zoom(1 / 1.3),
      "0": () => setView(null),
    };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    steps[event.key]();
  };
  return { view, setView, zoom, key };
}

/** What stands in the picture. It fades as a whole; whoever is pointed at is drawn once more above it. */
function Picture({ places, links, labels, colour, pointed, view, width, height, title }: GraphProps & { view: View; width: number; height: number }) {
  const at = useMemo(() => new Map(places.map((place) => [place.node, place])), [places]);
  const most = useMemo(() => links.reduce((most, link) => Math.max(most, link.lines), 1), [links]);
  /** A link on a wider one of the ground's colour, so that it can be followed where others cross it. */
  const line = (link: Link) => {
    const [from, to] = [at.get(link.a)!, at.get(link.b)!];
    const wide = widthOf(link.lines, most);
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
    return (
      <g key={`${link.a}-${link.b}`}>
        <line class="link-edge" {...ends} stroke-width={wide + 3} />
        <line class={`link shade-${shadeOf(link.similarity)}`} {...ends} stroke-width={wide} />
      </g>
    );
  };
  const written = (link: Link) => {
    const [from, to] = [at.get(link.a)!, at.get(link.b)!];
    return <text key={`${link.a}-${link.b}`} class="link-lines" x={from.x + (to.x - from.x) * BESIDE} y={from.y + (to.y - from.y) * BESIDE}>{number(link.lines)}</text>;
  };
  const dot = (place: Place) => <circle key={place.node} class={colour(place)} cx={place.x} cy={place.y} />;
  const name = ({ node, x, y }: Place, side = "right") => <text key={node} class={side} x={x} y={y}>{short(labels[node])}</text>;
  // The widest first, so that they hide none.
  const lines = useMemo(() => [...links].sort((x, y) => y.lines - x.lines).map(line), [links, at]);
  const dots = useMemo(() => places.map(dot), [places, colour]);
  // In steps, so that a small move of the wheel does not change all names; downwards, so that they never lie closer than reckoned.
  const step = Math.floor(Math.log2(view.k) * 3);
  const shown = useMemo(() => labelled(places, labels, 2 ** (step / 3)), [places, labels, step]);
  const names = useMemo(() => places.filter(({ node }) => shown.has(node)).map((place) => name(place, shown.get(place.node))), [places, labels, shown]);
  const near = nearTo(pointed, links);
  // On short links their lines would hide what they are on.
  const longEnough = useMemo(() => {
    const far = (link: Link) => Math.hypot(at.get(link.a)!.x - at.get(link.b)!.x, at.get(link.a)!.y - at.get(link.b)!.y) * 2 ** (step / 3);
    const found = links.filter((link) => far(link) > ROOM);
    return found.length <= MOST_WRITTEN ? found : [];
  }, [links, at, step]);
  const alone = pointed && "node" in pointed ? [pointed.node] : [];
  const beside = [...new Set([...alone, ...near.flatMap(({ a, b }) => [a, b])])].flatMap((node) => at.get(node) ?? []);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title} style={{ "--k": view.k, "--r": `${Math.min(7, Math.max(3.5, 14 * view.k))}px` }}>
      <g transform={`translate(${view.x} ${view.y}) scale(${view.k})`}>
        <g class={links.length > 400 ? "graph-all many" : "graph-all"}>
          {lines}
          {dots}
          {longEnough.map(written)}
          {names}
        </g>
        <g class="graph-near">
          {near.map(line)}
          {beside.map(dot)}
          {near.slice(0, MOST_WRITTEN).map(written)}
          {beside.slice(0, 40).map((place) => name(place, shown.get(place.node)))}
        </g>
      </g>
    </svg>
  );
}

/** The links of a node, or the one link that is pointed at. */
function nearTo(pointed: Pointed, links: Link[]): Link[] {
  if (!pointed) return [];
  if ("link" in pointed) return links.filter(({ a, b }) => a === pointed.link.a && b === pointed.link.b);
  return links.filter(({ a, b }) => a === pointed.node || b === pointed.node);
}

const short = (text: string) => (text.length > 25 ? `${text.slice(0, 24)}…` : text);

/** The view that has all in sight. */
function fitted(places: Place[], width: number, height: number): View {
  const range = (list: number[]) => list.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0]);
  const [left, right] = range(places.map(({ x }) => x));
  const [top, bottom] = range(places.map(({ y }) => y));
  // Names stand beside their nodes.
  const [w, h] = [Math.max(width * 0.5, width - 260), Math.max(80, height - 50)];
  const k = Math.min(1.6, w / (right - left || 1), h / (bottom - top || 1));
  return { k, x: width / 2 - (k * (left + right)) / 2, y: height / 2 - (k * (top + bottom)) / 2 };
}

function useSize(box: { current: HTMLElement | null }): [number, number] {
  const [size, setSize] = useState<[number, number]>([0, 0]);
  useEffect(() => {
    const element = box.current!;
    const measure = () => setSize([element.clientWidth, element.clientHeight]);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}

/** The wheel is listened to by hand: a listener that may hold back the scrolling cannot be passive. */
function useWheel(box: { current: HTMLElement | null }, turned: (event: WheelEvent) => void): void {
  const latest = useRef(turned);
  latest.current = turned;
  useEffect(() => {
    const element = box.current!;
    const listen = (event: WheelEvent) => (event.preventDefault(), latest.current(event));
    element.addEventListener("wheel", listen, { passive: false });
    return () => element.removeEventListener("wheel", listen);
  }, []);
}
