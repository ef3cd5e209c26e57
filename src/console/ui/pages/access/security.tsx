/** Console page where signed-in users change their own password and second factor, and make new recovery codes. */
import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../server/sign-in-contract.ts";
import { callApi, type Problem } from "../../api/client.ts";
import { Button, CodeField, Dialog, ErrorBox, Field, Section, showToast } from "../../kit/kit.ts";
import { QrCode } from "../../kit/qr-code.tsx";
import { loadMe } from "../../state/session.ts";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";

const MIN_PASSWORD_LENGTH = 12;

type SecurityProps = { readonly onChanged: () => Promise<void> };

export function Security({ onChanged }: SecurityProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [proposed, setProposed] = useState<AnswerOf<"POST /me/factor"> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const words = access.value.security;
  const propose = async (): Promise<void> => {
    const answer = await callApi("POST /me/factor");
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setProposed(answer.value);
  };
  const draw = async (): Promise<void> => {
    const answer = await callApi("POST /me/recovery-codes");
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setCodes(answer.value.recoveryCodes);
  };
  return (
    <div class="pair">
      <Password onChanged={onChanged} />
      <div>
        <ErrorBox problem={problem} />
        <Section title={words.factor}>
          <p class="lead">{words.factorNote}</p>
          <p class="below">
            <Button onPress={() => void propose()}>{words.changeFactor}</Button>
          </p>
        </Section>
        <Section title={words.codes}>
          <p class="lead">{words.codesNote}</p>
          <p class="below">
            <Button onPress={() => void draw()}>{words.newCodes}</Button>
          </p>
        </Section>
      </div>
      {proposed && <NewFactor proposed={proposed} onChanged={onChanged} onClose={() => setProposed(null)} />}
      {codes && <NewCodes codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}

function Password({ onChanged }: SecurityProps) {
  const [password, setPassword] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [wasTried, setTried] = useState(false);
  const words = access.value.security;
  const { link } = common.value;
  const isShort = next.length < MIN_PASSWORD_LENGTH;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (isShort || again !== next) return;
    const answer = await callApi("POST /me/password", { body: { password, newPassword: next } });
    if (!answer.ok) return setProblem(answer.problem);
    for (const set of [setPassword, setNext, setAgain]) set("");
    setTried(false);
    setProblem(null);
    showToast(words.passwordChanged);
    await onChanged();
  };
  const input = { type: "password", required: true, maxLength: 200 } as const;
  return (
    <Section title={words.password}>
      <p class="lead">{words.passwordNote}</p>
      <form class="stack narrow" onSubmit={(event) => void submit(event)}>
        <ErrorBox problem={problem} />
        <Field
          label={words.now}
          name="password"
          value={password}
          onValue={setPassword}
          {...input}
          autocomplete="current-password"
        />
        <Field
          label={words.next}
          name="next"
          value={next}
          onValue={setNext}
          hint={words.nextHint}
          fault={wasTried && isShort ? link.short : null}
          {...input}
          autocomplete="new-password"
        />
        <Field
          label={words.again}
          name="again"
          value={again}
          onValue={setAgain}
          fault={wasTried && again !== next ? link.differ : null}
          {...input}
          autocomplete="new-password"
        />
        <div>
          <Button submits>{words.changePassword}</Button>
        </div>
      </form>
    </Section>
  );
}

type FactorProps = SecurityProps & {
  readonly proposed: AnswerOf<"POST /me/factor">;
  readonly onClose: () => void;
};

function NewFactor({ proposed, onChanged, onClose }: FactorProps) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.security;
  const { link, cancel, confirm } = common.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { proposal } = proposed;
    const answer = await callApi("POST /me/factor/use", { body: { proposal, code } });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    showToast(words.factorChanged);
    // The notice to renew the factor stands around every page.
    await Promise.all([loadMe(), onChanged()]);
  };
  return (
    <Dialog title={words.factorTitle} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>{link.phoneHint}</p>
        <QrCode text={proposed.totp.uri} label={link.qrLabel} />
        <p class="note">{link.cannotScan}</p>
        <p>
          <code class="secret">{proposed.totp.secretBase32.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
        </p>
        <ErrorBox problem={problem} />
        <CodeField label={link.codeStep} value={code} onValue={setCode} />
        <div class="actions">
          <Button onPress={onClose}>{cancel}</Button>
          <Button kind="primary" submits>
            {confirm.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type CodesProps = { readonly codes: readonly string[]; readonly onClose: () => void };

function NewCodes({ codes, onClose }: CodesProps) {
  const { link } = common.value;
  return (
    <Dialog title={access.value.security.codesTitle} onClose={onClose}>
      <p>{link.codesHint}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button onPress={() => print()}>{link.print}</Button>
        <Button kind="primary" onPress={onClose}>
          {link.codesKept}
        </Button>
      </div>
    </Dialog>
  );
}
