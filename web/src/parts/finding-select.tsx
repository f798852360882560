// A choice among all findings, whose timelines it leads to.

import type { Result } from "../data/result";
import { go, timelineAddress } from "../router";
import { number } from "../text";
import { nameOf } from "./labels";

/** Findings that a list offers. */
const OFFERED = 300;

export function FindingSelect({ result, finding, label }: { result: Result; finding: number; label: string }) {
  const count = result.tables.classes.type.length;
  const from = Math.max(0, Math.min(finding - OFFERED / 2, count - OFFERED));
  return (
    <select aria-label={label} value={finding} onChange={(event) => go(timelineAddress(Number(event.currentTarget.value)))}>
      {Array.from({ length: Math.min(OFFERED, count) }, (_, at) => from + at).map((other) => (
        <option key={other} value={other}>
          {`${number(other + 1)} ${nameOf(result, result.members(other)[0])}`}
        </option>
      ))}
    </select>
  );
}
