import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as service from "../src/service/text";
import * as report from "../src/text";

const { A, F, H, L, T } = report;

/** Every text, or the function that makes it, with its name. */
function texts(of: unknown, name: string): [string, string][] {
  if (typeof of === "string") return [[name, of]];
  if (typeof of === "function") return [[name, of.toString()]];
  if (typeof of !== "object" || of === null) return [];
  return Object.entries(of).flatMap(([key, value]) => texts(value, `${name}.${key}`));
}
const all = [...texts(report, "report"), ...texts(service, "service")];

test("a similarity is rounded down, as in the text of a command", () => {
  expect([7490, 8199, 9999, 10000, 0].map(report.similarity)).toEqual(["74 %", "81 %", "99 %", "100 %", "0 %"]);
});

test("what is counted as generated is not counted again as not searched", () => {
  expect([T.notSearched(0, true), T.notSearched(1, true), T.notSearched(2, false)]).toEqual(["0 other files were not searched", "1 other file was not searched", "2 files were not searched"]);
});

test("no two filters of a table share a name, and none has an option of another's name", () => {
  const filters = {
    findings: [T.type, T.language, T.decisionFilter, A.verdict, A.decision, A.here, A.there, A.project, T.least, T.fewest],
    any: [T.anyLanguage, T.anyDecision, A.anyVerdict, A.anyDecision, A.anyHere, A.anyLicense, A.anyProject],
    licenses: [L.license, L.category, L.layer, L.state],
    anyLicense: [L.anyLicense, L.anyCategory, L.anyLayer, L.anyState],
    found: [T.type, T.language, F.knownFilter, F.least, T.fewest],
  };
  for (const [table, names] of Object.entries(filters)) expect(new Set(names).size, table).toBe(names.length);
});

test("every view has help, in sentences", () => {
  for (const view of [...Object.keys(T.views), ...Object.keys(L.views).filter((view) => view !== "overview")]) expect(H[view], view).toBeDefined();
  for (const view of Object.keys(service.T.views).filter((view) => view !== "signin")) expect(service.HELP[view], view).toBeDefined();
  for (const line of [...Object.values(H), ...Object.values(service.HELP)].flat()) expect(line).toMatch(/^[A-Z“].*[.]$/);
});

test("texts are plain", () => {
  // Words and turns that made readers stop.
  const riddles = /\b(blobs?|their kin|May it be here|whoever|speaks? for |stands? (elsewhere|there|here)|colours?|behaviour)\b/i;
  expect(all.filter(([, text]) => riddles.test(text))).toEqual([]);
  // Help on things that open is a sentence or a phrase, and none is empty.
  expect(all.filter(([name, text]) => /What$/.test(name) && name !== "report.T.decisionWhat" && text.trim().length < 10)).toEqual([]);
});

test("every text is used", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !/(^|\/)text\.ts$/.test(file));
  const source = files.map((file) => readFileSync(join("src", file), "utf8")).join("\n");
  const own = readFileSync("src/text.ts", "utf8");
  const unused = (object: object) => Object.keys(object).filter((key) => !new RegExp(`\\b${key}\\b`).test(source) && !own.includes(`T.${key}`));
  expect({ T: unused(T), F: unused(F), A: unused(A), L: unused(L), service: unused(service.T) }).toEqual({ T: [], F: [], A: [], L: [], service: [] });
});

test("an audit says in one sentence what it comes to", () => {
  expect(A.outcome(2, 1, 8)).toEqual({ asked: "denied", what: "2 of 8 findings are not allowed" });
  expect(A.outcome(1, 0, 1).what).toBe("1 of 1 finding is not allowed");
  expect(A.outcome(0, 1, 3)).toEqual({ asked: "open", what: "Somebody has to look at 1 of 3 findings" });
  expect([A.outcome(0, 0, 3).what, A.outcome(0, 0, 1).what, A.outcome(0, 0, 0).what]).toEqual(["All 3 findings are allowed", "The only finding is allowed", "No code from elsewhere was found"]);
});
