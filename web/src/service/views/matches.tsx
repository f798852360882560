// What a corpus has of a piece of code.

import { useState } from "preact/hooks";
import { externalLink } from "../../external-link";
import { Path, TypeBadge } from "../../parts/labels";
import { VerdictBadge } from "../../parts/verdict";
import { visible } from "../../parts/visible";
import { A } from "../../text";
import { dayOf, percentOf } from "../format";
import type { FindResult, Found, Judged, License, Occurrence } from "../model";
import { Empty } from "../parts";
import { T } from "../text";
import { MatchedLines, lineInFile } from "./matched-lines";

/** Places and stretches of a result that are shown before somebody asks for more. */
const PLACES = 2;
const STRETCHES = 4;
/** And then. */
const MOST = 500;

interface Properties {
  result: FindResult;
  active: number | null;
  setActive: (at: number | null) => void;
  show: (line: number) => void;
  /** The license of the reader's project, where it is known, and what is judged for it. */
  project: string;
  verdicts: Map<string, Judged>;
}

export function Matches({ result, active, setActive, show, project, verdicts }: Properties) {
  if (result.blobs.length === 0) {
    return (
      <Empty title={T.nothing}>
        <p>{T.nothingWhy}</p>
      </Empty>
    );
  }
  return (
    <>
      <OriginCard result={result} />
      <ol class="hits">
        {result.blobs.map((found, at) => (
          <li
            key={found.blob}
            class={at === active ? "hit active" : "hit"}
            onMouseEnter={() => setActive(at)}
            onMouseLeave={() => setActive(null)}
            onFocusCapture={() => setActive(at)}
            onBlurCapture={() => setActive(null)}
          >
            <Match found={found} show={show} project={project} verdicts={verdicts} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Who had it first; the line is that of what corresponds, where the answer has it. */
function OriginCard({ result: { origin, blobs } }: { result: FindResult }) {
  const { known, reason, project, path, first_seen, evidence } = origin;
  const found = blobs.flatMap((row) => [row, ...(row.versions ?? [])]).find(({ blob }) => blob === origin.blob);
  const line = (origin.first_line ?? 1) - 1 + (found?.matched_lines[0]?.[2] ?? 1);
  return (
    <div class={known ? "origin known" : "origin"}>
      <h2>{known ? T.origin : T.originUnknown}</h2>
      {project !== undefined && path !== undefined && (
        <p class="origin-place">
          <ExternalLink link={origin.link} label={T.openThere(visible(project))}><b>{visible(project)}</b></ExternalLink>
          <Path path={path} line={line} />
          {first_seen && <span class="nowrap" title={evidence && T.evidence(evidence)}>{visible(dayOf(first_seen))}</span>}
        </p>
      )}
      <p class="muted">{visible(reason)}</p>
    </div>
  );
}

/** A link to where somebody says it is, if that is safe to follow. */
function ExternalLink({ link, label, children }: { link: string | undefined; label: string; children: preact.ComponentChildren }) {
  const href = externalLink(link);
  if (href === null) return <>{children}</>;
  return <a href={href} rel="noopener noreferrer" target="_blank" title={visible(href)} aria-label={label}>{children}</a>;
}

function Match({ found, show, project, verdicts }: { found: Found } & Pick<Properties, "show" | "project" | "verdicts">) {
  const [at, choose] = useState(0);
  const four = found.type === 4;
  const license = licenseOf(found);
  const [first] = found.occurrences;
  return (
    <>
      <h3 class="hit-title">
        <TypeBadge type={found.type} />
        {first ? <Place place={first} license={license(0)} line={lineInFile(found, found.matched_lines[at]?.[2] ?? 1)} /> : <code>{visible(found.blob)}</code>}
      </h3>
      <div class="hit-facts">
        <span class="cover" title={T.coverage(percentOf(found.coverage))}>
          <span class={`cover-fill type-${found.type}`} style={{ width: `${Math.min(1, found.coverage) * 100}%` }} />
        </span>
        <span>{T.coverage(percentOf(found.coverage))}</span>
        <span class="muted">{(four ? T.sure : T.alike)(percentOf(found.similarity))}</span>
        <span class="muted">{T.projects(found.projects)}</span>
        <span class="muted">{visible(found.language)}</span>
      </div>
      <Stretches found={found} at={at} choose={(at) => (choose(at), show(found.matched_lines[at][0]))} />
      <MatchedLines found={found} at={at} />
      {project && <Verdict found={found} project={project} verdicts={verdicts} />}
      <Places found={found} license={license} />
      <Licenses licenses={found.licenses ?? []} />
      {found.versions && found.versions.length > 0 && (
        <details>
          <summary title={T.versionsWhat}>{T.versions(found.versions.length)}</summary>
          <ul class="places">
            {found.versions.slice(0, MOST).map((version) => (
              <li key={version.blob}>
                <span class="version-facts">
                  <TypeBadge type={version.type} /> {T.coverage(percentOf(version.coverage))}
                </span>
                {version.occurrences[0] && <Place place={version.occurrences[0]} license={licenseOf(version)(0)} line={lineInFile(version, version.matched_lines[0]?.[2] ?? 1)} />}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Under which license a blob stands at a place, as far as that is told. */
const licenseOf = ({ occurrences, licenses = [] }: Found) => (at: number): string | undefined => {
  const row = licenses.find((row) => row.occurrences.includes(at));
  return row ? (row.expression ?? T.unknownLicense) : occurrences[at]?.license;
};

/** Whether what was found may be in the reader's project, by the licenses under which it stands. */
function Verdict({ found: { licenses = [] }, project, verdicts }: { found: Found } & Pick<Properties, "project" | "verdicts">) {
  const known = [...new Set(licenses.flatMap(({ expression }) => expression ?? []))];
  if (known.length === 0) return <p class="hit-verdict"><VerdictBadge verdict="unknown" /> {T.noLicenseThere}</p>;
  return (
    <ul class="hit-verdicts">
      {known.flatMap((license) => verdicts.get(license) ?? []).map((judged) => (
        <li key={judged.license}>
          <details>
            <summary title={T.verdictWhat}>
              <VerdictBadge verdict={judged.status} /> {T.verdictOf(visible(judged.license), visible(project))}
            </summary>
            <p>{A.verdictWhat[judged.status]}</p>
            {judged.duties.length > 0 && <h4>{A.duties}</h4>}
            <ul class="bullets">{judged.duties.map((duty) => <li key={duty}>{visible(duty)}</li>)}</ul>
            <h4>{A.rules}</h4>
            <ul class="bullets">{judged.rules.map(({ source, text }) => <li key={source + text}>{visible(text)} <span class="muted">({visible(source)})</span></li>)}</ul>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Stretches({ found, at, choose }: { found: Found; at: number; choose: (at: number) => void }) {
  const [all, setAll] = useState(false);
  const lines = found.matched_lines;
  const rest = lines.length - STRETCHES;
  return (
    <p class="stretches">
      <span class="muted">{T.matched}</span>
      {lines.slice(0, all ? MOST : STRETCHES).map(([a, b, ...there], number) => {
        const [c, d] = there.map((line) => lineInFile(found, line));
        return (
          <button key={`${a} ${b} ${c}`} class="stretch" aria-pressed={number === at} onClick={() => choose(number)} title={T.stretchLong(a, b, c, d)}>
            {T.stretch(a, b, c, d)}
          </button>
        );
      })}
      {rest > 0 && <button class="quiet link" aria-expanded={all} title={T.moreStretchesWhat} onClick={() => setAll(!all)}>{all ? T.fewer : T.more(rest)}</button>}
    </p>
  );
}

/** Where it stands besides the first place. */
function Places({ found, license }: { found: Found; license: (at: number) => string | undefined }) {
  const [all, setAll] = useState(false);
  const others = found.occurrences.slice(1);
  const first = found.matched_lines[0]?.[2] ?? 1;
  const rest = others.length - PLACES;
  if (others.length === 0) return null;
  return (
    <>
      <ul class="places">
        {others.slice(0, all ? MOST : PLACES).map((place, at) => (
          <li key={at}><Place place={place} license={license(at + 1)} line={place.first_line - 1 + first} /></li>
        ))}
      </ul>
      {all && others.length > MOST && <p class="muted">{T.more(others.length - MOST)}</p>}
      {rest > 0 && <button class="quiet link" aria-expanded={all} title={T.morePlacesWhat} onClick={() => setAll(!all)}>{all ? T.fewer : T.morePlaces(rest)}</button>}
    </>
  );
}

/** A place, at the line on which what corresponds begins. */
function Place({ place, license, line }: { place: Occurrence; license: string | undefined; line: number }) {
  const project = visible(place.project);
  const fork = place.family !== undefined && place.family !== place.project ? visible(T.fork(place.family)) : undefined;
  const details = [place.first_seen === null ? T.noTime : T.firstSeen(place.first_seen), T.evidence(place.evidence), place.revision ?? ""];
  return (
    <span class="place">
      <span class="place-where">
        <span class="place-project"><ExternalLink link={place.link} label={T.openThere(project)}><span title={project}>{project}</span></ExternalLink></span>
        <Path path={place.path} line={line} />
        {place.corpora?.map((corpus) => <span key={corpus} class="tag" title={T.inCorpus(visible(corpus))}>{visible(corpus)}</span>)}
        {place.base && <span class="tag">{T.base}</span>}
        {fork && <span class="tag" title={fork}>{T.forkShort}</span>}
        {place.removed_by !== undefined && <span class="tag">{T.removed}</span>}
      </span>
      <span class="place-license" title={license && visible(license)}>{license === undefined ? "" : visible(license)}</span>
      <span class="place-time muted" title={visible(details.filter(Boolean).join(" · "))}>
        {place.first_seen === null ? T.noTime : visible(dayOf(place.first_seen))}
      </span>
    </span>
  );
}

function Licenses({ licenses }: { licenses: License[] }) {
  const layers = licenses.flatMap((row) => row.layers.map((layer) => ({ of: row, layer })));
  if (layers.length === 0) return null;
  const names = [...new Set(licenses.map((row) => row.expression ?? T.unknownLicense))];
  return (
    <details>
      <summary title={T.licenseWhy}>{T.license}: {visible(names.slice(0, 3).join(", "))}{names.length > 3 && ` · ${T.more(names.length - 3)}`}</summary>
      <ul class="layers" aria-label={T.licenseWhy}>
        {layers.slice(0, MOST).map(({ layer }, at) => (
          <li key={at}>
            <b>{visible(layer.expression ?? T.unknownLicense)}</b>
            <span class="muted">{visible(layer.layer)}: {visible(layer.evidence)}</span>
            {layer.path !== undefined && <Path path={layer.path} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
