// The pairs of groups with most in common, on the overview.

import type { Result } from "../data/result";
import { download } from "../download";
import { between, groups, pairsCsv } from "../findings/groups";
import { T, number, similarity } from "../text";
import { useSections } from "./sections";
import { visible } from "./visible";

export function PairsCard({ result }: { result: Result }) {
  const found = groups(result);
  const { sections } = useSections(result, "top");
  if (found.links.length === 0) return null;
  return (
    <div class="card pairs-card">
      <h2>
        {T.pairsBetween}
        <span>
          <button class="quiet" onClick={() => download(pairsCsv(found, found.links, sections), "familiar-pairs.csv", "text/csv")}>{T.pairsCsv(found.links.length)}</button> <a href="#/network">{T.openNetwork}</a>
        </span>
      </h2>
      <ol class="top-list">
        {found.links.slice(0, 10).map((link) => (
          <li key={`${link.a}-${link.b}`}>
            <a href={between(found, link)}>{`${visible(found.names[link.a])} – ${visible(found.names[link.b])}`}</a>
            <span class="amount">
              {number(link.lines)} {T.linesWord} · {similarity(link.similarity)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
