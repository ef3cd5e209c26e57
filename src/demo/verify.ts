import { costOf } from "../domain/messages/message-money.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { HandsetText } from "../simulator/handset.ts";
import type { DemoBalance, DemoBatch, DemoMessage, DemoSubmission } from "./api.ts";
import { DEMO_NUMBER, priceAt, renderedSample, type SampleBatch } from "./scenario.ts";

/** A text on a handset. */
export type ShownText = Pick<HandsetText, "to" | "parts" | "text">;

/** What is known when the sample batch is over, or the time to wait for it is. */
export type Evidence = {
  readonly sent: SampleBatch;
  readonly submission: DemoSubmission;
  readonly batch: DemoBatch;
  /** Messages as of their latest change. */
  readonly messages: readonly DemoMessage[];
  /** Texts on the handsets, of the batch's channel. */
  readonly texts: readonly ShownText[];
  readonly before: DemoBalance;
  readonly after: DemoBalance;
};

/** Finds what is wrong: every message must be delivered, every text on its handset, the batch settled, the money closed. */
export function findFaults(evidence: Evidence): readonly Phrase[] {
  return [...deliveryFaults(evidence), ...handsetFaults(evidence), ...moneyFaults(evidence)];
}

function deliveryFaults({ sent, submission, batch, messages }: Evidence): Phrase[] {
  const { recipients: samples } = sent;
  const faults: Phrase[] = [];
  if (submission.accepted !== samples.length) {
    faults.push(
      phrase("simulator.fault.accepted", { accepted: submission.accepted, recipients: samples.length }),
    );
  }
  if (messages.length !== samples.length)
    faults.push(phrase("simulator.fault.feed", { found: messages.length, messages: samples.length }));
  for (const { msisdn, status, error } of messages) {
    if (status !== "DELIVERED") {
      faults.push(
        phrase("simulator.fault.status", { msisdn, status: error ? `${status} (${error.code})` : status }),
      );
    }
  }
  if (batch.status !== "SETTLED") faults.push(phrase("simulator.fault.batch", { status: batch.status }));
  return faults;
}

function handsetFaults({ sent, messages, texts }: Evidence): Phrase[] {
  return messages.flatMap(({ index, msisdn, operator, segments }) => {
    const sample = sent.recipients[index];
    const shown = texts.filter(({ to }) => `+${to}` === msisdn);
    const [text] = shown;
    if (shown.length !== 1 || !text || !sample) {
      return [phrase("simulator.fault.texts", { msisdn, texts: shown.length })];
    }
    const isFallback = sent.fallback !== undefined && operator !== DEMO_NUMBER.code;
    if (text.text !== renderedSample(isFallback ? sent.fallback.body : sent.body, sample)) {
      return [phrase("simulator.fault.other_text", { msisdn })];
    }
    return text.parts === segments
      ? []
      : [phrase("simulator.fault.parts", { msisdn, parts: text.parts, segments })];
  });
}

function moneyFaults({ sent, submission, messages, before, after }: Evidence): Phrase[] {
  const faults: Phrase[] = [];
  for (const { msisdn, operator, segments, amount } of messages) {
    const price = priceAt(operator);
    if (amount !== costOf({ segments, price }))
      faults.push(phrase("simulator.fault.cost", { msisdn, amount, segments, price }));
  }
  const charged = messages.reduce((sum, { amount }) => sum + amount, 0);
  // The dearer of the two legs is reserved.
  const isCovered = sent.fallback !== undefined && submission.reserved_amount > charged;
  if (submission.reserved_amount !== charged && !isCovered) {
    faults.push(phrase("simulator.fault.reserved", { reserved: submission.reserved_amount, charged }));
  }
  if (before.balance - after.balance !== charged) {
    faults.push(phrase("simulator.fault.wallet", { before: before.balance, after: after.balance, charged }));
  }
  if (after.reserved !== before.reserved) {
    faults.push(phrase("simulator.fault.still_reserved", { reserved: after.reserved }));
  }
  return faults;
}
