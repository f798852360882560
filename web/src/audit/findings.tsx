// What an audit adds to the table of findings: filters, the cell of the verdict, and what is said of one finding.

import { useMemo } from "preact/hooks";
import type { Audit } from "../data/audit/audit";
import type { FindingKind } from "../data/model";
import { NO_CLASS, type Result } from "../data/result";
import { type AuditFilter, choices } from "../findings/audit-filter";
import { useLoaded } from "../parts/loaded";
import { DecisionBadge, VerdictBadge, licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { timelineAddress } from "../router";
import { A } from "../text";

interface BarProperties {
  result: Result;
  filter: AuditFilter;
  change: (filter: AuditFilter) => void;
}

export function AuditBar({ result, filter, change }: BarProperties) {
  const found = useMemo(() => choices(result), [result]);
  const select = (key: keyof AuditFilter, label: string, any: string, options: [string, string][]) => {
    const isKnown = filter[key] === "" || options.some(([value]) => value === filter[key]);
    return (
      <select aria-label={label} title={label} value={filter[key]} onChange={(event) => change({ ...filter, [key]: event.currentTarget.value })}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>{text}</option>
        ))}
        {!isKnown && <option value={filter[key]}>{key === "policy" && filter[key] === "others" ? A.others : visible(filter[key])}</option>}
      </select>
    );
  };
  const licenses = (list: string[]) => list.map((license): [string, string] => [license, licenseText(license)]);
  const own = found.decisions.includes("own");
  return (
    <span class="audit-bar">
      {select("verdict", A.verdict, A.anyVerdict, found.verdicts.map((verdict) => [verdict, A.verdicts[verdict] ?? verdict]))}
      {select("policy", A.decision, A.anyDecision, [...(own ? [["others", A.others] as [string, string]] : []), ...found.decisions.map((decision): [string, string] => [decision, A.decisions[decision] ?? decision])])}
      {select("here", A.here, A.anyHere, licenses(found.here))}
      {select("license", A.there, A.anyLicense, licenses(found.licenses))}
      {select("project", A.project, A.anyProject, found.projects.map((project) => [project, visible(project)]))}
    </span>
  );
}

interface CellProperties {
  audit: Audit;
  kind: FindingKind;
  finding: number;
  sides: [number, number];
}

export function VerdictCell({ audit, kind, finding, sides: [left, right] }: CellProperties) {
  const other = kind === "classes" ? audit.table.findings.origin[finding] : right;
  const verdict = kind === "classes" ? audit.verdict(finding) : audit.verdictOfPair(finding);
  const decision = kind === "classes" ? audit.decision(finding) : audit.isOwn(finding) ? "own" : "";
  const [here, there] = [licenseText(audit.license(left)), licenseText(audit.license(other))];
  return (
    <span role="gridcell" class="cell-verdict" title={A.passes(here, there)}>
      <VerdictBadge verdict={verdict} />
      {decision && <DecisionBadge decision={decision} />}
      <span class="licenses">
        {here} ← {there}
      </span>
    </span>
  );
}

/** The finding that two fragments are part of; NO_CLASS where they are of none. */
export function findingOf(result: Result, [left, right]: [number, number]): number {
  const first = Math.min(left, right);
  const number = result.classOf[first];
  if (number === NO_CLASS || !result.audit?.isHere(first)) return NO_CLASS;
  return result.members(number).includes(Math.max(left, right)) ? number : NO_CLASS;
}

/** Why a finding is what it is, and what to do. */
export function VerdictDetail({ result, sides }: { result: Result; sides: [number, number] }) {
  const { audit } = result;
  const number = findingOf(result, sides);
  const text = useLoaded(async () => (number === NO_CLASS || !audit ? null : audit.text(number)), [number]);
  if (!audit || number === NO_CLASS) return null;
  return (
    <div class="verdict-detail">
      <p>
        <VerdictBadge verdict={audit.verdict(number)} /> <DecisionBadge decision={audit.decision(number)} />
        <a class="to-timeline" href={timelineAddress(number)}>{A.timelineLink}</a>
      </p>
      {text?.reason && <p>{visible(text.reason)}</p>}
      {text && text.advice.length > 0 && (
        <ul class="bullets">
          {text.advice.map((line) => (
            <li key={line}>{visible(line)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
