// All corpora, with their numbers.

import { useId, useState } from "preact/hooks";
import { Partial } from "../../parts/partial";
import { visible } from "../../parts/visible";
import { go } from "../../router";
import { view } from "../address";
import { Problem, server } from "../api";
import { byCount } from "../format";
import { listed } from "../lines";
import type { CorpusRow } from "../model";
import { asProblem, Count, Dialog, Failed, Page, toggled, useRequest, WhenLoaded } from "../parts";
import type { Rights } from "../rights";
import { T, number, size } from "../text";
import { NoCorpora } from "./check";

/** Languages that are named of each. */
const LANGUAGES = 3;

export function Corpora({ rights }: { rights: Rights }) {
  const request = useRequest(() => server.corpora(), []);
  const [adding, add] = useState(false);
  return (
    <Page title={T.views.corpora} lead={T.corporaWhy} actions={rights.admin ? <button class="primary" title={T.addCorpusWhat} onClick={() => add(true)}>{T.addCorpus}</button> : undefined}>
      <WhenLoaded request={request}>{({ corpora, unanswered }) => (
        <>
          <Partial unanswered={unanswered} />
          {corpora.length === 0 ? <NoCorpora rights={rights} here /> : <Table rows={corpora} />}
        </>
      )}</WhenLoaded>
      {adding && <AddSources close={() => add(false)} />}
    </Page>
  );
}

function Table({ rows }: { rows: CorpusRow[] }) {
  const names = T.corpusColumns;
  return (
    <div class="table-box">
      <table class="list">
        <caption class="unseen">{T.corporaTable}</caption>
        <thead>
          <tr>
            <th scope="col">{names.name}</th>
            <th scope="col" class="count">{names.blobs}</th>
            <th scope="col" class="count minor">{names.fragments}</th>
            <th scope="col" class="count">{names.bytes}</th>
            <th scope="col" class="count minor">{names.sources}</th>
            <th scope="col" class="minor">{names.languages}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" class="named">{row.peer === undefined ? <a href={view("corpora", row.name)} title={visible(row.name)}>{visible(row.name)}</a> : <span title={T.ofPeer(visible(row.peer))}>{visible(row.name)}</span>}</th>
              {row.error === null ? (
                <>
                  <Count of={row.blobs} />
                  <td class="count minor">{number(row.fragments)}</td>
                  <td class="count">{size(row.bytes)}</td>
                  <td class="count minor">{number(row.sources)}</td>
                  <td class="wide minor"><Languages counts={row.languages} /></td>
                </>
              ) : (
                <td colSpan={5} class="bad wide" title={visible(row.error)}>{T.corpusBroken}: {visible(row.error)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Languages({ counts }: { counts: Record<string, number> }) {
  const names = byCount(counts).map(([name]) => visible(name));
  const rest = names.length - LANGUAGES;
  return (
    <>
      {names.slice(0, LANGUAGES).join(", ")}
      {rest > 0 && <span class="muted" title={names.join(", ")}> + {T.more(rest)}</span>}
    </>
  );
}

/** Asks for sources, of a corpus that is there or of a new one. */
export function AddSources({ to, close }: { to?: string; close: () => void }) {
  const [name, setName] = useState(to ?? "");
  const [text, setText] = useState("");
  const [chosen, choose] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const uploads = useRequest(() => server.uploads(), []);
  const ids = { name: useId(), nameWhy: useId(), sources: useId(), sourcesWhy: useId() };
  const submit = async (event: Event) => {
    event.preventDefault();
    const sources = listed(text);
    if (sources.length + chosen.length === 0) return setProblem(new Problem(0, T.addNothing));
    setBusy(true);
    setProblem(undefined);
    try {
      const job = await server.addSources(name.trim(), sources, chosen);
      close();
      go(view("jobs", job.id));
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={to === undefined ? T.addCorpus : T.addSources} close={close}>
      <form class="fields" onSubmit={(event) => void submit(event)}>
        {to === undefined && (
          <>
            <label for={ids.name}>{T.corpusName}</label>
            <input id={ids.name} required pattern="[A-Za-z0-9._\-]+" title={T.corpusNameWhy} value={name} spellcheck={false} autocomplete="off" aria-describedby={ids.nameWhy} onInput={(event) => setName(event.currentTarget.value)} />
            <p class="muted hint" id={ids.nameWhy}>{T.corpusNameWhy}</p>
          </>
        )}
        <label for={ids.sources}>{T.sourcesField}</label>
        <textarea id={ids.sources} rows={4} value={text} spellcheck={false} aria-describedby={ids.sourcesWhy} onInput={(event) => (setText(event.currentTarget.value), setProblem(undefined))} />
        <p class="muted hint" id={ids.sourcesWhy}><code>{T.sourcesWhy}</code></p>
        {uploads.answer && uploads.answer.uploads.length > 0 && (
          <fieldset>
            <legend>{T.uploadsField}</legend>
            <div class="choices">
              {uploads.answer.uploads.map((upload) => (
                <label key={upload.id} class="choice">
                  <input type="checkbox" checked={chosen.includes(upload.id)} onChange={() => (choose(toggled(chosen, upload.id)), setProblem(undefined))} />
                  <span>{visible(upload.name)} <span class="muted">{size(upload.bytes)}</span></span>
                </label>
              ))}
            </div>
          </fieldset>
        )}
        {problem && <Failed problem={problem} />}
        <div class="actions">
          <button type="button" onClick={close}>{T.cancel}</button>
          <button class="primary" type="submit" disabled={busy}>{busy ? T.adding : T.add}</button>
        </div>
      </form>
    </Dialog>
  );
}
