/** Which ways of the table of states a run's messages went, as the wires and the final state tell. */
import { evidenceOf } from "./evidence.ts";
import { carriedStateOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { joinsOf } from "./joins.ts";
import { firstAnswer, type Submit } from "./wire-submits.ts";

/** Ways of messages, by the rows of docs/behaviour.md#states-of-a-message. */
export function messageMoves(history: History, reach: (name: string, times?: number) => void): void {
  for (const group of joinsOf(history).groups) {
    const [only] = group.messages;
    if (!only || group.messages.length > 1) continue;
    const submits = group.carried.map(({ submit }) => submit);
    for (const [index, submit] of submits.entries()) reachSubmit(submit, submits.slice(index + 1), reach);
    const state = carriedStateOf(history, only.message);
    if (state === null) continue;
    const code = state.errorCode === null ? "" : ` ${state.errorCode}`;
    const parts = evidenceOf(history, group);
    const accepted = parts.filter(({ mayBeAccepted }) => mayBeAccepted).length;
    if (submits.length === 0) reach(`move: QUEUED → ${state.status}${code}`);
    else if (accepted === group.segments) reach(`move: accepted whole, ended ${state.status}${code}`);
    else if (accepted > 0) reach(`move: accepted in part, ended ${state.status}${code}`);
    else reach(`move: not accepted, ended ${state.status}${code}`);
    const byReceipt = submits.every((submit) => firstAnswer(submit, "accepted")?.heardAtMs == null);
    if (byReceipt && accepted === group.segments)
      reach(`move: settled by a receipt alone, ended ${state.status}`);
  }
}

function reachSubmit(submit: Submit, later: readonly Submit[], reach: (name: string) => void): void {
  const refused = firstAnswer(submit, "refused");
  const heard = firstAnswer(submit, "accepted");
  const again = later.length > 0;
  if (submit.takenAtMs === null) reach(again ? "move: lost on its way, sent again" : "move: lost on its way");
  else if (refused && again) reach("move: refused, sent again");
  else if (submit.answers.length === 0)
    reach(again ? "move: unanswered, sent again" : "move: unanswered, waits");
  const next = later[0];
  if (next && heard?.heardAtMs != null && heard.heardAtMs > next.writtenAtMs)
    reach("move: late answer after it was sent again");
  if (next && next.life !== submit.life) reach("move: sent again by the next life");
}
