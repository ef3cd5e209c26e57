/**
 * Console pages of money: one wallet with top-up, adjustment, statement and consumption by month; for staff, all balances
 * and the last proof of the books.
 */
import { useRef, useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { newKey, nowMs, printPart } from "../../browser.ts";
import {
  AllClear,
  Button,
  Choice,
  type Columns,
  column,
  countColumn,
  Dialog,
  Empty,
  ErrorBox,
  Facts,
  Field,
  Filter,
  FilterBar,
  filtersNamed,
  moneyColumn,
  numberColumn,
  Page,
  Section,
  Stat,
  StateBadge,
  Stats,
  showToast,
  Table,
  timeColumn,
} from "../../kit/kit.ts";
import { HOME, query } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useList, useRequest } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, words as common, figures } from "../../words/words.ts";
import { monthSpan, parseFrancs, readPreviousDay } from "./amounts.ts";
import { Seller, SellerMissing } from "./seller.tsx";

/** The own wallet of an account's people; for staff, whether the books are right and the way to every wallet. */
export function Money() {
  const own = me.value?.account;
  return own ? <Wallet parts={{ account: own.id }} /> : <Books />;
}

/** What one wallet holds, what is moved into it by hand, its statement and what was consumed. */
export function Wallet({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const account = parts.account ?? "";
  const [booked, setBooked] = useState(0);
  const { value, problem, reload } = useRequest(`${account} ${booked}`, () =>
    callApi("GET /accounts/:account/wallet", { params: { account } }),
  );
  const { money: words } = money.value;
  return (
    <Page title={words.title}>
      <ErrorBox problem={problem} onRetry={reload} />
      {value && (
        <>
          <p class="lead">
            <a href={`${HOME}/accounts/${value.account_id}`}>{value.account}</a>
          </p>
          <Stats>
            <Stat label={words.spendable} value={figures.money(value.spendable)} />
            <Stat label={words.balance} value={figures.money(value.balance)} />
            <Stat label={words.reserved} value={figures.money(value.reserved)} />
            {value.credit_limit > 0 && (
              <Stat label={words.creditLimit} value={figures.money(value.credit_limit)} />
            )}
          </Stats>
          {may("money.change") && (
            <Movement account={value.account_id} onBooked={() => setBooked(booked + 1)} />
          )}
          <Statement account={value.account_id} booked={booked} />
          <Invoice account={value.account_id} name={value.account} />
        </>
      )}
    </Page>
  );
}

type View = Answer<"GET /accounts/:account/invoice">;
type Line = View["lines"][number];

/** The statement of consumption: what was sent in a month, by operator, class and price. It is no invoice, and says so on paper too. */
function Invoice({ account, name }: { readonly account: string; readonly name: string }) {
  const month = query.value.get("month") ?? new Date(nowMs()).toISOString().slice(0, 7);
  const span = monthSpan(month);
  const { value, problem } = useRequest<View | null>(`${account} ${month}`, async () =>
    span === null
      ? ({ ok: true, value: null } as const)
      : callApi("GET /accounts/:account/invoice", { params: { account }, query: span }),
  );
  const { money: words } = money.value;
  const paper = useRef<HTMLDivElement>(null);
  const toPaper = () => paper.current && printPart(paper.current);
  return (
    <div ref={paper}>
      <Section title={words.invoice} aside={<Button onPress={toPaper}>{words.print}</Button>}>
        <FilterBar of={words.invoice}>
          <Filter name="month" label={words.month} />
        </FilterBar>
        <p class="note unprinted">{words.monthHint}</p>
        <ErrorBox problem={problem} />
        {value && span && (
          <>
            {value.seller ? <Seller seller={value.seller} /> : <SellerMissing />}
            <p>
              <strong>{name}</strong>
            </p>
            <p>
              {words.issued({ day: figures.day(new Date(nowMs()).toISOString()) })}
              <br />
              {words.period({ from: figures.day(span.from), to: figures.day(readPreviousDay(span.to)) })}
            </p>
            <p>{words.noInvoicePaper}</p>
            <Table
              caption={`${words.invoice} ${figures.month(month)}`}
              columns={columnsOf(value)}
              rows={value.lines.filter(isBilled)}
              keyOf={(line) => `${line.operator} ${line.message_class} ${line.price}`}
              empty={<Empty title={words.noInvoice} />}
            />
            <p>
              {words.total} <strong>{figures.money(value.total.charged)}</strong>
              {value.total.still_reserved > 0 &&
                ` · ${words.open} ${figures.money(value.total.still_reserved)}`}
            </p>
            {value.total.free_segments > 0 && <p>{figures.count(value.total.free_segments, words.free)}</p>}
            <p class="note">{words.invoiceCounts}</p>
          </>
        )}
      </Section>
    </div>
  );
}

/** Whether a line is billed: not where all of it was given back. */
function isBilled({ charged, still_reserved, free_segments: free, segments }: Line): boolean {
  return charged > 0 || still_reserved > 0 || free < segments;
}

/** The figures of each line multiply: unit price, billed count, cost. */
function columnsOf(view: View): Columns<Line> {
  const { money: words } = money.value;
  return [
    column(words.operator, ({ name }) => name),
    column(words.messageClass, (line) => classWord(line.message_class)),
    moneyColumn(words.price, ({ price }) => price),
    countColumn(words.billed, (line) => line.billed_segments),
    moneyColumn(words.charged, ({ charged }) => charged),
    view.total.still_reserved !== 0 && moneyColumn(words.open, (line) => line.still_reserved),
  ];
}

type Kind = "topup" | "adjustment";
/** `because`: the payment's reference, or the reason of a correction. */
type Draft = { readonly kind: Kind; readonly amount: string; readonly because: string };

const NOTHING: Draft = { kind: "topup", amount: "", because: "" };

type Props = { readonly account: string; readonly onBooked: () => void };

/**
 * Pays in or corrects, after a preview with the account's name and the balance after it. A correction gets its id
 * when the form is opened, so that a second press counts once, as with a payment's reference.
 */
function Movement({ account, onBooked }: Props) {
  const [draft, setDraft] = useState(NOTHING);
  const [once, setOnce] = useState(newKey);
  const [preview, setPreview] = useState<MovementPreview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { money: words } = money.value;
  const { kind, because } = draft;
  const francs = parseFrancs(draft.amount);
  const params = { account };
  const look = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (francs === null) return;
    const body =
      kind === "topup"
        ? ({ kind, amount: francs, reference: because.trim() } as const)
        : ({ kind, amount: francs } as const);
    const answer = await callApi("POST /accounts/:account/wallet/preview", { params, body });
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setPreview(answer.value);
  };
  const book = async (shown: MovementPreview): Promise<void> => {
    const answer =
      kind === "topup"
        ? await callApi("POST /accounts/:account/wallet/topup", {
            params: { account: shown.account_id },
            body: { amount: shown.amount, reference: because.trim() },
          })
        : await callApi("POST /accounts/:account/wallet/adjust", {
            params: { account: shown.account_id },
            body: { amount: shown.amount, reason: because.trim(), reference: once },
          });
    setPreview(null);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    // Somebody else may have booked it since the preview.
    const countedAt = "already_counted_at" in answer.value ? answer.value.already_counted_at : null;
    showToast(
      countedAt === null
        ? words.booked({ name: shown.account, amount: figures.money(shown.amount) })
        : words.already({ time: figures.time(countedAt) }),
    );
    setDraft({ ...NOTHING, kind });
    setOnce(newKey());
    onBooked();
  };
  return (
    <Section title={words.move}>
      <ErrorBox problem={problem} />
      <MovementForm draft={draft} onDraft={setDraft} onLook={(event) => void look(event)} />
      {preview && (
        <MovementCheck
          preview={preview}
          kind={kind}
          because={because.trim()}
          onBook={() => book(preview)}
          onClose={() => setPreview(null)}
        />
      )}
    </Section>
  );
}

type FormProps = {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onLook: (event: Event) => void;
};

function MovementForm({ draft, onDraft, onLook }: FormProps) {
  const { kind, amount, because } = draft;
  const { money: words } = money.value;
  const isUnread = amount.trim() !== "" && parseFrancs(amount) === null;
  return (
    <form class="line" onSubmit={onLook}>
      <Choice
        label={words.kind}
        value={kind}
        options={(["topup", "adjustment"] as const).map((value) => ({ value, label: words.kinds[value] }))}
        onValue={(chosen) => onDraft({ ...draft, kind: chosen })}
      />
      <Field
        label={words.amount}
        name="amount"
        value={amount}
        onValue={(text) => onDraft({ ...draft, amount: text })}
        hint={kind === "topup" ? words.topupHint : words.amountHint}
        fault={isUnread ? words.notWhole : null}
        required
        inputMode="numeric"
      />
      <Field
        label={kind === "topup" ? words.reference : words.reason}
        name="because"
        value={because}
        onValue={(text) => onDraft({ ...draft, because: text })}
        {...(kind === "topup" ? { hint: words.referenceHint } : {})}
        required
        maxLength={kind === "topup" ? 100 : 500}
      />
      <Button submits>{words.look}</Button>
    </form>
  );
}

/** What a movement would make of a wallet. */
type MovementPreview = Answer<"POST /accounts/:account/wallet/preview">;

/** From this amount on the account's name is typed before money moves. */
const NAME_FROM_XOF = 1_000_000;

type CheckProps = {
  readonly preview: MovementPreview;
  readonly kind: "topup" | "adjustment";
  /** The payment's reference, or the reason of a correction. */
  readonly because: string;
  readonly onBook: () => Promise<void>;
  readonly onClose: () => void;
};

/** Whose wallet, how much, and the balance before and after: the last look before money is booked. */
function MovementCheck({ preview, kind, because, onBook, onClose }: CheckProps) {
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { money: words, account: accountWords } = money.value;
  // A payment that is booked already is not booked again: there is nothing to press for.
  const isCounted = preview.already_counted_at !== null;
  const isLarge = !isCounted && Math.abs(preview.amount) >= NAME_FROM_XOF;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || isCounted || (isLarge && typed.trim() !== preview.account)) return;
    setBusy(true);
    await onBook();
  };
  return (
    <Dialog title={isCounted ? words.alreadyTitle : words.checkTitles[kind]} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Facts
          rows={[
            [words.toWhom, <strong>{preview.account}</strong>],
            [words.amount, figures.money(preview.amount)],
            [kind === "topup" ? words.reference : words.reason, because],
            [words.before, figures.money(preview.balance_before)],
            [words.afterIt, <strong>{figures.money(preview.balance_after)}</strong>],
          ]}
        />
        {preview.already_counted_at !== null && (
          <p role="status">{words.already({ time: figures.time(preview.already_counted_at) })}</p>
        )}
        {isLarge && (
          <Field
            label={accountWords.typeName({ name: preview.account })}
            name="typed"
            value={typed}
            onValue={setTyped}
            required
            autofocus
          />
        )}
        <div class="actions">
          <Button onPress={onClose}>{isCounted ? common.value.close : common.value.cancel}</Button>
          {!isCounted && (
            <Button kind="primary" submits busy={isBusy}>
              {words.book[kind]({ amount: figures.money(preview.amount), account: preview.account })}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

type StatementAnswer = Answer<"GET /accounts/:account/statement">;
type Entry = StatementAnswer["entries"][number] & { readonly place: string };

type StatementProps = {
  readonly account: string /** Changes when something was booked here. */;
  readonly booked: number;
};

/** What went in and out of a wallet, oldest first, with the balance after each entry. */
function Statement({ account, booked }: StatementProps) {
  const { asked, key } = filtersNamed("from", "to");
  const { rows, page, problem, isLoading, more, reload } = useList<Entry, StatementAnswer>({
    key: `${account} ${key} ${booked}`,
    load: (next) =>
      callApi("GET /accounts/:account/statement", {
        params: { account },
        query: { ...asked, from: next },
      }),
    rowsOf: ({ entries }) => entries.map((entry, at) => ({ ...entry, place: `${entry.at} ${at}` })),
    nextOf: ({ next }) => next,
  });
  const { money: words } = money.value;
  const { instantHint } = traffic.value;
  const file = new URLSearchParams(asked).toString();
  return (
    <Section
      title={words.statement}
      aside={
        <a href={`${HOME}/api/accounts/${account}/statement.csv${file && `?${file}`}`} download>
          {words.file}
        </a>
      }
    >
      <FilterBar of={words.statement}>
        <Filter name="from" label={words.from} />
        <Filter name="to" label={words.to} />
      </FilterBar>
      <p class="note">{instantHint}</p>
      <ErrorBox problem={problem} onRetry={reload} />
      <Seller seller={page?.seller} />
      {rows.length > 0 && page && <p class="note">{openingOf(rows)}</p>}
      <Table
        caption={words.statement}
        columns={statementColumns()}
        rows={rows}
        keyOf={({ place }) => place}
        isLoading={isLoading}
        onMore={more}
        empty={problem ? null : <Empty title={words.noEntries}>{words.noEntriesHelp}</Empty>}
      />
      {rows.length > 0 && page && (
        <p>
          {words.closing({ amount: figures.money(page.closing_balance) })}
          {page.not_entered_yet.charged > 0 && (
            <span class="note">
              {" "}
              {words.unentered({ amount: figures.money(page.not_entered_yet.charged) })}
            </span>
          )}
        </p>
      )}
    </Section>
  );
}

function openingOf(rows: readonly Entry[]): string {
  const [first] = rows;
  return first === undefined
    ? ""
    : money.value.money.opening({ amount: figures.money(first.balance - first.change) });
}

type OfBatchProps = { readonly id: string; readonly reference: string | null };

/** The batch of an entry, as a link for those who may read batches: finance reads none. */
function OfBatch({ id, reference }: OfBatchProps) {
  const name = reference === null ? id : `${reference} · ${id}`;
  return may("batches.read") ? <a href={`${HOME}/batches/${id}`}>{name}</a> : name;
}

function statementColumns(): Columns<Entry> {
  const { money: words } = money.value;
  return [
    timeColumn(words.at, ({ at }) => at),
    column(words.entry, (row) => (
      <>
        {words.entries[row.kind] ?? row.kind}
        {row.batch_id === null ? (
          <span class="note">{row.note ?? row.cause.split(":").slice(1).join(":")}</span>
        ) : (
          <span class="note">
            <OfBatch id={row.batch_id} reference={row.batch_reference} />
          </span>
        )}
      </>
    )),
    numberColumn(words.change, ({ kind, amount, change }) =>
      change !== 0 || (kind !== "RESERVE" && kind !== "RELEASE") ? (
        figures.money(change)
      ) : (
        <span class="note">
          {kind === "RESERVE"
            ? words.setAside({ amount: figures.money(amount) })
            : words.setFree({ amount: figures.money(amount) })}
        </span>
      ),
    ),
    moneyColumn(words.running, ({ balance }) => balance),
  ];
}

/** Whether the books are right, by their last check. */
function Books() {
  const { value, problem, reload } = useRequest("books", () => callApi("GET /books"));
  const { money: words } = money.value;
  const check = value?.last_check;
  return (
    <Page title={words.all}>
      {may("money.read") && <Balances />}
      <ErrorBox problem={problem} onRetry={reload} />
      {value && (
        <Section title={words.proof}>
          {!check && <p>{words.neverProved}</p>}
          {check && check.differences === 0 && check.failure === null && (
            <AllClear text={words.proved({ time: figures.time(check.checked_at) })} />
          )}
          {check && (check.differences > 0 || check.failure !== null) && (
            <div class="error" role="alert">
              <p class="error-title">
                {words.differences({
                  count: figures.count(check.differences, words.differenceCount),
                  time: figures.time(check.checked_at),
                })}
              </p>
              <p class="detail">{check.failure ?? check.detail}</p>
            </div>
          )}
          {check && (
            <p class="note">
              {words.proofOf({
                entries: figures.count(check.entries, words.proofEntries),
                batches: figures.count(check.batches, words.proofBatches),
                messages: figures.count(check.messages, words.proofMessages),
              })}
            </p>
          )}
        </Section>
      )}
    </Page>
  );
}

type BooksAnswer = Answer<"GET /accounts">;
type Row = BooksAnswer["accounts"][number];

/** What each account has, with the way to its wallet. */
function Balances() {
  const { rows, problem, isLoading, more, reload } = useList<Row, BooksAnswer>({
    key: "balances",
    load: (after) => callApi("GET /accounts", { query: after === undefined ? {} : { after } }),
    rowsOf: ({ accounts }) => accounts,
    nextOf: ({ next }) => next,
  });
  const { money: words, accounts } = money.value;
  const amount = (of: (wallet: NonNullable<Row["wallet"]>) => number) => (row: Row) =>
    row.wallet === null ? "–" : figures.money(of(row.wallet));
  const columns: Columns<Row> = [
    column(accounts.name, (row) => <a href={`${HOME}/accounts/${row.account_id}/money`}>{row.name}</a>),
    column(accounts.status, ({ status }) => <StateBadge state={status} />),
    numberColumn(
      words.spendable,
      amount(({ spendable }) => spendable),
    ),
    numberColumn(
      words.reserved,
      amount(({ reserved }) => reserved),
    ),
    numberColumn(
      words.balance,
      amount(({ balance }) => balance),
    ),
  ];
  return (
    <Section title={words.balances}>
      <ErrorBox problem={problem} onRetry={reload} />
      <Table
        caption={words.balances}
        columns={columns}
        rows={rows}
        keyOf={({ account_id }) => account_id}
        isLoading={isLoading}
        onMore={more}
        empty={
          problem ? null : (
            <Empty title={accounts.none}>
              <a href={`${HOME}/accounts`}>{accounts.makeFirst}</a>
            </Empty>
          )
        }
      />
    </Section>
  );
}
