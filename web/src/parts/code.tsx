// One line of code in colours.

import type { TokenChange } from "../compare/align";
import type { Source } from "../compare/tokens";
import { T } from "../text";
import { visible } from "./visible";

const CLASSES = ["", "keyword", "", "builtin", "number", "string", "string", "import", "comment", ""];
/** Characters of a line that are shown. */
const LONGEST = 2_000;

export function Code({ source, line, changes }: { source: Source; line: number; changes?: TokenChange[] | undefined }) {
  const tokens = source.tokens(line);
  const parts: preact.ComponentChildren[] = [];
  let [shown, plain] = [0, ""];
  const flush = () => {
    if (plain) parts.push(plain);
    plain = "";
  };
  for (let at = 0; at < tokens.length; at++) {
    const { text, kind } = tokens[at];
    const change = changes?.[at] ?? "";
    const name = [CLASSES[kind] && `t-${CLASSES[kind]}`, change && `m-${change}`].filter(Boolean).join(" ");
    const rest = LONGEST - shown;
    shown += text.length;
    const cut = visible(text.slice(0, rest));
    if (name) {
      flush();
      parts.push(<span key={at} class={name}>{cut}</span>);
    } else {
      plain += cut;
    }
    if (shown > LONGEST) break;
  }
  flush();
  const length = source.line(line).length;
  return (
    <code>
      {parts}
      {length > LONGEST && <span class="muted"> … {T.tooLong(length - LONGEST)}</span>}
    </code>
  );
}

export function Missing({ reason }: { reason: string | undefined }) {
  return (
    <div class="missing">
      <p>{T.missingSource}</p>
      {reason !== undefined && <p class="muted">{T.missingWhy(visible(reason))}</p>}
    </div>
  );
}
