/** Console page where signed-in users change their own password and second factor, and make new recovery codes. */

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../server/sign-in-contract.ts";
import { callApi } from "../../api/client.ts";
import { Button, CodeField, ErrorBox, Field, Form, FormDialog, Section } from "../../kit/kit.ts";
import { QrCode } from "../../kit/qr-code.tsx";
import { RecoveryCodesDialog } from "../../kit/recovery-codes.tsx";
import { loadMe } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { useAction } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";

const MIN_PASSWORD_LENGTH = 12;

type SecurityProps = { readonly onChanged: () => Promise<void> };

export function Security({ onChanged }: SecurityProps) {
  const { problem, run } = useAction();
  const [proposed, setProposed] = useState<AnswerOf<"POST /me/factor"> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const words = access.value.security;
  const propose = async (): Promise<void> => {
    const proposal = await run(callApi("POST /me/factor"));
    if (proposal) setProposed(proposal);
  };
  const draw = async (): Promise<void> => {
    const drawn = await run(callApi("POST /me/recovery-codes"));
    if (drawn) setCodes(drawn.recoveryCodes);
  };
  return (
    <div class="pair">
      <Password onChanged={onChanged} />
      <div>
        <ErrorBox problem={problem} />
        <Section title={words.factor}>
          <p class="lead">{words.factorNote}</p>
          <p class="below">
            <Button onPress={propose}>{words.changeFactor}</Button>
          </p>
        </Section>
        <Section title={words.codes}>
          <p class="lead">{words.codesNote}</p>
          <p class="below">
            <Button onPress={draw}>{words.newCodes}</Button>
          </p>
        </Section>
      </div>
      {proposed && <NewFactor proposed={proposed} onChanged={onChanged} onClose={() => setProposed(null)} />}
      {codes && <RecoveryCodesDialog title={words.codesTitle} codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}

const UNTYPED = { password: "", next: "", again: "" };

function Password({ onChanged }: SecurityProps) {
  const { draft, put, bind } = useDraft(UNTYPED);
  const { problem, run } = useAction();
  const [wasTried, setTried] = useState(false);
  const words = access.value.security;
  const { link } = common.value;
  const { password, next, again } = draft;
  const isShort = next.length < MIN_PASSWORD_LENGTH;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isShort || again !== next) return;
    const changing = callApi("POST /me/password", { body: { password, newPassword: next } });
    if ((await run(changing, words.passwordChanged)) === null) return;
    put(UNTYPED);
    setTried(false);
    await onChanged();
  };
  const secret = { type: "password", required: true, maxLength: 200 } as const;
  return (
    <Section title={words.password}>
      <p class="lead">{words.passwordNote}</p>
      <Form class="stack narrow" kind="plain" verb={words.changePassword} problem={problem} onSubmit={submit}>
        <Field label={words.now} {...bind("password")} {...secret} autocomplete="current-password" />
        <Field
          label={words.next}
          {...bind("next")}
          hint={words.nextHint}
          fault={wasTried && isShort ? link.short : null}
          {...secret}
          autocomplete="new-password"
        />
        <Field
          label={words.again}
          {...bind("again")}
          fault={wasTried && again !== next ? link.differ : null}
          {...secret}
          autocomplete="new-password"
        />
      </Form>
    </Section>
  );
}

type FactorProps = SecurityProps & {
  readonly proposed: AnswerOf<"POST /me/factor">;
  readonly onClose: () => void;
};

function NewFactor({ proposed, onChanged, onClose }: FactorProps) {
  const [code, setCode] = useState("");
  const { problem, run } = useAction();
  const words = access.value.security;
  const { link, confirm } = common.value;
  const submit = async (): Promise<void> => {
    const using = callApi("POST /me/factor/use", { body: { proposal: proposed.proposal, code } });
    if ((await run(using, words.factorChanged)) === null) return;
    onClose();
    // The notice to renew the factor stands around every page.
    await Promise.all([loadMe(), onChanged()]);
  };
  return (
    <FormDialog
      title={words.factorTitle}
      verb={confirm.submit}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{link.phoneHint}</p>
      <QrCode text={proposed.totp.uri} label={link.qrLabel} />
      <p class="note">{link.cannotScan}</p>
      <p>
        <code class="secret">{proposed.totp.secretBase32.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
      <CodeField label={link.codeStep} value={code} onValue={setCode} />
    </FormDialog>
  );
}
