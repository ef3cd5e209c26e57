/** Who has written to a number within a day: such a user is answered without being counted (docs/behaviour.md#pace-of-whatsapp). */

import type { Reader } from "../../db/read.ts";
import { writersSince } from "../../domain/inbound/inbound-texts.ts";
import { formerCodes } from "../../domain/messages/operator-renames.ts";
import { readNumbersByWaId } from "./known-users.ts";

export type ServiceWindows = {
  /** A user, by a number that is written to, wrote to a number of ours, at an instant of the wall clock. */
  readonly wrote: (operator: string, msisdn: string, atMs: number) => void;
  /** Meta says that a number is the user's who was known by another until now: what that one wrote counts for it. */
  readonly named: (operator: string, known: string, msisdn: string) => void;
  /** Whether the user had written to the number within the day before an instant. */
  readonly isOpen: (operator: string, msisdn: string, atMs: number) => boolean;
  /** How many users are remembered, and of how many stretches. */
  readonly size: () => { readonly users: number; readonly spans: number };
};

const DAY_MS = 86_400_000;
/** A post of a day ago may have been in a window that was opened a day before. */
const KEPT_MS = 2 * DAY_MS;
const PAGE = 1000;
/** Users at most, some 50 MB: who wrote longest ago is forgotten first, and then counts as one of the day. */
const MAX_USERS = 200_000;

/** From a first text to a day after the last that came before the day was over: however much is written, it is one. */
type Span = { readonly fromMs: number; readonly untilMs: number };

/** As the texts that are kept tell it, of these numbers and the codes that they had before. */
export function createServiceWindows(
  read: Reader,
  operators: readonly string[],
  nowMs: number,
  maxUsers = MAX_USERS,
): ServiceWindows {
  // Of each user and number the spans of the last two days, the user who wrote last at the end.
  const spans = new Map<string, readonly Span[]>();
  const keep = (key: string, kept: readonly Span[]): void => {
    spans.delete(key);
    spans.set(key, kept);
  };
  const wrote: ServiceWindows["wrote"] = (operator, msisdn, atMs) => {
    const key = `${operator} ${msisdn}`;
    keep(key, withText(spans.get(key) ?? [], atMs));
    for (const [oldest, of] of spans) {
      if (spans.size <= maxUsers && isRecent(of, atMs)) break;
      spans.delete(oldest);
    }
  };
  const codes = operators.flatMap((operator) =>
    [operator, ...formerCodes(read, operator)].map((code) => ({ operator, code })),
  );
  for (const { operator, code } of codes) {
    for (let afterId = 0; ; ) {
      const page = writersSince(read, code, nowMs - KEPT_MS, afterId, PAGE);
      const last = page.at(-1);
      if (!last) break;
      for (const { source, msisdn, receivedAt } of page) {
        if (msisdn === null) continue;
        // What Meta calls the user may have been named for more numbers since.
        const named = [source, msisdn].flatMap((called) => readNumbersByWaId(read, called.slice(1)));
        for (const number of numbersWritten(source, [msisdn, ...named])) wrote(operator, number, receivedAt);
      }
      afterId = last.id;
    }
  }
  return {
    wrote,
    named: (operator, known, msisdn) => {
      for (const { fromMs, untilMs } of spans.get(`${operator} ${known}`) ?? []) {
        wrote(operator, msisdn, fromMs);
        wrote(operator, msisdn, untilMs - DAY_MS);
      }
    },
    isOpen: (operator, msisdn, atMs) =>
      (spans.get(`${operator} ${msisdn}`) ?? []).some(
        ({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs,
      ),
    size: () => ({ users: spans.size, spans: [...spans.values()].reduce((sum, of) => sum + of.length, 0) }),
  };
}

/** The numbers that a user may be written to by who wrote: what Meta calls the user is one of them where it is a number. */
export function numbersWritten(source: string, numbers: readonly string[]): ReadonlySet<string> {
  return new Set(source.startsWith("+") ? [source, ...numbers] : numbers);
}

/** The spans of a user with one text more, in the order of their times, without those that are over for long. */
function withText(known: readonly Span[], atMs: number): readonly Span[] {
  let span: Span = { fromMs: atMs, untilMs: atMs + DAY_MS };
  const others: Span[] = [];
  for (const each of known) {
    const touches = each.fromMs <= span.untilMs && span.fromMs <= each.untilMs;
    if (touches)
      span = {
        fromMs: Math.min(each.fromMs, span.fromMs),
        untilMs: Math.max(each.untilMs, span.untilMs),
      };
    else if (each.untilMs > atMs - DAY_MS) others.push(each);
  }
  return [...others, span].sort((a, b) => a.fromMs - b.fromMs);
}

/** Whether the last text of a user came within the time that is looked back to. */
function isRecent(of: readonly Span[], nowMs: number): boolean {
  return (of.at(-1)?.untilMs ?? 0) - DAY_MS > nowMs - KEPT_MS;
}
