/**
 * Statement of consumption of an account for a period: messages, segments and amounts by operator, message class and price.
 */
import { operatorNames, readSeller } from "../../config/config.ts";
import { findLogo } from "../../config/logo.ts";
import { toChannel } from "../../core/channels.ts";
import { createYielder } from "../../core/concurrency.ts";
import { CURRENCY, type Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import {
  addLines,
  type BilledBatch,
  type BillingLine,
  billingLines,
  type ClassLine,
  linesOfBatches,
  purgedLinesOfBatches,
} from "../../domain/messages/billing.ts";
import { type Locale, type Phrase, phrase } from "../../i18n/phrase.ts";
import { findAccount } from "../operations/account-names.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { ACCOUNT, FROM, oneOf, otherwise, TO, typedAs, YES } from "../operations/parameters.ts";
import { done, refuse } from "../operations/refusal.ts";
import { renderStatementPdf } from "./statement-pdf.ts";
import { dueDay, statementNumber, taxLines } from "./statement-terms.ts";
import {
  acceptedBatches,
  addUp,
  closedPeriod,
  readPeriod,
  type StatementPeriod,
  toBilledLine,
  toPeriodView,
} from "./statements.ts";

/** Messages added up in one go. */
const STEP = 1000;

/**
 * What an account sent in a period comes to by operator, class and price: the lines of a statement of consumption. Batches
 * count by when they were accepted, since that fixed their prices; no row is made for any of them, so a million are
 * no more trouble than ten.
 */
export async function walletInvoice(context: AdminContext, accountId: string, period: StatementPeriod) {
  const { read } = context.store;
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  const { id, ulid, name, billingMode } = account.value;
  const pause = createYielder(context.clock);
  const sums = new Map<string, BillingLine[]>();
  let batches = 0;
  for (const page of acceptedBatches(read, id, closedPeriod(period))) {
    batches += page.length;
    await pause();
    for (const { messageClass, ...line } of await linesOfPage(read, id, page, pause)) {
      sums.set(messageClass, addLines([...(sums.get(messageClass) ?? []), line]));
    }
  }
  const lines = [...sums].flatMap(([messageClass, ofClass]) =>
    ofClass.map((line) => invoiceLine(messageClass, line)),
  );
  lines.sort(
    (a, b) =>
      a.operator.localeCompare(b.operator) ||
      a.message_class.localeCompare(b.message_class) ||
      a.price - b.price,
  );
  const seller = readSeller(context.config);
  const { taxes: configured, due_days: dueDays } = context.config.seller;
  const total = addUp(lines);
  const taxes = taxLines(total.charged, configured);
  return done({
    /** Only certified papers may be called invoices. */
    notice: phrase("cli.no_invoice"),
    /** The same for the same account and period; null where an end of the period is open. */
    number: statementNumber(ulid, period),
    account_id: ulid,
    account: name,
    billing_mode: billingMode,
    /** Absent where the configuration names nobody. */
    ...(seller && { seller }),
    ...toPeriodView(period),
    /** Until the period is over: what is sent in the rest of it is added. */
    is_provisional: period.toMs === null || period.toMs > context.clock.nowMs(),
    /** Null for a prepaid account, which has paid already, and where the period has no end. */
    due_on: billingMode === "POSTPAID" ? dueDay(period, dueDays) : null,
    /** What was paid from the balance, in words; null for a postpaid account. */
    payment: billingMode === "PREPAID" ? paymentOf(total.charged, taxes.length > 0) : null,
    currency: CURRENCY,
    /** What the figures count, in words. */
    counts: phrase("cli.counts.consumption"),
    batches,
    /** One for each operator, class and price. */
    lines,
    total: {
      ...total,
      billed_segments: lines.reduce((sum, line) => sum + line.billed_segments, 0),
      free_segments: lines.reduce((sum, line) => sum + line.free_segments, 0),
    },
    /** Each on `total.charged`. */
    taxes,
    total_with_taxes: taxes.reduce((sum, { amount }) => sum + amount, total.charged),
  });
}

/** The balance pays what was charged, which is before taxes. */
function paymentOf(charged: Xof, isTaxed: boolean): Phrase {
  return isTaxed ? phrase("paper.prepaid.before_taxes", { amount: charged }) : phrase("paper.prepaid");
}

/** The lines of a page of batches: of their messages, and of those that are purged. Read again where some were purged meanwhile. */
async function linesOfPage(
  read: Reader,
  accountId: number,
  page: readonly BilledBatch[],
  pause: () => Promise<void> | undefined,
): Promise<readonly ClassLine[]> {
  const [newest, oldest] = [page[0], page.at(-1)];
  if (!newest || !oldest) return [];
  for (;;) {
    const purged = purgedLinesOfBatches(read, accountId, oldest, newest);
    const lines = [...purged];
    for (const some of pageLines(read, accountId, page)) {
      lines.push(...some);
      await pause();
    }
    if (Bun.deepEquals(purged, purgedLinesOfBatches(read, accountId, oldest, newest))) return lines;
  }
}

/** The lines of the messages of a page of batches, newest first: small batches together, a large one in steps of its own. */
function* pageLines(
  read: Reader,
  accountId: number,
  page: readonly BilledBatch[],
): Generator<readonly ClassLine[]> {
  let run: BilledBatch[] = [];
  let messages = 0;
  const runLines = (): readonly ClassLine[] => {
    const [newest, oldest] = [run[0], run.at(-1)];
    run = [];
    messages = 0;
    return newest && oldest ? linesOfBatches(read, accountId, oldest, newest) : [];
  };
  for (const batch of page) {
    if (messages + batch.messages > STEP) yield runLines();
    if (batch.messages > STEP) {
      yield* largeLines(read, batch);
      continue;
    }
    run.push(batch);
    messages += batch.messages;
  }
  yield runLines();
}

function* largeLines(read: Reader, batch: BilledBatch): Generator<readonly ClassLine[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    yield billingLines(read, from, Math.min(end, from + STEP)).map((line) => ({
      ...line,
      messageClass: batch.messageClass,
    }));
  }
}

function invoiceLine(messageClass: string, line: BillingLine) {
  const { operator, price, ...figures } = toBilledLine(line);
  return {
    channel: toChannel(operator),
    operator,
    message_class: messageClass,
    /** Of one segment. */
    price,
    ...figures,
  };
}

type Statement = Extract<Awaited<ReturnType<typeof walletInvoice>>, { readonly ok: true }>["value"];

/** A statement as a PDF. A logo that cannot be read any more is left out. */
export async function statementPaper(context: AdminContext, statement: Statement, locale: Locale) {
  const { config, clock } = context;
  return renderStatementPdf(statement, {
    locale,
    atMs: clock.nowMs(),
    logo: await findLogo(config.seller.logo),
    colour: config.seller.colour,
    names: operatorNames(config),
  });
}

/** Whether paper is wanted: the command line writes it into the typed file. */
const PAPER = typedAs({ value: "FILE" }, YES);
const LANGUAGES = ["fr", "en"] as const;

export const INVOICE_OPERATIONS = {
  "wallet invoice": operation({
    does: "reads",
    params: {
      account: ACCOUNT,
      from: typedAs({ value: "ISO" }, FROM),
      to: typedAs({ value: "ISO" }, TO),
      pdf: PAPER,
      pdf_in: otherwise<Locale>("fr", oneOf("LANGUAGE", LANGUAGES)),
    },
    run: async (context, { account, from, to, pdf, pdf_in }) => {
      const period = readPeriod({ from, to }, "INVALID_TIME.backwards");
      if (!period.ok) return period;
      const { fromMs, toMs } = period.value;
      if (pdf && (fromMs === null || toMs === null)) return refuse("INVALID_TIME.open");
      const statement = await walletInvoice(context, account, period.value);
      if (!statement.ok || !pdf) return statement;
      const paper = await statementPaper(context, statement.value, pdf_in);
      return done({ ...statement.value, pdf: Buffer.from(paper).toString("base64") });
    },
  }),
};
