import type { ExpectedBatch, ExpectedMessage } from "./expected.ts";
import type { History } from "./history.ts";
import { carriersIn, pricesIn } from "./in-force.ts";

/** What each message of a batch may cost whole, by the prices of the time it was accepted in. */
export function costsOf(history: History, batch: ExpectedBatch, message: ExpectedMessage): readonly number[] {
  const { account, messageClass, segments } = message;
  const period = { fromMs: batch.acceptedFromMs, toMs: batch.acceptedToMs };
  const costs = [...carriersIn(history, message, period)].flatMap((operator) =>
    operator === null
      ? []
      : [...pricesIn(history, account, { operator, messageClass }, period)].map((price) => price * segments),
  );
  return [...new Set(costs)];
}

/** What each message may have set aside: the dearer of its two ways, where it may go on. */
export function reservesOf(
  history: History,
  batch: ExpectedBatch,
  message: ExpectedMessage,
): readonly number[] {
  const first = costsOf(history, batch, message);
  const { second } = message;
  if (second === null) return first;
  const period = { fromMs: batch.acceptedFromMs, toMs: batch.acceptedToMs };
  const isAlone = carriersIn(history, second, period).has(null);
  const seconds = [...costsOf(history, batch, second), ...(isAlone ? [0] : [])];
  return [...new Set(first.flatMap((one) => seconds.map((other) => Math.max(one, other))))];
}
