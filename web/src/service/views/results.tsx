// Results of comparisons, and the jobs that make more of them.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { visible } from "../../parts/visible";
import { go } from "../../router";
import { percent, T as R } from "../../text";
import { download, opened, view } from "../address";
import { server } from "../api";
import { ended } from "../follow";
import { fraction } from "../format";
import { type Job, type ResultRow, formats } from "../model";
import { Bar, Confirm, Count, Empty, Moment, Page, Pager, useRequest, WhenLoaded } from "../parts";
import type { Rights } from "../rights";
import { T, number, size } from "../text";
import { OutcomeCell } from "./outcome";

const LIMIT = 50;
/** Jobs that are looked at for those that are not done. */
const JOBS = 20;
/** Seconds for which a failed one is shown. */
const DAY = 86_400;
/** Milliseconds until running jobs are asked for again. */
const PERIOD = 3_000;

export function Results({ rights, params }: { rights: Rights; params: URLSearchParams }) {
  const offset = Math.max(0, Math.floor(Number(params.get("from")) || 0));
  const request = useRequest(() => server.results({ offset, limit: LIMIT }), [offset]);
  const [toDelete, setToDelete] = useState<ResultRow>();
  const [message, setMessage] = useState("");
  const remove = async (row: ResultRow) => {
    await server.removeResult(row.id);
    setMessage(T.deleted(visible(row.title)));
    request.again();
  };
  return (
    <Page title={T.views.results} actions={rights.upload && request.answer && request.answer.total > 0 ? <a class="button primary" href="#/compare">{T.views.compare}</a> : undefined}>
      <p class="unseen" role="status">{message}</p>
      {offset === 0 && <Jobs done={request.again} />}
      <WhenLoaded request={request}>
        {({ total, results }) =>
          total === 0 ? (
            <Empty title={T.noResults}>
              <p>{T.noResultsWhy}</p>
              {rights.upload && <p><a class="button primary" href="#/compare">{T.views.compare}</a></p>}
            </Empty>
          ) : (
            <>
              <Table rows={results} remove={rights.upload || rights.admin ? setToDelete : undefined} />
              <Pager offset={offset} limit={LIMIT} total={total} go={(from) => go(from === 0 ? "#/results" : `#/results?from=${from}`)} />
            </>
          )
        }
      </WhenLoaded>
      {toDelete && <Confirm title={T.deleteResult} why={T.deleteResultWhy(toDelete.title)} action={T.delete} done={() => remove(toDelete)} close={() => setToDelete(undefined)} />}
    </Page>
  );
}

function Table({ rows, remove }: { rows: ResultRow[]; remove: ((row: ResultRow) => void) | undefined }) {
  const names = T.resultColumns;
  return (
    <div class="table-box">
      <table class="list">
        <caption class="unseen">{T.resultsTable}</caption>
        <thead>
          <tr>
            <th scope="col">{names.title}</th>
            <th scope="col">{names.kind}</th>
            <th scope="col" class="minor">{names.created}</th>
            <th scope="col" class="count minor">{names.files}</th>
            <th scope="col" class="count">{names.classes}</th>
            <th scope="col" class="count minor">{names.pairs}</th>
            <th scope="col" class="count">{names.duplication}</th>
            <th scope="col" class="count minor">{names.bytes}</th>
            <th scope="col"><span class="unseen">{names.actions}</span></th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" class="wide"><a href={opened(row.id, row.kind)} title={visible(row.title)}>{visible(row.title)}</a>{row.unanswered.length > 0 && <span class="badge partial-badge" title={row.unanswered.map(({ peer, reason }) => visible(R.unanswered(peer, reason))).join("; ")}>{T.resultPartial}</span>}</th>
              <td class="nowrap">{T.job(row.kind)}</td>
              <td class="minor"><Moment at={row.created} /></td>
              <td class="count minor">{number(row.files)}</td>
              {row.verdicts ? (
                <td class="count" colSpan={3}><OutcomeCell verdicts={row.verdicts} /></td>
              ) : row.kind === "licenses" ? (
                // They are read, not compared.
                <><td class="count" /><td class="count minor" /><td class="count" /></>
              ) : (
                <>
                  <Count of={row.classes} />
                  <td class="count minor">{number(row.pairs)}</td>
                  <td class="count">{percent(row.duplication, 1)}</td>
                </>
              )}
              <td class="count minor">{size(row.bytes)}</td>
              <td class="row-actions">
                <Downloads id={row.id} kind={row.kind} title={row.title} />
                {remove && <button class="quiet link" aria-label={T.deleteNamed(visible(row.title))} title={T.deleteWhat} onClick={() => remove(row)}>{T.delete}</button>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Pixels that the menu of formats may take below its button. */
const MENU = 220;

/** A result in other formats. */
export function Downloads({ id, kind, title }: { id: string; kind: string; title: string }) {
  const menu = useId();
  const [button, list] = [useRef<HTMLButtonElement>(null), useRef<HTMLUListElement>(null)];
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const close = () => list.current?.hidePopover();
    addEventListener("scroll", close, true);
    addEventListener("resize", close);
    return () => {
      removeEventListener("scroll", close, true);
      removeEventListener("resize", close);
    };
  }, [open]);
  const place = () => {
    const [box, at] = [list.current, button.current?.getBoundingClientRect()];
    if (!box || !at) return;
    const [width, height] = [document.documentElement.clientWidth, document.documentElement.clientHeight];
    const below = at.bottom + MENU < height;
    box.style.right = `${Math.max(8, width - Math.max(at.right, 200))}px`;
    box.style.top = below ? `${at.bottom + 4}px` : "auto";
    box.style.bottom = below ? "auto" : `${height - at.top + 4}px`;
  };
  return (
    <>
      <button ref={button} class="quiet link menu-button" popovertarget={menu} title={T.downloadsWhat} aria-label={title ? T.downloadNamed(visible(title)) : undefined}>{T.downloads}</button>
      <ul ref={list} id={menu} class="menu" popover="auto" onBeforeToggle={place} onToggle={(event) => setOpen(event.newState === "open")}>
        {formats(kind).map((format) => (
          <li key={format}><a href={download(id, format)} download onClick={() => list.current?.hidePopover()}>{T.formats[format]}</a></li>
        ))}
      </ul>
    </>
  );
}

/** What is not done, or went wrong; calls `done` when one of them is. */
function Jobs({ done }: { done: () => void }) {
  const request = useRequest(() => server.jobs({ offset: 0, limit: JOBS }), []);
  const jobs = (request.answer?.jobs ?? []).filter((job) => !ended(job) || (job.state === "failed" && (job.ended ?? job.created) > Date.now() / 1000 - DAY));
  const running = jobs.filter((job) => !ended(job)).length;
  const before = useRef(0);
  useEffect(() => {
    if (running < before.current) done();
    before.current = running;
    if (running === 0) return;
    const timer = setTimeout(request.again, PERIOD);
    return () => clearTimeout(timer);
  }, [request.answer, request.problem]);
  if (jobs.length === 0) return null;
  return (
    <section class="card jobs">
      <h2>{T.jobsNow}</h2>
      <ul>
        {jobs.map((job) => <JobRow key={job.id} job={job} />)}
      </ul>
    </section>
  );
}

function JobRow({ job }: { job: Job }) {
  const title = visible(job.title || T.job(job.kind));
  return (
    <li>
      <a class="jobs-title" href={view("jobs", job.id)}>{title}</a>
      <span class="muted nowrap">{T.job(job.kind)}</span>
      {job.state === "running" && <Bar fraction={fraction(job.done, job.total)} label={title} />}
      <span class={job.state === "failed" ? "bad nowrap" : "muted nowrap"}>{T.state(job.state)}</span>
    </li>
  );
}
