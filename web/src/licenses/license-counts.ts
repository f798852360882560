// One license after another: for how many files it is concluded, and where it is named.

import { HERE, type Table } from "./model";

export interface LicenseCounts {
  /** Position in the licenses. */
  license: number;
  concluded: number;
  named: number;
  places: number;
}

/** Every license, those of most files first. */
export function licenseCounts(table: Table): LicenseCounts[] {
  const { licenses, expressions, layers, firstLayer } = table;
  const rows = licenses.map((_, license): LicenseCounts => ({ license, concluded: 0, named: 0, places: 0 }));
  const lastFile = new Int32Array(licenses.length).fill(-1);
  for (let file = 0; file < table.paths.length; file++) {
    for (const at of expressions[table.license[file]]?.licenses ?? []) rows[at].concluded++;
    for (let layer = firstLayer[file]; layer < firstLayer[file + 1]; layer++) {
      for (const at of expressions[layers.license[layer]]?.licenses ?? []) {
        if (layers.flags[layer] & HERE && layers.start[layer] > 0) rows[at].places++;
        if (lastFile[at] === file) continue;
        lastFile[at] = file;
        rows[at].named++;
      }
    }
  }
  const name = ({ license }: LicenseCounts) => licenses[license].name;
  return rows.sort((a, b) => b.concluded - a.concluded || b.named - a.named || (name(a) < name(b) ? -1 : 1));
}

/** A file that names a license itself: the layer with most lines, and how many layers there are. */
export interface Place {
  file: number;
  layer: number;
  count: number;
}

/** The files for which a license is concluded, and those that name it themselves, with most lines first: texts before notices before tags. */
export function placesOf(table: Table, license: number): { files: number[]; places: Place[] } {
  const has = table.expressions.map(({ licenses }) => licenses.includes(license));
  const [files, places]: [number[], Place[]] = [[], []];
  const { layers, firstLayer } = table;
  const lines = (layer: number) => layers.end[layer] - layers.start[layer];
  for (let file = 0; file < table.paths.length; file++) {
    if (has[table.license[file]]) files.push(file);
    let place: Place | undefined;
    for (let layer = firstLayer[file]; layer < firstLayer[file + 1]; layer++) {
      if (!has[layers.license[layer]] || !(layers.flags[layer] & HERE) || layers.start[layer] === 0) continue;
      if (place === undefined) places.push((place = { file, layer, count: 0 }));
      place.count++;
      if (lines(layer) > lines(place.layer)) place.layer = layer;
    }
  }
  return { files, places: places.sort((a, b) => lines(b.layer) - lines(a.layer) || a.file - b.file) };
}
