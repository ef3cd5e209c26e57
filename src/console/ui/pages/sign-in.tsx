/** Sign-in page of the console: e-mail address and password, then a second factor. Every refusal reads the same. */

import { useState } from "preact/hooks";
import { callApi, type Problem } from "../api/client.ts";
import { Button, CodeField, ErrorBox, Field } from "../kit/kit.ts";
import { SignInLayout } from "../shell/sign-in-layout.tsx";
import { loadMe } from "../state/session.ts";
import { useDraft } from "../state/use-draft.ts";
import { useAction } from "../state/use-request.ts";
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
  const { draft, bind } = useDraft({ login: "", password: "" });
  const { problem, run } = useAction();
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const signedIn = await run(callApi("POST /sign-in", { body: draft }));
    setBusy(false);
    if (signedIn?.step === "DONE") await loadMe();
    else if (signedIn) onSecond();
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
        {...bind("login")}
        type="email"
        autocomplete="username"
        required
        autofocus
        maxLength={254}
      />
      <Field
        label={signIn.password}
        {...bind("password")}
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
  const { problem, run } = useAction();
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const body = isRecovery ? { recoveryCode: code.trim() } : { code };
    const signedIn = await run(callApi("POST /second-factor", { body }));
    setBusy(false);
    if (signedIn) await loadMe();
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
