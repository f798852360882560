import { expect, test } from "vitest";
import { field } from "../src/csv";

test("a name is a text to a spreadsheet, whatever it begins with", () => {
  expect(["a b.py", 'a "b".py', "a,b", "=1+1", "@SUM(A1)", '=HYPERLINK("x"),1', "-x.py"].map(field)).toEqual([
    "a b.py",
    '"a ""b"".py"',
    '"a,b"',
    "'=1+1",
    "'@SUM(A1)",
    `"'=HYPERLINK(""x""),1"`,
    "'-x.py",
  ]);
});
