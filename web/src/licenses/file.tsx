// One file: its text with the lines that say something, and all that speaks for it.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Source } from "../compare/tokens";
import { Code } from "../parts/code";
import { isTyping, hasModifier } from "../parts/keys";
import { Path } from "../parts/labels";
import { useLoaded } from "../parts/loaded";
import { Rows, reveal } from "../parts/rows";
import { visible } from "../parts/visible";
import { go } from "../router";
import { L, T, percent } from "../text";
import type { LicenseData } from "./data";
import { byLine, COPYRIGHT, evidenceLines, type EvidenceLines } from "./evidence-lines";
import { lastList } from "./files";
import { fileAddress, licenseAddress } from "./filter";
import { layerText, LicenseText } from "./labels";
import { DISAGREES, HERE, type Details, type Table } from "./model";

const LINE = 20;
const NO_RUNS = { starts: new Uint32Array(0), ends: new Uint32Array(0), kinds: new Uint8Array(0) };

interface Properties {
  table: Table;
  data: LicenseData;
  parts: string[];
  params: URLSearchParams;
}

export function FileView({ table, data, parts, params }: Properties) {
  const file = Number(parts[0] || NaN);
  if (!Number.isInteger(file) || file < 0 || file >= table.paths.length) return <p class="notice">{T.unknownFile}</p>;
  return <File table={table} data={data} file={file} line={Number(params.get("line")) || 0} />;
}

function File({ table, data, file, line }: { table: Table; data: LicenseData; file: number; line: number }) {
  const details = useLoaded(() => data.detailsOf(file), [file]);
  const text = useLoaded(() => data.textOf(file), [file]);
  const source = useMemo(() => (text == null ? null : new Source({ text, ...NO_RUNS })), [text]);
  const list = useMemo(() => (details ? evidenceLines(table, file, details) : []), [details]);
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(line);
  const jump = (to: number) => {
    setAt(to);
    reveal(box.current, to - 1, LINE, true);
  };
  useEffect(() => {
    if (line > 0) jump(line);
  }, [source, line]);
  const places = useMemo(() => [...new Set(list.map(({ from }) => from))], [list]);
  const step = (by: number) => {
    const next = by > 0 ? places.find((from) => from > at) : places.findLast((from) => from < at);
    const to = next ?? (by > 0 ? places[0] : places.at(-1));
    if (to !== undefined) jump(to);
  };
  useKeys(file, step);
  return (
    <div class="source license-file">
      <Heading table={table} file={file} />
      <div class="source-body">
        <div class="license-text-side">
          {places.length > 0 && source && <Jumps at={at} places={places} step={step} />}
          {source && <Text source={source} list={list} at={at} box={box} />}
          {source && source.lines < table.lines[file] && <p class="cut">{L.cut(source.lines, table.lines[file])}</p>}
          {text === null && <NoText reason={details?.missing} />}
        </div>
        <aside class="detail license-detail">
          <Conclusion table={table} file={file} />
          {details && <LayerList table={table} file={file} details={details} jump={jump} />}
          {details && <Copyrights details={details} jump={jump} />}
        </aside>
      </div>
    </div>
  );
}

/** Escape leads back, j and k to the next and the previous file, n and p to the marked places. */
function useKeys(file: number, step: (by: number) => void): void {
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      if (hasModifier(event) || isTyping(event)) return;
      const beside = (by: number) => {
        const next = lastList.list.indexOf(file) + by;
        if (next < 0 || next >= lastList.list.length) return;
        lastList.at = next;
        go(fileAddress(lastList.list[next]));
      };
      const steps: Record<string, () => void> = { n: () => step(1), p: () => step(-1), j: () => beside(1), k: () => beside(-1), Escape: () => go(lastList.address) };
      if (!Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      steps[event.key]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

function Heading({ table, file }: { table: Table; file: number }) {
  return (
    <div class="heading">
      <div class="heading-line">
        <a class="back" href={lastList.address}>← {L.back}</a>
        <h1><Path path={table.paths[file]} /></h1>
        {table.lines[file] > 0 && <span class="muted">{L.lines(table.lines[file])}</span>}
      </div>
    </div>
  );
}

function Jumps({ at, places, step }: { at: number; places: number[]; step: (by: number) => void }) {
  const current = places.indexOf(at);
  return (
    <div class="jumps">
      <span class="muted" role="status">{current < 0 ? L.evidencePlaces(places.length) : L.evidencePlaceOf(current + 1, places.length)}</span>
      <button onClick={() => step(-1)} aria-label={L.previousPlace} title={L.previousPlace}>↑</button>
      <button onClick={() => step(1)} aria-label={L.nextPlace} title={L.nextPlace}>↓</button>
    </div>
  );
}

function Text({ source, list, at, box }: { source: Source; list: EvidenceLines[]; at: number; box: preact.RefObject<HTMLDivElement | null> }) {
  const kindOfLine = useMemo(() => byLine(list), [list]);
  const of = (line: number) => {
    const kind = kindOfLine.get(line);
    return `line${kind === undefined ? "" : kind === COPYRIGHT ? " claims" : ` says lc-${kind}`}${line === at ? " target" : ""}`;
  };
  return (
    <Rows
      box={box}
      class="code file-code"
      role="presentation"
      tabIndex={0}
      aria-label={L.text}
      count={source.lines}
      height={LINE}
      row={(place) => (
        <div key={place} class={of(place + 1)}>
          <span class="gutter">{place + 1}</span>
          <Code source={source} line={place + 1} />
        </div>
      )}
    />
  );
}

function NoText({ reason }: { reason: string | undefined }) {
  return (
    <div class="missing">
      <p>{L.missing}</p>
      {reason !== undefined && <p class="muted">{T.missingWhy(visible(reason))}</p>}
    </div>
  );
}

function Conclusion({ table, file }: { table: Table; file: number }) {
  const expression = table.expressions[table.license[file]];
  const only = expression?.licenses.length === 1 ? expression.licenses[0] : undefined;
  return (
    <section>
      <h2>{L.concluded}</h2>
      <p class="conclusion">
        {only === undefined ? <LicenseText expression={expression} /> : <a href={licenseAddress(table.licenses[only].name)}><LicenseText expression={expression} /></a>}
      </p>
      {expression && (
        <p class="muted">
          <span title={L.categoryWhat[expression.category]}>{L.categories[expression.category] ?? visible(expression.category)}</span> · {L.byLayerOf(layerText(table.kinds[table.by[file]]))}
        </p>
      )}
      {expression && only === undefined && (
        <ul class="license-links">
          {expression.licenses.map((at) => <li key={at}><a href={licenseAddress(table.licenses[at].name)}>{visible(table.licenses[at].name)}</a></li>)}
        </ul>
      )}
    </section>
  );
}

interface ListProperties {
  table: Table;
  file: number;
  details: Details;
  jump: (line: number) => void;
}

function LayerList({ table, file, details, jump }: ListProperties) {
  const first = table.firstLayer[file];
  return (
    <section>
      <h2>{L.layers(details.layers.filter((_, at) => table.kinds[table.layers.kind[first + at]] !== "none").length)}</h2>
      <ol class="layer-list">
        {details.layers.map(([evidence, path, rule, score], at) => {
          const layer = first + at;
          const expression = table.expressions[table.layers.license[layer]];
          return (
            <li key={at}>
              <div class="layer-head">
                <b>{layerText(table.kinds[table.layers.kind[layer]])}</b>
                {(table.layers.flags[layer] & DISAGREES) > 0 && <span class="differs-badge">{L.disagrees}</span>}
              </div>
              {expression && <p><LicenseText expression={expression} /></p>}
              <p>{visible(evidence)}</p>
              <LayerPlace table={table} layer={layer} path={path} jump={jump} />
              {rule !== null && <p class="muted">{L.rule} <code>{visible(rule)}</code>{score !== null && ` · ${L.score(percent(score))}`}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const positions = new WeakMap<Table, Map<string, number>>();

/** The number of the file at a path, or none where the report has no such file. */
function fileAt(table: Table, path: string): number | undefined {
  let map = positions.get(table);
  if (!map) positions.set(table, (map = new Map(table.paths.map((one, at) => [one, at]))));
  return map.get(path);
}

/** Where a layer stands: a jump in this file, a link to another. */
function LayerPlace({ table, layer, path, jump }: { table: Table; layer: number; path: string | null; jump: (line: number) => void }) {
  const { flags, start, end } = table.layers;
  const lines = start[layer] > 0 ? L.line(start[layer], end[layer]) : "";
  if (flags[layer] & HERE) return lines === "" ? null : <p><button class="quiet jump" onClick={() => jump(start[layer])}>{lines}</button></p>;
  if (path === null) return null;
  const other = fileAt(table, path);
  const place = <Path path={path} line={start[layer] || undefined} />;
  return <p class="place">{other === undefined ? place : <a href={fileAddress(other, start[layer])}>{place}</a>}</p>;
}

function Copyrights({ details: { copyrights }, jump }: { details: Details; jump: (line: number) => void }) {
  return (
    <section>
      <h2>{L.copyrights}</h2>
      {copyrights.length === 0 && <p class="muted">{L.noCopyrights}</p>}
      <ul class="claims-list">
        {copyrights.slice(0, CLAIMS).map(([statement, holder, from, to], at) => (
          <li key={at}>
            <span>{visible(statement)}</span>
            {holder !== null && !statement.includes(holder) && <span class="muted">{visible(holder)}</span>}
            <button class="quiet jump" onClick={() => jump(from)}>{L.line(from, to)}</button>
          </li>
        ))}
        {copyrights.length > CLAIMS && <li class="muted">{L.more(copyrights.length - CLAIMS)}</li>}
      </ul>
    </section>
  );
}

/** Claims that are listed; a list of authors may have thousands. */
const CLAIMS = 300;
