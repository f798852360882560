// What several views are made of.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { visible } from "../parts/visible";
import { Problem } from "./api";
import { moment } from "./format";
import { T, number } from "./text";

/** An answer of the server, asked for when the view comes and whenever `again` is called. */
export interface ServerRequest<A> {
  answer: A | undefined;
  problem: Problem | undefined;
  again: () => void;
}

export const asProblem = (error: unknown) => (error instanceof Problem ? error : new Problem(0, error instanceof Error ? error.message : String(error)));

export function useRequest<A>(ask: () => Promise<A>, of: unknown[]): ServerRequest<A> {
  const [state, set] = useState<{ answer?: A; problem?: Problem }>({});
  const [count, setCount] = useState(0);
  useEffect(() => {
    let current = true;
    ask().then(
      (answer) => current && set({ answer }),
      (error: unknown) => current && set((before) => ({ ...before, problem: asProblem(error) })),
    );
    return () => {
      current = false;
    };
  }, [...of, count]);
  return { answer: state.answer, problem: state.problem, again: () => setCount((count) => count + 1) };
}

/** A view's frame. */
export function Page({ title, lead, actions, above, children }: { title: ComponentChildren; lead?: ComponentChildren; actions?: ComponentChildren; above?: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="page">
      <header class="page-head">
        <div class="page-title">
          {above}
          <h1>{title}</h1>
          {lead !== undefined && <p class="muted">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Shows an answer when it is there, and until then why not. */
export function WhenLoaded<A>({ request, children }: { request: ServerRequest<A>; children: (answer: A) => ComponentChildren }) {
  if (request.problem) return <Failed problem={request.problem} again={request.again} />;
  if (request.answer === undefined) return <Loading />;
  return <>{children(request.answer)}</>;
}

/** Says that something is on its way, once that takes long enough to be seen. */
export function Loading() {
  const [late, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return <p class="notice" role="status">{late ? T.loading : ""}</p>;
}

export function Failed({ problem, again }: { problem: Problem; again?: () => void }) {
  return (
    <div class="alert" role="alert">
      <p>{visible(problem.message)}</p>
      {again && <button onClick={again}>{T.again}</button>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A command to type elsewhere. */
export const Command = ({ children }: { children: string }) => <pre class="command"><code>{children}</code></pre>;

/** A bar from 0 to 1, or one that only says that something goes on. */
export function Bar({ fraction, label }: { fraction: number | undefined; label: string }) {
  const value = fraction === undefined ? {} : { "aria-valuenow": Math.round(fraction * 100) };
  return (
    <div class={fraction === undefined ? "progress unknown" : "progress"} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} {...value}>
      <span style={fraction === undefined ? {} : { width: `${fraction * 100}%` }} />
    </div>
  );
}

export function Moment({ at }: { at: number }) {
  return <time class="nowrap">{moment(at)}</time>;
}

/** Asks before something is done that cannot be undone. */
export function Confirm({ title, why, action, keep = T.cancel, done, close }: { title: string; why: string; action: string; keep?: string; done: () => Promise<void>; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const confirm = async () => {
    setBusy(true);
    try {
      await done();
      close();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} close={close}>
      <p class="dialog-text">{visible(why)}</p>
      {problem && <Failed problem={problem} />}
      <div class="actions">
        <button onClick={close}>{keep}</button>
        <button class="primary" disabled={busy} onClick={() => void confirm()}>{action}</button>
      </div>
    </Dialog>
  );
}

/** Stands above the page until it is closed; the keyboard stays in it, and goes back to where it was. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const own = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = own.current;
    dialog?.showModal();
    return () => {
      // What is behind takes no focus before.
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.getElementById("main")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={own}
      class="dialog"
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={name}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Steps through a list of which the server gives a part at a time. */
export function Pager({ offset, limit, total, go }: { offset: number; limit: number; total: number; go: (offset: number) => void }) {
  if (total <= limit && offset === 0) return null;
  return (
    <nav class="pager" aria-label={T.pages}>
      <button disabled={offset === 0} onClick={() => go(Math.max(0, offset - limit))}>{T.newer}</button>
      <span class="muted" role="status">{T.page(Math.min(offset + 1, total), Math.min(offset + limit, total), total)}</span>
      <button disabled={offset + limit >= total} onClick={() => go(offset + limit)}>{T.older}</button>
    </nav>
  );
}

export function Figures({ items }: { items: { value: string; what: string; more?: string; strong?: boolean }[] }) {
  return (
    <section class="figures">
      {items.map(({ value, what, more, strong }) => (
        <div key={what} class={strong ? "figure strong" : "figure"}>
          <span class="value">{value}</span>
          <span class="what">{what}</span>
          {more !== undefined && <span class="muted">{more}</span>}
        </div>
      ))}
    </section>
  );
}

/** The list with one that was not in it, or without one that was. */
export const toggled = <A,>(list: A[], one: A) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

/** A number in a table. */
export const Count = ({ of }: { of: number }) => <td class="count">{number(of)}</td>;

export function NotAllowed({ scope }: { scope: string }) {
  return (
    <Empty title={T.notAllowed}>
      <p>{T.notAllowedWhy(scope)}</p>
    </Empty>
  );
}
