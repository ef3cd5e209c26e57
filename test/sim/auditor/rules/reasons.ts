import { type ExpectedBatch, type ExpectedMessage, expectedMessage } from "../expected.ts";
import { finalStateOf } from "../final-states.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number, text } from "../json.ts";
import { readNumber } from "../numbers.ts";
import { hoursIn, isWithin, periodOf, plannedOf, policyIn, timezonesIn } from "../planned-time.ts";
import { suppressedIn } from "../suppressed.ts";

const found = finder(
  "reasons",
  "A recipient is rejected for a reason that applies to it, and one to which a reason surely applies is rejected.",
);

/** SUPPRESSED, QUIET_HOURS, caps, repetition and ceilings: each rejection is deserved, and what surely deserves one has it. */
export const reasons: Rule = (history) => {
  const accepted = acceptedOf(history);
  return history.batches.flatMap((batch) => {
    if (batch.batchId === null || batch.rejections === null) return [];
    const rejected = [...batch.rejections.values()].flatMap(({ index, reason }) => {
      const message = recipientAt(batch, index);
      const why = message ? whyUndeserved(history, batch, message, reason, accepted) : null;
      return why === null ? [] : [tell(history, batch, index, `${reason}, but ${why}`)];
    });
    const taken = batch.messages.flatMap((message) => {
      const why = whyNotAccepted(history, batch, message);
      return why === null ? [] : [tell(history, batch, message.index, `accepted, but ${why}`)];
    });
    return [...rejected, ...taken];
  });
};

function tell(history: History, batch: ExpectedBatch, index: number, what: string): Finding {
  const words = JSON.stringify(batch.body.request.recipients[index]?.msisdn);
  const story = `${batch.account.name}'s ${batch.body.request.messageClass} batch ${batch.batchId}, place ${index} (${words}): ${what}`;
  return found(Math.min(batch.acceptedToMs, history.endAtMs), story, batch.batchId ?? "");
}

type Accepted = { readonly batch: ExpectedBatch; readonly message: ExpectedMessage };

/** What accounts have to a number, by both: of batches that exist. */
function acceptedOf({ batches }: History): ReadonlyMap<string, readonly Accepted[]> {
  const accepted = new Map<string, Accepted[]>();
  for (const batch of batches) {
    if (batch.batchId === null) continue;
    for (const message of batch.messages) {
      const key = `${batch.account.name} ${message.msisdn}`;
      const there = accepted.get(key) ?? [];
      there.push({ batch, message });
      accepted.set(key, there);
    }
  }
  return accepted;
}

/** A rejected recipient as the message it would have been. */
function recipientAt(batch: ExpectedBatch, index: number): ExpectedMessage | null {
  const { request } = batch.body;
  const recipient = request.recipients[index];
  const { msisdn } = readNumber(recipient?.msisdn ?? "", "BF");
  if (!recipient || msisdn === null) return null;
  const { sender, messageClass, scheduledAt } = request;
  const { account, batchId } = batch;
  const about = { account, batchId, index, msisdn, sender, messageClass, scheduledAt };
  return expectedMessage(about, request, recipient.attributes);
}

function whyUndeserved(
  history: History,
  batch: ExpectedBatch,
  message: ExpectedMessage,
  reason: string,
  accepted: ReadonlyMap<string, readonly Accepted[]>,
): string | null {
  const period = periodOf(batch);
  const others = (accepted.get(`${batch.account.name} ${message.msisdn}`) ?? []).filter(
    (other) => other.batch !== batch && other.batch.acceptedFromMs <= batch.acceptedToMs,
  );
  const isMarketing = message.messageClass === "MARKETING";
  switch (reason) {
    case "SUPPRESSED":
      return suppressedIn(history, message, period).includes(true) ? null : "it stands on no list";
    case "QUIET_HOURS":
      if (!isMarketing) return "that is for MARKETING alone";
      return quietness(history, batch).includes("quiet") ? null : "its time lies in the permitted hours";
    case "FREQUENCY_CAP_DAILY":
    case "FREQUENCY_CAP_WEEKLY": {
      if (!isMarketing) return "that is for MARKETING alone";
      const name = reason === "FREQUENCY_CAP_DAILY" ? "marketing_per_day" : "marketing_per_week";
      const caps = policyIn(history, batch.account, name, period).filter((cap) => cap > 0);
      const sent = others.filter((other) => other.message.messageClass === "MARKETING").length;
      return caps.some((cap) => sent >= cap) ? null : `the number has had ${sent} of ${caps.join(" or ")}`;
    }
    case "DUPLICATE_RECENT_BODY": {
      const same = others.filter((other) => other.message.text === message.text);
      const alive = same.filter((other) => !wasOver(history, other, period.fromMs));
      const near = alive.filter((other) => mayBeNear(history, batch, other.batch));
      return near.length > 0 ? null : `no other such message counts (${same.length} were ever accepted)`;
    }
    case "RATE_LIMIT_PER_MINUTE":
    case "RATE_LIMIT_PER_DAY":
      return whyNoCeiling(history, batch, reason);
    default:
      return null;
  }
}

/** Whether a message was known to be cancelled, failed or released before a moment. */
function wasOver({ sightings }: History, { batch, message }: Accepted, beforeMs: number): boolean {
  return sightings.messageViews.some(
    (view) =>
      view.batchId === batch.batchId &&
      view.index === message.index &&
      view.atMs < beforeMs &&
      (view.status === "CANCELLED" || (view.status === "FAILED" && view.isFinal)),
  );
}

const DAY_MS = 24 * 3_600_000;

function mayBeNear(history: History, one: ExpectedBatch, other: ExpectedBatch): boolean {
  const [a, b] = [plannedOf(history, one), plannedOf(history, other)];
  if (!a || !b) return true;
  return a.fromMs - b.toMs < DAY_MS && b.fromMs - a.toMs < DAY_MS;
}

/** Whether a MARKETING batch may have been planned for quiet hours, for permitted ones, or for either. */
function quietness(history: History, batch: ExpectedBatch): readonly ("quiet" | "permitted")[] {
  const planned = plannedOf(history, batch);
  if (!planned) return ["quiet", "permitted"];
  const period = periodOf(batch);
  const found = new Set<"quiet" | "permitted">();
  for (const hours of hoursIn(history, batch.account, period)) {
    for (const zone of timezonesIn(history, batch.account, period)) {
      for (const atMs of [planned.fromMs, planned.toMs])
        found.add(hours === "00:00-24:00" || isWithin(hours, atMs, zone) ? "permitted" : "quiet");
    }
  }
  return [...found];
}

function whyNoCeiling(
  history: History,
  batch: ExpectedBatch,
  reason: "RATE_LIMIT_PER_MINUTE" | "RATE_LIMIT_PER_DAY",
): string | null {
  const isMinute = reason === "RATE_LIMIT_PER_MINUTE";
  const name = isMinute ? "recipients_per_minute" : "recipients_per_day";
  const ceilings = policyIn(history, batch.account, name, periodOf(batch)).filter((ceiling) => ceiling > 0);
  const isSet = history.observations.some(({ kind }) => kind === "clock");
  const fromMs = isMinute && !isSet ? batch.acceptedFromMs - 62_000 : 0;
  const counted = history.batches
    .filter((each) => each.account === batch.account && each.batchId !== null)
    .filter((each) => each.acceptedToMs >= fromMs && each.acceptedFromMs <= batch.acceptedToMs)
    .reduce((sum, { messages }) => sum + messages.length, 0);
  const isReached = ceilings.some((ceiling) => counted >= ceiling);
  return isReached
    ? null
    : `${counted} were accepted in that time, of ${ceilings.join(" or ") || "any number"}`;
}

/** Reasons that surely applied to a recipient that was accepted all the same. */
function whyNotAccepted(history: History, batch: ExpectedBatch, message: ExpectedMessage): string | null {
  if (!batch.acknowledged) return null;
  if (!suppressedIn(history, message, periodOf(batch)).includes(false)) return "the number was suppressed";
  if (message.messageClass !== "MARKETING") return null;
  return quietness(history, batch).includes("permitted") ? null : "its time lies in quiet hours";
}

/** Two messages that both got there, and of which the second had to be rejected. */
const twice = finder(
  "repetition",
  "DUPLICATE_RECENT_BODY: the same text does not go to the same number twice within 24 hours, unless the first was cancelled, failed or released.",
);

export const repetition: Rule = (history) =>
  [...acceptedOf(history).values()].flatMap((messages) =>
    messages.flatMap((one, index) =>
      messages.slice(index + 1).flatMap((other) => {
        if (one.message.text !== other.message.text || one.batch === other.batch) return [];
        if (!counts(history, one) || !counts(history, other)) return [];
        const [a, b] = [plannedOf(history, one.batch), plannedOf(history, other.batch)];
        if (!a || !b || Math.max(a.toMs - b.fromMs, b.toMs - a.fromMs) >= DAY_MS) return [];
        const ids = [one.batch.batchId ?? "", other.batch.batchId ?? ""];
        const what = `${one.batch.account.name} has the same text to ${one.message.msisdn} accepted in batches ${ids.join(" and ")}, and neither failed`;
        return [twice(Math.min(other.batch.acceptedToMs, history.endAtMs), what, ...ids)];
      }),
    ),
  );

function counts(history: History, { message }: Accepted): boolean {
  const state = finalStateOf(history, message);
  const json = state?.view.json;
  const isThere = state?.status === "DELIVERED" || state?.status === "SENT";
  return isThere && (number(json, "amount") ?? 0) > 0 && text(json, "error", "code") === null;
}
