/** What a restore holds back, and what came of what was decided, as an administrator sees it. */

import type { AdminContext } from "../../admin/operations/context.ts";
import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { MessageClass } from "../../domain/accounts/classes.ts";
import { lastTopUp } from "../../domain/ledger/funding.ts";
import {
  listHeldBatches,
  FIRST_HELD,
  type HeldMessage,
  type HeldPlace,
  heldInBatch,
  heldMessages,
  lateReceipts,
  type Restore,
} from "../../domain/messages/held.ts";
import type { Phrase } from "../../i18n/phrase.ts";

/** "waiting": in the queue. "in_flight": with an operator in the copy, and goes by the rule of its class. */
export type HeldCount = {
  readonly message_class: MessageClass;
  readonly operator: string;
  readonly kind: "waiting" | "in_flight";
  readonly messages: number;
};

export type ResumeView = {
  readonly file: string;
  readonly made_at: string;
  readonly restored_at: string;
  /** Null while nothing new is accepted. */
  readonly resumed_at: string | null;
  /** What was decided just now. */
  readonly decided: readonly HeldCount[];
  /** What is still held. */
  readonly counts: readonly HeldCount[];
  /** The last top-up that the backup knows: later ones are to be entered again, under their references. */
  readonly last_topup: {
    readonly account_id: string;
    readonly account: string;
    readonly amount: number;
    readonly reference: string | null;
    readonly at: string;
  } | null;
  /** Receipts that came for messages that were given up: they moved no money. */
  readonly late_receipts: readonly {
    readonly message_id: string;
    readonly at: string;
    readonly detail: Phrase;
  }[];
};

/** Messages read in one go. */
export const HELD_PAGE_SIZE = 500;

export type HeldCounter = {
  readonly add: (
    place: { readonly messageClass: MessageClass; readonly operator: string },
    kind: HeldCount["kind"],
    messages: number,
  ) => void;
  /** By class, operator and kind; none that is nothing. */
  readonly counts: () => readonly HeldCount[];
};

export function createHeldCounter(): HeldCounter {
  const sums = new Map<string, HeldCount>();
  return {
    add: ({ messageClass, operator }, kind, messages) => {
      const key = `${messageClass} ${kind} ${operator}`;
      const before = sums.get(key)?.messages ?? 0;
      sums.set(key, { message_class: messageClass, operator, kind, messages: before + messages });
    },
    counts: () =>
      [...sums.entries()]
        .filter(([, { messages }]) => messages > 0)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, count]) => count),
  };
}

/** What is held where it stands, counted a little at a time. */
export async function heldCounts({
  store,
  clock,
}: Pick<AdminContext, "store" | "clock">): Promise<readonly HeldCount[]> {
  const tally = createHeldCounter();
  const pause = createYielder(clock);
  const whole = new Set<number>();
  for (const batchId of listHeldBatches(store.read)) {
    const held = heldInBatch(store.read, batchId);
    if (held.length > 0) whole.add(batchId);
    for (const place of held) tally.add(place, "waiting", place.messages);
    await pause();
  }
  for (let after: HeldPlace | null = FIRST_HELD; after !== null; ) {
    const page: HeldMessage[] = heldMessages(store.read, after, HELD_PAGE_SIZE);
    for (const held of page) {
      // One that was counted whole may be held by its messages by now.
      if (held.isThere === 0 || whole.has(held.batchId)) continue;
      if (held.status === "QUEUED") tally.add(held, "waiting", 1);
      if (held.status === "SUBMITTED" && held.isInFlight === 1) tally.add(held, "in_flight", 1);
    }
    after = page.at(-1) ?? null;
    await pause();
  }
  return tally.counts();
}

/** The newest receipts that are named. */
const MAX_LATE = 100;

async function lateOnes(
  { store, clock }: AdminContext,
  { notesBefore }: Restore,
): Promise<ResumeView["late_receipts"]> {
  const pause = createYielder(clock);
  let found: ResumeView["late_receipts"] = [];
  for (let after: number | null = notesBefore; after !== null; ) {
    const page: ReturnType<typeof lateReceipts> = lateReceipts(store.read, after);
    const named = page.found.map(({ ulid, at, detail }) => ({ message_id: ulid, at: isoUtc(at), detail }));
    found = [...found, ...named].slice(-MAX_LATE);
    after = page.next;
    await pause();
  }
  return found.toReversed();
}

export async function resumeView(
  context: AdminContext,
  restore: Restore,
  decided: readonly HeldCount[],
): Promise<ResumeView> {
  const { read } = context.store;
  return {
    file: restore.file,
    made_at: isoUtc(restore.madeAtMs),
    restored_at: isoUtc(restore.restoredAtMs),
    resumed_at: restore.resumedAtMs === null ? null : isoUtc(restore.resumedAtMs),
    decided,
    counts: await heldCounts(context),
    last_topup: lastTopUpView(read),
    late_receipts: await lateOnes(context, restore),
  };
}

function lastTopUpView(read: Reader): ResumeView["last_topup"] {
  const last = lastTopUp(read);
  const account = last && accountById(read, last.accountId);
  if (!last || !account) return null;
  return {
    account_id: account.ulid,
    account: account.name,
    amount: last.amount,
    reference: last.reference,
    at: isoUtc(last.atMs),
  };
}
