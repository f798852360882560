// One piece of code, and who else has it.

import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { hasModifier } from "../../parts/keys";
import { Partial } from "../../parts/partial";
import { visible } from "../../parts/visible";
import { go } from "../../router";
import { view } from "../address";
import { Problem, server } from "../api";
import { lastCheck } from "../draft";
import { joined, lineCount, type Stretch } from "../lines";
import type { CorpusRow, FindResult } from "../model";
import { asProblem, Command, Empty, Failed, useRequest, WhenLoaded } from "../parts";
import type { Rights } from "../rights";
import { T } from "../text";
import { audit, licensesOf, nameOf, useVerdicts } from "../verdicts";
import { Editor } from "./editor";
import { Matches } from "./matches";

/** Most results that are listed. */
const LIMIT = 50;

export function Check({ params, rights, endings }: { params: URLSearchParams; rights: Rights; endings: Record<string, string> }) {
  const request = useRequest(() => server.corpora(), []);
  return <WhenLoaded request={request}>{({ corpora }) => (corpora.length === 0 ? <NoCorpora rights={rights} /> : <Ask key={params.get("corpus")} corpora={corpora} wanted={params.get("corpus")} rights={rights} endings={endings} />)}</WhenLoaded>;
}

export function NoCorpora({ rights, here = false }: { rights: Rights; here?: boolean }) {
  return (
    <Empty title={T.noCorpora}>
      <p>
        {T.noCorporaWhat} {rights.admin && !here && <><a href="#/corpora">{T.noCorporaAdmin}</a>{T.noCorporaOr} </>}
        {T.noCorporaMake(rights.admin)}
      </p>
      <Command>{T.corpusCommand}</Command>
      <p class="muted">{T.corpusExamples}</p>
    </Empty>
  );
}

/** Stands for all corpora at once; no corpus is called so. */
const ALL = "*";

/** Most corpora that are asked at once. */
const AT_ONCE = 32;

function Ask({ corpora, wanted, rights, endings }: { corpora: CorpusRow[]; wanted: string | null; rights: Rights; endings: Record<string, string> }) {
  const names = corpora.filter((row) => row.error === null).map((row) => row.name);
  const [corpus, setCorpus] = useState(() => [wanted, lastCheck.corpus, names[0]].find((name) => name && (names.includes(name) || name === ALL)) ?? "");
  const [language, setLanguage] = useState(lastCheck.language);
  const [code, setCode] = useState(lastCheck.code);
  const [license, setLicense] = useState(lastCheck.license);
  const [found, setFound] = useState(lastCheck.found);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const [shown, setShown] = useState<{ line: number } | null>(null);
  const running = useRef<AbortController>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const ids = { corpus: useId(), language: useId(), license: useId() };
  Object.assign(lastCheck, { code, corpus, language, license, found });
  const licenses = useMemo(() => (found ? licensesOf(found.result) : []), [found]);
  const verdicts = useVerdicts(license.trim(), licenses);
  useEffect(() => () => running.current?.abort(), []);

  const languages = useMemo(() => [...new Set(corpora.filter(({ name }) => name === corpus || corpus === ALL).flatMap(({ languages }) => Object.keys(languages)))].sort(), [corpora, corpus]);
  const ready = code.trim() !== "" && corpus !== "";
  const look = async () => {
    if (!ready) return field.current?.focus();
    running.current?.abort();
    const control = (running.current = new AbortController());
    setBusy(true);
    setProblem(undefined);
    try {
      const spoken = languages.includes(language) ? language : null;
      const result = await server.find({ code, language: spoken, ...(corpus === ALL ? { corpora: names.slice(0, AT_ONCE) } : { corpus }), limit: LIMIT, text: true }, control.signal);
      setActive(null);
      const lines = result.blobs[0]?.matched_lines.map(([first]) => first) ?? [];
      if (lines.length > 0) setShown({ line: lines.reduce((least, line) => Math.min(least, line)) });
      setFound({ result, corpus, code });
    } catch (error) {
      if (!control.signal.aborted) setProblem(asProblem(error));
    }
    if (!control.signal.aborted) setBusy(false);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !hasModifier(event)) return;
    event.preventDefault();
    void look();
  };
  // Lines of code that has changed since are other lines.
  const fresh = found !== null && found.code === code;
  const matched = useMemo(() => (fresh ? joined(found.result.blobs.flatMap(stretches)) : []), [found, fresh]);
  const strong = useMemo(() => (fresh && active !== null ? joined(stretches(found.result.blobs[active])) : []), [found, fresh, active]);
  return (
    <div class="check" onKeyDown={pressed}>
      <h1 class="unseen">{T.views.check}</h1>
      <form class="bar" onSubmit={(event) => (event.preventDefault(), void look())}>
        <label class="field" for={ids.corpus}>{T.corpus}</label>
        <select id={ids.corpus} title={T.corpusChoice} value={corpus} onChange={(event) => setCorpus(event.currentTarget.value)}>
          {names.length > 1 && <option value={ALL}>{T.allCorpora}</option>}
          {corpora.map(({ name, error }) => (
            <option key={name} value={name} disabled={error !== null}>
              {visible(name)}{error === null ? "" : ` (${T.corpusBroken})`}
            </option>
          ))}
        </select>
        <label class="field" for={ids.language}>{T.language}</label>
        <select id={ids.language} title={T.languageChoice} value={languages.includes(language) ? language : ""} onChange={(event) => setLanguage(event.currentTarget.value)}>
          <option value="">{T.recognize}</option>
          {languages.map((name) => <option key={name} value={name}>{visible(name)}</option>)}
        </select>
        <label class="field" for={ids.license}>{T.auditLicense}</label>
        <input id={ids.license} class="license" type="text" value={license} placeholder={T.licenseForm} maxLength={500} spellcheck={false} autocomplete="off" title={T.checkLicenseWhy} onInput={(event) => setLicense(event.currentTarget.value)} />
        <button class="primary" type="submit" disabled={!ready || busy}>{busy ? T.checking : T.check}</button>
        <kbd>{T.keys}</kbd>
        <span class="spacer" />
        <span class="muted nowrap">{code ? T.lines(lineCount(code)) : ""}</span>
        <OpenFile open={setCode} />
        <button class="quiet" type="button" disabled={code === ""} onClick={() => (setCode(""), field.current?.focus())}>{T.clear}</button>
      </form>
      <div class="check-body">
        <Editor field={field} code={code} change={setCode} matched={matched} strong={strong} shown={shown} />
        <section class="answer" aria-label={T.asked} aria-busy={busy} tabIndex={0}>
          <p class="unseen" role="status">{busy ? T.checking : found ? summary(found.result) : ""}</p>
          {problem && <Failed problem={problem} again={() => void look()} />}
          {found ? (
            <>
              <p class={fresh ? "answer-head" : "answer-head old"}>
                <span>{found.result.blobs.length > 0 && <b>{summary(found.result)}</b>}</span>
                <span class="muted">
                  {found.corpus === ALL ? T.allCorpora : corpora.find(({ name }) => name === found.corpus)?.peer !== undefined ? visible(found.corpus) : <a href={view("corpora", found.corpus)}>{visible(found.corpus)}</a>}
                  {found.result.query.language && ` · ${visible(T.recognized(found.result.query.language))}`}
                  {` · ${T.tokens(found.result.query.tokens)}`}
                  {!fresh && ` · ${T.stale}`}
                </span>
              </p>
              <Partial unanswered={found.result.unanswered} />
              {found.result.blobs.length > 0 && (
                <Audit rights={rights} name={nameOf(found.result.query.language, endings)} code={found.code} corpora={found.corpus === ALL ? names.slice(0, AT_ONCE) : [found.corpus]} license={license.trim()} />
              )}
              {verdicts.problem && <Failed problem={verdicts.problem} />}
              <Matches result={found.result} active={active} setActive={setActive} show={(line) => fresh && setShown({ line })} project={license.trim()} verdicts={verdicts.by} />
            </>
          ) : (
            !problem && (
              <Empty title={T.nothingAsked}>
                <p>{T.nothingAskedWhy}</p>
              </Empty>
            )
          )}
        </section>
      </div>
    </div>
  );
}

/** Leads on from what was found to an audit of the same code. */
function Audit({ rights, name, code, corpora, license }: { rights: Rights; name: string | undefined; code: string; corpora: string[]; license: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  if (!rights.upload || name === undefined) return license ? null : <p class="next muted">{T.giveLicense}</p>;
  const start = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      go(view("jobs", (await audit(name, code, corpora, license)).id));
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <div class="next">
      <span class="muted">{license ? T.judgedFor(license) : T.giveLicense}</span>
      <button type="button" title={T.auditPastedWhy} disabled={busy} onClick={() => void start()}>{busy ? T.starting : T.auditPasted}</button>
      {problem && <Failed problem={problem} />}
    </div>
  );
}

const stretches = ({ matched_lines }: FindResult["blobs"][number]) => matched_lines.map(([first, last]): Stretch => [first, last]);
const summary = ({ blobs, more_blobs }: FindResult) => (blobs.length === 0 ? T.nothing : T.found(blobs.length, more_blobs));

/** Reads a file of this computer into the field; it is not uploaded. */
function OpenFile({ open }: { open: (code: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={async (event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) open(await file.text());
          if (input.current) input.current.value = "";
        }}
      />
      <button class="quiet" type="button" onClick={() => input.current?.click()}>{T.openFile}</button>
    </>
  );
}
