// Lines of source text and the tokens on them.

import type { SourceText } from "../data/model";

/** What a token is; the numbers up to 7 are those of Familiar's own lexers. */
export const enum Class {
  Operator = 0,
  Keyword = 1,
  Name = 2,
  Type = 3,
  Number = 4,
  String = 5,
  Char = 6,
  Import = 7,
  Comment = 8,
  Space = 9,
}

export interface Token {
  text: string;
  kind: Class;
}

const WORD = /[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu;

/** A file's text by lines. */
export class Source {
  readonly text: string;
  private readonly runs: SourceText;
  private readonly starts: number[] = [0];

  constructor(source: SourceText) {
    this.text = source.text;
    this.runs = source;
    for (const end of this.text.matchAll(/\r\n|\n|\r/g)) this.starts.push(end.index + end[0].length);
    if (this.starts[this.starts.length - 1] === this.text.length) this.starts.pop();
  }

  get lines(): number {
    return this.starts.length;
  }

  /** The text of a line, from 1, without its end. */
  line(number: number): string {
    const [start, end] = this.span(number);
    return this.text.slice(start, end);
  }

  private span(number: number): [number, number] {
    const start = this.starts[number - 1] ?? this.text.length;
    let end = this.starts[number] ?? this.text.length;
    while (end > start && (this.text[end - 1] === "\n" || this.text[end - 1] === "\r")) end--;
    return [start, end];
  }

  /** The tokens of a line, white space among them. */
  tokens(number: number): Token[] {
    const [start, end] = this.span(number);
    const { starts, ends, kinds } = this.runs;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] <= start) low = middle + 1;
      else high = middle;
    }
    const tokens: Token[] = [];
    let at = start;
    for (let run = low; run < starts.length && starts[run] < end; run++) {
      const [from, to] = [Math.max(starts[run], start), Math.min(ends[run], end)];
      this.words(at, from, tokens);
      if (kinds[run] === Class.Import) this.words(from, to, tokens, Class.Import);
      else if (to > from) tokens.push({ text: this.text.slice(from, to), kind: kinds[run] as Class });
      at = to;
    }
    this.words(at, end, tokens);
    return tokens;
  }

  /** What no run covers: names, white space, and every other character by itself. */
  private words(from: number, to: number, tokens: Token[], word = Class.Name): void {
    if (to <= from) return;
    for (const [text] of this.text.slice(from, to).matchAll(WORD)) {
      const kind = /^\s/.test(text) ? Class.Space : /^[\p{L}\p{N}_$]/u.test(text) ? word : Class.Operator;
      tokens.push({ text, kind });
    }
  }
}

/** Whether a token takes part in a comparison. */
export function isSignificant(token: Token): boolean {
  return token.kind !== Class.Space && token.kind !== Class.Comment;
}

/** What a token is where names and values are not looked at. */
export function withoutNames(token: Token): string {
  switch (token.kind) {
    case Class.Name:
      return "\u0001";
    case Class.Number:
    case Class.String:
    case Class.Char:
      return "\u0002";
    default:
      return token.text;
  }
}
