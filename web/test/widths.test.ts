import { expect, test } from "vitest";
import type { Tables } from "../src/data/model";
import type { ReportData } from "../src/data/model";
import { Result } from "../src/data/result";
import { widths } from "../src/views/widths";

test("two paths share their room by the longest on each side", () => {
  const tables = {
    head: { settings: { roots: ["."] } },
    files: { paths: ["a/long/path/of/a/file.py", "b.py"], languages: ["python"], language: new Uint8Array(2), lines: new Uint32Array(2), missing: new Map() },
    fragments: { names: [""], kinds: ["run"], file: Uint32Array.of(0, 1), kind: new Uint8Array(2), name: new Uint32Array(2), start: new Uint32Array(2).fill(1), lines: new Uint32Array(2).fill(9), tokens: new Uint32Array(2) },
    classes: { type: Uint8Array.of(1), first: Uint32Array.of(0, 2), members: Uint32Array.of(0, 1) },
    pairs: { left: Uint32Array.of(0), right: Uint32Array.of(1), type: Uint8Array.of(1), similarity: Uint16Array.of(10_000) },
  } as unknown as Tables;
  const result = new Result(tables, {} as ReportData);
  expect(widths(result, "pairs")).toEqual({ "--left": "24fr", "--right": "4fr" });
  expect(widths(result, "classes")).toEqual({});
});
