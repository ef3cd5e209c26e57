/**
 * Console page behind a one-time link: sets password and second factor, and shows the recovery codes. The secret is in the
 * URL fragment, so it reaches no log; opening the link does not use it up.
 */

import { useEffect, useState } from "preact/hooks";
import type { AnswerOf, DeadLink } from "../../server/sign-in-contract.ts";
import { callApi, type Problem } from "../api/client.ts";
import { Button, CodeField, ErrorBox, Field } from "../kit/kit.ts";
import { QrCode } from "../kit/qr-code.tsx";
import { RecoveryCodes } from "../kit/recovery-codes.tsx";
import { SignInLayout } from "../shell/sign-in-layout.tsx";
import { go, HOME } from "../state/router.ts";
import { loadMe, may } from "../state/session.ts";
import { useDraft } from "../state/use-draft.ts";
import { words } from "../words/words.ts";

const MIN_PASSWORD_LENGTH = 12;

export function Link() {
  const [secret, setSecret] = useState(secretHere);
  const [found, setFound] = useState<AnswerOf<"POST /link/look"> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const look = async (): Promise<void> => {
    const answer = await callApi("POST /link/look", { body: { secret } });
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setFound(answer.value);
  };
  useEffect(() => void look(), [secret]);
  useEffect(() => {
    const another = (): void => {
      setFound(null);
      setProblem(null);
      setSecret(secretHere());
    };
    addEventListener("hashchange", another);
    return () => removeEventListener("hashchange", another);
  }, []);
  const { link } = words.value;
  if (codes) return <NewCodes codes={codes} isFirst={found?.login === ""} />;
  if (problem?.code === "LINK_INVALID") return <Dead link={problem.link ?? null} />;
  if (problem) return <Unread problem={problem} onRetry={look} />;
  if (!found) return <SignInLayout title={link.looking}>…</SignInLayout>;
  return <SetUp found={found} secret={secret} onDone={setCodes} onDead={look} />;
}

/** A browser does not reload the page where another link differs only in its secret. */
function secretHere(): string {
  return location.hash.slice(1);
}

function Unread({ problem, onRetry }: { readonly problem: Problem; readonly onRetry: () => Promise<void> }) {
  return (
    <SignInLayout title={words.value.link.title}>
      <ErrorBox problem={problem} onRetry={onRetry} />
    </SignInLayout>
  );
}

function Dead({ link: end }: { readonly link: DeadLink | null }) {
  const { link, signIn } = words.value;
  const why = end?.why ?? "UNKNOWN";
  const { title, help } = link.ends[why];
  return (
    <SignInLayout title={title} {...(end?.login && { lead: link.greeting({ login: end.login }) })}>
      <p>{help}</p>
      {end?.command && (
        <>
          <p>{link.byCommand}</p>
          <p>
            <code class="command">{end.command}</code>
          </p>
        </>
      )}
      {why !== "FIRST_RAN_OUT" && why !== "NOBODY_YET" && (
        <p>
          {link.hasPassword} <a href={HOME}>{signIn.title}</a>
        </p>
      )}
    </SignInLayout>
  );
}

type SetUpProps = {
  readonly found: AnswerOf<"POST /link/look">;
  readonly secret: string;
  readonly onDone: (codes: readonly string[]) => void;
  /** Called where the link became invalid meanwhile. */
  readonly onDead: () => Promise<void>;
};

function SetUp({ found, secret, onDone, onDead }: SetUpProps) {
  const { draft, bind } = useDraft({ login: "", password: "", again: "", code: "" });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [wasTried, setTried] = useState(false);
  const { link } = words.value;
  const { login, password, again, code } = draft;
  const isShort = password.length < MIN_PASSWORD_LENGTH;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isShort || again !== password) return;
    const answer = await callApi("POST /link/use", {
      body: {
        secret,
        password,
        code,
        proposal: found.proposal,
        login: found.login === "" ? login : undefined,
      },
    });
    if (!answer.ok && answer.problem.code === "LINK_INVALID") return onDead();
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    history.replaceState(null, "", location.pathname);
    onDone(answer.value.recoveryCodes);
  };
  const secretInput = { type: "password", autocomplete: "new-password", required: true } as const;
  return (
    <SignInLayout
      title={link.title}
      lead={found.login === "" ? link.firstOwner : link.greeting({ login: found.login })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Login known={found.login} {...bind("login")} />
        <Field
          label={link.passwordStep}
          {...bind("password")}
          hint={link.passwordHint}
          fault={wasTried && isShort ? link.short : null}
          {...secretInput}
        />
        <Field
          label={link.again}
          {...bind("again")}
          fault={wasTried && again !== password ? link.differ : null}
          {...secretInput}
        />
        <Phone totp={found.totp} />
        <CodeField label={link.codeStep} {...bind("code")} isFirst={false} />
        <ErrorBox problem={problem} />
        <Button kind="primary" submits>
          {link.submit}
        </Button>
      </form>
    </SignInLayout>
  );
}

type LoginProps = {
  readonly known: string;
  readonly value: string;
  readonly onValue: (login: string) => void;
};

/** The first user types an address; of others it tells a password manager whose password it is. */
function Login({ known, value, onValue }: LoginProps) {
  const label = words.value.signIn.login;
  const input = { type: "email", autocomplete: "username", required: true } as const;
  if (known === "")
    return <Field label={label} name="login" value={value} onValue={onValue} {...input} autofocus />;
  return (
    <input
      {...input}
      class="unseen"
      value={known}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
      aria-label={label}
    />
  );
}

function Phone({ totp }: { readonly totp: AnswerOf<"POST /link/look">["totp"] }) {
  const { link } = words.value;
  return (
    <section>
      <h2>{link.phoneStep}</h2>
      <p class="hint">{link.phoneHint}</p>
      <QrCode text={totp.uri} label={link.qrLabel} />
      <p class="hint">{link.cannotScan}</p>
      <p>
        <code class="secret">{totp.secretBase32.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
    </section>
  );
}

type CodesProps = { readonly codes: readonly string[]; readonly isFirst: boolean };

function NewCodes({ codes, isFirst }: CodesProps) {
  const leave = async (): Promise<void> => {
    await loadMe();
    go(isFirst && may("appliance.change") ? `${HOME}/first` : HOME);
  };
  return (
    <SignInLayout title={words.value.link.codesTitle}>
      <RecoveryCodes codes={codes} onKept={leave} />
    </SignInLayout>
  );
}
