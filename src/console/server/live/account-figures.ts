/** The figures of the start page of an account's users. */
import { batchList } from "../../../admin/operations/batches.ts";
import type { AdminContext } from "../../../admin/operations/context.ts";
import { keyList } from "../../../admin/operations/keys.ts";
import { priceList } from "../../../admin/operations/prices.ts";
import type { Config } from "../../../config/config.ts";
import { toLocalDate } from "../../../core/calendar.ts";
import { isoUtc } from "../../../core/clock.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { listSenders, type Sender } from "../../../domain/accounts/senders.ts";
import { readBalance } from "../../../domain/ledger/wallet.ts";
import { listEndpoints, toPublicEndpoint } from "../../../webhooks/endpoints.ts";
import { findExpiringKeys } from "../expiring-keys.ts";
import { listPublicPauses } from "../pauses.ts";
import type { DayFiguresProgress } from "./day-figures.ts";
import type { AccountLive, LiveBatch, LiveNotice } from "./live-view.ts";

const MAX_BATCHES = 8;
/** Failures in a row after which an endpoint is only probed. */
const FAILING_AFTER = 3;

type Shown = { readonly seesMoney: boolean; readonly managesKeys: boolean };

/** What account users see first. Without `seesMoney` no amounts, without `managesKeys` nothing about keys. */
export async function accountFigures(
  context: AdminContext,
  account: Account,
  { day, seesMoney, managesKeys }: Shown & { readonly day: DayFiguresProgress },
): Promise<AccountLive> {
  return {
    kind: "account",
    at: isoUtc(context.clock.nowMs()),
    balance: seesMoney ? balanceNow(context, account) : null,
    batches: await batchesToday(context, account),
    delivered_share: day.deliveredShare,
    messages_today: day.accepted,
    notices: noticesOf(context, account, { seesMoney, managesKeys }),
  };
}

function balanceNow(context: AdminContext, { id, ulid }: Account): NonNullable<AccountLive["balance"]> {
  const { spendable, reserved } = readBalance(context.store.read, id, context.clock.nowMs());
  const prices = priceList(context, ulid);
  // At the dearest price, so that nobody is promised too much.
  const dearest = prices.ok ? Math.max(0, ...prices.value.prices.map(({ amount }) => amount)) : 0;
  return { spendable, reserved, segments: dearest > 0 ? Math.max(0, Math.floor(spendable / dearest)) : null };
}

async function batchesToday(context: AdminContext, { ulid, timezone }: Account): Promise<LiveBatch[]> {
  const listed = await batchList(context, ulid, null, MAX_BATCHES);
  if (!listed.ok) return [];
  const today = toLocalDate(context.clock.nowMs(), timezone ?? context.config.defaults.timezone);
  return listed.value.batches
    .filter(({ created_at }) => created_at.startsWith(today))
    .map(({ batch_id, client_reference, status, created_at, counts }) => ({
      batch_id,
      status,
      created_at,
      reference: client_reference,
      total: counts.total,
      delivered: counts.delivered,
      failed: counts.failed,
    }));
}

/** Notices about a sender whose texts do not reach some phones. */
function senderNotice({ name, status, operators }: Sender, config: Config): readonly LiveNotice[] {
  if (status === "REJECTED") return [];
  if (status === "REQUESTED" || operators.length === 0) return [{ kind: "SENDER_PENDING", sender: name }];
  const missing = Object.entries(config.operators).filter(([code]) => !operators.includes(code));
  if (missing.length === 0) return [];
  const names = missing.map(([code, operator]) => operator.name || code);
  return [{ kind: "SENDER_PARTIAL", sender: name, operators: names }];
}

/** Notices about keys that expire soon, or did already. */
function keyNotices(context: AdminContext, account: string): readonly LiveNotice[] {
  const listed = keyList(context, account);
  if (!listed.ok) return [];
  return findExpiringKeys(listed.value.keys, context.clock.nowMs()).map(({ name, ends_at, is_over }) => ({
    kind: is_over ? "KEY_ENDED" : "KEY_ENDS",
    key: name,
    at: ends_at,
  }));
}

function noticesOf(
  context: AdminContext,
  { id, ulid, lowBalance }: Account,
  { seesMoney, managesKeys }: Shown,
): LiveNotice[] {
  const { clock, config } = context;
  const { read } = context.store;
  const failing = listEndpoints(read, id)
    .map(toPublicEndpoint)
    .filter((endpoint) => endpoint.status === "ENABLED" && endpoint.consecutive_failures >= FAILING_AFTER);
  const { spendable } = readBalance(read, id, clock.nowMs());
  const isLow = seesMoney && lowBalance !== null && spendable < lowBalance;
  return [
    ...listPublicPauses(context, id).map(({ name: operator, since, senders }) =>
      senders === null
        ? ({ kind: "PAUSED", operator, since } as const)
        : ({ kind: "NUMBER_PAUSED", senders, since } as const),
    ),
    ...(isLow ? [{ kind: "BALANCE_LOW", level: lowBalance } as const] : []),
    ...listSenders(read, id).flatMap((sender) => senderNotice(sender, config)),
    ...(managesKeys ? keyNotices(context, ulid) : []),
    // The host alone: a path may be a secret, and readers here need not manage endpoints.
    ...failing.map(({ url }) => ({ kind: "ENDPOINT_FAILING", server: new URL(url).host }) as const),
  ];
}
