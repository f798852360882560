// Findings by the year in which their code first stood somewhere: a bar for each year, and a table of one year or of all.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { byYear } from "../findings/timeline";
import { A } from "../text";
import { Columns, type BarItem } from "./charts";
import { useShowMore } from "./loaded";

/** Rows that are shown at once. */
const LISTED = 100;

interface Properties {
  /** The year of each finding, 0 where nothing tells. */
  years: Uint16Array;
  /** The year that is chosen, 0 for all. */
  year: number;
  words: { chart: string; all: string; what: string; unknown: (count: number) => string; top: string };
  columns: (string | undefined)[];
  row: (finding: number) => ComponentChildren;
}

export function ByYears({ years, year, words, columns, row }: Properties) {
  const found = useMemo(() => byYear(years), [years]);
  const [shown, showMore] = useShowMore(LISTED);
  const items = found.years.map(({ year: of, findings }): BarItem => ({ label: String(of), value: findings.length, href: `#/timeline?year=${of}` }));
  const list = useMemo(() => {
    const chosen = found.years.find((one) => one.year === year);
    return chosen ? chosen.findings : found.years.flatMap((one) => one.findings).sort((a, b) => a - b);
  }, [found, year]);
  if (items.length === 0) return <p class="notice">{A.noYears}</p>;
  return (
    <div class="timeline">
      <h1>{A.timeline}</h1>
      <section class="card years">
        <h2>
          {words.chart}
          {year > 0 && <a href="#/timeline">{words.all}</a>}
        </h2>
        <Columns items={items} what={words.what} />
        {found.unknown.length > 0 && <p class="muted small">{words.unknown(found.unknown.length)}</p>}
      </section>
      <section class="card">
        <h2>{year > 0 ? String(year) : words.top}</h2>
        <div class="table-box" tabIndex={0} role="group" aria-label={words.top}>
          <table>
            <thead>
              <tr>{columns.map((name) => <th key={name} scope="col">{name}</th>)}</tr>
            </thead>
            <tbody>{list.slice(0, shown).map(row)}</tbody>
          </table>
        </div>
        {list.length > shown && <button class="quiet" onClick={showMore}>{A.moreRows(list.length - shown)}</button>}
      </section>
    </div>
  );
}
