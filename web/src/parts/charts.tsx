// Bars, as links to what they count.

import { T, number } from "../text";

export interface BarItem {
  label: string;
  value: number;
  href: string;
  class?: string;
}

const [WIDTH, HEIGHT, FOOT, HEAD] = [420, 150, 20, 14];
/** As many bars have room, however few there are. */
const FEWEST = 5;

/** Upright bars. */
export function Columns({ items, what }: { items: BarItem[]; what: string }) {
  const most = items.reduce((most, item) => Math.max(most, item.value), 1);
  // A single bar is no wall.
  const step = WIDTH / Math.max(items.length, FEWEST);
  const room = HEIGHT - FOOT - HEAD;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group">
      <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT - FOOT + 0.5} y2={HEIGHT - FOOT + 0.5} />
      {items.map((item, at) => {
        // What there is can be seen, however little it is.
        const height = item.value === 0 ? 0 : Math.max(2, (item.value / most) * room);
        const [x, middle] = [at * step, at * step + step / 2];
        return (
          <a key={item.label} href={item.href}>
            <title>{T.bar(item.label, item.value, what)}</title>
            <rect class="hit" x={x} y="0" width={step} height={HEIGHT} />
            <rect class="bar-fill" x={x + step * 0.12} y={HEIGHT - FOOT - height} width={step * 0.76} height={height} rx="1.5" />
            <text class="label" x={middle} y={HEIGHT - 6}>
              {item.label}
            </text>
            {item.value > 0 && (
              <text class="count" x={middle} y={HEIGHT - FOOT - height - 4}>
                {number(item.value)}
              </text>
            )}
          </a>
        );
      })}
    </svg>
  );
}

/** Bars that lie, with their names in front; a whole one is `whole`, or the longest. */
export function HorizontalBars({ items, what, most: whole = 1 }: { items: BarItem[]; what: string; most?: number }) {
  const most = items.reduce((most, item) => Math.max(most, item.value), whole);
  return (
    <ul class="shares">
      {items.map((item) => (
        <li key={item.label}>
          <a href={item.href} title={T.bar(item.label, item.value, what)}>
            <span class="share-label">{item.label}</span>
            <span class="share-track">
              <span class={`share-fill ${item.class ?? ""}`} style={{ width: `${(item.value / most) * 100}%` }} />
            </span>
            <span class="share-value">{number(item.value)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
