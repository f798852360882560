// Who had some code first: its places on an axis of time, and the same as a table; or all findings by year.

import { useMemo } from "preact/hooks";
import { DecisionBadge, VerdictBadge, day, evidenceText, seen, useLoaded } from "../audit/parts";
import { PlaceTable } from "../audit/panel";
import { type Event, type Lane, type Timeline, ticks, timeline, widened } from "../audit/timeline";
import type { Audit } from "../audit/audit";
import type { FindingText, Place } from "../audit/model";
import type { Result } from "../data/result";
import { FoundTimeline } from "../found/timeline";
import { ByYears } from "../parts/by-years";
import { compareAddress, go, timelineAddress } from "../parts/router";
import { Name, Path, nameOf } from "../parts/small";
import { visible } from "../parts/visible";
import { A, T, number } from "../text";

export function TimelineView({ result, parts, params }: { result: Result; parts: string[]; params: URLSearchParams }) {
  const { audit, found } = result;
  if (found) return <FoundTimeline result={result} found={found} parts={parts} params={params} />;
  if (!audit) return <p class="notice">{A.timelineNone}</p>;
  if (!parts[0]) return <All result={result} audit={audit} year={Number(params.get("year")) || 0} />;
  const finding = Number(parts[0]);
  if (!Number.isInteger(finding) || finding < 0 || finding >= result.tables.classes.type.length) return <p class="notice">{T.unknownFinding}</p>;
  return <One key={finding} result={result} audit={audit} finding={finding} />;
}

function All({ result, audit, year }: { result: Result; audit: Audit; year: number }) {
  const words = { chart: A.byYear, all: A.timelineAll, what: A.findings, unknown: A.byYearMore, top: A.timelineTop };
  const columns = [A.timelineChoose, T.columns.path, A.verdict, A.timelineIn, A.timelineEarliest];
  return <ByYears years={audit.table.findings.year} year={year} words={words} columns={columns} row={(finding) => <FindingRow key={finding} result={result} audit={audit} finding={finding} />} />;
}

function FindingRow({ result, audit, finding }: { result: Result; audit: Audit; finding: number }) {
  const [first] = result.members(finding);
  return (
    <tr>
      <td><a class="name" href={timelineAddress(finding)}><Name result={result} fragment={first} /></a></td>
      <td class="where"><Path path={result.path(first)} line={result.lines(first)[0]} /></td>
      <td class="nowrap"><VerdictBadge verdict={audit.verdict(finding)} /> <DecisionBadge decision={audit.decision(finding)} /></td>
      <td class="named">{visible(audit.project(audit.table.findings.origin[finding]))}</td>
      <td>{audit.table.findings.year[finding] || A.unknownTime}</td>
    </tr>
  );
}

/** The places of all fragments of a finding, those of PATH with the time that pairs tell. */
async function gathered(result: Result, audit: Audit, finding: number): Promise<{ text: FindingText; line: Timeline }> {
  const [text, ...evidence] = await Promise.all([audit.text(finding), ...Array.from(result.members(finding), (id) => audit.evidence(id))]);
  const members = result.members(finding);
  const since = text.pairs.find((pair) => pair.since !== null)?.since ?? null;
  const found = evidence.map(({ places }, at) => {
    const isHere = at === 0;
    // A file of a tree has no occurrence; its history may tell a time.
    const own: Place[] = [{ project: audit.project(members[0]) || A.timelineHere, path: result.path(members[0]), first_line: 1, revision: null, first_seen: since, last_seen: null, evidence: since ? "commit-time" : "none" }];
    return { fragment: members[at], places: isHere && places.length === 0 ? own : places, isHere };
  });
  return { text, line: timeline(distinct(found)) };
}

/** Fragments of one file have the same places, which count once. */
function distinct<F extends { places: Place[] }>(found: F[]): F[] {
  const seen = new Set<Place[]>();
  return found.filter(({ places }) => !seen.has(places) && seen.add(places));
}

function One({ result, audit, finding }: { result: Result; audit: Audit; finding: number }) {
  const loaded = useLoaded(() => gathered(result, audit, finding), [finding]);
  const [first] = result.members(finding);
  const origin = audit.table.findings.origin[finding];
  return (
    <div class="timeline">
      <div class="timeline-head">
        <a class="back" href="#/timeline">← {A.timelineAll}</a>
        <h1>{A.timelineOf(nameOf(result, first))}</h1>
        <VerdictBadge verdict={audit.verdict(finding)} />
        <DecisionBadge decision={audit.decision(finding)} />
        <Path path={result.path(first)} line={result.lines(first)[0]} />
        <a href={compareAddress(first, origin)}>{A.timelineCompare}</a>
        <Chooser result={result} finding={finding} label={A.timelineChoose} />
      </div>
      {loaded === undefined && <p class="notice">{A.loading}</p>}
      {loaded === null && <p class="notice" role="alert">{A.notLoaded}</p>}
      {loaded && <Told reason={loaded.text.originReason} line={loaded.line} />}
    </div>
  );
}

/** Findings that a list offers. */
const OFFERED = 300;

export function Chooser({ result, finding, label }: { result: Result; finding: number; label: string }) {
  const count = result.tables.classes.type.length;
  const from = Math.max(0, Math.min(finding - OFFERED / 2, count - OFFERED));
  return (
    <select aria-label={label} value={finding} onChange={(event) => go(timelineAddress(Number(event.currentTarget.value)))}>
      {Array.from({ length: Math.min(OFFERED, count) }, (_, at) => from + at).map((other) => (
        <option key={other} value={other}>
          {`${number(other + 1)} ${nameOf(result, result.members(other)[0])}`}
        </option>
      ))}
    </select>
  );
}

/** When it was seen first, in a picture and in words; `known` is false where that proves nothing. */
export function Told({ reason, line, known = true }: { reason: string; line: Timeline; known?: boolean }) {
  return (
    <>
      <p class="timeline-first">
        {!known && <strong>{A.timelineNotKnown} </strong>}
        {line.first ? <strong>{A.timelineSince(day(line.first.place.first_seen), visible(line.first.place.project))}</strong> : <strong>{A.timelineNoTime}</strong>}{" "}
        <span class="muted">{visible(reason)}</span>
      </p>
      {line.first && <Chart line={line} />}
      {line.first && <Table line={line} />}
      {line.undated.length > 0 && (
        <details class="card" open={!line.first}>
          <summary title={A.timelineUndatedWhat}>{A.timelineUndated(line.undated.length)}</summary>
          <PlaceTable places={line.undated.slice(0, MOST_ROWS).map(({ place }) => place)} here={(at) => line.undated[at].isHere} />
        </details>
      )}
    </>
  );
}

const [WIDTH, LANE, HEAD, LETTER, RIGHT] = [1000, 26, 26, 7.2, 28];
/** Lanes that are drawn, rows of tables, and characters of a name. */
const [MOST_LANES, MOST_ROWS, LONGEST] = [40, 500, 36];

function Chart({ line }: { line: Timeline }) {
  const here = line.lanes.filter((lane) => lane.isHere);
  const drawn = line.lanes.length > MOST_LANES ? [...new Set([...line.lanes.slice(0, MOST_LANES), ...here])] : line.lanes;
  const [from, until] = widened(line.from, line.until);
  // As much room as the longest name takes.
  const names = 28 + LETTER * drawn.reduce((most, lane) => Math.max(most, laneName(lane).length), 6);
  const x = (at: number) => names + ((at - from) / (until - from)) * (WIDTH - names - RIGHT);
  const height = HEAD + drawn.length * LANE + 8;
  return (
    <section class="card">
      <Legend hasHere={here.length > 0} />
      <div class="timeline-box" tabIndex={0} role="group" aria-label={A.timeline}>
        <svg class="timeline-chart" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={A.chartLabel(visible(line.first?.place.project ?? ""), drawn.length)}>
          {ticks(from, until, 8).map(({ at, text }) => (
            <g key={at} class="tick">
              <line x1={x(at)} x2={x(at)} y1={HEAD - 6} y2={height} />
              <text x={x(at)} y={HEAD - 11}>{text}</text>
            </g>
          ))}
          {drawn.map((lane, at) => (
            <LaneRow key={`${lane.isHere}${lane.name}`} lane={lane} y={HEAD + at * LANE + LANE / 2} x={x} names={names} first={line.first} />
          ))}
        </svg>
      </div>
      {drawn.length < line.lanes.length && <p class="muted small">{A.timelineLanes(drawn.length, line.lanes.length)}</p>}
    </section>
  );
}

function laneName(lane: Lane): string {
  const name = visible(lane.name);
  return `${name.length > LONGEST ? `…${name.slice(-LONGEST)}` : name}${lane.projects.length > 1 ? ` +${lane.projects.length - 1}` : ""}`;
}

interface LaneProperties {
  lane: Lane;
  y: number;
  x: (at: number) => number;
  /** Where names end. */
  names: number;
  first: Event | null;
}

function LaneRow({ lane, y, x, names, first }: LaneProperties) {
  const until = lane.events.reduce((most, event) => Math.max(most, event.until), 0);
  const start = lane.events[0].from;
  // Events of one day are one dot.
  const dots = lane.events.filter((event, at) => at === 0 || Math.floor(event.from / 86_400_000) !== Math.floor(lane.events[at - 1].from / 86_400_000));
  return (
    <g class={lane.isHere ? "lane-row here" : "lane-row"}>
      <text class="lane-name" x={names - 14} y={y + 4}>
        <title>{lane.projects.map(visible).join(", ")}</title>
        {laneName(lane)}
      </text>
      {until > start && <line class="span" x1={x(start)} x2={x(until)} y1={y} y2={y} />}
      {dots.map((event, at) => (
        <g key={at}>
          {event === first && <circle class="ring" cx={x(event.from)} cy={y} r="9" />}
          {lane.isHere ? (
            <rect class="dot" x={x(event.from) - 5} y={y - 5} width="10" height="10" transform={`rotate(45 ${x(event.from)} ${y})`} />
          ) : (
            <circle class="dot" cx={x(event.from)} cy={y} r="5" />
          )}
          <title>{A.timelineEvent(visible(event.place.project), visible(event.place.path), day(event.place.first_seen), evidenceText(event.place.evidence))}</title>
        </g>
      ))}
    </g>
  );
}

function Legend({ hasHere }: { hasHere: boolean }) {
  const { timelineLegend } = A;
  return (
    <p class="timeline-legend" aria-hidden="true">
      <svg width="20" height="20" viewBox="0 0 20 20"><circle class="ring" cx="10" cy="10" r="8" /><circle class="dot" cx="10" cy="10" r="4.5" /></svg> {timelineLegend.first}
      <svg width="20" height="20" viewBox="0 0 20 20"><circle class="dot" cx="10" cy="10" r="5" /></svg> {timelineLegend.there}
      {hasHere && <><svg class="here" width="20" height="20" viewBox="0 0 20 20"><rect class="dot" x="5.5" y="5.5" width="9" height="9" transform="rotate(45 10 10)" /></svg> {timelineLegend.here}</>}
      <svg width="30" height="20" viewBox="0 0 30 20"><line class="span" x1="2" x2="28" y1="10" y2="10" /></svg> {timelineLegend.span}
    </p>
  );
}

function Table({ line }: { line: Timeline }) {
  const events = useMemo(() => line.lanes.flatMap((lane) => lane.events.map((event) => ({ lane, event }))).sort((a, b) => a.event.from - b.event.from), [line]);
  const { placeColumns } = A;
  return (
    <section class="card">
      <h2>{A.timelineTable}</h2>
      <div class="table-box" tabIndex={0} role="group" aria-label={A.timelineTable}>
        <table>
          <thead>
            <tr>{[placeColumns.seen, placeColumns.project, placeColumns.path, placeColumns.revision, placeColumns.rests].map((name) => <th key={name} scope="col">{name}</th>)}</tr>
          </thead>
          <tbody>
            {events.slice(0, MOST_ROWS).map(({ lane, event }, at) => (
              <tr key={at} class={lane.isHere ? "here" : undefined}>
                <td class="nowrap">{seen(event.place, lane.isHere)}</td>
                <td class="named">
                  {visible(event.place.project)} {event === line.first && <span class="chip">{A.timelineFirst}</span>}
                  {lane.isHere && <span class="chip">{A.timelineHere}</span>}
                  {lane.projects.length > 1 && <span class="muted"> {A.timelineForks(lane.projects.length)}</span>}
                </td>
                <td class="where">{visible(event.place.path)}</td>
                <td class="revision">{visible(event.place.purl ?? event.place.revision?.slice(0, 12) ?? "")}</td>
                <td>{evidenceText(event.place.evidence)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {events.length > MOST_ROWS && <p class="muted small">{T.more(events.length - MOST_ROWS)}</p>}
    </section>
  );
}
