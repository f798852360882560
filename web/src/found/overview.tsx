// A search at a glance: how many files are known, how much of each, where, under which licenses, since when.

import { useEffect, useMemo, useState } from "preact/hooks";
import { type Found, WHOLE } from "../data/found/found";
import type { Unknown } from "../data/found/model";
import type { Result } from "../data/result";
import { foundParams } from "../findings/found-filter";
import { byYear } from "../findings/timeline";
import { Columns, HorizontalBars, type BarItem } from "../parts/charts";
import { Missing } from "../parts/code";
import { Path, TypeBadge } from "../parts/labels";
import { useLoaded, useShowMore } from "../parts/loaded";
import { dayOf } from "../parts/places";
import { Preview } from "../parts/preview";
import { licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { compareAddress, findingsAddress, timelineAddress } from "../router";
import { A, F, T, number, percent, similarity, typeLong } from "../text";
import { First, Licenses } from "./labels";

interface Properties {
  result: Result;
  found: Found;
}

export function FoundOverview({ result, found }: Properties) {
  const { summary } = found.table;
  const isOne = summary.files === 1;
  return (
    <>
      {isOne && found.count === 1 ? <FiguresOfOne result={result} found={found} /> : <Figures result={result} found={found} />}
      {found.count === 0 ? <p class="notice">{isOne ? F.nobody : F.nobodyMany}</p> : <Charts result={result} found={found} isOne={isOne} />}
      {found.count > 0 && (
        <section class="columns wide found-lists">
          {isOne ? <Matches result={result} found={found} /> : <Files result={result} found={found} />}
          {isOne ? <Code result={result} /> : <Projects found={found} />}
        </section>
      )}
      {summary.known < summary.files && !isOne && <Nowhere found={found} />}
      <p class="disclaimer">{F.noDecisions}</p>
    </>
  );
}

function Figures({ result, found }: Properties) {
  const { summary } = found.table;
  const { duplicated_lines, lines, duplication } = result.tables.head.summary;
  return (
    <section class="figures">
      <a class="figure strong" href={findingsAddress(foundParams({}))}>
        <span class="value">{percent(summary.known / Math.max(1, summary.files))}</span>
        <span class="what">{F.known}</span>
        <span class="muted">{F.knownOf(summary.known, summary.files)}</span>
      </a>
      <a class="figure" href={findingsAddress(foundParams({ known: "whole" }))}>
        <span class="value">{number(summary.whole)}</span>
        <span class="what">{F.whole}</span>
        <span class="muted">{F.wholeWhat}</span>
      </a>
      <div class="figure">
        <span class="value">{percent(duplication)}</span>
        <span class="what">{F.lines}</span>
        <span class="muted">{F.linesOf(duplicated_lines, lines)}</span>
      </div>
      <a class="figure" href={findingsAddress(foundParams({}, { show: "pairs" }))}>
        <span class="value">{number(summary.projects)}</span>
        <span class="what">{F.inProjects(summary.projects)}</span>
        <span class="muted">{F.inBlobs(summary.blobs, summary.more_blobs)}</span>
      </a>
    </section>
  );
}

/** The numbers of one file: how much of it is known, in how many places, and since when. */
function FiguresOfOne({ result, found }: Properties) {
  const { summary, queries } = found.table;
  const origin = useLoaded(() => found.originOf(0), []);
  const [first] = result.members(0).subarray(1);
  return (
    <section class="figures">
      <a class="figure strong" href={compareAddress(0, first)}>
        <span class="value">{similarity(found.best[0])}</span>
        <span class="what">{F.ofThis}</span>
        <span class="muted">{F.ofThisMore(visible(result.path(0)))}</span>
      </a>
      <a class="figure" href={findingsAddress(foundParams({}, { show: "pairs", sort: "-coverage" }))}>
        <span class="value">{number(summary.projects)}</span>
        <span class="what">{F.haveIt(summary.projects)}</span>
        <span class="muted">{F.inBlobs(summary.blobs, summary.more_blobs)}</span>
      </a>
      <div class="figure">
        <span class="value">{percent(queries.knownLines[0] / Math.max(1, result.tables.fragments.lines[0]))}</span>
        <span class="what">{F.lines}</span>
        <span class="muted">{F.linesOf(queries.knownLines[0], result.tables.fragments.lines[0])}</span>
      </div>
      <a class="figure" href={timelineAddress(0)}>
        <span class="value">{origin?.known ? dayOf(origin.first_seen) : F.firstUnknown}</span>
        <span class="what">{F.firstSeen}</span>
        <span class="muted">{origin?.known ? visible(origin.project ?? "") : visible(origin?.reason ?? "")}</span>
      </a>
    </section>
  );
}

function Charts({ result, found, isOne }: Properties & { isOne: boolean }) {
  const { classes, pairs } = result.tables;
  const amounts = useMemo(() => byCoverage(isOne ? found.table.pairs.coverage : found.best, isOne ? 0 : found.table.summary.files - found.count, isOne), [found]);
  const types = useMemo(() => {
    const counted = [0, 0, 0, 0, 0];
    (isOne ? pairs.type : classes.type).forEach((type) => counted[type]++);
    return [1, 2, 3, 4]
      .filter((type) => counted[type] > 0)
      .map((type): BarItem => ({ label: typeLong(type), value: counted[type], class: `type-${type}`, href: findingsAddress(new URLSearchParams({ ...(isOne && { show: "pairs" }), type: String(type) })) }));
  }, [classes, pairs]);
  const licenses = useMemo(() => byLicense(result, found), [result]);
  const years = useMemo(() => byYear(found.table.queries.year), [found]);
  const bars = years.years.map(({ year, findings }): BarItem => ({ label: String(year), value: findings.length, href: `#/timeline?year=${year}` }));
  return (
    <section class="columns found-columns">
      <div class="card">
        <h2>{isOne ? F.coverageOne : F.coverageChart}</h2>
        <Columns items={amounts} what={isOne ? F.matchesWord : F.filesWord} />
        {found.table.summary.more_blobs > 0 && <p class="muted small">{F.notListed(found.table.summary.more_blobs)}</p>}
      </div>
      <div class="card">
        <h2>{isOne ? F.typeOne : F.typeChart}</h2>
        <HorizontalBars items={types} what={isOne ? F.matchesWord : F.filesWord} />
        {licenses.length > 0 && <h2 class="second">{F.licenseChart}</h2>}
        <HorizontalBars items={licenses} what={F.matchesWord} />
      </div>
      {!isOne && (
        <div class="card">
          <h2>
            {F.yearChart}
            <a href="#/timeline">{A.openTimeline}</a>
          </h2>
          {bars.length > 0 ? <Columns items={bars} what={F.filesWord} /> : <p class="muted">{A.noYears}</p>}
          {bars.length > 0 && years.unknown.length > 0 && <p class="muted small">{F.yearUnknown(years.unknown.length)}</p>}
        </div>
      )}
      {isOne && <ProjectsOfOne found={found} />}
    </section>
  );
}

/** In steps of ten percent, with what is not known in front and what is known whole behind. */
export function byCoverage(values: Uint16Array, unknown: number, isOne: boolean): BarItem[] {
  const groups = new Uint32Array(11);
  values.forEach((value) => groups[Math.min(10, Math.floor(value / 1_000))]++);
  const show = isOne ? { show: "pairs" } : undefined;
  const known = Array.from(groups, (value, at): BarItem => {
    const from = at * 10;
    const range = at === 10 ? { least: "100" } : { least: String(from), most: String(from + 9.99) };
    return { label: at === 10 ? F.coverageWhole : String(from), value, href: findingsAddress(new URLSearchParams({ ...show, ...range })) };
  });
  return unknown > 0 ? [{ label: F.coverageNone, value: unknown, href: "#/overview" }, ...known] : known;
}

/** Licenses that the chart shows. */
const LICENSES = 8;

/** How many matches stand under each license. */
function byLicense(result: Result, found: Found): BarItem[] {
  const counted = new Map<string, number>();
  for (const blob of result.tables.pairs.right) {
    for (const license of found.licenses(blob)) counted.set(license || "NONE", (counted.get(license || "NONE") ?? 0) + 1);
  }
  return [...counted]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, LICENSES)
    .map(([license, value]): BarItem => ({ label: licenseText(license), value, href: findingsAddress(foundParams({ license }, { show: "pairs" })) }));
}

/** Rows of a list on the overview. */
const TOP = 10;

/** The files that are known whole, and those of which most is known. */
function Files({ result, found }: Properties) {
  const { classes } = result.tables;
  const numbers = useMemo(() => Array.from(classes.type, (_, at) => at), [classes]);
  const isWhole = (number: number) => found.best[found.query(number)] >= WHOLE;
  const whole = numbers.filter(isWhole);
  const part = numbers.filter((number) => !isWhole(number));
  return (
    <>
      {whole.length > 0 && <FileList result={result} found={found} title={F.wholeList} list={whole} address={findingsAddress(foundParams({ known: "whole" }))} />}
      {part.length > 0 && <FileList result={result} found={found} title={F.mostList} list={part} address={findingsAddress(foundParams({ known: "part" }))} />}
    </>
  );
}

function FileList({ result, found, title, list, address }: Properties & { title: string; list: number[]; address: string }) {
  return (
    <div class="card">
      <h2>
        {title}
        <a href={address}>{F.allOf(list.length)}</a>
      </h2>
      <ol class="top-list">
        {list.slice(0, TOP).map((at) => {
          const [query, best] = result.members(at);
          return (
            <li key={at}>
              <TypeBadge type={result.tables.classes.type[at]} />
              <a href={compareAddress(query, best)}><Path path={result.path(query)} /></a>
              <span class="amount">
                {similarity(found.best[query])} · {F.projects(found.table.queries.projects[query])} · <First found={found} query={query} />
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The blobs that have most of the one file that was asked for. */
function Matches({ result, found }: Properties) {
  const [query, ...blobs] = result.members(0);
  return (
    <div class="card">
      <h2>
        {F.bestList}
        <a href={findingsAddress(foundParams({}, { show: "pairs", sort: "-coverage" }))}>{F.allMatches}</a>
      </h2>
      <ol class="top-list">
        {blobs.slice(0, TOP).map((blob) => {
          const pair = result.pairOf(query, blob);
          return (
            <li key={blob}>
              <TypeBadge type={result.tables.pairs.type[pair]} />
              <a href={compareAddress(query, blob)}><Path path={result.path(blob)} line={result.lines(blob)[0]} /></a>
              <span class="amount">
                {similarity(found.table.pairs.coverage[pair])} · {F.projects(found.table.blobs.allProjects[found.blob(blob)])} <Licenses found={found} fragment={blob} />
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The one file that was asked for, where the report has its text. */
function Code({ result }: { result: Result }) {
  const { files } = result.tables;
  const missing = files.missing.get(0);
  return (
    <div class="card found-code">
      <h2>
        {F.query}
        <a href="#/source/0">{T.openSource}</a>
      </h2>
      {missing === undefined ? <Preview result={result} fragment={0} /> : <Missing reason={missing} />}
    </div>
  );
}

/** How much of the one file each project has. */
function ProjectsOfOne({ found }: { found: Found }) {
  const items = useMemo(() => {
    const most = new Map<number, number>();
    found.table.pairs.coverage.forEach((coverage, pair) => {
      for (const project of found.projects(found.right(pair))) most.set(project, Math.max(most.get(project) ?? 0, coverage));
    });
    const { projects } = found.table;
    return [...most]
      .sort((a, b) => b[1] - a[1] || (projects[a[0]] < projects[b[0]] ? -1 : 1))
      .slice(0, TOP)
      .map(([project, coverage]): BarItem => ({ label: visible(projects[project]), value: Math.floor(coverage / 100), href: findingsAddress(foundParams({ project: projects[project] }, { show: "pairs" })) }));
  }, [found]);
  return (
    <div class="card">
      <h2>{F.projectOne}</h2>
      <HorizontalBars items={items} what={F.percentWord} most={100} />
    </div>
  );
}

/** In how many files each project has something. */
function Projects({ found }: { found: Found }) {
  const { byProject, projects } = found.table;
  const rows = byProject.slice(0, TOP);
  const items = rows.map(([project, some]): BarItem => ({ label: visible(projects[project]), value: some, href: findingsAddress(foundParams({ project: projects[project] })) }));
  const whole = rows.filter(([, , whole]) => whole > 0);
  return (
    <div class="card">
      <h2>{F.projectChart}</h2>
      <HorizontalBars items={items} what={F.filesWord} />
      {whole.length > 0 && (
        <p class="muted small">
          {F.wholeList}: {whole.map(([project, , count]) => `${visible(projects[project])} ${number(count)}`).join(", ")}
        </p>
      )}
    </div>
  );
}

/** Rows of the list that are shown at once. */
const SHOWN = 200;

/** Files of which nobody has anything. */
function Nowhere({ found }: { found: Found }) {
  const [rows, setRows] = useState<Unknown[] | null>(null);
  const [open, setOpen] = useState(false);
  const [shown, showMore] = useShowMore(SHOWN);
  useEffect(() => {
    if (open && rows === null) void found.unknown().then(setRows, () => setRows([]));
  }, [open]);
  const { files, known } = found.table.summary;
  return (
    <section class="card nowhere">
      <h2>{F.unknownList(files - known)}</h2>
      <details onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}>
        <summary title={F.unknownShowWhat}>{F.unknownShow}</summary>
        <ul class="skips">
          {rows?.slice(0, shown).map(([path, lines], at) => (
            <li key={at}>
              <Path path={path} />
              <span class="muted">{number(lines)} {T.linesWord}</span>
            </li>
          ))}
        </ul>
        {rows !== null && rows.length > shown && <button class="quiet" onClick={showMore}>{A.moreRows(rows.length - shown)}</button>}
      </details>
    </section>
  );
}
