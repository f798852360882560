// Who belongs together: groups or files as a network, linked where they have findings in common, and its clusters as a list.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Result } from "../data/result";
import { download } from "../download";
import { type By, type Groups, type Link, between, groups, pairsCsv } from "../findings/groups";
import { type Cluster, clusters, drawn, layout } from "../findings/network";
import { passes, type Sections } from "../findings/sections";
import { areHidden } from "../hidden-names";
import { Graph, type Pointed } from "../parts/graph";
import { ByChoice } from "../parts/group-by";
import { Path } from "../parts/labels";
import { SectionsBar, category, useSections } from "../parts/sections";
import { visible } from "../parts/visible";
import { go, pathSearch, replace } from "../router";
import { T, number, similarity } from "../text";

/** Clusters that are listed until more is asked for, and members and links of one. */
const CLUSTERS = 30;
const MEMBERS = 60;
const LINKS = 15;

interface Options {
  by: By;
  /** Percent. */
  least: number;
  lines: number;
}

function optionsOf(params: URLSearchParams): Options {
  const by = params.get("by");
  const value = (name: string, most: number) => Math.min(most, Math.max(0, Number(params.get(name)) || 0));
  return { by: by === "files" || (by === "below" && !areHidden()) ? by : "top", least: value("least", 100), lines: value("lines", 1e6) };
}

export function NetworkView({ result, params }: { result: Result; params: URLSearchParams }) {
  const [ask, setAsk] = useState(() => optionsOf(params));
  const change = (part: Partial<Options>) => {
    const next = { ...ask, ...part };
    setAsk(next);
    replace(`#/network?${new URLSearchParams({ by: next.by, least: String(next.least), lines: String(next.lines) })}`);
  };
  const found = groups(result, ask.by);
  const sectioned = useSections(result, ask.by);
  const { sections, choice } = sectioned;
  const links = useMemo(
    () => found.links.filter((link) => link.similarity >= ask.least * 100 && link.lines >= ask.lines && (!sections || passes(link, sections, choice))),
    [found, ask, sections, choice],
  );
  const all = useMemo(() => clusters(links), [links]);
  const { roots, similarity: threshold } = result.tables.head.settings;
  const lowest = useMemo(() => Math.floor(found.links.reduce((low, link) => Math.min(low, link.similarity), threshold * 10_000) / 100), [found]);
  const linked = all.reduce((sum, { members }) => sum + members.length, 0);
  const most = found.links[0]?.lines ?? 1;
  // Projects in which nothing is found are in no table.
  const count = Math.max(found.names.length, ask.by === "top" && roots.length > 1 ? roots.length : 0);
  return (
    <div class="network">
      <div class="groups-bar">
        <ByChoice result={result} by={ask.by} files change={(by) => change({ by })} />
        <label>
          {T.networkLeast} <input type="range" min={lowest} max={100} value={Math.max(ask.least, lowest)} onInput={(event) => change({ least: event.currentTarget.valueAsNumber })} /> <output>{Math.max(ask.least, lowest)} %</output>
        </label>
        <label>
          {T.groupsLeast} <input type="range" min={1} max={Math.max(2, Math.min(most, 500))} value={Math.max(1, ask.lines)} onInput={(event) => change({ lines: event.currentTarget.valueAsNumber })} /> <output>{number(Math.max(1, ask.lines))}</output>
        </label>
        <button class="quiet" onClick={() => download(pairsCsv(found, links, sections), "familiar-pairs.csv", "text/csv")}>{T.groupsCsv}</button>
      </div>
      <SectionsBar sectioned={sectioned} />
      <p class="network-said" role="status">{T.networkFound(all.length, linked, links.length, count - linked)}</p>
      {links.length === 0 ? <p class="notice">{found.links.length === 0 ? T.noGroups : T.networkNone}</p> : <Body found={found} all={all} links={links} sections={sections} />}
    </div>
  );
}

interface BodyProps {
  found: Groups;
  all: Cluster[];
  links: Link[];
  sections: Sections | null;
}

function Body({ found, all, links, sections }: BodyProps) {
  const later = useSettled(all);
  const shown = useMemo(() => drawn(later), [later]);
  const places = useMemo(() => layout(shown), [shown]);
  const edges = useMemo(() => shown.flatMap((cluster) => cluster.links), [shown]);
  const labels = useMemo(() => found.names.map((name) => visible(name.slice(name.lastIndexOf("/") + 1))), [found]);
  const [bySection, setBySection] = useState(true);
  const [pointed, point] = useState<Pointed>(null);
  const [chosen, choose] = useState(-1);
  const colour = useMemo(() => (place: { node: number; cluster: number }) => category(sections && bySection ? sections.of[place.node] : place.cluster), [sections, bySection]);
  const here = places.some(({ node }) => node === chosen) ? chosen : -1;
  const name = (node: number) => visible(found.names[node]);
  const section = (node: number) => (sections && sections.of[node] >= 0 ? ` (${visible(sections.labels[sections.of[node]])})` : "");
  const say = (what: { node: number } | { link: Link }) => ("node" in what ? `${name(what.node)}${section(what.node)}` : T.networkEdge(name(what.link.a), name(what.link.b), similarity(what.link.similarity), what.link.lines));
  const left = { nodes: all.reduce((sum, { members }) => sum + members.length, 0) - places.length, links: links.length - edges.length };
  return (
    <div class="network-body">
      <div class="network-picture">
        <Graph places={places} links={edges} labels={labels} colour={colour} pointed={pointed ?? (here >= 0 ? { node: here } : null)} point={point} choose={choose} open={(link) => go(between(found, link))} say={say} title={T.networkPicture(places.length, edges.length)} />
        <p class="muted network-foot">
          {sections && (
            <label><input type="checkbox" checked={bySection} onChange={(event) => setBySection(event.currentTarget.checked)} /> {T.networkBySection}</label>
          )}
          <span>{T.networkHelp}</span>
          <span class="shades" aria-hidden="true">{T.networkLess} {[0, 1, 2, 3].map((shade) => <span key={shade} class={`shade-key shade-${shade}`} />)} {T.networkMore}</span>
          {later === all && (left.nodes > 0 || left.links > 0) && <strong>{T.networkLeft(left.nodes, left.links)}</strong>}
        </p>
      </div>
      <aside class="network-list" aria-label={T.networkClusters}>
        {here >= 0 && (
          <section>
            <h2>{name(here)}{section(here)} <button class="quiet" onClick={() => choose(-1)} aria-label={T.networkUnchoose}>×</button></h2>
            <Links found={found} links={links.filter(({ a, b }) => a === here || b === here)} from={here} point={point} />
          </section>
        )}
        <h2>{T.networkClusters}</h2>
        <List found={found} all={all} sections={sections} bySection={bySection} point={point} />
      </aside>
    </div>
  );
}

/** A layout takes its time: while a slider moves, the picture waits. */
function useSettled(all: Cluster[]): Cluster[] {
  const [settled, setSettled] = useState(all);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(all), 120);
    return () => clearTimeout(timer);
  }, [all]);
  return settled;
}

interface Pointing {
  point: (at: Pointed) => void;
}

const pointing = (at: Pointed, point: (at: Pointed) => void) => ({
  onMouseEnter: () => point(at),
  onMouseLeave: () => point(null),
  onFocus: () => point(at),
  onBlur: () => point(null),
});

function List({ found, all, sections, bySection, point }: { found: Groups; all: Cluster[]; sections: Sections | null; bySection: boolean } & Pointing) {
  const [most, setMost] = useState(CLUSTERS);
  return (
    <>
      <ol class="clusters">
        {all.slice(0, most).map((cluster, at) => (
          <li key={cluster.members[0]}>
            <details open={at === 0}>
              <summary title={T.networkClusterWhat}>
                {!(sections && bySection) && <span class={`dot ${category(at)}`} />}
                {T.networkCluster(at + 1, cluster.members.length, cluster.links.length, similarity(cluster.links[0].similarity))}
              </summary>
              <ul class="cluster-members">
                {cluster.members.slice(0, MEMBERS).map((node) => (
                  <li key={node}>
                    {sections && bySection && <span class={`dot ${category(sections.of[node])}`} />}
                    <a href={pathSearch(found.search[node].replaceAll('"', ""))} title={visible(found.names[node])} {...pointing({ node }, point)}><Path path={found.names[node]} /></a>
                  </li>
                ))}
                {cluster.members.length > MEMBERS && <li class="muted">{T.more(cluster.members.length - MEMBERS)}</li>}
              </ul>
              <h3>{T.networkStrongest}</h3>
              <Links found={found} links={cluster.links} point={point} />
            </details>
          </li>
        ))}
      </ol>
      {all.length > most && <button class="quiet" onClick={() => setMost(most + 300)}>{T.more(all.length - most)}</button>}
    </>
  );
}

/** Links to the findings of pairs; of one group, its name is left out. */
function Links({ found, links, from, point }: { found: Groups; links: Link[]; from?: number } & Pointing) {
  const name = (node: number) => visible(found.names[node].slice(found.names[node].lastIndexOf("/") + 1));
  const both = ({ a, b }: Link) => `${visible(found.names[a])} – ${visible(found.names[b])}`;
  return (
    <ul class="cluster-links">
      {links.slice(0, LINKS).map((link) => (
        <li key={`${link.a}-${link.b}`}>
          <a href={between(found, link)} title={both(link)} {...pointing({ link }, point)}>{from === undefined ? `${name(link.a)} – ${name(link.b)}` : name(link.a === from ? link.b : link.a)}</a>
          <span class="amount">{T.networkAmount(similarity(link.similarity), link.lines)}</span>
        </li>
      ))}
      {links.length > LINKS && <li class="muted">{T.more(links.length - LINKS)}</li>}
    </ul>
  );
}
