// Conversations with `familiar lsp`, as editors have them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { TOTAL, folder, open, start, uriOf } from "./client.mjs";

const framed = (body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test("a clone is shown, changes with the text, and is accepted", async (t) => {
  const path = folder(t, { "a.py": TOTAL, "b.py": TOTAL, "familiar.toml": '[lsp]\nseverity = "warning"\ndebounce = 0\n' });
  const client = await open(t, path);
  assert.equal(client.answer.serverInfo.name, "familiar");
  await client.opened("a.py", TOTAL);
  const [found] = await client.diagnostics("a.py");
  assert.equal(found.message, "8 lines are the same as in b.py, lines 1 to 8");
  assert.deepEqual([found.severity, found.code, found.source], [2, "type-1", "familiar"]);
  assert.equal(found.relatedInformation[0].location.uri, uriOf(path, "b.py"));

  await client.changed("a.py", 2, [{ range: { start: { line: 0, character: 0 }, end: { line: 8, character: 0 } }, text: "x = 1\n" }]);
  assert.deepEqual(await client.diagnostics("a.py"), []);
  await client.changed("a.py", 3, [{ text: TOTAL }]);
  assert.equal((await client.diagnostics("a.py")).length, 1);

  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } };
  const asked = { textDocument: { uri: uriOf(path, "a.py") }, range, context: { diagnostics: [] } };
  const actions = await client.connection.sendRequest("textDocument/codeAction", asked);
  const action = (start) => actions.find(({ title }) => title.startsWith(start)).command;
  await client.command(action("Open b.py").command, action("Open b.py").arguments[0]);
  const compare = action("Compare with b.py");
  const { uri } = await client.command(compare.command, compare.arguments[0]);
  assert.ok(readFileSync(new URL(uri.split("#")[0]), "utf8").includes("<html"));
  assert.deepEqual(client.asked.map((shown) => shown.uri), [uriOf(path, "b.py"), uri]);
  // The extension asks for the reason.
  const accept = action("Accept this clone, with a reason");
  assert.equal(accept.command, "familiar.askReason");
  await client.command("familiar.accept", { ...accept.arguments[0], reason: "made from one table" });
  assert.deepEqual(await client.diagnostics("a.py"), []);
  assert.match(readFileSync(join(path, "decisions.json"), "utf8"), /made from one table/);
  await client.end();
});

test("a function that a corpus has is shown with its license", async (t) => {
  const path = folder(t, { "a.py": TOTAL });
  const project = folder(t, { "prices.py": `# SPDX-License-Identifier: Apache-2.0\n\n${TOTAL}` });
  const corpus = join(folder(t, {}), "world");
  execFileSync(process.env.FAMILIAR ?? "familiar", ["corpus", "add", corpus, project, "--quiet"]);
  const client = await open(t, path, { in: [corpus] });
  await client.opened("a.py", TOTAL);
  const [found] = await client.diagnostics("a.py");
  assert.match(found.message, /^this function exists elsewhere: 1 place .*prices\.py \(Apache-2\.0\)$/);
  const hover = await client.connection.sendRequest("textDocument/hover", {
    textDocument: { uri: uriOf(path, "a.py") },
    position: { line: 3, character: 4 },
  });
  assert.match(hover.contents.value, /License: Apache-2\.0/);
  await client.end();
});

test("after a kill a new server shows the same", async (t) => {
  const path = folder(t, { "a.py": TOTAL, "b.py": TOTAL });
  const killed = await open(t, path);
  await killed.opened("a.py", TOTAL);
  const before = await killed.diagnostics("a.py");
  assert.equal(before.length, 1);
  killed.server.kill("SIGKILL");
  assert.equal((await killed.ended).signal, "SIGKILL");
  const client = await open(t, path);
  await client.opened("a.py", TOTAL);
  assert.deepEqual(await client.diagnostics("a.py"), before);
  await client.end();
});

test("broken JSON, and edits out of order, end nothing", async (t) => {
  const path = folder(t, { "a.py": TOTAL, "b.py": TOTAL });
  const client = await open(t, path);
  await client.opened("a.py", TOTAL);
  await client.diagnostics("a.py");
  client.server.stdin.write(framed('{"jsonrpc": "2.0", "method": "textDocument/didCh'));
  await client.changed("a.py", 5, [{ text: "x = 1\n" }]);
  await client.changed("a.py", 4, [{ text: TOTAL }]);
  const far = { line: 4000, character: 0 };
  await client.changed("a.py", 6, [{ range: { start: far, end: far }, text: TOTAL }]);
  assert.deepEqual(await client.diagnostics("a.py"), []);
  assert.ok(client.messages.some((message) => message.includes("no JSON")), client.messages.join("\n"));
  assert.ok(client.messages.some((message) => message.includes("does not follow")));
  writeFileSync(join(path, "a.py"), TOTAL);
  const saved = { textDocument: { uri: uriOf(path, "a.py") }, text: TOTAL };
  await client.connection.sendNotification("textDocument/didSave", saved);
  assert.equal((await client.diagnostics("a.py")).length, 1);
  await client.end();
});

test("a message of 100 MB is skipped, and one of 50 MB is read", async (t) => {
  const path = folder(t, { "a.py": TOTAL, "b.py": TOTAL });
  const client = await open(t, path);
  await client.opened("big.py", "x".repeat(100 << 20));
  await client.opened("large.py", `${TOTAL}${"#".repeat(50 << 20)}`);
  await client.opened("a.py", TOTAL);
  assert.equal((await client.diagnostics("a.py")).length, 1);
  assert.ok(client.messages.some((message) => message.includes("a message of 100 MB was skipped")), client.messages.join("\n"));
  await client.end();
});

test("the server ends when its client is gone, and says how", async (t) => {
  const path = folder(t, { "a.py": TOTAL });
  const client = await open(t, path);
  client.server.stdin.end();
  assert.equal((await client.ended).code, 1);
  const unread = start(t);
  unread.server.stdin.write("Content-Length: what\r\n\r\n");
  assert.equal((await unread.ended).code, 1);
  const early = start(t);
  early.server.stdin.write(framed('{"jsonrpc":"2.0","method":"exit"}'));
  assert.equal((await early.ended).code, 1);
});

test("settings that are wrong are told", async (t) => {
  const path = folder(t, { "a.py": TOTAL, "familiar.toml": "min-linse = 3\n" });
  mkdirSync(join(path, "empty"));
  const client = await open(t, path);
  await client.opened("a.py", TOTAL);
  assert.deepEqual(await client.diagnostics("a.py"), []);
  assert.ok(client.messages.some((message) => message.includes("familiar.toml") && message.includes("min-linse")));
  assert.ok(!existsSync(join(path, "decisions.json")));
  await client.end();
});

test("settings of VS Code count, and count anew when they change", async (t) => {
  const path = folder(t, { "a.py": TOTAL, "b.py": TOTAL });
  const client = await open(t, path, { severity: "warning" });
  await client.opened("a.py", TOTAL);
  const [found] = await client.diagnostics("a.py");
  assert.equal(found.severity, 2);
  assert.ok(client.registered.includes("workspace/didChangeConfiguration"), client.registered.join(" "));
  await client.configured({ "min-lines": 9 });
  // The server asks for the settings before it reads the tree anew.
  for (let tries = 0; tries < 100 && (await client.diagnostics("a.py")).length > 0; tries += 1);
  assert.deepEqual(await client.diagnostics("a.py"), []);
  await client.end();
});
