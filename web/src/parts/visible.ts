// Characters that could hide or turn text, shown as what they are.

const HOSTILE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text in which hostile characters are escaped, as in `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(HOSTILE, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
}
