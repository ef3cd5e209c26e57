/** What a statement of consumption says beside its figures: its number, its taxes, and when it is due. Pure. */
import { isoUtc } from "../../core/clock.ts";
import type { Xof } from "../../core/money.ts";
import type { StatementPeriod } from "./statements.ts";

const DAY_MS = 86_400_000;
const DAY_LENGTH = "2026-03-01".length;

/** The characters of an account's id that a number begins with: its random end. */
const ACCOUNT_LENGTH = 8;

/**
 * The number of the statement of an account for a period, the same whenever it is asked for: `7Q2M4XZD-202603` of a month,
 * `7Q2M4XZD-20260301-20260315` of whole days, both included, else two instants. Null where an end of the period is open.
 */
export function statementNumber(accountUlid: string, { fromMs, toMs }: StatementPeriod): string | null {
  if (fromMs === null || toMs === null) return null;
  return `${accountUlid.slice(-ACCOUNT_LENGTH)}-${periodCode(fromMs, toMs)}`;
}

function periodCode(fromMs: number, toMs: number): string {
  if (fromMs >= toMs || fromMs % DAY_MS !== 0 || toMs % DAY_MS !== 0) {
    return `${compact(isoUtc(fromMs))}-${compact(isoUtc(toMs))}`;
  }
  const begin = new Date(fromMs);
  const nextMonthMs = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1);
  const isMonth = begin.getUTCDate() === 1 && toMs === nextMonthMs;
  if (isMonth) return compact(isoUtc(fromMs).slice(0, "2026-03".length));
  return `${compact(utcDay(fromMs))}-${compact(utcDay(toMs - DAY_MS))}`;
}

function compact(text: string): string {
  return text.replaceAll(/[-:.]/g, "");
}

function utcDay(ms: number): string {
  return isoUtc(ms).slice(0, DAY_LENGTH);
}

/** The day on which a statement is due: so many days after the last of its period. Null where the period has no end. */
export function dueDay({ toMs }: StatementPeriod, days: number): string | null {
  return toMs === null ? null : utcDay(toMs - 1 + days * DAY_MS);
}

type Tax = { readonly name: string; readonly percent: number };

/** Percentages have two decimals: 100 % in the unit that is counted with. */
const WHOLE = 10_000n;

/** Each tax on what was charged, rounded by itself to whole francs, half a franc up. */
export function taxLines(charged: Xof, taxes: readonly Tax[]): readonly (Tax & { readonly amount: Xof })[] {
  return taxes.map(({ name, percent }) => {
    const parts = BigInt(charged) * BigInt(Math.round(percent * 100));
    return { name, percent, amount: Number((parts + WHOLE / 2n) / WHOLE) };
  });
}
