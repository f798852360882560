// The tree as areas: how many files of each folder are under licenses of which category.

import { useMemo } from "preact/hooks";
import { areas, find, mapAddress, Trail, Treemap, type Area, type Look } from "../parts/treemap";
import { visible } from "../parts/visible";
import { L, number } from "../text";
import { CATEGORIES, below, categoryOf, fileAddress, filesAddress } from "./filter";
import type { Table } from "./model";

export function MapView({ table, params }: { table: Table; params: URLSearchParams }) {
  const root = useMemo(() => tree(table), [table]);
  const node = find(root, params.get("path") ?? "");
  if (root.size === 0) return <p class="notice">{L.noFiles}</p>;
  const shown = CATEGORIES.filter((_, at) => root.sums[at] > 0);
  return (
    <div class="map">
      <div class="map-head">
        <Trail node={node} label={L.views.map} find={{ href: below(node.path), text: L.views.files }} />
        <span class="muted">{L.mapFiles(node.size)}</span>
        <span class="spacer" />
        <span class="muted map-help">{L.mapHelp}</span>
        <ul class="map-legend">
          {shown.map((name) => (
            <li key={name}><a href={filesAddress({ category: name })}><span class={`dot lc-${name}`} aria-hidden="true" />{L.categories[name]}</a></li>
          ))}
        </ul>
      </div>
      <Treemap node={node} look={(area) => look(table, area)} />
    </div>
  );
}

/** Files, and for each category how many are of it. */
function tree(table: Table): Area {
  const one = CATEGORIES.map((_, at) => CATEGORIES.map((_, other) => Number(at === other)));
  const position = new Map<string, number>(CATEGORIES.map((name, at) => [name, at]));
  return areas(table.paths, () => 1, (file) => one[position.get(categoryOf(table, file)) ?? CATEGORIES.indexOf("unknown")]);
}

function look(table: Table, { path, file, size, sums }: Area): Look {
  const most = CATEGORIES[sums.indexOf(sums.reduce((most, sum) => Math.max(most, sum)))];
  const expression = file >= 0 ? table.expressions[table.license[file]] : undefined;
  const what = expression ? visible(expression.text) : file >= 0 ? L.categories[most] : shares(sums);
  return {
    class: `lc-cell lc-${most}`,
    href: file >= 0 ? fileAddress(file) : file === -2 ? below(path) : mapAddress(path),
    label: L.mapCell(visible(path), size, what),
    count: file >= 0 ? what : number(size),
    ...(file < 0 && { background: stripes(sums, size) }),
  };
}

/** How many files are of which category. */
const shares = (sums: readonly number[]) => CATEGORIES.flatMap((name, at) => (sums[at] > 0 ? [`${number(sums[at])} ${L.categories[name].toLowerCase()}`] : [])).join(", ");

/** The categories of a folder's files, as wide as their shares; what is there can be seen, however little it is. */
function stripes(sums: readonly number[], size: number): string {
  const widths = sums.map((count) => (count > 0 ? Math.max(0.04, count / size) : 0));
  const all = widths.reduce((sum, width) => sum + width, 0);
  let from = 0;
  const stops = CATEGORIES.flatMap((name, at) => {
    if (widths[at] === 0) return [];
    const to = from + (widths[at] / all) * 100;
    const stop = `var(--lc-area-${name}) ${from.toFixed(2)}% ${to.toFixed(2)}%`;
    from = to;
    return [stop];
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
