// The report of licenses: loads it, and shows the view that the address names.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Chunks } from "../data/chunks";
import { Help } from "../parts/help";
import { ThemeButton } from "../parts/theme-button";
import { visible } from "../parts/visible";
import { useRoute, type Route } from "../router";
import { H, L, T, errorText } from "../text";
import { LicenseData } from "./data";
import { FileView } from "./file";
import { FilesView, lastList } from "./files";
import { LicenseView, LicensesView } from "./licenses";
import { MapView } from "./map";
import type { Table } from "./model";
import { Overview } from "./overview";
import { PackagesView } from "./packages";

type Loaded = { table: Table } | { error: string };
type View = keyof typeof L.views;

export function LicensesReport({ chunks }: { chunks: Chunks }) {
  const [data] = useState(() => new LicenseData(chunks));
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    data.table().then((table) => setLoaded({ table }), (error: unknown) => setLoaded({ error: errorText(error) }));
  }, [data]);
  if (loaded === undefined) return <p class="notice">{T.loading}</p>;
  if ("error" in loaded) return <p class="notice" role="alert">{T.failed(loaded.error)}</p>;
  return <Shell table={loaded.table} data={data} />;
}

function Shell({ table, data }: { table: Table; data: LicenseData }) {
  const route = useRoute();
  const view: View = Object.hasOwn(L.views, route.view) ? (route.view as View) : "overview";
  const root = visible(table.head.root);
  const first = useRef(true);
  useEffect(() => {
    document.title = L.title(L.views[view]);
    // Whoever comes to another view starts there.
    if (!first.current) document.getElementById("main")?.focus({ preventScroll: true });
    first.current = false;
  }, [view]);
  return (
    <div class={`shell licenses view-${view}`}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        {T.skip}
      </a>
      <header class="top">
        <a class="brand" href="#/overview">{T.product}</a>
        <nav aria-label={T.navigation}>
          {(["overview", "files", "licenses", "packages", "map"] as const).map((name) => (
            <a key={name} href={name === "files" ? lastList.address : `#/${name}`} aria-current={shows(view, name) ? "page" : undefined}>{L.views[name]}</a>
          ))}
        </nav>
        <span class="roots" title={root}>{root}</span>
        <Help title={L.views[view]} lines={H[view === "overview" || view === "map" ? `licenses-${view}` : view]} />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        <ShownView view={view} route={route} table={table} data={data} />
      </main>
    </div>
  );
}

/** Whether a view belongs to one of the head. */
const shows = (view: View, name: View) => view === name || (view === "file" && name === "files") || (view === "license" && name === "licenses");

function ShownView({ view, route: { parts, params }, table, data }: { view: View; route: Route; table: Table; data: LicenseData }) {
  switch (view) {
    case "overview":
      return <Overview table={table} data={data} />;
    case "files":
      return <FilesView table={table} params={params} />;
    case "file":
      return <FileView key={parts[0]} table={table} data={data} parts={parts} params={params} />;
    case "licenses":
      return <LicensesView table={table} />;
    case "license":
      return <LicenseView key={parts[0]} table={table} name={parts[0] ?? ""} />;
    case "packages":
      return <PackagesView data={data} />;
    case "map":
      return <MapView table={table} params={params} />;
  }
}
