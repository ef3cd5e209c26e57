/** Sign-in page of the console: e-mail address and password, then a second factor. Every refusal reads the same. */
import { useState } from "preact/hooks";
import { callApi, type Problem } from "../api/client.ts";
import { Button, CodeField, ErrorBox, Field } from "../kit/kit.ts";
import { SignInLayout } from "../shell/sign-in-layout.tsx";
import { loadMe } from "../state/session.ts";
import { words } from "../words/words.ts";

export function SignIn() {
  const [isSecond, setSecond] = useState(false);
  const { signIn } = words.value;
  return (
    <SignInLayout title={isSecond ? signIn.second : signIn.title}>
      {isSecond ? <SecondStep /> : <FirstStep onSecond={() => setSecond(true)} />}
    </SignInLayout>
  );
}

function Refused({ problem }: { readonly problem: Problem }) {
  if (problem.status !== 401 && problem.status !== 429 && problem.status !== 422)
    return <ErrorBox problem={problem} />;
  return (
    <p class="error" role="alert">
      {words.value.signIn.refused}
    </p>
  );
}

function FirstStep({ onSecond }: { readonly onSecond: () => void }) {
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const answer = await callApi("POST /sign-in", { body: { login, password } });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    if (answer.value.step === "DONE") await loadMe();
    else onSecond();
  };
  const { signIn } = words.value;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      {problem && <Refused problem={problem} />}
      <Field
        label={signIn.login}
        name="login"
        value={login}
        onValue={setLogin}
        type="email"
        autocomplete="username"
        required
        autofocus
        maxLength={254}
      />
      <Field
        label={signIn.password}
        name="password"
        value={password}
        onValue={setPassword}
        type="password"
        autocomplete="current-password"
        required
        maxLength={1024}
      />
      <Button kind="primary" submits busy={isBusy}>
        {signIn.submit}
      </Button>
      <p class="note">{signIn.noLink}</p>
    </form>
  );
}

function SecondStep() {
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const body = isRecovery ? { recoveryCode: code.trim() } : { code };
    const answer = await callApi("POST /second-factor", { body });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) await loadMe();
  };
  const { signIn } = words.value;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      {problem && <Refused problem={problem} />}
      {isRecovery ? (
        <Field
          label={signIn.recovery}
          name="recovery"
          value={code}
          onValue={setCode}
          required
          autofocus
          maxLength={64}
        />
      ) : (
        <CodeField value={code} onValue={setCode} label={signIn.code} />
      )}
      <Button kind="primary" submits busy={isBusy}>
        {words.value.goOn}
      </Button>
      <Button
        kind="quiet"
        onPress={() => {
          setRecovery(!isRecovery);
          setCode("");
        }}
      >
        {isRecovery ? signIn.useCode : signIn.useRecovery}
      </Button>
    </form>
  );
}
