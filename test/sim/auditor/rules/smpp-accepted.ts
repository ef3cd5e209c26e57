import { finalStateOf } from "../final-states.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { text as textOf } from "../json.ts";
import { isAccepted, isRefused, type SmppText } from "../smpp-clients.ts";
import { messagesOfText, type TextMessage } from "../smpp-messages.ts";

const found = finder(
  "smpp-accepted",
  "ROK to the submit that completes a text: accepted, paid for, on the disk. Each such text is one message.",
);
const again = finder(
  "smpp-repeated",
  "Repeated within 10 minutes a text gets the first id again, no second message and price; not where the first became FAILED or CANCELLED.",
);

/** Parts wait for no less than so long (`part_wait_seconds`), as this run has it, less what a look may be early. */
const SLACK_MS = 5_000;

/** Each text that was accepted over SMPP is a message of its account, and no text is two. */
export const smppAccepted: Rule = (history) => {
  if (history.restAtMs === null) return [];
  return history.smpp.texts.flatMap((text) => {
    const messages = messagesOfText(history, text);
    return [
      ...missing(history, text, messages),
      ...doubled(history, text, messages),
      ...others(history, text, messages),
    ];
  });
};

function nameOf({ user, msisdn }: SmppText): string {
  return `the text of ${user.systemId} to ${msisdn}`;
}

function missing(history: History, text: SmppText, messages: readonly TextMessage[]): readonly Finding[] {
  const acceptedAtMs = acceptedBy(history, text);
  if (acceptedAtMs === null || messages.length > 0) return [];
  const what = `${nameOf(text)} was answered with ROK at ${at(acceptedAtMs)}, and is no message`;
  return [found(acceptedAtMs, what, text.msisdn)];
}

/** When the last of all parts was accepted; null where one was not, or where parts may have been given up meanwhile. */
function acceptedBy(history: History, { parts, total }: SmppText): number | null {
  if (parts.length < total) return null;
  const submits = parts.flatMap((part) => part.submits);
  const times = parts.map((part) => part.submits.find(isAccepted)?.answer?.leftAtMs ?? null);
  if (times.some((time) => time === null)) return null;
  const known = times.filter((time) => time !== null);
  const [firstMs, lastMs] = [Math.min(...submits.map(({ sentAtMs }) => sentAtMs)), Math.max(...known)];
  // Where parts wait, a clock that is set ends their time, and a refusal of one ends the others.
  if (total > 1 && (submits.some(isRefused) || wasClockSet(history))) return null;
  return total > 1 && lastMs - firstMs > waitMs(history) - SLACK_MS ? null : lastMs;
}

function waitMs({ settings }: History): number {
  const table = settings[0]?.document.smpp_server as { readonly part_wait_seconds?: number } | undefined;
  return (table?.part_wait_seconds ?? 600) * 1000;
}

function wasClockSet({ observations }: History): boolean {
  return observations.some(({ kind }) => kind === "clock");
}

/** Two messages of one text, of which the first was neither FAILED nor CANCELLED. */
function doubled(history: History, text: SmppText, messages: readonly TextMessage[]): readonly Finding[] {
  const standing = messages.filter(({ status }) => status !== "FAILED" && status !== "CANCELLED");
  if (standing.length < 2) return [];
  const ids = standing.map(({ messageId }) => messageId);
  const what = `${nameOf(text)} is ${standing.length} messages, and none of them failed: ${ids.join(", ")}`;
  return [again(history.endAtMs, what, text.msisdn, ...ids)];
}

/** Other ids than the first, and another sender than was asked for. */
function others(history: History, text: SmppText, messages: readonly TextMessage[]): readonly Finding[] {
  const [only] = messages;
  if (!only || messages.length > 1) return [];
  const state = finalStateOf(history, only.message);
  const shown = textOf(state?.view.json, "sender");
  const wrong =
    shown === text.sender
      ? []
      : [found(history.endAtMs, `${nameOf(text)} was of ${text.sender}, and is of ${shown}`, text.msisdn)];
  // Parts that are given up and come again are new ones, and so is what comes after a clock that was set.
  if (text.total > 1 || wasClockSet(history)) return wrong;
  const refused = refusedAgain(text, only);
  if (refused !== null) {
    const what = `${nameOf(text)} was accepted, and its repetition was refused with ${refused}`;
    return [...wrong, again(history.endAtMs, what, text.msisdn, only.messageId)];
  }
  const ids = new Set(
    text.parts.flatMap(({ submits }) =>
      submits.flatMap(({ answer }) => (answer?.status === 0 ? [answer.id] : [])),
    ),
  );
  if (ids.size <= 1) return wrong;
  const what = `${nameOf(text)} is one message, and was answered with several ids: ${[...ids].join(", ")}`;
  return [...wrong, again(history.endAtMs, what, text.msisdn, ...ids)];
}

const SAME_MS = 600_000;

/** The status that a whole text was refused with for good after it had been accepted; null: none. */
function refusedAgain({ parts }: SmppText, { status }: TextMessage): number | null {
  if (status === "FAILED" || status === "CANCELLED") return null;
  const submits = parts.flatMap((part) => part.submits);
  const acceptedAtMs = submits.find(isAccepted)?.answer?.leftAtMs ?? Number.POSITIVE_INFINITY;
  const refused = submits.find(
    (submit) =>
      isRefused(submit) &&
      submit.sentAtMs > acceptedAtMs &&
      submit.sentAtMs < acceptedAtMs + SAME_MS - SLACK_MS,
  );
  return refused?.answer?.status ?? null;
}
