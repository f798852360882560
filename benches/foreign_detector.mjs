// jscpd as a detector for `familiar attack --detector 'command:node benches/foreign_detector.mjs FOLDER'`.
//
// FOLDER is where `npm install --prefix FOLDER jscpd@4` put it. For each pair, jscpd looks for duplicated code between the two
// texts, with fragments of at least 5 lines and 20 tokens. The score is the share of the lines of the first text that lie in one.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

const require = createRequire(resolve(process.argv[2], "package.json"));
const { Tokenizer } = require("@jscpd/tokenizer");
const { Detector, MemoryStore } = require("@jscpd/core");

const options = { minTokens: 20, minLines: 5, maxLines: 100000, mode: (token) => token.type !== "ignore" };

async function score({ code1, lang1, code2, lang2 }) {
  const detector = new Detector(new Tokenizer(), new MemoryStore(), [], options);
  await detector.detect("one", code1, lang1, options);
  const clones = await detector.detect("two", code2, lang2, options);
  const covered = new Set();
  for (const { duplicationA, duplicationB } of clones ?? []) {
    const [one, two] = [duplicationA, duplicationB].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
    if (one.sourceId === two.sourceId) continue;
    for (let line = one.start.line; line <= one.end.line; line += 1) covered.add(line);
  }
  return Math.min(1, covered.size / Math.max(1, code1.trimEnd().split("\n").length));
}

for await (const line of createInterface({ input: process.stdin })) {
  const scores = [];
  for (const pair of JSON.parse(line).pairs) scores.push(await score(pair));
  console.log(JSON.stringify({ scores }));
}
