// A small server that answers as `familiar serve` does, with names in its answers that no page may believe.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'self'";
export const TOKEN = "fam_right";

const MARKUP = "<img src=x onerror=alert(1)>";
const SCRIPT = "\"><script>alert('x')</script>";
const TURNED = "safe\u202egpj.exe";
const LONG = `${"very-long-name-of-a-folder/".repeat(12)}file_with_a_long_name_too.py`;

const now = () => Math.floor(Date.now() / 1000);
const corpora = [
  { name: "open-source", blobs: 1_284_113, bytes: 9_812_345_678, fragments: 14_203_511, languages: { python: 812_345, javascript: 301_222, java: 90_001, go: 40_000, rust: 20_000, constructor: 5 }, sources: 4, error: null },
  { name: "homework", blobs: 118, bytes: 412_000, fragments: 960, languages: { python: 118 }, sources: 1, error: null },
  { name: MARKUP, blobs: 1, bytes: 1, fragments: 0, languages: { [SCRIPT]: 1 }, sources: 1, error: null },
  { name: "broken", blobs: 0, bytes: 0, fragments: 0, languages: {}, sources: 0, error: `manifest.json: ${SCRIPT} is not a number` },
];
const info = (name) => ({
  schema: "familiar.corpus/1",
  generation: 7,
  text: true,
  vectors: "builtin-4",
  blobs: 1_284_113,
  bytes: 9_812_345_678,
  lines: 301_442_117,
  occurrences: 3_118_204,
  license_files: 8_112,
  fragments: 14_203_511,
  skips: 250,
  disk_bytes: 4_100_200_300,
  text_bytes: 1_900_000_000,
  languages: corpora.find((row) => row.name === name)?.languages ?? {},
  sources: [
    ...["2.9.0", "2.31.0", "2.28.2"].map((version) => ({ source: `pypi:urllib3==${version}`, read: 1_760_000_000, occurrences: 100, skips: 1 })),
    { source: "git:https://github.com/numpy/numpy", read: 1_760_000_000, occurrences: 48_112, skips: 12 },
    { source: "pypi:requests", read: 1_760_000_000, without: [MARKUP], exclude: ["**/vendor/**"], occurrences: 812, skips: 238 },
    { source: `dir:/srv/${SCRIPT}/${LONG}`, read: 1_760_000_000, base: true, occurrences: 3, skips: 0 },
    { source: "..", read: 0, occurrences: 0, skips: 0 },
  ],
  projects: Array.from({ length: 2_000 }, (_, at) => ({ project: at === 1 ? MARKUP : at === 2 ? TURNED : `github.com/someone/project-${at}`, occurrences: 2_000 - at })),
});

const place = (project, path, more = {}) => ({ project, revision: "3f786850e387550fdab836ed7e6dc881de23001b", path, first_line: 1, first_seen: "2011-03-04T05:06:07Z", last_seen: null, evidence: "commit-time", ...more });
const layers = [
  { layer: "file-tag", expression: "BSD-3-Clause", evidence: `SPDX-License-Identifier: ${MARKUP}`, path: "numpy/core/fromnumeric.py", start_line: 1, end_line: 1 },
  { layer: "license-file", expression: "BSD-3-Clause", evidence: "the whole text", path: "LICENSE.txt", score: 1 },
];
const found = (code) => {
  const lines = code.split("\n").length;
  const end = (share) => Math.max(1, Math.floor(lines * share));
  const first = {
    blob: "swh:1:cnt:0001",
    language: "python",
    matched_lines: [[1, end(0.5), 120, 119 + end(0.5)], [end(0.6), end(0.9), 160, 180]],
    matched_text: [code.split("\n").slice(0, end(0.5)), [`    ${MARKUP}`, TURNED, ...Array.from({ length: 19 }, (_, at) => `    line ${at}`)]],
    coverage: 0.87,
    type: 2,
    similarity: 1,
    score: 0.8,
    projects: 12,
    occurrences: [
      place("github.com/numpy/numpy", "numpy/core/fromnumeric.py", { first_line: 118, link: "https://github.com/numpy/numpy/blob/main/a.py" }),
      place("github.com/someone/fork", "numpy/core/fromnumeric.py", { family: "github.com/numpy/numpy", first_seen: "2014-08-01T00:00:00Z" }),
      place("stackoverflow.com", "questions/123/a-45", { link: "javascript:alert(1)", first_seen: "2016-01-01T00:00:00Z", evidence: "post-time" }),
      ...Array.from({ length: 9 }, (_, at) => place(`pypi:package-${at}`, LONG, { first_seen: null, evidence: "file-time", base: at === 0, removed_by: at === 1 ? "abc" : undefined, link: "http://plain.example/" })),
    ],
    licenses: [
      { expression: "BSD-3-Clause", layer: "file-tag", layers, occurrences: [0, 1] },
      { expression: null, layer: "none", layers: [{ layer: "none", expression: null, evidence: "nothing speaks for it" }], occurrences: [2] },
    ],
    versions: [
      { blob: "swh:1:cnt:0009", language: "python", matched_lines: [[1, 3, 7, 9]], coverage: 0.5, type: 3, similarity: 0.81, score: 0.3, projects: 1, occurrences: [place("github.com/numpy/numpy", "numpy/core/fromnumeric.py")] },
    ],
  };
  const hostile = {
    blob: "swh:1:cnt:0002",
    language: SCRIPT,
    matched_lines: Array.from({ length: 9 }, (_, at) => [1 + at, 2 + at, 40 + at, 41 + at]),
    coverage: 0.31,
    type: 3,
    similarity: 0.824,
    score: 0.2,
    projects: 1,
    occurrences: [place(MARKUP, `src/${SCRIPT}/${TURNED}`, { link: "https://user:pass@evil.example/", evidence: "constructor" })],
  };
  const alike = { ...hostile, blob: "swh:1:cnt:0003", language: "java", type: 4, coverage: 0.004, similarity: 0.93, matched_lines: [[1, lines, 1, 30]], occurrences: [place("maven:org.example", "src/main/java/org/example/Sums.java")] };
  return {
    schema: "familiar.find/1",
    query: { path: "-", language: "python", start_line: 1, end_line: lines, tokens: code.split(/\W+/).length },
    blobs: /nothing/.test(code) ? [] : [first, hostile, alike],
    more_blobs: /nothing/.test(code) ? 0 : 31,
    origin: /nothing/.test(code)
      ? { known: false, reason: "nothing is like it" }
      : { known: true, reason: "the earliest of 14 occurrences whose times are those of commits, posts or uploads", blob: "swh:1:cnt:0001", ...first.occurrences[0] },
  };
};

const FINAL = ["done", "failed", "cancelled"];
const STAGES = [["unpacking", 0], ["reading", 240], ["searching", 0], ["writing", 10]];

/** Starts it on a free port; `empty` has no corpora and no results, `open` needs no token, `scopes` are the token's. */
export async function mock({ assets, open = false, empty = false, scopes = ["read", "upload", "admin"], read_only = false }) {
  const faults = [];
  const uploads = [{ id: "u1", name: `last-year${MARKUP}.zip`, bytes: 1_204_000, created: now() - 90_000 }];
  const jobs = [];
  const audited = { kind: "audit", verdicts: { by_verdict: { conflict: 2, same: 5, unknown: 1 }, by_decision: { denied: 2, open: 1, allowed: 5 } } };
  const results = empty ? [] : Array.from({ length: 61 }, (_, at) => ({ id: `r${at}`, kind: "clones", title: at === 0 ? `${MARKUP} and ${TURNED}` : at === 1 ? LONG : `homework-${61 - at}.zip`, created: now() - at * 50_000, files: 118 + at, classes: 40 + at, pairs: 211 * at, duplication: 0.137, bytes: 412_000, partial: at === 2, unanswered: at === 2 ? [{ peer: "lab", reason: `it takes ${MARKUP}` }] : [], ...(at === 3 && audited), ...(at === 4 && { kind: "licenses" }) }));
  const watching = new Map();
  let sessions = 0;

  const tell = (job) => {
    for (const answer of watching.get(job.id) ?? []) {
      answer.write(`event: job\ndata: ${JSON.stringify(job)}\n\n`);
      if (FINAL.includes(job.state)) answer.end();
    }
  };
  const start = (kind, title, how = {}) => {
    const job = { id: `j${jobs.length + 1}${how.mark ?? ""}`, kind, title, state: "queued", stage: "", done: 0, total: 0, created: now(), started: null, ended: null, error: null, result: null, owner: "alice" };
    jobs.unshift(job);
    const steps = STAGES.flatMap(([stage, total]) => (total ? [0.1, 0.45, 0.8, 1] : [0]).map((share) => ({ stage, total, done: Math.round(share * total) })));
    const pace = how.pace ?? 120;
    const go = (at) => {
      if (FINAL.includes(job.state)) return;
      if (at < steps.length) Object.assign(job, { state: "running", started: job.started ?? now() }, steps[at]);
      else if (how.error) Object.assign(job, { state: "failed", ended: now(), error: how.error });
      else {
        Object.assign(job, { state: "done", ended: now() });
        if (kind === "clones" || kind === "audit") {
          job.result = `r-${job.id}`;
          results.unshift({ id: job.result, title, created: now(), files: 2, classes: 1, pairs: 1, duplication: 0.5, bytes: 1_000, partial: false, unanswered: [], ...(kind === "audit" ? audited : { kind }) });
        }
      }
      tell(job);
      if (!FINAL.includes(job.state)) setTimeout(go, pace, at + 1);
    };
    setTimeout(go, pace * 3, 0);
    return job;
  };

  const handle = async (request, answer) => {
    const address = new URL(request.url, "http://mock");
    const body = await new Promise((done) => {
      const parts = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => done(Buffer.concat(parts)));
    });
    const send = (status, value, type = "application/json", more = {}) => {
      answer.writeHead(status, { "content-type": type, "content-security-policy": POLICY, "x-content-type-options": "nosniff", ...more });
      answer.end(type === "application/json" && value !== undefined ? JSON.stringify(value) : value);
    };
    const problem = (status, detail) => send(status, JSON.stringify({ type: "about:blank", title: "No", status, detail }), "application/problem+json");
    const files = { "/": ["index.html", "text/html; charset=utf-8"], "/assets/app.js": ["app.js", "text/javascript"], "/assets/app.css": ["app.css", "text/css"] };
    if (address.pathname in files) {
      const [name, type] = files[address.pathname];
      return send(200, readFileSync(`${assets}/${name}`), type);
    }
    if (address.pathname === "/favicon.ico") return send(204);
    const [area, version, ...steps] = address.pathname.slice(1).split("/").map(decodeURIComponent);
    if (area === "reports") return send(200, "<!doctype html><html lang=en><title>Familiar report</title><main class=figures><h1>Report</h1></main>", "text/html");
    if (area !== "api" || version !== "v1") return (faults.push(`asked for ${request.url}`), problem(404, "no such page"));
    if (request.method !== "GET" && request.headers["x-familiar"] !== "1") return (faults.push(`${request.method} ${request.url} without X-Familiar`), problem(403, "no"));

    const asked = `${request.method} ${steps.join("/")}`;
    const session = { name: open ? "anyone" : "alice", scopes, open, expires: open ? null : now() + 864_000, version: "0.1.0", read_only, endings: { python: "py", java: "java" } };
    if (asked === "POST session") {
      if (JSON.parse(body).token !== TOKEN) return problem(401, "unknown token");
      sessions++;
      return send(200, session, undefined, { "set-cookie": `familiar=${sessions}; HttpOnly; SameSite=Strict; Path=/` });
    }
    if (!open && !/familiar=[1-9]/.test(request.headers.cookie ?? "")) return problem(401, "sign in first");
    if (asked === "GET session") return send(200, session);
    if (asked === "DELETE session") return send(204, undefined, undefined, { "set-cookie": "familiar=0; Path=/" });

    const page = (list) => list.slice(Number(address.searchParams.get("offset")), Number(address.searchParams.get("offset")) + Number(address.searchParams.get("limit")));
    const [kind, id, what, format] = steps;
    if (asked === "GET corpora") return send(200, { corpora: empty ? [] : corpora });
    if (kind === "corpora" && id !== undefined) {
      if (what === undefined) return corpora.some(({ name, error }) => name === id && !error) ? send(200, info(id)) : problem(404, `there is no corpus ${id}`);
      if (what === "skips") return send(200, { total: 250, skips: page(Array.from({ length: 250 }, (_, at) => ({ source: "pypi:requests", path: at === 0 ? `a/${SCRIPT}` : `docs/_build/${LONG}`, reason: at % 2 ? "generated or minified" : `larger than 1 MB ${MARKUP}` }))) });
      if (what === "sources" && request.method === "POST") return send(202, start("corpus-add", `${JSON.parse(body).sources.join(", ")} to ${id}`, { error: `https://gone.example/x.git: no such repository ${MARKUP}` }));
      if (what === "sources") return send(202, start("corpus-remove", `${address.searchParams.get("source")} from ${id}`));
      if (what === "update") return send(202, start("corpus-update", id, { pace: 4_000 }));
    }
    if (asked === "POST find") {
      const { code, corpus, limit, language, text } = JSON.parse(body);
      if (text !== true || typeof code !== "string" || !corpora.some(({ name }) => name === corpus) || !limit || language === undefined) faults.push(`find: ${body}`);
      if (/too large/.test(code)) return problem(413, `more than 1 MB ${MARKUP}`);
      return setTimeout(send, 60, 200, found(code));
    }
    if (asked === "POST verdicts") {
      const { project, code } = JSON.parse(body);
      if (project === "mine") return problem(422, `project: ${MARKUP} is no SPDX expression`);
      return send(200, { verdicts: code.map((license) => ({ license, status: "conflict", duties: [], rules: [{ source: "matrix", text: `no ${MARKUP}` }] })), disclaimer: "no advice" });
    }
    if (asked === "POST audit") {
      const question = JSON.parse(body);
      mocked.asked.push(question);
      return send(202, start("audit", question.uploads.map((id) => uploads.find((upload) => upload.id === id)?.name).join(", ")));
    }
    if (asked === "POST uploads") {
      const upload = { id: `u${uploads.length + 1}`, name: address.searchParams.get("name"), bytes: body.length, created: now() };
      if (/refused/.test(upload.name)) return problem(422, `${upload.name} is not an archive of a known kind`);
      uploads.push(upload);
      mocked.uploaded.push({ ...upload, body });
      return setTimeout(send, 100, 201, upload);
    }
    if (asked === "GET uploads") return send(200, { uploads });
    if (kind === "uploads" && request.method === "DELETE") return uploads.splice(uploads.findIndex((upload) => upload.id === id), 1), send(204);
    if (asked === "POST clones") {
      const question = JSON.parse(body);
      mocked.asked.push(question);
      const names = question.uploads.map((id) => uploads.find((upload) => upload.id === id)?.name);
      if (names.includes(undefined)) return problem(404, "no such upload");
      return send(202, start("clones", names.join(", "), question.min_tokens === 99 ? { mark: "-poll", pace: 500 } : {}));
    }
    if (asked === "GET jobs") return send(200, { total: jobs.length, jobs: page(jobs) });
    if (kind === "jobs") {
      const job = jobs.find((job) => job.id === id);
      if (!job) return problem(404, "there is no such job");
      if (what === "events") {
        if (id.endsWith("-poll")) return problem(503, "too many listeners");
        answer.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
        watching.set(id, [...(watching.get(id) ?? []), answer]);
        answer.write(`event: job\ndata: ${JSON.stringify(job)}\n\n`);
        if (FINAL.includes(job.state)) answer.end();
        return;
      }
      if (request.method === "DELETE") {
        Object.assign(job, { state: "cancelled", ended: now() });
        tell(job);
      }
      return send(200, job);
    }
    if (asked === "GET results") return send(200, { total: results.length, results: page(results) });
    if (kind === "results") {
      const at = results.findIndex((row) => row.id === id);
      if (at < 0) return problem(404, "there is no such result");
      if (what === "files") return send(200, `{"format":"${format}"}`, "application/json", { "content-disposition": `attachment; filename="result.${format}"` });
      if (request.method === "DELETE") return results.splice(at, 1), send(204);
      return send(200, results[at]);
    }
    faults.push(`no answer to ${asked}`);
    problem(404, "no such thing");
  };
  const server = createServer((request, answer) => void handle(request, answer));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const mocked = { address: `http://127.0.0.1:${server.address().port}`, faults, asked: [], uploaded: [], start, close: () => (server.closeAllConnections(), server.close()) };
  return mocked;
}
