// A share as a number behind a bar.

import { similarity } from "../text";

function rangeOf(least: number, most: number): string {
  return similarity(least) === similarity(most) ? similarity(least) : `${similarity(least).replace(" %", "")}–${similarity(most)}`;
}

export { rangeOf };

export function Meter({ least, most }: { least: number; most: number }) {
  return (
    <>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${least / 100}%` }} />
      </span>
      {rangeOf(least, most)}
    </>
  );
}
