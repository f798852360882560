// How a finding's type, its path and its name are shown.

import type { Result } from "../data/result";
import { T, typeLong } from "../text";
import { visible } from "./visible";

export function TypeBadge({ type }: { type: number }) {
  return (
    <span class={`badge type-${type}`} title={typeLong(type)}>
      T{type}
    </span>
  );
}

/** A path whose folders give way before its file name does, the first of them first. */
export function Path({ path, line }: { path: string; line?: number | undefined }) {
  const at = path.lastIndexOf("/") + 1;
  return (
    <span class="path" title={visible(path)}>
      {at > 0 && (
        <span class="folder">
          <bdi dir="ltr">{visible(path.slice(0, at - 1))}</bdi>
        </span>
      )}
      {at > 0 && <span class="slash">/</span>}
      <span class="file">{visible(path.slice(at))}</span>
      {line !== undefined && <span class="line-number">:{line}</span>}
    </span>
  );
}

export function nameOf(result: Result, fragment: number): string {
  return visible(result.name(fragment)) || T.anonymous(result.kind(fragment));
}

/** A fragment's name, or what it is. */
export function Name({ result, fragment }: { result: Result; fragment: number }) {
  return result.name(fragment) ? <>{nameOf(result, fragment)}</> : <span class="unnamed">{nameOf(result, fragment)}</span>;
}
