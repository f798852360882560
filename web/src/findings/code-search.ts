// Words in the code of fragments: files are read one after another, and what was found so far is shown meanwhile.

import { useEffect, useState } from "preact/hooks";
import type { Result } from "../data/result";
import type { FindingDecisions } from "../decisions/by-finding";
import { findings, terms, withoutCode, type Filter } from "./filter";

/** What was found of words in code: for each word whether a fragment has it, the share of files that were read, and whether that is all. */
export interface CodeHits {
  hits: Map<string, Uint8Array>;
  progress: number;
  isDone: boolean;
}

const NOTHING_YET: CodeHits = { hits: new Map(), progress: 0, isDone: false };

/** Characters that are read at most: a browser is slow to give back the scripts that it has loaded. */
const MOST = 48_000_000;

/** Milliseconds between two looks at what was found. */
const PERIOD = 250;

/** Reads files, of at most so many characters, for words in lower case; `told` learns how far it is, and ends it by saying false. */
export async function searchCode(result: Result, files: number[], words: string[], onProgress: (found: CodeHits) => boolean, most = MOST): Promise<void> {
  const hits = new Map(words.map((word) => [word, new Uint8Array(result.tables.fragments.file.length)]));
  let [last, read] = [performance.now(), 0];
  for (const [at, file] of files.entries()) {
    if (read > most) {
      onProgress({ hits, progress: at / files.length, isDone: true });
      return;
    }
    const text = (await result.source(file).catch(() => null))?.text.toLowerCase() ?? "";
    read += text.length;
    for (const [word, hit] of hits) markHits(result, file, linesOf(text, word), hit);
    if (performance.now() - last < PERIOD) continue;
    // Whoever types meanwhile is heard.
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
    if (!onProgress({ hits, progress: at / files.length, isDone: false })) return;
  }
  onProgress({ hits, progress: 1, isDone: true });
}

/** The files of the findings that pass the filter but for the words in code. */
function filesOf(result: Result, filter: Filter, decisions: FindingDecisions | null): number[] {
  const { file } = result.tables.fragments;
  const sides = (finding: number) => (filter.kind === "classes" ? [...result.members(finding)] : [result.tables.pairs.left[finding], result.tables.pairs.right[finding]]);
  const files = new Set<number>();
  for (const finding of findings(result, { ...filter, query: withoutCode(filter.query) }, decisions)) for (const id of sides(finding)) files.add(file[id]);
  // In the order of the packs that hold them.
  return [...files].sort((a, b) => a - b);
}

/** The lines on which a word begins, from 1. */
export function linesOf(text: string, word: string): number[] {
  const lines: number[] = [];
  let [line, seen] = [1, 0];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    for (let end = text.indexOf("\n", seen); end >= 0 && end < at; end = text.indexOf("\n", seen)) [line, seen] = [line + 1, end + 1];
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

function markHits(result: Result, file: number, lines: number[], hit: Uint8Array): void {
  if (lines.length === 0) return;
  for (let id = result.firstOfFile[file]; id < result.firstOfFile[file + 1]; id++) {
    const [first, end] = result.lines(id);
    if (lines.some((line) => line >= first && line <= end)) hit[id] = 1;
  }
}

/** What code has the words that a query asks for with `code:`; null where it asks for none. */
export function useCodeHits(result: Result, filter: Filter, decisions: FindingDecisions | null): CodeHits | null {
  const words = [...new Set(terms(filter.query).flatMap(({ where, text }) => (where === "code" ? [text] : [])))].sort();
  const { sort: _, descending: __, ...asked } = filter;
  const key = words.length === 0 ? "" : JSON.stringify([asked, words]);
  const [found, setFound] = useState<{ key: string; code: CodeHits }>();
  useEffect(() => {
    if (key === "") return;
    let wanted = true;
    const start = () => void searchCode(result, filesOf(result, filter, decisions), words, (code) => (wanted && setFound({ key, code }), wanted));
    // Who is still typing needs nothing yet.
    const timer = setTimeout(start, 300);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [result, key]);
  if (key === "") return null;
  return found?.key === key ? found.code : NOTHING_YET;
}
