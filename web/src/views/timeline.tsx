// Who had some code first: its places on an axis of time, and the same as a table; or all findings by year.

import type { Audit } from "../data/audit/audit";
import type { FindingText, Place } from "../data/audit/model";
import type { Result } from "../data/result";
import { type Timeline, timeline } from "../findings/timeline";
import { FoundTimeline } from "../found/timeline";
import { ByYears } from "../parts/by-years";
import { FindingSelect } from "../parts/finding-select";
import { Name, Path, nameOf } from "../parts/labels";
import { useLoaded } from "../parts/loaded";
import { PlacesOverTime } from "../parts/timeline-chart";
import { DecisionBadge, VerdictBadge } from "../parts/verdict";
import { visible } from "../parts/visible";
import { compareAddress, timelineAddress } from "../router";
import { A, T } from "../text";

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
async function loadTimeline(result: Result, audit: Audit, finding: number): Promise<{ text: FindingText; line: Timeline }> {
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
  const loaded = useLoaded(() => loadTimeline(result, audit, finding), [finding]);
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
        <FindingSelect result={result} finding={finding} label={A.timelineChoose} />
      </div>
      {loaded === undefined && <p class="notice">{A.loading}</p>}
      {loaded === null && <p class="notice" role="alert">{A.notLoaded}</p>}
      {loaded && <PlacesOverTime reason={loaded.text.originReason} line={loaded.line} />}
    </div>
  );
}
