import { expect, test } from "vitest";
import { pairsCsv } from "../src/findings/groups";
import { fromNames, fromTable, passes, readTable } from "../src/findings/sections";

test("tables with commas, semicolons and tabs, quotes, a byte order mark and other columns", () => {
  expect([...readTable("ann,2026\r\nbob,2025\r\n")]).toEqual([["ann", "2026"], ["bob", "2025"]]);
  expect([...readTable('\ufeffName;Points;Group\n"Lovelace; Ada";3;"2026 ""A"""\n\nBob;4;\n')]).toEqual([["Lovelace; Ada", '2026 "A"']]);
  expect([...readTable("section\tstudent\nA\tann\n")]).toEqual([["ann", "A"]]);
  expect([...readTable('"two\nlines",x')]).toEqual([["two\nlines", "x"]]);
  expect(readTable("").size).toBe(0);
});

test("names of a table are found without case, folders and endings", () => {
  const table = readTable("ANN,b\nbob,a\ncid,b\n");
  const found = fromTable(["hw/ann", "bob.py", "eve"], table)!;
  expect(found.labels).toEqual(["a", "b"]);
  expect([...found.of]).toEqual([1, 0, -1]);
  expect(fromTable(["eve"], table)).toBeNull();
});

test("folders are sections where several are in each", () => {
  expect(fromNames(["2026/a", "2026/b", "2025/a", "2025/c"])).toEqual({ labels: ["2025", "2026"], of: Int32Array.of(1, 1, 0, 0) });
  expect(fromNames(["a", "b"])).toBeNull();
  expect(fromNames(["x/a", "y/b"])).toBeNull();
});

test("pairs between sections, within them and of one; the CSV carries both sides' section", () => {
  const sections = { labels: ["2025", "2026"], of: Int32Array.of(0, 1, 1, -1) };
  const pairs = [[0, 1], [1, 2], [2, 3]].map(([a, b]) => ({ a, b }));
  const those = (choice: Parameters<typeof passes>[2]) => pairs.filter((pair) => passes(pair, sections, choice)).map(({ a, b }) => `${a}${b}`);
  expect(those("all")).toEqual(["01", "12", "23"]);
  expect(those("between")).toEqual(["01"]);
  expect(those("within")).toEqual(["12"]);
  expect(those(0)).toEqual([]);
  expect(those(1)).toEqual(["12"]);
  const found = { names: ["a", "b", "c", "d"], search: [], links: [] };
  const link = { a: 2, b: 3, findings: 1, listed: 1, classed: 0, similarity: 9000, lines: 4 };
  expect(pairsCsv(found, [link], sections).join("")).toBe("one,other,lines,findings,similarity,one_group,other_group\nc,d,4,1,0.9000,2026,\n");
  expect(pairsCsv(found, [link]).join("")).toBe("one,other,lines,findings,similarity\nc,d,4,1,0.9000\n");
});
