import { useState } from "preact/hooks";
import { type ApiAnswer, ask, type Problem } from "../../api/client.ts";
import { Button, Confirm, Dialog, ErrorBox, Field, Section, say } from "../../kit/kit.ts";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { words as common, figures } from "../../words/words.ts";
import type { ShownAccount } from "./account.tsx";

type Props = { readonly view: ShownAccount; readonly onDone: () => void };
type Doing = "rename" | "suspend" | "resume" | "close";

/** Renames, suspends, resumes and closes, each after saying what will happen. */
export function AccountActions({ view, onDone }: Props) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { account: words } = money.value;
  if (view.status === "CLOSED") return null;
  const params = { account: view.account_id };
  const done = (answer: ApiAnswer<unknown>): void => {
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) say(words.done);
    onDone();
  };
  const close = () => setDoing(null);
  return (
    <Section title={words.actions}>
      {problem && <ErrorBox problem={problem} />}
      <div class="row">
        <Button onPress={() => setDoing("rename")}>{words.rename}</Button>
        {view.status === "SUSPENDED" ? (
          <Button onPress={() => setDoing("resume")}>{words.resume}</Button>
        ) : (
          <Button onPress={() => setDoing("suspend")}>{words.suspend}</Button>
        )}
        <Button kind="danger" onPress={() => setDoing("close")}>
          {words.close}
        </Button>
      </div>
      {doing === "rename" && <Rename view={view} onAnswer={done} onClose={close} />}
      {doing === "suspend" && <Suspend view={view} onAnswer={done} onClose={close} />}
      {doing === "resume" && (
        <Confirm
          title={words.resumeTitle({ name: view.name })}
          verb={words.resume}
          onConfirm={async () => done(await ask("POST /accounts/:account/resume", { params }))}
          onClose={close}
        >
          <p>{words.resumeText}</p>
        </Confirm>
      )}
      {doing === "close" && <CloseForGood view={view} onAnswer={done} onClose={close} />}
    </Section>
  );
}

type Asking = {
  readonly view: ShownAccount;
  readonly onAnswer: (answer: ApiAnswer<unknown>) => void;
  readonly onClose: () => void;
};

function Suspend({ view, onAnswer, onClose }: Asking) {
  const { account: words } = money.value;
  const params = { account: view.account_id };
  const { value } = useAnswer(view.account_id, () => ask("GET /accounts/:account/waiting", { params }));
  return (
    <ReasonDialog
      title={words.suspendTitle({ name: view.name })}
      verb={words.suspend}
      isDestructive
      onReason={async (reason) =>
        onAnswer(await ask("POST /accounts/:account/suspend", { params, body: { reason } }))
      }
      onClose={onClose}
    >
      <p>
        {words.suspendText({
          waiting: value === null ? "…" : figures.count(value.messages, words.suspendWaits),
        })}
      </p>
    </ReasonDialog>
  );
}

function Rename({ view, onAnswer, onClose }: Asking) {
  const [name, setName] = useState(view.name);
  const { account: words } = money.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    onAnswer(
      await ask("POST /accounts/:account/rename", {
        params: { account: view.account_id },
        body: { name: name.trim() },
      }),
    );
    onClose();
  };
  return (
    <Dialog title={words.renameTitle({ name: view.name })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={words.newName}
          name="name"
          value={name}
          onValue={setName}
          input={{ required: true, maxLength: 200, autofocus: true, autocomplete: "off" }}
        />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits>
            {words.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The name is typed, since nothing brings the account back. */
function CloseForGood({ view, onAnswer, onClose }: Asking) {
  const [typed, setTyped] = useState("");
  const [isForced, setForced] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { account: words } = money.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (typed.trim() !== view.name || isBusy) return;
    setBusy(true);
    onAnswer(
      await ask("POST /accounts/:account/close", {
        params: { account: view.account_id },
        body: { force: isForced },
      }),
    );
    onClose();
  };
  const { balance = 0, reserved = 0 } = view.wallet ?? {};
  return (
    <Dialog title={words.closeTitle({ name: view.name })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="prose">
          {words.closeText({ balance: figures.money(balance), reserved: figures.money(reserved) })}
        </p>
        <Field
          label={words.typeName({ name: view.name })}
          name="typed"
          value={typed}
          onValue={setTyped}
          input={{ required: true, autofocus: true, autocomplete: "off" }}
        />
        <p>
          <label>
            <input
              type="checkbox"
              checked={isForced}
              onChange={({ currentTarget: { checked } }) => setForced(checked)}
            />{" "}
            {words.closeForce}
          </label>
        </p>
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="danger" submits busy={isBusy}>
            {words.close}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
