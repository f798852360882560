// What stands as one: a choice that Groups and Network share.

import { useMemo } from "preact/hooks";
import type { Result } from "../data/result";
import { type By, groupOf } from "../findings/groups";
import { areHidden } from "../hidden-names";
import { T } from "../text";

/** Folders are offered where there are more of them than what they are in, and where names are not hidden, since theirs would show. */
export function ByChoice({ result, by, files = false, change }: { result: Result; by: By; files?: boolean; change: (by: By) => void }) {
  const { files: table, head } = result.tables;
  const deeper = useMemo(() => {
    const level = (of: By) => groupOf(table.paths, head.settings.roots, of).names;
    const files = new Set(table.paths);
    const below = level("below");
    return !areHidden() && below.length > level("top").length && below.filter((name) => files.has(name)).length * 2 < below.length;
  }, [result]);
  const offered: By[] = ["top", ...(deeper || by === "below" ? ["below" as const] : []), ...(files ? ["files" as const] : [])];
  if (offered.length < 2) return null;
  return (
    <label>
      {T.by}{" "}
      <select value={by} onChange={(event) => change(event.currentTarget.value as By)}>
        {offered.map((one) => <option value={one} key={one}>{T.byNames[one]}</option>)}
      </select>
    </label>
  );
}
