// Tables of comma-separated values, written and read.

/** A field of a table. What a spreadsheet would take for a formula stands behind an apostrophe: names are others' words. */
export function field(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** The separator that the first line has most of, outside quotes. */
function separator(text: string): string {
  const first = text.replace(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1)[0];
  const count = (one: string) => first.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The rows of a table, each as its fields; rows that are empty are left out. */
export function rows(text: string): string[][] {
  const between = separator(text);
  const found: string[][] = [];
  let [row, cell, quoted] = [[] as string[], "", false];
  const end = () => {
    row.push(cell);
    if (row.length > 1 || row[0].trim()) found.push(row);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (c === '"' && !cell.trim()) [quoted, cell] = [true, ""];
    else if (c === between) [row, cell] = [[...row, cell], ""];
    else if (c === "\n" || c === "\r") end();
    else cell += c;
  }
  end();
  return found;
}
