// The address of a view, in the hash.

import { useEffect, useState } from "preact/hooks";

export interface Route {
  view: string;
  parts: string[];
  params: URLSearchParams;
}

export function parse(hash: string): Route {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { view: parts[0] || "overview", parts: parts.slice(1), params: new URLSearchParams(query ?? "") };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parse(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

export function go(address: string): void {
  location.hash = address;
}

/** Changes the address without a step in the history. */
export function replace(address: string): void {
  history.replaceState(null, "", address);
}

export const compareAddress = (left: number, right: number) => `#/compare/${left}/${right}`;
export const sourceAddress = (file: number, line?: number) => `#/source/${file}${line ? `?line=${line}` : ""}`;
export const timelineAddress = (finding: number) => `#/timeline/${finding}`;
export const findingsAddress = (params: URLSearchParams) => {
  const query = params.toString();
  return `#/findings${query ? `?${query}` : ""}`;
};
export const pathSearch = (path: string) => findingsAddress(new URLSearchParams({ q: `path:"${path}"` }));
