// What makes both sides of a pair of type 4 alike; the keys are those of `familiar.clones/1`.

export interface Part {
  cosine: number;
  /** What it adds to the similarity. */
  adds: number;
}

export interface Explanation {
  similarity: number;
  parts: Record<PartName, Part>;
  /** Those that add most first; related ones differ. */
  words: { left: string; right: string; adds: number }[];
  /** First and last line of each statement and of its counterpart. */
  statements: { left: [number, number]; right: [number, number]; similarity: number }[];
  only_left: OneSided;
  only_right: OneSided;
}

export interface OneSided {
  words: string[];
  statements: [number, number][];
}

export const PARTS = ["flow", "words", "spelling", "forms"] as const;
export type PartName = (typeof PARTS)[number];

/** The pairs that have an explanation, and the first row of each pack. */
export interface ExplanationIndex {
  pair: Uint32Array;
  first: Uint32Array;
}

/** Where the explanation of a pair stands: its pack and its row there; null where there is none. */
export function placeOf({ pair, first }: ExplanationIndex, number: number): [number, number] | null {
  const row = lowerBound(pair, number);
  if (pair[row] !== number) return null;
  const pack = lowerBound(first, row + 1) - 1;
  return [pack, row - first[pack]];
}

function lowerBound(list: Uint32Array, wanted: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same with the sides swapped. */
export function swapped(of: Explanation): Explanation {
  const words = of.words.map(({ left, right, adds }) => ({ left: right, right: left, adds }));
  const statements = of.statements.map(({ left, right, similarity }) => ({ left: right, right: left, similarity }));
  statements.sort((a, b) => a.left[0] - b.left[0] || a.right[0] - b.right[0]);
  return { ...of, words, statements, only_left: of.only_right, only_right: of.only_left };
}
