// What the reader was about: it stays when they look at another view and come back.

import { useEffect, useState } from "preact/hooks";
import type { Sending } from "./api";
import type { Chosen } from "./chosen-files";
import type { FindResult, Upload } from "./model";

export type Role = "compared" | "base";

export interface Item {
  key: number;
  name: string;
  bytes: number;
  role: Role;
  state: "waiting" | "sending" | "there" | "failed";
  sent: number;
  /** Of the upload, once it is there. */
  id?: string;
  error?: string;
}

export type Send = (name: string, content: Blob, progress: (sent: number) => void) => Sending;

/** Files on their way to the server, one after another. */
export class UploadQueue {
  items: Item[] = [];
  private next = 0;
  private readonly contents = new Map<number, Blob>();
  private readonly listeners = new Set<() => void>();
  private current: { key: number; stop: () => void } | null = null;

  constructor(private readonly send: Send) {}

  add(chosen: Chosen[], role: Role): void {
    for (const { name, content } of chosen) {
      const key = this.next++;
      this.contents.set(key, content);
      this.items = [...this.items, { key, name, bytes: content.size, role, state: "waiting", sent: 0 }];
    }
    this.changed();
    void this.run();
  }

  /** Takes what is on the server already. */
  take({ id, name, bytes }: Upload): void {
    if (this.items.some((item) => item.id === id)) return;
    this.items = [...this.items, { key: this.next++, name, bytes, role: "compared", state: "there", sent: bytes, id }];
    this.changed();
  }

  remove(key: number): void {
    this.contents.delete(key);
    this.items = this.items.filter((item) => item.key !== key);
    if (this.current?.key === key) this.current.stop();
    this.changed();
  }

  clear(): void {
    for (const { key } of this.items) this.remove(key);
  }

  change(key: number, by: Partial<Item>): void {
    this.items = this.items.map((item) => (item.key === key ? { ...item, ...by } : item));
    this.changed();
  }

  /** Sends what failed once more. */
  retry(key: number): void {
    this.change(key, { state: "waiting", sent: 0 });
    void this.run();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private async run(): Promise<void> {
    if (this.current) return;
    for (;;) {
      const item = this.items.find(({ state }) => state === "waiting");
      const content = item && this.contents.get(item.key);
      if (!item || !content) return;
      const { key, name } = item;
      this.change(key, { state: "sending" });
      const sending = this.send(name, content, (sent) => this.change(key, { sent: Math.min(sent, content.size) }));
      this.current = { key, stop: sending.stop };
      try {
        const { id } = await sending.upload;
        this.contents.delete(key);
        this.change(key, { state: "there", sent: content.size, id });
      } catch (error) {
        this.change(key, { state: "failed", error: error instanceof Error ? error.message : String(error) });
      }
      this.current = null;
    }
  }
}

/** The queue's items as they are now. */
export function useItems(queue: UploadQueue): Item[] {
  const [items, set] = useState(queue.items);
  useEffect(() => {
    set(queue.items);
    return queue.listen(() => set(queue.items));
  }, [queue]);
  return items;
}

/** The code that was looked up last, and what was found. */
export const lastCheck = {
  code: "",
  corpus: "",
  language: "",
  /** The license of the reader's project. */
  license: "",
  found: null as null | { result: FindResult; corpus: string; code: string },
};
