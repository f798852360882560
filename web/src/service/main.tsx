// The page of a server: who is there, and the view that the address names.

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Help } from "../parts/help";
import { ThemeButton } from "../parts/theme-button";
import { visible } from "../parts/visible";
import { useRoute } from "../router";
import { listener, Problem, server } from "./api";
import { moment } from "./format";
import type { Session } from "./model";
import { asProblem, Empty, Failed, NotAllowed } from "./parts";
import { rightsOf } from "./rights";
import { HELP, T } from "./text";
import { Check } from "./views/check";
import { Compare } from "./views/compare";
import { Corpora } from "./views/corpora";
import { CorpusView } from "./views/corpus";
import { JobView } from "./views/job";
import { Results } from "./views/results";
import { SignIn } from "./views/signin";
import "../style.css";
import "../parts/verdict.css";
import "./service.css";

/** Views by name; an address may name anything. */
const isView = (name: string): name is keyof typeof T.views => Object.hasOwn(T.views, name);

type State = { session: Session } | { problem: Problem } | "signed out" | null;

function App() {
  const [state, set] = useState<State>(null);
  const name = useRef<string | undefined>(undefined);
  const enter = (session: Session, signedIn = false) => {
    // What one user was about is not another's.
    if (name.current !== undefined && name.current !== session.name) return location.reload();
    name.current = session.name;
    set({ session });
    if (signedIn) requestAnimationFrame(() => document.getElementById("main")?.focus({ preventScroll: true }));
  };
  const look = () =>
    server.session().then(
      (session) => enter(session),
      (error: unknown) => {
        const problem = asProblem(error);
        set(problem.status === 401 ? "signed out" : { problem });
      },
    );
  useEffect(() => {
    listener.signedOut = () => set("signed out");
    void look();
  }, []);
  const button = <ThemeButton />;
  if (state === null) return null;
  if (state === "signed out") return <SignIn theme={button} done={(session) => enter(session, true)} />;
  if ("problem" in state) return <main class="alone"><Failed problem={state.problem} again={() => void look()} /></main>;
  return <Shell session={state.session} theme={button} />;
}

function Shell({ session, theme }: { session: Session; theme: preact.VNode }) {
  const route = useRoute();
  const view = route.view === "overview" ? "check" : route.view === "corpora" && route.parts[0] ? "corpus" : route.view;
  const rights = rightsOf(session);
  // Whoever comes to another view starts there, and whoever reads it aloud says which it is.
  const place = [view, ...route.parts].join("/");
  const first = useRef(true);
  useEffect(() => {
    document.title = view === "corpus" ? T.title(visible(route.parts[0])) : isView(view) ? T.title(T.views[view]) : T.product;
    const main = document.getElementById("main");
    if (!first.current && main) {
      main.scrollTop = 0;
      main.focus({ preventScroll: true });
    }
    first.current = false;
  }, [place]);
  const tab = (name: "check" | "compare" | "results" | "corpora", parts: string[]) => (
    <a href={`#/${name}`} aria-current={parts.includes(view) ? "page" : undefined}>{T.views[name]}</a>
  );
  return (
    <div class={`shell service at-${isView(view) ? view : "nowhere"}`}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>{T.skip}</a>
      <header class="top">
        <a class="brand" href="#/check" title={T.version(visible(session.version))}>{T.product}</a>
        <nav aria-label={T.navigation}>
          {tab("check", ["check"])}
          {rights.upload && tab("compare", ["compare"])}
          {tab("results", ["results", "jobs"])}
          {tab("corpora", ["corpora", "corpus"])}
        </nav>
        <Who session={session} />
        {isView(view) && HELP[view] && <Help title={T.views[view]} lines={HELP[view]} />}
        {theme}
      </header>
      <main id="main" tabIndex={-1}>
        {view === "check" && <Check params={route.params} rights={rights} endings={session.endings} />}
        {view === "compare" && (rights.upload ? <Compare /> : <NotAllowed scope="upload" />)}
        {view === "results" && <Results rights={rights} params={route.params} />}
        {view === "corpora" && <Corpora rights={rights} />}
        {view === "corpus" && <CorpusView key={route.parts[0]} name={route.parts[0]} rights={rights} />}
        {view === "jobs" && <JobView key={route.parts[0]} id={route.parts[0] ?? ""} rights={rights} />}
        {!isView(view) && (
          <Empty title={T.unknownView}>
            <p><a href="#/check">{T.home}</a></p>
          </Empty>
        )}
      </main>
    </div>
  );
}

function Who({ session }: { session: Session }) {
  const leave = () => server.signOut().catch(() => {}).then(() => location.reload());
  const name = visible(session.name);
  return (
    <span class="who">
      {session.read_only && <span class="tag" title={T.readOnlyWhy}>{T.readOnly}</span>}
      {!session.open && (
        <>
          <span class="who-name" title={`${T.signedInAs(name)}. ${session.expires === null ? "" : T.expires(moment(session.expires))}`}>{name}</span>
          <button class="quiet" onClick={() => void leave()}>{T.signOut}</button>
        </>
      )}
    </span>
  );
}

const place = document.getElementById("app");
if (place) render(<App />, place);
