// Stretches of lines.

export type Stretch = [first: number, last: number];

/** Stretches in order, those that touch as one. */
export function joined(stretches: Stretch[]): Stretch[] {
  const whole: Stretch[] = [];
  for (const [first, last] of stretches.filter(([first, last]) => first >= 1 && last >= first).sort((a, b) => a[0] - b[0])) {
    const before = whole[whole.length - 1];
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else whole.push([first, last]);
  }
  return whole;
}

/** How many lines a text has, as an editor counts them. */
export function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The sources in a field, one on each line. */
export function listed(text: string): string[] {
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line && !line.startsWith("#")))];
}
