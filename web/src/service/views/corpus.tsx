// One corpus: what it holds, where that comes from, what was left out.

import { useMemo, useState } from "preact/hooks";
import { Path } from "../../parts/labels";
import { Rows } from "../../parts/rows";
import { visible } from "../../parts/visible";
import { go } from "../../router";
import { view } from "../address";
import { server } from "../api";
import { date, byCount } from "../format";
import type { CorpusInfo, CorpusSource, Job } from "../model";
import { rowsOf, total } from "../packages";
import { Confirm, Count, Figures, Page, Pager, toggled, useRequest, WhenLoaded } from "../parts";
import type { Rights } from "../rights";
import { T, number, size } from "../text";
import { AddSources } from "./corpora";

const SKIPS = 100;
const LANGUAGES = 12;

export function CorpusView({ name, rights }: { name: string; rights: Rights }) {
  const request = useRequest(() => server.corpus(name), [name]);
  const [adding, add] = useState(false);
  const [updating, update] = useState(false);
  const [toRemove, setToRemove] = useState<CorpusSource>();
  const start = async (job: Promise<Job>) => go(view("jobs", (await job).id));
  return (
    <Page
      above={<a class="back" href="#/corpora">← {T.back}</a>}
      title={visible(name)}
      lead={request.answer && features(request.answer)}
      actions={
        request.answer && (
          <>
            <a class="button" href={`#/check?${new URLSearchParams({ corpus: name })}`}>{T.useIt}</a>
            {rights.admin && <button title={T.updateWhy} onClick={() => update(true)}>{T.update}</button>}
            {rights.admin && <button class="primary" title={T.addWhat} onClick={() => add(true)}>{T.addSources}</button>}
          </>
        )
      }
    >
      <WhenLoaded request={request}>
        {(info) => (
          <>
            <Figures
              items={[
                { value: number(info.blobs), what: T.corpusFigures.blobs, more: T.linesOf(info.lines, info.bytes) },
                { value: number(info.occurrences), what: T.corpusFigures.occurrences },
                { value: number(info.fragments), what: T.corpusFigures.fragments },
                { value: size(info.disk_bytes), what: T.corpusFigures.disk },
              ]}
            />
            <Sources sources={info.sources} remove={rights.admin ? setToRemove : undefined} />
            <section class="columns wide">
              <Projects projects={info.projects} />
              <Languages counts={info.languages} />
            </section>
            <Skips name={name} count={info.skips} />
          </>
        )}
      </WhenLoaded>
      {adding && <AddSources to={name} close={() => add(false)} />}
      {updating && <Confirm title={T.updateCorpus} why={T.updateCorpusWhy} action={T.update} done={() => start(server.updateCorpus(name))} close={() => update(false)} />}
      {toRemove && <Confirm title={T.removeSource} why={T.removeSourceWhy(toRemove.source)} action={T.remove} done={() => start(server.removeSource(name, toRemove.source))} close={() => setToRemove(undefined)} />}
    </Page>
  );
}

const features = (info: CorpusInfo) => [info.vectors !== undefined && T.withVectors, !info.text && T.withoutText].filter(Boolean).join(" · ") || undefined;

type Remove = ((source: CorpusSource) => void) | undefined;

/** A source, or one version of a package below it. */
function Source({ source, name, of, remove }: { source: CorpusSource; name: string; of?: string; remove: Remove }) {
  const { base, without = [], exclude = [] } = source;
  return (
    <tr class={of === undefined ? undefined : "version"}>
      <th scope="row" class="wide" title={visible(source.source)}>
        <code>{visible(name || T.newestVersion)}</code>
        {base && <span class="tag">{T.base}</span>}
        {without.length > 0 && <span class="tag" title={visible(without.join(", "))}>{T.without(without.length)}</span>}
        {exclude.length > 0 && <span class="tag" title={visible(exclude.join(", "))}>{visible(T.exclude(exclude.join(", ")))}</span>}
      </th>
      <td class="nowrap">{date(source.read)}</td>
      <Count of={source.occurrences} />
      <Count of={source.skips} />
      {remove && <td class="row-actions"><button class="quiet link" aria-label={T.removeNamed(visible(source.source))} title={T.deleteWhat} onClick={() => remove(source)}>{T.remove}</button></td>}
    </tr>
  );
}

/** The sources; the versions of a package are one row, which opens. */
function Sources({ sources, remove }: { sources: CorpusSource[]; remove: Remove }) {
  const names = T.sourceColumns;
  const rows = useMemo(() => rowsOf(sources), [sources]);
  const [open, setOpen] = useState<string[]>([]);
  return (
    <div class="table-box">
      <table class="list">
        <caption class="unseen">{T.sourcesTitle}</caption>
        <thead>
          <tr>
            <th scope="col">{names.source}</th>
            <th scope="col">{names.read}</th>
            <th scope="col" class="count">{names.occurrences}</th>
            <th scope="col" class="count">{names.skips}</th>
            {remove && <th scope="col"><span class="unseen">{names.actions}</span></th>}
          </tr>
        </thead>
        <tbody>
          {rows.flatMap((row) => {
            const { read, occurrences, skips } = total(row);
            const [only] = row.versions;
            if (row.versions.length === 1) return [<Source key={row.name} source={only.source} name={only.source.source} remove={remove} />];
            const isOpen = open.includes(row.name);
            return [
              <tr key={row.name}>
                <th scope="row" class="wide" title={visible(row.name)}>
                  <code>{visible(row.name)}</code>
                  <button class="quiet link versions" aria-expanded={isOpen} title={T.packageVersionsWhat} onClick={() => setOpen(toggled(open, row.name))}>{T.packageVersions(row.versions.length)}</button>
                </th>
                <td class="nowrap">{date(read)}</td>
                <Count of={occurrences} />
                <Count of={skips} />
                {remove && <td />}
              </tr>,
              ...(isOpen ? row.versions.map(({ version, source }) => <Source key={source.source} source={source} name={version} of={row.name} remove={remove} />) : []),
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}

function Projects({ projects }: { projects: CorpusInfo["projects"] }) {
  const [word, setWord] = useState("");
  const found = useMemo(() => projects.filter(({ project }) => project.toLowerCase().includes(word.toLowerCase())), [projects, word]);
  return (
    <section class="card">
      <h2>
        {T.projectsTitle} <span class="muted amount">{number(found.length)}</span>
      </h2>
      {projects.length > 10 && <input class="filter" type="search" aria-label={T.filterProjects} placeholder={T.filter} value={word} onInput={(event) => setWord(event.currentTarget.value)} />}
      {found.length === 0 ? (
        <p class="muted">{T.noMatch}</p>
      ) : (
        <Rows
          class="project-rows"
          role="list"
          tabIndex={0}
          aria-label={T.projectsTitle}
          count={found.length}
          height={26}
          row={(at) => (
            <div key={at} class="project-row" role="listitem">
              <span class="cut" title={visible(found[at].project)}>{visible(found[at].project)}</span>
              <span class="amount">{number(found[at].occurrences)}</span>
            </div>
          )}
        />
      )}
    </section>
  );
}

function Languages({ counts }: { counts: Record<string, number> }) {
  const [all, setAll] = useState(false);
  const rows = byCount(counts);
  const highest = rows.reduce((most, [, count]) => Math.max(most, count), 1);
  return (
    <section class="card">
      <h2>{T.languagesTitle}</h2>
      <ul class="shares">
        {rows.slice(0, all ? rows.length : LANGUAGES).map(([name, count]) => (
          <li key={name} class="share-row">
            <span class="share-label">{visible(name)}</span>
            <span class="share-track"><span class="share-fill" style={{ width: `${(count / highest) * 100}%` }} /></span>
            <span class="share-value">{number(count)}</span>
          </li>
        ))}
      </ul>
      {rows.length > LANGUAGES && <button class="quiet link" aria-expanded={all} title={T.languagesWhat} onClick={() => setAll(!all)}>{all ? T.fewer : T.more(rows.length - LANGUAGES)}</button>}
    </section>
  );
}

function Skips({ name, count }: { name: string; count: number }) {
  const [open, setOpen] = useState(false);
  return (
    <section class="card">
      <h2>{T.skipsTitle} <span class="muted amount">{number(count)}</span></h2>
      {count === 0 ? (
        <p class="muted">{T.skipsNone}</p>
      ) : (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary title={T.skipsShowWhat}>{T.skipsShow}</summary>
          {open && <SkipList name={name} />}
        </details>
      )}
    </section>
  );
}

function SkipList({ name }: { name: string }) {
  const [offset, setOffset] = useState(0);
  const request = useRequest(() => server.skips(name, { offset, limit: SKIPS }), [name, offset]);
  const names = T.skipColumns;
  return (
    <WhenLoaded request={request}>
      {({ total, skips }) => (
        <>
          <div class="table-box">
            <table class="list even">
              <caption class="unseen">{T.skipsTitle}</caption>
              <thead>
                <tr>
                  <th scope="col">{names.path}</th>
                  <th scope="col">{names.reason}</th>
                  <th scope="col">{names.source}</th>
                </tr>
              </thead>
              <tbody>
                {skips.map((skip, at) => (
                  <tr key={at}>
                    <td class="cut"><Path path={skip.path} /></td>
                    <td class="cut" title={visible(skip.reason)}>{visible(skip.reason)}</td>
                    <td class="cut muted" title={visible(skip.source)}>{visible(skip.source)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Pager offset={offset} limit={SKIPS} total={total} go={setOffset} />
        </>
      )}
    </WhenLoaded>
  );
}
