// Who has how much in common with whom: a matrix of folders, projects or authors, and the same as a list.

import { useMemo, useState } from "preact/hooks";
import type { Result } from "../data/result";
import { download } from "../download";
import { type By, between, type Groups, groups, type Link, ordered, pairsCsv } from "../findings/groups";
import { passes, type Sections } from "../findings/sections";
import { ByChoice } from "../parts/group-by";
import { SectionsBar, category, useSections } from "../parts/sections";
import { visible } from "../parts/visible";
import { T, number, similarity } from "../text";

/** Most rows of the matrix, and of the list until more is asked for. */
const MATRIX = 60;
const LIST = 100;

export function GroupsView({ result }: { result: Result }) {
  const [by, setBy] = useState<By>("top");
  const found = groups(result, by);
  const sectioned = useSections(result, by);
  const { sections, choice } = sectioned;
  const [least, setLeast] = useState(1);
  const [shown, setShown] = useState(LIST);
  const links = useMemo(() => found.links.filter((link) => link.lines >= least && (!sections || passes(link, sections, choice))), [found, least, sections, choice]);
  const order = useMemo(() => {
    const clustered = ordered(links, MATRIX);
    return sections ? clustered.sort((a, b) => sections.of[a] - sections.of[b]) : clustered;
  }, [links, sections]);
  const choose = <ByChoice result={result} by={by} change={setBy} />;
  if (found.links.length === 0) return <div class="groups">{choose}<p class="notice">{T.noGroups}</p></div>;
  const most = found.links[0].lines;
  const all = new Set(links.flatMap(({ a, b }) => [a, b])).size;
  const save = () => download(pairsCsv(found, links, sections), "familiar-groups.csv", "text/csv");
  return (
    <div class="groups">
      <div class="groups-bar">
        {choose}
        <label>
          {T.groupsLeast} <input type="range" min={1} max={Math.max(2, Math.min(most, 500))} value={least} onInput={(event) => setLeast(event.currentTarget.valueAsNumber)} /> <output>{number(least)}</output>
        </label>
        <span class="muted" role="status">{T.groupsFound(links.length, all)}</span>
        <button class="quiet" onClick={save}>{T.groupsCsv}</button>
      </div>
      <SectionsBar sectioned={sectioned} />
      {order.length > 1 && <Matrix sections={sections} found={found} links={links} order={order} most={most} all={all} />}
      <table class="plain groups-list">
        <caption>{T.groupsList}</caption>
        <thead>
          <tr>
            {[T.groupsOne, T.groupsOther].map((name) => <th scope="col" key={name}>{name}</th>)}
            {[T.groupsLines, T.groupsFindings, T.groupsSimilarity].map((name) => <th scope="col" class="number" key={name}>{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {links.slice(0, shown).map((link) => (
            <tr key={`${link.a}-${link.b}`}>
              <td><Dot sections={sections} group={link.a} /><a href={between(found, link)}>{visible(found.names[link.a])}</a></td>
              <td><Dot sections={sections} group={link.b} />{visible(found.names[link.b])}</td>
              <td class="number">{number(link.lines)}</td>
              <td class="number">{number(link.findings)}</td>
              <td class="number">{similarity(link.similarity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {links.length > shown && <button class="quiet" onClick={() => setShown(shown + 1000)}>{T.more(links.length - shown)}</button>}
    </div>
  );
}

/** The colour of the section that a group belongs to. */
function Dot({ sections, group }: { sections: Sections | null; group: number }) {
  if (!sections) return null;
  const at = sections.of[group];
  return <span class={`dot ${category(at)}`} title={at < 0 ? T.sectionsWithout(1) : visible(sections.labels[at])} />;
}

function Matrix({ found, links, order, most, all, sections }: { found: Groups; sections: Sections | null; links: Link[]; order: number[]; most: number; all: number }) {
  const at = new Map(order.map((group, place) => [group, place]));
  const cells = new Map<number, Link>();
  for (const link of links) {
    const [x, y] = [at.get(link.a), at.get(link.b)];
    if (x === undefined || y === undefined) continue;
    cells.set(x * order.length + y, link);
    cells.set(y * order.length + x, link);
  }
  const name = (place: number) => visible(found.names[order[place]]);
  // What few lines are to each other is seen too: by their logarithms.
  const heat = (lines: number) => Math.min(4, Math.floor((5 * Math.log(1 + lines)) / Math.log(2 + most)));
  return (
    <div class="matrix-box">
      {all > order.length && <p class="muted">{T.groupsCut(order.length, all)}</p>}
      <table class="matrix">
        <caption>{T.groupsMatrix}</caption>
        <thead>
          <tr>
            <td />
            {order.map((group, x) => <th scope="col" key={group}><span title={name(x)}>{name(x)}</span><Dot sections={sections} group={group} /></th>)}
          </tr>
        </thead>
        <tbody>
          {order.map((group, y) => (
            <tr key={group}>
              <th scope="row"><Dot sections={sections} group={group} /><span title={name(y)}>{name(y)}</span></th>
              {order.map((other, x) => {
                const link = cells.get(y * order.length + x);
                if (x === y) return <td key={other} class="self" />;
                if (!link) return <td key={other} />;
                const label = T.groupsCell(name(y), name(x), link.lines, similarity(link.similarity));
                return (
                  <td key={other} class={`heat-${heat(link.lines)}`}>
                    <a href={between(found, link)} title={label} aria-label={label} tabIndex={x < y ? 0 : -1}>{order.length <= 24 ? number(link.lines) : ""}</a>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
