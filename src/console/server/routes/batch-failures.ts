/** Why messages of a batch failed, and who of them has the text by a later batch of its family. */

import { laterThan, reachedBy } from "../../../admin/operations/reached-since.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { slicer } from "../../../core/slices.ts";
import { isRegistered } from "../../../domain/accounts/senders.ts";
import { type BatchRecord, batchById } from "../../../domain/messages/batches.ts";
import { familyOf } from "../../../domain/messages/corrections.ts";
import { mayPass } from "../../../domain/messages/failed-messages.ts";
import { type FailureSum, failureSums } from "../../../domain/messages/failures.ts";
import { errorPhrase } from "../../../domain/messages/message-error.ts";
import { type TryState, triesOf } from "../../../domain/messages/tries.ts";
import { type Asked, ownBatch } from "./asked.ts";
import { moneyFor } from "./money.ts";

/** In the reader's words; the causes that most still have nothing for come first. */
export type FailuresView = {
  readonly failures: readonly {
    readonly code: string;
    readonly detail: string;
    readonly messages: number;
    /** Those of them whom a later batch of the family reached. */
    readonly reached: number;
    /** Those whom it may have reached, or still reach: under way, or left without a receipt. */
    readonly pending: number;
    /** The rest: they still have nothing. */
    readonly nothing: number;
    /** What they cost although they did not arrive; null where amounts are not shown. */
    readonly amount: number | null;
    /** Whether another try may deliver some of those that still have nothing. */
    readonly is_passing: boolean;
  }[];
};

export async function failuresOf(asked: Asked, id: string): Promise<AdminOutcome<FailuresView>> {
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const { context, inTheirWords, seesMoney } = asked;
  const { read } = context.store;
  const pause = slicer(context.clock);
  const sums = failureSums(read, own.value);
  let step = sums.next();
  for (; step.done !== true; step = sums.next()) await pause();
  const since = await sinceOf(asked, own.value);
  const sender = batchById(read, own.value.id)?.sender ?? "";
  const isKnownAt = (operator: string) => isRegistered(read, own.value.accountId, sender, operator);
  const failures = step.value.map(({ code, messages, amount, operators }) => {
    const { reached, pending, left } = withSince(code, operators, since);
    return moneyFor(seesMoney, {
      code,
      messages,
      reached,
      pending,
      nothing: messages - reached - pending,
      amount,
      detail: inTheirWords(errorPhrase(code)),
      is_passing: left.some((operator) => mayPass(code, operator, isKnownAt)),
    });
  });
  return done({ failures: failures.sort((a, b) => b.nothing - a.nothing || b.messages - a.messages) });
}

type Since = { readonly reached: number; readonly pending: number };

const nameOf = (code: string, operator: string) => `${code} ${operator}`;

/** Of each cause and operator, how many have the text since; read in slices beside other work. */
async function sinceOf({ context }: Asked, batch: BatchRecord): Promise<ReadonlyMap<string, Since>> {
  const since = new Map<string, Since>();
  const later = laterThan(familyOf(context.store.read, batch.id).batches, batch.id);
  if (later.length === 0) return since;
  const has = await reachedBy(context, later);
  const pause = slicer(context.clock);
  for (const tries of triesOf(context.store.read, batch, context.clock.nowMs())) {
    for (const { msisdn, operator, state, error } of tries) {
      const now = has.get(msisdn);
      if (state !== "FAILED" || now === undefined) continue;
      const name = nameOf(error, operator);
      since.set(name, counted(since.get(name), now));
    }
    await pause();
  }
  return since;
}

function counted({ reached, pending }: Since = { reached: 0, pending: 0 }, now: TryState): Since {
  return now === "DELIVERED" ? { reached: reached + 1, pending } : { reached, pending: pending + 1 };
}

/** A cause with who has the text since; `left`: operators of whose some still have nothing. */
function withSince(
  code: string,
  operators: FailureSum["operators"],
  since: ReadonlyMap<string, Since>,
): Since & { readonly left: readonly string[] } {
  let [reached, pending] = [0, 0];
  const left: string[] = [];
  for (const [operator, messages] of operators) {
    const has = since.get(nameOf(code, operator)) ?? { reached: 0, pending: 0 };
    reached += has.reached;
    pending += has.pending;
    if (has.reached + has.pending < messages) left.push(operator);
  }
  return { reached, pending, left };
}
