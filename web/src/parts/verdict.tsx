// Verdicts, decisions and licenses as they are shown.

import { A } from "../text";
import { visible } from "./visible";

export function VerdictBadge({ verdict }: { verdict: string }) {
  return (
    <span class={`verdict verdict-${verdict}`} title={A.verdictWhat[verdict]}>
      {A.verdicts[verdict] ?? visible(verdict)}
    </span>
  );
}

export function DecisionBadge({ decision }: { decision: string }) {
  return (
    <span class={`decision decision-${decision}`} title={A.decisionWhat[decision]}>
      {A.decisions[decision] ?? visible(decision)}
    </span>
  );
}

export const licenseText = (license: string) => (license === "" || license === "NONE" ? A.noLicense : visible(license));
