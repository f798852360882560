// All licenses, and one of them: its files, and where its texts stand.

import { useMemo } from "preact/hooks";
import { Path } from "../parts/labels";
import { Rows } from "../parts/rows";
import { visible } from "../parts/visible";
import { L, number } from "../text";
import { fileAddress, filesAddress, licenseAddress } from "./filter";
import { CategoryName, layerText, LicenseText } from "./labels";
import { licenseCounts, placesOf } from "./license-counts";
import type { Table } from "./model";

export function LicensesView({ table }: { table: Table }) {
  const rows = useMemo(() => licenseCounts(table), [table]);
  return (
    <div class="license-page">
      <h1>{L.licenseTable}</h1>
      <p class="muted">{L.licenseWhat}</p>
      {rows.length === 0 && <p class="notice">{L.nothingKnown}</p>}
      <Rows
        class="license-list"
        role="grid"
        tabIndex={0}
        aria-label={L.licenseTable}
        aria-rowcount={rows.length}
        count={rows.length}
        height={30}
        head={
          <div class="row headers" role="row">
            {(["name", "category", "concluded", "named", "places"] as const).map((column) => <span key={column} role="columnheader" class={`license-${column}`}>{L.licenseColumns[column]}</span>)}
          </div>
        }
        row={(at) => {
          const { license, concluded, named: all, places } = rows[at];
          const { name, category } = table.licenses[license];
          return (
            <div key={at} class="row" role="row" aria-rowindex={at + 1}>
              <span role="gridcell" class="license-name"><a href={licenseAddress(name)} title={visible(name)}>{visible(name)}</a></span>
              <span role="gridcell"><CategoryName category={category} /></span>
              <span role="gridcell" class="number">{number(concluded)}</span>
              <span role="gridcell" class="number"><a href={filesAddress({ id: name })}>{number(all)}</a></span>
              <span role="gridcell" class="number">{number(places)}</span>
            </div>
          );
        }}
      />
    </div>
  );
}

/** What SPDX has a page of. */
const isListed = (name: string) => !/^(LicenseRef|DocumentRef)-/.test(name) && /^[A-Za-z0-9.+-]+$/.test(name);

export function LicenseView({ table, name }: { table: Table; name: string }) {
  const at = table.licenses.findIndex((license) => license.name === name);
  const { files, places } = useMemo(() => placesOf(table, at), [table, at]);
  if (at < 0) return <p class="notice">{L.unknownLicense}</p>;
  const { category } = table.licenses[at];
  return (
    <div class="license-page">
      <p><a class="back" href="#/licenses">← {L.views.licenses}</a></p>
      <h1>{visible(name)}</h1>
      <p class="muted license-facts">
        <CategoryName category={category} />
        <span>{L.concludedFor(files.length)}</span>
        <a href={filesAddress({ id: name })}>{L.showFiles}</a>
        {isListed(name) && <a href={`https://spdx.org/licenses/${name}.html`} target="_blank" rel="noopener noreferrer">{L.atSpdx}</a>}
      </p>
      <div class="license-halves">
        <section>
          <h2>{L.placesOf(places.length)}</h2>
          {places.length === 0 && <p class="muted">{L.noPlaces}</p>}
          <Rows
            class="license-places"
            role="list"
            aria-label={L.placesOf(places.length)}
            count={places.length}
            height={44}
            row={(row) => {
              const { file, layer, count } = places[row];
              const { start, end, kind } = table.layers;
              return (
                <div key={row} class="member" role="listitem">
                  <a href={fileAddress(file, start[layer])}><Path path={table.paths[file]} line={start[layer]} /></a>
                  <span class="muted">{layerText(table.kinds[kind[layer]])} · {L.line(start[layer], end[layer])}{count > 1 && ` · ${L.morePlaces(count - 1)}`}</span>
                </div>
              );
            }}
          />
        </section>
        <section>
          <h2>{L.concludedFor(files.length)}</h2>
          {files.length === 0 && <p class="muted">{L.noneConcluded}</p>}
          <Rows
            class="license-places"
            role="list"
            aria-label={L.concludedFor(files.length)}
            count={files.length}
            height={44}
            row={(row) => (
              <div key={row} class="member" role="listitem">
                <a href={fileAddress(files[row])}><Path path={table.paths[files[row]]} /></a>
                <LicenseText expression={table.expressions[table.license[files[row]]]} />
              </div>
            )}
          />
        </section>
      </div>
    </div>
  );
}
