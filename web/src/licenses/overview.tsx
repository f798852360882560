// The licenses at a glance: how many, who says so, and what is worth reading first.

import { useMemo, useState } from "preact/hooks";
import { HorizontalBars, type BarItem } from "../parts/charts";
import { Path } from "../parts/labels";
import { useLoaded } from "../parts/loaded";
import { visible } from "../parts/visible";
import { A, L, T, number, percent } from "../text";
import type { LicenseData } from "./data";
import { others } from "./export";
import { CATEGORIES, below, categoryOf, disagreeing, fileAddress, filesAddress } from "./filter";
import { layerText, LicenseText } from "./labels";
import type { Table } from "./model";

/** Bars of a chart, rows of a card, and rows of a list that is opened. */
const [BARS, ROWS, LISTED] = [12, 8, 500];

export function Overview({ table, data }: { table: Table; data: LicenseData }) {
  const { counts } = table.head;
  const facts = useMemo(() => factsOf(table), [table]);
  return (
    <div class="overview">
      <section class="figures">
        <Figure href="#/files" value={counts.files} what={L.filesRead} more={L.filesMore(counts.packages, counts.skipped)} strong />
        <Figure href="#/licenses" value={table.licenses.length} what={L.licensesNamed} more={L.licensesMore(facts.conclusions)} />
        <Figure href={filesAddress({ state: "none" })} value={facts.none.length} what={L.unspoken} more={L.unspokenMore(percent(counts.files ? facts.none.length / counts.files : 0))} />
        <Figure href={filesAddress({ state: "disagree" })} value={facts.disagree.length} what={L.disagreeing} more={L.disagreeingMore} />
      </section>
      {counts.files === 0 ? <p class="notice">{L.noFiles}</p> : <Charts table={table} />}
      {counts.files > 0 && <Worth table={table} facts={facts} />}
      <section class="columns wide">
        <PackagesCard data={data} count={counts.packages} />
        <LeftOut table={table} data={data} />
      </section>
      <p class="disclaimer">{L.disclaimer}</p>
    </div>
  );
}

interface Facts {
  conclusions: number;
  none: number[];
  disagree: number[];
}

function factsOf(table: Table): Facts {
  const [none, disagree, used]: [number[], number[], Set<number>] = [[], [], new Set()];
  for (let file = 0; file < table.paths.length; file++) {
    if (table.license[file] < 0) none.push(file);
    else used.add(table.license[file]);
    if (disagreeing(table, file) > 0) disagree.push(file);
  }
  return { conclusions: used.size, none, disagree };
}

function Figure({ href, value, what, more, strong = false }: { href: string; value: number; what: string; more: string; strong?: boolean }) {
  return (
    <a class={strong ? "figure strong" : "figure"} href={href}>
      <span class="value">{number(value)}</span>
      <span class="what">{what}</span>
      <span class="muted">{more}</span>
    </a>
  );
}

/** What most files have, as bars. */
function most(counts: Map<number, number>, bar: (key: number, value: number) => BarItem): BarItem[] {
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, BARS).map(([key, value]) => bar(key, value));
}

function counted(values: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function Charts({ table }: { table: Table }) {
  const licenses = useMemo(
    () =>
      most(counted(table.license), (at, value) =>
        at < 0
          ? { label: L.nothingKnown, value, class: "lc-none", href: filesAddress({ state: "none" }) }
          : { label: visible(table.expressions[at].text), value, class: `lc-${table.expressions[at].category}`, href: filesAddress({ license: table.expressions[at].text }) },
      ),
    [table],
  );
  const categories = useMemo(() => {
    const counts = new Map<string, number>();
    for (let file = 0; file < table.paths.length; file++) counts.set(categoryOf(table, file), (counts.get(categoryOf(table, file)) ?? 0) + 1);
    return CATEGORIES.filter((name) => counts.has(name)).map((name): BarItem => ({ label: L.categories[name], value: counts.get(name) ?? 0, class: `lc-${name}`, href: filesAddress({ category: name }) }));
  }, [table]);
  const layers = useMemo(() => {
    const counts = counted(table.by);
    return Object.keys(A.layers)
      .map((name) => ({ name, value: counts.get(table.kinds.indexOf(name)) ?? 0 }))
      .filter(({ value }) => value > 0)
      .map(({ name, value }): BarItem => ({ label: layerText(name), value, href: filesAddress({ by: name }) }));
  }, [table]);
  const holders = useMemo(() => most(counted(table.holder), (at, value) => ({ label: visible(table.holders[at]), value, href: filesAddress({ query: `holder:"${table.holders[at].replaceAll('"', " ")}"` }) })), [table]);
  return (
    <section class="columns wide license-charts">
      <div class="card">
        <h2>{L.byLicense}<a href="#/licenses">{L.allLicenses}</a></h2>
        <HorizontalBars items={licenses} what={L.filesWord} />
      </div>
      <div class="card">
        <h2>{L.byCategory}<a href="#/map">{T.openMap}</a></h2>
        <HorizontalBars items={categories} what={L.filesWord} />
        <h2 class="second">{L.byLayer}</h2>
        <HorizontalBars items={layers} what={L.filesWord} />
      </div>
      {holders.length > 0 && (
        <div class="card">
          <h2>{L.holders}</h2>
          <HorizontalBars items={holders} what={L.filesWord} />
        </div>
      )}
    </section>
  );
}

function Worth({ table, facts: { none, disagree } }: { table: Table; facts: Facts }) {
  return (
    <section class="columns wide">
      {none.length + disagree.length === 0 && <div class="card"><h2>{L.worthReading}</h2><p class="muted">{L.worthFine}</p></div>}
      {disagree.length > 0 && (
        <div class="card">
          <h2>{L.worthDisagree}<a href={filesAddress({ state: "disagree" })}>{L.worthAll}</a></h2>
          <ol class="top-list two-lines">
            {disagree.slice(0, ROWS).map((file) => (
              <li key={file}>
                <a href={fileAddress(file)}><Path path={table.paths[file]} /></a>
                <span class="top-more">
                  <LicenseText expression={table.expressions[table.license[file]]} />
                  {others(table, file).slice(0, 1).map(({ kind, license }) => <span key={kind} class="muted">{L.says(layerText(kind), visible(license))}</span>)}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
      {none.length > 0 && (
        <div class="card">
          <h2>{L.worthNone}<a href={filesAddress({ state: "none" })}>{L.worthAll}</a></h2>
          <ol class="top-list">
            {none.slice(0, ROWS * 2).map((file) => (
              <li key={file}><a href={fileAddress(file)}><Path path={table.paths[file]} /></a></li>
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

function PackagesCard({ data, count }: { data: LicenseData; count: number }) {
  const packages = useLoaded(() => data.packages(), [data]);
  return (
    <div class="card">
      <h2>{L.packages}{count > 0 && <a href="#/packages">{L.allPackages}</a>}</h2>
      {count === 0 && <p class="muted">{L.noPackages}</p>}
      <ol class="top-list two-lines">
        {packages?.rows.slice(0, ROWS).map((row, at) => (
          <li key={at}>
            <a class="name" href={below(row.folder)}>{visible(row.name)}{row.version !== null && ` ${visible(row.version)}`}</a>
            <span class="top-more">{row.license < 0 ? <span class="unnamed">{L.noDeclared}</span> : <LicenseText expression={packages.expressions[row.license]} />}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function LeftOut({ table, data }: { table: Table; data: LicenseData }) {
  const { counts, tool, root } = table.head;
  const [open, setOpen] = useState(false);
  const skips = useLoaded(() => (open ? data.skipped() : Promise.resolve([])), [data, open]);
  return (
    <div class="card">
      <h2>{L.leftOut}</h2>
      <p>{counts.skipped === 0 ? L.nothingLeftOut : L.skips(counts.skipped)}</p>
      {counts.skipped > 0 && (
        <details onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}>
          <summary title={T.showListWhat}>{T.showList}</summary>
          <ul class="skips">
            {skips?.slice(0, LISTED).map(([path, reason], at) => (
              <li key={at}>
                <Path path={path} />
                <span class="muted">{visible(reason)}</span>
              </li>
            ))}
            {(skips?.length ?? 0) > LISTED && <li>{L.more(counts.skipped - LISTED)}</li>}
          </ul>
        </details>
      )}
      <dl class="settings">
        {[[L.readFrom, visible(root)], [L.madeBy, `${tool.name} ${tool.version}`]].map(([name, value]) => (
          <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
        ))}
      </dl>
    </div>
  );
}
