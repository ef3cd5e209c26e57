/** Part of a batch's page: why messages failed, and whose batch it is. */
import type { Answer } from "../../api/contract.ts";
import { type Columns, column, countColumn, moneyColumn, Section, Table, WithNote } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { batchWords } from "../../words/batch.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";
import { ENDED } from "./batches.tsx";

type View = Answer<"GET /batches/:batch">;
export type FailureCause = Answer<"GET /batches/:batch/failures">["failures"][number];

/** What a retry waits for, of causes that can be removed. */
const HELPED: Readonly<Record<string, () => string>> = {
  SENDER_NOT_REGISTERED: () => batchWords.value.registerFirst,
};

/** Why messages failed, once nothing more does; null before that, and until it is known. */
export function useFailures(view: View | null): readonly FailureCause[] | null {
  const isAsked = view !== null && view.counts.failed > 0 && ENDED.includes(view.status);
  const { value } = useAnswer(
    "GET /batches/:batch/failures",
    isAsked ? { params: { batch: view.batch_id } } : null,
  );
  return value?.failures ?? null;
}

type FailuresProps = { readonly view: View; readonly failures: readonly FailureCause[] | null };

/** Recipients whose message failed: how many by cause, what they cost, and a link to each of them. */
export function Failures({ view, failures }: FailuresProps) {
  const words = batchWords.value;
  const { batch_id: batch, counts } = view;
  const placeOf = (error?: string) =>
    `${HOME}/messages?${new URLSearchParams({ batch, status: "FAILED", ...(error === undefined ? {} : { error }) })}`;
  const columns: Columns<FailureCause> = [
    column(traffic.value.batches.why, (cause) => (
      <WithNote note={told(cause)}>
        <a href={placeOf(cause.code)}>{cause.detail}</a>
      </WithNote>
    )),
    countColumn(traffic.value.batches.count, ({ messages }) => messages),
    view.charged_amount !== null && moneyColumn(words.costAll, ({ amount }) => amount ?? 0),
  ];
  const paid = failures?.reduce((sum, { amount }) => sum + (amount ?? 0), 0) ?? 0;
  return (
    <Section title={words.failures}>
      <p>
        <a href={placeOf()}>{words.seeFailed(counts.failed)}</a>
      </p>
      {failures && failures.length > 0 && (
        <Table caption={words.failures} columns={columns} rows={failures} keyOf={({ code }) => code} />
      )}
      {paid > 0 && (
        <p>
          <strong>{words.paidInAll({ amount: paid })}</strong> <span class="note">{words.whyPaid}</span>
        </p>
      )}
    </Section>
  );
}

/** How many of them got the text since, and what helps the others; once all have it, nothing needs doing. */
function told({ code, messages, reached, pending, nothing, is_passing: isPassing }: FailureCause): string {
  const words = batchWords.value;
  if (reached === messages) return words.allReached(messages);
  const some = ([count, forms]: readonly [number, typeof words.reached]): string =>
    count === 0 ? "" : forms(count);
  const since = [
    [reached, words.reached],
    [pending, words.pending],
    [nothing === messages ? 0 : nothing, words.stillNothing],
  ] as const;
  const advice = isPassing ? words.passing : (HELPED[code]?.() ?? words.lasting);
  return [...since.map(some), nothing === 0 ? "" : advice].filter((one) => one !== "").join(" ");
}

/** The account of a batch or a message, which leads to its page. */
export function AccountOf({ view }: { readonly view: Pick<View, "account" | "account_id"> }) {
  const { account, account_id: id } = view;
  return may("accounts.read") ? <a href={`${HOME}/accounts/${id}`}>{account}</a> : account;
}

/** What a batch is called: by its reference and how many it is for, else by its sender and when it was accepted. */
export function batchName({
  client_reference: reference,
  accepted,
  sender,
  created_at: at,
}: Pick<View, "client_reference" | "accepted" | "sender" | "created_at">): string {
  return reference === null
    ? `${sender} · ${figures.time(at)}`
    : `${reference} · ${figures.number(accepted)}`;
}
