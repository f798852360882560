// The report: loads the result, and shows the view that the address names. README.md lists the layers of the modules.

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ChunkData, Chunks } from "./data/chunks";
import { ownRoots } from "./data/model";
import { Result } from "./data/result";
import { decisionStore } from "./decisions/store";
import { Pseudonyms } from "./findings/pseudonyms";
import { areHidden, hide } from "./hidden-names";
import { LicensesReport } from "./licenses/report";
import { Help } from "./parts/help";
import { lastList } from "./parts/last-list";
import { ThemeButton } from "./parts/theme-button";
import { visible } from "./parts/visible";
import { go, useRoute } from "./router";
import { F, H, T, errorText } from "./text";
import { Compare } from "./views/compare";
import { Decisions } from "./views/decisions";
import { Findings } from "./views/findings";
import { GroupsView } from "./views/groups";
import { MapView } from "./views/map";
import { NetworkView } from "./views/network";
import { Overview } from "./views/overview";
import { SourceView } from "./views/source";
import { TimelineView } from "./views/timeline";
import "./style.css";
import "./parts/verdict.css";
import "./audit/audit.css";
import "./found/found.css";
import "./licenses/licenses.css";

const chunks = new Chunks();

/** Shows what the report is of. */
function App() {
  const [kind, setKind] = useState<{ result?: string } | { error: string }>();
  useEffect(() => {
    chunks.load<{ result?: string }>("head").then(setKind, (error: unknown) => setKind({ error: errorText(error) }));
  }, []);
  if (kind === undefined) return <p class="notice">{T.loading}</p>;
  if ("error" in kind) return <p class="notice" role="alert">{T.failed(kind.error)}</p>;
  return kind.result === "licenses" ? <LicensesReport chunks={chunks} /> : <Clones />;
}

type Loaded = { result: Result } | { error: string } | null;

function Clones() {
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    const own = new ChunkData(chunks);
    const data = areHidden() ? new Pseudonyms(own) : own;
    data.tables().then(
      (tables) => {
        setLoaded({ result: new Result(tables, data) });
        void data.decisions().then((given) => decisionStore.open(given), () => decisionStore.open([]));
      },
      (error: unknown) => setLoaded({ error: errorText(error) }),
    );
  }, []);
  if (loaded === null) return <p class="notice">{T.loading}</p>;
  if ("error" in loaded) return <p class="notice" role="alert">{T.failed(loaded.error)}</p>;
  return <Shell result={loaded.result} />;
}

/** Who has most in common is asked of clones; decisions are kept by fingerprints, which a search has none of. */
const NOT_OF_A_SEARCH = ["groups", "network", "decisions"];

function Shell({ result }: { result: Result }) {
  const route = useRoute();
  const { found } = result;
  const isThere = route.view in T.views && !(found && NOT_OF_A_SEARCH.includes(route.view));
  const view = isThere ? (route.view as keyof typeof T.views) : "overview";
  const { head } = result.tables;
  const named = ownRoots(head).map((root) => (found && root === "-" ? F.standardInput : visible(root))).join(", ");
  const roots = found ? F.askedIn(named, visible(found.table.corpus)) : named;
  useEffect(() => {
    document.title = T.title(T.views[view]);
  }, [view]);
  const first = useRef(true);
  useEffect(() => {
    // Whoever comes to another view starts there.
    if (!first.current) document.getElementById("main")?.focus({ preventScroll: true });
    first.current = false;
  }, [view]);
  const tab = (name: keyof typeof T.views, address: () => string) => (
    <a href={address()} onClick={(event) => follow(event, address())} aria-current={view === name || (name === "findings" && view === "compare") ? "page" : undefined}>
      {T.views[name]}
    </a>
  );
  return (
    <div class={`shell view-${view}`}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        {T.skip}
      </a>
      <header class="top">
        <a class="brand" href="#/overview">{T.product}</a>
        <nav aria-label={T.navigation}>
          {tab("overview", () => "#/overview")}
          {tab("findings", () => lastList.address)}
          {(!found || found.count > 1) && tab("map", () => "#/map")}
          {!found && tab("groups", () => "#/groups")}
          {!found && tab("network", () => "#/network")}
          {!found && tab("decisions", () => "#/decisions")}
          {(result.audit || found) && tab("timeline", () => "#/timeline")}
        </nav>
        <span class="roots" title={roots}>{roots}</span>
        <button class="quiet names" aria-pressed={areHidden()} onClick={() => hide(!areHidden())} title={T.namesWhat}>{T.names}</button>
        <Help title={T.views[view]} lines={H[helpOf(view, result)]} />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        {view === "overview" && <Overview result={result} />}
        {view === "findings" && <Findings result={result} params={route.params} />}
        {view === "map" && <MapView result={result} params={route.params} />}
        {view === "groups" && <GroupsView result={result} />}
        {view === "decisions" && <Decisions result={result} />}
        {view === "network" && <NetworkView key={route.params.toString()} result={result} params={route.params} />}
        {view === "timeline" && <TimelineView key={route.parts[0]} result={result} parts={route.parts} params={route.params} />}
        {view === "compare" && <Compare key={route.parts.join("/")} result={result} parts={route.parts} />}
        {view === "source" && <SourceView key={route.parts.join("/")} result={result} parts={route.parts} params={route.params} />}
      </main>
    </div>
  );
}

/** The help of a view; audits and searches have some of their own. */
function helpOf(view: string, { audit, found }: Result): string {
  if (audit && view === "overview") return "audit";
  return found && Object.hasOwn(H, `found-${view}`) ? `found-${view}` : view;
}

/** Goes where a link leads now, which it may not have errorText when it was drawn. */
function follow(event: MouseEvent, address: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(address);
}

const place = document.getElementById("app");
if (place) render(<App />, place);
