// Measures a report's folder in Chromium from the disk: first view, filter, sort, comparisons, and the memory of the tab.
//
//   npm run speed -- FOLDER
//
// CHROMIUM says where the browser is. Memory is what the tab's process has resident (Linux).

import { execSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder = "report"] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const address = pathToFileURL(resolve(folder, "index.html")).href;
const COMPARISONS = 60;
const FILES = 200;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
const resident = () => {
  const sizes = execSync("ps -eo rss,args").toString().split("\n").filter((line) => line.includes("--type=renderer"));
  return Math.round(Math.max(...sizes.map((line) => Number.parseInt(line, 10))) / 1024);
};
const show = (name, value) => console.log(`${name}: ${value}`);
const drawn = "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));";

const first = [];
for (let time = 0; time < 3; time++) {
  await page.goto("about:blank");
  const begun = performance.now();
  await page.goto(address);
  await page.waitForSelector(".figures");
  first.push(Math.round(performance.now() - begun));
}
show("first view, ms", first.join(" "));
show("memory after it, MiB", resident());

await page.evaluate(() => (location.hash = "#/findings?show=pairs"));
await page.waitForSelector(".rows.pairs .row");
const filtered = [];
for (const query of ["t", "te", "test", "path:model forward", "-test", ""]) {
  const took = await page.evaluate(`(async () => {
    const input = document.querySelector(".search");
    const begun = performance.now();
    input.value = ${JSON.stringify(query)};
    input.dispatchEvent(new Event("input", { bubbles: true }));
    ${drawn}
    return performance.now() - begun;
  })()`);
  filtered.push(Math.round(took));
}
show("filters of all pairs, ms", filtered.join(" "));

const sorted = await page.evaluate(`(async () => {
  const begun = performance.now();
  [...document.querySelectorAll(".headers button")].find((button) => button.innerText.startsWith("Lines")).click();
  ${drawn}
  return performance.now() - begun;
})()`);
show("sort by lines, ms", Math.round(sorted));

await page.keyboard.press("j");
await page.keyboard.press("Enter");
await page.waitForSelector(".panes");
const compared = [];
for (let at = 0; at < COMPARISONS; at++) {
  const took = await page.evaluate(async () => {
    const before = document.querySelector(".panes");
    const begun = performance.now();
    dispatchEvent(new KeyboardEvent("keydown", { key: "j" }));
    while (document.querySelector(".panes") === before || !document.querySelector(".panes")) await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  });
  compared.push(Math.round(took));
}
compared.sort((a, b) => a - b);
show(`comparisons of the ${COMPARISONS} longest pairs, ms: median`, `${compared[COMPARISONS / 2]}, longest ${compared.at(-1)}`);
show("memory after them, MiB", resident());

for (let at = 0; at < FILES; at++) {
  await page.evaluate((file) => (location.hash = `#/source/${file}`), at);
  await page.waitForSelector(".source .line, .missing, .notice");
}
show(`memory after ${FILES} files, MiB`, resident());
await browser.close();
