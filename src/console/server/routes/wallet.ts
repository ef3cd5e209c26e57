/** The page "Money": the wallet, what a movement would make of it, the movement, statement, invoice, the last proof of the books. */
import { Type as t } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { WALLET_OPERATIONS, walletPreview } from "../../../admin/operations/wallets.ts";
import { statementPaper, walletInvoice } from "../../../admin/reports/invoice.ts";
import { LAST_CHECK_OPERATIONS } from "../../../admin/reports/ledger-check.ts";
import { readPeriod, type StatementPeriod, statementPage } from "../../../admin/reports/statements.ts";
import { operatorNames, readSeller } from "../../../config/config.ts";
import { toLocalDate } from "../../../core/calendar.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { readReferences } from "../../../domain/messages/batches.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { type Heading, sheetHeadings, sheetTime, toAccountSlug } from "../downloads.ts";
import { operationRoutes } from "./operation-routes.ts";
import { ACCOUNT_SUBJECT, type PageContext, told } from "./request-context.ts";
import { csvFile, type Download, type QueryOf, routeOn, wholeFile } from "./route.ts";
import { filters, INSTANT } from "./schemas.ts";

const REFERENCE = t.String({ minLength: 1, maxLength: 100 });

const PERIOD = filters({ from: INSTANT, to: INSTANT });
type Period = QueryOf<typeof PERIOD>;
const OF_PERIOD = { query: PERIOD };
const PREVIEW = t.Union([
  t.Object({ kind: t.Literal("topup"), amount: t.Integer(), reference: REFERENCE }),
  t.Object({ kind: t.Literal("adjustment"), amount: t.Integer() }),
]);

/** Entries of one page of a statement. */
const PAGE_ENTRIES = 200;

/** Entries oldest first with the balance after each, and their batches' client references; `next` is where the next page begins. */
async function statementOf(asked: PageContext, { ulid }: Account, query: Period) {
  const period = readPeriod(query, "INVALID_TIME.order");
  if (!period.ok) return period;
  const page = await statementPage(asked.context, ulid, period.value, PAGE_ENTRIES);
  if (!page.ok) return page;
  const { store, config } = asked.context;
  const ids = page.value.entries.flatMap(({ batch_id: id }) => (id === null ? [] : [id]));
  const names = readReferences(store.read, [...new Set(ids)]);
  const entries = page.value.entries.map((entry) => ({
    ...entry,
    batch_reference: entry.batch_id === null ? null : (names.get(entry.batch_id) ?? null),
  }));
  return told(asked, done({ ...page.value, entries, seller: readSeller(config) }));
}

/** Entries of one step of a file. */
const FILE_ENTRIES = 5000;

/** A statement as a spreadsheet file in the reader's language, a page at a time, in the account's zone. */
function statementFile(asked: PageContext, account: Account, query: Period): AdminOutcome<Download> {
  const period = readPeriod(query, "INVALID_TIME.order");
  if (!period.ok) return period;
  const { ulid, timezone } = account;
  const lines = statementLines(asked, ulid, timezone, period.value);
  const today = toLocalDate(asked.context.clock.nowMs(), timezone);
  const file = asked.translate(phrase("sheet.file.statement"));
  const name = `${file}-${toAccountSlug(account)}-${today}.csv`;
  return done(csvFile(name, lines));
}

/** Columns after the time. Identifiers stand last. */
const HEADINGS: readonly Heading[] = [
  ...(["entry", "amount", "change", "balance", "client_reference", "reference", "note", "batch_id"] as const),
];

async function* statementLines(
  asked: PageContext,
  account: string,
  timezone: string,
  period: StatementPeriod,
): AsyncGenerator<string> {
  const { context, language, translate } = asked;
  const when = translate(phrase("sheet.when", { zone: timezone }));
  yield renderSheetHead(language, [[when, ...sheetHeadings(asked, HEADINGS)]]);
  for (let { fromMs } = period; ; ) {
    const page = await statementPage(context, account, { ...period, fromMs }, FILE_ENTRIES);
    if (!page.ok) return;
    const ids = page.value.entries.flatMap(({ batch_id: id }) => (id === null ? [] : [id]));
    const names = readReferences(context.store.read, [...new Set(ids)]);
    yield renderSheetLines(
      language,
      page.value.entries.map(({ at, kind, amount, change, balance, batch_id: batch, cause, note }) => [
        ...[sheetTime(language, timezone, at), translate(phrase(`sheet.entry.${kind}`))],
        ...[amount, change, balance],
        ...(batch === null ? ["", cause.split(":").slice(1).join(":")] : [names.get(batch) ?? "", ""]),
        ...[note, batch],
      ]),
    );
    if (page.value.next === null) return;
    fromMs = Date.parse(page.value.next);
  }
}

/** Adds the names of operators. */
async function invoiceOf(asked: PageContext, { ulid }: Account, query: Period) {
  const period = readPeriod(query, "INVALID_TIME.order");
  if (!period.ok) return period;
  const invoice = await walletInvoice(asked.context, ulid, period.value);
  if (!invoice.ok) return invoice;
  const names = operatorNames(asked.context.config);
  const lines = invoice.value.lines.map((line) => ({ ...line, name: names[line.operator] ?? line.operator }));
  return told(asked, done({ ...invoice.value, lines }));
}

/** A statement of consumption as a PDF, in the reader's language. */
async function paperOf(asked: PageContext, account: Account, query: Period): Promise<AdminOutcome<Download>> {
  const period = readPeriod(query, "INVALID_TIME.order");
  if (!period.ok) return period;
  const statement = await walletInvoice(asked.context, account.ulid, period.value);
  if (!statement.ok) return statement;
  const paper = await statementPaper(asked.context, statement.value, asked.language);
  const file = asked.translate(phrase("sheet.file.consumption"));
  const { number } = statement.value;
  const name = [file, toAccountSlug(account), ...(number === null ? [] : [number.toLowerCase()])].join("-");
  return done(wholeFile(`${name}.pdf`, "application/pdf", paper));
}

export const WALLET_ROUTES = {
  "GET /accounts/:account/statement": routeOn(ACCOUNT_SUBJECT, "money.read", statementOf, OF_PERIOD),
  "GET /accounts/:account/statement.csv": routeOn(ACCOUNT_SUBJECT, "money.read", statementFile, OF_PERIOD),
  "GET /accounts/:account/invoice": routeOn(ACCOUNT_SUBJECT, "money.read", invoiceOf, OF_PERIOD),
  "GET /accounts/:account/invoice.pdf": routeOn(ACCOUNT_SUBJECT, "money.read", paperOf, OF_PERIOD),
  /** Shows whose wallet it is, and its balance before and after, before anything is done. */
  "POST /accounts/:account/wallet/preview": routeOn(
    ACCOUNT_SUBJECT,
    "money.change",
    ({ context }, { ulid }, { account: _, ...movement }) => walletPreview(context, ulid, movement),
    { body: PREVIEW },
  ),
  ...operationRoutes({
    "GET /accounts/:account/wallet": WALLET_OPERATIONS["wallet show"],
    "POST /accounts/:account/wallet/topup": WALLET_OPERATIONS["wallet topup"],
    "POST /accounts/:account/wallet/adjust": WALLET_OPERATIONS["wallet adjust"],
    "GET /books": LAST_CHECK_OPERATIONS["ledger last"],
  }),
};
