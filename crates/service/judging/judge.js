// The page of judges. Texts of pairs become text nodes, and nothing else.
"use strict";

const at = (id) => document.getElementById(id);
let pair = null;
let skipped = [];
let busy = false;
// How long the pair has been looked at: only time counts in which the page is shown.
let looked = 0;
let since = null;

function watch(on) {
  if (since !== null) looked += performance.now() - since;
  since = on ? performance.now() : null;
}
document.addEventListener("visibilitychange", () => watch(document.visibilityState === "visible" && pair !== null));

function element(name, text, className) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function away() {
  throw new Error("The server does not answer. Nothing is lost; try again in a moment.");
}

async function ask(path, body, method = "POST") {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options).catch(away);
  if (answer.status === 204) return null;
  const value = await answer.json().catch(away);
  if (!answer.ok) {
    const error = new Error(value.detail || "the server has no answer");
    error.status = answer.status;
    throw error;
  }
  return value;
}

function code(into, pieces) {
  into.replaceChildren(...pieces.map(([kind, text]) => (kind ? element("span", text, kind) : document.createTextNode(text))));
  into.scrollTop = 0;
}

function tests(report) {
  if (report === null || report === undefined) return [];
  const box = element("details");
  const head = element("summary", "Tests say: " + (report.verdict === undefined ? "see the report" : String(report.verdict)));
  head.title = "Show all that the tests say";
  box.append(head);
  box.append(element("pre", JSON.stringify(report, null, 2)));
  return [box];
}

function showProgress(progress) {
  const hours = (progress.seconds / 3600).toFixed(1);
  at("progress").textContent = `${progress.judge}: ${progress.judged} judged, ${progress.waiting} waiting, ` +
    `${hours} hours, ${Math.round(progress.per_hour)} an hour`;
  const labels = progress.labels;
  at("label").hidden = at("label-of").hidden = labels.length === 0;
  if (at("label").options.length !== labels.length + 1) {
    at("label").replaceChildren(...["", ...labels].map((name, index) =>
      element("option", index === 0 ? "none" : index < 10 ? `${index}: ${name}` : name)));
    [...at("label").options].forEach((option, index) => { option.value = ["", ...labels][index]; });
  }
}

function show(next) {
  pair = next;
  looked = 0;
  since = null;
  watch(pair !== null && document.visibilityState === "visible");
  at("work").hidden = pair === null;
  at("done").hidden = pair !== null || skipped.length > 0;
  if (pair === null) return;
  const round = { first: "", second: " · second round", panel: " · for the panel" }[pair.round];
  at("specification").textContent = pair.specification || "";
  at("heading1").textContent = pair.headings[0] + round;
  at("heading2").textContent = pair.headings[1];
  code(at("code1"), pair.sides[0]);
  code(at("code2"), pair.sides[1]);
  at("others").replaceChildren(...pair.others.map((said) =>
    element("p", `${said.judge} says ${said.verdict}${said.comment ? ": " + said.comment : ""}`)));
  at("tests").replaceChildren(...tests(pair.tests));
  at("comment").value = pair.own ? pair.own.comment || "" : "";
  at("label").value = pair.own ? pair.own.label || "" : "";
}

function last(outcome) {
  at("last").hidden = false;
  at("last").replaceChildren(element("p", `Your last judgement: ${outcome.verdict}.`), ...tests(outcome.tests));
}

async function act(work) {
  if (busy) return;
  busy = true;
  at("message").textContent = "";
  try {
    await work();
  } catch (error) {
    if (error.status === 401) signedOut();
    at("message").textContent = error.message;
  } finally {
    busy = false;
  }
}

const judge = (verdict) => act(async () => {
  if (pair === null) return;
  const shown = document.visibilityState === "visible";
  watch(shown);
  const said = { pair_id: pair.pair_id, verdict, comment: at("comment").value, seconds: looked / 1000 };
  if (at("label").value) said.label = at("label").value;
  const answer = await ask("/api/judgements", { said, skipped });
  last(answer.outcome);
  showProgress(answer.progress);
  show(answer.pair);
  if (answer.pair === null && skipped.length > 0) await fresh();
  at("code1").focus({ preventScroll: true });
});

const undo = () => act(async () => {
  const answer = await ask("/api/undo", {});
  at("last").hidden = true;
  showProgress(answer.progress);
  show(answer.pair);
});

const later = () => act(async () => {
  if (pair === null) return;
  skipped.push(pair.pair_id);
  const answer = await ask("/api/next", { skipped });
  showProgress(answer.progress);
  show(answer.pair);
  if (answer.pair === null) await fresh();
});

async function fresh() {
  skipped = [];
  const answer = await ask("/api/next", { skipped });
  showProgress(answer.progress);
  show(answer.pair);
}

function signedOut() {
  show(null);
  at("done").hidden = at("undo").hidden = at("sign-out").hidden = at("last").hidden = true;
  at("sign-in").hidden = false;
  at("progress").textContent = "";
  at("token").focus();
}

async function begin() {
  await fresh();
  at("sign-in").hidden = true;
  at("undo").hidden = at("sign-out").hidden = false;
}

at("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    await ask("/api/session", { token: at("token").value });
    at("token").value = "";
    await begin();
  });
});
at("sign-out").addEventListener("click", () => act(async () => {
  await ask("/api/session", undefined, "DELETE");
  signedOut();
}));
at("undo").addEventListener("click", undo);
at("later").addEventListener("click", later);
for (const button of document.querySelectorAll("[data-verdict]")) {
  button.addEventListener("click", () => judge(button.dataset.verdict));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || pair === null && event.key !== "z") return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const keys = {
    t: () => judge("true"), f: () => judge("false"), u: () => judge("undecided"), z: undo, s: later,
    c: () => at("comment").focus(),
  };
  // The labels by their numbers; 0 takes the label away.
  const label = /^\d$/.test(event.key) ? at("label").options[Number(event.key)] : undefined;
  const key = label ? () => { at("label").value = label.value; } : keys[event.key];
  if (key && !at("undo").hidden) {
    event.preventDefault();
    key();
  }
});
act(begin);
