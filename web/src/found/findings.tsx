// What a search adds to the table of findings: filters, the cells of files and matches, and the blobs of one file at the side.

import { useMemo } from "preact/hooks";
import type { Found } from "../data/found/found";
import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";
import { type FoundFilter, choices } from "../findings/found-filter";
import { Name, Path, TypeBadge } from "../parts/labels";
import { Meter } from "../parts/meter";
import { Preview } from "../parts/preview";
import { Rows } from "../parts/rows";
import { licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { compareAddress, sourceAddress, timelineAddress } from "../router";
import { A, F, T, number, similarity, typeLong } from "../text";
import { First, Licenses } from "./labels";

interface BarProperties {
  result: Result;
  filter: FoundFilter;
  change: (filter: FoundFilter) => void;
}

export function FoundBar({ result, filter, change }: BarProperties) {
  const offered = useMemo(() => choices(result), [result]);
  const select = (key: keyof FoundFilter, label: string, any: string, options: [string, string][]) => (
    <select aria-label={label} title={label} value={filter[key]} onChange={(event) => change({ ...filter, [key]: event.currentTarget.value })}>
      <option value="">{any}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>{text}</option>
      ))}
      {filter[key] !== "" && !options.some(([value]) => value === filter[key]) && <option value={filter[key]}>{visible(filter[key])}</option>}
    </select>
  );
  return (
    <span class="audit-bar">
      {select("known", F.knownFilter, F.anyKnown, Object.entries(F.knownOption))}
      {select("license", A.there, F.anyLicense, offered.licenses.map((license) => [license, licenseText(license)]))}
      {select("project", A.project, A.anyProject, offered.projects.map((project) => [project, visible(project)]))}
    </span>
  );
}

interface CellProperties {
  result: Result;
  found: Found;
  kind: FindingKind;
  finding: number;
}

export function FoundCells({ result, found, kind, finding }: CellProperties) {
  return kind === "classes" ? <FileCells result={result} found={found} finding={finding} /> : <MatchCells result={result} found={found} pair={finding} />;
}

function FileCells({ result, found, finding }: { result: Result; found: Found; finding: number }) {
  const { classes, fragments } = result.tables;
  const [query, ...blobs] = result.members(finding);
  return (
    <>
      <span role="gridcell" class="cell-rank">{number(finding + 1)}</span>
      <span role="gridcell" class="cell-type"><TypeBadge type={classes.type[finding]} /></span>
      <span role="gridcell" class="cell-coverage"><Meter least={found.best[query]} most={found.best[query]} /></span>
      <span role="gridcell" class="cell-lines">{number(fragments.lines[query])}</span>
      <span role="gridcell" class="cell-copies">{number(blobs.length + found.table.queries.moreBlobs[query])}</span>
      <span role="gridcell" class="cell-first"><First found={found} query={query} /></span>
      <span role="gridcell" class="cell-path">
        <Path path={result.path(query)} line={fragments.start[query] > 1 ? fragments.start[query] : undefined} />
        <Licenses found={found} fragment={blobs[0]} />
      </span>
    </>
  );
}

function MatchCells({ result, found, pair }: { result: Result; found: Found; pair: number }) {
  const { pairs, fragments } = result.tables;
  const [query, blob] = [pairs.left[pair], pairs.right[pair]];
  const coverage = found.table.pairs.coverage[pair];
  return (
    <>
      <span role="gridcell" class="cell-type"><TypeBadge type={pairs.type[pair]} /></span>
      <span role="gridcell" class="cell-coverage"><Meter least={coverage} most={coverage} /></span>
      <span role="gridcell" class="cell-similarity">{similarity(pairs.similarity[pair])}</span>
      <span role="gridcell" class="cell-lines">{number(found.lines(pair))}</span>
      <span role="gridcell" class="cell-path">
        {found.count > 1 && <Path path={result.path(query)} />}
        <Path path={result.path(blob)} line={fragments.start[blob]} />
        <Licenses found={found} fragment={blob} />
      </span>
    </>
  );
}

interface DetailProperties {
  result: Result;
  found: Found;
  sides: [number, number];
  open: () => void;
}

/** One file, and the blobs that have some of it. */
export function FoundDetail({ result, found, sides: [query, chosen], open }: DetailProperties) {
  const { pairs, fragments } = result.tables;
  const finding = result.classOf[query];
  const blobs = result.members(finding).subarray(1);
  const more = found.table.queries.moreBlobs[query];
  const pair = result.pairOf(query, chosen);
  const [from] = result.lines(query);
  return (
    <aside class="detail">
      <h2><Name result={result} fragment={query} /></h2>
      <p class="facts">
        <TypeBadge type={pairs.type[pair]} /> {typeLong(pairs.type[pair])} · {F.facts(similarity(found.best[query]))} · {result.language(query)}
        <br />
        {F.knownLines(found.table.queries.knownLines[query], fragments.lines[query])} · {F.projects(found.table.queries.projects[query])}
        <br />
        {F.first}: <First found={found} query={query} /> <a class="to-timeline" href={timelineAddress(finding)}>{A.timelineLink}</a>
      </p>
      <div class="detail-actions">
        <button class="primary" onClick={open}>{T.compare}</button>
        <a href={sourceAddress(fragments.file[query], from)}>{T.openSource}</a>
      </div>
      <h3>{F.matchesOf(blobs.length)}{more > 0 && <span class="muted"> · {F.moreBlobs(more)}</span>}</h3>
      <Rows
        class="members"
        role="list"
        count={blobs.length}
        height={44}
        row={(at) => <Member key={at} result={result} found={found} query={query} blob={blobs[at]} />}
      />
      <Preview result={result} fragment={query} />
    </aside>
  );
}

function Member({ result, found, query, blob }: { result: Result; found: Found; query: number; blob: number }) {
  const pair = result.pairOf(query, blob);
  const licenses = found.licenses(blob).map(licenseText);
  const projects = found.table.blobs.allProjects[found.blob(blob)];
  const parts = [T.lineRange(...result.lines(blob)), licenses.length > 0 && licenses.join(", "), projects > 1 && F.projects(projects), found.table.pairs.isVersion[pair] === 1 && F.version];
  return (
    <div class="member" role="listitem">
      <a href={compareAddress(query, blob)} title={T.compare}>
        <span class="member-amount">{similarity(found.table.pairs.coverage[pair])}</span>
        <Path path={result.path(blob)} />
      </a>
      <span class="muted">{parts.filter((one) => one !== false).join(" · ")}</span>
    </div>
  );
}
