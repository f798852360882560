// The files in a table: filtered, sorted, by keyboard too.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { download } from "../download";
import { Path } from "../parts/labels";
import { useListKeys } from "../parts/list-keys";
import { Rows, reveal, scrollTo } from "../parts/rows";
import { visible } from "../parts/visible";
import { go, replace } from "../router";
import { A, L, T, number } from "../text";
import { csv, holders, others } from "./export";
import { CATEGORIES, COLUMNS, EVERYTHING, STATES, fileAddress, files, filesAddress, fromParams, toParams, type Column, type Filter } from "./filter";
import { layerText, LicenseText } from "./labels";
import type { Table } from "./model";

const ROW = 30;

/** The last list of files, and where the reader stood in it. */
export const lastList = { address: "#/files", list: new Uint32Array(0), at: 0 };

export function FilesView({ table, params }: { table: Table; params: URLSearchParams }) {
  const [filter, setFilter] = useState(() => fromParams(params));
  const list = useMemo(() => files(table, filter), [table, filter]);
  const [at, setAt] = useState(() => (lastList.address === filesAddress(filter) ? lastList.at : 0));
  const [search, box, known] = [useRef<HTMLInputElement>(null), useRef<HTMLDivElement>(null), useRef(params)];
  const chosen = Math.min(at, Math.max(list.length - 1, 0));
  useEffect(() => {
    if (known.current === params) return;
    known.current = params;
    setFilter(fromParams(params));
    setAt(0);
  }, [params]);
  const change = (part: Partial<Filter>) => {
    setFilter((before) => ({ ...before, ...part }));
    setAt(0);
    scrollTo(box.current, 0);
  };
  useEffect(() => {
    const address = filesAddress(filter);
    Object.assign(lastList, { address, list, at: chosen });
    const timer = setTimeout(() => replace(address), 200);
    return () => clearTimeout(timer);
  }, [filter, list, chosen]);
  useEffect(() => reveal(box.current, chosen, ROW, chosen > 20), []);
  const open = (place: number) => {
    if (list.length === 0) return;
    replace(filesAddress(filter));
    Object.assign(lastList, { address: filesAddress(filter), list, at: place });
    go(fileAddress(list[place]));
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min(list.length - 1, to));
    setAt(next);
    reveal(box.current, next, ROW);
    box.current?.focus({ preventScroll: true });
  };
  useListKeys({ count: list.length, chosen, row: ROW, move, open, search, box });
  return (
    <div class="findings">
      <Bar table={table} filter={filter} change={change} search={search} />
      <div class="findings-status">
        <span role="status">{L.found(list.length, table.paths.length)}</span>
        <span class="exports">
          {T.export}
          <button class="quiet" onClick={() => download(csv(table, list), "licenses.csv", "text/csv")} disabled={list.length === 0}>{T.csv}</button>
        </span>
        <Keys />
      </div>
      <div class="license-files">
        <Rows
          box={box}
          class="license-rows"
          role="grid"
          tabIndex={0}
          aria-label={L.table}
          aria-rowcount={list.length}
          aria-activedescendant={list.length ? `row-${chosen}` : undefined}
          head={<Headers filter={filter} change={change} />}
          count={list.length}
          height={ROW}
          row={(place) => (
            <div
              key={place}
              id={`row-${place}`}
              role="row"
              aria-rowindex={place + 1}
              aria-selected={place === chosen}
              class="row"
              onClick={() => setAt(place)}
              onDblClick={() => open(place)}
            >
              <Cells table={table} file={list[place]} />
            </div>
          )}
        />
        {list.length === 0 && <p class="notice">{table.paths.length === 0 ? L.noFiles : L.nothingPasses}</p>}
      </div>
    </div>
  );
}

function Keys() {
  return (
    <span class="keys" aria-label={T.keysTitle}>
      {L.keys.map(([keys, what]) => (
        <span key={keys}>
          {keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)} {what}
        </span>
      ))}
    </span>
  );
}

interface BarProperties {
  table: Table;
  filter: Filter;
  change: (part: Partial<Filter>) => void;
  search: preact.RefObject<HTMLInputElement | null>;
}

function Bar({ table, filter, change, search }: BarProperties) {
  const licenses = useMemo(() => {
    const used = new Set(table.license);
    return table.expressions.filter((_, at) => used.has(at)).map(({ text }) => text).sort();
  }, [table]);
  const categories = useMemo(() => {
    const used = new Set(table.expressions.map(({ category }) => category));
    return CATEGORIES.filter((name) => used.has(name) || name === "none");
  }, [table]);
  const layers = useMemo(() => {
    const used = new Set(Array.from(new Set(table.by), (at) => table.kinds[at]));
    return Object.keys(A.layers).filter((name) => used.has(name));
  }, [table]);
  const narrowed = toParams({ ...filter, sort: "path", descending: false }).size > 0;
  return (
    <form class="bar" onSubmit={(event) => event.preventDefault()}>
      <input
        ref={search}
        class="search"
        type="search"
        spellcheck={false}
        autocomplete="off"
        placeholder={L.search}
        aria-label={L.search}
        title={L.searchHint}
        value={filter.query}
        onInput={(event) => change({ query: event.currentTarget.value })}
      />
      <Choice label={L.license} any={L.anyLicense} value={filter.license} options={licenses.map((text) => [text, visible(text)])} change={(license) => change({ license })} />
      <Choice label={L.category} any={L.anyCategory} value={filter.category} options={categories.map((name) => [name, L.categories[name]])} change={(category) => change({ category })} />
      <Choice label={L.layer} any={L.anyLayer} value={filter.by} options={layers.map((name) => [name, layerText(name)])} change={(by) => change({ by })} />
      <Choice label={L.state} any={L.anyState} value={filter.state} options={STATES.map((name) => [name, L.states[name]])} change={(state) => change({ state: state as Filter["state"] })} />
      {filter.id && (
        <button type="button" class="naming" aria-label={L.unname(visible(filter.id))} onClick={() => change({ id: "" })}>
          {L.naming(visible(filter.id))} ×
        </button>
      )}
      {narrowed && <button type="button" class="quiet" onClick={() => change({ ...EVERYTHING, sort: filter.sort, descending: filter.descending })}>{T.reset}</button>}
    </form>
  );
}

function Choice({ label, any, value, options, change }: { label: string; any: string; value: string; options: [string, string][]; change: (value: string) => void }) {
  return (
    <select aria-label={label} title={label} value={value} onChange={(event) => change(event.currentTarget.value)}>
      <option value="">{any}</option>
      {value !== "" && !options.some(([one]) => one === value) && <option value={value}>{visible(value)}</option>}
      {options.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </select>
  );
}

function Headers({ filter, change }: { filter: Filter; change: (part: Partial<Filter>) => void }) {
  const first = (column: Column) => column === "others" || column === "lines";
  return (
    <div class="row headers" role="row">
      {COLUMNS.map((column) => {
        const sorted = filter.sort === column;
        return (
          <span key={column} role="columnheader" class={`cell-${column}`} aria-sort={sorted ? (filter.descending ? "descending" : "ascending") : "none"}>
            <button class="quiet" onClick={() => change({ sort: column, descending: sorted ? !filter.descending : first(column) })}>
              {L.columns[column]}
              {sorted && <span aria-hidden="true">{filter.descending ? " ↓" : " ↑"}</span>}
            </button>
          </span>
        );
      })}
    </div>
  );
}

function Cells({ table, file }: { table: Table; file: number }) {
  const [disagreeing, claimed] = [others(table, file), holders(table, file)];
  const all = disagreeing.map(({ kind, license }) => L.says(layerText(kind), visible(license))).join("; ");
  const names = claimed.map(visible).join("; ");
  return (
    <>
      <span role="gridcell" class="cell-path"><a href={fileAddress(file)}><Path path={table.paths[file]} /></a></span>
      <span role="gridcell" class="cell-license"><LicenseText expression={table.expressions[table.license[file]]} /></span>
      <span role="gridcell" class="cell-by">{table.license[file] < 0 ? "" : layerText(table.kinds[table.by[file]])}</span>
      <span role="gridcell" class="cell-others" title={all}>{disagreeing.length > 0 && <span class="differs">{all}</span>}</span>
      <span role="gridcell" class="cell-holders" title={names}>{names}</span>
      <span role="gridcell" class="cell-lines">{table.lines[file] > 0 ? number(table.lines[file]) : ""}</span>
    </>
  );
}
