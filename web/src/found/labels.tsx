// Small parts that the views of a search share.

import type { Found } from "../data/found/found";
import { licenseText } from "../parts/verdict";
import { visible } from "../parts/visible";
import { F } from "../text";

/** The licenses of a blob, the others as a number; all of them where the pointer rests. */
export function Licenses({ found, fragment }: { found: Found; fragment: number }) {
  const all = found.licenses(fragment).map(licenseText);
  if (all.length === 0) return null;
  return (
    <span class="license-short" title={all.join(", ")}>
      {F.licenses(all[0], all.length - 1)}
    </span>
  );
}

/** Since when and where a query stood first; that it is not known, where it is not. */
export function First({ found, query }: { found: Found; query: number }) {
  const year = found.table.queries.year[query];
  const origin = found.origin(query);
  if (found.table.queries.originKnown[query] === 0 || year === 0) return <span class="muted" title={F.firstUnknownWhat}>{F.firstUnknown}</span>;
  return (
    <>
      {year} {origin >= 0 && <span class="muted">{visible(found.project(origin))}</span>}
    </>
  );
}
