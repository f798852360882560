// Opens reports on found code in Chromium from the disk and looks at every view.
//
//   npm run found -- FOLDER [SCREENSHOTS]
//
// FOLDER is what found.sh filled. CHROMIUM says where the browser is. Exits with 1 where a view shows nothing, a script of the result
// runs, the console complains or axe finds something serious.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { sharedNames, unexplained } from "./pages.mjs";

const [folder = ".", shots] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const faults = [];
if (shots) mkdirSync(shots, { recursive: true });

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** A report in one theme, and ways to look at it. */
async function open(name, theme) {
  const check = (holds, what) => holds || faults.push(`${name}, ${theme}: ${what}`);
  const page = await browser.newPage({ viewport: { width: 1360, height: 820 }, colorScheme: theme });
  page.on("console", (message) => check(!["error", "warning"].includes(message.type()), message.text()));
  page.on("pageerror", (error) => check(false, error.message));
  page.on("request", (request) => check(/^(file|blob|data):/.test(request.url()), `asked for ${request.url()}`));
  page.on("dialog", (dialog) => (check(false, `a dialog: ${dialog.message()}`), dialog.dismiss()));
  await page.goto(pathToFileURL(resolve(folder, name.endsWith(".html") ? name : `${name}/index.html`)).href);
  await page.waitForSelector(".figures").catch(() => check(false, "there is no overview"));
  const shot = async (view) => {
    if (shots) await page.screenshot({ path: `${shots}/${name}-${view}-${theme}.png` });
    // A single page runs no script but its own; there the folder's look has to do.
    if (name.endsWith(".html")) return;
    for (const what of await unexplained(page)) check(false, `${view}: “${what}” opens without a word of help`);
    for (const what of await sharedNames(page)) check(false, `${view}: two filters are called “${what}”`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    for (const { id, impact, nodes } of violations) {
      check(!["serious", "critical"].includes(impact), `${view}: ${impact} ${id} at ${nodes[0].target} (${nodes.length})`);
    }
  };
  const see = async (hash, selector) => {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.waitForSelector(selector, { timeout: 10_000 }).catch(() => check(false, `${hash} shows no ${selector}`));
  };
  const text = (selector) => page.locator(selector).first().innerText();
  const narrow = async (view) => {
    await page.setViewportSize({ width: 480, height: 800 });
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} is wider than a narrow window`);
    await shot(`${view}-narrow`);
    await page.setViewportSize({ width: 1360, height: 820 });
  };
  return { page, check, shot, see, text, narrow };
}

/** The files of a folder: overview, findings, comparison, timeline, map, and no view that makes no sense of them. */
async function many(theme) {
  const { page, check, shot, see, text, narrow } = await open("many", theme);
  check((await text(".figure.strong .muted")).startsWith("4 of 5 files"), `the overview says ${await text(".figures")}`);
  check((await page.locator(".figure .value").nth(1).innerText()) === "2", "not two files are found in full");
  await page.locator(".nowhere summary").click();
  await page.waitForSelector(".nowhere li").catch(() => check(false, "no file is known nowhere"));
  check((await text(".nowhere li")).includes("<img src=x onerror=alert(3)>"), "a file that is known nowhere has another name");
  await shot("overview");
  for (const gone of ["Groups", "Network", "Decisions"]) check((await page.getByRole("link", { name: gone, exact: true }).count()) === 0, `there is a tab ${gone}`);
  await see("#/decisions", ".figures");

  await see("#/findings", ".rows .row .cell-coverage");
  check((await page.locator(".rows .row:not(.headers)").count()) === 4, "not every known file has a row");
  check((await page.locator(".decide, select[aria-label=Decisions]").count()) === 0, "something can be decided");
  await page.selectOption("select[aria-label='How much']", "part");
  await page.waitForFunction(() => document.querySelector("[role=status]").textContent.startsWith("2 of 4")).catch(() => check(false, "a filter shows other files"));
  await page.selectOption("select[aria-label='How much']", "");
  await page.selectOption("select[aria-label='License there']", "GPL-3.0-only");
  await page.waitForTimeout(400);
  check((await page.locator(".detail .member").count()) > 0, "a file has no blobs at its side");
  await shot("findings");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(".exports button").first().click()]);
  const table = readFileSync(await saved.path(), "utf8");
  check(table.startsWith("type,coverage,") && table.includes("GPL-3.0-only"), `the table says ${table.slice(0, 200)}`);
  await see("#/findings?show=pairs&sort=-coverage", ".rows.pairs .row .cell-coverage");
  await shot("matches");

  await see('#/findings?q="turned"', ".rows .row");
  await page.waitForTimeout(300);
  await page.locator(".rows.classes").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".evidence .places tbody tr").catch(() => check(false, "no places are shown"));
  check((await page.locator(".evidence-side .license strong").count()) > 0, "no license is shown");
  check((await page.locator(".stretch-choice option").count()) > 2, "stretches cannot be chosen");
  check((await page.locator(".panes .line.s-same, .panes .line.s-renamed").count()) > 10, "no lines correspond");
  await shot("compare");
  await page.selectOption(".stretch-choice select", "1");
  await page.waitForTimeout(100);
  check((await page.locator(".panes .line.s-left").count()) === 0, "a stretch by itself has lines without a counterpart");
  const before = await page.evaluate(() => location.hash);
  await page.keyboard.press("l");
  await page.waitForTimeout(200);
  check((await page.evaluate(() => location.hash)) !== before, "l goes to no other blob");
  await narrow("compare");
  const links = await page.evaluate(() => [...document.querySelectorAll("a[target]")].filter((link) => !link.href.startsWith("https://") || link.rel !== "noopener noreferrer").length);
  check(links === 0, "a link leads out as it should not");
  await page.locator(".side-head a").first().click();
  await page.waitForSelector(".source a.lane").catch(() => check(false, "the source marks no stretch"));
  await shot("source");

  await see("#/timeline", ".timeline tbody a");
  await shot("timeline");
  await page.locator(".timeline tbody a").first().click();
  await page.waitForSelector(".timeline-chart .ring").catch(() => check(false, "the timeline marks no earliest"));
  await shot("timeline-one");
  await narrow("timeline");
  await see("#/map", ".cell");
  await shot("map");
  await see("#/compare/999999/x", ".notice");
  await see("#/overview", ".figures");
  await narrow("overview");
  await page.click(".names");
  await page.waitForSelector(".names[aria-pressed=true]");
  for (const hash of ["#/overview", "#/findings", "#/timeline/0"]) {
    await see(hash, ".figures, .rows .row, .timeline-first");
    await page.waitForTimeout(300);
    check(!/library|fork/.test(await text("#main")), `${hash} names somebody`);
  }
  await page.click(".names");
  await page.close();
}

/** Code without a name, some lines of a file, and code that neither side has. */
async function single(theme) {
  const one = await open("one.html", theme);
  one.check((await one.text(".figure.strong")).includes("standard input"), "standard input has no name");
  await one.page.waitForSelector(".found-code .line").catch(() => one.check(false, "its code is not shown"));
  await one.shot("overview");
  await one.see("#/timeline", ".timeline-chart .ring");
  await one.page.close();
  const lines = await open("lines", theme);
  await lines.see("#/compare/0/1", ".panes .line.s-same");
  lines.check((await lines.text(".side-head")).includes("2–16"), `other lines are compared: ${await lines.text(".side-head")}`);
  await lines.shot("compare");
  await lines.page.close();
  const bare = await open("bare", theme);
  await bare.shot("overview");
  await bare.see("#/compare/0/1", ".missing");
  const said = await bare.text(".panes");
  bare.check(said.includes("do not contain the text") && said.includes("does not keep source text"), `missing code says ${said}`);
  bare.check((await bare.page.locator(".evidence .places tbody tr").count()) > 0, "no places are shown where there is no code");
  await bare.shot("compare");
  await bare.page.close();
}

for (const theme of ["light", "dark"]) {
  await many(theme);
  await single(theme);
}
await browser.close();
for (const fault of new Set(faults)) console.error(fault);
console.log(faults.length === 0 ? "reports on found code: as they should be" : `${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
