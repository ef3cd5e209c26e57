/**
 * Console page that connects another operator: from a form, the server writes it, or the page words it for the file by hand, and
 * follows its connections once it is in force.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { copyText } from "../../browser.ts";
import { duration } from "../../format.ts";
import {
  Button,
  DialogButton,
  ErrorBox,
  Field,
  Note,
  Page,
  Radios,
  Section,
  StateBadge,
  showToast,
} from "../../kit/kit.ts";
import { language } from "../../state/preferences.ts";
import { go, HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAction, useAnswer } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { configure } from "../../words/configure.ts";
import { connect } from "../../words/connect.ts";
import { classifyDownCause } from "../../words/down-advice.ts";
import { traffic } from "../../words/traffic.ts";
import { trial } from "../../words/trial.ts";
import { renderSentencePart } from "../../words/words.ts";
import { FileChanges, FileFaults } from "../appliance/config-changes.tsx";
import { OperatorEditor } from "../configure/operator-editor.tsx";
import { NEW_OPERATOR } from "../configure/operator-fields.ts";
import { usePollUntilBound } from "../traffic/poll-until-bound.tsx";
import { TestDialog } from "../traffic/test-dialog.tsx";
import { type Commands, useCommands } from "./commands.ts";
import {
  type DraftFault,
  draftBody,
  draftFaults,
  draftLines,
  type FaultyLine,
  isWhole,
  NOTHING_TYPED,
  PASSWORD_BLANK,
  type PasswordPlace,
  type TypedOperator,
  withChange,
} from "./operator-form.ts";
import { PrefixesField } from "./prefixes-field.tsx";

export function NewOperator() {
  return (
    <Page title={connect.value.heading} question={connect.value.title}>
      <ConnectOperator />
    </Page>
  );
}

/** Connects an operator: the server writes it, for those who may; else, or by choice, what to write into the file by hand. */
export function ConnectOperator() {
  const [isByHand, setByHand] = useState(false);
  const words = configure.value;
  if (!may("settings.change")) return <OperatorDraft />;
  const other = (
    <p>
      <Button kind="quiet" onPress={() => setByHand(!isByHand)}>
        {isByHand ? words.wayHere : words.wayByHand}
      </Button>
    </p>
  );
  if (isByHand)
    return (
      <>
        {other}
        <OperatorDraft />
      </>
    );
  return (
    <>
      <p class="prose">{words.newHelp}</p>
      {other}
      <OperatorEditor
        initial={NEW_OPERATOR}
        isNew
        onDone={(code) => go(`${HOME}/settings/operators/${code}`)}
      />
    </>
  );
}

type StandingProps = { readonly code: string };

/** Whether the connections of an operator that was written are open, and what to do where they are not. */
export function OperatorStanding({ code }: StandingProps) {
  const { value, problem, reload } = useAnswer("GET /operators");
  const own = value?.connections.filter(({ operator }) => operator === code) ?? [];
  usePollUntilBound(own.length > 0 && own.every(isAtRest), reload);
  if (problem) return <ErrorBox problem={problem} onRetry={reload} />;
  if (value === null || own.length === 0) return null;
  const todo = { ...connect.value.next.todo, ...configure.value.todo };
  return <Next code={code} view={value} todo={todo} onChanged={reload} />;
}

type Drafted = Answer<"POST /appliance/operator-draft">;

/** Drafts an operator for the configuration file from the operator's data, and has it checked. */
function OperatorDraft() {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  /** How often the form was submitted; faults are shown from the first time on. */
  const [tries, setTries] = useState(0);
  const [drafted, setDrafted] = useState<Drafted | null>(null);
  const { problem, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const verdict = useRef<HTMLDivElement>(null);
  const words = connect.value;
  // Prices are the owner's.
  const setsPrices = may("prices.change");
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries]);
  useEffect(() => {
    if (drafted !== null) verdict.current?.focus();
  }, [drafted]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isWhole(typed, setsPrices)) return setDrafted(null);
    setDrafted(await run(callApi("POST /appliance/operator-draft", { body: draftBody(typed, setsPrices) })));
  };
  const put = (change: Partial<TypedOperator>) => setTyped(withChange(typed, change));
  return (
    <>
      <form ref={form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
        <p class="prose">{words.help}</p>
        <ErrorBox problem={problem} />
        <DraftFields
          typed={typed}
          setsPrices={setsPrices}
          isTried={tries > 0}
          faults={draftFaults(typed, setsPrices)}
          onType={put}
        />
        <div>
          <Button kind="primary" submits>
            {words.check}
          </Button>
        </div>
      </form>
      <div class="verdict" aria-live="polite" tabIndex={-1} ref={verdict}>
        {drafted && <Verdict drafted={drafted} place={typed.password} />}
      </div>
    </>
  );
}

type FieldsProps = {
  readonly typed: TypedOperator;
  readonly setsPrices: boolean;
  readonly faults: ReadonlyMap<FaultyLine, DraftFault>;
  /** Whether the form was submitted already: faults are shown from then on. */
  readonly isTried: boolean;
  readonly onType: (change: Partial<TypedOperator>) => void;
};

/** Properties of each field. */
const INPUTS = {
  code: { maxLength: 32, autocapitalize: "off", spellcheck: false },
  name: { maxLength: 100 },
  host: { maxLength: 255, autocapitalize: "off", spellcheck: false },
  port: { inputMode: "numeric", class: "short" },
  systemId: { autocapitalize: "off", spellcheck: false },
  throughput: { inputMode: "numeric", class: "short" },
  window: { inputMode: "numeric", class: "short" },
  price: { inputMode: "numeric", class: "short" },
} as const;

type Line = keyof typeof INPUTS;

/** In the order of an operator's sheet, each with where it stands there; then what we decide ourselves. */
function DraftFields({ typed, setsPrices, faults, isTried, onType }: FieldsProps) {
  const words = connect.value;
  const line = (name: Line) => (
    <DraftLine key={name} name={name} typed={typed} faults={faults} isTried={isTried} onType={onType} />
  );
  const { password, bind, receipts } = typed;
  const prefixesFault = isTried ? faults.get("prefixes") : undefined;
  return (
    <div class="draft">
      {(["name", "code", "host", "port", "systemId"] as const).map(line)}
      <Radios
        name="password"
        legend={words.password}
        hint={words.passwordHint}
        value={password}
        options={(["file", "environment"] as const).map((value) => ({ value, ...words.passwords[value] }))}
        onValue={(value) => onType({ password: value })}
      />
      <Radios
        name="bind"
        legend={words.bind}
        hint={words.bindHint}
        value={bind}
        options={(["transceiver", "separate"] as const).map((value) => ({ value, ...words.binds[value] }))}
        onValue={(value) => onType({ bind: value })}
      />
      {(["throughput", "window"] as const).map(line)}
      <Radios
        name="receipts"
        legend={words.receipts}
        hint={words.receiptsHint}
        value={receipts}
        options={(["yes", "no"] as const).map((value) => ({ value, ...words.receiptsTold[value] }))}
        onValue={(value) => onType({ receipts: value })}
      />
      <PrefixesField
        text={typed.prefixes}
        fault={prefixesFault === undefined ? null : words.faults[prefixesFault]}
        isTried={isTried}
        onText={(prefixes) => onType({ prefixes })}
      />
      {setsPrices && line("price")}
    </div>
  );
}

type LineProps = Pick<FieldsProps, "typed" | "faults" | "isTried" | "onType"> & { readonly name: Line };

function DraftLine({ name, typed, faults, isTried, onType }: LineProps) {
  const words = connect.value;
  const fault = isTried ? faults.get(name) : undefined;
  return (
    <Field
      label={words[name]}
      name={name}
      value={typed[name]}
      onValue={(value) => onType({ [name]: value })}
      hint={words.hints[name]}
      fault={fault === undefined ? null : words.faults[fault]}
      {...INPUTS[name]}
      required
    />
  );
}

type VerdictProps = { readonly drafted: Drafted; readonly place: PasswordPlace };

/** The result of the check: the faults, or the text with what to do with it. */
function Verdict({ drafted, place }: VerdictProps) {
  const commands = useCommands();
  const words = connect.value;
  const { faults } = drafted;
  if (faults.length > 0) return <FileFaults title={words.bad} faults={faults} />;
  const lines = draftLines(drafted.text, place);
  const copy = async (): Promise<void> => {
    const text = lines.map((line) => `${line.text}\n`).join("");
    showToast((await copyText(text)) ? access.value.copied : access.value.copyFailed);
  };
  return (
    <div class="stack">
      <h2>{words.text}</h2>
      <pre class="file" tabIndex={-1}>
        {lines.map(({ text, isOpen }) => [isOpen ? <mark>{text}</mark> : text, "\n"])}
      </pre>
      <p>
        <Button onPress={copy}>{words.copy}</Button>
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
      {words.passwordInFile(lines.length)} <code>{PASSWORD_BLANK}</code>
      <Note>{words.passwordKept}</Note>
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
  const { value, problem, reload } = useAnswer("GET /configuration");
  const operators = useAnswer("GET /operators");
  const [isLoaded, setLoaded] = useState(false);
  const own = operators.value?.connections.filter(({ operator }) => operator === code) ?? [];
  usePollUntilBound(own.every(isAtRest), operators.reload);
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
  if (problem) return <ErrorBox problem={problem} onRetry={reload} />;
  if (value === null) return null;
  return (
    <>
      <FileChanges
        view={value}
        title={words.changes}
        aside={<Button onPress={lookAgain}>{words.lookAgain}</Button>}
        isExplained={isOpen}
        onReloaded={reloaded}
      >
        {isOpen && <p>{words.passwordLeft}</p>}
        {!isTried && <Note>{words.changesHint}</Note>}
        {isTried && isNeutral && <Note>{words.loaded}</Note>}
      </FileChanges>
      {operators.value && own.length > 0 && (
        <Next code={code} view={operators.value} todo={words.next.todo} onChanged={operators.reload} />
      )}
    </>
  );
}

/** Whether a fault is about the password of a connection: as a rule its placeholder is still there. */
function isOfPassword(key: string, code: string): boolean {
  return key.startsWith(`operators.${code}.connections[`) && key.endsWith("].password");
}

type View = Answer<"GET /operators">;
type Connection = View["connections"][number];

type NextProps = {
  readonly code: string;
  readonly view: View;
  /** What to do about a connection that is refused, by its cause. */
  readonly todo: Readonly<Record<ReturnType<typeof classifyDownCause>, string>>;
  readonly onChanged: () => Promise<void>;
};

/** Whether a connection stays as it is. */
function isAtRest({ state, paused }: Connection): boolean {
  return state === "BOUND" || paused !== null;
}

/** What comes after an operator is in force: whether its connections are open, what to do where they are not, and a test text. */
function Next({ code, view, todo, onChanged }: NextProps) {
  const { problem, run } = useAction();
  const words = connect.value.next;
  const name = view.operators.find((one) => one.code === code)?.name ?? code;
  const own = view.connections.filter(({ operator }) => operator === code);
  const mayChange = may("operators.change");
  const canTest = own.some(({ state, paused, bind }) => state === "BOUND" && !paused && bind !== "receiver");
  const again = async (connection: number): Promise<void> => {
    await run(callApi("POST /operators/:code/reconnect", { params: { code }, body: { connection } }));
    await onChanged();
  };
  return (
    <Section title={words.title({ name })}>
      <ErrorBox problem={problem} />
      <ul class="stack next" aria-live="polite">
        {own.map((row) => (
          <li key={row.connection}>
            <p>
              {traffic.value.operators.connection({ place: row.connection })}{" "}
              <StateBadge state={row.paused === null ? row.state : "PAUSED"} /> {saidOf(row)}
            </p>
            {isRefused(row) && <p>{todo[classifyDownCause(row.last_error)]}</p>}
            {isRefused(row) && mayChange && (
              <p>
                <Button
                  label={`${words.again} ${code} ${row.connection}`}
                  onPress={() => void again(row.connection)}
                >
                  {words.again}
                </Button>
              </p>
            )}
          </li>
        ))}
      </ul>
      {canTest && <p>{words.open}</p>}
      <div class="tools">
        {canTest && mayChange && (
          <DialogButton kind="primary" verb={trial.value.button}>
            {(close) => <TestDialog code={code} name={name} onClose={close} />}
          </DialogButton>
        )}
        <a href={`${HOME}/operators`}>{words.toOperators}</a>
      </div>
    </Section>
  );
}

/** Whether it was refused in a way that somebody can do something about. */
function isRefused(row: Connection): boolean {
  return !isAtRest(row) && row.last_error !== null;
}

/** What it does at this moment, in words: why it is not open, and when it is tried again. */
function saidOf(row: Connection): string {
  const words = connect.value.next;
  if (row.paused !== null) return words.paused;
  if (row.state === "BOUND") return words.bound;
  if (row.last_error === null) return words.underWay;
  const shown = renderSentencePart(row.last_error);
  const seconds = row.reconnect_in_seconds;
  if (seconds === null || row.state !== "WAITING") return shown;
  return `${shown}. ${words.nextTry({ time: duration(language.value, seconds) })}`;
}
