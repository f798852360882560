// An audit at a glance: what it comes to, findings by verdict and decision, the table of licenses, and what the audit is not.

import { useMemo } from "preact/hooks";
import { type Audit, DECISIONS, VERDICTS } from "../data/audit/audit";
import type { TableRow } from "../data/audit/model";
import type { Result } from "../data/result";
import { topFindings } from "../findings/same-lines";
import { byYear } from "../findings/timeline";
import { Columns, HorizontalBars, type BarItem } from "../parts/charts";
import { Name, Path } from "../parts/labels";
import { useShowMore } from "../parts/loaded";
import { PairsCard } from "../parts/pairs-card";
import { VerdictBadge, licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { compareAddress, findingsAddress } from "../router";
import { A, T, number, plural } from "../text";

const address = (asked: Record<string, string>) => findingsAddress(new URLSearchParams(asked));

export function AuditOverview({ result, audit }: { result: Result; audit: Audit }) {
  const { summary, against } = audit.table;
  const { verdicts, decisions, byDecision } = useMemo(() => counted(result, audit), [result]);
  const foreign = summary.findings - summary.own;
  const { asked, what } = A.outcome(byDecision.get("denied") ?? 0, byDecision.get("open") ?? 0, foreign);
  return (
    <>
      <section class="outcome">
        <h1 class={byDecision.has("denied") ? "bad" : undefined}>{asked ? <a href={address({ policy: asked })}>{what}</a> : what}</h1>
        <p class="muted">
          {A.searched(filesHere(result, audit), result.tables.head.summary.files)}
          {against.length > 0 && <> {A.comparedWith} <span class="against">{against.map(visible).join(", ")}</span>.</>}
          {summary.own > 0 && ` ${A.foreignMore(summary.own)}`}
        </p>
      </section>
      <section class="figures verdict-figures">
        {VERDICTS.filter((verdict) => verdict === "conflict" || verdicts.has(verdict)).map((verdict) => (
          <a key={verdict} class={`figure fill-${verdict}`} href={address({ verdict, ...policyOf(summary.own) })}>
            <span class="value">{number(verdicts.get(verdict) ?? 0)}</span>
            <span class="what">{A.verdicts[verdict]}</span>
            <span class="muted">{A.verdictWhat[verdict]}</span>
          </a>
        ))}
      </section>
      {summary.findings > 0 && <TopFindings result={result} audit={audit} />}
      <section class="columns audit-columns">
        <div class="card">
          <h2>{A.byDecision}</h2>
          <HorizontalBars items={decisions} what={A.findings} />
          <LeftOut audit={audit} />
        </div>
        <Years audit={audit} />
      </section>
      {audit.table.table.length > 0 && <Table rows={audit.table.table} policy={policyOf(summary.own)} />}
      <PairsCard result={result} />
      <p class="disclaimer"><strong>{A.disclaimer}.</strong> {visible(audit.table.disclaimer)}</p>
    </>
  );
}

/** How many of the audited files hold a finding. */
function filesHere({ tables: { fragments } }: Result, audit: Audit): number {
  const files = new Set<number>();
  fragments.file.forEach((file, id) => audit.isHere(id) && files.add(file));
  return files.size;
}

/** The findings to look at first, with what is to be decided of each. */
function TopFindings({ result, audit }: { result: Result; audit: Audit }) {
  const { fragments } = result.tables;
  const numbers = useMemo(() => topFindings(result, 10), [result]);
  return (
    <div class="card top-findings">
      <h2>
        {T.topClasses}
        <a href={address(policyOf(audit.table.summary.own))}>{T.allFindings}</a>
      </h2>
      <ol class="top-list">
        {numbers.map((at) => {
          const [here, origin] = [result.members(at)[0], audit.table.findings.origin[at]];
          return (
            <li key={at}>
              <VerdictBadge verdict={audit.verdict(at)} />
              <a href={compareAddress(here, origin)} class="name"><Name result={result} fragment={here} /></a>
              <Path path={result.path(here)} line={fragments.start[here]} />
              <span class="amount" title={visible(result.path(origin))}>
                {A.from(visible(audit.project(origin)), licenseText(audit.license(origin)))} · {plural(fragments.lines[here], T.lineWord, T.linesWord)}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** What leaves the project's own code out, where there is any. */
const policyOf = (own: number): Record<string, string> => (own > 0 ? { policy: "others" } : {});

/** Findings by verdict, without the project's own, and by decision. */
function counted(result: Result, audit: Audit): { verdicts: Map<string, number>; decisions: BarItem[]; byDecision: Map<string, number> } {
  const [byVerdict, byDecision] = [new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  for (let finding = 0; finding < result.tables.classes.type.length; finding++) {
    const decision = audit.decision(finding);
    add(byDecision, decision);
    if (decision !== "own") add(byVerdict, audit.verdict(finding));
  }
  const decisions = DECISIONS.filter((decision) => byDecision.has(decision)).map(
    (decision): BarItem => ({ label: A.decisions[decision], value: byDecision.get(decision) ?? 0, class: `fill-${decision}`, href: address({ policy: decision }) }),
  );
  return { verdicts: byVerdict, decisions, byDecision };
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
  const [shown, showMore] = useShowMore(ROWS);
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
