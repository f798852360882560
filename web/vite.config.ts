// One script and one style sheet, the same bytes from every build; they go where the Rust crate takes them from.
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// The terms of what the script holds that is not ours go with it.
const terms = ["preact", "d3-hierarchy", "d3-force", "d3-quadtree", "d3-dispatch", "d3-timer", "smol-toml"].map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`);
const banner = `/*!\nFamiliar's report. It holds:\n\n${terms.join("\n\n")}\n*/`;

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "../crates/report/assets",
    emptyOutDir: true,
    cssCodeSplit: false,
    reportCompressedSize: false,
    modulePreload: false,
    rollupOptions: { output: { banner, comments: { legal: true, annotation: false, jsdoc: false } } },
    lib: {
      entry: "src/main.tsx",
      // A page opened from a disk may not load modules.
      formats: ["iife"],
      name: "familiarReport",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
});
