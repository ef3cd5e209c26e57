import { useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { go, HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useRequest } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { words as common, figures, labelled } from "../../words/words.ts";
import { toPlainColumn } from "../traffic/parts.tsx";
import { Back, Failed, SecretShownOnce } from "./parts.tsx";
import { EndpointForm } from "./webhook-form.tsx";
import { backlogText, type EndpointShown, EndpointState } from "./webhook-parts.tsx";

type Secret = { readonly value: string; readonly before: string | null };

/** How one endpoint is doing: what waits, what it answered last; test, tell again, new secret, change, disable, delete. */
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
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
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

/** Whether an answer took the event: any 2xx does. */
function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function dayOf(instant: string | null): string | null {
  return instant === null ? access.value.never : figures.time(instant);
}

function Attempts({ endpoint: { attempts } }: { readonly endpoint: EndpointShown }) {
  type Attempt = (typeof attempts)[number];
  const words = access.value.webhooks;
  const columns: readonly Column<Attempt>[] = [
    { ...toPlainColumn("at", words.at), cell: ({ at }) => figures.time(at) },
    {
      ...toPlainColumn("event", words.event),
      cell: ({ type, event_id }) => (
        <>
          {words.eventWords[type] ?? (type === "WEBHOOK_TEST" ? words.trial : type)}
          <span class="note">{event_id}</span>
        </>
      ),
    },
    {
      ...toPlainColumn("answer", words.answer),
      cell: ({ outcome, status }) => (
        <>
          {status !== null && <strong>{status} </strong>}
          {isTaken(status) ? words.delivered : outcome}
        </>
      ),
    },
    {
      ...toPlainColumn("took", words.took),
      isNumber: true,
      cell: (row) => `${figures.number(row.duration_ms)} ms`,
    },
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
          onConfirm={async () => told(await callApi("POST /webhooks/:webhook/enable", { params }), words.enabled)}
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
            told(await callApi("POST /webhooks/:webhook/disable", { params, body: { reason } }), words.disabled)
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
        <Failed problem={problem} />
        <Field
          label={words.replaySince}
          name="since"
          value={since}
          onValue={setSince}
          hint={words.replayHint}
          input={{ required: true, maxLength: 40, autofocus: true, autocomplete: "off" }}
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
