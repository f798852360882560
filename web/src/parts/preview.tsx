// The beginning of a fragment's code, where the report has it.

import { useEffect, useState } from "preact/hooks";
import { Source } from "../compare/tokens";
import type { Result } from "../data/result";
import { T } from "../text";
import { Code } from "./code";
import { Rows } from "./rows";

/** Lines of a preview. */
const PREVIEWED = 200;

export function Preview({ result, fragment }: { result: Result; fragment: number }) {
  const [source, setSource] = useState<{ fragment: number; text: Source } | null>(null);
  useEffect(() => {
    let current = true;
    // Whoever passes by quickly needs nothing.
    const timer = setTimeout(async () => {
      const text = await result.source(result.tables.fragments.file[fragment]).catch(() => null);
      if (current) setSource(text && { fragment, text: new Source(text) });
    }, 120);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [fragment]);
  if (source?.fragment !== fragment) return null;
  const [from, to] = result.lines(fragment);
  return (
    <div class="preview">
      <h3>{T.preview}</h3>
      <Rows
        class="code"
        role="presentation"
        tabIndex={0}
        aria-label={T.preview}
        count={Math.min(to - from + 1, PREVIEWED)}
        height={20}
        row={(at) => (
          <div key={at} class="line">
            <span class="gutter">{from + at}</span>
            <Code source={source.text} line={from + at} />
          </div>
        )}
      />
    </div>
  );
}
