// The findings in a table: filtered, sorted, and one of them at the side.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { AuditBar, VerdictCell, VerdictDetail } from "../audit/findings";
import type { Fingerprints, FindingKind } from "../data/model";
import type { Result } from "../data/result";
import { useDecisionStore, useFingerprints, useFindingDecisions } from "../decisions/by-finding";
import { decisionStore } from "../decisions/store";
import { download } from "../download";
import { useCodeHits } from "../findings/code-search";
import { csv, json } from "../findings/export";
import { DECISIONS, EVERYTHING, findings, fromParams, toParams, type Column, type Filter } from "../findings/filter";
import { nested, rowsOf } from "../findings/same-lines";
import { FoundBar, FoundCells, FoundDetail } from "../found/findings";
import { JudgementBadge, useDecisionKeys, type Subject } from "../parts/decide";
import { Name, Path, TypeBadge, nameOf } from "../parts/labels";
import { lastList } from "../parts/last-list";
import { useListKeys } from "../parts/list-keys";
import { Meter, rangeOf } from "../parts/meter";
import { Preview } from "../parts/preview";
import { Rows, reveal, scrollTo } from "../parts/rows";
import { SameLines, useUnfoldKey } from "../parts/same-lines";
import { compareAddress, findingsAddress, go, replace, sourceAddress } from "../router";
import { A, F, T, number, typeLong } from "../text";
import { widths } from "./widths";

const ROW = 30;

/** The two fragments that a finding is compared by. */
export function sidesOf(result: Result, kind: FindingKind, finding: number): [number, number] {
  const { pairs } = result.tables;
  if (kind === "pairs") return [pairs.left[finding], pairs.right[finding]];
  const members = result.members(finding);
  // Of an audit: the code here, and the place elsewhere that the verdict is about.
  if (result.audit) return [members[0], result.audit.table.findings.origin[finding]];
  return [members[0], members[1] ?? members[0]];
}

export function Findings({ result, params }: { result: Result; params: URLSearchParams }) {
  const [filter, setFilter] = useState(() => fromParams(params));
  const decisions = useFindingDecisions(result);
  const code = useCodeHits(result, filter, decisions);
  const passing = useMemo(() => findings(result, filter, decisions, code?.hits), [result, filter, filter.decision && decisions, code]);
  const groups = useMemo(() => nested(result, filter.kind, passing), [result, filter.kind, passing]);
  const [unfolded, setUnfolded] = useState(() => (lastList.address === findingsAddress(toParams(filter)) ? lastList.open : new Set<number>()));
  const { rows: list, isUnder } = useMemo(() => rowsOf(groups, unfolded), [groups, unfolded]);
  const [at, setAt] = useState(() => (lastList.address === findingsAddress(toParams(filter)) ? lastList.at : 0));
  const search = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const known = useRef(params);
  useEffect(() => {
    if (known.current === params) return;
    known.current = params;
    setFilter(fromParams(params));
    setUnfolded(new Set());
    setAt(0);
  }, [params]);
  const change = (part: Partial<Filter>) => {
    setFilter((before) => ({ ...before, ...part }));
    if (part.kind) setUnfolded(new Set());
    setAt(0);
    scrollTo(box.current, 0);
  };
  const chosen = Math.min(at, Math.max(list.length - 1, 0));
  useEffect(() => {
    const address = findingsAddress(toParams(filter));
    Object.assign(lastList, { address, kind: filter.kind, list, at: chosen, open: unfolded });
    const timer = setTimeout(() => replace(address), 200);
    return () => clearTimeout(timer);
  }, [filter, list, chosen]);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(list.length - 1, to));
    setAt(next);
    reveal(box.current, next, ROW);
    box.current?.focus({ preventScroll: true });
  };
  useEffect(() => reveal(box.current, chosen, ROW, chosen > 20), []);
  const open = (place: number) => {
    if (list.length === 0) return;
    const address = findingsAddress(toParams(filter));
    replace(address);
    Object.assign(lastList, { address, kind: filter.kind, list, at: place });
    go(compareAddress(...sidesOf(result, filter.kind, list[place])));
  };
  useListKeys({ count: list.length, chosen, row: ROW, move, open, search, box });
  // What a search finds has no fingerprint that a decision could be kept by.
  useDecisionKeys(useSubject(result, filter.kind, list.length > 0 && !result.found ? list[chosen] : null));
  /** Shows or hides what stands in the same lines as a row, which stays where it is. */
  const unfold = (place: number) => {
    const head = list.slice(0, place + 1).findLast((_, at) => isUnder[at] === 0);
    if (head === undefined || !groups.under.has(head)) return;
    const next = new Set(unfolded);
    if (!next.delete(head)) next.add(head);
    setUnfolded(next);
    setAt(list.indexOf(head));
  };
  useUnfoldKey(() => unfold(chosen));
  const hasMore = groups.hidden > 0;
  const columns = useMemo(() => ({ ...widths(result, filter.kind), "--more": hasMore ? "max(64px, var(--more-words, 0px))" : "0px" }), [result, filter.kind, hasMore]);
  const words = result.found ? F : result.audit ? A : T;
  const total = filter.kind === "classes" ? result.tables.classes.type.length : result.tables.pairs.left.length;
  return (
    <div class="findings">
      <Bar result={result} filter={filter} change={change} search={search} />
      <div class="findings-status">
        <span role="status">
          {words.found(passing.length, total, filter.kind)}
          {groups.hidden > 0 && `, ${T.sameLinesHidden(groups.hidden)}`}
          {code && code.progress < 1 && `, ${T.searchingCode(code.progress, code.isDone)}`}
        </span>
        <Keys keys={T.keys.filter(([keys, what]) => (!result.found || what !== T.keyDecides) && (groups.hidden > 0 || keys !== T.keyUnfold))} />
        <Exports result={result} filter={filter} list={passing} />
      </div>
      <div class="findings-body">
        <div class="table" style={columns}>
          <Rows
            box={box}
            class={`${filter.kind} ${shapeOf(result)}`}
            role="grid"
            tabIndex={0}
            aria-label={T.findingsTable}
            aria-rowcount={list.length}
            aria-activedescendant={list.length ? `row-${chosen}` : undefined}
            head={<Headers filter={filter} change={change} result={result} />}
            count={list.length}
            height={ROW}
            row={(place) => (
              <div
                key={place}
                id={`row-${place}`}
                role="row"
                aria-rowindex={place + 1}
                aria-selected={place === chosen}
                class={isUnder[place] ? "row under" : "row"}
                onClick={() => setAt(place)}
                onDblClick={() => open(place)}
              >
                {result.found ? (
                  <FoundCells result={result} found={result.found} kind={filter.kind} finding={list[place]} />
                ) : (
                  <Cells result={result} kind={filter.kind} finding={list[place]} judgement={decisions?.[filter.kind][list[place]] ?? 0}>
                    <SameLines count={groups.under.get(list[place])?.length ?? 0} isOpen={unfolded.has(list[place])} toggle={() => unfold(place)} />
                  </Cells>
                )}
              </div>
            )}
          />
          {list.length === 0 && <p class="notice">{total === 0 ? T.nothingFound : T.nothingPasses}</p>}
        </div>
        {list.length > 0 && !result.found && <Detail result={result} kind={filter.kind} finding={list[chosen]} open={() => open(chosen)} />}
        {list.length > 0 && result.found && <FoundDetail result={result} found={result.found} sides={sidesOf(result, filter.kind, list[chosen])} open={() => open(chosen)} />}
      </div>
    </div>
  );
}

/** What a key decides on. */
export function useSubject(result: Result, kind: FindingKind, finding: number | null): Subject | null {
  useDecisionStore();
  const prints = useFingerprints(result, decisionStore.latest.size > 0);
  if (finding === null) return null;
  const [first] = sidesOf(result, kind, finding);
  const name = result.name(first);
  const place = `${result.path(first)}:${result.lines(first)[0]}${name ? ` ${name}` : ""}`;
  const of = (prints: Fingerprints) => prints[kind].slice(finding * 32, finding * 32 + 32);
  return { fingerprint: prints && of(prints), find: async () => of(await result.fingerprints()), place };
}

function Keys({ keys }: { keys: string[][] }) {
  return (
    <span class="keys" aria-label={T.keysTitle}>
      {keys.map(([keys, what]) => (
        <span key={keys}>
          {keys.split(" ").map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}{" "}
          {what}
        </span>
      ))}
    </span>
  );
}

interface BarProperties {
  result: Result;
  filter: Filter;
  change: (part: Partial<Filter>) => void;
  search: preact.RefObject<HTMLInputElement | null>;
}

function Bar({ result, filter, change, search }: BarProperties) {
  const { files, pairs } = result.tables;
  const types = useMemo(() => [1, 2, 3, 4].filter((type) => pairs.type.includes(type)), [pairs]);
  const languages = useMemo(() => [...files.languages].sort(), [files]);
  const toggle = (type: number) =>
    change({ types: filter.types.includes(type) ? filter.types.filter((other) => other !== type) : [...filter.types, type].sort() });
  const show = (kind: FindingKind) => change({ kind, sort: "rank", descending: false });
  const value = (event: Event) => (event.target as HTMLInputElement).value;
  const narrowed = toParams({ ...filter, kind: "classes", sort: "rank", descending: false }).size > 0;
  return (
    <form class="bar" onSubmit={(event) => event.preventDefault()}>
      <div class="segmented" role="group" aria-label={T.views.findings}>
        <button type="button" aria-pressed={filter.kind === "classes"} onClick={() => show("classes")}>{result.found ? F.filesTab : result.audit ? A.findingsTab : T.classesTab}</button>
        <button type="button" aria-pressed={filter.kind === "pairs"} onClick={() => show("pairs")}>{result.found ? F.matchesTab : T.pairsTab}</button>
      </div>
      <input
        ref={search}
        class="search"
        type="search"
        spellcheck={false}
        autocomplete="off"
        placeholder={T.search}
        aria-label={T.search}
        title={T.searchHint}
        value={filter.query}
        onInput={(event) => change({ query: value(event) })}
      />
      <div class="segmented" role="group" aria-label={T.type}>
        {types.map((type) => (
          <button key={type} type="button" aria-pressed={filter.types.includes(type)} title={typeLong(type)} onClick={() => toggle(type)}>
            T{type}
          </button>
        ))}
      </div>
      <select aria-label={T.language} title={T.language} value={filter.language} onChange={(event) => change({ language: value(event) })}>
        <option value="">{T.anyLanguage}</option>
        {languages.map((language) => (
          <option key={language} value={language}>{language}</option>
        ))}
      </select>
      {!result.found && (
        <select aria-label={T.decisionFilter} title={T.decisionFilter} value={filter.decision} onChange={(event) => change({ decision: value(event) as Filter["decision"] })}>
          <option value="">{T.anyDecision}</option>
          {DECISIONS.map((decision) => (
            <option key={decision} value={decision}>{T.decisionOption[decision]}</option>
          ))}
        </select>
      )}
      {result.audit && <AuditBar result={result} filter={filter.audit} change={(audit) => change({ audit })} />}
      {result.found && <FoundBar result={result} filter={filter.found} change={(found) => change({ found })} />}
      <label class="field">
        {result.found ? F.least : T.least}
        <input type="number" min={0} max={100} value={filter.least} onInput={(event) => change({ least: Number(value(event)) || 0 })} />
      </label>
      <label class="field">
        {T.most}
        <input type="number" min={0} max={100} value={filter.most} onInput={(event) => change({ most: value(event) === "" ? 100 : Number(value(event)) })} />
        %
      </label>
      <label class="field">
        {T.fewest}
        <input type="number" min={0} value={filter.lines || ""} placeholder="0" onInput={(event) => change({ lines: Number(value(event)) || 0 })} />
        {T.linesWord}
      </label>
      {narrowed && (
        <button type="button" class="quiet" onClick={() => change({ ...EVERYTHING, kind: filter.kind, sort: filter.sort, descending: filter.descending })}>
          {T.reset}
        </button>
      )}
    </form>
  );
}

function Exports({ result, filter, list }: { result: Result; filter: Filter; list: Uint32Array }) {
  const [busy, setBusy] = useState(false);
  const save = async (how: typeof csv, extension: string, type: string) => {
    setBusy(true);
    try {
      download(await how(result, filter.kind, list), `familiar-${filter.kind}.${extension}`, type);
    } finally {
      setBusy(false);
    }
  };
  return (
    <span class="exports" role="group" aria-label={T.export}>
      {busy ? T.exporting : T.export}
      <button class="quiet" disabled={busy} onClick={() => save(csv, "csv", "text/csv")}>{T.csv}</button>
      <button class="quiet" disabled={busy} onClick={() => save(json, "json", "application/json")}>{T.json}</button>
    </span>
  );
}

type Shape = "" | "audited" | "found";

/** Which columns a result has. */
const shapeOf = ({ audit, found }: Result): Shape => (audit ? "audited" : found ? "found" : "");

const COLUMNS: Record<Shape, Record<FindingKind, Column[]>> = {
  "": { classes: ["rank", "type", "similarity", "lines", "tokens", "copies", "path"], pairs: ["type", "similarity", "lines", "tokens", "path"] },
  audited: { classes: ["rank", "type", "similarity", "lines", "copies", "verdict", "path"], pairs: ["type", "similarity", "lines", "verdict", "path"] },
  found: { classes: ["rank", "type", "coverage", "lines", "copies", "first", "path"], pairs: ["type", "coverage", "similarity", "lines", "path"] },
};

function Headers({ filter, change, result }: { filter: Filter; change: (part: Partial<Filter>) => void; result: Result }) {
  // Pairs come in the order of their paths.
  const sorted = filter.kind === "pairs" && filter.sort === "rank" ? "path" : filter.sort;
  const first = (column: Column) => column !== "rank" && column !== "path" && column !== "type" && column !== "first";
  const sort = (column: Column) => change({ sort: column, descending: sorted === column ? !filter.descending : first(column) });
  const shape = shapeOf(result);
  const names = shape === "found" ? F.columns : T.columns;
  return (
    <div class={`row headers ${filter.kind} ${shape}`} role="row">
      {COLUMNS[shape][filter.kind].map((column) => (
        <span
          key={column}
          role="columnheader"
          class={`cell-${column}`}
          aria-sort={sorted === column ? (filter.descending ? "descending" : "ascending") : "none"}
        >
          <button class="quiet" onClick={() => sort(column)}>
            {names[column]}
            {sorted === column && <span aria-hidden="true">{filter.descending ? " ↓" : " ↑"}</span>}
          </button>
        </span>
      ))}
    </div>
  );
}

function Cells({ result, kind, finding, judgement, children }: { result: Result; kind: FindingKind; finding: number; judgement: number; children: ComponentChildren }) {
  const { classes, pairs, fragments } = result.tables;
  const [left, right] = sidesOf(result, kind, finding);
  const isClass = kind === "classes";
  const type = isClass ? classes.type[finding] : pairs.type[finding];
  const [least, most] = isClass ? [result.least[finding], result.most[finding]] : [pairs.similarity[finding], pairs.similarity[finding]];
  return (
    <>
      {isClass && <span role="gridcell" class="cell-rank">{number(finding + 1)}</span>}
      <span role="gridcell" class="cell-type"><TypeBadge type={type} /></span>
      <span role="gridcell" class="cell-similarity"><Meter least={least} most={most} /></span>
      <span role="gridcell" class="cell-lines">{number(isClass ? fragments.lines[left] : Math.max(fragments.lines[left], fragments.lines[right]))}</span>
      {!result.audit && <span role="gridcell" class="cell-tokens">{number(isClass ? fragments.tokens[left] : Math.max(fragments.tokens[left], fragments.tokens[right]))}</span>}
      {isClass && <span role="gridcell" class="cell-copies">{number(result.members(finding).length)}</span>}
      {result.audit && <VerdictCell audit={result.audit} kind={kind} finding={finding} sides={[left, right]} />}
      <span role="gridcell" class="cell-path">
        {isClass && <span class="name"><Name result={result} fragment={left} /></span>}
        <Path path={result.path(left)} line={fragments.start[left]} />
        {!isClass && <Path path={result.path(right)} line={fragments.start[right]} />}
        {children}
        <JudgementBadge at={judgement} />
      </span>
    </>
  );
}

function Detail({ result, kind, finding, open }: { result: Result; kind: FindingKind; finding: number; open: () => void }) {
  const { classes, pairs, fragments } = result.tables;
  const isClass = kind === "classes";
  const members = isClass ? result.members(finding) : Uint32Array.of(pairs.left[finding], pairs.right[finding]);
  const type = isClass ? classes.type[finding] : pairs.type[finding];
  const [least, most] = isClass ? [result.least[finding], result.most[finding]] : [pairs.similarity[finding], pairs.similarity[finding]];
  return (
    <aside class="detail">
      <h2><Name result={result} fragment={members[0]} /></h2>
      <p class="facts">
        <TypeBadge type={type} /> {typeLong(type)} · {rangeOf(least, most)} · {result.language(members[0])}{" "}
        {result.kind(members[0])}
      </p>
      <button class="primary" onClick={open}>{T.compare}</button>
      {result.audit && <VerdictDetail result={result} sides={sidesOf(result, kind, finding)} />}
      <h3>{T.membersOf(members.length)}</h3>
      <Rows
        class="members"
        role="list"
        count={members.length}
        height={44}
        row={(at) => {
          const id = members[at];
          const [from, to] = result.lines(id);
          return (
            <div key={at} class="member" role="listitem">
              <a href={at === 0 ? sourceAddress(fragments.file[id], from) : compareAddress(members[0], id)} title={at === 0 ? T.openSource : T.compare}>
                <Path path={result.path(id)} />
              </a>
              <span class="muted">
                {nameOf(result, id)} · {T.lineRange(from, to)}
              </span>
            </div>
          );
        }}
      />
      <Preview result={result} fragment={members[0]} />
    </aside>
  );
}
