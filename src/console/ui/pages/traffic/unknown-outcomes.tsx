/** Console page of submits without an answer and receipts without a message. */
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  column,
  countColumn,
  Empty,
  ErrorBox,
  Note,
  Page,
  StateBadge,
  TableSection,
  timeColumn,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures } from "../../words/words.ts";

type Unanswered = Answer<"GET /unanswered">["messages"][number];
type SentTwice = Answer<"GET /unanswered">["sent_twice"][number];
type Unmatched = Answer<"GET /unmatched">["receipts"][number];

/** Submits whose outcome is unknown, which may be doubled, and receipts without a message. */
export function UnknownOutcomes() {
  const words = traffic.value.doubts;
  const unanswered = useAnswer("GET /unanswered", { query: { limit: 200 } });
  const unmatched = useAnswer("GET /unmatched", { query: { limit: 200 } });
  return (
    <Page title={words.title}>
      <TableSection
        title={words.unanswered}
        columns={unansweredColumns()}
        rows={unanswered.value?.messages ?? []}
        keyOf={(row) => row.message_id}
        isLoading={unanswered.isLoading}
        empty={<Empty title={words.noUnanswered} />}
      >
        <Note>{words.unansweredHelp}</Note>
        <ErrorBox problem={unanswered.problem} />
      </TableSection>
      <TableSection
        title={words.sentTwice}
        columns={sentTwiceColumns()}
        rows={unanswered.value?.sent_twice ?? []}
        keyOf={(row) => row.message_id}
        isLoading={unanswered.isLoading}
        empty={<Empty title={words.noSentTwice} />}
      >
        <Note>{words.sentTwiceHelp}</Note>
      </TableSection>
      <TableSection
        title={words.unmatched}
        columns={unmatchedColumns()}
        rows={unmatched.value?.receipts ?? []}
        keyOf={(row) => `${row.received_at} ${row.operator} ${row.id ?? ""} ${row.msisdn ?? ""}`}
        isLoading={unmatched.isLoading}
        empty={<Empty title={words.noUnmatched} />}
      >
        <Note>{words.unmatchedHelp}</Note>
        <ErrorBox problem={unmatched.problem} />
      </TableSection>
    </Page>
  );
}

function unansweredColumns(): Columns<Unanswered> {
  const { doubts, ...words } = traffic.value;
  return [
    column(words.number, (row) => (
      <a href={`${HOME}/messages/${row.message_id}`}>{figures.phone(row.msisdn)}</a>
    )),
    column(words.operator, (row) => row.operator_name),
    column(words.messageClass, (row) => classWord(row.message_class)),
    timeColumn(words.since, ({ since }) => since),
    countColumn(doubts.resends, ({ resends }) => resends),
    timeColumn(doubts.until, ({ until }) => until),
    column(doubts.next, ({ next }) => next),
  ];
}

function sentTwiceColumns(): Columns<SentTwice> {
  const { doubts, ...words } = traffic.value;
  return [
    column(words.number, (row) => (
      <a href={`${HOME}/messages/${row.message_id}`}>{figures.phone(row.msisdn)}</a>
    )),
    column(words.operator, (row) => row.operator_name),
    column(words.messageClass, (row) => classWord(row.message_class)),
    column(doubts.state, ({ status }) => <StateBadge state={status} />),
    timeColumn(doubts.acceptedAt, (row) => row.accepted_at),
  ];
}

function unmatchedColumns(): Columns<Unmatched> {
  const { doubts, ...words } = traffic.value;
  return [
    timeColumn(words.at, (row) => row.received_at),
    column(words.operator, (row) => row.operator_name),
    column(doubts.id, ({ id }) => <code>{id ?? "–"}</code>),
    column(words.number, ({ msisdn }) => (msisdn === null ? "–" : figures.phone(msisdn))),
    column(doubts.state, ({ state }) => <StateBadge state={state} />),
    timeColumn(doubts.kept, (row) => row.kept_until),
  ];
}
