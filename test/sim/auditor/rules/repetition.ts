import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { finalStateOf } from "../final-states.ts";
import { finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number, text } from "../json.ts";
import { plannedOf } from "../planned-time.ts";

const twice = finder(
  "repetition",
  "DUPLICATE_RECENT_BODY: the same text does not go to the same number twice within 24 hours, unless the first was cancelled, failed or released.",
);

const DAY_MS = 24 * 3_600_000;

/** Two messages that both got there, and of which the second had to be rejected. */
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
