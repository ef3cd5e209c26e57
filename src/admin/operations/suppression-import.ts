import { Type as t } from "typebox";
import { UnclosedQuote } from "../../core/csv-rows.ts";
import { createYielder } from "../../core/slices.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import type { MessageClass } from "../../domain/accounts/classes.ts";
import { addSuppression } from "../../domain/accounts/suppressions.ts";
import { phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { createMsisdnReader } from "./msisdn.ts";
import { operation, type Parameter } from "./operation.ts";
import { otherwiseTyped, typedAs, YES } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { type FileEntry, type FileFault, readSuppressionFile, suppressionRows } from "./suppression-file.ts";
import {
  CLASS_OR_ALL,
  classOf,
  findSuppressionList,
  LIST,
  readList,
  type SuppressionList,
  type ListOwner,
} from "./suppressions.ts";

/** Numbers written in one transaction. */
const STEP = 250;
/** How many faulty lines a refusal and an answer name. */
const MAX_IN_REFUSAL = 20;

export type SuppressionImport = {
  /** What stands in the file. */
  readonly text: string;
  /** For a row that names no class; null: every class. */
  readonly messageClass: MessageClass | null;
  /** Take the other lines where some cannot be read, instead of nothing at all. */
  readonly skipInvalid: boolean;
};

export type ImportView = {
  /** Null: the appliance-wide list. */
  readonly account_id: string | null;
  /** Rows that could be read; of these, how many brought anything new, and how many stood on the list already. */
  readonly numbers: number;
  readonly added: number;
  readonly already_listed: number;
  /** Lines that could not be read. Of these the first are named. */
  readonly skipped: number;
  readonly skipped_lines: readonly FileFault[];
};

/**
 * Puts the numbers of a file on a list. The whole file is read before anything is written: with a line that cannot
 * be read nothing is imported, unless `skipInvalid`. Then it is written in steps, so that nobody waits for it; the
 * audit list says when an import begins and when it is done, so that one that was cut off can be seen, and importing
 * the file again completes it.
 */
export async function suppressionImport(
  context: AdminContext,
  whose: ListOwner,
  file: SuppressionImport,
): Promise<AdminOutcome<ImportView>> {
  const { store, config, clock } = context;
  const list = findSuppressionList(store.read, whose);
  if (!list.ok) return list;
  const pause = createYielder(clock);
  const rules = { otherwise: file.messageClass, readMsisdn: createMsisdnReader(config) };
  const read = await readSuppressionFile(file.text, rules, pause);
  if (read instanceof UnclosedQuote) return refuse("INVALID_FILE.quote_open", { line: read.line });
  const { numbers, faulty: skipped, faults } = read;
  if (skipped > 0 && !file.skipInvalid) return refuseLines(skipped, faults);
  if (numbers === 0) return refuse("INVALID_FILE.no_number");

  await record(context, list.value, { step: "begun", numbers, skipped });
  let added = 0;
  const write = (entries: readonly FileEntry[]): Promise<number> =>
    store.write((tx) => {
      const nowMs = clock.nowMs();
      const entry = { accountId: list.value.id, source: "IMPORT" } as const;
      return entries.filter((each) => addSuppression(tx, { ...entry, ...each }, nowMs) > 0).length;
    });
  // Read anew instead of kept: as objects, the numbers of a file take ten times its memory.
  let step: FileEntry[] = [];
  for (const row of suppressionRows(file.text, rules)) {
    await pause();
    if (row === null || !("msisdn" in row)) continue;
    step.push(row);
    if (step.length < STEP) continue;
    added += await write(step);
    step = [];
  }
  if (step.length > 0) added += await write(step);
  await record(context, list.value, { step: "done", numbers, added });
  return done({
    account_id: list.value.ulid,
    numbers,
    added,
    already_listed: numbers - added,
    skipped,
    skipped_lines: faults,
  });
}

function record(context: AdminContext, { subject }: SuppressionList, detail: AuditDetail) {
  return change(context, () =>
    done({ value: null, audit: { action: "suppression import", subject, detail } }),
  );
}

function refuseLines(count: number, faults: readonly FileFault[]) {
  const named = faults
    .slice(0, MAX_IN_REFUSAL)
    .map(({ line, problem }) => phrase("line", { line, why: problem }));
  const rest = count > MAX_IN_REFUSAL ? [phrase("more", { more: count - MAX_IN_REFUSAL })] : [];
  return refuse("INVALID_FILE.suppressions", { faulty: count, lines: [...named, ...rest] });
}

/** A file that names no class lists people who want no more advertising; one-time passwords they still need. */
const USUAL_CLASS = "MARKETING";

/** A file of 4 MiB holds some 200,000 numbers. */
const MAX_CHARACTERS = 4_194_304;

/** What stands in the file. */
const FILE: Parameter<string, false> = {
  schema: t.String({ minLength: 1, maxLength: MAX_CHARACTERS }),
  typed: { word: "FILE", value: "FILE", isFile: true, read: done },
};

export const SUPPRESSION_IMPORT_OPERATIONS = {
  "suppression import": operation({
    may: "suppressions.change",
    params: {
      account: LIST.account,
      text: FILE,
      everywhere: LIST.everywhere,
      message_class: otherwiseTyped(USUAL_CLASS, typedAs({ told: { usual: USUAL_CLASS } }, CLASS_OR_ALL)),
      skip_invalid: otherwiseTyped(false, { schema: t.Boolean(), typed: YES.typed }),
      mode: LIST.mode,
    },
    run: (context, { text, message_class, skip_invalid: skipInvalid, ...of }) => {
      const list = readList(of);
      if (!list.ok) return list;
      return suppressionImport(context, list.value, {
        text,
        messageClass: classOf(message_class),
        skipInvalid,
      });
    },
  }),
};
