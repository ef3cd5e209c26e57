/** Who has written to a number within a day: such a user is answered without being counted (docs/behaviour.md#pace-of-whatsapp). */
import { writersSince } from "../inbound/inbound-texts.ts";
import { formerCodes } from "../messages/operator-renames.ts";
import type { Reader } from "../store/read.ts";

export type UserWindows = {
  /** A user wrote to a number, at an instant of the wall clock. */
  readonly wrote: (operator: string, msisdn: string, atMs: number) => void;
  /** Whether the user had written to the number within the day before an instant. */
  readonly isOpen: (operator: string, msisdn: string, atMs: number) => boolean;
};

const DAY_MS = 86_400_000;
/** A post of a day ago may have been in a window that was opened a day before. */
const KEPT_MS = 2 * DAY_MS;
const PAGE = 1000;

/** As the texts that are kept tell it, of these numbers and the codes that they had before. */
export function userWindows(read: Reader, operators: readonly string[], nowMs: number): UserWindows {
  // Of each user and number the times of the last two days, the user who wrote last at the end.
  const times = new Map<string, readonly number[]>();
  const wrote: UserWindows["wrote"] = (operator, msisdn, atMs) => {
    const key = `${operator} ${msisdn}`;
    const known = (times.get(key) ?? []).filter((at) => at > atMs - KEPT_MS);
    times.delete(key);
    times.set(key, [...known, atMs]);
    for (const [oldest, of] of times) {
      if (Math.max(...of) > atMs - KEPT_MS) break;
      times.delete(oldest);
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
      for (const { msisdn, receivedAt } of page) if (msisdn !== null) wrote(operator, msisdn, receivedAt);
      afterId = last.id;
    }
  }
  return {
    wrote,
    isOpen: (operator, msisdn, atMs) =>
      (times.get(`${operator} ${msisdn}`) ?? []).some((at) => at <= atMs && at > atMs - DAY_MS),
  };
}
