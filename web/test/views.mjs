// Opens a report's folder in Chromium from the disk and looks at every view.
//
//   npm run check -- FOLDER [SCREENSHOTS]
//
// CHROMIUM says where the browser is. Exits with 1 where a view shows nothing, the console complains or a number is too large.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { cutWithRoom, sharedNames, unexplained } from "./pages.mjs";

const [folder = "report", shots] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const address = pathToFileURL(resolve(folder.endsWith(".html") ? folder : `${folder}/index.html`)).href;
const faults = [];
const check = (holds, what) => {
  if (!holds) faults.push(what);
};
if (shots) mkdirSync(shots, { recursive: true });

// What reads a page for those who do not see it; the page itself loads nothing of it.
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Whether the pairs of the report are explained. */
const isExplained = !folder.endsWith(".html") && /"explanations":[1-9]/.test(readFileSync(resolve(folder, "data/head.js"), "utf8"));

/** What makes a pair alike: words, parts and statements that correspond, and the same from the other side. */
async function explained(page, theme, check) {
  const seen = () =>
    page.evaluate(() => {
      const lines = (side, state) => document.querySelectorAll(`.pane:nth-child(${side}) .line.${state}`).length;
      const words = (at) => [...document.querySelectorAll(`.explanation .fact:nth-child(${at}) .word`)].map((word) => word.textContent);
      return { alike: [lines(1, "s-alike"), lines(2, "s-alike")], shared: words(2), only: [words(3), words(4)], parts: document.querySelectorAll(".parts tr").length };
    });
  const here = await seen();
  check(here.alike.every((count) => count >= 4) && here.shared.length > 0 && here.parts === 4, `${theme}: a pair is not explained: ${JSON.stringify(here)}`);
  await page.locator(".swap").click();
  await page.waitForTimeout(200);
  const there = await seen();
  check(JSON.stringify(there.only) === JSON.stringify([...here.only].reverse()), `${theme}: swapping the sides does not swap what only one has`);
  check(there.alike[0] === here.alike[1] && there.alike[1] === here.alike[0], `${theme}: swapping the sides changes what corresponds`);
  await page.locator(".explanation > summary").click();
  await page.waitForTimeout(100);
  check((await page.locator(".explanation-body").count()) === 0, `${theme}: the explanation does not close`);
  await page.locator(".explanation > summary").click();
  await page.locator(".swap").click();
  await page.waitForTimeout(200);
}

/** The network: its picture by keys and pointer, its list, and sections by a table. */
async function network(page, theme, check, see, shot) {
  await shot("network");
  const scale = () => page.locator(".graph svg > g").getAttribute("transform");
  const [before] = [await scale(), await page.focus(".graph-area")];
  await page.keyboard.press("+");
  await page.waitForTimeout(50);
  check((await scale()) !== before, `${theme}: + does not scale the network`);
  await page.keyboard.press("0");
  await page.waitForTimeout(50);
  check((await scale()) === before, `${theme}: 0 does not show the whole network again`);
  const circle = await page.locator(".graph-all circle").first().boundingBox();
  await page.mouse.click(circle.x + circle.width / 2, circle.y + circle.height / 2);
  await page.waitForSelector(".network-list section .cluster-links a").catch(() => check(false, `${theme}: a node lists no links`));
  check((await page.locator(".graph-near line").count()) > 0, `${theme}: a node's links do not stand out`);
  // Each link by itself: from the list, and as wide as it has lines.
  await page.mouse.move(0, 0);
  const chosen = page.locator(".network-list section .quiet");
  if (await chosen.count()) await chosen.click();
  await page.locator(".clusters .cluster-links a").first().hover();
  await page.waitForFunction(() => document.querySelectorAll(".graph-near .link").length === 1).catch(() => check(false, `${theme}: a link of the list does not stand out alone`));
  await page.mouse.move(0, 0);
  const wide = await page.evaluate(() => {
    const links = [...document.querySelectorAll(".graph-all .link")].map((line) => Number(line.getAttribute("stroke-width")));
    return { most: Math.max(...links), least: Math.min(...links), different: new Set(links).size };
  });
  const lines = await page.locator(".graph-all .link-lines").allInnerTexts().catch(() => []);
  check(new Set(lines).size < 2 || wide.different === new Set(lines).size, `${theme}: ${new Set(lines).size} numbers of lines are drawn in ${wide.different} widths`);
  const names = await page.locator(".cluster-members a").evaluateAll((links) => links.map((link) => link.title));
  const buffer = Buffer.from(`\ufeffname;group\n${names.map((name, at) => `"${name.replaceAll('"', '""')}";${at % 2 ? "odd" : "even"}`).join("\n")}\n`);
  await page.setInputFiles(".file-button input", { name: "sections.csv", mimeType: "text/csv", buffer });
  await page.waitForSelector(".sections-legend li").catch(() => check(false, `${theme}: a table gives no sections`));
  await page.selectOption(".sections-bar select", "between");
  await page.waitForTimeout(200);
  await shot("network-sections");
  await see("#/groups", ".matrix .dot");
  await page.selectOption(".sections-bar select", "within");
  await page.waitForTimeout(50);
  await shot("groups-sections");
  await page.locator(".sections-bar button").click();
  await see("#/network?by=files", ".graph circle, .notice");
  await page.waitForTimeout(300);
  await shot("network-files");
  const link = page.locator(".cluster-links a").first();
  if (await link.count()) {
    await link.click();
    await page.waitForSelector(".rows .row").catch(() => check(false, `${theme}: a link of the network leads to no findings`));
  }
}

/** The views of an audit, each of which has to say what it is there for. */
async function lookAtAudit({ page, theme, see, shot }) {
  const says = async (selector, what) => check((await page.locator(selector).first().innerText()).trim() !== "", `${theme}: ${what} says nothing`);
  await see("#/overview", ".license-table tbody tr");
  await says(".disclaimer", "the disclaimer");
  await says(".outcome h1", "the first line");
  const [first, figures] = [await page.locator(".overview > *:not(.partial)").first().getAttribute("class"), await page.locator(".figure").allInnerTexts()];
  check(first === "outcome" && !figures.some((figure) => /duplicat/i.test(figure)), `${theme}: the audit opens with ${first}: ${figures}`);
  const counted = /in ([\d,]+) of ([\d,]+) audited/.exec(await page.locator(".outcome p").innerText());
  check(counted && Number(counted[1].replaceAll(",", "")) <= Number(counted[2].replaceAll(",", "")), `${theme}: ${counted?.[0]}`);
  await page.locator(".verdict-figures a.figure").filter({ hasNotText: /^0\n/ }).first().click();
  await page.waitForSelector(".findings .cell-verdict .verdict").catch(() => check(false, `${theme}: a verdict leads to no findings`));
  check((await page.locator("select[aria-label=Verdict]").inputValue()) !== "", `${theme}: a verdict's link asks for none`);
  await page.waitForSelector(".verdict-detail li, .verdict-detail p + p").catch(() => check(false, `${theme}: no reason is given`));
  await page.waitForTimeout(400);
  await shot("audit-findings");
  const verdict = await page.locator(".row[aria-selected=true] .verdict").innerText();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".evidence .verdict");
  check((await page.locator(".evidence > summary .verdict").innerText()) === verdict, `${theme}: a finding is opened with another verdict`);
  await page.waitForSelector(".evidence .fact dd, .evidence .layers li").catch(() => check(false, `${theme}: no evidence is shown`));
  check((await page.locator(".evidence-side").count()) === 2, `${theme}: not both sides have evidence`);
  await shot("audit-compare");
  await page.setViewportSize({ width: 480, height: 800 });
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme}: a comparison is wider than a narrow window`);
  await shot("audit-compare-narrow");
  await page.setViewportSize({ width: 1360, height: 820 });
  await page.locator(".evidence > summary").click();
  await page.waitForSelector(".evidence-body", { state: "detached", timeout: 5_000 }).catch(() => check(false, `${theme}: the evidence does not close`));
  await page.locator(".evidence > summary").click();
  await see("#/timeline", ".timeline .card, .notice");
  await shot("timeline");
  const finding = page.locator(".timeline td a").first();
  if (await finding.count()) {
    await finding.click();
    await page.waitForSelector(".timeline-chart .ring").catch(() => check(false, `${theme}: the timeline marks no earliest`));
    check((await page.locator(".timeline .table-box tbody tr").count()) > 0, `${theme}: the timeline has no table`);
    await shot("timeline-one");
    await page.setViewportSize({ width: 480, height: 800 });
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme}: the timeline is wider than a narrow window`);
    await page.setViewportSize({ width: 1360, height: 820 });
  }
  const links = await page.evaluate(() => [...document.querySelectorAll("a[target]")].filter((link) => !link.href.startsWith("https://") || link.rel !== "noopener noreferrer").length);
  check(links === 0, `${theme}: a link leads out as it should not`);
  await see("#/overview", ".figures");
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-precise-memory-info"] });
for (const theme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 820 }, colorScheme: theme });
  page.on("console", (message) => check(!["error", "warning"].includes(message.type()), `${theme}: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${theme}: ${error.message}`));
  page.on("request", (request) => check(/^(file|blob|data):/.test(request.url()), `asked for ${request.url()}`));
  page.on("dialog", (dialog) => (check(false, `a dialog: ${dialog.message()}`), dialog.dismiss()));
  const shot = async (name) => {
    if (shots) await page.screenshot({ path: `${shots}/${name}-${theme}.png` });
    for (const what of await unexplained(page)) check(false, `${theme}, ${name}: “${what}” opens without a word of help`);
    for (const what of await cutWithRoom(page)) check(false, `${theme}, ${name}: cut off beside room: ${what}`);
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

  const start = performance.now();
  await page.goto(address);
  await page.waitForSelector(".figures");
  const first = performance.now() - start;
  const head = resolve(folder, "data/head.js");
  if (existsSync(head) && readFileSync(head, "utf8").includes("\"unanswered\"")) check((await page.locator(".partial").count()) === 1, `${theme}: a partial result does not say so`);
  await shot("overview");

  await see("#/findings", ".rows .row");
  const all = await page.locator("[role=status]").innerText();
  const more = page.locator(".same-lines").first();
  if (await more.count()) {
    const rows = () => page.locator("[role=grid]").getAttribute("aria-rowcount").then(Number);
    const before = await rows();
    await more.click();
    await page.waitForSelector(".row.under").catch(() => check(false, `${theme}: findings in the same lines do not open`));
    check((await rows()) > before, `${theme}: nothing more is listed`);
    await shot("findings-same-lines");
    await page.keyboard.press("o");
    await page.waitForFunction((count) => Number(document.querySelector("[role=grid]").ariaRowCount ?? document.querySelector("[role=grid]").getAttribute("aria-rowcount")) === count, before).catch(() => check(false, `${theme}: the key o does not close them`));
  }
  await page.waitForTimeout(400);
  await shot("findings");
  // How long a filter takes, from the key to the next picture.
  const filter = await page.evaluate(async () => {
    const input = document.querySelector(".search");
    const begun = performance.now();
    input.value = "a";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - begun;
  });
  await see("#/groups", ".groups-list a, .notice");
  const groups = await page.locator("#main").innerText();
  await page.click(".names");
  await page.waitForSelector(".names[aria-pressed=true]");
  await see("#/groups", ".groups-list a, .notice");
  const hidden = await page.locator("#main").innerText();
  check(hidden !== groups || !groups.includes("\t"), `${theme}: names are not hidden`);
  await shot("names-hidden");
  await see("#/network", ".graph circle, .notice");
  await shot("network-hidden");
  await page.click(".names");
  await page.waitForSelector(".names[aria-pressed=false]");
  await see("#/groups", ".groups-list a, .notice");
  await shot("groups");
  await see("#/network", ".graph circle, .notice");
  if (await page.locator(".graph").count()) await network(page, theme, check, see, shot);
  await see("#/findings?show=pairs&sort=-similarity", ".rows.pairs .row");
  await shot("pairs");
  await page.keyboard.press("/");
  check(await page.evaluate(() => document.activeElement?.className === "search"), `${theme}: / does not reach the search`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".compare .line, .missing").catch(() => check(false, `${theme}: Enter opens no comparison`));
  const compared = await page.evaluate(() => location.hash);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".findings");
  const compare = await page.evaluate(async (to) => {
    const begun = performance.now();
    location.hash = to;
    while (!document.querySelector(".panes")) await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  }, compared);
  await page.waitForTimeout(100);
  await shot("compare");
  if (isExplained) await explained(page, theme, check);
  await page.keyboard.press("?");
  await page.waitForSelector("#help:popover-open li").catch(() => check(false, `${theme}: ? shows no help`));
  await page.keyboard.press("Escape");
  check((await page.locator("#help:popover-open").count()) === 0 && (await page.locator(".panes, .missing").count()) > 0, `${theme}: Escape does not only close the help`);
  if (await page.locator(".decide").count()) {
    // A decision with a hostile comment: shown as text, kept when the page is opened again, and given away as a file.
    await page.fill(".decide-comment", "<img src=x onerror=alert(1)>");
    await page.click(".decide button.mark-needs-action");
    await page.waitForSelector(".decide .mark-needs-action[aria-pressed=true]").catch(() => check(false, `${theme}: nothing is decided`));
    await shot("decide");
    await page.reload();
    await page.waitForSelector(".decide .mark-needs-action[aria-pressed=true]").catch(() => check(false, `${theme}: a decision is forgotten`));
    await see("#/decisions", ".decisions-list .mark-needs-action");
    check((await page.locator(".decisions-list .comment").first().innerText()).includes("<img"), `${theme}: a comment is no text`);
    await shot("decisions");
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".decisions-bar button").first().click()]);
    const saved = JSON.parse(readFileSync(await file.path(), "utf8"));
    check(saved.schema === "familiar.decisions/1" && saved.decisions.length > 0, `${theme}: the file holds no decisions`);
    await see("#/findings?decision=needs-action", ".rows .row:not(.headers) .mark-needs-action");
    await see(compared, ".decide .mark-needs-action");
    await page.keyboard.press("u");
    await page.waitForSelector(".decide button.mark-needs-action[aria-pressed=false]").catch(() => check(false, `${theme}: a decision is not taken back`));
  }
  await page.locator(".side-head a").first().click();
  await page.waitForSelector(".source .line, .missing").catch(() => check(false, `${theme}: no source`));
  await shot("source");
  await see("#/map", ".cell");
  await shot("map");
  await see("#/compare/999999999/x", ".notice");
  if (await page.getByRole("link", { name: "Timeline", exact: true }).count()) await lookAtAudit({ page, theme, see, shot });
  await page.setViewportSize({ width: 480, height: 800 });
  await see("#/overview", ".figures");
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme}: the overview is wider than a narrow window`);
  await shot("overview-narrow");
  await see("#/network", ".graph circle, .notice");
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme}: the network is wider than a narrow window`);
  await shot("network-narrow");
  const memory = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6);
  const round = (value) => Math.round(value);
  console.log(`${theme}: ${all}; first view ${round(first)} ms, filter ${round(filter)} ms, compare ${round(compare)} ms, heap ${round(memory)} MB`);
  await page.close();
}
await browser.close();
for (const fault of new Set(faults)) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
