// The one way to the server.

import type { Unanswered } from "../parts/partial";
import { api } from "./address";
import type { ClonesRequest, CorpusInfo, CorpusRow, FindResult, Job, Judged, ResultRow, Session, Skip, Upload } from "./model";
import { T } from "./text";

/** Why the server did not do what it was asked. */
export class Problem extends Error {
  /** The status of the answer, 0 where none came. */
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** Called where the server no longer knows who asks. */
export const listener = { signedOut: () => {} };

/** What an answer that is no success says. */
export function problemOf(status: number, body: string): Problem {
  if (status === 0) return new Problem(0, T.unreachable);
  let reason: unknown;
  try {
    const { detail, title } = JSON.parse(body) as { detail?: unknown; title?: unknown };
    reason = detail || title;
  } catch {
    // A proxy, perhaps, that says it in its own way.
  }
  return new Problem(status, typeof reason === "string" ? reason : T.status(status));
}

async function ask<A>(method: string, address: string, sent?: unknown, signal?: AbortSignal): Promise<A> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-Familiar"] = "1";
  if (sent !== undefined) headers["Content-Type"] = "application/json";
  const body = sent === undefined ? null : JSON.stringify(sent);
  let [status, text] = [0, ""];
  try {
    const answer = await fetch(address, { method, headers, body, signal: signal ?? null, credentials: "same-origin", cache: "no-store" });
    [status, text] = [answer.status, await answer.text()];
  } catch (error) {
    if (signal?.aborted) throw error;
    throw problemOf(0, "");
  }
  if (status === 401 && !(method === "POST" && address === api(["session"]))) listener.signedOut();
  if (status < 200 || status > 299) throw problemOf(status, text);
  if (!text) return undefined as A;
  try {
    return JSON.parse(text) as A;
  } catch {
    throw new Problem(status, T.noAnswer);
  }
}

type Page = { offset: number; limit: number };

export const server = {
  session: () => ask<Session>("GET", api(["session"])),
  signIn: (token: string) => ask<Session>("POST", api(["session"]), { token }),
  signOut: () => ask<void>("DELETE", api(["session"])),

  corpora: () => ask<{ corpora: CorpusRow[]; unanswered?: Unanswered[] }>("GET", api(["corpora"])),
  corpus: (name: string) => ask<CorpusInfo>("GET", api(["corpora", name])),
  skips: (name: string, page: Page) => ask<{ total: number; skips: Skip[] }>("GET", api(["corpora", name, "skips"], page)),
  addSources: (name: string, sources: string[], uploads: string[]) => ask<Job>("POST", api(["corpora", name, "sources"]), { sources, uploads }),
  updateCorpus: (name: string) => ask<Job>("POST", api(["corpora", name, "update"])),
  removeSource: (name: string, source: string) => ask<Job>("DELETE", api(["corpora", name, "sources"], { source })),

  find: (question: { code: string; language: string | null; limit: number; text: boolean } & ({ corpus: string } | { corpora: string[] }), signal: AbortSignal) =>
    ask<FindResult>("POST", api(["find"]), question, signal),
  audit: (question: { uploads: string[]; corpora: string[]; license?: string }) => ask<Job>("POST", api(["audit"]), question),
  verdicts: (question: { project: string; code: string[] }) => ask<{ verdicts: Judged[]; disclaimer: string }>("POST", api(["verdicts"]), question),
  licenses: (upload: string) => ask<Job>("POST", api(["licenses"]), { upload }),
  clones: (question: ClonesRequest) => ask<Job>("POST", api(["clones"]), question),

  uploads: () => ask<{ uploads: Upload[] }>("GET", api(["uploads"])),
  removeUpload: (id: string) => ask<void>("DELETE", api(["uploads", id])),

  jobs: (page: Page) => ask<{ total: number; jobs: Job[] }>("GET", api(["jobs"], page)),
  job: (id: string) => ask<Job>("GET", api(["jobs", id])),
  cancel: (id: string) => ask<Job>("DELETE", api(["jobs", id])),

  results: (page: Page) => ask<{ total: number; results: ResultRow[] }>("GET", api(["results"], page)),
  result: (id: string) => ask<ResultRow>("GET", api(["results", id])),
  removeResult: (id: string) => ask<void>("DELETE", api(["results", id])),
};

export interface Sending {
  upload: Promise<Upload>;
  stop: () => void;
}

/** Sends a file; `fetch` does not say how far it is. */
export function send(name: string, content: Blob, progress: (sent: number) => void): Sending {
  const request = new XMLHttpRequest();
  const upload = new Promise<Upload>((resolve, reject) => {
    request.open("POST", api(["uploads"], { name }));
    request.setRequestHeader("X-Familiar", "1");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => progress(event.loaded);
    // A server that refuses what is too large may not wait for the rest of it.
    request.onerror = () => reject(new Problem(0, T.brokeOff));
    request.onabort = () => reject(new Problem(0, T.stopped));
    request.onload = () => {
      if (request.status === 401) listener.signedOut();
      if (request.status < 200 || request.status > 299) return reject(problemOf(request.status, request.responseText));
      try {
        resolve(JSON.parse(request.responseText) as Upload);
      } catch {
        reject(new Problem(request.status, T.noAnswer));
      }
    };
    request.send(content);
  });
  return { upload, stop: () => request.abort() };
}
