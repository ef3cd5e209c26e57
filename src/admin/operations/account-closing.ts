import type { Xof } from "../../core/money.ts";
import { toSandboxId } from "../../core/sandbox.ts";
import { createYielder } from "../../core/slices.ts";
import type { Tx } from "../../db/write.ts";
import { type Account, closeAccount } from "../../domain/accounts/accounts.ts";
import { revokeAccountCompatUsers } from "../../domain/accounts/compat-users.ts";
import { revokeAccountKeys } from "../../domain/accounts/keys.ts";
import { freeSenders } from "../../domain/accounts/senders.ts";
import { endSessionsOfAccount } from "../../domain/accounts/sessions.ts";
import { adjust } from "../../domain/ledger/funding.ts";
import { type Wallet, readWallet } from "../../domain/ledger/wallet.ts";
import { lastBatchOf, waitingOfAccount } from "../../domain/messages/waiting.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { disableEndpoint, listEndpoints } from "../../webhooks/endpoints.ts";
import { type AccountView, readAccountView } from "./account-view.ts";
import { cancelBatch } from "./batch-cancel.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** What is entered, and told to batches, keys and endpoints, when an account ends. */
const CLOSING = "CLOSING";

/** What closing an account did, and the account after it. */
export type ClosingView = AccountView & {
  readonly closing: {
    readonly keys_ended: number;
    readonly endpoints_disabled: number;
    readonly senders_freed: number;
    readonly batches_cancelled: number;
    readonly messages_cancelled: number;
    /** What was entered into its wallet as CLOSING: below zero what was taken out, above zero a debt that was written off. */
    readonly entered: Xof;
    /** What messages on their way still hold: what is released of it later is entered by closing the account again. */
    readonly still_reserved: Xof;
  };
};

/**
 * Ends an account (docs/administration.md#closing-an-account). Refused while something waits or its wallet holds or owes anything,
 * unless `isForced`: then what waits is cancelled, and what the wallet holds or owes is entered as CLOSING. Closing a closed
 * account does what is left of it.
 */
export async function accountClose(
  context: AdminContext,
  accountId: string,
  isForced: boolean,
): Promise<AdminOutcome<ClosingView>> {
  const { read } = context.store;
  const found = findAccount(read, accountId);
  if (!found.ok) return found;
  const { id } = found.value;
  const waitingNow = async () => {
    const batches = await waitingOfAccount(read, createYielder(context.clock), id);
    return { batches, messages: batches.reduce((sum, place) => sum + place.messages, 0) };
  };
  let lookedFrom = lastBatchOf(read, id);
  let before = await waitingNow();
  // Finding what waits takes many turns, and clients go on submitting: nothing may have come behind the look.
  while (!isForced && lastBatchOf(read, id) !== lookedFrom) {
    lookedFrom = lastBatchOf(read, id);
    before = await waitingNow();
  }
  const ended = await change(context, (tx, nowMs) => {
    const wallet = readWallet(tx, id);
    const { batches, messages } = before;
    const isMore = lastBatchOf(tx, id) !== lookedFrom;
    if (!isForced && (batches.length > 0 || isMore || wallet.funds !== 0 || wallet.reserved !== 0))
      return notSettled(found.value, { batches: batches.length, messages, isMore }, wallet);
    const { isNew, ...value } = end(tx, id, nowMs);
    const detail = {
      forced: isForced,
      batches_waiting: batches.length,
      messages_waiting: messages,
      ...value,
    };
    return done({
      value,
      audit: isNew ? { action: "account close", subject: found.value.ulid, detail } : null,
      concern: { kind: "account", accountId: id },
    });
  });
  if (!ended.ok) return ended;
  context.server?.changed({ kind: "webhooks" });
  // Nothing more is accepted from here on. What came since the look before is found now.
  const { batches, messages } = isForced ? await waitingNow() : before;
  // A running server cancels with it: what was waiting is what is told.
  for (const { batchId } of batches) await cancelBatch(context, { accountId: id, batchId }, CLOSING);
  return enterRest(context, found.value, {
    ...ended.value,
    batches_cancelled: batches.length,
    messages_cancelled: messages,
  });
}

/** Ends keys, endpoints and sessions of the console, on both sides; what is over already is not counted again. */
function end(tx: Tx, id: number, nowMs: number) {
  const isNew = closeAccount(tx, id, nowMs);
  const enabled = [...listEndpoints(tx, id), ...listEndpoints(tx, toSandboxId(id))].filter(
    ({ status }) => status === "ENABLED",
  );
  for (const endpoint of enabled)
    disableEndpoint(tx, endpoint.id, "DISABLED_BY_USER", phrase("webhook.disabled.account_closed"));
  endSessionsOfAccount(tx, id);
  return {
    isNew,
    keys_ended: revokeAccountKeys(tx, id, nowMs) + revokeAccountCompatUsers(tx, id, nowMs),
    endpoints_disabled: enabled.length,
  };
}

/**
 * Enters what the wallet holds or owes beyond what is set aside, so that it ends at nothing, and frees the senders: not before, or what
 * waits would fail for want of one in place of being cancelled.
 */
function enterRest(
  context: AdminContext,
  { id, ulid }: Account,
  told: Omit<ClosingView["closing"], "senders_freed" | "entered" | "still_reserved">,
): Promise<AdminOutcome<ClosingView>> {
  return change(context, (tx, nowMs) => {
    const sendersFreed = freeSenders(tx, id, "the account is closed");
    const { funds, reserved } = readWallet(tx, id);
    const entered = funds === 0 ? 0 : -funds;
    if (entered !== 0)
      adjust(tx, { accountId: id, amount: entered, reason: CLOSING, id: context.newId(), atMs: nowMs });
    return done({
      value: {
        ...readAccountView(tx, context.config, id, nowMs),
        closing: { ...told, senders_freed: sendersFreed, entered, still_reserved: reserved },
      },
      audit:
        entered === 0
          ? null
          : { action: "wallet adjust", subject: ulid, detail: { amount: entered, reason: CLOSING } },
    });
  });
}

/** `isMore`: a batch was accepted while it was looked. */
type Waiting = { readonly batches: number; readonly messages: number; readonly isMore: boolean };

function waitingPhrase({ batches, messages }: Pick<Waiting, "batches" | "messages">): Phrase {
  if (messages === 1) return phrase("fault.closing.message_waits");
  return batches === 1
    ? phrase("fault.closing.batch_waits", { messages })
    : phrase("fault.closing.batches_wait", { messages, batches });
}

function notSettled({ name, ulid }: Account, waiting: Waiting, { funds, reserved }: Wallet) {
  const reasons = [
    ...(waiting.batches > 0 ? [waitingPhrase(waiting)] : []),
    ...(waiting.isMore ? [phrase("fault.closing.just_accepted")] : []),
    ...(reserved > 0 ? [phrase("fault.closing.set_aside", { amount: reserved })] : []),
    ...(funds > 0 ? [phrase("fault.closing.holds", { amount: funds })] : []),
    ...(funds < 0 ? [phrase("fault.closing.owes", { amount: -funds })] : []),
  ];
  return refuse("ACCOUNT_NOT_SETTLED", { name, id: ulid, reasons, entry: CLOSING });
}
