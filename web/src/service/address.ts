// Addresses: of the server's answers, and of the page's own views.

/** One step of a path. What would lead to another folder, or cannot be written, leads to nothing. */
export function step(text: string): string {
  if (/^\.{0,2}$/.test(text)) return "-";
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a character.
    return "-";
  }
}

/** An address below the server's interface. */
export function api(steps: string[], query: Record<string, string | number> = {}): string {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return `/api/v1/${steps.map(step).join("/")}${parameters && `?${parameters}`}`;
}

/** A view of this page. */
export const view = (...steps: string[]) => `#/${steps.map(step).join("/")}`;

export const report = (id: string) => `/reports/${step(id)}/index.html`;

/** What opens a result: its pages where it has some, its text otherwise. */
export const opened = (id: string, kind: string) => (["clones", "audit", "licenses"].includes(kind) ? report(id) : download(id, "text"));
export const download = (id: string, format: string) => api(["results", id, "files", format]);
