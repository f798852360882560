// Files of the reader's own: what to upload, how to compare it.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Partial as NotAll } from "../../parts/partial";
import { visible } from "../../parts/visible";
import { go } from "../../router";
import { view } from "../address";
import { Problem, send, server } from "../api";
import { dropped, folderOf, type Chosen } from "../chosen-files";
import { UploadQueue, useItems, type Item, type Role } from "../draft";
import { percentOf, fraction } from "../format";
import type { ClonesRequest, CorpusRow, Job, Upload } from "../model";
import { asProblem, Bar, Confirm, Failed, Page, toggled, useRequest, type ServerRequest } from "../parts";
import { T, size } from "../text";

const queue = new UploadQueue(send);

// Who closes the page is asked whether they want to while something is on its way.
queue.listen(() => {
  const going = queue.items.some(({ state }) => state === "waiting" || state === "sending");
  window.onbeforeunload = going ? (event) => event.preventDefault() : null;
});

type Options = Omit<ClonesRequest, "uploads" | "base" | "corpora">;

const DEFAULT: Options = {
  layout: "tree",
  between_projects: false,
  granularity: ["function", "run"],
  types: [1, 2, 3],
  min_tokens: 50,
  min_lines: 5,
  cross_language: false,
};

/** What was chosen last. */
const remembered = { options: DEFAULT, corpora: [] as string[], license: "" };

export function Compare() {
  const items = useItems(queue);
  const earlier = useRequest(() => server.uploads(), []);
  const corpora = useRequest(() => server.corpora(), []);
  const [options, setOptions] = useState(remembered.options);
  const [against, setAgainst] = useState(remembered.corpora);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [license, setLicense] = useState(remembered.license);
  Object.assign(remembered, { options, corpora: against, license });
  const set = (by: Partial<Options>) => setOptions((before) => ({ ...before, ...by }));

  const readable = (corpora.answer?.corpora ?? []).filter((row) => row.error === null);
  const asked = against.filter((name) => readable.some((row) => row.name === name));
  const why = missing(items, options);
  // Which kinds of clones are looked for says nothing of licenses.
  const unsent = missing(items, DEFAULT);
  const ids = (role: Role) => items.flatMap((item) => (item.role === role && item.id !== undefined ? [item.id] : []));
  const begin = async (ask: () => Promise<Job[]>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const [job, ...more] = await ask();
      go(more.length > 0 ? "#/results" : view("jobs", job.id));
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  const start = () => begin(async () => [await server.clones({ ...options, uploads: ids("compared"), base: ids("base"), corpora: asked })]);
  const audit = () => begin(async () => [await server.audit({ uploads: ids("compared"), corpora: asked, ...(license.trim() ? { license: license.trim() } : {}) })]);
  const licenses = () =>
    begin(async () => {
      const jobs: Job[] = [];
      for (const upload of ids("compared")) jobs.push(await server.licenses(upload));
      return jobs;
    });
  return (
    <Page title={T.views.compare} lead={T.compareWhy}>
      <form class="compare-form" onSubmit={(event) => (event.preventDefault(), why === undefined && !busy && void start())}>
        <section class="card">
          <h2>{T.files}</h2>
          <Drop add={(chosen) => queue.add(chosen, "compared")} />
          {items.length > 0 && <Items items={items} />}
          <Earlier asked={earlier} items={items} />
        </section>
        <div class="compare-side">
          <fieldset class="card">
            <legend>{T.layout}</legend>
            {(["tree", "submissions"] as const).map((layout) => (
              <label key={layout} class="choice">
                <input type="radio" name="layout" checked={options.layout === layout} onChange={() => set({ layout, between_projects: layout === "submissions" })} />
                <span>
                  {T.layouts[layout][0]}
                  <span class="muted">{T.layouts[layout][1]}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <NotAll unanswered={corpora.answer?.unanswered} />
          {readable.length > 0 && <Against rows={readable} chosen={asked} choose={setAgainst} />}
          <OptionFields options={options} set={set} />
        </div>
        <footer class="compare-start">
          <span class="muted" role="status">
            {why ?? T.startWhy.ready(items.filter(({ role }) => role === "compared").length, asked.length)}
          </span>
          {readable.length > 0 && (
            <>
              <label class="field">
                {T.auditLicense}
                <input type="text" value={license} placeholder={T.auditLicenseNone} maxLength={500} spellcheck={false} autocomplete="off" title={T.auditLicenseWhy} onInput={(event) => setLicense(event.currentTarget.value)} />
              </label>
              <button type="button" title={asked.length === 0 ? T.auditNeeds : T.auditWhy} disabled={why !== undefined || asked.length === 0 || busy} onClick={() => void audit()}>{T.audit}</button>
            </>
          )}
          <button type="button" class="read-licenses" title={T.readLicensesWhy} disabled={unsent !== undefined || busy} onClick={() => void licenses()}>{T.readLicenses}</button>
          <button class="primary" type="submit" disabled={why !== undefined || busy}>{busy ? T.starting : T.start}</button>
        </footer>
        {problem && <Failed problem={problem} />}
      </form>
    </Page>
  );
}

/** Why it cannot start yet. */
export function missing(items: Item[], options: Pick<Options, "granularity" | "types">): string | undefined {
  if (items.length === 0) return T.startWhy.none;
  if (items.some(({ state }) => state === "failed")) return T.startWhy.failed;
  if (items.some(({ state }) => state !== "there")) return T.startWhy.sending;
  if (items.every(({ role }) => role === "base")) return T.startWhy.base;
  return options.granularity.length === 0 || options.types.length === 0 ? T.startWhy.kinds : undefined;
}

/** Where files are dropped, or chosen. */
function Drop({ add }: { add: (chosen: Chosen[]) => void }) {
  const [over, setOver] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [files, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  useEffect(() => {
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    setProblem(undefined);
    try {
      if (event.dataTransfer) add(await dropped(event.dataTransfer));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const chosen = (input: HTMLInputElement, take: (files: File[]) => Chosen[]) => {
    add(take([...(input.files ?? [])]));
    input.value = "";
  };
  return (
    <>
      <div
        class={over ? "drop over" : "drop"}
        onDragOver={(event) => (event.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => void drop(event)}
      >
        <p><b>{T.drop}</b></p>
        <p class="muted">{T.dropWhy}</p>
        <div class="actions">
          <button type="button" onClick={() => files.current?.click()}>{T.chooseFiles}</button>
          <button type="button" onClick={() => folder.current?.click()}>{T.chooseFolder}</button>
        </div>
        <input ref={files} class="choose-files" type="file" multiple hidden onChange={(event) => chosen(event.currentTarget, (all) => all.map((file) => ({ name: file.name, content: file })))} />
        <input ref={folder} class="choose-folder" type="file" hidden onChange={(event) => chosen(event.currentTarget, folderOf)} />
      </div>
      {problem && <Failed problem={problem} />}
    </>
  );
}

function Items({ items }: { items: Item[] }) {
  return (
    <>
      <ul class="items">
        {items.map((item) => <Row key={item.key} item={item} />)}
      </ul>
      <p class="muted hint">{T.roleWhy}</p>
    </>
  );
}

function Row({ item }: { item: Item }) {
  const name = visible(item.name);
  const sent = fraction(item.sent, item.bytes) ?? 0;
  return (
    <li>
      <span class="item-name" title={name}>{name}</span>
      <span class="muted count">{size(item.bytes)}</span>
      <span class="item-state">
        {item.state === "sending" && <Bar fraction={sent} label={T.uploadOf(name)} />}
        {item.state === "there" && <span class="good">{T.sent}</span>}
        {item.state === "waiting" && <span class="muted">{T.waiting}</span>}
        {item.state === "sending" && <span class="muted">{percentOf(sent)}</span>}
        {item.state === "failed" && <button class="quiet link" type="button" onClick={() => queue.retry(item.key)}>{T.retry}</button>}
      </span>
      <select aria-label={T.roleOf(name)} value={item.role} onChange={(event) => queue.change(item.key, { role: event.currentTarget.value as Role })}>
        <option value="compared">{T.role.compared}</option>
        <option value="base">{T.role.base}</option>
      </select>
      <button class="quiet link" type="button" aria-label={T.removeNamed(name)} onClick={() => queue.remove(item.key)}>{T.remove}</button>
      {item.state === "failed" && <p class="bad" role="alert">{visible(item.error ?? "")}</p>}
    </li>
  );
}

/** What the server has from before. */
function Earlier({ asked: request, items }: { asked: ServerRequest<{ uploads: Upload[] }>; items: Item[] }) {
  const [toDelete, setToDelete] = useState<Upload>();
  const uploads = request.answer?.uploads ?? [];
  if (uploads.length === 0) return null;
  const remove = async ({ id }: Upload) => {
    await server.removeUpload(id);
    for (const item of items) if (item.id === id) queue.remove(item.key);
    request.again();
  };
  return (
    <details>
      <summary title={T.earlierWhat}>{T.earlier(uploads.length)}</summary>
      <ul class="items earlier">
        {uploads.map((upload) => {
          const [name, used] = [visible(upload.name), items.some(({ id }) => id === upload.id)];
          return (
            <li key={upload.id}>
              <span class="item-name" title={name}>{name}</span>
              <span class="muted count">{size(upload.bytes)}</span>
              <button class="quiet link" type="button" disabled={used} aria-label={(used ? T.takenNamed : T.takeNamed)(name)} onClick={() => queue.take(upload)}>{used ? T.taken : T.take}</button>
              <button class="quiet link" type="button" aria-label={T.deleteNamed(name)} title={T.deleteWhat} onClick={() => setToDelete(upload)}>{T.delete}</button>
            </li>
          );
        })}
      </ul>
      {toDelete && <Confirm title={T.deleteUpload} why={T.deleteUploadWhy(toDelete.name)} action={T.delete} done={() => remove(toDelete)} close={() => setToDelete(undefined)} />}
    </details>
  );
}

function Against({ rows, chosen, choose }: { rows: CorpusRow[]; chosen: string[]; choose: (names: string[]) => void }) {
  const peers = [...new Set(rows.flatMap(({ name, peer }) => (peer !== undefined && chosen.includes(name) ? [peer] : [])))];
  return (
    <fieldset class="card against">
      <legend>{T.against}</legend>
      <div class="choices">
        {rows.map(({ name, peer }) => (
          <label key={name} class="choice">
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => choose(toggled(chosen, name))} />
            <span title={peer === undefined ? undefined : T.ofPeer(visible(peer))}>{visible(name)}</span>
          </label>
        ))}
      </div>
      <p class="muted hint">{T.againstWhy}</p>
      {peers.length > 0 && <p class="muted hint">{T.againstPeers(peers.map(visible).join(", "))}</p>}
    </fieldset>
  );
}

function OptionFields({ options, set }: { options: Options; set: (by: Partial<Options>) => void }) {
  const number = (key: "min_tokens" | "min_lines", label: string, least: number) => (
    <NumberField label={label} value={options[key]} least={least} set={(value) => set({ [key]: value })} />
  );
  const check = (label: string, checked: boolean, change: () => void) => (
    <label key={label} class="choice">
      <input type="checkbox" checked={checked} onChange={change} />
      <span>{label}</span>
    </label>
  );
  return (
    <details class="card options">
      <summary title={T.optionsWhat}>{T.options}</summary>
      {check(T.between, options.between_projects, () => set({ between_projects: !options.between_projects }))}
      <fieldset class="kinds">
        <legend>{T.granularity}</legend>
        {["function", "run", "class", "block", "file"].map((kind) => check(T.kinds[kind], options.granularity.includes(kind), () => set({ granularity: toggled(options.granularity, kind) })))}
      </fieldset>
      <fieldset>
        <legend>{T.types}</legend>
        {[1, 2, 3].map((type) => check(T.typeNames[type], options.types.includes(type), () => set({ types: toggled(options.types, type).sort() })))}
      </fieldset>
      {check(T.crossLanguage, options.cross_language, () => set({ cross_language: !options.cross_language }))}
      <div class="numbers">
        {number("min_tokens", T.minTokens, 10)}
        {number("min_lines", T.minLines, 1)}
      </div>
      <p class="muted hint">{T.short}</p>
    </details>
  );
}

function NumberField({ label, value, least, set }: { label: string; value: number; least: number; set: (value: number) => void }) {
  const id = useId();
  const change = (input: HTMLInputElement) => {
    const wanted = Math.round(input.valueAsNumber);
    const taken = Number.isFinite(wanted) ? Math.min(100_000, Math.max(least, wanted)) : value;
    input.value = String(taken);
    set(taken);
  };
  return (
    <span class="number">
      <label for={id}>{label}</label>
      <input id={id} type="number" min={least} max={100_000} value={value} onChange={(event) => change(event.currentTarget)} />
    </span>
  );
}
