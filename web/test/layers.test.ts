import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const list = /```layers\n([^`]*)```/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "";
const layers = list.trim().split("\n").map((line) => line.split(" "));

/** The number of the layer that a module is in: the longest entry that is the module or a folder above it; -1 where none is. */
function layerOf(module: string): number {
  const holds = (entry: string) => module === entry || module.startsWith(`${entry}/`);
  const entry = layers.flat().filter(holds).sort((a, b) => b.length - a.length)[0];
  return layers.findIndex((layer) => layer.includes(entry));
}

const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const nameOf = (file: string) => file.replace(/\.tsx?$/, "");

test("every module stands in a layer", () => {
  expect(modules.map(nameOf).filter((module) => layerOf(module) < 0)).toEqual([]);
});

test("a module takes only from its own layer and from those above it in the list", () => {
  const wrong = modules.flatMap((file) => {
    const text = readFileSync(join(root, "src", file), "utf8");
    const taken = [...text.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, path]) => normalize(join(dirname(file), path)));
    return taken.filter((module) => layerOf(module) > layerOf(nameOf(file))).map((module) => `${nameOf(file)} takes from ${module}`);
  });
  expect(wrong).toEqual([]);
});
