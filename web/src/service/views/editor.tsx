// A field for code, with numbers of lines and marks behind the text.

import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { lineCount, type Stretch } from "../lines";
import { T } from "../text";

/** As the style says. */
const LINE = 20;

interface Properties {
  field: RefObject<HTMLTextAreaElement | null>;
  code: string;
  change: (code: string) => void;
  matched: Stretch[];
  /** Those of the result that the reader looks at. */
  strong: Stretch[];
  /** The line to bring into sight, each time another object comes. */
  shown: { line: number } | null;
}

export function Editor({ field, code, change, matched, strong, shown }: Properties) {
  const behind = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);
  const count = useMemo(() => lineCount(code), [code]);
  const numbers = useMemo(() => Array.from({ length: count }, (_, at) => at + 1).join("\n"), [count]);
  const follow = () => {
    if (behind.current && field.current) behind.current.style.transform = `translateY(${-field.current.scrollTop}px)`;
  };
  useEffect(follow, [code]);
  useEffect(() => {
    if (shown && field.current) field.current.scrollTo({ top: (shown.line - 1) * LINE - field.current.clientHeight / 4 });
  }, [shown]);
  const drop = async (event: DragEvent) => {
    setOver(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    change(await file.text());
  };
  const highlight = (name: string) => ([first, last]: Stretch) => (
    <div key={`${name}${first}`} class={`mark ${name}`} style={{ top: `${(first - 1) * LINE}px`, height: `${(last - first + 1) * LINE}px` }} />
  );
  return (
    <div
      class={over ? "editor over" : "editor"}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <div class="editor-behind" aria-hidden="true">
        <div ref={behind}>
          {matched.map(highlight("found"))}
          {strong.map(highlight("strong"))}
          <pre class="editor-numbers">{numbers}</pre>
        </div>
      </div>
      <textarea
        ref={field}
        value={code}
        aria-label={T.code}
        placeholder={T.codeHint}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        onInput={(event) => change(event.currentTarget.value)}
        onScroll={follow}
      />
    </div>
  );
}
