// An audit at a glance: findings by verdict and decision, the table of licenses, and what the audit is not.

import { useMemo } from "preact/hooks";
import type { Result } from "../data/result";
import { Columns, Shares, type BarItem } from "../parts/charts";
import { findingsAddress } from "../parts/router";
import { visible } from "../parts/visible";
import { A, number } from "../text";
import { type Audit, DECISIONS, VERDICTS } from "./audit";
import type { TableRow } from "./model";
import { VerdictBadge, licenseText, useShown } from "./parts";
import { byYear } from "./timeline";

const address = (asked: Record<string, string>) => findingsAddress(new URLSearchParams(asked));

export function AuditOverview({ result, audit }: { result: Result; audit: Audit }) {
  const { summary, against } = audit.table;
  const { verdicts, decisions } = useMemo(() => counted(result, audit), [result]);
  const foreign = summary.findings - summary.own;
  return (
    <>
      <section class="figures audit-figures">
        <a class={summary.denied > 0 ? "figure bad" : "figure"} href={address({ policy: "denied" })}>
          <span class="value">{number(summary.denied)}</span>
          <span class="what">{A.deniedFigure}</span>
          <span class="muted">{A.deniedWhy}</span>
        </a>
        <a class="figure" href={address(policyOf(summary.own))}>
          <span class="value">{number(foreign)}</span>
          <span class="what">{A.findings} {A.foreign}</span>
          <span class="muted">{summary.own > 0 ? A.foreignMore(summary.own) : A.findingsOf(result.tables.head.summary.files)}</span>
        </a>
        {against.length > 0 && (
          <div class="figure">
            <span class="what">{A.against}</span>
            <span class="against">{against.map(visible).join(", ")}</span>
          </div>
        )}
      </section>
      <section class="columns">
        <div class="card">
          <h2>{A.byVerdict}</h2>
          <Shares items={verdicts} what={A.findings} />
          {summary.own > 0 && <p class="muted small">{A.byVerdictMore}</p>}
        </div>
        <div class="card">
          <h2>{A.byDecision}</h2>
          <Shares items={decisions} what={A.findings} />
          <LeftOut audit={audit} />
        </div>
        <Years audit={audit} />
      </section>
      {audit.table.table.length > 0 && <Table rows={audit.table.table} policy={policyOf(summary.own)} />}
      <p class="disclaimer"><strong>{A.disclaimer}.</strong> {visible(audit.table.disclaimer)}</p>
    </>
  );
}

/** What leaves the project's own code out, where there is any. */
const policyOf = (own: number): Record<string, string> => (own > 0 ? { policy: "others" } : {});

/** Findings by verdict, without the project's own, and by decision. */
function counted(result: Result, audit: Audit): { verdicts: BarItem[]; decisions: BarItem[] } {
  const [byVerdict, byDecision] = [new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (let finding = 0; finding < result.tables.classes.type.length; finding++) {
    const decision = audit.decision(finding);
    add(byDecision, decision);
    if (decision !== "own") add(byVerdict, audit.verdict(finding));
  }
  const policy = policyOf(byDecision.get("own") ?? 0);
  const verdicts = VERDICTS.filter((verdict) => byVerdict.has(verdict)).map(
    (verdict): BarItem => ({ label: A.verdicts[verdict], value: byVerdict.get(verdict) ?? 0, class: `fill-${verdict}`, href: address({ verdict, ...policy }) }),
  );
  const decisions = DECISIONS.filter((decision) => byDecision.has(decision)).map(
    (decision): BarItem => ({ label: A.decisions[decision], value: byDecision.get(decision) ?? 0, class: `fill-${decision}`, href: address({ policy: decision }) }),
  );
  return { verdicts, decisions };
}

function LeftOut({ audit }: { audit: Audit }) {
  const { summary } = audit.table;
  const trivial = Object.entries(summary.left_out).map(([reason, count]) => `${number(count)} ${visible(reason)}`);
  const lines = [
    summary.laundering > 0 && A.laundering(summary.laundering),
    trivial.length > 0 && `${A.trivial}: ${trivial.join(", ")}`,
    summary.left_out_pairs > 0 && A.leftOutPairs(summary.left_out_pairs),
    summary.unused_acceptances.length > 0 && `${A.unused}: ${summary.unused_acceptances.map(visible).join(", ")}`,
  ].filter((line) => line !== false);
  return (
    <>
      {lines.map((line) => (
        <p key={line} class="muted small">{line}</p>
      ))}
    </>
  );
}

function Years({ audit }: { audit: Audit }) {
  const found = useMemo(() => byYear(audit.table.findings.year), [audit]);
  const items = found.years.map(({ year, findings }): BarItem => ({ label: String(year), value: findings.length, href: `#/timeline?year=${year}` }));
  return (
    <div class="card">
      <h2>
        {A.byYear}
        <a href="#/timeline">{A.openTimeline}</a>
      </h2>
      {items.length > 0 ? <Columns items={items} what={A.findings} /> : <p class="muted">{A.noYears}</p>}
      {items.length > 0 && found.unknown.length > 0 && <p class="muted small">{A.byYearMore(found.unknown.length)}</p>}
    </div>
  );
}

/** Rows of the table that are shown at once. */
const ROWS = 20;

function Table({ rows, policy }: { rows: TableRow[]; policy: Record<string, string> }) {
  const [shown, showMore] = useShown(ROWS);
  const sorted = useMemo(() => {
    const seriousness = (row: TableRow) => VERDICTS.indexOf(row.verdict as (typeof VERDICTS)[number]);
    return [...rows].sort((a, b) => seriousness(a) - seriousness(b) || b.pairs - a.pairs);
  }, [rows]);
  const hasApprentice = rows.some((row) => row.apprentice !== null);
  return (
    <section class="card license-table">
      <h2>{A.table}</h2>
      <p class="muted small">{A.tableWhat}</p>
      <div class="table-box" tabIndex={0} role="group" aria-label={A.table}>
        <table>
          <thead>
            <tr>
              {[A.here, A.there, A.verdict].map((name) => <th key={name} scope="col">{name}</th>)}
              {hasApprentice && <th scope="col">{A.apprentice}</th>}
              {[A.pairs, A.ofFindings].map((name) => <th key={name} scope="col" class="number">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((row) => {
              const asked = { verdict: row.verdict, here: row.license, license: row.other_license };
              return (
                <tr key={`${row.license}|${row.other_license}|${row.verdict}|${row.apprentice}`}>
                  <td>{licenseText(row.license)}</td>
                  <td>{licenseText(row.other_license)}</td>
                  <td><VerdictBadge verdict={row.verdict} /></td>
                  {hasApprentice && <td>{row.apprentice && <VerdictBadge verdict={row.apprentice} />}</td>}
                  <td class="number"><a href={address({ show: "pairs", ...policy, ...asked })}>{number(row.pairs)}</a></td>
                  <td class="number">{number(row.findings)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {rows.length > shown && <button class="quiet" onClick={showMore}>{A.showAll(rows.length)}</button>}
    </section>
  );
}
