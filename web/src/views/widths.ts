// How wide columns of the table of findings are: as wide as what stands in them, so that nothing is cut off beside empty room.

import type { FindingKind } from "../data/model";
import type { Result } from "../data/result";
import { licenseText } from "../parts/verdict";
import { A } from "../text";

/** Pixels of a character in a badge and in the line of licenses, and what stands around them. */
const [BADGE, LETTER, AROUND] = [6.8, 6.6, 48];

/** The two paths of pairs share their room by the longest on each side. */
function paths({ tables: { files, fragments, pairs } }: Result): Record<string, string> {
  const lengths = files.paths.map((path) => path.length);
  let [left, right] = [1, 1];
  for (let pair = 0; pair < pairs.left.length; pair++) {
    left = Math.max(left, lengths[fragments.file[pairs.left[pair]]]);
    right = Math.max(right, lengths[fragments.file[pairs.right[pair]]]);
  }
  return { "--left": `${left}fr`, "--right": `${right}fr` };
}

/** The widest verdict with the licenses beside it. */
function verdicts(result: Result, kind: FindingKind): number {
  const { audit } = result;
  if (!audit) return 0;
  const { classes, pairs } = result.tables;
  const wide = (verdict: string, decision: string, here: number, there: number) =>
    (A.verdicts[verdict] ?? verdict).length * BADGE + (A.decisions[decision] ?? decision).length * BADGE + (licenseText(audit.license(here)).length + licenseText(audit.license(there)).length + 3) * LETTER + AROUND;
  let most = 0;
  if (kind === "classes") {
    for (let number = 0; number < classes.type.length; number++) {
      most = Math.max(most, wide(audit.verdict(number), audit.decision(number), classes.members[classes.first[number]], audit.table.findings.origin[number]));
    }
  } else {
    for (let pair = 0; pair < pairs.left.length; pair++) most = Math.max(most, wide(audit.verdictOfPair(pair), audit.isOwn(pair) ? "own" : "", pairs.left[pair], pairs.right[pair]));
  }
  return Math.ceil(most);
}

/** Custom properties that the style takes the widths of columns from. */
export function widths(result: Result, kind: FindingKind): Record<string, string> {
  return { ...(kind === "pairs" && paths(result)), ...(result.audit && { "--verdict": `${verdicts(result, kind)}px` }) };
}
