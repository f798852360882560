// Where decisions are kept: in this browser, or on the server that shows the report.

import { validated, merge, fromDocument, latestDecisions, type Decision, type NewDecision } from "../data/decision";
import { areHidden } from "../hidden-names";
import { T } from "../text";
import { importDecisions } from "./import";

/** What decisions are saved in. */
interface DecisionStorage {
  load(): Promise<Decision[]>;
  /** Saves decisions, and returns all that are saved now. */
  save(made: NewDecision[], author: string): Promise<Decision[]>;
  /** Imports a file, with this author where it names none; returns how many decisions were new. */
  importFile(text: string, author: string): Promise<number>;
}

const KEY = "familiar-decisions";
const AUTHOR = "familiar-author";

/** Seconds that a decision needs to count: right after the last of its finding. */
function timeAfter(before: string | undefined): string {
  const now = Math.floor(Date.now() / 1000);
  const last = before ? Math.floor(Date.parse(before) / 1000) + 1 : 0;
  return `${new Date(Math.max(now, last) * 1000).toISOString().slice(0, 19)}Z`;
}

/** This browser, and what the report came with. */
class BrowserStorage implements DecisionStorage {
  private all: Decision[];

  constructor(given: Decision[]) {
    this.all = merge(given, stored());
  }

  async load() {
    return this.all;
  }

  async save(decided: NewDecision[], author: string) {
    const newest = new Map(this.all.map(({ fingerprint, decided }) => [fingerprint, decided]));
    const made = decided.map(({ fingerprint, decision, comment, place }): Decision => ({
      fingerprint,
      decided: timeAfter(newest.get(fingerprint)),
      author: author || T.somebody,
      decision,
      ...(comment ? { comment } : {}),
      ...(place ? { place } : {}),
    }));
    this.put(made);
    return this.all;
  }

  async importFile(text: string, author: string) {
    const before = this.all.length;
    this.put(importDecisions(text, { author: author || T.somebody, decided: timeAfter(undefined) }));
    return this.all.length - before;
  }

  private put(more: Decision[]) {
    this.all = merge(this.all, more);
    // Other windows may have decided since.
    localStorage.setItem(KEY, JSON.stringify(merge(stored(), this.all)));
  }
}

function stored(): Decision[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown[];
    return list.map(validated).filter((decision) => decision !== null);
  } catch {
    return [];
  }
}

/** The server's REST, from a page below `/reports/ID/`. */
class ServerStorage implements DecisionStorage {
  private async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`../../api/v1/${path}`, { ...init, credentials: "same-origin", cache: "no-store" });
    if (answer.ok) return answer;
    const said = (await answer.json().catch(() => ({}))) as { detail?: string };
    throw new Error(said.detail ?? String(answer.status));
  }

  async load() {
    return fromDocument(await (await this.ask("decisions/files/json")).text());
  }

  async save(decisions: NewDecision[], author: string) {
    const body = JSON.stringify({ decisions, ...(author ? { author } : {}) });
    await this.ask("decisions", { method: "POST", body, headers: { "Content-Type": "application/json" } });
    return this.load();
  }

  async importFile(text: string) {
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await this.ask("decisions/import", { method: "POST", body: text, headers });
    return ((await answer.json()) as { new: number }).new;
  }

  /** Who decides, where the server knows; nothing where nobody signs in. */
  async name() {
    const { name, open } = (await (await this.ask("session")).json()) as { name: string; open: boolean };
    return open ? "" : name;
  }
}

/** Whether a server shows this report. */
export function isServed(): boolean {
  return /^https?:$/.test(location.protocol) && /\/reports\/[0-9a-z]{26}\/[^/]*$/.test(location.pathname);
}

function remembered(): string {
  try {
    return localStorage.getItem(AUTHOR) ?? "";
  } catch {
    return "";
  }
}

/** What is decided, for all views. */
class DecisionStore {
  private storage: DecisionStorage = new BrowserStorage([]);
  private listeners = new Set<() => void>();
  all: Decision[] = [];
  latest = new Map<string, Decision>();
  /** Whether the server says who decides. */
  isSignedIn = false;
  isOnServer = false;
  author = "";
  /** Why the last step failed. */
  error = "";
  /** Grows with every change. */
  version = 0;

  async open(given: Decision[]): Promise<void> {
    this.author = remembered();
    if (isServed()) {
      const server = new ServerStorage();
      this.storage = server;
      this.isOnServer = true;
      const name = await server.name().catch(() => "");
      this.isSignedIn = name !== "";
      if (this.isSignedIn) this.author = name;
    } else {
      this.storage = new BrowserStorage(given);
    }
    await this.attempt(async () => this.set(await this.storage.load()));
  }

  private set(all: Decision[]) {
    this.all = all;
    this.latest = latestDecisions(all);
    this.changed();
  }

  private changed() {
    this.version++;
    this.listeners.forEach((listener) => listener());
  }

  private async attempt(step: () => Promise<void>): Promise<void> {
    try {
      this.error = "";
      await step();
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
      // What a browser cannot keep holds as long as the page does, and can be saved.
      if (this.storage instanceof BrowserStorage) this.set(await this.storage.load());
      else this.changed();
    }
  }

  /** Decides, and says so where it could not be kept. */
  decide(decisions: NewDecision[]): Promise<void> {
    // A name that stands for another one is of no use to who reads the file.
    const places = decisions.map((one) => (areHidden() ? { ...one, place: "" } : one));
    return this.attempt(async () => this.set(await this.storage.save(places, this.isSignedIn ? "" : this.author)));
  }

  async importFile(text: string): Promise<number> {
    let taken = 0;
    await this.attempt(async () => {
      taken = await this.storage.importFile(text, this.author);
      this.set(await this.storage.load());
    });
    return taken;
  }

  setAuthor(author: string) {
    this.author = author.trim().slice(0, 200);
    void this.attempt(async () => localStorage.setItem(AUTHOR, this.author)).then(() => this.changed());
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export const decisionStore = new DecisionStore();
