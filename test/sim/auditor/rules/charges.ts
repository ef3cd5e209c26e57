import { acceptanceKey, acceptanceOf } from "../acceptance.ts";
import { billed } from "../cloud.ts";
import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { carrierOf, finalStateOf } from "../final-states.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { chargingIn } from "../in-force.ts";
import { carrying, type Group, joinsOf } from "../joins.ts";
import { number, text } from "../json.ts";
import { costsOf } from "../message-cost.ts";
import { batchesAtRest } from "../money.ts";
import { reservedByWaits } from "../waiting.ts";
import { firstAnswer } from "../wire-submits.ts";

const found = finder(
  "charges",
  "A message is charged when the operator accepts it; one that never gets there is released; of a part that was accepted, that part is charged.",
);
const squared = finder("squared", "For every batch that ended, reserved = charged + released.");

/** What each message cost in the end, and that its batch adds up. */
export const charges: Rule = (history) => [
  ...history.batches.flatMap((batch) =>
    batch.messages.flatMap((message) => charged(history, batch, message)),
  ),
  ...[...history.accounts.values()].flatMap((account) =>
    batchesAtRest(history, account).flatMap((view) => {
      const of = (name: string) => number(view.json, name) ?? 0;
      const [reserved, taken] = [of("reserved_amount"), of("charged_amount")];
      const released = of("released_amount");
      const waiting = reservedByWaits(history, { batchId: view.batchId });
      const batch = history.batches.find(({ batchId }) => batchId === view.batchId);
      const amounts = batch?.messages.map((message) => finalStateOf(history, message)?.view.json);
      const sum = amounts?.reduce<number>((all, json) => all + (number(json, "amount") ?? Number.NaN), 0);
      const isSum = sum === undefined || Number.isNaN(sum) || view.accepted === 0 || sum === taken;
      const what = `batch ${view.batchId} (${view.status}) reserved ${reserved}, charged ${taken}, released ${released} XOF, ${waiting} wait; its messages were charged ${sum}`;
      return reserved === taken + released + waiting && isSum ? [] : [squared(view.atMs, what, view.batchId)];
    }),
  ),
];

function charged(history: History, batch: ExpectedBatch, message: ExpectedMessage): readonly Finding[] {
  const state = finalStateOf(history, message);
  if (!state?.isFinal) return [];
  const { json, atMs, messageId } = state.view;
  const amount = number(json, "amount") ?? Number.NaN;
  // By the way that carried it in the end, and by no other.
  const way = carrierOf(state, message) === message.channel ? message : (message.second ?? message);
  const allowed = costsOf(history, batch, way).flatMap((whole) =>
    amountsOf(history, batch, way, json, whole),
  );
  if (allowed.length === 0) return [];
  if (allowed.includes(amount)) return [];
  const what = `message ${messageId} ended ${state.status} (${state.errorCode}) charged ${amount} XOF; it must be ${[...new Set(allowed)].join(" or ")}`;
  return [found(atMs, what, messageId, batch.batchId ?? "")];
}

function amountsOf(
  history: History,
  batch: ExpectedBatch,
  message: ExpectedMessage,
  json: unknown,
  whole: number,
): readonly number[] {
  const status = text(json, "status");
  if (message.channel === "WHATSAPP") return status === "DELIVERED" ? billed(history, message, whole) : [0];
  if (status === "DELIVERED" || status === "SENT") return [whole];
  const period = { fromMs: batch.acceptedFromMs, toMs: history.endAtMs };
  const rules = chargingIn(history, batch.account, period);
  const wasSent = text(json, "sent_at") !== null;
  const all = acceptanceOf(history);
  const accepted = all?.get(acceptanceKey(batch.batchId ?? "", message.index)) ?? { least: 0, most: 0 };
  const most = Math.min(all === null ? message.segments : accepted.most, message.segments - 1);
  const least = Math.min(heardSegments(history, message), most);
  const parts = Array.from({ length: most - least + 1 }, (_, n) => (whole / message.segments) * (least + n));
  return [
    // Of one that went on sent_at may tell of its first way: it may have been refused, or never heard, by the second.
    ...(rules.has("accepted") && wasSent ? [whole] : []),
    ...(rules.has("accepted") && (!wasSent || (message.isSecond && accepted.least < message.segments))
      ? parts
      : []),
    ...(rules.has("delivered") ? [0] : []),
  ];
}

const known = new WeakMap<History, ReadonlyMap<ExpectedMessage, number>>();

/**
 * How many segments of a message the appliance surely knew to be accepted before anything of it was refused: 0 where a death, a
 * disk, a contradiction or another message with the same words leaves that open.
 */
function heardSegments(history: History, message: ExpectedMessage): number {
  const found = known.get(history) ?? readHeard(history);
  known.set(history, found);
  return found.get(message) ?? 0;
}

function readHeard(history: History): ReadonlyMap<ExpectedMessage, number> {
  const heard = new Map<ExpectedMessage, number>();
  const isCalm =
    history.lives.every(({ end }) => end === null || end === "stopped") &&
    history.observations.every((seen) => seen.kind !== "disk" && seen.kind !== "clock");
  if (!isCalm) return heard;
  for (const group of joinsOf(history).groups) {
    const [only] = group.messages;
    if (only && group.messages.length === 1) heard.set(only.message, segmentsOf(group));
  }
  return heard;
}

function segmentsOf(group: Group): number {
  if (group.carried.some(({ submit }) => submit.answers.length > 1)) return 0;
  const refusals = group.carried.flatMap(({ submit }) => firstAnswer(submit, "refused")?.heardAtMs ?? []);
  const firstRefusalMs = Math.min(Infinity, ...refusals);
  const parts = Array.from({ length: group.segments }, (_, index) => carrying(group, index + 1));
  return parts.filter((submits) =>
    submits.some((submit) => {
      const answer = firstAnswer(submit, "accepted");
      return answer?.isSure && answer.heardAtMs !== null && answer.heardAtMs < firstRefusalMs;
    }),
  ).length;
}
