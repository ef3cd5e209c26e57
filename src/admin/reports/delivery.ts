import { toLocalDate } from "../../core/zoned-time.ts";
import type { Reader } from "../../db/read.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { DayFigures } from "../../domain/messages/search/figures.ts";
import type { AdminContext } from "../operations/context.ts";
import { findAccount } from "../operations/find-account.ts";
import { readInstantRange } from "../operations/instants.ts";
import { operation } from "../operations/operation.ts";
import { FROM, OF_ACCOUNT, optional, TO, text, typedAs } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import {
  addSum,
  type DayRange,
  type DeliveryFigures,
  figuresView,
  newSum,
  type Sum,
  sumByDay,
} from "./delivery-sums.ts";

export const DELIVERY_KEYS = ["operator", "class", "account", "sender", "error", "day"] as const;
export type DeliveryKey = (typeof DELIVERY_KEYS)[number];

export type DeliveryRow = { readonly key: string | null; readonly account?: string } & DeliveryFigures;

export type DeliveryView = {
  readonly by: DeliveryKey;
  readonly from: string;
  /** The last day, with it. */
  readonly to: string;
  readonly timezone: string;
  readonly rows: readonly DeliveryRow[];
  readonly totals: DeliveryFigures;
};

export type DeliveryQuery = {
  readonly by: string | null;
  readonly account: string | null;
  /** Of this operator alone, by its code. */
  readonly operator?: string | null;
  readonly messageClass?: string | null;
  readonly sender?: string | null;
  readonly from: string | null;
  readonly to: string | null;
};

const DAY_MS = 86_400_000;
const USUAL_DAYS = 31;

/** What became of what was accepted on some days, over all accounts or of one (docs/administration.md#what-became-of-messages). */
export async function deliveryReport(
  context: AdminContext,
  query: DeliveryQuery,
): Promise<AdminOutcome<DeliveryView>> {
  const read = readQuestion(context, query);
  if (!read.ok) return read;
  const { by, asked, timezone } = read.value;
  const sums = await sumByDay(context, asked, (figures) => keyOf(figures, by));
  const rows = [...sums].sort(byKey).map(([key, sum]) => rowOf(context.store.read, by, key, sum));
  const totals = newSum();
  for (const sum of sums.values()) addSum(totals, sum);
  return done({ by, from: asked.fromDay, to: asked.toDay, timezone, rows, totals: figuresView(totals) });
}

export type DeliveryQuestion = {
  readonly by: DeliveryKey;
  readonly asked: DayRange;
  readonly timezone: string;
};

/** What is asked for, as typed; without times it is the last 31 days, in the account's zone or else the appliance's. */
export function readQuestion(
  { store, config, clock }: Pick<AdminContext, "store" | "config" | "clock">,
  query: DeliveryQuery,
): AdminOutcome<DeliveryQuestion> {
  const by = DELIVERY_KEYS.find((key) => key === (query.by ?? "day"));
  if (by === undefined) return refuse("INVALID_KEY", { known: DELIVERY_KEYS.join(", ") });
  const found = query.account === null ? done(null) : findAccount(store.read, query.account);
  if (!found.ok) return found;
  const all = config.defaults.timezone;
  const timezone = found.value?.timezone ?? all;
  const time = readInstantRange(query, timezone, clock.nowMs(), USUAL_DAYS * DAY_MS);
  if (!time.ok) return time;
  const asked: DayRange = {
    accountId: found.value?.id ?? null,
    operator: query.operator ?? null,
    messageClass: query.messageClass ?? null,
    sender: query.sender ?? null,
    zone: timezone === all ? 0 : 1,
    fromDay: toLocalDate(time.value.fromMs, timezone),
    toDay: toLocalDate(Math.max(time.value.fromMs, time.value.toMs - 1), timezone),
    time: time.value,
  };
  return done({ by, asked, timezone });
}

/** By what figures stand together. */
export function keyOf({ day, facet }: DayFigures, by: DeliveryKey): string {
  switch (by) {
    case "operator":
      return facet.operator;
    case "class":
      return facet.messageClass;
    case "account":
      return String(facet.accountId);
    case "sender":
      return facet.sender;
    case "error":
      return facet.errorCode;
    case "day":
      return day;
  }
}

function byKey([one]: readonly [string, Sum], [other]: readonly [string, Sum]): number {
  return one < other ? -1 : 1;
}

export function rowOf(read: Reader, by: DeliveryKey, key: string, sum: Sum): DeliveryRow {
  return { ...nameOf(read, by, key), ...figuresView(sum) };
}

/** A key as it is shown: an account's by its id, with its name. */
export function nameOf(read: Reader, by: DeliveryKey, key: string): Pick<DeliveryRow, "key" | "account"> {
  if (by !== "account") return { key: key === "" ? null : key };
  const account = accountById(read, Number(key));
  return { key: account?.ulid ?? key, account: account?.name ?? "" };
}

export const REPORT_OPERATIONS = {
  "report delivery": operation({
    does: "reads",
    params: {
      by: optional(typedAs({ choices: DELIVERY_KEYS }, text("KEY", 20))),
      from: FROM,
      to: TO,
      account: OF_ACCOUNT,
    },
    run: deliveryReport,
  }),
};
