/** Console page that gives an operator a further route: what is typed, what it would change, and its connections once it is in force. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../../api/contract.ts";
import { Button, Field, Loaded, Note, Page } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { configure } from "../../words/configure.ts";
import { classWord } from "../../words/words.ts";
import { CheckboxGroup } from "../access/access-parts.tsx";
import { OperatorStanding } from "../connect/new-operator.tsx";
import type { PageProps } from "../lazy-page.tsx";
import { ConnectionFields, connectionFields, ownWords, PLAIN, SHORT } from "./operator-editor.tsx";
import { NEW_CONNECTION, withConnection } from "./operator-fields.ts";
import {
  additionFaults,
  additionTo,
  keyOfField,
  ROUTE_CLASSES,
  ROUTE_PARTS,
  type RouteClass,
  type RoutePart,
  type TypedAddition,
  type TypedRoute,
  writtenAddition,
} from "./route-fields.ts";
import { placeWords } from "./settings.tsx";
import { ChangeOutcome, useChange } from "./settings-change.tsx";

type View = Answer<"GET /settings">;
type Shown = View["operators"][number];

export function AddRoute({ parts: { code = "" } }: PageProps) {
  const request = useAnswer("GET /settings");
  /** How often it was taken back: the form begins anew. */
  const [undone, setUndone] = useState(0);
  const operator = request.value?.operators.find((one) => one.code === code);
  const words = configure.value.route;
  const restart = async (): Promise<void> => {
    await request.reload();
    setUndone(undone + 1);
  };
  return (
    <Page title={words.title({ name: operator?.name ?? code })}>
      <Loaded of={request}>
        {(view) =>
          operator?.in === "console" ? (
            <Addition key={undone} operator={operator} onUndone={restart} />
          ) : (
            <NotHere view={view} operator={operator} />
          )
        }
      </Loaded>
    </Page>
  );
}

type NotHereProps = { readonly view: View; readonly operator: Shown | undefined };

/** An operator that stands by hand is changed where it stands. */
function NotHere({ view: { file, console_file: kept }, operator }: NotHereProps) {
  const words = configure.value;
  return (
    <div class="prose">
      <p>{words.gone}</p>
      {operator && <p>{words.route.stands({ where: placeWords(operator) })}</p>}
      {operator && file !== null && kept !== null && <p>{words.lead({ file: kept, hand: file })}</p>}
    </div>
  );
}

type AdditionProps = { readonly operator: Shown; readonly onUndone: () => unknown };

function Addition({ operator: now, onUndone }: AdditionProps) {
  // As it was when the form was opened: once the route is in force the operator has one more.
  const [operator] = useState(now);
  const [typed, setTyped] = useState(() => additionTo(operator));
  /** How often the form was submitted; faults are shown from the first time on. */
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const flow = useChange(() => undefined);
  const words = configure.value;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries, flow.preview]);
  const { code, connections: there } = operator;
  const own = additionFaults(typed);
  const put = (change: Partial<TypedAddition>): void => {
    flow.drop();
    setTyped({ ...typed, ...change });
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTries(tries + 1);
    if (own.size > 0) return flow.drop();
    await flow.look({ route: writtenAddition(code, typed) });
  };
  const keyOf = (field: string) => keyOfField(code, there.length, typed, field);
  const faultOf = (field: string): string | null => {
    const fault = tries > 0 ? own.get(field) : undefined;
    if (fault !== undefined) return ownWords(fault);
    const [told] = flow.faultsOf(keyOf(field));
    return told ?? null;
  };
  const parts = ROUTE_PARTS.filter((part) => typed[part] !== null);
  const fields = [
    ...parts.flatMap((part) => ROUTE_FIELDS.map((field) => `${part}.${field}`)),
    ...connectionFields(typed.connections),
  ];
  return (
    <>
      {!flow.isDone && (
        <form ref={form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
          <p class="prose">{words.route.help}</p>
          <div class="draft">
            {parts.map((part) => (
              <RouteFields
                key={part}
                part={part}
                // The filter above left those that there are.
                route={typed[part] ?? typed.route}
                there={there.map(({ url, host, port }) => url ?? `${host}:${port}`)}
                faultOf={(field) => faultOf(`${part}.${field}`)}
                onType={(change) => put({ [part]: { ...(typed[part] ?? typed.route), ...change } })}
              />
            ))}
            {typed.connections.map((connection, at) => (
              <ConnectionFields
                // Connections have no other name than their place.
                key={`${at} ${typed.connections.length}`}
                connection={connection}
                at={at}
                place={there.length + at + 1}
                isOnly={typed.connections.length === 1}
                routes={[]}
                faultOf={(field) => faultOf(`connections[${at}].${field}`)}
                onType={(change) => put(withConnection(typed, at, change))}
                onDrop={() => put({ connections: typed.connections.filter((_, index) => index !== at) })}
              />
            ))}
            <div>
              <Button onPress={() => put({ connections: [...typed.connections, NEW_CONNECTION] })}>
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
      )}
      <ChangeOutcome flow={flow} fields={fields.map(keyOf)} onUndone={onUndone} />
      {flow.isDone && (
        <>
          <p>
            <a href={`${HOME}/operators/${encodeURIComponent(code)}`}>{words.route.toOperator}</a>
          </p>
          <OperatorStanding code={code} />
        </>
      )}
    </>
  );
}

const ROUTE_FIELDS = [
  ...["name", "order", "cost", "classes", "reroute_on"],
  ...ROUTE_CLASSES.map((one) => `yield_seconds.${one}`),
];

type RouteProps = {
  readonly part: RoutePart;
  readonly route: TypedRoute;
  /** The connections that the operator has. */
  readonly there: readonly string[];
  readonly faultOf: (field: string) => string | null;
  readonly onType: (change: Partial<TypedRoute>) => void;
};

/** The fields of a route. What is there already carries all classes and yields to nobody: of it less is asked. */
function RouteFields({ part, route, there, faultOf, onType }: RouteProps) {
  const words = configure.value.route;
  const isNew = part === "route";
  return (
    <fieldset class="connection draft">
      <legend>{isNew ? words.fresh : words.present}</legend>
      {!isNew && <Note>{there.join(", ")}</Note>}
      <Field
        label={words.name}
        name={`${part}-name`}
        value={route.name}
        onValue={(name) => onType({ name })}
        hint={words.hints.name}
        fault={faultOf("name")}
        required
        {...PLAIN}
      />
      <Field
        label={words.order}
        name={`${part}-order`}
        value={route.order}
        onValue={(order) => onType({ order })}
        hint={words.hints.order}
        fault={faultOf("order")}
        required
        {...SHORT}
      />
      <Field
        label={words.cost}
        name={`${part}-cost`}
        value={route.cost}
        onValue={(cost) => onType({ cost })}
        hint={words.hints.cost}
        fault={faultOf("cost")}
        inputMode="decimal"
        class="short"
      />
      {isNew && (
        <>
          <CheckboxGroup<RouteClass>
            label={words.classes}
            options={ROUTE_CLASSES.map((value) => ({ value, label: classWord(value) }))}
            chosen={route.classes}
            onChosen={(classes) => onType({ classes })}
            fault={faultOf("classes")}
          />
          {route.classes.map((one) => (
            <Field
              key={one}
              label={words.yields({ name: classWord(one) })}
              name={`${part}-yield-${one}`}
              value={route.yields[one]}
              onValue={(seconds) => onType({ yields: { ...route.yields, [one]: seconds } })}
              hint={words.hints.yields}
              fault={faultOf(`yield_seconds.${one}`)}
              required
              {...SHORT}
            />
          ))}
        </>
      )}
      <Field
        label={words.rerouteOn}
        name={`${part}-reroute`}
        value={route.rerouteOn}
        onValue={(rerouteOn) => onType({ rerouteOn })}
        hint={words.hints.rerouteOn}
        fault={faultOf("reroute_on")}
        {...PLAIN}
      />
    </fieldset>
  );
}
