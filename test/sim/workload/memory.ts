import type { AccountPlan } from "../plan.ts";

/** What a client knows of itself: what it was given and what it was told. It outlives the appliance's deaths. */
export type Memory = {
  readonly account: AccountPlan;
  /** The key it goes by; null until an administrator gave it one. */
  apiKey: string | null;
  /** A key that may read messages and nothing else. */
  narrowKey: string | null;
  /** Every key it was ever given. */
  readonly keys: string[];
  /** Batches it was told of, in that order. */
  readonly batches: string[];
  /** Messages it saw in its feed. */
  readonly messages: Set<string>;
  readonly webhooks: { readonly id: string; readonly receiver: string }[];
  /** Where its feed goes on. */
  cursor: string;
};

/** Before all that a run does; the feed begins at the earliest that may be asked for. */
export const BEGINNING = "2000-01-01T00:00:00Z";

/** A client that knows nothing yet. */
export function emptyMemory(account: AccountPlan): Memory {
  return {
    account,
    apiKey: null,
    narrowKey: null,
    keys: [],
    batches: [],
    messages: new Set(),
    webhooks: [],
    cursor: BEGINNING,
  };
}

/** Keeps a batch's id, once. */
export function rememberBatch(memory: Memory, batchId: string): void {
  if (!memory.batches.includes(batchId)) memory.batches.push(batchId);
}
