// One script and one style sheet, the same bytes from every build; they go where the Rust crate takes them from.
import { defineConfig } from "vite";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "../crates/report/assets",
    emptyOutDir: true,
    cssCodeSplit: false,
    reportCompressedSize: false,
    modulePreload: false,
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
