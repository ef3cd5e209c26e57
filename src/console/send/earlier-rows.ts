/** Rows of a corrected file beside the batches that they come from: who was served before, and who failed before. Pure. */
import { type EarlierMessage, type EarlierState, NEARER } from "../../messages/earlier.ts";
import type { FileRecipient } from "../../recipients/file-row.ts";
import { keptRecipient, type UnreadableRow } from "../../recipients/unreadable-rows.ts";

/** Reasons of rows that are left out because of what the first batch came to; by them a file tells such rows. */
export const SERVED_BEFORE = "SERVED_BEFORE";
export const FAILED_BEFORE = "FAILED_BEFORE";

/** The same as the new batch keeps them: it tells such rows as repeats, and knows them when its file comes back. */
const CAUSES = {
  [SERVED_BEFORE]:
    "it repeats a number that the batch before reached already, or is on its way to: to send this row too, empty its cell in the column of the reason code",
  [FAILED_BEFORE]:
    "it repeats a number that the batch before failed for, and that was not to be tried again: to send this row too, empty its cell in the column of the reason code",
} as const;

/** What became of a number, and in which batch: its place among those that are compared. */
export type EarlierNumber = Pick<EarlierMessage, "state" | "error"> & { readonly batch: number };

/** What became of numbers in a batch, in those that it corrects and in those that correct it; and who of them gets the text again. */
export type EarlierBatches = {
  readonly numbers: ReadonlyMap<string, EarlierNumber>;
  readonly sendsServed: boolean;
  readonly sendsFailed: boolean;
};

export type ServedRow = {
  readonly line: number;
  readonly msisdn: string;
  readonly state: EarlierState;
  readonly batch: number;
};

/**
 * Notes what became of numbers in the next batch. Who has a text, or may still get one, has it whatever failed later; of those that failed
 * the latest cause counts.
 */
export function noteEarlier(
  numbers: Map<string, EarlierNumber>,
  messages: readonly EarlierMessage[],
  batch: number,
): void {
  for (const { msisdn, state, error } of messages) {
    const before = numbers.get(msisdn);
    if (before === undefined || NEARER[state] > NEARER[before.state] || isLaterFailure(state, before.state)) {
      numbers.set(msisdn, { state, error, batch });
    }
  }
}

function isLaterFailure(now: EarlierState, before: EarlierState): boolean {
  return now === "FAILED" && before === "FAILED";
}

export type EarlierRows = {
  /** Rows whose number none of them sent anything to. */
  readonly fresh: number;
  readonly served: { readonly rows: number; readonly first: readonly ServedRow[] };
  readonly failed: {
    readonly rows: number;
    /** The most frequent first. */
    readonly causes: readonly { readonly code: string; readonly rows: number }[];
  };
  /** The lines of those that nothing is sent for, and why. */
  readonly left: readonly { readonly line: number; readonly reason: string }[];
};

/** A row that nothing is sent for because of what earlier batches came to. */
export type LeftRow = {
  readonly recipient: FileRecipient;
  readonly line: number;
  readonly reason: keyof typeof CAUSES;
};

/** Such a row as the new batch keeps it. `tags`: what its text asks for, in their normal form (NFC). */
export function keptLeft({ recipient, line, reason }: LeftRow, tags: ReadonlySet<string>): UnreadableRow {
  return keptRecipient(recipient, { line, cause: CAUSES[reason] }, tags);
}

type Rows = { readonly recipients: readonly FileRecipient[]; readonly lines: readonly number[] };

/** Rows that are shown. */
const FEW = 50;

/** Tells the rows of a file apart by what earlier batches came to. `read`: the number in E.164, null for none. */
export function besideEarlier(
  { recipients, lines }: Rows,
  { numbers, sendsServed, sendsFailed }: EarlierBatches,
  read: (written: string) => string | null,
): { readonly kept: Rows; readonly left: readonly LeftRow[]; readonly told: EarlierRows } {
  const kept: { recipients: FileRecipient[]; lines: number[] } = { recipients: [], lines: [] };
  const left: LeftRow[] = [];
  const first: ServedRow[] = [];
  const causes = new Map<string, number>();
  const rows = { fresh: 0, served: 0, failed: 0 };
  for (const [place, recipient] of recipients.entries()) {
    const line = lines[place] ?? 0;
    const msisdn = read(recipient.msisdn) ?? "";
    const before = numbers.get(msisdn);
    const group = before === undefined ? "fresh" : before.state === "FAILED" ? "failed" : "served";
    rows[group] += 1;
    if (before && group === "failed") causes.set(before.error, (causes.get(before.error) ?? 0) + 1);
    if (before && group === "served" && first.length < FEW) {
      first.push({ line, msisdn, state: before.state, batch: before.batch });
    }
    if (group === "served" && !sendsServed) left.push({ recipient, line, reason: SERVED_BEFORE });
    else if (group === "failed" && !sendsFailed) left.push({ recipient, line, reason: FAILED_BEFORE });
    else {
      kept.recipients.push(recipient);
      kept.lines.push(line);
    }
  }
  const told = {
    fresh: rows.fresh,
    served: { rows: rows.served, first },
    failed: { rows: rows.failed, causes: mostFirst(causes) },
    left: left.map(({ line, reason }) => ({ line, reason })),
  };
  return { kept, left, told };
}

function mostFirst(causes: ReadonlyMap<string, number>) {
  return [...causes].map(([code, rows]) => ({ code, rows })).sort((a, b) => b.rows - a.rows);
}
