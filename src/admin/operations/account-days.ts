/** The days of batches and messages in the timezones of the appliance and of accounts. */
import { toLocalDate } from "../../core/calendar.ts";
import type { Reader } from "../../db/reader.ts";
import { accountZones, readTimezone } from "../../domain/accounts/accounts.ts";
import { APPLIANCE, type DaysOf, type Zones } from "../../domain/messages/search/delivery-figures.ts";

/** Clocks of zones differ by quarters of an hour: within one, the date stays the same. */
const QUARTER_MS = 900_000;

/** Dates that are remembered. */
const MAX_KNOWN = 50_000;

/** The day that a batch was accepted on, in the appliance's timezone and in its account's. */
export function createDayResolver(read: Reader, timezone: () => string): DaysOf {
  const known = new Map<string, string>();
  const dateOf = (atMs: number, zone: string): string => {
    const name = `${zone} ${Math.floor(atMs / QUARTER_MS)}`;
    const found = known.get(name) ?? toLocalDate(atMs, zone);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, found);
    return found;
  };
  return (accountId, createdAtMs) => {
    const zone = timezone();
    const own = readTimezone(read, accountId) ?? zone;
    return { all: dateOf(createdAtMs, zone), own: own === zone ? null : dateOf(createdAtMs, own) };
  };
}

/** The timezones that make the days of the appliance and of accounts now. */
export function readZones(read: Reader, timezone: string): Zones {
  return new Map([[APPLIANCE, timezone], ...accountZones(read)]);
}
