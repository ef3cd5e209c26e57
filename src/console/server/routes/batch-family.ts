/** A batch with those that it corrects and that correct it, by people: who has the text, who has nothing yet, why, and what helps. */
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import {
  addOutcome,
  type FamilyRecipients,
  type OutcomeLine,
  type OutcomeState,
  type RejectedPerson,
  readFamilyRecipients,
  type SentRecipient,
} from "../../../admin/reports/batch-report.ts";
import { UNREADABLE } from "../../../admin/reports/rejected-recipients.ts";
import { operatorNames } from "../../../config/config.ts";
import { isoUtc } from "../../../core/clock.ts";
import { createYielder } from "../../../core/concurrency.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import { getOwn } from "../../../core/own-value.ts";
import { accountById } from "../../../domain/accounts/accounts.ts";
import { isRegistered } from "../../../domain/accounts/senders.ts";
import { mayPass } from "../../../domain/messages/batch-messages.ts";
import {
  type BatchRecord,
  batchById,
  batchWritten,
  readReferences,
} from "../../../domain/messages/batches.ts";
import {
  type AttemptState,
  findTextBatch,
  readBatchFamily,
  readTexts,
} from "../../../domain/messages/corrections.ts";
import { leftOutCount, readRow } from "../../../domain/messages/import-rows.ts";
import { errorPhrase, isPassing } from "../../../domain/messages/message-status.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { compileTemplate } from "../../../text/template.ts";
import { type Heading, sheetHeadings, sheetTime, toAccountSlug, toSlug } from "../downloads.ts";
import { toReasonPhrase } from "../rejection-reasons.ts";
import { hideMoney } from "./money-visibility.ts";
import { localizeCode, renderCause, renderNumberRefusal } from "./rejected-rows.ts";
import { canReadTexts, type PageContext } from "./request-context.ts";
import { csvFile, type Download } from "./route.ts";

/** Lists the whole family in sending order, this batch too; empty where it is alone. */
export function listRelatedBatches(asked: PageContext, batchId: number) {
  const { read } = asked.context.store;
  const { batches } = readBatchFamily(read, batchId);
  if (batches.length < 2) return [];
  return batches.flatMap(({ id, ulid, corrects, createdAtMs }) => {
    const row = batchById(read, id);
    if (!row) return [];
    const related = {
      batch_id: ulid,
      /** The batch that it corrects; null of the first. */
      corrects,
      created_at: isoUtc(createdAtMs),
      client_reference: row.client_reference,
      accepted: row.accepted,
      delivered: row.delivered,
      failed: row.failed,
      cancelled: row.cancelled,
      /** Rows that nothing was sent for. */
      left: row.rejected + leftOutCount(read, id),
      /** What it cost, in XOF. */
      amount: row.charged_amount,
    };
    return [hideMoney(asked.seesMoney, related)];
  });
}

/** A person of a family. `NOT_SENT`: no text ever went to them. */
type Person =
  | (SentRecipient & { readonly code: string })
  | (RejectedPerson & { readonly state: "NOT_SENT"; readonly code: string });

/** Yields everybody, those to whom a text went first. */
function* everybody({ sent, refused }: FamilyRecipients): Generator<Person> {
  for (const one of sent) yield { ...one, code: one.state === "CANCELLED" ? "CANCELLED" : one.error };
  for (const one of refused) yield { ...one, state: "NOT_SENT", code: one.reason ?? UNREADABLE };
}

const NOTHING: readonly Person["state"][] = ["FAILED", "CANCELLED", "NOT_SENT"];
function hasNothing({ state }: Pick<Person, "state">): boolean {
  return NOTHING.includes(state);
}

/** Why a text failed, in the reader's words. */
function failedWord({ translate }: PageContext, code: string): string {
  return translate(errorPhrase(code));
}

/** Why a person has nothing, in the reader's words; "" for others. */
function whyOf(asked: PageContext, person: Person): string {
  if (!hasNothing(person)) return "";
  if (person.state === "NOT_SENT") {
    const { code, stored: kept, msisdn } = person;
    return kept ? renderCause(asked, code, kept.cause) : renderNumberRefusal(asked, code, msisdn);
  }
  const failed = failedWord(asked, person.code);
  const { refusedSince, msisdn } = person;
  return refusedSince === null ? failed : `${failed} ${renderNumberRefusal(asked, refusedSince, msisdn)}`;
}

/** Says what helps a person who has nothing, by the sender of the last batch as operators know it now. */
function helper(asked: PageContext, { batches }: FamilyRecipients): (person: Person) => string {
  const { read } = asked.context.store;
  const last = batches.at(-1);
  const batch = last ? batchById(read, last.id) : null;
  const known = new Map<string, boolean>();
  const isKnownAt = (operator: string): boolean => {
    const isKnown =
      known.get(operator) ?? (batch !== null && isRegistered(read, batch.account_id, batch.sender, operator));
    known.set(operator, isKnown);
    return isKnown;
  };
  const helpOf = (person: Person) => {
    if (person.state === "NOT_SENT") return chooseRemediation(person.stored?.cause?.code ?? person.code);
    if (person.refusedSince !== null) return chooseRemediation(person.refusedSince);
    return mayPass(person.code, person.operator, isKnownAt) ? "AGAIN" : chooseRemediation(person.code);
  };
  return (person) => (hasNothing(person) ? asked.translate(phrase(`row.help.${helpOf(person)}`)) : "");
}

/** The row of a person, as far as it is kept. */
type PersonRow = {
  /** As written where it was unreadable, else in E.164; null where unknown. */
  readonly number: string | null;
  /** Its line in the first known file that has it; null where unknown. */
  readonly line: number | null;
  /** Values for the text's tags; null: none kept, or not for this reader. */
  readonly values: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
  readonly batch_id: string;
  /** The text sent; null where nothing was, it is kept no longer, or it is not for this reader. */
  readonly text: string | null;
};

/** Reads the rows of some people, in their order: at most as many as one page has. */
function createRowReader(asked: PageContext, { batches }: FamilyRecipients) {
  const { read } = asked.context.store;
  const isRead = canReadTexts(asked);
  return (people: readonly Person[]): readonly PersonRow[] => {
    const ids = people.flatMap((person) => ("messageId" in person ? [person.messageId] : []));
    const said = new Map(readTexts(read, ids).map((one) => [one.messageId, one]));
    return people.map((person) => {
      const text = "messageId" in person ? said.get(person.messageId) : undefined;
      return {
        number: person.msisdn,
        line: person.row?.line ?? null,
        values: isRead ? valuesOf(asked, person) : null,
        client_reference: ("reference" in person ? person.reference : text?.reference) ?? null,
        batch_id: batches[person.batch]?.ulid ?? "",
        text: (isRead && text?.text) || null,
      };
    });
  };
}

/** Values of their row; where the list that came back had none, those of the first file. */
function valuesOf({ context }: PageContext, { row, ...person }: Person): PersonRow["values"] {
  const own = "stored" in person ? (person.stored?.cells ?? null) : null;
  const isBlank = Object.values(own ?? {}).every((value) => value.trim() === "");
  const cells = isBlank && row !== null ? (readRow(context.store.read, row)?.cells ?? own) : own;
  return (
    cells && Object.fromEntries(Object.entries(cells).map(([name, value]) => [name.normalize("NFC"), value]))
  );
}

export type UnreachedCause = {
  readonly code: string;
  /** In the reader's words. */
  readonly why: string;
  readonly people: number;
  /** Whether no text ever went to them; else it failed, or was cancelled. */
  readonly was_never_sent: boolean;
};

/** People listed on a page. */
const FEW_PEOPLE = 50;
/** People counted, or written, in one step. */
const STEP = 1000;

/** Reads the people in slices beside other work; null where the batch is alone. */
export async function readFamilyPeople(asked: PageContext, batchId: number) {
  if (isAlone(asked, batchId)) return null;
  return asked.files.spool.runExclusive(() => peopleIn(asked, batchId));
}

async function peopleIn(asked: PageContext, batchId: number) {
  const people = await readFamilyRecipients(asked.context, batchId);
  const first: Person[] = [];
  for (const person of everybody(people)) {
    if (hasNothing(person)) first.push(person);
    if (first.length === FEW_PEOPLE) break;
  }
  const helps = helper(asked, people);
  const rows = createRowReader(asked, people)(first);
  return {
    ...(await countsOf(asked, people)),
    /** The first of those who have nothing yet. */
    waiting: first.flatMap((person, place) => {
      const row = rows[place];
      return row ? [{ ...row, why: whyOf(asked, person), helps: helps(person) }] : [];
    }),
    /** Whether the values of their rows, and the texts sent, are shown. */
    reads_values: canReadTexts(asked),
    /** By operator, state and cause: people by their last attempt, with all texts to them. */
    lines: operatorLines(asked, people),
  };
}

/** Counts the people in slices beside other work; null where the batch is alone. */
export async function countFamilyPeople(asked: PageContext, batchId: number) {
  if (isAlone(asked, batchId)) return null;
  return asked.files.spool.runExclusive(async () =>
    countsOf(asked, await readFamilyRecipients(asked.context, batchId)),
  );
}

function isAlone({ context }: PageContext, batchId: number): boolean {
  return readBatchFamily(context.store.read, batchId).batches.length < 2;
}

/** How many have the text, and why others have not. */
async function countsOf(asked: PageContext, people: FamilyRecipients) {
  const counts = {
    people: 0,
    /** Whoever was reached once counts, whatever failed later; without a receipt too. */
    reached: 0,
    under_way: 0,
    /** The others by their last attempt, the most frequent reason first. */
    nothing: 0,
    never_sent: 0,
  };
  const reasons = new Map<string, UnreachedCause>();
  const pause = createYielder(asked.context.clock);
  for (const person of everybody(people)) {
    if (counts.people % STEP === 0) await pause();
    counts.people += 1;
    const { state, code } = person;
    if (!hasNothing(person)) {
      counts[state === "UNDER_WAY" ? "under_way" : "reached"] += 1;
      continue;
    }
    const was_never_sent = state === "NOT_SENT";
    counts.nothing += 1;
    if (was_never_sent) counts.never_sent += 1;
    const key = `${code} ${was_never_sent}`;
    const known = reasons.get(key);
    const why =
      known?.why ?? (was_never_sent ? asked.translate(toReasonPhrase(code)) : failedWord(asked, code));
    reasons.set(key, { code, why, was_never_sent, people: (known?.people ?? 0) + 1 });
  }
  return {
    ...counts,
    reasons: [...reasons.values()].sort((a, b) => b.people - a.people),
    /** Rows of the first file that repeat a number: their texts were sent to nobody. */
    repeats: people.repeats,
    /** Texts that are no longer kept: nobody knows whom they reached. */
    forgotten: people.forgotten,
  };
}

const STATES: Readonly<Record<AttemptState, OutcomeState>> = {
  DELIVERED: "DELIVERED",
  SENT: "NO_RECEIPT",
  UNDER_WAY: "UNDER_WAY",
  FAILED: "FAILED",
  CANCELLED: "CANCELLED",
};

/**
 * People who were never sent anything are left out. `messages` are people: each counts once, by the try that counts. SMS and amounts are of
 * all texts to them.
 */
function operatorLines({ context, translate, seesMoney }: PageContext, { sent }: FamilyRecipients) {
  const names = operatorNames(context.config);
  const lines = new Map<string, OutcomeLine>();
  for (const { state, error, ...one } of sent)
    addOutcome(lines, { ...one, state: STATES[state], error: error === "" ? null : error });
  return [...lines.values()].sort(byOperator).map((line) => ({
    ...hideMoney(seesMoney, line),
    name: names[line.operator] ?? line.operator,
    /** The error in the reader's words. */
    detail: line.error && translate(errorPhrase(line.error)),
  }));
}

function byOperator(one: OutcomeLine, other: OutcomeLine): number {
  if (one.operator === other.operator) return other.messages - one.messages;
  return one.operator < other.operator ? -1 : 1;
}

const DAY_LENGTH = 10;

/** Everybody as a spreadsheet file in the reader's language, a line a person. */
export async function peopleFile(asked: PageContext, batch: BatchRecord): Promise<AdminOutcome<Download>> {
  const { context, translate } = asked;
  const account = accountById(context.store.read, batch.accountId);
  const named = readReferences(context.store.read, [batch.ulid]).get(batch.ulid) ?? "";
  const sent = isoUtc(batch.createdAtMs).slice(0, DAY_LENGTH);
  const report = translate(phrase("sheet.file.batch_report"));
  const people = translate(phrase("sheet.file.people"));
  const name = [report, account ? toAccountSlug(account) : batch.ulid, sent];
  const whole = [...name, toSlug(named) || batch.ulid, people].join("-");
  const timezone = account?.timezone ?? context.config.defaults.timezone;
  const written = await asked.files.spool.write(asked, async () => {
    const people = await readFamilyRecipients(context, batch.id);
    return done(piecesOf(asked, people, timezone));
  });
  if (!written.ok) return written;
  return done(csvFile(`${whole}.csv`, written.value));
}

/** Headings before the columns of tags, and after them. */
const FIRST_HEADINGS: readonly Heading[] = [
  ...(["has_text", "state", "why", "reason_code", "helps", "line", "number"] as const),
];
const LAST_HEADINGS: readonly Heading[] = [
  ...(["own_reference", "operator", "batch", "client_reference", "sent_at"] as const),
];

async function* piecesOf(
  asked: PageContext,
  people: FamilyRecipients,
  timezone: string,
): AsyncGenerator<string> {
  const { language, context } = asked;
  const isRead = canReadTexts(asked);
  const tags = isRead ? tagsOf(asked, people) : [];
  const last = sheetHeadings(asked, isRead ? [...LAST_HEADINGS, "text"] : LAST_HEADINGS);
  yield renderSheetHead(language, [[...sheetHeadings(asked, FIRST_HEADINGS), ...tags, ...last]]);
  const rowsOf = createRowReader(asked, people);
  const lineOf = lineWriter(asked, people, { timezone, tags });
  const pause = createYielder(context.clock);
  for (const some of inPages(everybody(people))) {
    const rows = rowsOf(some);
    const lines = some.flatMap((person, place) => {
      const row = rows[place];
      return row ? [[...lineOf(person, row), ...(isRead ? [row.text] : [])]] : [];
    });
    yield renderSheetLines(language, lines);
    await pause();
  }
}

/** The tags of the family's texts, each once. */
function tagsOf({ context }: PageContext, { batches }: FamilyRecipients): readonly string[] {
  const { read } = context.store;
  const tags = batches.flatMap(({ id }) => {
    const { body, otherTags } = batchWritten(read, findTextBatch(read, id));
    return compileTemplate(body, otherTags).tags.map((tag) => tag.normalize("NFC"));
  });
  return [...new Set(tags)];
}

function* inPages(people: Iterable<Person>): Generator<readonly Person[]> {
  let page: Person[] = [];
  for (const person of people) {
    page.push(person);
    if (page.length < STEP) continue;
    yield page;
    page = [];
  }
  yield page;
}

type Shape = { readonly timezone: string; readonly tags: readonly string[] };

/** Returns a writer of a person's cells, in the order of the headings. */
function lineWriter(asked: PageContext, people: FamilyRecipients, { timezone, tags }: Shape) {
  const { language, context, translate } = asked;
  const helps = helper(asked, people);
  const operators = operatorNames(context.config);
  const ids = people.batches.map(({ ulid }) => ulid);
  const named = readReferences(context.store.read, ids);
  const times = people.batches.map(({ createdAtMs }) => sheetTime(language, timezone, isoUtc(createdAtMs)));
  return (person: Person, { line, number, values, client_reference, batch_id }: PersonRow) => {
    const { state, code, batch } = person;
    const answer = hasNothing(person) ? "no" : state === "UNDER_WAY" ? "open" : "yes";
    const operator = "operator" in person ? person.operator : "";
    return [
      translate(phrase(`sheet.has_text.${answer}`)),
      translate(phrase(`sheet.state.${state === "NOT_SENT" ? state : STATES[state]}`)),
      whyOf(asked, person),
      code === "" ? "" : localizeCode(language, code),
      helps(person),
      line,
      number,
      ...tags.map((tag) => getOwn(values ?? {}, tag) ?? ""),
      client_reference,
      operators[operator] ?? operator,
      batch_id,
      named.get(batch_id) ?? "",
      times[batch],
    ];
  };
}

// What a sender may do for somebody who still has nothing, by cause. Pure.

/** `ASK`: the outcome is unknown. */
type Remediation = "AGAIN" | "REGISTER" | "NUMBER" | "ROW" | "TEXT" | "LATER" | "ASK" | "NONE";

/** Causes that are neither listed nor temporary have no remedy. */
const HELPS: Readonly<Record<string, Remediation>> = {
  SENDER_NOT_REGISTERED: "REGISTER",
  CANCELLED: "AGAIN",
  WINDOW_CLOSED: "LATER",
  INVALID_DESTINATION: "NUMBER",
  UNKNOWN_SUBSCRIBER: "NUMBER",
  NOT_ENCODABLE: "TEXT",
  PARAMETER_REFUSED: "ROW",
  TEMPLATE_UNAVAILABLE: "TEXT",
  SUBMIT_OUTCOME_UNKNOWN: "ASK",
  RESTORE_GIVEN_UP: "ASK",
  UNREADABLE_ROW: "NUMBER",
  INVALID_MSISDN: "NUMBER",
  UNROUTABLE_PREFIX: "NUMBER",
  NO_NUMBER: "NUMBER",
  NUMBER_SHORTENED: "NUMBER",
  NUMBER_WITH_DECIMALS: "NUMBER",
  DIGIT_MISSING: "NUMBER",
  WRONG_DIGITS: "NUMBER",
  NOT_A_NUMBER: "NUMBER",
  SAID: "NUMBER",
  TOO_MANY_CELLS: "ROW",
  FORMULA_FAILED: "ROW",
  CELL_DAMAGED: "ROW",
  CELL_TOO_LONG: "ROW",
  CHARACTER_LOST: "ROW",
  CHARACTER_NOT_SENDABLE: "ROW",
  REFERENCE_REFUSED: "ROW",
  MISSING_ATTRIBUTE: "ROW",
  RENDERED_VALUE_EMPTY: "ROW",
  RENDERED_BODY_EMPTY: "ROW",
  RENDERED_BODY_TOO_LONG: "TEXT",
  NOT_GSM7: "TEXT",
  TOO_MANY_SEGMENTS: "TEXT",
  QUIET_HOURS: "LATER",
  FREQUENCY_CAP_DAILY: "LATER",
  FREQUENCY_CAP_WEEKLY: "LATER",
  RATE_LIMIT_PER_DAY: "LATER",
  RATE_LIMIT_PER_MINUTE: "LATER",
};

function chooseRemediation(code: string): Remediation {
  return isPassing(code) ? "AGAIN" : (HELPS[code] ?? "NONE");
}
