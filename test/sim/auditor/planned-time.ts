/** When messages are planned to leave, by the wall clock, and what time of day that is for an account. */
import type { Account } from "./accounts.ts";
import type { ExpectedBatch } from "./expected.ts";
import type { History } from "./history.ts";
import { accountSettingIn, type Period, settingsIn } from "./in-force.ts";
import { text } from "./json.ts";
import { wallClockOf } from "./wall-clock.ts";

/** How exactly moments of the two clocks can be compared, ms. */
const BLUR_MS = 2_000;

/**
 * The wall times that a batch may be planned for, from and to: `scheduled_at`, else the moment of acceptance. Null where the clock was
 * set during the run, and nothing can be said.
 */
export function plannedOf(history: History, batch: ExpectedBatch): Period | null {
  const clock = wallClockOf(history);
  if (!clock || clock.jumps) return null;
  const { scheduledAt, timezone } = batch.body.request;
  if (scheduledAt === null) {
    if (batch.acceptedToMs - batch.acceptedFromMs > 3_600_000) return null;
    return {
      fromMs: clock.wallAtStartMs + batch.acceptedFromMs - BLUR_MS,
      toMs: clock.wallAtStartMs + batch.acceptedToMs + BLUR_MS,
    };
  }
  const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/.test(scheduledAt);
  const zone = timezone ?? timezonesIn(history, batch.account, periodOf(batch))[0] ?? "UTC";
  const instant = hasOffset ? Date.parse(scheduledAt) : instantOf(scheduledAt, zone);
  return Number.isNaN(instant) ? null : { fromMs: instant, toMs: instant };
}

/** When a batch was accepted, as true time. */
export function periodOf({ acceptedFromMs, acceptedToMs }: ExpectedBatch): Period {
  return { fromMs: acceptedFromMs, toMs: acceptedToMs };
}

/** The timezones that an account may have had. */
function timezonesIn(history: History, account: Account, period: Period): readonly string[] {
  const own = accountSettingIn(history, account, "timezone", period);
  const usual = settingsIn(history, period)[0]?.timezone ?? "Africa/Ouagadougou";
  return own.map((zone) => zone ?? account.timezone ?? usual);
}

/** A local date and time of a timezone as an instant. */
function instantOf(local: string, zone: string): number {
  const as = Date.parse(`${local}Z`);
  if (Number.isNaN(as)) return as;
  const first = as - offsetAt(as, zone);
  return as - offsetAt(first, zone);
}

function offsetAt(instantMs: number, zone: string): number {
  return Date.parse(`${localText(instantMs, zone).replace(" ", "T")}Z`) - Math.floor(instantMs / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-01-31 23:59:59` in a timezone. */
function localText(instantMs: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    formats.set(zone, format);
  }
  return format.format(instantMs);
}

/** The permitted hours of an account, as `HH:MM-HH:MM`: what `account set` may have said, else what the configuration may have. */
export function hoursIn(history: History, account: Account, period: Period): readonly string[] {
  return accountSettingIn(history, account, "marketing-hours", period).flatMap((own) =>
    own !== null
      ? [own]
      : settingsIn(history, period).map(
          ({ document }) => text(document, "policy", "marketing_hours") ?? "08:00-20:00",
        ),
  );
}
