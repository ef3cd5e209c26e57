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

/** Refusals that no operator's table calls anything else, and that say nothing about trying again. */
const FINAL: readonly number[] = [0x0a, 0x01, 0x66, 0x0400];

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

const foundAgain = finder(
  "refused-in-doubt",
  "What was refused for good is not sent again, by any route, while another submit of it is in doubt.",
);

/** Nothing of a message leaves after a refusal by its last attempt before it is known what became of an earlier submit. */
export const refusedInDoubt: Rule = (history) =>
  joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1 || group.segments > 1) return [];
    const submits = group.carried.map(({ submit }) => submit);
    const isKnown = evidenceOf(history, group).some(({ receipts }) => receipts.length > 0);
    return submits.flatMap((refused, place) => {
      const heardAtMs = refusedAt(refused);
      const next = submits[place + 1];
      if (isKnown || heardAtMs === null || !next || next.life !== refused.life) return [];
      const doubtful = submits
        .slice(0, place)
        .find((submit) => submit.life === refused.life && isInDoubt(submit, next.writtenAtMs));
      if (!doubtful || next.writtenAtMs <= heardAtMs) return [];
      const what = `the text to ${only.message.msisdn} left at ${at(next.writtenAtMs)} on link ${next.link}, though it was refused at ${at(heardAtMs)}, and nobody knew what had become of the submit written at ${at(doubtful.writtenAtMs)} on link ${doubtful.link}`;
      return [foundAgain(next.writtenAtMs, what, only.message.batchId ?? "")];
    });
  });

/** When it was first answered, with a refusal that is final; null where it was answered otherwise, or not. */
function refusedAt({ answers }: Submit): number | null {
  const [first] = answers.filter(({ heardAtMs }) => heardAtMs !== null);
  return first?.isSure && FINAL.includes(first.status) ? first.heardAtMs : null;
}

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
