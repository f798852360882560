// What outlives a view: the last list of findings, and where the reader stood in it.

import type { FindingKind } from "../data/model";

export const lastList = {
  address: "#/findings",
  kind: "classes" as FindingKind,
  list: new Uint32Array(0),
  at: 0,
  /** The findings under which those in the same lines are shown. */
  open: new Set<number>() as ReadonlySet<number>,
};
