/** Answers to submissions that name one number: as rejected. */
import { type Page, toPage } from "../../core/pages.ts";
import type { NumberMatcher } from "../../core/sought-number.ts";
import type { Reader } from "../../db/read.ts";

/** `text` is the answer as it was given. */
export type RememberedAnswer = {
  readonly id: number;
  readonly status: number;
  readonly text: string;
  readonly createdAt: number;
};

/** An answer may name a thousand rejected recipients. */
const PAGE = 25;

/** Remembered answers that name a number, among the next rows. */
export function repliesPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<RememberedAnswer, number> {
  const rows = read.all<RememberedAnswer>(
    `SELECT id, status, response AS text, created_at AS createdAt FROM idempotency_records
     WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? -1,
    PAGE,
  );
  return toPage(
    rows,
    PAGE,
    ({ id }) => id,
    ({ text }) => text.includes(number.msisdn),
  );
}
