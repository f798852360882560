// Walks through the page of a server in Chromium: sign in, check code, upload, compare, open the report, corpora.
//
//   npm run service -- [URL] [SCREENSHOTS]
//
// Without a URL it starts a server of its own that answers with hostile names (mock.mjs). With one it takes the same way there, with the
// token in FAMILIAR_TOKEN if the server wants one, and leaves a result behind. CHROMIUM says where the browser is. Exits with 1 where a
// view shows nothing, the console complains, something breaks the page's policy or a page cannot be read by everyone.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { mock, TOKEN } from "./mock.mjs";
import { unexplained } from "./pages.mjs";

const rest = process.argv.slice(2);
const url = rest[0]?.startsWith("http") ? rest.shift().replace(/\/$/, "") : undefined;
const [shots] = rest;
const assets = new URL("../../crates/service/assets", import.meta.url).pathname;
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const faults = [];
const check = (holds, what) => {
  if (!holds) faults.push(what);
};
if (shots) mkdirSync(shots, { recursive: true });

const CODE = `def moving_average(values, width):
    """The mean of each window of that many values."""
    if width < 1:
        raise ValueError("width must be positive")
    total = 0.0
    averages = []
    for at, value in enumerate(values):
        total += value
        if at >= width:
            total -= values[at - width]
        if at >= width - 1:
            averages.append(total / width)
    return averages


def clamp(value, low, high):
    if low > high:
        raise ValueError("low must not be above high")
    return max(low, min(high, value))
`;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** A page that complains about everything that it should not do; `allowed` are addresses that may answer with an error. */
async function open(theme, name, allowed = []) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  const bad = (what) => check(false, `${theme}, ${name}: ${what}`);
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    if (allowed.some((part) => message.location().url.includes(part))) return;
    bad(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => bad(error.message));
  page.on("dialog", (dialog) => (bad(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  const see = (selector, what = selector) => page.waitForSelector(selector, { timeout: 20_000 }).catch(() => bad(`no ${what}`));
  const shot = async (view) => {
    // What moves stands still in a picture.
    await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => {}))));
    if (shots) await page.screenshot({ path: `${shots}/${name}-${view}-${theme}.png` });
    // The page's policy lets nobody put a script into it; the browser's own tools may.
    await page.evaluate(axe);
    for (const what of await unexplained(page)) bad(`${view}: “${what}” opens without a word of help`);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    for (const { id, impact, nodes } of violations) {
      if (["serious", "critical"].includes(impact)) bad(`${view}: ${impact} ${id} at ${nodes[0].target} (${nodes.length})`);
    }
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme}, ${name}: ${view} is wider than the window`);
  };
  const go = (hash) => page.evaluate((to) => void (location.hash = to), hash);
  return { page, see, shot, go, bad, close: () => context.close() };
}

/** Signs in where the server wants it. */
async function enter({ page, see, shot, bad }, address, token) {
  await page.goto(address);
  await see(".signin, #main", "page");
  if (!(await page.locator(".signin").count())) return;
  if (!token) return bad("the server wants a token: set FAMILIAR_TOKEN");
  await page.keyboard.type("fam_wrong");
  await page.keyboard.press("Enter");
  await see(".signin .alert");
  await shot("signin");
  await page.locator(".signin input").fill(token);
  await page.keyboard.press("Enter");
  await see("#main");
}

/** The way that everybody takes: files, a job, a report. */
async function compare({ page, see, shot, go, bad }) {
  await go("#/compare");
  await see(".drop");
  await shot("compare-empty");
  const file = (name, text) => ({ name, mimeType: "text/x-python", buffer: Buffer.from(text) });
  await page.locator(".choose-files").setInputFiles([file("first.py", CODE), file("second.py", CODE.replaceAll("averages", "means").replaceAll("value", "item"))]);
  await page.waitForFunction(() => document.querySelectorAll(".items:not(.earlier) .good").length === 2, null, { timeout: 20_000 }).catch(() => bad("the files do not arrive"));
  await page.locator(".options summary").click();
  await page.getByLabel("Minimum tokens").fill("30");
  await page.getByLabel("Minimum tokens").blur();
  await shot("compare");
  await page.locator(".compare-start button.primary").click();
  await see(".job");
  await shot("job");
  await see(".job .button.primary", "report");
  await see(".job .figure", "figures of the result");
  check((await page.locator(".job h2").first().innerText()) === "The comparison is done", "the job is not done");
  await shot("job-done");
  await page.locator(".job .menu-button").click();
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 20_000 }), page.getByRole("link", { name: "JSON", exact: true }).click()]).catch(() => [bad("no download")]);
  if (download) check((await download.failure()) === null, "the download fails");
  const job = page.url();
  if (url && (await page.evaluate(async () => (await fetch("/api/v1/corpora")).json())).corpora.length > 0) {
    // The same files, audited.
    await go("#/compare");
    await see(".compare-start button.primary:enabled", "the files, still there");
    await see(".against input[type=checkbox]", "corpora, those of the peer too");
    for (const corpus of await page.locator(".against input[type=checkbox]").all()) await corpus.check();
    await page.locator(".compare-start input").fill("MIT");
    await shot("compare-audit");
    await page.locator(".compare-start button:not(.primary, .read-licenses)").click();
    await see(".job .button.primary", "the audit's report");
    await see(".job .verdict-figures .figure", "verdicts of the audit");
    check((await page.locator("h1").innerText()) === "first.py, second.py", "the title of an audit is not what was uploaded");
    await shot("job-audit");
    check((await page.locator(".partial").count()) === 0, "a server took no part");
    await page.locator(".job .button.primary").click();
    await see(".verdict-figures", "verdicts in the audit's report");
    await see(".outcome h1", "what the audit comes to");
    await shot("audit-report");
    await page.goto(job);
    await see(".job .button.primary", "report");
  }
  if (url) await licenses({ page, see, shot, go, job });
  await page.locator(".job .button.primary").click();
  await page.waitForURL(/\/reports\/.+\/index\.html/, { timeout: 20_000 }).catch(() => bad("the report does not open"));
  check(/Familiar report/.test(await page.title()), "the report is not one");
  if (url) {
    await see(".figures", "figures in the report");
    await decide({ page, see, shot, bad });
  }
  await page.goto(job);
  await see(".job");
}

/** The licenses of the same files, a job and a report for each upload. */
async function licenses({ page, see, shot, go, job }) {
  const before = (await page.evaluate(async () => (await fetch("/api/v1/results?limit=50")).json())).results.filter(({ kind }) => kind === "licenses").length;
  await go("#/compare");
  await see(".read-licenses:disabled", "a button without files");
  await page.locator("details:has(.earlier) > summary").click();
  for (const at of [0, 1]) await page.locator(".earlier li").nth(at).locator("button").first().click();
  await see(".read-licenses:enabled", "a button that reads licenses");
  await shot("compare-licenses");
  await page.locator(".read-licenses").click();
  await page.waitForURL(/#\/results/);
  await page.waitForFunction((least) => [...document.querySelectorAll("th a")].filter((link) => link.closest("tr").innerText.includes("Licenses")).length === least, before + 2, { timeout: 20_000 });
  await shot("results-licenses");
  await page.locator("tr", { hasText: "Licenses" }).locator("th a").first().click();
  await see(".licenses .figures", "the report of licenses");
  await page.goto(job);
  await see(".job .button.primary", "report");
}

/** Decides beside the code; the server keeps it and gives it away. */
async function decide({ page, see, shot, bad }) {
  await page.evaluate(() => (location.hash = "#/findings"));
  await see(".rows .row");
  await page.keyboard.press("Enter");
  await see(".decide button:enabled", "buttons to decide");
  await page.fill(".decide-comment", "<b>ours</b>");
  await page.click(".decide button.mark-accepted");
  await see(".decide .mark-accepted[aria-pressed=true]", "the decision");
  await shot("decide");
  await page.reload();
  await see(".decide .mark-accepted[aria-pressed=true]", "the decision after a reload");
  const kept = await page.evaluate(async () => (await fetch("/api/v1/decisions")).json());
  check(kept.total === 1 && kept.decisions[0].comment === "<b>ours</b>" && kept.decisions[0].decision === "accepted", `the server keeps ${JSON.stringify(kept)}`);
  const policy = await page.evaluate(async () => (await fetch("/api/v1/decisions/files/policy")).text());
  check(policy.includes("[[audit.accepted]]"), "there is no policy");
  await page.keyboard.press("u");
  await page.waitForSelector(".decide button.mark-accepted[aria-pressed=false]").catch(() => bad("the decision is not taken back"));
}

async function find({ page, see, shot, go, bad }) {
  await go("#/check");
  await see(".editor textarea, .empty");
  if (!(await page.locator(".editor").count())) return;
  await shot("check-empty");
  await page.locator(".editor textarea").fill(CODE);
  await page.keyboard.press("Control+Enter");
  await see(".hit, .answer .empty h2");
  await page.waitForSelector(".answer[aria-busy=false]");
  if (await page.locator(".hit").count()) {
    await see(".there .there-line", "the matching lines, at once");
    // The first line that is shown there is the line that the place names.
    const [place, line] = [await page.locator(".hit-title .line-number").first().innerText(), await page.locator(".there .gutter").first().innerText()];
    check(place === `:${line}`, `the place names line ${place}, the lines begin at ${line}`);
    await page.locator(".hit").first().hover();
    await see(".mark.strong");
    await page.locator(".check .license").fill("MIT");
    await see(".hit .verdict", "a verdict on what was found");
    await page.waitForTimeout(500);
  }
  await shot("check");
}

/** From pasted code to the audit of it. */
async function auditPasted({ page, see, shot, go, bad }) {
  await go("#/check");
  await page.locator(".editor textarea").press("Control+Enter");
  await see(".hit, .answer .empty h2");
  await page.waitForSelector(".answer[aria-busy=false]");
  // A server may hold nothing like the pasted code: then nothing leads to an audit.
  if (!(await page.locator(".hit").count())) return;
  if (!(await page.locator(".next button").count())) return bad("no way from what was found to an audit");
  await page.locator(".next button").click();
  await see(".job .verdict-figures", "the verdicts of pasted code");
  check((await page.locator("h1").innerText()).startsWith("pasted-code."), "an audit of pasted code is called something else");
  await shot("job-pasted");
}



async function look({ page, see, shot, go }) {
  await go("#/results");
  await see(".list tbody tr, .empty");
  await shot("results");
  await go("#/corpora");
  await see(".list tbody tr, .empty");
  await shot("corpora");
  const first = page.locator(".list tbody a").first();
  if (!(await first.count())) return;
  await first.click();
  await see(".page .figures");
  await page.locator(".help-button").click();
  await see("#help:popover-open li", "help");
  await page.keyboard.press("Escape");
  await shot("corpus");
}

/** Views in a narrow window. */
async function narrow({ page, see, shot, go }) {
  await page.setViewportSize({ width: 480, height: 800 });
  for (const [hash, selector] of [["check", ".editor, .empty"], ["compare", ".drop"], ["results", ".list, .empty"], ["corpora", ".list, .empty"]]) {
    await go(`#/${hash}`);
    await see(selector);
    await shot(`narrow-${hash}`);
  }
}

/** What only a server can show that says what we want. */
async function hostile(at, server) {
  const { page, see, shot, go, bad } = at;
  page.setDefaultTimeout(10_000);
  const has = async (selector, what) => check((await page.locator(selector).count()) > 0, what);
  const text = (selector) => page.locator(selector).first().innerText();

  await find(at);
  check((await page.locator(".hit").count()) === 3 && (await text(".answer-head")).includes("31 more"), "not all that was found is told");
  check((await page.locator(".hit a[target=_blank]").count()) === 1, "a link that is not safe can be followed");
  check((await text(".hits")).includes("safe\\u{202e}gpj.exe"), "a character that turns text is not shown");
  await page.locator(".hit .stretch").nth(1).click();
  await see(".there-line");
  check((await text(".there")).includes("<img src=x") && (await text(".there")).includes("safe\\u{202e}gpj.exe"), "lines that match are not shown as they are");
  check((await page.locator(".there .gutter").first().innerText()) === "277", "lines there have other numbers");
  await page.locator(".hit .quiet.link").first().click();
  await page.locator(".hit details:not(.hit-verdicts details) > summary").first().click();
  await page.locator(".check .license").fill("mine");
  await see(".answer .alert", "that a license is none");
  await page.locator(".check .license").fill("MIT");
  await page.locator(".hit-verdicts summary").first().click();
  await see(".hit-verdicts .bullets li");
  await page.locator(".stretch").nth(1).focus();
  await see(".mark.strong");
  await shot("check-more");
  await page.locator(".editor textarea").fill("nothing like it");
  await see(".answer-head.old");
  check((await page.locator(".mark").count()) === 0, "lines of other code are marked");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await see(".answer .empty");
  await shot("check-nothing");
  await page.locator(".editor textarea").fill("too large");
  await page.keyboard.press("Control+Enter");
  await see(".answer .alert");
  check((await text(".answer .alert")).includes("<img src=x"), "an error is not told as it is");
  await page.locator(".editor textarea").fill(CODE);

  // Where the keyboard is, and what is read aloud.
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "a.py"));
    document.querySelector(".editor").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, `${CODE}# dropped`);
  await page.waitForFunction(() => document.querySelector("textarea").value.endsWith("# dropped"));
  await page.locator(".top nav a").nth(2).focus();
  await page.keyboard.press("Enter");
  await see(".list");
  check(await page.evaluate(() => document.activeElement?.id === "main"), "another view does not get the keyboard");
  check((await page.title()).startsWith("Results"), "the title does not say which view it is");
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForFunction(() => location.hash.includes("from=50"));
  await page.waitForFunction(() => document.querySelectorAll(".list tbody tr").length < 20).catch(() => bad("no second page of results"));
  await go("#/results");
  await page.waitForFunction(() => document.querySelectorAll(".list tbody tr").length === 50);
  const rows = await text(".list tbody tr:first-child");
  await page.locator(".menu-button").last().click();
  await page.waitForFunction(() => {
    const menu = document.querySelector(".menu:popover-open")?.getBoundingClientRect();
    return menu && menu.top >= 0 && menu.bottom <= innerHeight && menu.right <= innerWidth;
  }).catch(() => bad("the menu of formats does not fit"));
  await shot("downloads");
  await page.keyboard.press("Escape");
  await page.locator("#main").evaluate((main) => (main.scrollTop = 0));
  await page.locator(".list tbody tr .row-actions > button:not(.menu-button)").first().click();
  await see("dialog[open]");
  await shot("delete");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  check(await page.evaluate(() => document.activeElement?.textContent === "Delete"), "the keyboard does not go back to where it was");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete", exact: true }).last().click();
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction((before) => document.querySelector(".list tbody tr")?.innerText !== before, rows).catch(() => bad("the result is still there"));

  // A failed upload, one taken from before, something handed out, a folder; a job that must be asked for.
  await go("#/compare");
  await see(".drop");
  const file = (name) => ({ name, mimeType: "application/zip", buffer: Buffer.alloc(300_000) });
  await page.locator(".choose-files").setInputFiles([file("refused<b>.zip"), file("template.zip")]);
  await see(".items p.bad");
  await page.waitForFunction(() => document.querySelectorAll(".items:not(.earlier) .good").length === 1);
  const folder = mkdtempSync(join(tmpdir(), "familiar-folder-"));
  mkdirSync(join(folder, "ann/.git"), { recursive: true });
  writeFileSync(join(folder, "ann/a.py"), CODE);
  writeFileSync(join(folder, "ann/.git/config"), "");
  await page.locator(".choose-folder").setInputFiles(folder);
  await page.waitForFunction(() => document.querySelectorAll(".items:not(.earlier) .good").length === 2);
  rmSync(folder, { recursive: true });
  const sent = server.uploaded.at(-1);
  check(/^familiar-folder-.*\.tar$/.test(sent.name) && sent.body.toString("latin1").startsWith("ann/a.py\0") && sent.bytes === 512 + 1024 + 1024, `a folder is sent as ${sent.name}, ${sent.bytes} bytes`);
  check(await page.locator(".compare-start button.primary").isDisabled(), "it starts without a file that failed");
  await page.locator(".items:not(.earlier) select").nth(1).selectOption("base");
  await page.locator("details:has(.earlier) > summary").click();
  await page.locator(".earlier button").first().click();
  await page.locator("input[name=layout]").last().click();
  await page.getByLabel("homework", { exact: true }).click();
  await shot("compare-full");
  await page.locator(".items li:has(p.bad) button", { hasText: "Remove" }).click();
  await page.locator(".options summary").click();
  await page.getByLabel("Minimum tokens").fill("99");
  await page.locator(".compare-start button.primary").click();
  await see(".job");
  await see(".job .progress[aria-valuenow]", "progress by asking");
  await shot("job-running");
  const asked = server.asked.at(-1);
  check(asked.uploads.length === 2 && asked.base.length === 1 && asked.corpora[0] === "homework", `asked for ${JSON.stringify(asked)}`);
  check(asked.layout === "submissions" && asked.between_projects && asked.min_tokens === 99, "options are not asked for");
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await see("dialog[open]");
  await page.locator("dialog .primary").click();
  await page.waitForFunction(() => document.querySelector(".job h2")?.textContent === "The job was cancelled");
  await go("#/jobs/nobody");
  await see(".empty");

  // Corpora: one that cannot be read, sources, what was left out.
  await go("#/corpora");
  await see(".list .bad");
  await page.getByRole("link", { name: "<img" }).click();
  await see(".page .figures");
  check((await text("h1")) === "<img src=x onerror=alert(1)>", "a name is not shown as it is");
  check((await page.locator(".list tbody tr", { hasText: "urllib3" }).count()) === 1, "versions of a package are several rows");
  await page.locator(".versions").click();
  check((await page.locator(".list tr.version th").allInnerTexts()).join(" ") === "2.31.0 2.28.2 2.9.0", "a package does not open to its versions");
  await shot("corpus-versions");
  await page.getByRole("searchbox").fill("project-1999");
  await page.waitForFunction(() => document.querySelectorAll(".project-row").length === 1);
  await page.getByText("Show the list").click();
  await see(".pager");
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForFunction(() => document.querySelector(".pager")?.textContent.includes("101–200"));
  await shot("corpus-skips");
  await page.getByRole("button", { name: "Add sources" }).click();
  await see("dialog[open] textarea");
  await page.locator("dialog .primary").click();
  await see("dialog .alert");
  await page.locator("dialog textarea").fill("git:https://gone.example/x.git\n\npypi:numpy");
  await shot("add");
  await page.locator("dialog .primary").click();
  await see(".job .job-error");
  check((await text(".job-error")).includes("<img src=x"), "why a job failed is not told as it is");
  await shot("job-failed");
  await go("#/results");
  await see(".jobs li");
  await shot("results-jobs");
  await go("#/constructor");
  await see(".empty");
  check(!(await page.evaluate(() => document.querySelector("img, iframe"))), "markup from the server is in the page");
  check((await page.locator("script").count()) === 1, "a script from the server is in the page");
  await has(".empty a", "no way on from a view that is not there");

  // The server forgets who is there.
  await page.context().clearCookies();
  await go("#/corpora");
  await see(".signin");
  await page.locator(".signin input").fill(TOKEN);
  await page.keyboard.press("Enter");
  await see(".list", "the view that was asked for");
  await page.getByRole("button", { name: "Sign out" }).click();
  await see(".signin");
}

for (const theme of ["light", "dark"]) {
  const server = url ? undefined : await mock({ assets });
  const address = url ?? server.address;
  const main = await open(theme, "main", ["/api/v1/session", ...(url ? [] : ["/api/v1/"])]);
  try {
    await enter(main, address, url ? process.env.FAMILIAR_TOKEN : TOKEN);
    await find(main);
    await auditPasted(main);
    await compare(main);
    await look(main);
    if (server) await hostile(main, server);
    if (server) await enter(main, address, TOKEN);
    await narrow(main);
  } catch (error) {
    main.bad(error.message);
    if (shots) await main.page.screenshot({ path: `${shots}/fault-${theme}.png` });
  }
  await main.close();
  faults.push(...(server?.faults ?? []));
  server?.close();
  if (url) continue;

  // Nothing there yet; and somebody who may only read.
  const bare = await mock({ assets, open: true, empty: true });
  const empty = await open(theme, "empty");
  await enter(empty, bare.address);
  for (const view of ["check", "results", "corpora"]) {
    await empty.go(`#/${view}`);
    await empty.see(".empty");
    await empty.shot(view);
  }
  await empty.close();
  faults.push(...bare.faults);
  bare.close();
  const shy = await mock({ assets, open: true, scopes: ["read"], read_only: true });
  const reader = await open(theme, "reader");
  await enter(reader, shy.address);
  await reader.go("#/compare");
  await reader.see(".empty");
  await look(reader);
  check((await reader.page.getByRole("button", { name: /Delete|Add|Update|Remove/ }).count()) === 0, "a reader is offered what they may not do");
  await reader.close();
  faults.push(...shy.faults);
  shy.close();
}
await browser.close();
for (const fault of new Set(faults)) console.error(fault);
console.log(faults.length === 0 ? "all views hold" : `${new Set(faults).size} faults`);
process.exit(faults.length > 0 ? 1 : 0);
