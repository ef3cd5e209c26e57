/** What became of a day's messages, for the start pages. */
import type { AdminContext } from "../../../admin/operations/context.ts";
import { deliveryReport } from "../../../admin/reports/delivery.ts";
import { toLocalDate } from "../../../core/calendar.ts";
import { cacheExpensive } from "../../../core/concurrency.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";

/** Outcomes of today's messages so far, over all accounts or of one. */
export type DayFiguresProgress = {
  readonly accepted: number;
  readonly charged: number;
  /** Delivered share of the accepted; null where none was. */
  readonly deliveredShare: number | null;
};

const NONE: DayFiguresProgress = { accepted: 0, charged: 0, deliveredShare: null };
/** How long a report is reused. */
const KEPT_MS = 30_000;
/** Accounts whose day is cached; beyond that the cache is begun anew. */
const MAX_ACCOUNTS = 200;

type OfDay = () => Promise<DayFiguresProgress>;

/** Returns a cached reader of an account's day (its id; null: of all), from the report that `report delivery` prints. */
export function dayFigures(): (context: AdminContext, account: string | null) => Promise<DayFiguresProgress> {
  const days = new Map<string, OfDay>();
  return (context, account) => {
    const day = todayOf(context, account);
    const key = `${day} ${account ?? ""}`;
    if (days.size >= MAX_ACCOUNTS && !days.has(key)) days.clear();
    const known = days.get(key) ?? cacheExpensive(context.clock, KEPT_MS, () => reported(context, account));
    days.set(key, known);
    return known();
  };
}

/** The day of the report: in the account's zone where it is of one. */
function todayOf({ store, clock, config }: AdminContext, account: string | null): string {
  const own = account === null ? null : accountByUlid(store.read, account);
  return toLocalDate(clock.nowMs(), own?.timezone ?? config.defaults.timezone);
}

async function reported(context: AdminContext, account: string | null): Promise<DayFiguresProgress> {
  const day = todayOf(context, account);
  const report = await deliveryReport(context, { by: "day", account, from: day, to: null });
  if (!report.ok) return NONE;
  const { accepted, charged, delivered } = report.value.totals;
  return { accepted, charged, deliveredShare: accepted === 0 ? null : delivered / accepted };
}
