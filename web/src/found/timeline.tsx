// Who had a file's code first: the places of all its blobs on an axis of time; or all files by year.

import { useMemo } from "preact/hooks";
import { type Found, placeOf } from "../data/found/found";
import type { Result } from "../data/result";
import { timeline } from "../findings/timeline";
import { ByYears } from "../parts/by-years";
import { FindingSelect } from "../parts/finding-select";
import { Path } from "../parts/labels";
import { useLoaded } from "../parts/loaded";
import { PlacesOverTime } from "../parts/timeline-chart";
import { visible } from "../parts/visible";
import { compareAddress, timelineAddress } from "../router";
import { A, F, T, similarity } from "../text";

interface Properties {
  result: Result;
  found: Found;
}

export function FoundTimeline({ result, found, parts, params }: Properties & { parts: string[]; params: URLSearchParams }) {
  if (found.count === 0) return <p class="notice">{F.nobodyMany}</p>;
  if (!parts[0] && found.count > 1) return <All result={result} found={found} year={Number(params.get("year")) || 0} />;
  const number = Number(parts[0] ?? 0);
  if (!Number.isInteger(number) || number < 0 || number >= found.count) return <p class="notice">{T.unknownFinding}</p>;
  return <One key={number} result={result} found={found} number={number} />;
}

function All({ result, found, year }: Properties & { year: number }) {
  const { queries } = found.table;
  const years = useMemo(() => Uint16Array.from(result.tables.classes.type, (_, number) => queries.year[found.query(number)]), [found]);
  const words = { chart: F.yearChart, all: F.timelineAll, what: F.filesWord, unknown: F.yearUnknown, top: F.timelineTop };
  const columns = [F.timelineChoose, F.timelineHas, A.timelineIn, A.timelineEarliest];
  return <ByYears years={years} year={year} words={words} columns={columns} row={(number) => <FileRow key={number} result={result} found={found} number={number} />} />;
}

function FileRow({ result, found, number }: Properties & { number: number }) {
  const query = found.query(number);
  const origin = found.origin(query);
  return (
    <tr>
      <td class="where"><a href={timelineAddress(number)}><Path path={result.path(query)} /></a></td>
      <td class="nowrap">{similarity(found.best[query])}</td>
      <td class="named">{origin >= 0 ? visible(found.project(origin)) : <span class="muted">{F.firstUnknown}</span>}</td>
      <td>{found.table.queries.year[query] || A.unknownTime}</td>
    </tr>
  );
}

/** The places of the blobs that speak for who was first, and the first one itself where its blob is not listed. */
async function loadTimeline(result: Result, found: Found, number: number) {
  const [query, ...blobs] = result.members(number);
  const shown = blobs.filter((blob) => found.isWitness(query, result.pairOf(query, blob)));
  const [origin, ...texts] = await Promise.all([found.originOf(query), ...shown.map((blob) => found.blobText(blob))]);
  const places = texts.map(({ places }, at) => ({ fragment: shown[at], places, isHere: false }));
  const first = placeOf(origin);
  if (first && found.table.queries.origin[query] === 0) places.push({ fragment: query, places: [first], isHere: false });
  return { origin, line: timeline(places) };
}

function One({ result, found, number }: Properties & { number: number }) {
  const loaded = useLoaded(() => loadTimeline(result, found, number), [number]);
  const [query, best] = result.members(number);
  const origin = found.origin(query);
  return (
    <div class="timeline">
      <div class="timeline-head">
        {found.count > 1 && <a class="back" href="#/timeline">← {F.timelineAll}</a>}
        <h1>{A.timelineOf(visible(result.name(query)))}</h1>
        <Path path={result.path(query)} />
        <a href={compareAddress(query, origin >= 0 ? origin : best)}>{A.timelineCompare}</a>
        {found.count > 1 && <FindingSelect result={result} finding={number} label={F.timelineChoose} />}
      </div>
      {loaded === undefined && <p class="notice">{A.loading}</p>}
      {loaded === null && <p class="notice" role="alert">{A.notLoaded}</p>}
      {loaded && <p class="muted">{F.timelineOnly}</p>}
      {loaded && <PlacesOverTime reason={loaded.origin.reason} line={loaded.line} known={loaded.origin.known} />}
    </div>
  );
}
