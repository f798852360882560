// Where some code stood at which time: as a picture, and the same as a table.

import { useMemo } from "preact/hooks";
import { type Event, type Lane, type Timeline, ticks, widened } from "../findings/timeline";
import { A, T } from "../text";
import { PlaceTable, dayOf, evidenceText, seenText } from "./places";
import { visible } from "./visible";

/** When it was seen first, in a picture and in words; `known` is false where that proves nothing. */
export function PlacesOverTime({ reason, line, known = true }: { reason: string; line: Timeline; known?: boolean }) {
  return (
    <>
      <p class="timeline-first">
        {!known && <strong>{A.timelineNotKnown} </strong>}
        {line.first ? <strong>{A.timelineSince(dayOf(line.first.place.first_seen), visible(line.first.place.project))}</strong> : <strong>{A.timelineNoTime}</strong>}{" "}
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
/** The width of the picture on a narrow page, where what is on its right would be out of sight. */
const NARROW = 440;
/** Lanes that are drawn, rows of tables, and characters of a name. */
const [MOST_LANES, MOST_ROWS, LONGEST] = [40, 500, 36];

function Chart({ line }: { line: Timeline }) {
  const here = line.lanes.filter((lane) => lane.isHere);
  const drawn = line.lanes.length > MOST_LANES ? [...new Set([...line.lanes.slice(0, MOST_LANES), ...here])] : line.lanes;
  const [from, until] = widened(line.from, line.until);
  // As much room as the longest name takes.
  const names = 28 + LETTER * drawn.reduce((most, lane) => Math.max(most, laneName(lane).length), 6);
  const isNarrow = matchMedia("(max-width: 720px)").matches;
  const width = isNarrow ? Math.max(NARROW, names + 180) : WIDTH;
  const x = (at: number) => names + ((at - from) / (until - from)) * (width - names - RIGHT);
  const height = HEAD + drawn.length * LANE + 8;
  return (
    <section class="card">
      <Legend hasHere={here.length > 0} />
      <div class="timeline-box" tabIndex={0} role="group" aria-label={A.timeline}>
        <svg class="timeline-chart" viewBox={`0 0 ${width} ${height}`} style={{ minWidth: isNarrow ? `${width}px` : undefined }} role="img" aria-label={A.chartLabel(visible(line.first?.place.project ?? ""), drawn.length)}>
          {ticks(from, until, isNarrow ? 3 : 8).map(({ at, text }) => (
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
          <title>{A.timelineEvent(visible(event.place.project), visible(event.place.path), dayOf(event.place.first_seen), evidenceText(event.place.evidence))}</title>
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
                <td class="nowrap">{seenText(event.place, lane.isHere)}</td>
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
