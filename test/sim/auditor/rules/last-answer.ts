import { evidenceOf } from "../evidence.ts";
import { carriedStateOf } from "../final-states.ts";
import { at, finder, type Rule } from "../finding.ts";
import { joinsOf } from "../joins.ts";
import { text } from "../json.ts";
import { wallClockOf } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";

const found = finder(
  "last-answer",
  "An answer that is no acceptance ends its own submit only: it decides when no submit of the message is in doubt any more.",
);

/** Codes of an answer that is final. Of a temporary one a message ends by its validity too, in doubt or not. */
const BY_REFUSAL = new Set(["INVALID_DESTINATION", "OPERATOR_REJECTED"]);
/** From an answer at the socket to the time that its message bears. */
const WRITTEN_DOWN_MS = 100;

/** No message is refused while its operator may have a part of it that no answer and no receipt has told of. */
export const lastAnswer: Rule = (history) => {
  const clock = wallClockOf(history);
  if (clock === null || clock.jumps) return [];
  return joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1) return [];
    const state = carriedStateOf(history, only.message);
    const endedAt = text(state?.view.json, "finalized_at");
    if (!state || endedAt === null || !BY_REFUSAL.has(state.errorCode ?? "")) return [];
    const endedAtMs = Date.parse(endedAt) - clock.wallAtStartMs;
    const doubtful = evidenceOf(history, group).flatMap(({ submits, receipts }) => {
      // A part that was accepted is needed no more, whichever of its submits that was.
      const isKnown = receipts.length > 0 || submits.some((submit) => wasTold(submit, endedAtMs, "accepted"));
      return isKnown ? [] : submits.filter((submit) => isInDoubt(submit, endedAtMs));
    });
    const [first] = doubtful;
    if (!first) return [];
    const what = `message ${state.messageId} to ${only.message.msisdn} ended ${state.errorCode} at ${at(endedAtMs)}, with ${doubtful.length} submits in doubt, the first written at ${at(first.writtenAtMs)} on link ${first.link}`;
    return [found(endedAtMs, what, state.messageId, only.message.batchId ?? "")];
  });
};

/** It left before, and nothing was said of it yet. */
function isInDoubt(submit: Submit, atMs: number): boolean {
  return submit.writtenAtMs < atMs - WRITTEN_DOWN_MS && !wasTold(submit, atMs, "any");
}

function wasTold({ answers }: Submit, atMs: number, kind: "accepted" | "any"): boolean {
  return answers.some(
    ({ heardAtMs, status }) =>
      heardAtMs !== null && heardAtMs <= atMs + WRITTEN_DOWN_MS && (kind === "any" || status === 0),
  );
}
