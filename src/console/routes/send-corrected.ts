/** Corrected rows of a batch: what it came to for whom, so that nobody is served twice without knowing it. */
import { type Static, Type as t } from "@sinclair/typebox";
import { slicer } from "../../base/slices.ts";
import type { BatchRecord } from "../../messages/batches.ts";
import { type EarlierMessage, earlierMessages } from "../../messages/earlier.ts";
import { errorObject, isPassing } from "../../messages/message-error.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import type { PersonsQuote } from "../../operations/submissions.ts";
import { type EarlierBatch, type EarlierRows, FAILED_BEFORE, SERVED_BEFORE } from "../send/earlier-rows.ts";
import { type Asked, ownBatch } from "./asked.ts";
import { ID } from "./shapes.ts";

export const CORRECTED = t.Object({
  /** The batch whose rows were corrected. */
  of: ID,
  /** Whether rows are sent whose number it served, or may still serve, and those whose number it failed for. */
  sends_served: t.Boolean(),
  sends_failed: t.Boolean(),
  /** The moment, in epoch milliseconds, that its quote told of: what is sent is what was quoted. */
  as_of: t.Optional(t.Integer({ minimum: 0 })),
});

export type Corrected = Static<typeof CORRECTED>;

/** What the first batch came to for the rows of a file. */
export type EarlierView = Omit<EarlierRows, "failed" | "left"> & {
  readonly as_of: number;
  readonly failed: {
    readonly rows: number;
    readonly causes: readonly {
      readonly code: string;
      /** In the reader's words. */
      readonly detail: string;
      readonly rows: number;
      /** Whether another try may deliver them. */
      readonly is_passing: boolean;
    }[];
  };
  /** Rows that are left out because of it. */
  readonly left: number;
};

/** What became of the numbers of the batch that is corrected, read in slices beside other work; null where none is. */
export async function earlierOf(
  asked: Asked,
  accountId: number,
  corrected: Corrected | undefined,
  asOf: number,
): Promise<AdminOutcome<EarlierBatch | null>> {
  if (corrected === undefined) return done(null);
  const batch = ownBatch(asked, corrected.of);
  if (!batch.ok) return batch;
  if (batch.value.accountId !== accountId) {
    return refuse("BATCH_NOT_FOUND", `there is no batch ${JSON.stringify(corrected.of)}`);
  }
  const { sends_served: sendsServed, sends_failed: sendsFailed } = corrected;
  return done({ numbers: await numbersOf(asked, batch.value, asOf), sendsServed, sendsFailed });
}

async function numbersOf({ context }: Asked, batch: BatchRecord, asOf: number) {
  const pause = slicer(context.clock);
  const numbers = new Map<string, Pick<EarlierMessage, "state" | "error">>();
  for (const messages of earlierMessages(context.store.read, batch, asOf)) {
    for (const { msisdn, ...became } of messages) numbers.set(msisdn, became);
    await pause();
  }
  return numbers;
}

/** The same as people are told of it. */
export function earlierView({ inTheirWords }: Asked, rows: EarlierRows, asOf: number): EarlierView {
  const causes = rows.failed.causes.map(({ code, rows: count }) => ({
    ...{ code, rows: count, is_passing: isPassing(code) },
    detail: inTheirWords(errorObject(code, null)?.detail ?? code),
  }));
  return { ...rows, as_of: asOf, failed: { rows: rows.failed.rows, causes }, left: rows.left.length };
}

/** Reasons by how many, with those of rows that are left out. */
export function withLeft(reasons: PersonsQuote["rejections_by_reason"], { left }: EarlierRows) {
  const counts = [SERVED_BEFORE, FAILED_BEFORE].map(
    (reason) => [reason, left.filter((one) => one.reason === reason).length] as const,
  );
  return { ...reasons, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}

/** Of a file of which no row is left to send. */
export const NOTHING_TO_SEND: PersonsQuote = {
  ...{ status: "REJECTED", accepted: 0, rejected: 0, rejections_by_reason: {}, rejections: [] },
  ...{ total_segments: 0, amount: 0, by_operator: [], encodings: {}, characters: [] },
  rewritten: { total_segments: 0, amount: 0, saved: 0, examples: [] },
  ...{ is_payable: true, refusal: null, spendable_before: null, spendable_after: null },
  ...{ starts_at: null, warnings: [], first: [], dearer: { messages: 0, characters: [] } },
  ...{ lengths: [], doubles_of_refused: 0 },
};
