// What speaks for a license: a fact by its name, and one layer of evidence.

import type { ComponentChildren } from "preact";
import type { Layer } from "../data/audit/model";
import { A } from "../text";
import { licenseText } from "./verdict";
import { visible } from "./visible";

/** A name and what is said under it; nothing where nothing is. */
export function Fact({ name, children, class: kind = "" }: { name: string; children: ComponentChildren; class?: string }) {
  return (
    <div class={`fact ${kind}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What one source says of a license; `counts` for the one by which it is concluded. */
export function LayerRow({ layer, counts }: { layer: Layer; counts: boolean }) {
  const lines = layer.start_line === undefined ? "" : layer.end_line !== undefined && layer.end_line !== layer.start_line ? `${layer.start_line}–${layer.end_line}` : `${layer.start_line}`;
  const where = [layer.path && visible(layer.path), lines].filter(Boolean).join(":");
  return (
    <li>
      <span class="layer-name">{A.layers[layer.layer] ?? visible(layer.layer)}</span>
      <strong>{licenseText(layer.expression ?? "")}</strong>
      {counts && <span class="chip">{A.counts}</span>}
      <span class="layer-where">{where}</span>
      {layer.evidence && <span class="muted layer-evidence">{visible(layer.evidence)}</span>}
    </li>
  );
}
