/**
 * Console pages of webhook endpoints: the list of an account, and one endpoint with its backlog, attempts, test, replay and
 * secret.
 */
import { useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Button,
  type Columns,
  Confirm,
  column,
  Dialog,
  Empty,
  ErrorBox,
  Field,
  numberColumn,
  Page,
  ReasonDialog,
  Section,
  Stat,
  Stats,
  showToast,
  Table,
  type Tone,
  ToneIcon,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useRequest } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { words as common, figures, labelled } from "../../words/words.ts";
import {
  accountHere,
  Back,
  CheckboxGroup,
  ChooseAccount,
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
      <ErrorBox problem={problem} onRetry={reload} />
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
export function Webhook({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const { webhook = "" } = parts;
  const { value, problem, reload } = useRequest(webhook, () =>
    callApi("GET /webhooks/:webhook", { params: { webhook } }),
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [doing, setDoing] = useState<WebhookDoing | null>(null);
  const words = access.value.webhooks;
  const done = async (told: string): Promise<void> => {
    showToast(told);
    setFailed(null);
    await reload();
  };
  const test = async (): Promise<void> => {
    const answer = await callApi("POST /webhooks/:webhook/test", { params: { webhook } });
    if (!answer.ok) return setFailed(answer.problem);
    const { delivered, status, duration_ms, outcome } = answer.value;
    await done(
      delivered
        ? words.testGood({ status: String(status), ms: figures.number(duration_ms) })
        : words.testBad({ outcome }),
    );
  };
  const shown = failed ?? problem;
  return (
    <Page title={words.endpointTitle}>
      <Back to={value ? `/webhooks?account=${value.account_id}` : "/webhooks"}>
        {accessNames.value.webhooks}
      </Back>
      <ErrorBox problem={shown} onRetry={reload} />
      {secret && (
        <SecretShownOnce title={words.secret} hint={words.secretHint} value={secret.value}>
          {secret.before !== null && <p>{words.secretBefore({ time: figures.time(secret.before) })}</p>}
        </SecretShownOnce>
      )}
      {value && (
        <>
          <Facts endpoint={value} />
          {may("webhooks.change") && <Tools endpoint={value} onTest={test} onDo={setDoing} />}
          <Figures endpoint={value} />
          <Attempts endpoint={value} />
        </>
      )}
      {value && doing && (
        <WebhookDialogs
          doing={doing}
          onDone={done}
          onFailed={setFailed}
          endpoint={value}
          onSecret={setSecret}
          onClose={() => setDoing(null)}
        />
      )}
    </Page>
  );
}

function Facts({ endpoint }: { readonly endpoint: EndpointShown }) {
  const words = access.value.webhooks;
  const { url, description, events, disabled_reason } = endpoint;
  return (
    <dl class="named">
      <dt>{words.url}</dt>
      <dd>
        <strong>{url}</strong>
      </dd>
      <dt>{access.value.state}</dt>
      <dd>
        <EndpointState endpoint={endpoint} />
        {disabled_reason !== null && <span class="note"> {disabled_reason}</span>}
      </dd>
      {description !== "" && (
        <>
          <dt>{words.description}</dt>
          <dd>{description}</dd>
        </>
      )}
      <dt>{words.events}</dt>
      <dd>{events.map((event) => words.eventWords[event] ?? event).join(", ")}</dd>
    </dl>
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
  const kinds: readonly WebhookDoing[] = [
    ...(isEnabled ? (["replay"] as const) : []),
    "edit",
    "rotate",
    isEnabled ? "disable" : "enable",
    "remove",
  ];
  return (
    <div class="tools section">
      <Button kind="primary" busy={isTesting} onPress={() => void test()}>
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
  const { backlog, consecutive_failures, last_success_at, last_failure_at } = endpoint;
  const waiting = figures.number(backlog.waiting);
  return (
    <Stats>
      <Stat
        label={words.waitingLabel}
        value={backlog.is_more ? words.waitingMore({ count: waiting }) : waiting}
      />
      <Stat
        label={words.retrying}
        value={figures.number(backlog.retrying)}
        note={
          backlog.next_attempt_at !== null && labelled(words.next, figures.clock(backlog.next_attempt_at))
        }
      />
      <Stat
        label={words.failures}
        value={figures.number(consecutive_failures)}
        note={last_failure_at !== null && labelled(words.lastFailure, figures.time(last_failure_at))}
      />
      <Stat label={words.lastSuccess} value={figures.clock(last_success_at)} note={dayOf(last_success_at)} />
    </Stats>
  );
}

/** Whether an answer accepted the event: any 2xx does. */
function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function dayOf(instant: string | null): string | null {
  return instant === null ? access.value.never : figures.time(instant);
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
    <Section title={words.attempts}>
      <Table
        caption={words.attempts}
        columns={columns}
        rows={attempts}
        keyOf={({ at, event_id }) => `${at} ${event_id}`}
        empty={<Empty title={words.noAttempts}>{words.noAttemptsHelp}</Empty>}
      />
    </Section>
  );
}

/** What is to be done to an endpoint. */
type WebhookDoing = "replay" | "edit" | "rotate" | "disable" | "enable" | "remove";

type DialogsProps = {
  readonly doing: WebhookDoing;
  readonly endpoint: EndpointShown;
  readonly onDone: (told: string) => Promise<void>;
  readonly onFailed: (problem: Problem) => void;
  readonly onSecret: (secret: { readonly value: string; readonly before: string | null }) => void;
  readonly onClose: () => void;
};

/** Says what will happen to an endpoint before it does. */
function WebhookDialogs(props: DialogsProps) {
  const { doing, endpoint, onDone, onFailed, onSecret, onClose } = props;
  const words = access.value.webhooks;
  const params = { webhook: endpoint.webhook_id };
  const told = async (answer: ApiAnswer<unknown>, text: string): Promise<void> => {
    if (answer.ok) await onDone(text);
    else onFailed(answer.problem);
  };
  switch (doing) {
    case "replay":
      return <Replay endpoint={endpoint} onDone={onDone} onClose={onClose} />;
    case "edit":
      return <Edit endpoint={endpoint} onDone={onDone} onClose={onClose} />;
    case "rotate":
      return <Rotate endpoint={endpoint} onFailed={onFailed} onSecret={onSecret} onClose={onClose} />;
    case "enable":
      return (
        <Confirm
          title={labelled(words.enable, endpoint.url)}
          verb={words.enable}
          onConfirm={async () =>
            told(await callApi("POST /webhooks/:webhook/enable", { params }), words.enabled)
          }
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
          onReason={async (reason) =>
            told(
              await callApi("POST /webhooks/:webhook/disable", { params, body: { reason } }),
              words.disabled,
            )
          }
          onClose={onClose}
        >
          <p>{words.disableText({ count: backlogText(endpoint.backlog) })}</p>
        </ReasonDialog>
      );
    case "remove":
      return <Remove endpoint={endpoint} onFailed={onFailed} onClose={onClose} />;
  }
}

type RotateProps = Omit<DialogsProps, "doing" | "onDone">;

function Rotate({ endpoint, onFailed, onSecret, onClose }: RotateProps) {
  const words = access.value.webhooks;
  const rotate = async (): Promise<void> => {
    const params = { webhook: endpoint.webhook_id };
    const answer = await callApi("POST /webhooks/:webhook/rotate", { params });
    if (!answer.ok) return onFailed(answer.problem);
    onSecret({ value: answer.value.secret, before: answer.value.previous_secret_expires_at });
  };
  return (
    <Confirm title={words.rotateTitle} verb={words.rotate} onConfirm={rotate} onClose={onClose}>
      <p>{words.rotateText}</p>
    </Confirm>
  );
}

function Remove({ endpoint, onFailed, onClose }: Omit<RotateProps, "onSecret">) {
  const words = access.value.webhooks;
  const remove = async (): Promise<void> => {
    const params = { webhook: endpoint.webhook_id };
    const answer = await callApi("DELETE /webhooks/:webhook", { params });
    if (!answer.ok) return onFailed(answer.problem);
    go(`${HOME}/webhooks?account=${endpoint.account_id}`);
  };
  return (
    <Confirm title={words.removeTitle} verb={words.remove} isDestructive onConfirm={remove} onClose={onClose}>
      <p>{endpoint.url}</p>
      <p>{words.removeText({ count: backlogText(endpoint.backlog) })}</p>
    </Confirm>
  );
}

type OneProps = Pick<DialogsProps, "endpoint" | "onDone" | "onClose">;

function Edit({ endpoint, onDone, onClose }: OneProps) {
  const words = access.value.webhooks;
  const { url, description, events, webhook_id: webhook } = endpoint;
  return (
    <EndpointForm
      title={words.editTitle}
      verb={words.save}
      note={words.editText}
      before={{ url, description, events: [...events] }}
      onSave={async (body) => {
        const answer = await callApi("PATCH /webhooks/:webhook", { params: { webhook }, body });
        if (!answer.ok) return answer.problem;
        await onDone(words.saved);
        return null;
      }}
      onClose={onClose}
    />
  );
}

function Replay({ endpoint, onDone, onClose }: OneProps) {
  const [since, setSince] = useState("2h");
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.webhooks;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const params = { webhook: endpoint.webhook_id };
    const answer = await callApi("POST /webhooks/:webhook/replay", { params, body: { since } });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onDone(words.replayed({ count: backlogText(answer.value.backlog) }));
  };
  return (
    <Dialog title={words.replayTitle} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>{words.replayText}</p>
        <ErrorBox problem={problem} />
        <Field
          label={words.replaySince}
          name="since"
          value={since}
          onValue={setSince}
          hint={words.replayHint}
          required
          maxLength={40}
          autofocus
        />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits>
            {words.replay}
          </Button>
        </div>
      </form>
    </Dialog>
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

type Wanted = { url: string; description: string; events: EventType[] };

type FormProps = {
  readonly title: string;
  readonly verb: string;
  readonly note?: string;
  readonly before?: Readonly<Wanted>;
  /** Returns what went wrong; null: it is done. */
  readonly onSave: (wanted: Wanted) => Promise<Problem | null>;
  readonly onClose: () => void;
};

/** An endpoint's address, purpose and events. */
function EndpointForm({ title, verb, note, before, onSave, onClose }: FormProps) {
  const [url, setUrl] = useState(before?.url ?? "");
  const [description, setDescription] = useState(before?.description ?? "");
  const [events, setEvents] = useState<readonly EventType[]>(before?.events ?? DEFAULT_EVENTS);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = access.value.webhooks;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || events.length === 0) return;
    setBusy(true);
    const failed = await onSave({ url, description, events: [...events] });
    setBusy(false);
    setProblem(failed);
    if (failed === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {note && <p>{note}</p>}
        <ErrorBox problem={problem} />
        <Field
          label={words.url}
          name="url"
          value={url}
          onValue={setUrl}
          hint={words.urlHint}
          type="url"
          required
          maxLength={2048}
          autofocus
        />
        <Field
          label={words.description}
          name="description"
          value={description}
          onValue={setDescription}
          hint={words.descriptionHint}
          maxLength={255}
        />
        <CheckboxGroup
          label={words.events}
          options={EVENT_TYPES.map((value) => ({ value, label: words.eventWords[value] ?? value }))}
          chosen={events}
          onChosen={setEvents}
          fault={events.length === 0 ? words.noEvent : null}
        />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
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
  return (
    <span class={`badge ${tone}`}>
      <ToneIcon tone={tone} />
      {access.value.webhooks.states[state] ?? state}
    </span>
  );
}

/** How many events wait for an endpoint, tried or not. */
function backlogText({ waiting, retrying, is_more }: EndpointShown["backlog"]): string {
  const words = access.value.webhooks;
  const count = figures.count(waiting + retrying, words.waiting);
  return is_more ? words.waitingMore({ count }) : count;
}
