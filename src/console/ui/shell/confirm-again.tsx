/** The second factor, asked for again before money and keys are touched. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ask, onUnconfirmed, type Problem } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { CodeField } from "../kit/code-field.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { ErrorBox } from "../kit/error-box.tsx";
import { Field } from "../kit/field.tsx";
import { type ConfirmedFor, whatAsks } from "../state/what-asks.ts";
import { words } from "../words/words.ts";

/** Whoever waits for the second factor, told whether it was given; empty where nobody does. */
const waiting = signal<readonly ((isGiven: boolean) => void)[]>([]);

onUnconfirmed(
  (route) =>
    new Promise((told) => {
      what.value = whatAsks(route);
      waiting.value = [...waiting.value, told];
    }),
);

/** What it is asked for. */
const what = signal<ConfirmedFor>("money");

function tell(isGiven: boolean): void {
  const all = waiting.value;
  waiting.value = [];
  for (const told of all) told(isGiven);
}

/** Asks while somebody waits for it. Stands once, in the shell. */
export function ConfirmAgain() {
  return waiting.value.length === 0 ? null : <Asking />;
}

/** Of a code. */
const DIGITS = 6;

function Asking() {
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isPressed, setPressed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { confirm, signIn, cancel } = words.value;
  const isMissing = isRecovery ? code.trim() === "" : code.length < DIGITS;
  const fault = isPressed && isMissing ? (isRecovery ? confirm.missingRecovery : confirm.missing) : null;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setPressed(true);
    if (isMissing) return;
    setBusy(true);
    const body = isRecovery ? { recoveryCode: code.trim() } : { code };
    const answer = await ask("POST /confirm", { body });
    setBusy(false);
    if (answer.ok) return tell(true);
    setProblem(answer.problem);
    setPressed(false);
    setCode("");
  };
  return (
    <Dialog title={confirm.title} onClose={() => tell(false)}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <p>{confirm.of[what.value]}</p>
        {problem && <NotTaken problem={problem} />}
        {isRecovery ? (
          <Field
            label={signIn.recovery}
            name="recovery"
            value={code}
            onValue={setCode}
            fault={fault}
            input={{ autocomplete: "off", required: true, autofocus: true, maxLength: 64 }}
          />
        ) : (
          <CodeField value={code} onValue={setCode} fault={fault} label={signIn.code} />
        )}
        <Button
          kind="quiet"
          onPress={() => {
            setRecovery(!isRecovery);
            setPressed(false);
            setCode("");
          }}
        >
          {isRecovery ? signIn.useCode : signIn.useRecovery}
        </Button>
        <div class="actions">
          <Button onPress={() => tell(false)}>{cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {confirm.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function NotTaken({ problem }: { readonly problem: Problem }) {
  if (problem.code !== "CODE_REFUSED") return <ErrorBox problem={problem} />;
  return (
    <p class="error" role="alert">
      {words.value.confirm.refused}
    </p>
  );
}
