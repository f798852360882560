// The page of `familiar serve`: one page, one script and one style sheet, the same bytes from every build.
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// The terms of what the script holds that is not ours go with it.
const banner = `/*!\nFamiliar's web page. It holds:\n\npreact\n\n${readFileSync("node_modules/preact/LICENSE", "utf8").trim()}\n*/`;

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The page itself is copied as it is: its policy lets nothing stand inside it.
  publicDir: "src/service/page",
  build: {
    target: "es2022",
    outDir: "../crates/service/assets",
    emptyOutDir: true,
    cssCodeSplit: false,
    reportCompressedSize: false,
    modulePreload: false,
    rollupOptions: { output: { banner, comments: { legal: true, annotation: false, jsdoc: false } } },
    lib: {
      entry: "src/service/main.tsx",
      formats: ["iife"],
      name: "familiarService",
      fileName: () => "app.js",
      cssFileName: "app",
    },
  },
});
