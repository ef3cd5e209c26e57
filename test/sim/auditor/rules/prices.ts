import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { carrierOf, finalStateOf } from "../final-states.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number, text } from "../json.ts";
import { reservesOf } from "../message-cost.ts";

const found = finder(
  "prices",
  "Accepting reserves segments × price of every accepted recipient, at the account's price for operator and class, else for the operator, else the operator's own.",
);

/** What a 202 says of segments and money, and what each message carries of it. */
export const prices: Rule = (history) =>
  history.batches.flatMap((batch) => [
    ...answered(history, batch),
    ...batch.messages.flatMap((message) => carried(history, batch, message)),
  ]);

function answered(history: History, batch: ExpectedBatch): readonly Finding[] {
  const { acknowledged, batchId, messages } = batch;
  const answer = acknowledged?.answer;
  if (!answer || batchId === null || text(answer.json, "data", "status") === "VALIDATING") return [];
  const segments = number(answer.json, "data", "total_segments");
  const reserved = number(answer.json, "data", "reserved_amount") ?? Number.NaN;
  const mine = messages.reduce((sum, message) => sum + message.segments, 0);
  const costs = messages.map((message) => reservesOf(history, batch, message));
  if (costs.some((each) => each.length === 0)) return [];
  const least = costs.reduce((sum, each) => sum + Math.min(...each), 0);
  const most = costs.reduce((sum, each) => sum + Math.max(...each), 0);
  const about = [batchId, `request ${acknowledged?.id}`];
  const wrongSegments = `batch ${batchId} was answered with ${segments} segments; its texts make ${mine}`;
  const wrongMoney = `batch ${batchId} reserved ${reserved} XOF; by the prices of that time it is ${least === most ? least : `${least} to ${most}`}`;
  return [
    ...(segments === mine ? [] : [found(answer.atMs, wrongSegments, ...about)]),
    ...(reserved >= least && reserved <= most ? [] : [found(answer.atMs, wrongMoney, ...about)]),
  ];
}

function carried(history: History, batch: ExpectedBatch, message: ExpectedMessage): readonly Finding[] {
  const state = finalStateOf(history, message);
  if (!state) return [];
  const { json, atMs, messageId } = state.view;
  const [segments, reserved] = [number(json, "segments"), number(json, "reserved_amount")];
  const encoding = text(json, "encoding");
  const costs = reservesOf(history, batch, message);
  // Both are of the way that carries it.
  const way = carrierOf(state, message) === message.channel ? message : (message.second ?? message);
  const isRight = segments === way.segments && encoding === way.encoding;
  // What is charged or released is not reserved any more.
  const isHeld = reserved === 0 || (!state.isFinal && reserved !== null && costs.includes(reserved));
  if (isRight && isHeld) return [];
  const what =
    `message ${messageId} (${state.status}) shows ${segments} ${encoding} segment(s) and ${reserved} XOF reserved; ` +
    `it is ${way.segments} ${way.encoding} and cost ${costs.join(" or ")} XOF`;
  return [found(atMs, what, messageId, batch.batchId ?? "")];
}
