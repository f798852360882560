// What somebody dropped or chose: files as they are, each folder as one.

import { tar, type Entry } from "./tar";

export interface Chosen {
  name: string;
  content: Blob;
}

/** What a version control keeps beside the code. */
const LEFT_OUT = new Set([".git", ".hg", ".svn"]);

/** The files of a folder that was chosen, which say where in it they are. */
export function folderOf(files: File[]): Chosen[] {
  const folders = new Map<string, Entry[]>();
  for (const file of files) {
    const [folder, ...rest] = file.webkitRelativePath.split("/");
    if (rest.length === 0 || rest.some((part) => LEFT_OUT.has(part))) continue;
    const entries = folders.get(folder) ?? [];
    entries.push({ path: rest.join("/"), content: file });
    folders.set(folder, entries);
  }
  return [...folders].map(([folder, entries]) => ({ name: `${folder}.tar`, content: tar(entries) }));
}

/** Everything that was dropped. */
export async function dropped(transfer: DataTransfer): Promise<Chosen[]> {
  const files = [...transfer.files];
  // Entries can be taken only now, before anything is waited for.
  const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return files.map((file) => ({ name: file.name, content: file }));
  const chosen: Chosen[] = [];
  for (const entry of entries) {
    if (entry?.isDirectory) {
      const inside: Entry[] = [];
      await walk(entry as FileSystemDirectoryEntry, "", inside);
      if (inside.length > 0) chosen.push({ name: `${entry.name}.tar`, content: tar(inside) });
    } else if (entry) {
      chosen.push({ name: entry.name, content: await fileOf(entry as FileSystemFileEntry) });
    }
  }
  return chosen;
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

async function walk(folder: FileSystemDirectoryEntry, above: string, into: Entry[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const entry of some) {
      const path = above + entry.name;
      if (entry.isFile) into.push({ path, content: await fileOf(entry as FileSystemFileEntry) });
      else if (!LEFT_OUT.has(entry.name)) await walk(entry as FileSystemDirectoryEntry, `${path}/`, into);
    }
  }
}
