// Three people judge the pairs of a benchmark at once in Chromium, by keys, while their server is killed and started again.
//
//   npm run judged -- PROGRAM FOLDER [SCREENSHOTS]
//
// FOLDER is what judged.sh made. CHROMIUM says where the browser is. Exits with 1 where a judgement is lost that the page has confirmed, a
// judge cannot go on, a script of a pair runs, the console complains or axe finds something serious.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { unexplained } from "./pages.mjs";

const [program, folder, shots] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const faults = [];
const check = (holds, what) => holds || faults.push(what);
if (shots) mkdirSync(shots, { recursive: true });

/** Starts the server, and waits until it says where it listens; new judges get their tokens. */
const start = (listen) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, ["benchmark", "judge", "b", "--quiet", "--listen", listen], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.on("exit", () => reject(new Error(`the server ends: ${said}`)));
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const address = said.match(/listening on http:\/\/(.*)\n/)?.[1];
      if (address) resolve({ child, address, tokens: Object.fromEntries([...said.matchAll(/^(\w+)\t(.*)$/gm)].map(([, name, token]) => [name, token])) });
    });
  });

/** Ends the server as a power cut would. */
const kill = ({ child }) =>
  new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.on("exit", resolve);
    child.kill("SIGKILL");
  });

let server = await start("127.0.0.1:0");
process.on("exit", () => server.child.kill("SIGKILL"));
const { address, tokens } = server;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let confirmed = 0;

/** A judge with a browser of their own, who has not signed in. */
async function judge(name, theme, verdicts) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme });
  const page = await context.newPage();
  const bad = (what) => check(false, `${name}, ${theme}: ${what}`);
  page.on("console", (message) => {
    // What the server refuses or does not answer while it is away is told by the page.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource")) bad(message.text());
  });
  page.on("pageerror", (error) => bad(error.message));
  page.on("dialog", (dialog) => (bad(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => request.url().startsWith(`http://${address}`) || bad(`asked for ${request.url()}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  /** All that the page has confirmed: a pair with its verdict and comment, or without a verdict where it was taken back. */
  const kept = [];
  page.on("response", async (response) => {
    if (response.request().method() !== "POST" || !response.ok()) return;
    const sent = response.request().postDataJSON();
    const answer = await response.json().catch(() => undefined);
    if (response.url().endsWith("/api/undo") && answer) kept.push({ pair_id: answer.pair.pair_id });
    if (response.url().endsWith("/api/judgements") && answer) {
      kept.push({ pair_id: answer.outcome.pair_id, verdict: answer.outcome.verdict, comment: sent.said.comment, label: sent.said.label });
      confirmed += 1;
    }
  });
  const see = (selector) => page.waitForSelector(selector, { timeout: 20_000 }).catch(() => bad(`no ${selector}`));
  const shot = async (view) => {
    if (shots) await page.screenshot({ path: `${shots}/judging-${view}-${theme}.png` });
    await page.evaluate(axe);
    for (const what of await unexplained(page)) bad(`${view}: “${what}” opens without a word of help`);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    for (const { id, impact, nodes } of violations) {
      if (["serious", "critical"].includes(impact)) bad(`${view}: ${impact} ${id} at ${nodes[0].target} (${nodes.length})`);
    }
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (await wide()) bad(`${view} is wider than the window`);
    await page.setViewportSize({ width: 480, height: 800 });
    if (await wide()) bad(`${view} is wider than a narrow window`);
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  /** Presses a key, and waits for what the page says of it. False where the server was away. */
  const press = async (key) => {
    const before = kept.length;
    await page.keyboard.press(key);
    const answered = () => kept.length > before;
    for (let waited = 0; waited < 200 && !answered(); waited += 1) {
      if ((await page.locator("#message").innerText()).includes("does not answer")) return false;
      await page.waitForTimeout(50);
    }
    if (!answered()) bad(`nothing answers ${key}: ${await page.locator("#message").innerText()}`);
    // The next pair is shown when the page has read the answer.
    await page.waitForTimeout(30);
    return answered();
  };
  await page.goto(`http://${address}`);
  await see("#token:focus");
  return { name, theme, verdicts, page, kept, bad, see, shot, press };
}

/** Signs in by keys. */
async function enter({ page, name, see, shot }) {
  await page.keyboard.type("fam_wrong");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#message").textContent.includes("no judge"));
  await shot("sign-in");
  await page.locator("#token").fill(tokens[name]);
  await page.keyboard.press("Enter");
  await see("#work:not([hidden]) #code1 span");
}

/** Judges until no pair is left: with a comment at times, and one judgement that is taken back. */
async function work({ name, verdicts, page, kept, bad, shot, press }) {
  let shown = false;
  for (let step = 0; await page.locator("#work").isVisible(); step += 1) {
    if (step > 60) return bad("the work does not end");
    if (step % 3 === 1) {
      await page.keyboard.press("c");
      await page.keyboard.type(` of ${name}: "t", f </b>`);
      await page.keyboard.press("Escape");
    }
    if (step === 2) await page.keyboard.press("2");
    if (step === 4) {
      await page.locator("#last summary").click();
      await shot("pair");
    }
    if (!shown && (await page.locator("#others p").count()) > 0) {
      shown = true;
      await shot("others");
    }
    const done = await press(verdicts[step % verdicts.length]);
    if (!done) await page.waitForTimeout(200);
    if (done && step === 5) await press("z");
  }
  check(await page.locator("#done").isVisible(), `${name}: nothing says that no pair is left`);
  check(new Set(kept.map((one) => one.pair_id)).size === 14, `${name} has judged ${new Set(kept.map((one) => one.pair_id)).size} pairs`);
  check((await page.locator("#progress").innerText()).startsWith(`${name}: 14 judged, 0 waiting`), `${name}: ${await page.locator("#progress").innerText()}`);
  await shot("done");
}

const judges = [await judge("ada", "light", "ttfu"), await judge("bob", "dark", "tftu"), await judge("eve", "light", "tttf")];
for (const one of judges) await enter(one);
const interrupted = (async () => {
  for (let times = 1; times <= 3; times += 1) {
    while (confirmed < 9 * times) await new Promise((resolve) => setTimeout(resolve, 5));
    await kill(server);
    await new Promise((resolve) => setTimeout(resolve, 300));
    server = await start(address);
    check(Object.keys(server.tokens).length === 0, "judges get new tokens");
  }
})();
await Promise.all([...judges.map(work), interrupted]);
await kill(server);
await browser.close();

check(judges.every(({ kept }) => kept.some((one) => one.label === "edited <i>")), "a key gives no label");
const rows = readFileSync(`${folder}/b/judgements.jsonl`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
for (const { name, kept } of judges) {
  const said = rows.filter((row) => row.judge === name);
  const is = (one) => (row) => row.pair_id === one.pair_id && row.verdict === one.verdict && (row.comment ?? "") === (one.comment ?? "") && row.label === one.label;
  for (const one of kept) check(said.some(is(one)), `${name} lost ${JSON.stringify(one)}`);
  for (const pair of new Set(kept.map((one) => one.pair_id))) {
    const [last, there] = [kept, said].map((all) => all.filter((one) => one.pair_id === pair).at(-1));
    check(there?.verdict === last.verdict, `${name} said ${last.verdict} of ${pair} last, and ${there?.verdict} counts`);
  }
}
for (const fault of new Set(faults)) console.error(fault);
console.log(faults.length === 0 ? `judging: as it should be, with ${confirmed} judgements of three people` : `${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
