// A folder as one file: a tar, of which only the headers are made here, so that nothing is read before it is sent.

const BLOCK = 512;
/** Bytes of a name in a header. */
const NAME = 100;
const utf8 = new TextEncoder();

export interface Entry {
  /** Relative, with `/` between folders. */
  path: string;
  content: Blob;
}

/** The entries in the order of their paths. */
export function tar(entries: Entry[]): Blob {
  const parts: BlobPart[] = [];
  for (const { path, content } of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = utf8.encode(path);
    if (name.length > NAME) {
      const record = extended("path", path);
      parts.push(header(utf8.encode("long-name"), record.length, "x"), record, padding(record.length));
    }
    parts.push(header(name.subarray(0, NAME), content.size, "0"), content, padding(content.size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts, { type: "application/x-tar" });
}

const padding = (size: number) => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

/** A record of an extended header, which begins with its own length. */
function extended(key: string, value: string): Uint8Array<ArrayBuffer> {
  const rest = utf8.encode(` ${key}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return utf8.encode(`${length} ${key}=${value}\n`);
}

function header(name: Uint8Array, size: number, kind: string): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => block.set(utf8.encode(text), at);
  block.set(name, 0);
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${size.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  put(148, "        ");
  put(156, kind);
  put(257, "ustar\0");
  put(263, "00");
  const sum = block.reduce((sum, byte) => sum + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return block;
}
