/**
 * Console pages of webhook endpoints: the list of an account, and one endpoint with its backlog, attempts, test, replay and
 * secret.
 */

import { useState } from "preact/hooks";
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Badge,
  Button,
  type Columns,
  Confirm,
  column,
  DialogButton,
  Empty,
  Facts,
  Field,
  FormDialog,
  ListTable,
  Loaded,
  MomentField,
  numberColumn,
  Page,
  ReasonDialog,
  Section,
  Stat,
  Stats,
  showToast,
  TableSection,
  type Tone,
  timeColumn,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { type Action, toList, useAction, useAnswer } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { figures, labelled } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import {
  accountHere,
  CheckboxGroup,
  ChooseAccount,
  headOfList,
  SecretShownOnce,
  useAccountName,
  Whose,
} from "./access-parts.tsx";

type Row = Answer<"GET /accounts/:account/webhooks">["webhooks"][number];

/** Endpoints that are notified, and whether they accept it. */
export function Webhooks() {
  const account = accountHere();
  const { title } = access.value.webhooks;
  return account === null ? <ChooseAccount title={title} /> : <WebhooksOf account={account} />;
}

function WebhooksOf({ account }: { readonly account: string }) {
  const name = useAccountName(account);
  const request = useAnswer("GET /accounts/:account/webhooks", { params: { account } });
  const [secret, setSecret] = useState<string | null>(null);
  const words = access.value.webhooks;
  return (
    <Page {...headOfList(account, name, accessNames.value.webhooks, words.title)} aside={<Whose />}>
      {secret !== null && <SecretShownOnce title={words.secret} hint={words.secretHint} value={secret} />}
      <Section
        title={accessNames.value.webhooks}
        aside={
          may("webhooks.change") && (
            <DialogButton verb={words.add}>
              {(close) => (
                <EndpointForm
                  title={words.add}
                  verb={words.addVerb}
                  save={async (body) => {
                    const answer = await callApi("POST /accounts/:account/webhooks", {
                      params: { account },
                      body,
                    });
                    if (answer.ok) setSecret(answer.value.secret);
                    return answer;
                  }}
                  onSaved={request.reload}
                  onClose={close}
                />
              )}
            </DialogButton>
          )
        }
      >
        <ListTable
          list={toList(request, ({ webhooks }) => webhooks)}
          caption={words.title}
          columns={columnsOf()}
          keyOf={(row) => row.webhook_id}
          empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
    </Page>
  );
}

function columnsOf(): Columns<Row> {
  const words = access.value.webhooks;
  return [
    column(words.url, (row) => (
      <WithNote note={row.description !== "" && row.description}>
        <a href={`${HOME}/webhooks/${row.webhook_id}`}>{row.url}</a>
      </WithNote>
    )),
    column(access.value.state, (row) => <EndpointState endpoint={row} />),
    column(words.events, ({ events }) => events.map((event) => words.eventWords[event] ?? event).join(", ")),
    numberColumn(words.backlog, ({ backlog }) => backlogText(backlog)),
    timeColumn(words.lastSuccess, (row) => row.last_success_at),
  ];
}

type Secret = { readonly value: string; readonly before: string | null };

/** The state of one endpoint: backlog, last answers; test, replay, new secret, change, disable, delete. */
export function Webhook({ parts: { webhook = "" } }: PageProps) {
  const request = useAnswer("GET /webhooks/:webhook", { params: { webhook } });
  const { problem: failed, run } = useAction();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [doing, setDoing] = useState<WebhookDoing | null>(null);
  const words = access.value.webhooks;
  const test = async (): Promise<void> => {
    const tried = await run(callApi("POST /webhooks/:webhook/test", { params: { webhook } }));
    if (tried === null) return;
    const { delivered, status, duration_ms, outcome } = tried;
    showToast(
      delivered ? words.testGood({ status: String(status), ms: duration_ms }) : words.testBad({ outcome }),
    );
    await request.reload();
  };
  const account = request.value?.account_id ?? null;
  const name = useAccountName(account);
  const isOfOne = isStaff() && account !== null;
  return (
    <Page
      title={request.value && endpointName(request.value)}
      question={words.endpointTitle}
      trail={isOfOne ? [{ to: `${HOME}/webhooks?account=${account}`, name }] : []}
    >
      {secret && (
        <SecretShownOnce title={words.secret} hint={words.secretHint} value={secret.value}>
          {secret.before !== null && <p>{words.secretBefore({ time: secret.before })}</p>}
        </SecretShownOnce>
      )}
      <Loaded of={request} failed={failed}>
        {(endpoint) => (
          <>
            <About endpoint={endpoint} />
            {may("webhooks.change") && <Tools endpoint={endpoint} onTest={test} onDo={setDoing} />}
            <Figures endpoint={endpoint} />
            <Attempts endpoint={endpoint} />
            {doing && (
              <WebhookDialog
                doing={doing}
                endpoint={endpoint}
                run={run}
                onDone={request.reload}
                onSecret={setSecret}
                onClose={() => setDoing(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What an endpoint is called: what it is for, else the server that is told. */
function endpointName({ description, url }: EndpointShown): string {
  return description === "" ? new URL(url).host : description;
}

function About({ endpoint }: { readonly endpoint: EndpointShown }) {
  const words = access.value.webhooks;
  const { url, description, events, disabled_reason, last_success_at } = endpoint;
  return (
    <Facts
      rows={[
        [words.url, <strong key="url">{url}</strong>],
        [
          access.value.state,
          <WithNote key="state" note={disabled_reason}>
            <EndpointState endpoint={endpoint} />
          </WithNote>,
        ],
        description !== "" && [words.description, description],
        [words.events, events.map((event) => words.eventWords[event] ?? event).join(", ")],
        [words.lastSuccess, last_success_at === null ? access.value.never : figures.time(last_success_at)],
      ]}
    />
  );
}

type ToolProps = {
  readonly endpoint: EndpointShown;
  readonly onTest: () => Promise<void>;
  readonly onDo: (doing: WebhookDoing) => void;
};

function Tools({ endpoint, onTest, onDo }: ToolProps) {
  const [isTesting, setTesting] = useState(false);
  const words = access.value.webhooks;
  const isEnabled = endpoint.status === "ENABLED";
  const test = async (): Promise<void> => {
    setTesting(true);
    await onTest();
    setTesting(false);
  };
  const kinds = isEnabled
    ? (["replay", "edit", "rotate", "disable", "remove"] as const)
    : (["edit", "rotate", "enable", "remove"] as const);
  return (
    <div class="tools section">
      <Button kind="primary" busy={isTesting} onPress={test}>
        {words.test}
      </Button>
      {kinds.map((kind) => (
        <Button
          key={kind}
          kind={kind === "disable" || kind === "remove" ? "danger" : "plain"}
          onPress={() => onDo(kind)}
        >
          {words[kind]}
        </Button>
      ))}
    </div>
  );
}

function Figures({ endpoint }: { readonly endpoint: EndpointShown }) {
  const words = access.value.webhooks;
  const { backlog, consecutive_failures, last_failure_at } = endpoint;
  const waiting = figures.number(backlog.waiting);
  return (
    <Stats>
      <Stat
        label={words.waitingLabel}
        value={backlog.is_more ? words.waitingMore({ count: waiting }) : waiting}
      />
      <Stat
        label={words.retrying}
        value={backlog.retrying}
        note={
          backlog.next_attempt_at !== null && labelled(words.next, figures.clock(backlog.next_attempt_at))
        }
      />
      <Stat
        label={words.failures}
        value={consecutive_failures}
        note={last_failure_at !== null && labelled(words.lastFailure, figures.time(last_failure_at))}
      />
    </Stats>
  );
}

/** Whether an answer accepted the event: any 2xx does. */
function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function Attempts({ endpoint: { attempts } }: { readonly endpoint: EndpointShown }) {
  type Attempt = (typeof attempts)[number];
  const words = access.value.webhooks;
  const columns: Columns<Attempt> = [
    timeColumn(words.at, ({ at }) => at),
    column(words.event, ({ type, event_id }) => (
      <WithNote note={event_id}>
        {words.eventWords[type] ?? (type === "WEBHOOK_TEST" ? words.trial : type)}
      </WithNote>
    )),
    column(words.answer, ({ outcome, status }) => (
      <>
        {status !== null && <strong>{status} </strong>}
        {isTaken(status) ? words.delivered : outcome}
      </>
    )),
    numberColumn(words.took, (row) => `${figures.number(row.duration_ms)} ms`),
  ];
  return (
    <TableSection
      title={words.attempts}
      columns={columns}
      rows={attempts}
      keyOf={({ at, event_id }) => `${at} ${event_id}`}
      empty={<Empty title={words.noAttempts}>{words.noAttemptsHelp}</Empty>}
    />
  );
}

/** What is to be done to an endpoint. */
type WebhookDoing = "replay" | "edit" | "rotate" | "disable" | "enable" | "remove";

type DialogProps = {
  readonly endpoint: EndpointShown;
  readonly run: Action["run"];
  readonly onDone: () => Promise<void>;
  readonly onSecret: (secret: Secret) => void;
  readonly onClose: () => void;
};

/** Says what will happen to an endpoint before it does. */
function WebhookDialog({ doing, ...dialog }: DialogProps & { readonly doing: WebhookDoing }) {
  const { endpoint, run, onDone, onSecret, onClose } = dialog;
  const words = access.value.webhooks;
  const params = { webhook: endpoint.webhook_id };
  const act = async (asked: Promise<ApiAnswer<unknown>>, told: string): Promise<void> => {
    if (await run(asked, told)) await onDone();
  };
  const rotate = async (): Promise<void> => {
    const rotated = await run(callApi("POST /webhooks/:webhook/rotate", { params }));
    if (rotated) onSecret({ value: rotated.secret, before: rotated.previous_secret_expires_at });
  };
  const remove = async (): Promise<void> => {
    if (await run(callApi("DELETE /webhooks/:webhook", { params })))
      go(`${HOME}/webhooks?account=${endpoint.account_id}`);
  };
  switch (doing) {
    case "replay":
      return <Replay endpoint={endpoint} onDone={onDone} onClose={onClose} />;
    case "edit":
      return <Edit endpoint={endpoint} onDone={onDone} onClose={onClose} />;
    case "rotate":
      return (
        <Confirm title={words.rotateTitle} verb={words.rotate} onConfirm={rotate} onClose={onClose}>
          <p>{words.rotateText}</p>
        </Confirm>
      );
    case "enable":
      return (
        <Confirm
          title={labelled(words.enable, endpoint.url)}
          verb={words.enable}
          onConfirm={() => act(callApi("POST /webhooks/:webhook/enable", { params }), words.enabled)}
          onClose={onClose}
        >
          <p>{words.enabled}</p>
        </Confirm>
      );
    case "disable":
      return (
        <ReasonDialog
          title={words.disableTitle}
          verb={words.disable}
          isDestructive
          onReason={(reason) =>
            act(callApi("POST /webhooks/:webhook/disable", { params, body: { reason } }), words.disabled)
          }
          onClose={onClose}
        >
          <p>{words.disableText({ count: backlogText(endpoint.backlog) })}</p>
        </ReasonDialog>
      );
    case "remove":
      return (
        <Confirm
          title={words.removeTitle}
          verb={words.remove}
          isDestructive
          onConfirm={remove}
          onClose={onClose}
        >
          <p>{endpoint.url}</p>
          <p>{words.removeText({ count: backlogText(endpoint.backlog) })}</p>
        </Confirm>
      );
  }
}

type OneProps = Pick<DialogProps, "endpoint" | "onDone" | "onClose">;

function Edit({ endpoint, onDone, onClose }: OneProps) {
  const words = access.value.webhooks;
  const { url, description, events, webhook_id: webhook } = endpoint;
  return (
    <EndpointForm
      title={words.editTitle}
      verb={words.save}
      note={words.editText}
      before={{ url, description, events }}
      save={(body) => callApi("PATCH /webhooks/:webhook", { params: { webhook }, body })}
      onSaved={() => {
        showToast(words.saved);
        return onDone();
      }}
      onClose={onClose}
    />
  );
}

/** How far back a replay usually begins. */
const REPLAYS = ["1h", "2h", "1d", "3d", "7d"] as const;

function Replay({ endpoint: { webhook_id: webhook }, onDone, onClose }: OneProps) {
  const [since, setSince] = useState("2h");
  const { problem, run } = useAction();
  const words = access.value.webhooks;
  const submit = async (): Promise<void> => {
    const replayed = await run(
      callApi("POST /webhooks/:webhook/replay", { params: { webhook }, body: { since } }),
    );
    if (replayed === null) return;
    onClose();
    showToast(words.replayed({ count: backlogText(replayed.backlog) }));
    await onDone();
  };
  return (
    <FormDialog
      title={words.replayTitle}
      verb={words.replay}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{words.replayText}</p>
      <MomentField
        label={words.replaySince}
        name="since"
        usual={toOptions(REPLAYS, (each) => words.replayChoices[each])}
        value={since}
        onValue={setSince}
      />
    </FormDialog>
  );
}

type EventType = NonNullable<Contract["POST /accounts/:account/webhooks"]["body"]["events"]>[number];

/** Events that an endpoint may be notified of, and whether that is the default. */
const EVENTS: Readonly<Record<EventType, boolean>> = {
  MESSAGE_TERMINAL: true,
  BATCH_SETTLED: true,
  BATCH_REJECTED: false,
  BATCH_FAILED: false,
  BATCH_ACCEPTED: false,
  BATCH_CANCELLED: false,
  WALLET_LOW: false,
};
const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
const DEFAULT_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type]);

type Wanted = {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
};

type FormProps = {
  readonly title: string;
  readonly verb: string;
  readonly note?: string;
  readonly before?: Wanted;
  readonly save: (wanted: Wanted & { readonly events: EventType[] }) => Promise<ApiAnswer<unknown>>;
  readonly onSaved: () => unknown;
  readonly onClose: () => void;
};

/** An endpoint's address, purpose and events. */
function EndpointForm({ title, verb, note, before, save, onSaved, onClose }: FormProps) {
  const { draft, put, bind } = useDraft<Wanted>(
    before ?? { url: "", description: "", events: DEFAULT_EVENTS },
  );
  const { problem, run } = useAction();
  const words = access.value.webhooks;
  const { events } = draft;
  const submit = async (): Promise<void> => {
    if (events.length === 0 || (await run(save({ ...draft, events: [...events] }))) === null) return;
    await onSaved();
    onClose();
  };
  return (
    <FormDialog title={title} verb={verb} problem={problem} onSubmit={submit} onClose={onClose}>
      {note && <p>{note}</p>}
      <Field
        label={words.url}
        {...bind("url")}
        hint={words.urlHint}
        type="url"
        required
        maxLength={2048}
        autofocus
      />
      <Field
        label={words.description}
        {...bind("description")}
        hint={words.descriptionHint}
        maxLength={255}
      />
      <CheckboxGroup
        label={words.events}
        options={toOptions(EVENT_TYPES, (value) => words.eventWords[value] ?? value)}
        chosen={events}
        onChosen={(chosen) => put({ events: chosen })}
        fault={events.length === 0 ? words.noEvent : null}
      />
    </FormDialog>
  );
}

type EndpointShown = Answer<"GET /webhooks/:webhook">;

/** Failures in a row after which an endpoint is only probed. */
const FAILING_AFTER = 3;

type StateProps = { readonly endpoint: Pick<EndpointShown, "status" | "consecutive_failures"> };

/** How an endpoint is: word and sign. */
function EndpointState({ endpoint: { status, consecutive_failures: failures } }: StateProps) {
  const state = status === "ENABLED" && failures >= FAILING_AFTER ? "FAILING" : status;
  const tone: Tone = state === "ENABLED" ? "good" : state === "DISABLED_BY_USER" ? "idle" : "bad";
  return <Badge tone={tone}>{access.value.webhooks.states[state] ?? state}</Badge>;
}

/** How many events wait for an endpoint, tried or not. */
function backlogText({ waiting, retrying, is_more }: EndpointShown["backlog"]): string {
  const words = access.value.webhooks;
  const count = words.waiting(waiting + retrying);
  return is_more ? words.waitingMore({ count }) : count;
}
