import { useState } from "preact/hooks";
import { type ApiAnswer, ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { Field } from "../../kit/field.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { go, HOME } from "../../state/router.ts";
import { access } from "../../words/access.ts";
import { words as common, labelled } from "../../words/words.ts";
import { Failed } from "./parts.tsx";
import { EndpointForm } from "./webhook-form.tsx";
import { backlogText, type EndpointShown } from "./webhook-parts.tsx";

/** What is to be done to an endpoint. */
export type WebhookDoing = "replay" | "edit" | "rotate" | "disable" | "enable" | "remove";

type DialogsProps = {
  readonly doing: WebhookDoing;
  readonly endpoint: EndpointShown;
  readonly onDone: (told: string) => Promise<void>;
  readonly onFailed: (problem: Problem) => void;
  readonly onSecret: (secret: { readonly value: string; readonly before: string | null }) => void;
  readonly onClose: () => void;
};

/** Says what will happen to an endpoint before it does. */
export function WebhookDialogs(props: DialogsProps) {
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
          onConfirm={async () => told(await ask("POST /webhooks/:webhook/enable", { params }), words.enabled)}
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
            told(await ask("POST /webhooks/:webhook/disable", { params, body: { reason } }), words.disabled)
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
    const answer = await ask("POST /webhooks/:webhook/rotate", { params });
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
    const answer = await ask("DELETE /webhooks/:webhook", { params });
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
        const answer = await ask("PATCH /webhooks/:webhook", { params: { webhook }, body });
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
    const answer = await ask("POST /webhooks/:webhook/replay", { params, body: { since } });
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
