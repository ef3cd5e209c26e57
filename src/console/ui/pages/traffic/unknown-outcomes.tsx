import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { toPlainColumn } from "../../kit/filter-bar.tsx";
import { Empty, Page, Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { useRequest } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures } from "../../words/words.ts";

type Unanswered = Contract["GET /unanswered"]["answer"]["messages"][number];
type Unmatched = Contract["GET /unmatched"]["answer"]["receipts"][number];

/** Submits whose outcome is unknown, which may be doubled, and receipts without a message. */
export function UnknownOutcomes() {
  const words = traffic.value.doubts;
  const unanswered = useRequest("unanswered", () => callApi("GET /unanswered", { query: { limit: 200 } }));
  const unmatched = useRequest("unmatched", () => callApi("GET /unmatched", { query: { limit: 200 } }));
  return (
    <Page title={words.title}>
      <Section title={words.unanswered}>
        <p class="note">{words.unansweredHelp}</p>
        {unanswered.problem && <ErrorBox problem={unanswered.problem} />}
        <Table
          caption={words.unanswered}
          columns={unansweredColumns()}
          rows={unanswered.value?.messages ?? []}
          keyOf={(row) => row.message_id}
          isLoading={unanswered.isLoading}
          empty={<Empty title={words.noUnanswered} />}
        />
      </Section>
      <Section title={words.unmatched}>
        <p class="note">{words.unmatchedHelp}</p>
        {unmatched.problem && <ErrorBox problem={unmatched.problem} />}
        <Table
          caption={words.unmatched}
          columns={unmatchedColumns()}
          rows={unmatched.value?.receipts ?? []}
          keyOf={(row) => `${row.received_at} ${row.operator} ${row.id ?? ""} ${row.msisdn ?? ""}`}
          isLoading={unmatched.isLoading}
          empty={<Empty title={words.noUnmatched} />}
        />
      </Section>
    </Page>
  );
}

function unansweredColumns(): readonly Column<Unanswered>[] {
  const { doubts, ...words } = traffic.value;
  return [
    {
      ...toPlainColumn("number", words.number),
      cell: (row) => <a href={`${HOME}/messages/${row.message_id}`}>{row.msisdn}</a>,
    },
    { ...toPlainColumn("operator", words.operator), cell: (row) => row.operator_name },
    { ...toPlainColumn("class", words.messageClass), cell: (row) => classWord(row.message_class) },
    { ...toPlainColumn("since", words.since), cell: ({ since }) => figures.time(since) },
    {
      ...toPlainColumn("resends", doubts.resends),
      isNumber: true,
      cell: ({ resends }) => figures.number(resends),
    },
    { ...toPlainColumn("until", doubts.until), cell: ({ until }) => figures.time(until) },
    { ...toPlainColumn("next", doubts.next), cell: ({ next }) => next },
  ];
}

function unmatchedColumns(): readonly Column<Unmatched>[] {
  const { doubts, ...words } = traffic.value;
  return [
    { ...toPlainColumn("at", words.at), cell: (row) => figures.time(row.received_at) },
    { ...toPlainColumn("operator", words.operator), cell: (row) => row.operator_name },
    { ...toPlainColumn("id", doubts.id), cell: ({ id }) => <code>{id ?? "–"}</code> },
    { ...toPlainColumn("number", words.number), cell: ({ msisdn }) => msisdn ?? "–" },
    { ...toPlainColumn("state", doubts.state), cell: ({ state }) => <StateBadge state={state} /> },
    { ...toPlainColumn("kept", doubts.kept), cell: (row) => figures.time(row.kept_until) },
  ];
}
