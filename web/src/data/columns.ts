// Columns of numbers: variable-length integers in base 64 (docs/formats/report.md).

/** A number of seven bits a byte, the lowest first, after another, until `text` ends. */
export class Reader {
  private at = 0;
  private readonly bytes: string;

  constructor(text: string) {
    this.bytes = atob(text);
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes.charCodeAt(this.at++);
      if (Number.isNaN(byte)) throw new Error("a column ends too early");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** A difference of either sign. */
  nextChange(): number {
    const folded = this.next();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }
}

/** Fills `into` from `from` on with a column, and gives the position after it. */
export function fill(into: { [at: number]: number }, text: string, from = 0): number {
  const reader = new Reader(text);
  let at = from;
  while (!reader.done) into[at++] = reader.next();
  return at;
}

/** The same for a column of rises. */
export function fillRising(into: { [at: number]: number }, text: string, from = 0): number {
  const reader = new Reader(text);
  let at = from;
  let value = 0;
  while (!reader.done) into[at++] = value += reader.next();
  return at;
}
