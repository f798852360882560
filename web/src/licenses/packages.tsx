// The packages that the files describe, with what their metadata declare.

import { useMemo, useState } from "preact/hooks";
import { useLoaded } from "../parts/loaded";
import { Rows } from "../parts/rows";
import { visible } from "../parts/visible";
import { L, T } from "../text";
import type { LicenseData } from "./data";
import { below } from "./filter";
import { LicenseText } from "./labels";
import type { Packages } from "./model";

export function PackagesView({ data }: { data: LicenseData }) {
  const packages = useLoaded(() => data.packages(), [data]);
  if (packages === undefined) return <p class="notice">{T.loading}</p>;
  if (packages === null) return <p class="notice" role="alert">{T.failed("data/packages.js")}</p>;
  return packages.rows.length === 0 ? <p class="notice">{L.noPackages}</p> : <List packages={packages} />;
}

function List({ packages: { rows, expressions } }: { packages: Packages }) {
  const [query, setQuery] = useState("");
  const found = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => {
      const text = `${row.purl} ${row.name} ${row.folder} ${expressions[row.license]?.text ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [rows, query]);
  return (
    <div class="license-page">
      <h1>{L.packageTable}</h1>
      <div class="license-facts">
        <input class="search" type="search" spellcheck={false} autocomplete="off" placeholder={L.packageSearch} aria-label={L.packageSearch} value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        <span class="muted" role="status">{L.packagesFound(found.length, rows.length)}</span>
      </div>
      <Rows
        class="package-list"
        role="grid"
        tabIndex={0}
        aria-label={L.packageTable}
        aria-rowcount={found.length}
        count={found.length}
        height={30}
        head={
          <div class="row headers" role="row">
            {(["name", "version", "from", "license", "folder"] as const).map((column) => <span key={column} role="columnheader">{L.packageColumns[column]}</span>)}
          </div>
        }
        row={(at) => {
          const { purl, name, version, folder, license } = found[at];
          return (
            <div key={at} class="row" role="row" aria-rowindex={at + 1}>
              <span role="gridcell" class="name" title={visible(purl)}>{visible(name)}</span>
              <span role="gridcell">{visible(version ?? "")}</span>
              <span role="gridcell" class="muted">{visible(/^pkg:([^/]+)\//.exec(purl)?.[1] ?? "")}</span>
              <span role="gridcell">{license < 0 ? <span class="unnamed">{L.noDeclared}</span> : <LicenseText expression={expressions[license]} />}</span>
              <span role="gridcell" class="cell-path"><a href={below(folder)}>{visible(folder) || L.topFolder}</a></span>
            </div>
          );
        }}
      />
    </div>
  );
}
