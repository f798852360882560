// Lists that are longer than the arguments that a browser lets a call have.

import { expect, test } from "vitest";
import { type Span, compare, covered } from "../src/compare/align";
import { Source } from "../src/compare/tokens";
import { auditTable } from "../src/data/audit/chunks";
import type { ReportData, Tables } from "../src/data/model";
import { Result } from "../src/data/result";

const MANY = 300_000;

const source = (text: string) => new Source({ text, starts: new Uint32Array(0), ends: new Uint32Array(0), kinds: new Uint8Array(0) });

test("a finding of an audit has many copies elsewhere", () => {
  const count = MANY + 1;
  const zeros = (length: number) => btoa("\0".repeat(length));
  const counts = { files: 2, fragments: count, classes: 1, pairs: MANY };
  const audit = auditTable(
    {
      ...{ disclaimer: "", against: [], table: [], summary: {} as never, words: ["same"] },
      roots: btoa("\0\x01"),
      fragments: { license: zeros(count), license_by: zeros(count) },
      findings: { origin: zeros(1), origin_known: zeros(1), status: zeros(1), decision: zeros(1), year: zeros(1) },
      pairs: { status: zeros(MANY), into: zeros(MANY), older: zeros(MANY), grade: zeros(MANY), laundering: zeros(MANY), own: zeros(MANY) },
      packs: { evidence: zeros(1), findings: zeros(1) },
    },
    counts,
  );
  const numbers = Uint32Array.from({ length: count }, (_, at) => at);
  const tables = {
    head: { settings: { roots: ["app", "lib"] }, audited: 1, counts },
    files: { paths: ["app/a.py", "lib/b.py"], languages: ["python"], language: new Uint8Array(2), lines: new Uint32Array(2), missing: new Map() },
    fragments: { names: ["f"], kinds: ["function"], file: Uint32Array.from(numbers, (at) => Math.min(at, 1)), kind: new Uint8Array(count), name: new Uint32Array(count), start: numbers, lines: new Uint32Array(count).fill(1), tokens: new Uint32Array(count) },
    classes: { type: Uint8Array.of(1), first: Uint32Array.of(0, count), members: numbers },
    pairs: { left: new Uint32Array(MANY), right: numbers.slice(1), type: new Uint8Array(MANY).fill(1), similarity: Uint16Array.from({ length: MANY }, (_, at) => 8000 + (at % 2000)) },
    audit,
  } as unknown as Tables;
  const result = new Result(tables, {} as ReportData);
  expect([result.least[0], result.most[0]]).toEqual([8000, 9999]);
});

test("many stretches correspond", () => {
  const spans = Array.from({ length: MANY }, (_, at): Span => [at + 1, at + 2, at + 5, at + 6]);
  expect(covered(spans)).toEqual([[1, MANY + 1], [5, MANY + 5]]);
});

test("many lines correspond", { timeout: 120_000 }, () => {
  const lines = "x\n".repeat(MANY);
  const [left, right] = [source(`a b c\n${lines}`), source(`d\n${lines}`)];
  const { rows } = compare(left, [1, MANY + 1], right, [1, MANY + 1]);
  expect(rows.filter(({ state }) => state === "same")).toHaveLength(MANY);
});
