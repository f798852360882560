// Beside a file and a blob that has some of it: where the blob stands, under which licenses, and who had the code first.

import { useState } from "preact/hooks";
import type { Found } from "../data/found/found";
import type { BlobLicense, BlobText } from "../data/found/model";
import type { Result } from "../data/result";
import { Fact, LayerRow } from "../parts/evidence";
import { useLoaded, useShowMore } from "../parts/loaded";
import { dayOf, PlaceTable } from "../parts/places";
import { licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { compareAddress, timelineAddress } from "../router";
import { A, F, T, similarity } from "../text";
import { First, Licenses } from "./labels";

/** Whether the reader has it open; it stays so from match to match. */
let isOpen = true;

interface Properties {
  result: Result;
  found: Found;
  query: number;
  blob: number;
}

export function FoundPanel({ result, found, query, blob }: Properties) {
  const [open, setOpen] = useState(isOpen);
  const toggle = (event: Event) => setOpen((isOpen = (event.currentTarget as HTMLDetailsElement).open));
  const pair = result.pairOf(query, blob);
  const { blobs } = found.table;
  const of = found.blob(blob);
  return (
    <details class="evidence" open={open} onToggle={toggle}>
      <summary title={F.evidenceWhat}>
        <span class="evidence-title">{F.evidenceTitle}</span>
        <span class="evidence-line">{F.projects(blobs.allProjects[of])}, {A.places(blobs.places[of])}</span>
        <span class="evidence-line"><Licenses found={found} fragment={blob} /></span>
        <span class="evidence-line">{F.first}: <First found={found} query={query} /></span>
      </summary>
      {open && (
        <div class="evidence-body" tabIndex={0} role="group" aria-label={F.evidenceTitle}>
          <div class="evidence-sides">
            <QuerySide result={result} found={found} query={query} pair={pair} />
            <BlobSide found={found} blob={blob} />
          </div>
        </div>
      )}
    </details>
  );
}

/** Stretches that are listed. */
const STRETCHES = 12;

function QuerySide({ result, found, query, pair }: { result: Result; found: Found; query: number; pair: number }) {
  const { fragments } = result.tables;
  const { queries, pairs } = found.table;
  const stretches = found.stretches(pair);
  return (
    <section class="evidence-side">
      <h2>
        {F.query} <span class="muted">{visible(result.path(query))}</span>
      </h2>
      <dl class="facts-grid">
        <Fact name={F.matched}>
          {F.coverageOf(similarity(pairs.coverage[pair]))}
          <span class="stretches">
            {stretches.slice(0, STRETCHES).map((stretch) => <code key={stretch.join()}>{F.stretch(...stretch)}</code>)}
            {stretches.length > STRETCHES && <span class="muted">{T.more(stretches.length - STRETCHES)}</span>}
          </span>
        </Fact>
        <Fact name={F.timelineHas}>
          {F.knownLines(queries.knownLines[query], fragments.lines[query])}, {F.projects(queries.projects[query])}
        </Fact>
        <Fact name={F.firstKnown}><Origin result={result} found={found} query={query} /></Fact>
      </dl>
    </section>
  );
}

function Origin({ result, found, query }: { result: Result; found: Found; query: number }) {
  const origin = useLoaded(() => found.originOf(query), [query]);
  if (origin === undefined) return <span class="muted">{A.loading}</span>;
  if (origin === null) return <span class="muted" role="alert">{A.notLoaded}</span>;
  const first = found.origin(query);
  return (
    <>
      {origin.known ? <strong>{F.firstIs(dayOf(origin.first_seen), visible(origin.project ?? ""))}</strong> : <strong>{F.firstUnknown}</strong>}
      {origin.reason && <span class="muted">: {visible(origin.reason)}</span>}{" "}
      <span class="nowrap">
        {first >= 0 && <a href={compareAddress(query, first)}>{F.firstListed}</a>} <a href={timelineAddress(result.classOf[query])}>{A.openTimeline}</a>
      </span>
    </>
  );
}

function BlobSide({ found, blob }: { found: Found; blob: number }) {
  const text = useLoaded(() => found.blobText(blob), [blob]);
  return (
    <section class="evidence-side">
      <h2>
        {F.blob} <code class="fingerprint" title={F.swhid}>{visible(found.table.blobs.names[found.blob(blob)])}</code>
      </h2>
      {text === undefined && <p class="muted">{A.loading}</p>}
      {text === null && <p class="muted" role="alert">{A.notLoaded}</p>}
      {text && <BlobEvidence text={text} />}
    </section>
  );
}

function BlobEvidence({ text: { licenses, places } }: { text: BlobText }) {
  const [shown, showMore] = useShowMore(3);
  return (
    <>
      {licenses.map((license, at) => (
        <LicenseOf key={at} license={license} alone={licenses.length === 1} />
      ))}
      <h3>{A.places(places.length)}</h3>
      <PlaceTable places={places.slice(0, shown)} />
      {places.length > shown && <button class="quiet" onClick={showMore}>{A.moreRows(places.length - shown)}</button>}
    </>
  );
}

function LicenseOf({ license: { expression, layer, layers, occurrences }, alone }: { license: BlobLicense; alone: boolean }) {
  const says = layers.filter((one) => one.layer !== "none");
  return (
    <>
      <p class="license">
        <strong>{licenseText(expression ?? "")}</strong>{" "}
        {expression !== null && <span class="muted">{A.licenseBy(A.layers[layer] ?? visible(layer))}</span>}{" "}
        {!alone && <span class="muted">{F.ofPlaces(occurrences.length)}</span>}
      </p>
      {says.length === 0 ? (
        <p class="muted">{F.noLicenseKnown}</p>
      ) : (
        <details>
          <summary title={A.layersWhat}>{A.layersTitle(says.length)}</summary>
          <ul class="layers">
            {says.map((one, at) => (
              <LayerRow key={at} layer={one} counts={one.layer === layer && one.expression === expression} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

