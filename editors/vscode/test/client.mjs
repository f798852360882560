// A client of the server that `familiar lsp` is, over its standard input and output: the protocol library of VS Code.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as protocol from "vscode-languageserver-protocol/node";
import { greeting as ofExtension } from "../src/greeting.js";

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = protocol;

export const TOTAL = `def total(prices, taxes, discount):
    amount = 0
    for price, tax in zip(prices, taxes):
        amount += price * (1 + tax)
    if discount > amount:
        raise ValueError(discount)
    amount -= discount
    return round(amount, 2)
`;

/** A folder with files; it goes when the test ends. */
export function folder(test, files) {
  const path = mkdtempSync(join(tmpdir(), "familiar-lsp-"));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

export const uriOf = (folder, name) => pathToFileURL(name ? join(folder, name) : folder).href;

/** The server as a process. */
export function start(test) {
  const environment = { ...process.env, USER: process.env.USER ?? "ada" };
  const server = spawn(process.env.FAMILIAR ?? "familiar", ["lsp"], { stdio: "pipe", env: environment });
  const said = [];
  server.stderr.on("data", (bytes) => said.push(bytes));
  const ended = new Promise((resolve) => server.on("exit", (code, signal) => resolve({ code, signal, said: said.join("") })));
  test.after(() => server.kill("SIGKILL"));
  return { server, ended };
}

/** What VS Code has under a section of its settings. */
const sectionOf = (settings, section) => section.split(".").reduce((value, part) => value?.[part], settings) ?? null;

/** A server that was greeted, with what it shows of each file. `settings` are those of the server, as `familiar.settings` holds them. */
export async function open(test, folder, settings = {}) {
  const { server, ended } = start(test);
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const client = { server, ended, connection, shown: new Map(), messages: [], asked: [], registered: [] };
  // The section `familiar` also holds what the extension alone reads.
  client.configuration = { familiar: { command: "familiar", settings } };
  connection.onNotification("textDocument/publishDiagnostics", (params) => client.shown.set(params.uri, params));
  connection.onNotification("window/showMessage", ({ message }) => client.messages.push(message));
  connection.onNotification("window/logMessage", ({ message }) => client.messages.push(message));
  connection.onRequest("window/showDocument", (params) => {
    client.asked.push(params);
    return { success: true };
  });
  connection.onRequest("client/registerCapability", ({ registrations }) => {
    client.registered.push(...registrations.map(({ method }) => method));
  });
  connection.onRequest("workspace/configuration", ({ items }) => items.map(({ section }) => sectionOf(client.configuration, section)));
  // Where the server ends, what is still to be written goes nowhere.
  connection.onError(() => {});
  server.stdin.on("error", () => {});
  connection.listen();
  const capabilities = {
    window: { showDocument: { support: true } },
    workspace: {
      configuration: true,
      workspaceFolders: true,
      didChangeConfiguration: { dynamicRegistration: true },
      didChangeWatchedFiles: { dynamicRegistration: true },
    },
  };
  const initializationOptions = ofExtension(settings);
  const workspaceFolders = [{ uri: uriOf(folder), name: "test" }];
  const greeting = { processId: process.pid, rootUri: uriOf(folder), workspaceFolders, capabilities, initializationOptions };
  client.answer = await connection.sendRequest("initialize", greeting);
  await connection.sendNotification("initialized", {});
  client.opened = (name, text) =>
    connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: uriOf(folder, name), languageId: "python", version: 1, text },
    });
  client.changed = (name, version, contentChanges) =>
    connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: uriOf(folder, name), version },
      contentChanges,
    });
  client.configured = async (settings) => {
    client.configuration.familiar.settings = settings;
    await connection.sendNotification("workspace/didChangeConfiguration", { settings: client.configuration });
  };
  client.command = (command, argument) =>
    connection.sendRequest("workspace/executeCommand", { command, arguments: argument ? [argument] : [] });
  // All that came before is searched, and what it brought was shown.
  client.diagnostics = async (name) => {
    await client.command("familiar.idle");
    return client.shown.get(uriOf(folder, name))?.diagnostics ?? [];
  };
  client.end = async () => {
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    const { code, said } = await ended;
    assert.equal(code, 0, said);
  };
  return client;
}
