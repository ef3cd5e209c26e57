/** Periods that people pick, as days of the calendar in their zone. Pure. */

const DAY_MS = 86_400_000;

/** Periods by name, as they stand in an address. */
export const PERIODS = ["today", "yesterday", "7d", "30d", "90d", "year", "month", "last-month"] as const;
export type Period = (typeof PERIODS)[number];

/** Those that lists offer. */
export const LIST_PERIODS = ["today", "yesterday", "7d", "30d", "month", "last-month"] as const;

/** The first and the last day, `2026-03-01`; it goes on where `to` is null. */
type DaySpan = { readonly from: string; readonly to: string | null };

/** The days of a period, counted from `today`. */
export function spanOfPeriod(period: Period, today: string): DaySpan {
  switch (period) {
    case "today":
      return { from: today, to: null };
    case "yesterday":
      return { from: dayBeside(today, -1), to: dayBeside(today, -1) };
    case "7d":
      return { from: dayBeside(today, -6), to: null };
    case "30d":
      return { from: dayBeside(today, -29), to: null };
    case "90d":
      return { from: dayBeside(today, -89), to: null };
    case "year":
      return { from: dayBeside(today, -365), to: null };
    case "month":
      return { from: firstOfMonth(today), to: null };
    case "last-month": {
      const last = dayBeside(firstOfMonth(today), -1);
      return { from: firstOfMonth(last), to: last };
    }
  }
}

/** The period of that name; undefined where there is none. */
export function periodNamed(name: string | undefined): Period | undefined {
  return PERIODS.find((one) => one === name);
}

/** The day so many days after another. */
export function dayBeside(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, "2026-03-01".length);
}

/** Whether it is a day of the calendar, and no other instant. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The last months, the present one first: `2026-03`. */
export function lastMonths(today: string, count: number): readonly string[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  return Array.from({ length: count }, (_, before) =>
    new Date(Date.UTC(year, month - 1 - before, 1)).toISOString().slice(0, "2026-03".length),
  );
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, "2026-03".length)}-01`;
}
