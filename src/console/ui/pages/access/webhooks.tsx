import { useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useRequest } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { figures } from "../../words/words.ts";
import { toPlainColumn } from "../traffic/parts.tsx";
import { accountHere, ChooseAccount, SecretShownOnce, useAccountName, Whose } from "./parts.tsx";
import { EndpointForm } from "./webhook-form.tsx";
import { backlogText, EndpointState } from "./webhook-parts.tsx";

type Row = Contract["GET /accounts/:account/webhooks"]["answer"]["webhooks"][number];

/** Which programs are told what happens, and whether they take it. */
export function Webhooks() {
  const account = accountHere();
  const { title } = access.value.webhooks;
  return account === null ? <ChooseAccount title={title} /> : <WebhooksOf account={account} />;
}

function WebhooksOf({ account }: { readonly account: string }) {
  const name = useAccountName(account);
  const { value, problem, isLoading, reload } = useRequest(account, () =>
    callApi("GET /accounts/:account/webhooks", { params: { account } }),
  );
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const words = access.value.webhooks;
  const rows = value?.webhooks ?? [];
  return (
    <Page title={words.title} aside={<Whose name={name} />}>
      {secret !== null && <SecretShownOnce title={words.secret} hint={words.secretHint} value={secret} />}
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      <Section
        title={name}
        aside={may("webhooks.change") && <Button onPress={() => setAdding(true)}>{words.add}</Button>}
      >
        <Table
          caption={words.title}
          columns={columnsOf()}
          rows={rows}
          keyOf={(row) => row.webhook_id}
          isLoading={isLoading && value === null}
          empty={problem ? null : <Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
      {isAdding && (
        <EndpointForm
          title={words.add}
          verb={words.addVerb}
          onClose={() => setAdding(false)}
          onSave={async (body) => {
            const answer = await callApi("POST /accounts/:account/webhooks", { params: { account }, body });
            if (!answer.ok) return answer.problem;
            setSecret(answer.value.secret);
            await reload();
            return null;
          }}
        />
      )}
    </Page>
  );
}

function columnsOf(): readonly Column<Row>[] {
  const words = access.value.webhooks;
  return [
    {
      ...toPlainColumn("url", words.url),
      cell: (row) => (
        <>
          <a href={`${HOME}/webhooks/${row.webhook_id}`}>{row.url}</a>
          {row.description !== "" && <span class="note">{row.description}</span>}
        </>
      ),
    },
    { ...toPlainColumn("state", access.value.state), cell: (row) => <EndpointState endpoint={row} /> },
    {
      ...toPlainColumn("events", words.events),
      cell: ({ events }) => events.map((event) => words.eventWords[event] ?? event).join(", "),
    },
    { ...toPlainColumn("backlog", words.backlog), isNumber: true, cell: ({ backlog }) => backlogText(backlog) },
    { ...toPlainColumn("last", words.lastSuccess), cell: (row) => figures.time(row.last_success_at) },
  ];
}
