// A whole file, with its findings in the margin.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Posts } from "../audit/posts";
import { Source } from "../compare/tokens";
import { NO_CLASS, type Result } from "../data/result";
import { stretchesOf } from "../findings/found-stretches";
import { Code, Missing } from "../parts/code";
import { isTyping, hasModifier } from "../parts/keys";
import { Name, Path, TypeBadge, nameOf } from "../parts/labels";
import { lastList } from "../parts/last-list";
import { Rows, reveal } from "../parts/rows";
import { compareAddress, go, pathSearch } from "../router";
import { F, T, percent } from "../text";

const LINE = 20;
/** Lanes of the margin; what finds no room shares the last. */
const LANES = 6;

interface Place {
  id: number;
  from: number;
  to: number;
  lane: number;
  type: number;
  /** What it is compared with. */
  other: number;
}

function places(result: Result, file: number): Place[] {
  const ends: number[] = [];
  const list = result.found ? stretchesOf(result, result.found, file) : fragments(result, file);
  return list.map((place) => {
    let lane = ends.findIndex((end) => end < place.from);
    if (lane < 0) lane = Math.min(ends.length, LANES - 1);
    ends[lane] = Math.max(ends[lane] ?? 0, place.to);
    return { ...place, lane };
  });
}

/** The fragments of a file that are in a class. */
function fragments(result: Result, file: number): Omit<Place, "lane">[] {
  const list = [];
  for (let id = result.firstOfFile[file]; id < result.firstOfFile[file + 1]; id++) {
    const number = result.classOf[id];
    if (number === NO_CLASS) continue;
    const [from, to] = result.lines(id);
    const members = result.members(number);
    const other = members[0] === id ? (members[1] ?? id) : members[0];
    list.push({ id, from, to, type: result.typeOf(id, other), other });
  }
  return list;
}

export function SourceView({ result, parts, params }: { result: Result; parts: string[]; params: URLSearchParams }) {
  const file = Number(parts[0]);
  const known = Number.isInteger(file) && file >= 0 && file < result.tables.files.paths.length;
  useLayoutEffect(() => {
    // At once, so that the next key meets what this one changed.
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || hasModifier(event) || isTyping(event)) return;
      if (history.length > 1) history.back();
      else go(lastList.address);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  if (!known) return <p class="notice">{T.unknownFile}</p>;
  return <File result={result} file={file} line={Number(params.get("line")) || 0} />;
}

function File({ result, file, line }: { result: Result; file: number; line: number }) {
  const { files } = result.tables;
  const [source, setSource] = useState<Source | null>();
  const box = useRef<HTMLDivElement>(null);
  const list = useMemo(() => places(result, file), [result, file]);
  useEffect(() => {
    let current = true;
    void result
      .source(file)
      .catch(() => null)
      .then((text) => {
        if (current) setSource(text && new Source(text));
      });
    return () => {
      current = false;
    };
  }, [file]);
  useEffect(() => {
    if (line > 0) reveal(box.current, line - 1, LINE, true);
  }, [source, line]);
  const lanes = list.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
  const [duplicated, lines] = [result.duplicated[file], files.lines[file]];
  return (
    <div class="source">
      <div class="heading">
        <div class="heading-line">
          <a class="back" href={lastList.address}>← {T.back}</a>
          <h1><Path path={files.paths[file]} /></h1>
          <span class="muted">
            {files.languages[files.language[file]]}
            {lines > 0 && (!result.found || duplicated > 0) && ` · ${(result.found ? F.knownHere : T.duplicatedHere)(duplicated, lines)} (${percent(duplicated / lines)})`}
          </span>
        </div>
      </div>
      <div class="source-body">
        {source ? (
          <Rows
            box={box}
            class="code file-code"
            role="presentation"
            tabIndex={0}
            aria-label={T.views.source}
            count={source.lines}
            height={LINE}
            row={(at) => (
              <div key={at} class={at + 1 === line ? "line target" : "line"}>
                <span class="gutter">{at + 1}</span>
                <Margin list={list} line={at + 1} lanes={lanes} result={result} />
                <Code source={source} line={at + 1} />
              </div>
            )}
          />
        ) : (
          source === null && <Missing reason={files.missing.get(file)} />
        )}
        <aside class="detail">
          {result.audit && <Posts audit={result.audit} fragment={result.firstOfFile[file]} />}
          <h2>{result.found ? F.findingsHere : T.findingsHere}</h2>
          <p class="facts"><a href={pathSearch(files.paths[file])}>{T.allFindings}</a></p>
          <Rows
            class="members"
            role="list"
            count={list.length}
            height={44}
            row={(at) => (
              <div key={at} class="member" role="listitem">
                <span class="member-title">
                  <TypeBadge type={list[at].type} />
                  <a href={compareAddress(list[at].id, list[at].other)} class="name"><Name result={result} fragment={result.found ? list[at].other : list[at].id} /></a>
                  <button class="quiet nowrap muted" onClick={() => reveal(box.current, list[at].from - 1, LINE, true)}>
                    {T.lineRange(list[at].from, list[at].to)}
                  </button>
                </span>
                <Path path={result.path(list[at].other)} line={result.lines(list[at].other)[0]} />
              </div>
            )}
          />
        </aside>
      </div>
    </div>
  );
}

/** What covers a line, a lane for each. */
function Margin({ list, line, lanes, result }: { list: Place[]; line: number; lanes: number; result: Result }) {
  const bars = [];
  for (let lane = 0; lane < lanes; lane++) {
    const place = list.find((place) => place.lane === lane && place.from <= line && line <= place.to);
    bars.push(
      place ? (
        <a
          key={lane}
          class={`lane type-${place.type}${place.from === line ? " first" : ""}${place.to === line ? " last" : ""}`}
          href={compareAddress(place.id, place.other)}
          title={`${nameOf(result, place.id)} · ${T.lineRange(place.from, place.to)}`}
          tabIndex={place.from === line ? 0 : -1}
          aria-label={`${T.compare}: ${nameOf(result, place.id)}`}
        />
      ) : (
        <span key={lane} class="lane" />
      ),
    );
  }
  return <span class="margin">{bars}</span>;
}
