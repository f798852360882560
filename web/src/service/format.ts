// Numbers and times as people read them.

const stamp = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });

/** Of seconds since 1970; nothing of what is no time. */
export const moment = (seconds: number) => (plausible(seconds) ? stamp.format(seconds * 1000) : "");
export const date = (seconds: number) => (plausible(seconds) ? day.format(seconds * 1000) : "");
const plausible = (seconds: number) => seconds > 0 && seconds < 8.64e12;

/** How long something took. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** How much of something is done, from 0 to 1; nothing where nobody knows. */
export function fraction(done: number, total: number): number | undefined {
  return total > 0 ? Math.min(1, Math.max(0, done / total)) : undefined;
}

/** The day of a time such as `2011-03-04T05:06:07Z`. */
export const dayOf = (time: string) => time.slice(0, 10);

/** A part in percent that reads as everything or nothing only where it is. */
export function percentOf(value: number): string {
  // 0.29 is a little less than 29 hundredths.
  const percent = Math.floor(Math.round(value * 10_000) / 100);
  return `${value > 0 && percent < 1 ? "<1" : Math.min(value < 1 ? 99 : 100, percent)} %`;
}

/** The names of a count each, those that have most first. */
export function byCount(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
