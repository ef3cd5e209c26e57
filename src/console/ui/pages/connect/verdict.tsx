import { useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { copyText } from "../../browser.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { say } from "../../kit/toast.tsx";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { connect } from "../../words/connect.ts";
import { figures } from "../../words/words.ts";
import { FileChanges } from "../appliance/file-changes.tsx";
import { type Commands, useCommands } from "./commands.ts";
import type { PasswordPlace } from "./draft-form.ts";
import { draftLines, PASSWORD_BLANK } from "./draft-text.ts";

type Drafted = Contract["POST /appliance/operator-draft"]["answer"];

type VerdictProps = { readonly drafted: Drafted; readonly place: PasswordPlace };

/** What became of the check: the faults, or the text with what to do with it. */
export function Verdict({ drafted, place }: VerdictProps) {
  const commands = useCommands();
  const words = connect.value;
  const { faults } = drafted;
  if (faults.length > 0)
    return (
      <div class="error" role="alert">
        <p class="error-title">{words.bad}</p>
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </div>
    );
  const lines = draftLines(drafted.text, place);
  const copy = async (): Promise<void> => {
    const text = lines.map((line) => `${line.text}\n`).join("");
    say((await copyText(text)) ? access.value.copied : access.value.copyFailed);
  };
  return (
    <div class="stack">
      <h2>{words.text}</h2>
      <pre class="file" tabIndex={-1}>
        {lines.map(({ text, isOpen }) => [isOpen ? <mark>{text}</mark> : text, "\n"])}
      </pre>
      <p>
        <Button onPress={() => void copy()}>{words.copy}</Button>
      </p>
      <p>
        <strong>{words.good}</strong>
      </p>
      {!may("prices.change") && <p>{words.priceMissing}</p>}
      {commands && <Todo {...{ drafted, place, commands }} />}
      <Changes />
    </div>
  );
}

type TodoProps = VerdictProps & { readonly commands: Commands };

/** From the text to an operator that is in force, with every command as it is typed here. */
function Todo({ drafted, place, commands }: TodoProps) {
  const words = connect.value;
  const { typed, started } = commands;
  const path = started?.config ?? drafted.file;
  const needsRestart = place === "environment" && !drafted.is_set;
  return (
    <ol class="todo">
      <li>{path === null ? words.putUnknown : words.put(path)}</li>
      <li>
        {place === "file" ? <PasswordInFile text={drafted.text} /> : null}
        {place === "environment" && drafted.is_set && words.isSet(drafted.variable)}
        {needsRestart && <PasswordOutside variable={drafted.variable} commands={commands} />}
      </li>
      <li>
        {needsRestart ? words.afterRestart : words.loadFile}
        {!needsRestart && <code>{typed("config reload")}</code>}
      </li>
      <li>{words.thenTest}</li>
    </ol>
  );
}

function PasswordInFile({ text }: { readonly text: string }) {
  const words = connect.value;
  const lines = text.split("\n").filter((line) => line.startsWith("password = "));
  return (
    <>
      {figures.count(lines.length, words.passwordInFile)} <code>{PASSWORD_BLANK}</code>
      <p class="note">{words.passwordKept}</p>
    </>
  );
}

type OutsideProps = { readonly variable: string; readonly commands: Commands };

function PasswordOutside({ variable, commands: { typed, environment } }: OutsideProps) {
  const words = connect.value;
  return (
    <>
      <p>{words.passwordInEnvironment(variable)}</p>
      <p>
        {environment === null ? words.ownEnvironment : words.serviceEnvironment(environment)}{" "}
        <code>{environment === null ? `export ${variable}=…` : `${variable}=…`}</code>
      </p>
      <p>
        {words.restart} <code>{environment === null ? typed("serve") : "sudo systemctl restart bendre"}</code>
      </p>
    </>
  );
}

/** What the file would change as it stands now, and putting it in force. */
function Changes() {
  const { value, problem, reload } = useAnswer("changes", () => ask("GET /configuration", {}));
  const [isLoaded, setLoaded] = useState(false);
  const words = connect.value;
  const reloaded = async (isInForce: boolean): Promise<void> => {
    setLoaded(isInForce);
    await reload();
  };
  if (problem) return <ErrorBox problem={problem} onRetry={() => void reload()} />;
  if (value === null) return null;
  return (
    <FileChanges
      view={value}
      title={words.changes}
      aside={<Button onPress={() => void reload()}>{words.lookAgain}</Button>}
      onReloaded={reloaded}
    >
      <p class="note">
        {isLoaded ? `${words.loaded} ` : words.changesHint}
        {isLoaded && <a href={`${HOME}/operators`}>{words.toOperators}</a>}
      </p>
    </FileChanges>
  );
}
