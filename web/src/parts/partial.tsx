// That an answer is not everything, and who is to blame.

import { T } from "../text";
import { visible } from "./visible";

export interface Unanswered {
  peer: string;
  reason: string;
}

export function Partial({ unanswered }: { unanswered: Unanswered[] | undefined }) {
  if (!unanswered?.length) return null;
  return <p class="partial" role="alert">{T.partial} {unanswered.map(({ peer, reason }) => visible(T.unanswered(peer, reason))).join("; ")}</p>;
}
