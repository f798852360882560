import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { externalLink } from "../src/external-link";
import { api, download, report, view } from "../src/service/address";
import { problemOf, Problem, type Sending } from "../src/service/api";
import { UploadQueue, type Item } from "../src/service/draft";
import { duration, moment, byCount, percentOf, fraction } from "../src/service/format";
import { joined, lineCount, listed } from "../src/service/lines";
import type { CorpusSource, FindResult, Upload } from "../src/service/model";
import { rowsOf, total, versionOf } from "../src/service/packages";
import { tar } from "../src/service/tar";
import { T } from "../src/service/text";
import { licensesOf, nameOf } from "../src/service/verdicts";
import { missing } from "../src/service/views/compare";
import { lineInFile } from "../src/service/views/matched-lines";
import { outcomeOf } from "../src/service/views/outcome";

test("no name leads elsewhere than to its own address", () => {
  expect(api(["corpora", "a/../b?c#d"])).toBe("/api/v1/corpora/a%2F..%2Fb%3Fc%23d");
  for (const name of ["", ".", "..", "\ud800"]) expect(api(["corpora", name, "skips"])).toBe("/api/v1/corpora/-/skips");
  expect(api(["corpora", "a", "sources"], { source: "git:https://x/?a&b" })).toBe("/api/v1/corpora/a/sources?source=git%3Ahttps%3A%2F%2Fx%2F%3Fa%26b");
  expect(view("jobs", "<b>")).toBe("#/jobs/%3Cb%3E");
  expect(report("../x")).toBe("/reports/..%2Fx/index.html");
  expect(download("a b", "csv")).toBe("/api/v1/results/a%20b/files/csv");
});

test("only https is followed", () => {
  expect(externalLink("https://example.org/a?b")).toBe("https://example.org/a?b");
  for (const link of [undefined, "", "http://example.org/", "javascript:alert(1)", " https://example.org", "HTTPS://example.org", "https://a:b@example.org/", "https://", "//example.org"]) {
    expect(externalLink(link)).toBeNull();
  }
});

test("a problem says what the server says, or what its status means", () => {
  expect(problemOf(422, '{"title":"No","detail":"not an archive"}').message).toBe("not an archive");
  expect(problemOf(403, '{"title":"No"}').message).toBe("No");
  expect(problemOf(413, "<html>").message).toBe(T.status(413));
  expect(problemOf(418, '{"detail":{}}').message).toBe("The server answered with status 418.");
  expect(problemOf(0, "")).toMatchObject({ status: 0, message: T.unreachable });
});

test("words that the server may say are no properties of objects", () => {
  for (const word of ["constructor", "__proto__", "toString"]) {
    expect([T.evidence(word), T.stage(word), T.state(word), T.job(word)]).toEqual([word, word, word, word]);
    expect(T.jobDone(word)).toBe("Done");
  }
});

test("stretches are joined where they touch", () => {
  expect(joined([[5, 9], [1, 3], [4, 4], [12, 20], [14, 15], [0, 3], [9, 8]])).toEqual([[1, 9], [12, 20]]);
  expect(joined([])).toEqual([]);
  expect([lineCount(""), lineCount("a"), lineCount("a\n"), lineCount("a\r\nb\n\n")]).toEqual([1, 1, 2, 4]);
  expect(listed(" pypi:six \r\n\n# not this\npypi:six\nnpm:a")).toEqual(["pypi:six", "npm:a"]);
});

test("numbers read as they are", () => {
  expect([percentOf(0), percentOf(0.001), percentOf(0.999), percentOf(1), percentOf(1.2)]).toEqual(["0 %", "<1 %", "99 %", "100 %", "100 %"]);
  expect([percentOf(0.29), percentOf(0.99999)]).toEqual(["29 %", "99 %"]);
  expect([fraction(1, 0), fraction(1, 4), fraction(9, 4), fraction(-1, 4)]).toEqual([undefined, 0.25, 1, 0]);
  expect([duration(-3), duration(59.9), duration(61), duration(7_260)]).toEqual(["0 s", "59 s", "1 min 1 s", "2 h 1 min"]);
  expect([moment(0), moment(Number.NaN), moment(1e300)]).toEqual(["", "", ""]);
  expect(byCount({ b: 1, a: 1, c: 9 })).toEqual([["c", 9], ["a", 1], ["b", 1]]);
});

test("tar reads what is packed", async () => {
  const long = `${"folder/".repeat(30)}ü.py`;
  const packed = tar([
    { path: long, content: new Blob(["long"]) },
    { path: "b.py", content: new Blob(["x".repeat(512)]) },
    { path: "a/ä b.py", content: new Blob(["print()\n"]) },
    { path: "empty", content: new Blob([]) },
  ]);
  const folder = mkdtempSync(join(tmpdir(), "familiar-tar-"));
  writeFileSync(join(folder, "all.tar"), new Uint8Array(await packed.arrayBuffer()));
  execFileSync("tar", ["-xf", "all.tar"], { cwd: folder });
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  expect([read(long), read("b.py").length, read("a/ä b.py"), read("empty")]).toEqual(["long", 512, "print()\n", ""]);
});

/** A server that takes or refuses an upload when it is told to. */
function sender() {
  const open: { name: string; done: (id: string) => void; fail: (why: string) => void; stopped: boolean }[] = [];
  const send = (name: string): Sending => {
    let settle = { resolve: (_: Upload) => {}, reject: (_: Error) => {} };
    const upload = new Promise<Upload>((resolve, reject) => (settle = { resolve, reject }));
    const one = { name, done: (id: string) => settle.resolve({ id, name, bytes: 1, created: 0 }), fail: (why: string) => settle.reject(new Problem(422, why)), stopped: false };
    open.push(one);
    return { upload, stop: () => ((one.stopped = true), one.fail("stopped")) };
  };
  return { open, send };
}
const soon = () => new Promise((done) => setTimeout(done));
const states = ({ items }: UploadQueue) => items.map(({ name, state }) => `${name} ${state}`);

test("files go one after another, and one that fails holds up nobody", async () => {
  const { open, send } = sender();
  const queue = new UploadQueue(send);
  const named = (name: string) => ({ name, content: new Blob(["x"]) });
  queue.add([named("a"), named("b"), named("c")], "compared");
  expect(states(queue)).toEqual(["a sending", "b waiting", "c waiting"]);
  open[0].fail("no");
  await soon();
  expect(states(queue)).toEqual(["a failed", "b sending", "c waiting"]);
  queue.retry(queue.items[0].key);
  queue.remove(queue.items[1].key);
  await soon();
  expect(open[1].stopped).toBe(true);
  expect(states(queue)).toEqual(["a sending", "c waiting"]);
  open[2].done("1");
  await soon();
  open[3].done("2");
  await soon();
  expect(queue.items.map(({ id, state }) => [id, state])).toEqual([["1", "there"], ["2", "there"]]);
  queue.take({ id: "2", name: "c", bytes: 1, created: 0 });
  queue.take({ id: "3", name: "d", bytes: 1, created: 0 });
  expect(queue.items.length).toBe(3);
  queue.add([named("e")], "base");
  await soon();
  expect(open.map(({ name }) => name)).toEqual(["a", "b", "a", "c", "e"]);
});

test("what is missing is told", () => {
  const options = { granularity: ["function"], types: [1] };
  const item = (state: Item["state"], role: Item["role"] = "compared"): Item => ({ key: 0, name: "a", bytes: 1, role, state, sent: 0 });
  expect(missing([], options)).toBe(T.startWhy.none);
  expect(missing([item("there"), item("sending")], options)).toBe(T.startWhy.sending);
  expect(missing([item("waiting"), item("failed")], options)).toBe(T.startWhy.failed);
  expect(missing([item("there", "base")], options)).toBe(T.startWhy.base);
  expect(missing([item("there")], { ...options, types: [] })).toBe(T.startWhy.kinds);
  expect(missing([item("there"), item("there", "base")], options)).toBeUndefined();
});

test("the versions of a package are one row, the newest first, and nothing else is", () => {
  const source = (name: string, occurrences = 1): CorpusSource => ({ source: name, read: occurrences, occurrences, skips: 1 });
  const rows = rowsOf(["pypi:six==1.9", "git:https://x/six@1", "npm:@me/x@2.0.0", "pypi:six==1.10", "npm:@me/x", "dir:/a==b", "crate:serde@1.0.0", "pypi:sixth==1.0"].map((name, at) => source(name, at + 1)));
  expect(rows.map(({ name, versions }) => [name, ...versions.map(({ version }) => version)].join(" ").trim())).toEqual([
    "pypi:six 1.10 1.9",
    "git:https://x/six@1",
    "npm:@me/x 2.0.0",
    "dir:/a==b",
    "crate:serde 1.0.0",
    "pypi:sixth 1.0",
  ]);
  expect(rows.find(({ name }) => name === "npm:@me/x")?.versions.map(({ source }) => source.source)).toEqual(["npm:@me/x@2.0.0", "npm:@me/x"]);
  expect(total(rows[0])).toEqual({ read: 4, occurrences: 5, skips: 2 });
  expect([versionOf("npm:@me/x"), versionOf("pypi:six"), versionOf("dir:a@1"), versionOf("constructor:a@1")]).toEqual([null, null, null, null]);
});

test("a line there is counted from the start of its file", () => {
  const found = { occurrences: [{ first_line: 118 }], matched_lines: [[1, 4, 3, 6]] } as unknown as FindResult["blobs"][number];
  expect(lineInFile(found, 3)).toBe(120);
  expect(lineInFile({ ...found, occurrences: [] }, 3)).toBe(3);
});

test("different licenses are judged once, and pasted code has a name that tells its language", () => {
  const blob = (...expressions: (string | null)[]) => ({ licenses: expressions.map((expression) => ({ expression })) });
  expect(licensesOf({ blobs: [blob("MIT", null), blob("GPL-3.0-only", "MIT"), {}] } as unknown as FindResult)).toEqual(["MIT", "GPL-3.0-only"]);
  const endings = { python: "py", haskell: "hs" };
  expect(["python", "haskell", "constructor", ""].map((language) => nameOf(language, endings))).toEqual(["pasted-code.py", "pasted-code.hs", undefined, undefined]);
});

test("an audit opens with what it came to", () => {
  expect(outcomeOf({ by_verdict: { conflict: 2, same: 6 }, by_decision: { denied: 2, allowed: 6, own: 9 } })).toEqual({ what: "2 of 8 findings are not allowed", isBad: true });
  expect(outcomeOf({ by_verdict: {}, by_decision: {} })).toEqual({ what: "No code from elsewhere was found", isBad: false });
});
