// Beside two fragments: the licenses of both sides, whose they are since when, and what follows for the pair.

import { useState } from "preact/hooks";
import type { Audit } from "../data/audit/audit";
import type { Evidence, FindingText, PairText, Place, Rule } from "../data/audit/model";
import { NO_CLASS, type Result } from "../data/result";
import { Fact, LayerRow } from "../parts/evidence";
import { useLoaded, useShowMore } from "../parts/loaded";
import { PlaceTable } from "../parts/places";
import { DecisionBadge, VerdictBadge, licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { timelineAddress } from "../router";
import { A } from "../text";
import { findingOf } from "./findings";

/** Whether the reader has it open; it stays so from finding to finding. */
let isOpen = true;

interface Properties {
  result: Result;
  audit: Audit;
  sides: [number, number];
}

export function EvidencePanel({ result, audit, sides }: Properties) {
  const [open, setOpen] = useState(isOpen);
  const number = findingOf(result, sides);
  const pair = result.pairOf(...sides);
  const toggle = (event: Event) => setOpen((isOpen = (event.currentTarget as HTMLDetailsElement).open));
  const [here, there] = sides.map((id) => licenseText(audit.license(id)));
  return (
    <details class="evidence" open={open} onToggle={toggle}>
      <summary title={A.evidenceWhat}>
        <span class="evidence-title">{A.evidenceTitle}</span>
        {pair >= 0 && <VerdictBadge verdict={audit.verdictOfPair(pair)} />}
        {number !== NO_CLASS && <DecisionBadge decision={audit.decision(number)} />}
        <span class="evidence-line">{here} ← {there}</span>
        {pair >= 0 && <span class="evidence-line">{A.attribution}: {A.grades[audit.grade(pair)] ?? audit.grade(pair)}</span>}
        {pair >= 0 && audit.isLaundering(pair) && <span class="evidence-line strong">{A.launderingTitle}</span>}
      </summary>
      {open && (
        <div class="evidence-body" tabIndex={0} role="group" aria-label={A.evidenceTitle}>
          {number !== NO_CLASS && pair >= 0 && <PairPanel result={result} audit={audit} number={number} pair={pair} />}
          <div class="evidence-sides">
            {sides.map((id) => (
              <SidePanel key={id} audit={audit} id={id} />
            ))}
          </div>
        </div>
      )}
    </details>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul class="bullets">
      {lines.map((line) => (
        <li key={line}>{visible(line)}</li>
      ))}
    </ul>
  );
}

function Rules({ rules }: { rules: Rule[] }) {
  return (
    <ul class="bullets">
      {rules.map((rule) => (
        <li key={`${rule.source} ${rule.text}`}>
          {visible(rule.text)} <cite>{visible(rule.source)}</cite>
        </li>
      ))}
    </ul>
  );
}

function PairPanel({ result, audit, number, pair }: { result: Result; audit: Audit; number: number; pair: number }) {
  const finding = useLoaded(() => audit.text(number), [number]);
  if (finding === undefined) return <p class="muted">{A.loading}</p>;
  if (finding === null) return <p class="muted" role="alert">{A.notLoaded}</p>;
  const right = result.tables.pairs.right[pair];
  const pairText = finding.pairs.find((other) => other.right === right);
  const isOrigin = audit.table.findings.origin[number] === right;
  // What is said of the finding is said of its origin; of other pairs it is what the licenses say.
  const { duties, rules } = isOrigin || !pairText ? finding : pairText;
  return (
    <dl class="facts-grid">
      {finding.reason && <Fact name={A.why}>{visible(finding.reason)}</Fact>}
      {finding.advice.length > 0 && <Fact name={A.advice} class="advice"><Lines lines={finding.advice} /></Fact>}
      {duties.length > 0 && <Fact name={A.duties}><Lines lines={duties} /></Fact>}
      {rules.length > 0 && <Fact name={A.rules}><Rules rules={rules} /></Fact>}
      {pairText && <Direction audit={audit} pair={pair} text={pairText} />}
      {pairText && (
        <Fact name={A.attribution}>
          {A.grades[audit.grade(pair)] ?? visible(audit.grade(pair))}
          {pairText.attribution.length > 0 && <Lines lines={pairText.attribution} />}
        </Fact>
      )}
      {pairText && pairText.laundering.length > 0 && <Fact name={A.launderingTitle} class="strong"><Lines lines={pairText.laundering} /></Fact>}
      <Origin finding={finding} number={number} />
    </dl>
  );
}

function Direction({ audit, pair, text }: { audit: Audit; pair: number; text: PairText }) {
  const ways: [string, string | null][] = [
    [A.intoHere, text.rightToLeft],
    [A.intoThere, text.leftToRight],
  ];
  return (
    <Fact name={A.direction}>
      {A.directions[audit.older(pair)] ?? visible(audit.older(pair))}
      {text.direction.length > 0 && <Lines lines={text.direction} />}
      <p class="ways">
        {ways.map(([what, status]) => status && <span key={what}>{what}: <VerdictBadge verdict={status} /></span>)}
        {text.apprentice && <span>{A.apprentice}: <VerdictBadge verdict={text.apprentice} /></span>}
      </p>
    </Fact>
  );
}

function Origin({ finding, number }: { finding: FindingText; number: number }) {
  return (
    <>
      <Fact name={A.origin}>
        {finding.originReason && `${visible(finding.originReason)} `}
        <a href={timelineAddress(number)}>{A.openTimeline}</a>
      </Fact>
      <Fact name={A.fingerprint}><code class="fingerprint" title={A.fingerprintWhat}>{visible(finding.fingerprint)}</code></Fact>
    </>
  );
}

function SidePanel({ audit, id }: { audit: Audit; id: number }) {
  const evidence = useLoaded(() => audit.evidence(id), [id]);
  const isHere = audit.isHere(id);
  const by = audit.licenseBy(id);
  return (
    <section class="evidence-side">
      <h2>
        {isHere ? A.evidenceHere : A.evidenceThere} <span class="muted">{visible(audit.project(id))}</span>
      </h2>
      <p class="license">
        <strong>{licenseText(audit.license(id))}</strong>{" "}
        {audit.license(id) !== "" && <span class="muted">{A.licenseBy(A.layers[by] ?? visible(by))}</span>}
      </p>
      {evidence === undefined && <p class="muted">{A.loading}</p>}
      {evidence === null && <p class="muted" role="alert">{A.notLoaded}</p>}
      {evidence && <Facts evidence={evidence} by={by} isHere={isHere} />}
    </section>
  );
}

function Facts({ evidence, by, isHere }: { evidence: Evidence; by: string; isHere: boolean }) {
  const [first, ...others] = [...evidence.layers].sort((a, b) => Number(b.layer === by) - Number(a.layer === by));
  return (
    <>
      {first ? <ul class="layers"><LayerRow layer={first} counts={first.layer === by} /></ul> : <p class="muted">{A.noLayers}</p>}
      {others.length > 0 && (
        <details>
          <summary title={A.layersWhat}>{A.layersTitle(evidence.layers.length)}</summary>
          <ul class="layers">
            {others.map((layer, at) => (
              <LayerRow key={at} layer={layer} counts={false} />
            ))}
          </ul>
        </details>
      )}
      {evidence.disagreements.length > 0 && (
        <>
          <h3>{A.disagreements}</h3>
          <Lines lines={evidence.disagreements} />
        </>
      )}
      {evidence.copyrights.length > 0 && (
        <>
          <h3>{A.copyrights}</h3>
          <Copyrights lines={evidence.copyrights} />
        </>
      )}
      {evidence.places.length > 0 ? <Places places={evidence.places} /> : isHere && <p class="muted">{A.noPlaces}</p>}
    </>
  );
}

function Copyrights({ lines }: { lines: string[] }) {
  const [shown, showMore] = useShowMore(3);
  return (
    <>
      <Lines lines={lines.slice(0, shown)} />
      {lines.length > shown && <button class="quiet" onClick={showMore}>{A.moreRows(lines.length - shown)}</button>}
    </>
  );
}

function Places({ places }: { places: Place[] }) {
  const [shown, showMore] = useShowMore(3);
  return (
    <>
      <h3>{A.places(places.length)}</h3>
      <PlaceTable places={places.slice(0, shown)} />
      {places.length > shown && <button class="quiet" onClick={showMore}>{A.moreRows(places.length - shown)}</button>}
    </>
  );
}
