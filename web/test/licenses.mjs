// Opens a report of licenses in Chromium from the disk and looks at every view; test/licensed.sh makes one that is hostile.
//
//   npm run licenses -- FOLDER|FILE.html [SCREENSHOTS]
//
// CHROMIUM says where the browser is. Exits with 1 where a view shows nothing, a script runs, the console or axe complains.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { sharedNames, unexplained } from "./pages.mjs";

const [folder = "report", shots] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const address = pathToFileURL(resolve(folder.endsWith(".html") ? folder : `${folder}/index.html`)).href;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const faults = [];
const check = (holds, what) => {
  if (!holds) faults.push(what);
};
if (shots) mkdirSync(shots, { recursive: true });

/** The table: filters, keys, addresses, and its CSV. */
async function files({ page, theme, see, shot }) {
  await see("#/files", ".license-rows .row[aria-selected=true]");
  const all = await page.locator("[role=status]").innerText();
  await shot("files");
  await page.keyboard.press("/");
  await page.keyboard.type("license:gpl");
  await page.waitForFunction((all) => document.querySelector("[role=status]").innerText !== all, all).catch(() => check(false, `${theme}: a search filters nothing`));
  await page.waitForTimeout(300);
  check(page.url().includes("q=license%3Agpl"), `${theme}: the address does not keep the search`);
  await page.reload();
  await page.waitForSelector(".license-rows .row[aria-selected=true]");
  check((await page.locator(".search").inputValue()) === "license:gpl", `${theme}: a search is forgotten`);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".exports button").click()]);
  const lines = readFileSync(await file.path(), "utf8").trim().split("\n");
  check(lines[0].startsWith("path,license,") && lines.length === 2, `${theme}: the CSV holds ${lines.length} lines`);
  await see("#/files?state=none", ".license-rows .row[aria-selected=true]");
  await see("#/files?sort=-license", ".license-rows [aria-sort=descending]");
  await page.keyboard.press("j");
  await page.waitForSelector(".license-rows .row:nth-child(2)[aria-selected=true]").catch(() => check(false, `${theme}: j goes to no next row`));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".license-detail .layer-list li").catch(() => check(false, `${theme}: Enter opens no file`));
  await page.keyboard.press("Escape");
  await page.waitForSelector(".license-rows .row:nth-child(2)[aria-selected=true]").catch(() => check(false, `${theme}: Escape does not lead back to the row`));
}

/** A file whose lines say something; keys go from mark to mark, links to other files. */
async function one({ page, theme, see, shot }) {
  await see('#/files?q=path:script.rs', ".license-rows .row a");
  await page.locator(".license-rows .row a").first().click();
  await page.waitForSelector(".line.says").catch(() => check(false, `${theme}: no line is marked`));
  check((await page.locator(".line.says code").first().innerText()).includes("GPL-3.0-only"), `${theme}: another line is marked`);
  check((await page.locator(".differs-badge").count()) > 0, `${theme}: nobody disagrees`);
  await page.keyboard.press("n");
  await page.waitForSelector(".line.target").catch(() => check(false, `${theme}: n goes to no mark`));
  await shot("file");
  await page.locator(".layer-list .place a").first().click();
  await page.waitForFunction(() => document.querySelector("h1").innerText.includes("LICENSE")).catch(() => check(false, `${theme}: a layer leads to no file`));
  await page.waitForSelector(".line.says");
  await shot("file-license");
}

/** A file without text says why. */
async function binary({ page, theme, see }) {
  await see("#/files?q=path:image.bin", ".license-rows .row a");
  await page.waitForTimeout(300);
  await page.locator(".license-rows .row a").first().click();
  await page.waitForSelector(".missing").catch(() => check(false, `${theme}: a binary file does not say so`));
  check((await page.locator(".missing").innerText()).includes("binary"), `${theme}: a missing text has no reason`);
}

async function look({ page, theme, see, shot }) {
  await page.goto(address);
  await page.waitForSelector(".figures");
  await page.waitForSelector(".overview .top-list .name");
  await shot("overview");
  await page.locator(".license-charts .shares a").first().click();
  await page.waitForSelector(".license-rows .row[aria-selected=true]").catch(() => check(false, `${theme}: a bar leads to no files`));
  await files({ page, theme, see, shot });
  await one({ page, theme, see, shot });
  await binary({ page, theme, see });
  await see("#/licenses", ".license-list .row a");
  await shot("licenses");
  await page.locator(".license-list .license-name a").first().click();
  await page.waitForSelector(".license-places .member a").catch(() => check(false, `${theme}: a license has no places`));
  await shot("license");
  await see("#/packages", ".package-list .row");
  check((await page.locator(".package-list").innerText()).includes("<img src=x"), `${theme}: a package's name is no text`);
  await shot("packages");
  await see("#/map", ".cell.lc-cell");
  await shot("map");
  await see("#/license/no-such", ".notice");
  await see("#/file/99999999", ".notice");
  for (const [name, hash, selector] of [["overview", "#/overview", ".figures"], ["files", "#/files", ".license-rows .row"], ["file", "#/file/1", ".license-detail"], ["licenses", "#/licenses", ".license-list"]]) {
    await page.setViewportSize({ width: 480, height: 800 });
    await see(hash, selector);
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme}: ${name} is wider than a narrow window`);
    await shot(`${name}-narrow`);
  }
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const theme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 820 }, colorScheme: theme });
  page.on("console", (message) => check(!["error", "warning"].includes(message.type()), `${theme}: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${theme}: ${error.message}`));
  page.on("request", (request) => check(/^(file|blob|data):/.test(request.url()), `asked for ${request.url()}`));
  page.on("dialog", (dialog) => (check(false, `a dialog: ${dialog.message()}`), dialog.dismiss()));
  const shot = async (name) => {
    await page.waitForTimeout(100);
    if (shots) await page.screenshot({ path: `${shots}/${name}-${theme}.png` });
    check((await page.locator("img, #app script, iframe").count()) === 0, `${theme}, ${name}: a name became markup`);
    for (const what of await unexplained(page)) check(false, `${theme}, ${name}: “${what}” opens without a word of help`);
    for (const what of await sharedNames(page)) check(false, `${theme}, ${name}: two filters are called “${what}”`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    for (const { id, impact, nodes } of violations) {
      check(!["serious", "critical"].includes(impact), `${theme}, ${name}: ${impact} ${id} at ${nodes[0].target} (${nodes.length})`);
    }
  };
  const see = async (hash, selector) => {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.waitForSelector(selector, { timeout: 10_000 }).catch(() => check(false, `${theme}: ${hash} shows no ${selector}`));
  };
  await look({ page, theme, see, shot });
  await page.close();
}
await browser.close();
for (const fault of new Set(faults)) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
