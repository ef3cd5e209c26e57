/** The form of an operator that the console writes: a new one, or one that stands there. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Choice, Field, Note, Radios, toOptions } from "../../kit/kit.ts";
import { configure } from "../../words/configure.ts";
import { connect } from "../../words/connect.ts";
import { PrefixesField } from "../connect/prefixes-field.tsx";
import {
  BINDS,
  type Bind,
  isSendable,
  NEW_CONNECTION,
  type OwnFault,
  ownFaults,
  type TypedConnection,
  type TypedOperator,
  withConnection,
  withTyped,
  writtenOperator,
} from "./operator-fields.ts";
import { ChangeOutcome, useChange } from "./settings-change.tsx";

type EditorProps = {
  readonly initial: TypedOperator;
  /** The routes that the operator has. */
  readonly routes?: readonly string[];
  readonly isNew: boolean;
  /** Called with its code once it was put in force, or that was undone. */
  readonly onDone: (code: string) => unknown;
};

export const SHORT = { inputMode: "numeric", class: "short" } as const;
export const PLAIN = { autocapitalize: "off", spellcheck: false } as const;

export function OperatorEditor({ initial, routes = [], isNew, onDone }: EditorProps) {
  const [typed, setTyped] = useState(initial);
  /** How often the form was submitted; faults are shown from the first time on. */
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const code = typed.code.trim().toLowerCase();
  const flow = useChange(() => onDone(code));
  const words = configure.value;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries, flow.preview]);
  const own = ownFaults(typed);
  const newConnection = { ...NEW_CONNECTION, route: routes[0] ?? "" };
  const put = (change: Partial<TypedOperator>) => {
    flow.drop();
    setTyped(withTyped(typed, change));
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isSendable(typed)) return flow.drop();
    await flow.look({ operator: writtenOperator(typed, isNew) });
  };
  const keyOf = (field: string) => (field === "code" ? `operators.${code}` : `operators.${code}.${field}`);
  const faultOf = (field: string): string | null => {
    const fault = tries > 0 ? own.get(field) : undefined;
    if (fault !== undefined) return ownWords(fault);
    const [told] = flow.faultsOf(keyOf(field));
    return told ?? null;
  };
  const fields = ["code", "name", "prefixes", "price", "receipts", "connections"].concat(
    connectionFields(typed.connections),
  );
  return (
    <>
      <form ref={form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
        <div class="draft">
          <OperatorLines typed={typed} isNew={isNew} isTried={tries > 0} faultOf={faultOf} onType={put} />
          {typed.connections.map((connection, at) => (
            <ConnectionFields
              // Connections have no other name than their place.
              key={`${at} ${typed.connections.length}`}
              connection={connection}
              at={at}
              isOnly={typed.connections.length === 1}
              routes={routes}
              faultOf={(field) => faultOf(`connections[${at}].${field}`)}
              onType={(change) => {
                flow.drop();
                setTyped(withConnection(typed, at, change));
              }}
              onDrop={() => put({ connections: typed.connections.filter((_, index) => index !== at) })}
            />
          ))}
          <div>
            <Button onPress={() => put({ connections: [...typed.connections, newConnection] })}>
              {words.addConnection}
            </Button>
          </div>
        </div>
        <div>
          <Button kind={flow.preview ? "plain" : "primary"} submits>
            {words.look}
          </Button>
        </div>
      </form>
      <ChangeOutcome flow={flow} fields={fields.map(keyOf)} onUndone={() => onDone(code)} />
    </>
  );
}

export function connectionFields(connections: TypedOperator["connections"]): string[] {
  const names = ["host", "port", "system_id", "password", "bind", "window", "throughput", "route"];
  return connections.flatMap((_, at) => names.map((name) => `connections[${at}].${name}`));
}

export function ownWords(fault: OwnFault): string {
  const { faults } = connect.value;
  switch (fault) {
    case "EMPTY":
      return faults.EMPTY;
    case "CODE":
      return faults.CODE;
    case "NUMBER":
      return configure.value.numberFault;
    case "ROUTE":
      return configure.value.route.nameFault;
  }
}

type LinesProps = {
  readonly typed: TypedOperator;
  readonly isNew: boolean;
  /** Whether the form was submitted already. */
  readonly isTried: boolean;
  readonly faultOf: (field: string) => string | null;
  readonly onType: (change: Partial<TypedOperator>) => void;
};

function OperatorLines({ typed, isNew, isTried, faultOf, onType }: LinesProps) {
  const words = connect.value;
  return (
    <>
      <Field
        label={words.name}
        name="name"
        value={typed.name}
        onValue={(name) => onType({ name })}
        hint={words.hints.name}
        fault={faultOf("name")}
      />
      {isNew && (
        <Field
          label={words.code}
          name="code"
          value={typed.code}
          onValue={(code) => onType({ code })}
          hint={words.hints.code}
          fault={faultOf("code")}
          required
          {...PLAIN}
        />
      )}
      <PrefixesField
        text={typed.prefixes}
        fault={faultOf("prefixes")}
        isTried={isTried}
        onText={(prefixes) => onType({ prefixes })}
      />
      <Field
        label={words.price}
        name="price"
        value={typed.price}
        onValue={(price) => onType({ price })}
        hint={`${words.hints.price} ${configure.value.priceHint}`}
        fault={faultOf("price")}
        {...SHORT}
      />
      <Radios
        name="receipts"
        legend={words.receipts}
        hint={words.receiptsHint}
        value={typed.receipts}
        options={(["yes", "no"] as const).map((value) => ({ value, ...words.receiptsTold[value] }))}
        onValue={(receipts) => onType({ receipts })}
      />
    </>
  );
}

type ConnectionProps = {
  readonly connection: TypedConnection;
  readonly at: number;
  /** Its place in the operator's list, from 1. */
  readonly place?: number;
  readonly isOnly: boolean;
  /** The routes that it may be of; none where that is not asked. */
  readonly routes: readonly string[];
  readonly faultOf: (field: string) => string | null;
  readonly onType: (change: Partial<TypedConnection>) => void;
  readonly onDrop: () => void;
};

/** The fields of one connection, named after what a sheet says. */
export function ConnectionFields({
  connection,
  at,
  place = at + 1,
  isOnly,
  routes,
  faultOf,
  onType,
  onDrop,
}: ConnectionProps) {
  const words = connect.value;
  const own = configure.value;
  const { url, throughput, window } = connection;
  return (
    <fieldset class="connection draft">
      <legend>{own.connection({ place: String(place) })}</legend>
      {routes.length > 0 && (
        <Choice
          label={own.route.of}
          name={`route${at}`}
          value={connection.route}
          options={toOptions(routes, (route) => route)}
          onValue={(route) => onType({ route })}
        />
      )}
      {url === null ? (
        <BindFields connection={connection} at={at} faultOf={faultOf} onType={onType} />
      ) : (
        <Note>{own.otherBendre({ url })}</Note>
      )}
      <Field
        label={words.throughput}
        name={`throughput${at}`}
        value={throughput}
        onValue={(value) => onType({ throughput: value })}
        hint={words.hints.throughput}
        fault={faultOf("throughput")}
        required
        {...SHORT}
      />
      <Field
        label={words.window}
        name={`window${at}`}
        value={window}
        onValue={(value) => onType({ window: value })}
        hint={words.hints.window}
        fault={faultOf("window")}
        required
        {...SHORT}
      />
      {!isOnly && (
        <div>
          <Button onPress={onDrop}>{own.dropConnection({ place: String(place) })}</Button>
        </div>
      )}
    </fieldset>
  );
}

/** What an SMSC is bound to by. */
function BindFields({
  connection,
  at,
  faultOf,
  onType,
}: Pick<ConnectionProps, "connection" | "at" | "faultOf" | "onType">) {
  const words = connect.value;
  const own = configure.value;
  const { was, host, port, systemId, password, bind } = connection;
  return (
    <>
      <Field
        label={words.host}
        name={`host${at}`}
        value={host}
        onValue={(value) => onType({ host: value })}
        hint={words.hints.host}
        fault={faultOf("host")}
        required
        {...PLAIN}
      />
      <Field
        label={words.port}
        name={`port${at}`}
        value={port}
        onValue={(value) => onType({ port: value })}
        hint={words.hints.port}
        fault={faultOf("port")}
        required
        {...SHORT}
      />
      <Field
        label={words.systemId}
        name={`systemId${at}`}
        value={systemId}
        onValue={(value) => onType({ systemId: value })}
        hint={words.hints.systemId}
        fault={faultOf("system_id")}
        required
        {...PLAIN}
      />
      <Field
        label={own.password}
        name={`password${at}`}
        type="password"
        autocomplete="new-password"
        value={password}
        onValue={(value) => onType({ password: value })}
        hint={was === null ? own.passwordHint : `${own.passwordHint} ${own.keepPassword}`}
        fault={faultOf("password")}
        required={was === null}
      />
      <Radios<Bind>
        name={`bind${at}`}
        legend={words.bind}
        hint={own.bindHint}
        value={bind}
        options={BINDS.map((value) => ({ value, label: own.bindWords[value] }))}
        onValue={(value) => onType({ bind: value })}
      />
    </>
  );
}
