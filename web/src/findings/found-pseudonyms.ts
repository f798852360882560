// What is found without names: projects get those that the report gives them, and what may say another is left out.

import type { BlobText, FoundTable, Origin } from "../data/found/model";

type Names = Map<string, string>;

export const tableWithoutNames = (table: FoundTable, names: Names, otherwise: string): FoundTable => ({
  ...table,
  corpus: "",
  projects: table.projects.map((name) => names.get(name) ?? otherwise),
});

export function blobWithoutNames({ blob, places, licenses }: BlobText, names: Names, otherwise: string): BlobText {
  return {
    blob,
    places: places.map(({ project, family, path, first_line, first_seen, last_seen, evidence, base }) => ({
      ...{ project: names.get(family ?? project) ?? otherwise, path, first_line, first_seen, last_seen, evidence, revision: null },
      ...(base !== undefined && { base }),
    })),
    licenses: licenses.map(({ layers, ...license }) => ({ ...license, layers: layers.map(({ layer, expression }) => ({ layer, expression, evidence: "" })) })),
  };
}

export function originWithoutNames({ known, blob, project, family, first_seen, evidence }: Origin, names: Names, otherwise: string): Origin {
  return {
    ...{ known, reason: "" },
    ...(blob !== undefined && { blob }),
    ...(project !== undefined && { project: names.get(family ?? project) ?? otherwise, first_seen: first_seen ?? null }),
    ...(evidence !== undefined && { evidence }),
  };
}
