// One job: how far it is, and what came of it.

import { useEffect, useRef, useState } from "preact/hooks";
import { Partial } from "../../parts/partial";
import { visible } from "../../parts/visible";
import { percent } from "../../text";
import { opened } from "../address";
import { server } from "../api";
import { ended, useJob } from "../follow";
import { duration, fraction } from "../format";
import type { Job, ResultRow } from "../model";
import { type ServerRequest, Bar, Confirm, Empty, Failed, Figures, Loading, Page, useRequest } from "../parts";
import type { Rights } from "../rights";
import { T, number } from "../text";
import { OutcomeFigures, outcomeOf } from "./outcome";
import { Downloads } from "./results";

export function JobView({ id, rights }: { id: string; rights: Rights }) {
  const { job, problem, set } = useJob(id);
  if (problem) {
    if (problem.status !== 404) return <Failed problem={problem} />;
    return (
      <Empty title={T.views.jobs}>
        <p>{T.jobUnknown}</p>
        <p><a href="#/results">{T.toResults}</a></p>
      </Empty>
    );
  }
  if (!job) return <Loading />;
  return <JobDetails job={job} set={set} rights={rights} />;
}

function JobDetails({ job, set, rights }: { job: Job; set: (job: Job) => void; rights: Rights }) {
  const [asking, ask] = useState(false);
  const over = ended(job);
  const [running] = useState(!over);
  const heading = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const part = fraction(job.done, job.total);
    const state = over || part === undefined ? T.state(job.state) : percent(part);
    document.title = T.title(`${visible(state)} · ${T.views.jobs}`);
  }, [job]);
  useEffect(() => {
    // Who waited here goes on from what came of it.
    if (over && running) heading.current?.focus({ preventScroll: true });
  }, [over]);
  const corpus = job.kind.startsWith("corpus-");
  return (
    <Page
      title={visible(job.title || T.job(job.kind))}
      lead={<>{T.job(job.kind)} · {visible(T.by(job.owner))}</>}
    >
      <div class="card job" ref={heading} tabIndex={-1}>
        {/* Stages are said aloud, numbers are not. */}
        <p class="unseen" role="status">{over ? T.state(job.state) : visible(T.stage(job.state === "queued" ? "queued" : job.stage))}</p>
        {!over && <RunningJob job={job} />}
        {job.state === "done" && <Done job={job} />}
        {job.state === "failed" && (
          <>
            <h2 class="bad">{T.jobFailed}</h2>
            <p class="job-error">{visible(job.error ?? "")}</p>
            <p class="muted">{corpus ? T.jobFailedWhat.corpus : T.jobFailedWhat.clones}</p>
          </>
        )}
        {job.state === "cancelled" && <h2>{T.jobCancelled}</h2>}
        <div class="actions last">
          {!over && (rights.upload || rights.admin) && <button title={T.deleteWhat} onClick={() => ask(true)}>{T.cancelJob}</button>}
          {over && corpus && <a class="button" href="#/corpora">{T.toCorpora}</a>}
          {over && !corpus && job.state !== "done" && rights.upload && <a class="button primary" href="#/compare">{T.compareAgain}</a>}
          {over && !corpus && job.result === null && <a class="button" href="#/results">{T.toResults}</a>}
        </div>
      </div>
      {asking && !over && <Cancel job={job} set={set} close={() => ask(false)} />}
    </Page>
  );
}

function Cancel({ job, set, close }: { job: Job; set: (job: Job) => void; close: () => void }) {
  return <Confirm title={T.cancelQuestion} why={T.cancelWhy} action={T.cancelJob} keep={T.keepJob} done={async () => set(await server.cancel(job.id))} close={close} />;
}

function RunningJob({ job }: { job: Job }) {
  const queued = job.state === "queued";
  const stage = visible(T.stage(queued ? "queued" : job.stage));
  const part = queued ? undefined : fraction(job.done, job.total);
  return (
    <>
      <div class="job-line">
        <h2>{stage}</h2>
        <span class="muted">{queued ? "" : T.progress(job.done, job.total)}</span>
        <span class="spacer" />
        {part !== undefined && <b class="job-percent">{percent(part)}</b>}
      </div>
      <Bar fraction={part} label={stage} />
      <p class="muted">
        <Elapsed since={job.started ?? job.created} waiting={queued} /> · {job.kind.startsWith("corpus-") ? T.leaveCorpus : T.leave}
      </p>
    </>
  );
}

/** Counts by itself; the server's clock and this one may differ, so that it counts from when it was first seen where that is later. */
function Elapsed({ since, waiting }: { since: number; waiting: boolean }) {
  const [now, set] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => set(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{(waiting ? T.waitingFor : T.elapsed)(duration(now - since))}</>;
}

function Done({ job }: { job: Job }) {
  return job.result === null ? <DoneHead job={job} /> : <WithResult job={job} id={job.result} />;
}

/** An audit opens with what it came to. */
function WithResult({ job, id }: { job: Job; id: string }) {
  const request = useRequest(() => server.result(id), [id]);
  const outcome = request.answer?.verdicts && outcomeOf(request.answer.verdicts);
  return (
    <>
      <DoneHead job={job} outcome={outcome} />
      <Result asked={request} id={id} />
    </>
  );
}

function DoneHead({ job, outcome }: { job: Job; outcome?: ReturnType<typeof outcomeOf> | undefined }) {
  const took = job.started !== null && job.ended !== null ? T.took(duration(job.ended - job.started)) : "";
  return (
    <div class="job-line">
      <h2 class={outcome?.isBad ? "bad" : undefined}>{outcome?.what ?? T.jobDone(job.kind)}</h2>
      <span class="muted">{took}</span>
    </div>
  );
}

function Result({ asked: request, id }: { asked: ServerRequest<ResultRow>; id: string }) {
  const row = request.answer;
  return (
    <>
      {request.problem && <Failed problem={request.problem} again={request.again} />}
      <Partial unanswered={row?.unanswered} />
      {row?.verdicts && <OutcomeFigures verdicts={row.verdicts} />}
      {row && !row.verdicts && (
        <Figures
          items={row.kind === "licenses" ? [{ value: number(row.files), what: T.figures.filesRead, strong: true }] : [
            { value: percent(row.duplication, 1), what: T.figures.duplication, strong: true },
            { value: number(row.classes), what: T.figures.classes },
            { value: number(row.pairs), what: T.figures.pairs },
            { value: number(row.files), what: T.figures.files },
          ]}
        />
      )}
      <div class="actions">
        <a class="button primary" href={opened(id, row?.kind ?? "clones")}>{T.openReport}</a>
        <Downloads id={id} kind={row?.kind ?? "clones"} title={row?.title ?? ""} />
        <a class="button" href="#/results">{T.toResults}</a>
      </div>
    </>
  );
}

