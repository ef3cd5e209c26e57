import { connectionsTo, receiptTimeoutMs } from "../connections.ts";
import { evidenceOf, type PartEvidence, wasHeardInTime } from "../evidence.ts";
import { carriedStateOf, type FinalState } from "../final-states.ts";
import { type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { type Group, joinsOf } from "../joins.ts";
import { receiptMatchesOf } from "../receipt-matches.ts";
import { hasRoutes, nameOf, routesOf } from "../routes.ts";
import { waitingAtRest } from "../waiting.ts";
import { clockSetMs } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";

const found = finder(
  "stated-truth",
  "A message that is stated SENT, DELIVERED, FAILED or CANCELLED is what its operator's answers and receipts made it.",
);

/** Codes that a receipt gives. */
const BY_RECEIPT = new Set([
  "ABSENT_SUBSCRIBER",
  "UNKNOWN_SUBSCRIBER",
  "HANDSET_ERROR",
  "NETWORK_ERROR",
  "EXPIRED_AT_OPERATOR",
  "DELETED_AT_OPERATOR",
  "REJECTED_AT_OPERATOR",
  "UNDELIVERABLE",
]);

/** Codes that an answer to a submit gives. */
const BY_ANSWER = new Set(["INVALID_DESTINATION", "OPERATOR_REJECTED", "OPERATOR_THROTTLED"]);

/** No final state says what the wires do not bear out. */
export function statedTruth(history: History): readonly Finding[] {
  return joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1) return [];
    const state = carriedStateOf(history, only.message);
    if (state === null) return [];
    const parts = evidenceOf(history, group);
    const why = whyUntrue(history, group, state, parts);
    if (why === null) return [];
    const { batchId, index, msisdn } = only.message;
    const code = state.errorCode === null ? "" : ` (${state.errorCode} ${state.operatorCode ?? ""})`;
    const what = `message ${state.messageId} to ${msisdn} (batch ${batchId}, place ${index}) is ${state.status}${code}: ${why}`;
    return [found(state.view.atMs, what, state.messageId, batchId ?? "")];
  });
}

function whyUntrue(
  history: History,
  group: Group,
  state: FinalState,
  parts: readonly PartEvidence[],
): string | null {
  switch (state.status) {
    case "DELIVERED": {
      const without = parts.find(
        ({ receipts }) => !receipts.some(({ says }) => says.verdict === "delivered"),
      );
      if (without) return `no receipt says that part ${without.part} was delivered`;
      return isOfTwo(history, parts)
        ? "its parts were delivered by several routes, by none of them all"
        : null;
    }
    case "SENT":
      return whyNotSent(history, group, state, parts);
    case "FAILED":
      return whyNotFailed(history, state, parts) ?? whyNotOver(state, parts);
    case "CANCELLED":
      return parts.every(({ isAccepted }) => isAccepted)
        ? "its operator has all of it, and the appliance was told in time"
        : null;
    default:
      if (waitingAtRest(history).has(state.messageId)) return null;
      return state.isFinal ? "that is no end" : "it never ends";
  }
}

/**
 * Whether the parts that were delivered are of texts that several routes carried, of none of them all. A route is known by its centre too,
 * since it may have had another name in between.
 */
export function isOfTwo(history: History, parts: readonly PartEvidence[]): boolean {
  if (parts.length < 2 || !hasRoutes(history)) return false;
  const matches = receiptMatchesOf(history);
  const isDelivered = (submit: Submit) =>
    (matches.get(submit) ?? []).some(({ says }) => says.verdict === "delivered");
  const ways = parts.map(({ submits }) =>
    submits.filter(isDelivered).map((submit) => waysOf(history, submit)),
  );
  if (ways.some((each) => each.length === 0) || ways.flat().some((each) => each.length === 1)) return false;
  const [first = [], ...others] = ways.map((each) => each.flat());
  return !first.some((way) => others.every((each) => each.includes(way)));
}

/** Its centre, and the routes that it may have left by; of what leaves without a route, all counts together. */
function waysOf(history: History, submit: Submit): readonly string[] {
  const { centre, writtenAtMs } = submit;
  const taken = routesOf(history, submit, { fromMs: writtenAtMs, toMs: writtenAtMs });
  const isTold = taken.every(({ route }) => route !== "");
  return [`centre ${centre}`, ...(isTold ? taken.map(nameOf) : [])];
}

function whyNotSent(
  history: History,
  group: Group,
  state: FinalState,
  parts: readonly PartEvidence[],
): string | null {
  if (!state.isFinal && !mayStillWait(history, group, state.view.atMs)) return "it never ends";
  const without = parts.find(({ mayBeAccepted }) => !mayBeAccepted);
  if (without) return `no centre accepted part ${without.part}`;
  const centres = new Set(group.carried.map(({ submit }) => submit.centre));
  const sendReceipts = [...centres].every((centre) =>
    connectionsTo(history, centre).every(({ receipts }) => receipts),
  );
  if (state.isFinal && state.errorCode === null && sendReceipts)
    return "it has ended without a receipt, and its operator sends them";
  return null;
}

/** What is overdue is looked for a few times a minute. */
const LOOKED_FOR_MS = 30_000;

/** Whether its receipt might still come when it was asked for: a batch that was called off is over before that. */
function mayStillWait(history: History, { carried }: Group, askedAtMs: number): boolean {
  const lastMs = Math.max(...carried.map(({ submit }) => submit.writtenAtMs));
  return askedAtMs - LOOKED_FOR_MS - lastMs < receiptTimeoutMs(history.settings) + clockSetMs(history);
}

/** Whether anybody said what it failed of. */
function whyNotFailed(
  history: History,
  { errorCode, operatorCode }: FinalState,
  parts: readonly PartEvidence[],
): string | null {
  if (errorCode === null) return "it says no reason";
  if (BY_RECEIPT.has(errorCode)) {
    const bad = parts.flatMap(({ receipts }) =>
      receipts.filter(({ says }) => says.verdict === "undelivered"),
    );
    if (bad.length === 0) return "no receipt says so";
    const saidCode = operatorCode === null || bad.some(({ says }) => isSameCode(says.code, operatorCode));
    return saidCode ? null : `no receipt has that code, but ${bad.map(({ says }) => says.code).join(", ")}`;
  }
  const submits = parts.flatMap((part) => part.submits);
  if (BY_ANSWER.has(errorCode)) {
    const codes = submits.flatMap(({ answers }) =>
      answers.flatMap(({ status }) => (status === 0 ? [] : [status])),
    );
    if (codes.length === 0) return "no answer of its operator says so";
    const saidCode = operatorCode === null || codes.includes(Number(operatorCode));
    return saidCode
      ? null
      : `no answer has that code, but ${codes.map((code) => `0x${code.toString(16)}`).join(", ")}`;
  }
  if (errorCode === "SUBMIT_OUTCOME_UNKNOWN") {
    // A death between the claim and its octets leaves it in doubt as well.
    if (submits.length === 0) return hasDied(history) ? null : "it was never submitted";
    const inDoubt = hasDied(history) || submits.some((submit) => !wasHeardInTime(history, submit, "any"));
    return inDoubt ? null : "every submit of it was answered in time";
  }
  return null;
}

function hasDied({ lives }: History): boolean {
  return lives.some(({ end }) => end !== null && end !== "stopped");
}

/** What its operator has whole can fail by a receipt only. */
function whyNotOver({ errorCode }: FinalState, parts: readonly PartEvidence[]): string | null {
  if (errorCode !== null && BY_RECEIPT.has(errorCode)) return null;
  return parts.every(({ isAccepted }) => isAccepted)
    ? "its operator accepted all of it, and the appliance was told in time"
    : null;
}

function isSameCode(said: string | null, stated: string): boolean {
  const bare = (code: string) => code.replace(/^0+(?=.)/, "").toUpperCase();
  return said !== null && bare(said) === bare(stated);
}
