import { costOf } from "../messages/money-position.ts";
import type { HandsetText } from "../simulator/handset.ts";
import type { DemoBalance, DemoBatch, DemoMessage, DemoSubmission } from "./api.ts";
import { DEMO_NUMBER, priceAt } from "./operators.ts";
import { renderedSample, type SampleBatch } from "./samples.ts";

/** A text on a handset. */
export type ShownText = Pick<HandsetText, "to" | "parts" | "text">;

/** All that is known when the sample batch is over, or when waiting for it is. */
export type Evidence = {
  readonly sent: SampleBatch;
  readonly submission: DemoSubmission;
  readonly batch: DemoBatch;
  /** At their latest change. */
  readonly messages: readonly DemoMessage[];
  /** On the handsets, of the batch's channel. */
  readonly texts: readonly ShownText[];
  readonly before: DemoBalance;
  readonly after: DemoBalance;
};

/** What is not as it should be: every message delivered, every text on its handset, the batch settled, the money square. */
export function faultsOf(evidence: Evidence): readonly string[] {
  return [...deliveryFaults(evidence), ...handsetFaults(evidence), ...moneyFaults(evidence)];
}

function deliveryFaults({ sent, submission, batch, messages }: Evidence): string[] {
  const { recipients: samples } = sent;
  const faults: string[] = [];
  if (submission.accepted !== samples.length) {
    faults.push(`${submission.accepted} of ${samples.length} recipients were accepted`);
  }
  if (messages.length !== samples.length)
    faults.push(`the feed has ${messages.length} of ${samples.length} messages`);
  for (const { msisdn, status, error } of messages) {
    if (status !== "DELIVERED") faults.push(`${msisdn} is ${status}${error ? ` (${error.code})` : ""}`);
  }
  if (batch.status !== "SETTLED") faults.push(`the batch is ${batch.status}`);
  return faults;
}

function handsetFaults({ sent, messages, texts }: Evidence): string[] {
  return messages.flatMap(({ index, msisdn, operator, segments }) => {
    const sample = sent.recipients[index];
    const shown = texts.filter(({ to }) => `+${to}` === msisdn);
    const [text] = shown;
    if (shown.length !== 1 || !text || !sample) return [`${msisdn} shows ${shown.length} texts`];
    const isFallback = sent.fallback !== undefined && operator !== DEMO_NUMBER.code;
    if (text.text !== renderedSample(isFallback ? sent.fallback.body : sent.body, sample))
      return [`${msisdn} shows another text than was sent`];
    return text.parts === segments ? [] : [`${msisdn} got ${text.parts} parts, ${segments} are billed`];
  });
}

function moneyFaults({ sent, submission, messages, before, after }: Evidence): string[] {
  const faults: string[] = [];
  for (const { msisdn, operator, segments, amount } of messages) {
    const price = priceAt(operator);
    if (amount !== costOf({ segments, price }))
      faults.push(`${msisdn} cost ${amount} XOF, not ${segments} × ${price}`);
  }
  const charged = messages.reduce((sum, { amount }) => sum + amount, 0);
  // The dearer of two ways is reserved.
  const isCovered = sent.fallback !== undefined && submission.reserved_amount > charged;
  if (submission.reserved_amount !== charged && !isCovered) {
    faults.push(`${submission.reserved_amount} XOF were reserved and ${charged} charged`);
  }
  if (before.balance - after.balance !== charged) {
    faults.push(
      `the wallet went from ${before.balance} to ${after.balance} XOF, and ${charged} were charged`,
    );
  }
  if (after.reserved !== before.reserved) faults.push(`${after.reserved} XOF are still reserved`);
  return faults;
}
