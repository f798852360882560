// The lines of a file elsewhere that correspond to some of the reader's.

import { useState } from "preact/hooks";
import { visible } from "../../parts/visible";
import type { Found } from "../model";
import { T } from "../text";

/** Lines that are shown until more is asked for. */
const SHOWN = 8;

/** The line of the file at which a line of what was found stands there. */
export const lineInFile = ({ occurrences }: Found, line: number) => (occurrences[0]?.first_line ?? 1) - 1 + line;

/** One stretch of what was found, with the numbers of its lines there. */
export function MatchedLines({ found, at }: { found: Found; at: number }) {
  const [all, setAll] = useState(false);
  const lines = found.matched_text?.[at];
  if (!lines || lines.length === 0) return <p class="muted hint">{T.noText}</p>;
  const [mine, , first, last] = found.matched_lines[at];
  const missing = last - first + 1 - lines.length;
  const shown = lines.slice(0, all ? lines.length : SHOWN);
  return (
    <div class="there">
      <pre tabIndex={0} aria-label={T.linesThere(mine, lineInFile(found, first))}>
        {shown.map((line, number) => (
          <div key={number} class="there-line">
            <span class="gutter">{lineInFile(found, first + number)}</span>
            <code>{visible(line)}</code>
          </div>
        ))}
      </pre>
      {lines.length > SHOWN && <button class="quiet link" aria-expanded={all} title={T.moreLinesWhat} onClick={() => setAll(!all)}>{all ? T.fewer : T.moreLines(lines.length - SHOWN)}</button>}
      {missing > 0 && (all || lines.length <= SHOWN) && <p class="muted hint">{T.linesMissing(missing)}</p>}
    </div>
  );
}
