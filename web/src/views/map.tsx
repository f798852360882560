// The tree as areas: how many lines of each folder and file are duplicated.

import { useMemo } from "preact/hooks";
import type { Result } from "../data/result";
import { areas, find, mapAddress, Trail, Treemap, type Area, type Look } from "../parts/treemap";
import { visible } from "../parts/visible";
import { pathSearch, sourceAddress } from "../router";
import { F, T, number } from "../text";

/** By duplicated lines; all lines are summed up, too. */
function tree(result: Result): Area {
  const { files } = result.tables;
  return areas(files.paths, (file) => result.duplicated[file], (file) => [files.lines[file]]);
}

export function MapView({ result, params }: { result: Result; params: URLSearchParams }) {
  const root = useMemo(() => tree(result), [result]);
  const node = find(root, params.get("path") ?? "");
  const words: Words = result.found ? F.map : T;
  if (root.size === 0) return <p class="notice">{words.mapEmpty}</p>;
  return (
    <div class="map">
      <div class="map-head">
        <Trail node={node} label={T.views.map} find={{ href: pathSearch(`${node.path}/`), text: T.views.findings }} />
        <span class="muted">{words.mapLines(node.size, Math.max(node.sums[0], node.size))}</span>
        <span class="spacer" />
        <span class="muted map-help">{words.mapHelp}</span>
        <span class="scale" aria-hidden="true">
          0 %{[0, 1, 2, 3, 4].map((heat) => <span key={heat} class={`heat heat-${heat}`} />)}100 %
        </span>
      </div>
      <Treemap node={node} look={(area) => look(area, words)} />
    </div>
  );
}

/** What the map says of its areas. */
type Words = Pick<typeof T, keyof typeof F.map>;

function look({ path, file, size, sums: [lines] }: Area, words: Words): Look {
  const fraction = lines > 0 ? Math.min(1, size / lines) : -1;
  const heat = fraction < 0 ? "none" : String(Math.min(4, Math.floor(fraction * 5)));
  return {
    class: `heat-${heat}`,
    href: file >= 0 ? sourceAddress(file) : file === -2 ? pathSearch(`${path}/`) : mapAddress(path),
    label: fraction < 0 ? words.shareUnknown(visible(path), size) : words.mapCell(visible(path), size, fraction),
    count: number(size),
  };
}
