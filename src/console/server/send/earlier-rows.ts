/** Compares rows of a corrected file with the batches that they come from: who was reached before, and who failed. Pure. */
import type { RowPlace } from "../../../core/import-row.ts";
import type { FileRecipient, Origin } from "../../../domain/imports/row-reader.ts";
import type { LeftOutRecipient } from "../../../domain/imports/stored-rows.ts";
import { type AttemptState, isReached, NEARNESS, type Try } from "../../../domain/messages/corrections.ts";

/** Reasons of rows that are left out because of the first batch's outcome. */
export const SERVED_BEFORE = "SERVED_BEFORE";
export const FAILED_BEFORE = "FAILED_BEFORE";

/** Outcome of a number, and its batch: the place among those that are compared. */
export type EarlierNumber = Pick<Try, "state" | "error"> & {
  readonly batch: number;
  /** The last batch that had a text for it. */
  readonly last: number;
  /** Whether a retry may deliver what failed. */
  readonly mayPass: boolean;
};

/** A batch by its row id, and its place among those that are compared. */
export type FamilyPlace = { readonly id: number; readonly place: number };

/** Outcomes of numbers in a batch, those that it corrects and those that correct it; and who of them gets the text again. */
export type EarlierBatches = {
  readonly numbers: ReadonlyMap<string, EarlierNumber>;
  /** The batches by the ids that their rows may have. */
  readonly batches: ReadonlyMap<string, FamilyPlace>;
  readonly sendsServed: boolean;
  readonly sendsFailed: boolean;
  /** Whether those too are sent for whom a retry changes nothing. */
  readonly sendsLasting: boolean;
};

type ReachedRow = {
  readonly line: number;
  readonly msisdn: string;
  readonly state: AttemptState;
  readonly batch: number;
};

/**
 * Records the outcomes of the next batch. Who has a text, or may still get one, has it whatever failed later; of failures
 * the latest cause counts.
 */
export function recordEarlierResult(
  numbers: Map<string, EarlierNumber>,
  tries: readonly Try[],
  batch: number,
  mayPass: (one: Try) => boolean,
): void {
  for (const one of tries) {
    const { msisdn, state, error } = one;
    // A cancelled text went to nobody.
    if (state === "CANCELLED") continue;
    const before = numbers.get(msisdn);
    const isLaterFailure = state === "FAILED" && before?.state === "FAILED";
    if (before === undefined || NEARNESS[state] > NEARNESS[before.state] || isLaterFailure) {
      numbers.set(msisdn, {
        state,
        error,
        batch,
        last: batch,
        mayPass: state === "FAILED" && mayPass(one),
      });
    } else if (before.last < batch) numbers.set(msisdn, { ...before, last: batch });
  }
}

type FailedCause = {
  readonly code: string;
  readonly rows: number;
  /** Whether a retry may deliver them. */
  readonly is_passing: boolean;
};

export type EarlierRows = {
  /** Rows whose number was sent nothing by any of them. */
  readonly fresh: number;
  /** Rows already contacted that the user forced by clearing the reason code; not again where a text went to them since that file. */
  readonly unlocked: number;
  readonly served: {
    readonly rows: number;
    readonly first: readonly ReachedRow[];
  };
  readonly failed: {
    readonly rows: number;
    /** Those of them for whom a retry changes nothing. */
    readonly lasting: number;
    /** The most frequent first. */
    readonly causes: readonly FailedCause[];
  };
  /** The lines that are sent nothing, and why. */
  readonly left: readonly { readonly line: number; readonly reason: string }[];
};

type Rows = { readonly recipients: readonly FileRecipient[]; readonly lines: readonly number[] };

/** Rows that are shown. */
const FEW = 50;

/** The kind of a row, by what is known of its number. */
type Group = "fresh" | "unlocked" | "served" | "failed" | "lasting";

/** `markedIn`: the place of the batch in whose file the row's code was cleared; null: in none. */
function groupOf(before: EarlierNumber | undefined, markedIn: number | null): Group {
  if (before === undefined) return "fresh";
  // The file's reader did not know what was sent after it was made: it may be this very row.
  if (markedIn !== null && before.last <= markedIn) return "unlocked";
  if (isReached(before.state)) return "served";
  return before.mayPass ? "failed" : "lasting";
}

/** Finds which row of the family a row is, by its id; null where it has none, or that of another file. */
export function findFamilyPlace(
  { batches }: EarlierBatches,
  origin: Origin | undefined,
): (RowPlace & { readonly markedIn: number | null }) | null {
  const batch = origin && batches.get(origin.of);
  return batch
    ? { batch: batch.id, line: origin.line, markedIn: origin.isMarked ? batch.place : null }
    : null;
}

/** Sorts the rows of a file by the outcomes of earlier batches. `read`: the number in E.164, null for none. */
export function compareWithEarlier(
  { recipients, lines, origins }: Rows & { readonly origins: ReadonlyMap<number, Origin> },
  earlier: EarlierBatches,
  read: (written: string) => string | null,
): { readonly kept: Rows; readonly left: readonly LeftOutRecipient[]; readonly told: EarlierRows } {
  const kept: { recipients: FileRecipient[]; lines: number[] } = { recipients: [], lines: [] };
  const left: LeftOutRecipient[] = [];
  const first: ReachedRow[] = [];
  const causes = new Map<string, FailedCause>();
  const rows = { fresh: 0, unlocked: 0, served: 0, failed: 0, lasting: 0 };
  const sends: Readonly<Record<Group, boolean>> = {
    fresh: true,
    unlocked: true,
    served: earlier.sendsServed,
    failed: earlier.sendsFailed,
    lasting: earlier.sendsLasting,
  };
  for (const [place, recipient] of recipients.entries()) {
    const line = lines[place] ?? 0;
    const msisdn = read(recipient.msisdn) ?? "";
    const before = earlier.numbers.get(msisdn);
    const group = groupOf(before, findFamilyPlace(earlier, origins.get(line))?.markedIn ?? null);
    rows[group] += 1;
    if (before && (group === "failed" || group === "lasting")) noteCause(causes, before);
    if (before && group === "served" && first.length < FEW)
      first.push({ line, msisdn, state: before.state, batch: before.batch });
    if (sends[group]) {
      kept.recipients.push(recipient);
      kept.lines.push(line);
      continue;
    }
    const code = group === "served" ? SERVED_BEFORE : FAILED_BEFORE;
    left.push({
      recipient,
      line,
      status: "ALREADY_REACHED",
      cause: { code, params: {} },
      position: null,
    });
  }
  const told = {
    fresh: rows.fresh,
    unlocked: rows.unlocked,
    served: { rows: rows.served, first },
    failed: {
      rows: rows.failed + rows.lasting,
      lasting: rows.lasting,
      causes: [...causes.values()].sort((a, b) => b.rows - a.rows),
    },
    left: left.map(({ line, cause }) => ({ line, reason: cause?.code ?? "" })),
  };
  return { kept, left, told };
}

function noteCause(causes: Map<string, FailedCause>, { error: code, mayPass }: EarlierNumber): void {
  const name = `${code} ${mayPass}`;
  causes.set(name, { code, is_passing: mayPass, rows: (causes.get(name)?.rows ?? 0) + 1 });
}
