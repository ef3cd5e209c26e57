import {
  cloudMessages,
  isDelivery,
  type Meaning,
  meaningOf,
  type Post,
  postsFor,
  sentBackAtMs,
  type ToldStatus,
} from "../cloud.ts";
import type { ExpectedMessage } from "../expected.ts";
import { carrierOf, type FinalState, finalStateOf } from "../final-states.ts";
import { finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { list, text } from "../json.ts";
import { wallClockOf } from "../wall-clock.ts";

const untrue = finder(
  "posts-truth",
  "A message of WhatsApp is what the answers to its posts and their statuses made it.",
);
const lost = finder(
  "statuses-kept",
  "What a call says is durable before its 200: in any order and however often, the first final status wins.",
);

/** From a call to the time that its message bears. */
const WRITTEN_DOWN_MS = 2_000;

/** No final state says what Meta did not, and nothing that Meta told is lost. */
export const postsTruth: Rule = (history) =>
  cloudMessages(history).flatMap(({ message }) => {
    const state = finalStateOf(history, message);
    const posts = postsFor(history, message);
    // What went on as an SMS is judged by what its operator said.
    if (state === null || posts === null || carrierOf(state, message) !== "WHATSAPP") return [];
    const { batchId, index, msisdn } = message;
    const code = state.errorCode === null ? "" : ` (${state.errorCode} ${state.operatorCode ?? ""})`;
    const who = `message ${state.messageId} to ${msisdn} (batch ${batchId}, place ${index}) is ${state.status}${code}`;
    const why = whyUntrue(history, state, posts);
    const missed = whyLost(history, message, state, posts.at(-1));
    return [
      ...(why === null ? [] : [untrue(state.view.atMs, `${who}: ${why}`, state.messageId, batchId ?? "")]),
      ...(missed === null ? [] : [lost(state.view.atMs, `${who}, but ${missed}`, state.messageId)]),
    ];
  });

function whyUntrue(history: History, state: FinalState, posts: readonly Post[]): string | null {
  const last = posts.at(-1);
  const told = last?.told ?? [];
  switch (state.status) {
    case "DELIVERED":
      return told.some(isDelivery) ? null : "no status says that it was delivered";
    case "SENT":
      if (!state.isFinal) return "it never ends";
      if (state.errorCode !== "RECEIPT_NOT_RECEIVED") return "it has ended without a status";
      return last?.wamid === undefined || last.wamid === null ? "Meta never took it" : null;
    case "FAILED":
      return whyNotFailed(history, state, last);
    case "CANCELLED":
      return last === undefined || isSentBack(last) ? null : `post ${last.id} of it may have gone out`;
    default:
      return state.isFinal ? "that is no end" : "it never ends";
  }
}

function isSentBack(post: Post): boolean {
  return sentBackAtMs(post) !== null;
}

/** What is put off until it is not worth sending any more ends with the last code that put it off. */
const PUT_OFF: readonly Meaning[] = ["again", "stop"];

/** It never was posted, or Meta said each time that it did not send it. */
const UNPOSTED: readonly (string | null)[] = [
  ...["EXPIRED_IN_QUEUE", "SENDER_NOT_REGISTERED", "NO_ROUTE", "RESTORE_GIVEN_UP"],
];

function whyNotFailed(
  { lives }: History,
  { errorCode, operatorCode }: FinalState,
  last: Post | undefined,
): string | null {
  if (errorCode === null) return "it says no reason";
  if (UNPOSTED.includes(errorCode) || (errorCode === "TEMPLATE_UNAVAILABLE" && operatorCode === null)) {
    return last === undefined || isSentBack(last) ? null : `post ${last.id} of it may have gone out`;
  }
  const hasDied = lives.some(({ end }) => end !== null && end !== "stopped");
  if (errorCode === "SUBMIT_OUTCOME_UNKNOWN") {
    if (last === undefined || last.heardAtMs === null || hasDied) return null;
    const isDoubt = typeof last.answer === "number" && meaningOf(last.code, last.answer) === "doubt";
    const isHeld = last.answer === 200;
    return isDoubt || isHeld ? null : `post ${last.id} was answered ${last.answer} ${last.code ?? ""}`;
  }
  const said = endingCodes(last, errorCode === "OPERATOR_THROTTLED" ? PUT_OFF : ["final"]);
  return said.some((each) => String(each) === operatorCode)
    ? null
    : `nobody said that code of its last post, but ${said.join(", ")}`;
}

/** What was said of a post that may end its message: Meta's codes, or the HTTP status of an answer without one. */
function endingCodes(last: Post | undefined, endings: readonly Meaning[]): readonly number[] {
  if (last === undefined) return [];
  const { answer, code, told } = last;
  const byAnswer =
    typeof answer === "number" && answer >= 300 && endings.includes(meaningOf(code, answer))
      ? [code ?? answer]
      : [];
  const byStatus = told.flatMap((each) =>
    each.code !== null && endings.includes(meaningOf(each.code, null)) ? [each.code] : [],
  );
  return [...byAnswer, ...byStatus];
}

/** A final status that was taken and decided nothing, though nothing else had. */
function whyLost(
  history: History,
  { second }: ExpectedMessage,
  state: FinalState,
  last: Post | undefined,
): string | null {
  const clock = wallClockOf(history);
  const endedAt = text(state.view.json, "finalized_at");
  // Beside an SMS that is under way a delivery decides nothing before that has ended.
  const isBack = list(state.view.json, "channels").length > 1;
  if (last === undefined || clock === null || clock.jumps || endedAt === null || isBack) return null;
  const endedAtMs = Date.parse(endedAt) - clock.wallAtStartMs;
  const early = last.told.find((each) => {
    // What goes on after a refusal is delivered by WhatsApp all the same where that comes before its SMS is claimed.
    if (second !== null && each.status === "failed") return false;
    const knownAtMs = isFinal(each) ? knownFromMs(history, last, each) : null;
    return knownAtMs !== null && knownAtMs + WRITTEN_DOWN_MS < endedAtMs;
  });
  if (early === undefined) return null;
  return `the status ${early.status} ${early.code ?? ""} was taken ${Math.round(endedAtMs - (early.takenAtMs ?? 0))} ms before it ended`;
}

/**
 * From when on the appliance has a status and can tell whose it is: by what it gave along, or by the id that it was answered, before or
 * after it. Null: never, or a death may have lost the answer.
 */
function knownFromMs(
  { lives }: History,
  { heardAtMs, answer }: Post,
  { hasOpaque, takenAtMs }: ToldStatus,
): number | null {
  if (takenAtMs === null || hasOpaque) return takenAtMs;
  if (answer !== 200 || heardAtMs === null) return null;
  const isLost = lives.some(
    ({ end, endedAtMs }) => end !== "stopped" && Math.abs((endedAtMs ?? 0) - heardAtMs) < WRITTEN_DOWN_MS,
  );
  return isLost ? null : Math.max(takenAtMs, heardAtMs);
}

function isFinal({ status, code }: ToldStatus): boolean {
  return isDelivery({ status }) || (status === "failed" && meaningOf(code, null) === "final");
}
