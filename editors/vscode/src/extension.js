// Starts `familiar lsp`, and asks for a reason where somebody accepts a clone.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { greeting } = require("./greeting");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("familiar");
  const server = { command: settings.get("command"), args: ["lsp"] };
  client = new LanguageClient("familiar", "Familiar", server, {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: greeting(settings.get("settings")),
  });
  return client.start();
}

async function restart() {
  await client?.stop().catch(() => {});
  await start();
}

/** Accepts a clone with the reason that the user types. An empty box changes nothing. */
async function askReason(finding) {
  const prompt = "Why may this clone stay?";
  const reason = await vscode.window.showInputBox({ prompt, placeHolder: "generated from the same table" });
  if (reason?.trim()) {
    const command = { command: "familiar.accept", arguments: [{ ...finding, reason: reason.trim() }] };
    await client.sendRequest("workspace/executeCommand", command);
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("familiar.restart", restart),
    vscode.commands.registerCommand("familiar.askReason", askReason),
  );
  await start();
};

exports.deactivate = () => client?.stop();
