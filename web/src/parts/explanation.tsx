// What makes both sides of a pair of type 4 alike: the parts of the similarity, the words that count, and how many statements correspond.

import { useState } from "preact/hooks";
import { PARTS, type Explanation, type OneSided } from "../data/explanation";
import { E, T } from "../text";
import { Fact } from "./evidence";
import { visible } from "./visible";

/** Whether the reader has it open; it stays so from finding to finding. Where there is little room, the code comes first. */
let isOpen = (globalThis.innerWidth ?? 1000) > 800;

export function ExplanationPanel({ explanation }: { explanation: Explanation }) {
  const [open, setOpen] = useState(isOpen);
  const toggle = (event: Event) => setOpen((isOpen = (event.currentTarget as HTMLDetailsElement).open));
  const { words, statements, only_left, only_right } = explanation;
  const told = words.slice(0, 4).map(({ left, right }) => visible(left === right ? left : `${left} ~ ${right}`));
  return (
    <details class="evidence explanation" open={open} onToggle={toggle}>
      <summary title={E.what}>
        <span class="evidence-title">{E.title}</span>
        <span class="evidence-line">{E.statements(statements.length, statements.length + only_left.statements.length, statements.length + only_right.statements.length)}</span>
        {!open && told.length > 0 && <span class="evidence-line">{told.join(", ")}</span>}
      </summary>
      {open && (
        <dl class="explanation-body">
          <Fact name={E.parts(explanation.similarity)}><Parts explanation={explanation} /></Fact>
          <Fact name={E.words}>
            {words.length === 0 && <span class="muted">{E.noWords}</span>}
            <span class="words">
              {words.map(({ left, right, adds }) => (
                <span key={`${left} ${right}`} class={left === right ? "word" : "word related"} title={left === right ? E.adds(adds) : `${E.related}, ${E.adds(adds)}`}>
                  {visible(left === right ? left : `${left} ~ ${right}`)}
                </span>
              ))}
            </span>
          </Fact>
          <Fact name={E.only(T.left)}><Alone side={only_left} /></Fact>
          <Fact name={E.only(T.right)}><Alone side={only_right} /></Fact>
        </dl>
      )}
    </details>
  );
}

function Parts({ explanation }: { explanation: Explanation }) {
  return (
    <table class="parts">
      <tbody>
        {PARTS.map((name) => {
          const { adds, cosine } = explanation.parts[name];
          const share = Math.max(0, Math.min(1, adds / Math.max(explanation.similarity, 0.01)));
          return (
            <tr key={name} title={E.cosine(cosine)}>
              <th scope="row">{E.partNames[name]}</th>
              <td class="bar-cell"><span class="meter" aria-hidden="true"><span style={{ width: `${share * 100}%` }} /></span></td>
              <td class="figure">{adds.toFixed(2)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Alone({ side }: { side: OneSided }) {
  if (side.words.length === 0) return <span class="muted">{E.noWords}</span>;
  return (
    <span class="words">
      {side.words.map((word) => <span key={word} class="word alone">{visible(word)}</span>)}
    </span>
  );
}
