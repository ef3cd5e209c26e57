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
import { FileChanges } from "../appliance/file-changes.tsx";
import { type Commands, useCommands } from "./commands.ts";

type Drafted = Contract["POST /appliance/operator-draft"]["answer"];

/** What became of the check: the faults, or the text with what to do with it. */
export function Verdict({ drafted }: { readonly drafted: Drafted }) {
  const commands = useCommands();
  const words = connect.value;
  const { text, faults } = drafted;
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
  const copy = async (): Promise<void> => {
    say((await copyText(text)) ? access.value.copied : access.value.copyFailed);
  };
  return (
    <div class="stack">
      <h2>{words.text}</h2>
      <pre class="file" tabIndex={-1}>
        {text}
      </pre>
      <p>
        <Button onPress={() => void copy()}>{words.copy}</Button>
      </p>
      <p>
        <strong>{words.good}</strong>
      </p>
      {!may("prices.change") && <p>{words.priceMissing}</p>}
      {commands && <Todo drafted={drafted} commands={commands} />}
      <Changes />
    </div>
  );
}

type TodoProps = { readonly drafted: Drafted; readonly commands: Commands };

/** From the text to an operator that is in force, with every command as it is typed here. */
function Todo({ drafted: { file, variable, is_set }, commands: { typed, started, environment } }: TodoProps) {
  const words = connect.value;
  const path = started?.config ?? file;
  return (
    <ol class="todo">
      <li>{path === null ? words.putUnknown : words.put(path)}</li>
      <li>
        {is_set ? (
          words.isSet(variable)
        ) : (
          <>
            {words.passwordWays}
            <ul>
              <li>
                {words.passwordInFile} <code>{'password = "…"'}</code>
              </li>
              <li>
                <p>{words.passwordInEnvironment}</p>
                <p>
                  {environment === null ? words.ownEnvironment : words.serviceEnvironment(environment)}{" "}
                  <code>{environment === null ? `export ${variable}=…` : `${variable}=…`}</code>
                </p>
                <p>
                  {words.restart}{" "}
                  <code>{environment === null ? typed("serve") : "sudo systemctl restart bendre"}</code>
                </p>
              </li>
            </ul>
          </>
        )}
      </li>
      <li>
        {words.load} <code>{typed("config reload")}</code>
      </li>
    </ol>
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
