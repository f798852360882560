// Takes the pictures of the documentation, of what pictures.sh has made.
//
//   node test/pictures.mjs FOLDER SERVER JUDGING TOKEN

import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, server, judging, token] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** Opens a view of a report, or of the server, in a window of its own; `act` brings it where the picture shows it. */
async function picture(name, [width, height], address, act, colorScheme = "light") {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(address.startsWith("http") ? address : `${pathToFileURL(folder)}/${address}`);
  await act(page);
  // The pointer rests nowhere, and what is loaded or moves has come to its end.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: `${folder}/pictures/${name}.png` });
  await page.close();
}

const report = (of, view) => `${of}/index.html${view}`;
const row = (page) => page.waitForSelector(".rows .row[aria-selected=true]");
/** Opens the finding that is chosen. */
const open = async (page, selector) => {
  await row(page);
  await page.keyboard.press("Enter");
  await page.waitForSelector(selector);
};

await picture("findings", [1200, 640], report("sphinx", "#/findings?language=python"), row, "dark");
await picture("compare", [1200, 640], report("sphinx", "#/findings?q=name:_toc_entry_name&type=3"), (page) => open(page, ".panes .line"));
await picture("map", [1200, 640], report("sphinx", "#/map"), (page) => page.waitForSelector(".cell"));
await picture("network", [1200, 720], report("network", "#/network"), async (page) => {
  await page.waitForSelector(".graph circle");
  await page.setInputFiles(".file-button input", { name: "sections.csv", mimeType: "text/csv", buffer: readFileSync(`${folder}/sections.csv`) });
  await page.waitForSelector(".sections-legend li");
});

await picture("audit-overview", [1280, 720], report("audited/report", ""), (page) => page.waitForSelector(".outcome"));
await picture("audit", [1280, 860], report("audited/report", "#/findings?q=name:parse_address"), async (page) => {
  await open(page, ".evidence .layers li");
  await page.waitForSelector(".evidence .fact dd");
});
await picture("timeline", [1280, 560], report("audited/report", "#/timeline/0"), (page) => page.waitForSelector(".timeline-chart .ring"));
await picture("found", [1360, 820], report("found", "#/findings"), async (page) => {
  await open(page, ".panes .line");
  await page.waitForSelector(".places tbody tr");
});

await picture("decisions", [1280, 560], report("decisions", "#/findings"), async (page) => {
  const decisions = [
    ["false-positive", "similar only in shape", "grace"],
    ["needs-action", "one function for both", "ada"],
    ["accepted", "", "grace"],
    ["needs-action", "move to a module of its own", "ada"],
    ["accepted", "reads better as it is", "grace"],
    ["accepted", "tests may repeat themselves", "grace"],
  ];
  for (const [at, [judgement, comment, name]] of decisions.entries()) {
    await row(page);
    if (at > 0) await page.keyboard.press("j");
    await open(page, ".decide");
    await page.fill(".signature input", name);
    await page.keyboard.press("Tab");
    await page.fill(".decide-comment", comment);
    await page.click(`.decide button.mark-${judgement}`);
    await page.waitForSelector(`.decide button.mark-${judgement}[aria-pressed=true]`);
    // Decisions of one second would stand in no order that a reader expects.
    await page.waitForTimeout(1_100);
    await page.locator(".back").click();
  }
  await page.evaluate(() => (location.hash = "#/decisions"));
  await page.waitForSelector(".decisions-list tbody tr");
});

await picture("license-file", [1280, 760], report("licensed", "#/files?q=LICENSE-MIT"), (page) => open(page, ".line.says"));
if (existsSync(`${folder}/vendored-report`)) await picture("licenses", [1280, 760], report("vendored-report", "#/overview"), (page) => page.waitForSelector(".figures"));

await picture("check", [1200, 640], `${server}/#/check`, async (page) => {
  await page.waitForSelector("textarea");
  await page.locator("select").first().selectOption("world");
  await page.fill("textarea", readFileSync(`${folder}/audited/app/src/shop.py`, "utf8"));
  await page.fill(".bar input.license", "MIT");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".hits .hit-verdicts");
});

await picture("judging", [1280, 640], judging, async (page) => {
  await page.fill("#token", token);
  await page.keyboard.press("Enter");
  // The first pair whose sides are no copies letter by letter, and of a size that fits.
  const shown = () => page.evaluate(() => ["code1", "code2"].map((id) => document.getElementById(id).textContent));
  for (let step = 0; step < 40; step += 1) {
    await page.waitForSelector("#work:not([hidden]) #code1 span");
    const [left, right] = await shown();
    const lines = [left, right].map((code) => code.split("\n").length);
    if (left !== right && Math.min(...lines) > 12 && Math.max(...lines) < 24) break;
    await page.keyboard.press("t");
    await page.waitForTimeout(150);
  }
  await page.keyboard.press("2");
  await page.keyboard.press("c");
  await page.keyboard.type("only comments differ");
  await page.keyboard.press("Escape");
});
await browser.close();
