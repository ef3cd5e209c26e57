/** Rows of a corrected file beside the batches that they come from: who was served before, and who failed before. Pure. */
import { type EarlierMessage, type EarlierState, NEARER } from "../../messages/earlier.ts";
import type { FileRecipient } from "../../recipients/file-row.ts";
import { keptRecipient, type UnreadableRow } from "../../recipients/unreadable-rows.ts";
import { otherTexts, type SaidBefore } from "./said-before.ts";

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
export type EarlierNumber = Pick<EarlierMessage, "state" | "error"> & {
  readonly batch: number;
  /** The last batch that had a text for it. */
  readonly last: number;
  /** Whether another try may deliver what failed. */
  readonly mayPass: boolean;
};

/** What became of numbers in a batch, in those that it corrects and in those that correct it; and who of them gets the text again. */
export type EarlierBatches = {
  readonly numbers: ReadonlyMap<string, EarlierNumber>;
  /** The place of the batch whose rows are corrected. */
  readonly corrected: number;
  readonly said: SaidBefore;
  readonly sendsServed: boolean;
  readonly sendsFailed: boolean;
  /** Those too for whom it failed so that another try changes nothing. */
  readonly sendsLasting: boolean;
};

export type ServedRow = {
  readonly line: number;
  readonly msisdn: string;
  readonly state: EarlierState;
  readonly batch: number;
};

/** A row whose number has another text than it would have been sent. */
export type OtherRow = Omit<ServedRow, "state"> & {
  /** What the batch would have said to it. */
  readonly here: string;
};

/**
 * Notes what became of numbers in the next batch. Who has a text, or may still get one, has it whatever failed later; of those that failed
 * the latest cause counts.
 */
export function noteEarlier(
  numbers: Map<string, EarlierNumber>,
  messages: readonly EarlierMessage[],
  batch: number,
  mayPass: (message: EarlierMessage) => boolean,
): void {
  for (const message of messages) {
    const { msisdn, state, error } = message;
    const before = numbers.get(msisdn);
    if (before === undefined || NEARER[state] > NEARER[before.state] || isLaterFailure(state, before.state)) {
      const passes = state === "FAILED" && mayPass(message);
      numbers.set(msisdn, { state, error, batch, last: batch, mayPass: passes });
    } else if (before.last < batch) numbers.set(msisdn, { ...before, last: batch });
  }
}

function isLaterFailure(now: EarlierState, before: EarlierState): boolean {
  return now === "FAILED" && before === "FAILED";
}

export type FailedCause = {
  readonly code: string;
  readonly rows: number;
  /** Whether another try may deliver them. */
  readonly is_passing: boolean;
};

export type EarlierRows = {
  /** Rows whose number none of them sent anything to. */
  readonly fresh: number;
  /** Rows whose number one of them did, and that are sent because somebody emptied their code in the file of who got nothing; not again where a correction of that batch had a text for them since. */
  readonly unlocked: number;
  readonly served: {
    readonly rows: number;
    readonly first: readonly ServedRow[];
    /** Those of them that say something else than what their number was told. */
    readonly other: { readonly rows: number; readonly first: readonly OtherRow[] };
  };
  readonly failed: {
    readonly rows: number;
    /** Those of them for whom another try changes nothing. */
    readonly lasting: number;
    /** The most frequent first. */
    readonly causes: readonly FailedCause[];
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

/** Rows that are shown, and those with their texts. */
const FEW = 50;
const FEW_TEXTS = 20;

/** What becomes of a row: to whom it goes, or what is known of its number. */
type Group = "fresh" | "unlocked" | "served" | "failed" | "lasting";

function groupOf(before: EarlierNumber | undefined, isUnlocked: boolean, corrected: number): Group {
  if (before === undefined) return "fresh";
  // What was sent since the file was made, its reader did not know: it may be this very row.
  if (isUnlocked && before.last <= corrected) return "unlocked";
  if (before.state !== "FAILED") return "served";
  return before.mayPass ? "failed" : "lasting";
}

/**
 * Tells the rows of a file apart by what earlier batches came to. `unlocked`: the lines of those that somebody said are to be sent all the
 * same. `read`: the number in E.164, null for none.
 */
export function besideEarlier(
  { recipients, lines, unlocked }: Rows & { readonly unlocked: ReadonlySet<number> },
  { numbers, corrected, said, sendsServed, sendsFailed, sendsLasting }: EarlierBatches,
  read: (written: string) => string | null,
): { readonly kept: Rows; readonly left: readonly LeftRow[]; readonly told: EarlierRows } {
  const kept: { recipients: FileRecipient[]; lines: number[] } = { recipients: [], lines: [] };
  const left: LeftRow[] = [];
  const first: ServedRow[] = [];
  const other = { rows: 0, first: [] as OtherRow[] };
  const otherText = otherTexts(said);
  const causes = new Map<string, FailedCause>();
  const rows = { fresh: 0, unlocked: 0, served: 0, failed: 0, lasting: 0 };
  const sends = {
    fresh: true,
    unlocked: true,
    served: sendsServed,
    failed: sendsFailed,
    lasting: sendsLasting,
  };
  for (const [place, recipient] of recipients.entries()) {
    const line = lines[place] ?? 0;
    const msisdn = read(recipient.msisdn) ?? "";
    const before = numbers.get(msisdn);
    const group = groupOf(before, unlocked.has(line), corrected);
    rows[group] += 1;
    if (before && (group === "failed" || group === "lasting")) noteCause(causes, before);
    if (before && group === "served") {
      const { state, batch } = before;
      if (first.length < FEW) first.push({ line, msisdn, state, batch });
      const here = otherText(batch, msisdn, recipient.attributes);
      if (here !== null) other.rows += 1;
      if (here !== null && other.first.length < FEW_TEXTS) other.first.push({ line, msisdn, batch, here });
    }
    if (!sends[group]) {
      left.push({ recipient, line, reason: group === "served" ? SERVED_BEFORE : FAILED_BEFORE });
      continue;
    }
    kept.recipients.push(recipient);
    kept.lines.push(line);
  }
  const { fresh, unlocked: freed, served, failed, lasting } = rows;
  const told = {
    ...{ fresh, unlocked: freed, served: { rows: served, first, other } },
    failed: {
      ...{ rows: failed + lasting, lasting },
      causes: [...causes.values()].sort((a, b) => b.rows - a.rows),
    },
    left: left.map(({ line, reason }) => ({ line, reason })),
  };
  return { kept, left, told };
}

function noteCause(causes: Map<string, FailedCause>, { error: code, mayPass }: EarlierNumber): void {
  const name = `${code} ${mayPass}`;
  causes.set(name, { code, is_passing: mayPass, rows: (causes.get(name)?.rows ?? 0) + 1 });
}
