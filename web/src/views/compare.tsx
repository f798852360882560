// Two fragments side by side: lines that correspond beside each other, what differs marked, the rest of the files folded.

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { EvidencePanel } from "../audit/panel";
import { compare, compareAlong, covered, inOrder, type Comparison, type TokenChange, type Row, type Span, type State } from "../compare/align";
import { compareStatements, counterparts, statementsOf } from "../compare/statements";
import { Source } from "../compare/tokens";
import { NO_CLASS, type Result } from "../data/result";
import { useDecisionStore } from "../decisions/by-finding";
import { decisionStore } from "../decisions/store";
import { BlobSteps, StretchChoice, blobOption, matchSummary, useBlobKeys } from "../found/compare";
import { FoundPanel } from "../found/panel";
import { Code, Missing } from "../parts/code";
import { Decide } from "../parts/decide";
import { ExplanationPanel } from "../parts/explanation";
import { isTyping, hasModifier } from "../parts/keys";
import { Name, Path, TypeBadge } from "../parts/labels";
import { lastList } from "../parts/last-list";
import { useLoaded } from "../parts/loaded";
import { Rows, scrollTo, topOf } from "../parts/rows";
import { visible } from "../parts/visible";
import { compareAddress, go, sourceAddress } from "../router";
import { E, T, number, similarity, typeLong } from "../text";
import { sidesOf, useSubject } from "./findings";

const LINE = 20;
/** Lines around the finding that are shown, and that one more click shows. */
const AROUND = 3;
const STEP = 20;

type Sides<S> = [S, S];

const NONE: Span[] = [];

export function Compare({ result, parts }: { result: Result; parts: string[] }) {
  const count = result.tables.fragments.file.length;
  const [left, right] = inSides(result, parts.map(Number));
  const known = [left, right].every((id) => Number.isInteger(id) && id >= 0 && id < count);
  useKeys(result);
  useBlobKeys(result, left, right);
  if (!known) return <p class="notice">{T.unknownFinding}</p>;
  return <Pair result={result} left={left} right={right} />;
}

/** What was asked for stands on the left. */
function inSides({ found }: Result, [left, right]: number[]): number[] {
  return found && found.isQuery(right) ? [right, left] : [left, right];
}

/** Goes to another finding of the last list. */
function step(result: Result, by: number): void {
  const at = lastList.at + by;
  if (at < 0 || at >= lastList.list.length) return;
  lastList.at = at;
  go(compareAddress(...sidesOf(result, lastList.kind, lastList.list[at])));
}

function useKeys(result: Result): void {
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      if (hasModifier(event) || isTyping(event)) return;
      if (event.key === "j") step(result, 1);
      else if (event.key === "k") step(result, -1);
      else if (event.key === "Escape") go(lastList.address);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

function useSources(result: Result, files: Sides<number>): Sides<Source | null> | undefined {
  const [sources, setSources] = useState<Sides<Source | null>>();
  useEffect(() => {
    let current = true;
    const load = async (file: number) => {
      const text = await result.source(file).catch(() => null);
      return text && new Source(text);
    };
    void Promise.all([load(files[0]), files[0] === files[1] ? null : load(files[1])]).then(([left, right]) => {
      if (current) setSources([left, files[0] === files[1] ? left : right]);
    });
    return () => {
      current = false;
    };
  }, [files[0], files[1]]);
  return sources;
}

function Pair({ result, left, right }: { result: Result; left: number; right: number }) {
  const { files, fragments } = result.tables;
  const numbers: Sides<number> = [fragments.file[left], fragments.file[right]];
  const sources = useSources(result, numbers);
  const pair = result.found ? result.pairOf(left, right) : -1;
  const spans: Span[] = useMemo(() => (pair >= 0 ? (result.found?.stretches(pair) ?? []) : []), [pair]);
  const [chosen, choose] = useState(-1);
  const lines: Sides<[number, number]> = useMemo(() => {
    if (spans.length === 0) return [result.lines(left), result.lines(right)];
    const shown = chosen < 0 ? inOrder(spans) : [spans[chosen]];
    return covered(shown);
  }, [spans, chosen, left, right]);
  const explanation = useLoaded(() => result.explanation(left, right), [left, right]);
  const statements = useMemo(() => explanation && statementsOf(explanation, lines), [explanation]);
  const comparison = useMemo(() => {
    if (!sources?.[0] || !sources[1] || explanation === undefined) return null;
    if (statements) return compareStatements(sources as Sides<Source>, lines, statements);
    if (spans.length > 0) return compareAlong(sources[0], sources[1], chosen < 0 ? inOrder(spans) : [spans[chosen]]);
    return compare(sources[0], result.lines(left), sources[1], result.lines(right));
  }, [sources, explanation, statements, left, right, chosen]);
  return (
    <div class="compare">
      <Heading result={result} left={left} right={right} />
      {!result.found && <DecideHere result={result} left={left} right={right} />}
      {result.audit && <EvidencePanel key={`${left}-${right}`} result={result} audit={result.audit} sides={[left, right]} />}
      {result.found && pair >= 0 && <FoundPanel key={pair} result={result} found={result.found} query={left} blob={right} />}
      {explanation && <ExplanationPanel explanation={explanation} />}
      {comparison && (
        <Legend comparison={comparison}>
          {spans.length > 1 && <StretchChoice spans={spans} chosen={chosen} choose={choose} inOrder={inOrder(spans).length} />}
        </Legend>
      )}
      {comparison && sources?.[0] && sources[1] ? (
        <Panes key={chosen} result={result} sides={[left, right]} sources={sources as Sides<Source>} lines={lines} comparison={comparison} matched={statements?.matched ?? NONE} />
      ) : (
        sources && (!sources[0] || !sources[1]) && (
          <div class="panes">
            {([0, 1] as const).map((side) => (
              <div key={side} class="pane">
                {sources[side] ? (
                  <Alone source={sources[side]} lines={lines[side]} />
                ) : (
                  <Missing reason={files.missing.get(numbers[side])} />
                )}
              </div>
            ))}
          </div>
        )
      )}
    </div>
  );
}

function Heading({ result, left, right }: { result: Result; left: number; right: number }) {
  const { classes, pairs } = result.tables;
  const number_ = result.commonClass(left, right);
  const shared = number_ !== NO_CLASS;
  const pair = result.pairOf(left, right);
  const type = result.typeOf(left, right);
  const { found } = result;
  const members = useMemo(() => {
    if (found) return shared ? [...result.members(number_).subarray(1)] : [right];
    if (shared) return [...result.members(number_)];
    const all = [left, right].flatMap((id) => (result.classOf[id] === NO_CLASS ? [id] : [...result.members(result.classOf[id])]));
    return [...new Set(all)];
  }, [left, right]);
  return (
    <div class="heading">
      <div class="heading-line">
        <a class="back" href={lastList.address}>← {T.back}</a>
        <h1><Name result={result} fragment={left} /></h1>
        {type > 0 && <TypeBadge type={type} />}
        <span class="muted">
          {type > 0 && typeLong(type)}
          {found
            ? matchSummary(result, found, pair)
            : `${pair >= 0 ? ` · ${similarity(pairs.similarity[pair])}` : ` · ${T.notListed}`}${shared ? ` · ${T.classOf(number_ + 1)}${classes.type[number_] !== type ? ` ${T.classUpTo(classes.type[number_])}` : ""} · ${T.membersOf(result.members(number_).length)}` : ` · ${T.linked}`}`}
        </span>
        <span class="spacer" />
        {lastList.list.length > 0 && (
          <span class="steps">
            <button class="quiet" aria-label={T.previousFinding} title={`${T.previousFinding} (k)`} disabled={lastList.at === 0} onClick={() => step(result, -1)}>↑</button>
            <span class="muted">{T.position(lastList.at + 1, lastList.list.length)}</span>
            <button class="quiet" aria-label={T.nextFinding} title={`${T.nextFinding} (j)`} disabled={lastList.at + 1 >= lastList.list.length} onClick={() => step(result, 1)}>↓</button>
          </span>
        )}
      </div>
      <div class="side-heads">
        <SideHead result={result} id={left} members={found ? [left] : members} label={T.left} choose={(id) => go(compareAddress(id, right))} />
        {found ? <span /> : <button class="quiet swap" aria-label={T.swap} title={T.swap} onClick={() => go(compareAddress(right, left))}>⇄</button>}
        <SideHead result={result} id={right} members={members} label={T.right} choose={(id) => go(compareAddress(left, id))} query={found ? left : -1} />
      </div>
    </div>
  );
}

/** Decides on the pair, or on the class that both sides are in. */
function DecideHere({ result, left, right }: { result: Result; left: number; right: number }) {
  const number_ = result.commonClass(left, right);
  const shared = number_ !== NO_CLASS;
  const pair = result.pairOf(left, right);
  const count = shared ? result.members(number_).length : 0;
  const [chosen, choose] = useState<boolean | undefined>();
  const ofPair = useSubject(result, "pairs", pair >= 0 ? pair : null);
  useDecisionStore();
  const alone = chosen ?? (lastList.kind === "pairs" || (ofPair?.fingerprint != null && decisionStore.latest.has(ofPair.fingerprint)));
  const ofClass = shared && (pair < 0 || count === 2 || !alone);
  const classSubject = useSubject(result, "classes", shared ? number_ : null);
  if (!shared && pair < 0) return null;
  return (
    <div class="decide-bar">
      {shared && pair >= 0 && count > 2 && (
        <select aria-label={T.views.decisions} value={ofClass ? "class" : "pair"} onChange={(event) => choose(event.currentTarget.value === "pair")}>
          <option value="class">{T.decideClass(count)}</option>
          <option value="pair">{T.decidePair}</option>
        </select>
      )}
      <Decide subject={ofClass ? classSubject : ofPair} about={ofClass ? T.decideClass(count) : T.decidePair} />
    </div>
  );
}

/** Members that a list offers. */
const OFFERED = 1_000;

interface SideHeadProperties {
  result: Result;
  id: number;
  members: number[];
  label: string;
  choose: (id: number) => void;
  /** Of a blob what was asked for; otherwise -1. */
  query?: number;
}

function SideHead({ result, id, members, label, choose, query = -1 }: SideHeadProperties) {
  const { fragments } = result.tables;
  const { found } = result;
  const isBlob = found !== null && query >= 0;
  const offer = (member: number, at: number, place: string) => (isBlob ? blobOption(result, found, [query, member], at, members.length, place) : T.member(at, members.length, place));
  const [from, to] = result.lines(id);
  const offered = members.length > OFFERED ? [...new Set([id, ...members.slice(0, OFFERED)])] : members;
  return (
    <div class="side-head">
      <a href={sourceAddress(fragments.file[id], from)} title={T.openSource}>
        <Path path={result.path(id)} />
      </a>
      <span class="muted nowrap">{T.lineRange(from, to)}</span>
      {isBlob && members.length > 1 && <BlobSteps members={members} id={id} choose={choose} />}
      {members.length > (isBlob ? 1 : 2) && (
        <select aria-label={label} value={id} onChange={(event) => choose(Number((event.target as HTMLSelectElement).value))}>
          {offered.map((member) => (
            <option key={member} value={member}>
              {offer(member, members.indexOf(member) + 1, visible(T.range(result.path(member), ...result.lines(member))))}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function Legend({ comparison, children }: { comparison: Comparison; children: ComponentChildren }) {
  const states = new Set(comparison.rows.map((row) => row.state));
  const shown = (["same", "alike", "moved", "renamed", "changed", "left"] as const).filter((state) => states.has(state) || (state === "left" && states.has("right")));
  return (
    <div class="legend">
      {shown.map((state) => (
        <span key={state} class="legend-item">
          <span class={`swatch s-${state}`} />
          {T.legend[state]}
        </span>
      ))}
      {comparison.renames.length > 0 && (
        <span class="renames">
          <span class="muted">{T.renames}</span>
          {comparison.renames.slice(0, 12).map(({ from, to, times }) => (
            <span key={from} class="rename">
              {visible(from)} → {visible(to)} <span class="muted">{T.times(times)}</span>
            </span>
          ))}
          {comparison.renames.length > 12 && <span class="muted">{T.more(comparison.renames.length - 12)}</span>}
        </span>
      )}
      {children}
    </div>
  );
}

type Shown = (Row & { outside: boolean }) | { fold: "above" | "below"; lines: number };

/** The rows of both sides, with as many lines around the finding as are open. */
function shownRows(comparison: Comparison, sources: Sides<Source>, lines: Sides<[number, number]>, open: Sides<number>): Shown[] {
  const shown: Shown[] = [];
  const before = lines.map(([from]) => from - 1);
  const after = lines.map(([, to], side) => Math.max(0, sources[side].lines - to));
  const [mostBefore, mostAfter] = [Math.max(before[0], before[1]), Math.max(after[0], after[1])];
  const [above, below] = [Math.min(open[0], mostBefore), Math.min(open[1], mostAfter)];
  const state: State = "same";
  const hiddenAbove = mostBefore - above;
  if (hiddenAbove > 0) shown.push({ fold: "above", lines: hiddenAbove });
  for (let at = above; at > 0; at--) {
    const [left, right] = lines.map(([from]) => Math.max(0, from - at));
    shown.push({ left, right, state, outside: true });
  }
  for (const row of comparison.rows) shown.push({ ...row, outside: false });
  for (let at = 1; at <= below; at++) {
    const [left, right] = lines.map(([, to], side) => (to + at <= sources[side].lines ? to + at : 0));
    shown.push({ left, right, state, outside: true });
  }
  const hiddenBelow = mostAfter - below;
  if (hiddenBelow > 0) shown.push({ fold: "below", lines: hiddenBelow });
  return shown;
}

interface PanesProperties {
  result: Result;
  sides: Sides<number>;
  sources: Sides<Source>;
  lines: Sides<[number, number]>;
  comparison: Comparison;
  /** Statements that correspond, where that is known. */
  matched: Span[];
}

function Panes({ result, sides, sources, lines, comparison, matched }: PanesProperties) {
  const [open, setOpen] = useState<Sides<number>>([AROUND, AROUND]);
  const linked = useMemo(() => counterparts(matched), [matched]);
  const shown = useMemo(() => shownRows(comparison, sources, lines, open), [comparison, open]);
  const boxes: Sides<RefObject<HTMLDivElement | null>> = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const [view, setView] = useState<[number, number]>([0, 1]);
  const follow = (side: number) => (box: HTMLDivElement) => {
    const other = boxes[1 - side].current;
    if (other) {
      if (topOf(other) !== topOf(box)) scrollTo(other, topOf(box));
      if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
    }
    const whole = shown.length * LINE;
    setView([topOf(box) / whole, (topOf(box) + box.clientHeight) / whole]);
  };
  useEffect(() => {
    const box = boxes[0].current;
    if (box) setView([0, box.clientHeight / (shown.length * LINE)]);
  }, [shown.length]);
  const unfold = (which: "above" | "below") =>
    setOpen(([above, below]) => (which === "above" ? [above + STEP, below] : [above, below + STEP]));
  const jump = (fraction: number) => {
    const box = boxes[0].current;
    if (box) scrollTo(box, fraction * shown.length * LINE - box.clientHeight / 2);
  };
  const pane = (side: 0 | 1) => (
    <div class="pane">
      <Rows
        box={boxes[side]}
        class="code"
        role="presentation"
        tabIndex={0}
        aria-label={`${side === 0 ? T.left : T.right}: ${visible(result.path(sides[side]))}`}
        count={shown.length}
        height={LINE}
        onScroll={follow(side)}
        row={(at) => (
          <CodeRow
            key={at}
            row={shown[at]}
            side={side}
            source={sources[side]}
            changes={side === 0 ? comparison.leftChanges : comparison.rightChanges}
            linked={linked[side]}
            unfold={unfold}
          />
        )}
      />
    </div>
  );
  return (
    <div class="panes">
      {pane(0)}
      {pane(1)}
      <Strip rows={shown} view={view} jump={jump} />
    </div>
  );
}

interface CodeRowProperties {
  row: Shown;
  side: 0 | 1;
  source: Source;
  changes: Map<number, TokenChange[]>;
  /** The lines on the other side to which lines correspond. */
  linked: Map<number, [number, number]>;
  unfold: (which: "above" | "below") => void;
}

function CodeRow({ row, side, source, changes, linked, unfold }: CodeRowProperties) {
  if ("fold" in row) {
    return (
      <div class="line fold">
        {side === 0 ? (
          <button onClick={() => unfold(row.fold)} title={T.foldUp}>
            {row.fold === "above" ? "↑" : "↓"} {T.fold(row.lines)}
          </button>
        ) : (
          <span />
        )}
      </div>
    );
  }
  const line = side === 0 ? row.left : row.right;
  const state = row.outside ? "outside" : line === 0 ? "none" : row.state === "right" ? "left" : row.state;
  const counterpart = row.outside ? undefined : linked.get(line);
  return (
    <div class={`line s-${state}`} title={counterpart && E.corresponds(counterpart)}>
      <span class="gutter">{line > 0 ? line : ""}</span>
      {line > 0 ? <Code source={source} line={line} changes={row.outside ? undefined : changes.get(line)} /> : <code />}
      {counterpart && state === "moved" && <span class="counterpart">{E.counterpart(counterpart)}</span>}
    </div>
  );
}

/** One side by itself, where the other is missing. */
function Alone({ source, lines: [from, to] }: { source: Source; lines: [number, number] }) {
  return (
    <Rows
      class="code"
      role="presentation"
      tabIndex={0}
      count={to - from + 1}
      height={LINE}
      row={(at) => (
        <div key={at} class="line">
          <span class="gutter">{number(from + at).replaceAll(",", "")}</span>
          <Code source={source} line={from + at} />
        </div>
      )}
    />
  );
}

/** The whole comparison as a bar code; a click goes there. */
function Strip({ rows, view, jump }: { rows: Shown[]; view: [number, number]; jump: (fraction: number) => void }) {
  const runs = useMemo(() => {
    const list: { from: number; to: number; state: string }[] = [];
    rows.forEach((row, at) => {
      const state = "fold" in row || row.outside ? "outside" : row.state;
      const before = list[list.length - 1];
      if (before?.state === state) before.to = at + 1;
      else list.push({ from: at, to: at + 1, state });
    });
    return list;
  }, [rows]);
  const percentOf = (at: number) => (at / rows.length) * 100;
  const drag = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    jump((event.clientY - box.top) / box.height);
  };
  return (
    <svg class="strip" viewBox="0 0 10 100" preserveAspectRatio="none" role="img" aria-label={T.strip} onPointerDown={drag} onPointerMove={drag}>
      {runs.map(({ from, to, state }) => (
        <rect
          key={from}
          class={`s-${state}`}
          x={state === "right" ? 5 : 0}
          width={state === "left" || state === "right" ? 5 : 10}
          y={percentOf(from)}
          height={Math.max(percentOf(to - from), 0.3)}
        />
      ))}
      <rect class="view" x="0" width="10" y={Math.min(view[0], 1) * 100} height={Math.max(0, Math.min(view[1], 1) - view[0]) * 100} />
    </svg>
  );
}
