// Small parts that the views of licenses share.

import { visible } from "../parts/visible";
import { A, L } from "../text";
import type { Expression } from "./model";

/** A category's colour, and its name for those who do not see it. */
export function Dot({ category }: { category: string }) {
  const name = L.categories[category] ?? visible(category);
  return <span class={`dot lc-${category}`} role="img" aria-label={name} title={`${name}. ${L.categoryWhat[category] ?? ""}`} />;
}

export function CategoryName({ category }: { category: string }) {
  return (
    <span class="category" title={L.categoryWhat[category]}>
      <span class={`dot lc-${category}`} aria-hidden="true" />
      {L.categories[category] ?? visible(category)}
    </span>
  );
}

/** An expression behind its category's colour. */
export function LicenseText({ expression }: { expression: Expression | undefined }) {
  return (
    <span class="license-text" title={expression && visible(expression.text)}>
      <Dot category={expression?.category ?? "none"} />
      {expression ? <span class="expression">{visible(expression.text)}</span> : <span class="unnamed">{L.nothingKnown}</span>}
    </span>
  );
}

export const layerText = (kind: string) => A.layers[kind] ?? visible(kind);
