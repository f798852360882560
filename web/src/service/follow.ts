// A job from now to its end: told by the server as it goes on, asked for again and again where that does not work.

import { useEffect, useState } from "preact/hooks";
import { api } from "./address";
import { Problem, server } from "./api";
import type { Job } from "./model";

/** Milliseconds between two questions. */
const PERIOD = 2_000;

export const ended = (job: Job) => job.state !== "queued" && job.state !== "running";

/** Calls `told` with every state of the job up to the last, and gives what stops that. */
export function follow(id: string, onJob: (job: Job) => void, onFailure: (problem: Problem) => void): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const events = new EventSource(api(["jobs", id, "events"]));
  const stop = () => {
    stopped = true;
    events.close();
    clearTimeout(timer);
  };
  const report = (job: Job) => {
    if (stopped) return;
    if (ended(job)) stop();
    onJob(job);
  };
  const poll = async () => {
    try {
      report(await server.job(id));
    } catch (error) {
      // A server that is away for a moment comes back.
      if (stopped) return;
      if (error instanceof Problem && error.status !== 0 && error.status < 500) return onFailure(error);
    }
    if (!stopped) timer = setTimeout(poll, PERIOD);
  };
  events.addEventListener("job", (event) => {
    try {
      report(JSON.parse(event.data as string) as Job);
    } catch {
      // The next one may be whole.
    }
  });
  events.onerror = () => {
    if (stopped) return;
    events.close();
    void poll();
  };
  return stop;
}

export function useJob(id: string): { job: Job | undefined; problem: Problem | undefined; set: (job: Job) => void } {
  const [job, set] = useState<Job>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    set(undefined);
    setProblem(undefined);
    return follow(id, set, setProblem);
  }, [id]);
  return { job, problem, set };
}
