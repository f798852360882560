// The result at a glance: numbers, distributions, and what is worth reading first.

import { useEffect, useMemo, useState } from "preact/hooks";
import { AuditOverview } from "../audit/overview";
import { type Skip, ownRoots } from "../data/model";
import type { Result } from "../data/result";
import { topFindings } from "../findings/same-lines";
import { FoundOverview } from "../found/overview";
import { Columns, HorizontalBars, type BarItem } from "../parts/charts";
import { Name, Path, TypeBadge } from "../parts/labels";
import { PairsCard } from "../parts/pairs-card";
import { Partial } from "../parts/partial";
import { visible } from "../parts/visible";
import { compareAddress, findingsAddress, sourceAddress } from "../router";
import { F, T, number, percent, similarity, size, typeLong } from "../text";

/** Lower ends of the groups of lines. */
const SIZES = [1, 5, 10, 20, 40, 80, 160, 320, 640];

export function Overview({ result }: { result: Result }) {
  const { summary, counts } = result.tables.head;
  if (result.found) {
    return (
      <div class="overview">
        <FoundOverview result={result} found={result.found} />
        <Ends result={result} />
      </div>
    );
  }
  if (result.audit) {
    return (
      <div class="overview">
        <Partial unanswered={summary.unanswered} />
        <AuditOverview result={result} audit={result.audit} />
        <Ends result={result} />
      </div>
    );
  }
  return (
    <div class="overview">
      <Partial unanswered={summary.unanswered} />
      <section class="figures">
        <Figure value={percent(summary.duplication, 1)} what={T.duplication} more={T.linesOf(summary.duplicated_lines, summary.lines)} strong />
        <Figure value={number(counts.classes)} what={T.classes} more={T.copies(result.tables.classes.members.length)} />
        <Figure value={number(counts.pairs)} what={T.pairs} more={T.copies(counts.fragments)} />
        <Figure value={number(counts.files)} what={T.filesWith} more={T.filesOf(summary.files, summary.bytes)} />
      </section>
      {summary.gone !== undefined && <Since fresh={counts.classes} same={summary.accepted} gone={summary.gone} />}
      {counts.pairs === 0 ? <p class="notice">{T.nothingFound}</p> : <Charts result={result} />}
      <Ends result={result} />
    </div>
  );
}

function Ends({ result }: { result: Result }) {
  return (
    <section class="columns">
      <Settings result={result} />
      <LeftOut result={result} />
    </section>
  );
}

/** What changed since the baseline. */
function Since({ fresh, same, gone }: { fresh: number; same: number; gone: number }) {
  return (
    <section class="since" aria-label={T.sinceBaseline}>
      <h2>{T.sinceBaseline}</h2>
      <dl>
        {([[fresh, T.baselineNew], [same, T.baselineSame], [gone, T.baselineGone]] as const).map(([value, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Figure({ value, what, more, strong = false }: { value: string; what: string; more: string; strong?: boolean }) {
  return (
    <div class={strong ? "figure strong" : "figure"}>
      <span class="value">{value}</span>
      <span class="what">{what}</span>
      <span class="muted">{more}</span>
    </div>
  );
}

function Charts({ result }: { result: Result }) {
  const { pairs, classes, fragments, files } = result.tables;
  const similarities = useMemo(() => bySimilarity(pairs.similarity), [pairs]);
  const sizes = useMemo(() => {
    const groups = new Uint32Array(SIZES.length);
    for (let at = 0; at < classes.type.length; at++) {
      const lines = fragments.lines[classes.members[classes.first[at]]];
      groups[SIZES.findLastIndex((from) => from <= lines)]++;
    }
    return SIZES.map((from, at): BarItem => ({
      label: at + 1 < SIZES.length ? `${from}–${SIZES[at + 1] - 1}` : `${from}+`,
      value: groups[at],
      href: findingsAddress(new URLSearchParams({ lines: String(from), sort: "lines" })),
    })).filter((item, at) => item.value > 0 || at > 0);
  }, [classes, fragments]);
  const types = useMemo(() => {
    const counted = [0, 0, 0, 0, 0];
    classes.type.forEach((type) => counted[type]++);
    return [1, 2, 3, 4]
      .filter((type) => counted[type] > 0)
      .map((type): BarItem => ({
        label: typeLong(type),
        value: counted[type],
        class: `type-${type}`,
        href: findingsAddress(new URLSearchParams({ type: String(type) })),
      }));
  }, [classes]);
  const languages = useMemo(() => {
    const lines = new Map<number, number>();
    result.duplicated.forEach((count, file) => lines.set(files.language[file], (lines.get(files.language[file]) ?? 0) + count));
    return [...lines]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, 8)
      .map(([language, value]): BarItem => {
        const label = files.languages[language];
        return { label, value, href: findingsAddress(new URLSearchParams({ language: label })) };
      });
  }, [result]);
  return (
    <>
      <section class="columns">
        <div class="card">
          <h2>{T.similarityChart}</h2>
          <Columns items={similarities} what={T.pairsWord} />
        </div>
        <div class="card">
          <h2>{T.sizeChart}</h2>
          <Columns items={sizes} what={T.classesWord} />
        </div>
        <div class="card">
          <h2>{T.typeChart}</h2>
          <HorizontalBars items={types} what={T.classesWord} />
          <h2 class="second">{T.languageChart}</h2>
          <HorizontalBars items={languages} what={T.linesWord} />
        </div>
      </section>
      <section class="columns wide">
        <TopClasses result={result} />
        <TopFiles result={result} />
        <PairsCard result={result} />
      </section>
    </>
  );
}

/** Pairs in steps of five percent from the least similarity there is; equal ones by themselves. */
function bySimilarity(values: Uint16Array): BarItem[] {
  const groups = new Uint32Array(21);
  values.forEach((value) => groups[Math.min(20, Math.floor(value / 500))]++);
  const first = Math.min(groups.findIndex((count) => count > 0), 14);
  const narrow = groups.length - first > 10;
  return Array.from(groups.subarray(first), (value, at): BarItem => {
    const from = (first + at) * 5;
    const range = { least: String(from), most: String(from === 100 ? 100 : from + 4.99) };
    return { label: from === 100 ? "100" : narrow ? String(from) : `${from}–${from + 5}`, value, href: findingsAddress(new URLSearchParams({ show: "pairs", ...range })) };
  });
}

function TopClasses({ result }: { result: Result }) {
  const { classes, fragments } = result.tables;
  const numbers = useMemo(() => topFindings(result, 10), [result]);
  return (
    <div class="card">
      <h2>
        {T.topClasses}
        <a href="#/findings">{T.allFindings}</a>
      </h2>
      <ol class="top-list">
        {numbers.map((at) => {
          const [first, second] = result.members(at);
          return (
            <li key={at}>
              <TypeBadge type={classes.type[at]} />
              <a href={compareAddress(first, second ?? first)} class="name"><Name result={result} fragment={first} /></a>
              <Path path={result.path(first)} line={fragments.start[first]} />
              <span class="amount">
                {fragments.lines[first]} {T.linesWord} × {result.members(at).length} · {similarity(result.least[at])}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function TopFiles({ result }: { result: Result }) {
  const { files } = result.tables;
  const order = useMemo(() => {
    const numbers = Array.from(result.duplicated, (_, at) => at).filter((at) => result.duplicated[at] > 0);
    return numbers.sort((a, b) => result.duplicated[b] - result.duplicated[a] || a - b).slice(0, 10);
  }, [result]);
  return (
    <div class="card">
      <h2>
        {T.topFiles}
        <a href="#/map">{T.openMap}</a>
      </h2>
      <ol class="top-list">
        {order.map((file) => (
          <li key={file}>
            <a href={sourceAddress(file)}>
              <Path path={files.paths[file]} />
            </a>
            <span class="amount">
              {number(result.duplicated[file])} {T.linesWord}
              {files.lines[file] > 0 && ` · ${percent(result.duplicated[file] / files.lines[file])}`}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Settings({ result }: { result: Result }) {
  const { head } = result.tables;
  const { settings, tool } = head;
  const rows: [string, string][] = [
    [result.found ? F.query : T.setting.roots, ownRoots(head).map((root) => (result.found && root === "-" ? F.standardInput : visible(root))).join(", ")],
    ...(result.found ? [[F.corpus, visible(result.found.table.corpus)] as [string, string]] : []),
    [T.setting.granularity, settings.granularity.join(", ")],
    [T.setting.types, settings.types.join(", ")],
    [T.setting.measure, settings.measure],
    [T.setting.similarity, String(settings.similarity)],
    [T.setting.tokens, number(settings.min_tokens)],
    [T.setting.lines, number(settings.min_lines)],
    [T.setting.tool, `${tool.name} ${tool.version}`],
  ];
  return (
    <div class="card">
      <h2>{T.settings}</h2>
      <dl class="settings">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Rows of a list that are shown at once. */
const SHOWN = 500;

function LeftOut({ result }: { result: Result }) {
  const { summary } = result.tables.head;
  const { files } = result.tables;
  const [skips, setSkips] = useState<Skip[] | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open && skips === null) void result.skipped().then(setSkips);
  }, [open]);
  const lines = [
    summary.not_code > 0 && T.notCode(summary.not_code),
    summary.generated > 0 && T.generated(summary.generated),
    summary.ignored_lines > 0 && T.ignored(summary.ignored_lines),
    summary.accepted > 0 && T.accepted(summary.accepted),
    T.notSearched(summary.skipped - summary.generated, summary.generated > 0),
    files.missing.size > 0 && (result.found ? F : T).missing(files.missing.size),
  ].filter((line) => line !== false);
  const missing = [...files.missing].map(([file, reason]): Skip => ({ root: 0, path: files.paths[file], reason }));
  const rows = [...missing, ...(skips ?? [])];
  return (
    <div class="card">
      <h2>{T.leftOut}</h2>
      <ul class="plain">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {summary.skipped + missing.length > 0 && (
        <details onToggle={(event) => setOpen((event.target as HTMLDetailsElement).open)}>
          <summary title={T.showListWhat}>{T.showList}</summary>
          <ul class="skips">
            {rows.slice(0, SHOWN).map((skip, at) => (
              <li key={at}>
                <Path path={skip.path} />
                <span class="muted">{visible(skip.reason)}</span>
              </li>
            ))}
            {rows.length > SHOWN && <li>{T.more(rows.length - SHOWN)}</li>}
          </ul>
        </details>
      )}
      <p class="muted small">{summary.bytes > 0 && `${size(summary.bytes)} · `}{number(summary.tokens)} tokens</p>
    </div>
  );
}
