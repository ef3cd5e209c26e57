import { useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { copyText } from "../../browser.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { say } from "../../kit/toast.tsx";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { connect } from "../../words/connect.ts";
import { figures } from "../../words/words.ts";
import { FileChanges } from "../appliance/file-changes.tsx";
import { FileFaults } from "../appliance/file-faults.tsx";
import { useUntilBound } from "../traffic/until-bound.tsx";
import { type Commands, useCommands } from "./commands.ts";
import type { PasswordPlace } from "./draft-form.ts";
import { draftLines, PASSWORD_BLANK } from "./draft-text.ts";
import { isAtRest, Next } from "./next.tsx";

type Drafted = Contract["POST /appliance/operator-draft"]["answer"];

type VerdictProps = { readonly drafted: Drafted; readonly place: PasswordPlace };

/** What became of the check: the faults, or the text with what to do with it. */
export function Verdict({ drafted, place }: VerdictProps) {
  const commands = useCommands();
  const words = connect.value;
  const { faults } = drafted;
  if (faults.length > 0) return <FileFaults title={words.bad} faults={faults} />;
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
      {commands && <Todo drafted={drafted} place={place} commands={commands} />}
      <Changes code={drafted.code} />
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
      <li>
        {path === null
          ? words.putUnknown
          : drafted.is_new_file
            ? words.putNew({ file: path })
            : words.put({ file: path })}
      </li>
      <li>
        {place === "file" ? <PasswordInFile text={drafted.text} /> : null}
        {place === "environment" && drafted.is_set && words.isSet({ variable: drafted.variable })}
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
      <p>{words.passwordInEnvironment({ variable })}</p>
      <p>
        {environment === null ? words.ownEnvironment : words.serviceEnvironment({ file: environment })}{" "}
        <code>{environment === null ? `export ${variable}=…` : `${variable}=…`}</code>
      </p>
      <p>
        {words.restart} <code>{environment === null ? typed("serve") : "sudo systemctl restart bendre"}</code>
      </p>
    </>
  );
}

/** What the file would change as it stands now, putting it in force, and what the operator's connections do since. */
function Changes({ code }: { readonly code: string }) {
  const { value, problem, reload } = useAnswer("changes", () => ask("GET /configuration", {}));
  const operators = useAnswer("operators", () => ask("GET /operators", {}));
  const [isLoaded, setLoaded] = useState(false);
  const own = operators.value?.connections.filter(({ operator }) => operator === code) ?? [];
  useUntilBound(own.every(isAtRest), operators.reload);
  const words = connect.value;
  const isTried = isLoaded || own.length > 0;
  const isNeutral = value !== null && value.changes.length === 0 && value.faults.length === 0;
  const isOpen = value?.faults.some(({ key }) => key !== null && isOfPassword(key, code)) ?? false;
  const lookAgain = async (): Promise<void> => {
    await Promise.all([reload(), operators.reload()]);
  };
  const reloaded = async (isInForce: boolean): Promise<void> => {
    setLoaded(isInForce);
    await lookAgain();
  };
  if (problem) return <ErrorBox problem={problem} onRetry={() => void reload()} />;
  if (value === null) return null;
  return (
    <>
      <FileChanges
        view={value}
        title={words.changes}
        aside={<Button onPress={() => void lookAgain()}>{words.lookAgain}</Button>}
        isExplained={isOpen}
        onReloaded={reloaded}
      >
        {isOpen && <p>{words.passwordLeft}</p>}
        {!isTried && <p class="note">{words.changesHint}</p>}
        {isTried && isNeutral && <p class="note">{words.loaded}</p>}
      </FileChanges>
      {operators.value && own.length > 0 && (
        <Next code={code} view={operators.value} onChanged={operators.reload} />
      )}
    </>
  );
}

/** Whether a key of a fault is the password of one of its connections: as a rule the blank is still there. */
function isOfPassword(key: string, code: string): boolean {
  return key.startsWith(`operators.${code}.connections[`) && key.endsWith("].password");
}
