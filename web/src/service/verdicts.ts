// Whether what was found may be in the reader's project: licenses that are judged, and whole audits of pasted code.

import { useEffect, useState } from "preact/hooks";
import { Problem, send, server } from "./api";
import type { FindResult, Job, Judged } from "./model";
import { asProblem } from "./parts";

/** Most licenses that are judged at once. */
const MOST = 100;

/** The different licenses under which something stands. */
export function licensesOf({ blobs }: FindResult): string[] {
  const all = blobs.flatMap(({ licenses = [] }) => licenses.flatMap(({ expression }) => expression ?? []));
  return [...new Set(all)].slice(0, MOST);
}

export interface Verdicts {
  by: Map<string, Judged>;
  problem: Problem | undefined;
}

/** The verdicts on some licenses in a project; none as long as nothing is said of the project. */
export function useVerdicts(project: string, licenses: string[]): Verdicts {
  const [state, set] = useState<Verdicts>({ by: new Map(), problem: undefined });
  const key = licenses.join("\n");
  useEffect(() => {
    let current = true;
    set({ by: new Map(), problem: undefined });
    if (project === "" || licenses.length === 0) return;
    // Who types is not asked at every letter.
    const timer = setTimeout(() => {
      server.verdicts({ project, code: licenses }).then(
        ({ verdicts }) => current && set({ by: new Map(verdicts.map((verdict) => [verdict.license, verdict])), problem: undefined }),
        (error: unknown) => current && set({ by: new Map(), problem: asProblem(error) }),
      );
    }, 250);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [project, key]);
  return state;
}

/** What pasted code is called as an upload, by the endings of the server; nothing where its language is not known by a name. */
export function nameOf(language: string, endings: Record<string, string>): string | undefined {
  return Object.hasOwn(endings, language) ? `pasted-code.${endings[language]}` : undefined;
}

/** Uploads code under a name and lets it be audited. */
export async function audit(name: string, code: string, corpora: string[], license: string): Promise<Job> {
  const { id } = await send(name, new Blob([code]), () => {}).upload;
  return server.audit({ uploads: [id], corpora, ...(license && { license }) });
}
