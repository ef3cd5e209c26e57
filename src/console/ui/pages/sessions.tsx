/** Console page of the signed-in user: sessions, password and second factor, language and theme. */
import { useState } from "preact/hooks";
import type { SessionView } from "../../server/sign-in-contract.ts";
import { agentName } from "../agent-name.ts";
import { callApi } from "../api/client.ts";
import {
  Alert,
  Button,
  type Columns,
  Confirm,
  column,
  Empty,
  ListTable,
  Page,
  Section,
  timeColumn,
  WithNote,
} from "../kit/kit.ts";
import { Preferences } from "../shell/sign-in-layout.tsx";
import { me, signOut } from "../state/session.ts";
import { toList, useAction, useAnswer } from "../state/use-request.ts";
import { labelled, words } from "../words/words.ts";
import { lazyComponent } from "./lazy-page.tsx";

const Security = lazyComponent(async () => (await import("./access/access.ts")).Security);

/** Who is signed in and where; ends what should not be. */
export function Sessions() {
  const request = useAnswer("GET /me/sessions");
  const { problem: failed, run } = useAction();
  const [ending, setEnding] = useState<SessionView | null>(null);
  const [isKept, setKept] = useState(false);
  const end = async ({ id }: SessionView): Promise<void> => {
    await run(callApi("POST /me/sessions/end", { body: { id } }), words.value.account.ended);
    await request.reload();
  };
  const leave = async (): Promise<void> => setKept(!(await signOut()));
  const { account } = words.value;
  return (
    <Page title={account.title} aside={<Button onPress={leave}>{account.signOut}</Button>}>
      {isKept && (
        <Alert title={account.stillIn}>
          <p>{account.stillInHelp}</p>
          <Button onPress={leave}>{words.value.tryAgain}</Button>
        </Alert>
      )}
      <p class="lead">{me.value?.login}</p>
      <Section title={account.sessions}>
        <ListTable
          list={toList(request, ({ sessions }) => sessions)}
          failed={failed}
          caption={account.sessions}
          columns={columnsOf(setEnding)}
          keyOf={({ id }) => id}
          empty={<Empty title={account.only} />}
        />
      </Section>
      <Security onChanged={request.reload} />
      <Section title={account.preferences}>
        <Preferences />
      </Section>
      {ending && (
        <Confirm
          title={account.endTitle}
          verb={account.end}
          isDestructive
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          <p>{account.endText({ device: agentName(ending.agent) })}</p>
        </Confirm>
      )}
    </Page>
  );
}

function columnsOf(onEnd: (session: SessionView) => void): Columns<SessionView> {
  const { account } = words.value;
  return [
    column(account.device, ({ agent, is_current }) => (
      <WithNote note={is_current && account.current}>{agentName(agent)}</WithNote>
    )),
    column(account.address, ({ address }) => address),
    timeColumn(account.began, (row) => row.created_at),
    timeColumn(account.seen, (row) => row.seen_at),
    column(
      "",
      (row) =>
        !row.is_current && (
          <Button kind="quiet" label={labelled(account.end, agentName(row.agent))} onPress={() => onEnd(row)}>
            {account.end}
          </Button>
        ),
      <span class="unseen">{account.end}</span>,
    ),
  ];
}
