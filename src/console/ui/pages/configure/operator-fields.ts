/** The form of an operator that the console writes, and the request made of it. Pure. */
import type { Answer, Contract } from "../../api/contract.ts";
import { isOperatorCode, parseWholeNumber, suggestedCode } from "../connect/operator-form.ts";
import { parsePrefixes } from "../connect/parse-prefixes.ts";

type Written = NonNullable<Contract["POST /settings/preview"]["body"]["operator"]>;
type Shown = Answer<"GET /settings">["operators"][number];

export type Bind = Written["connections"][number]["bind"];
export const BINDS: readonly Bind[] = ["transceiver", "transmitter", "receiver"];

/** As typed. */
export type TypedConnection = {
  /** Its place in the operator as it stands; null of a new one. */
  readonly was: number | null;
  readonly host: string;
  readonly port: string;
  readonly systemId: string;
  readonly password: string;
  readonly bind: Bind;
  readonly throughput: string;
  readonly window: string;
  /** "" of an operator without routes. */
  readonly route: string;
  /** The address of another Bendre, which is not changed here; null of an SMSC. */
  readonly url: string | null;
};

export type TypedOperator = {
  readonly code: string;
  readonly name: string;
  readonly prefixes: string;
  readonly price: string;
  readonly receipts: "yes" | "no";
  readonly connections: readonly TypedConnection[];
};

export const NEW_CONNECTION: TypedConnection = {
  was: null,
  host: "",
  port: "2775",
  systemId: "",
  password: "",
  bind: "transceiver",
  throughput: "30",
  window: "10",
  route: "",
  url: null,
};

export const NEW_OPERATOR: TypedOperator = {
  code: "",
  name: "",
  prefixes: "",
  price: "",
  receipts: "yes",
  connections: [NEW_CONNECTION],
};

/** An operator as it stands; its passwords are not shown. */
export function typedOf({ code, name, prefixes, price, receipts, connections }: Shown): TypedOperator {
  return {
    code,
    name,
    prefixes: prefixes.join(" "),
    price: price === null ? "" : String(price),
    receipts: receipts ? "yes" : "no",
    connections: connections.map(({ host, port, system_id, bind, window, throughput, route, url }, was) => ({
      was,
      host,
      port: String(port),
      systemId: system_id,
      password: "",
      bind,
      throughput: String(throughput),
      window: String(window),
      route,
      url,
    })),
  };
}

/** The typed operator with a change; the code follows the name as long as nobody typed another. */
export function withTyped(typed: TypedOperator, change: Partial<TypedOperator>): TypedOperator {
  const { name } = change;
  const follows = name !== undefined && typed.code === suggestedCode(typed.name);
  return { ...typed, ...(follows ? { code: suggestedCode(name) } : {}), ...change };
}

export function withConnection<Typed extends Pick<TypedOperator, "connections">>(
  typed: Typed,
  at: number,
  change: Partial<TypedConnection>,
): Typed {
  const connections = typed.connections.map((one, index) => (index === at ? { ...one, ...change } : one));
  return { ...typed, connections };
}

/** What the form itself finds, before the server is asked: what cannot be sent as it is. By key, as the server tells its faults. */
export type OwnFault = "EMPTY" | "CODE" | "NUMBER" | "ROUTE";

const numberFault = (text: string): OwnFault | null => (parseWholeNumber(text) === null ? "NUMBER" : null);

export function ownFaults(typed: TypedOperator): ReadonlyMap<string, OwnFault> {
  const found: (readonly [string, OwnFault | null])[] = [
    ["code", isOperatorCode(typed.code) ? null : "CODE"],
    ["prefixes", typed.prefixes.trim() === "" ? "EMPTY" : null],
    ["price", typed.price.trim() === "" ? null : numberFault(typed.price)],
  ];
  return new Map([
    ...found.flatMap(([key, fault]) => (fault === null ? [] : [[key, fault] as const])),
    ...connectionFaults(typed.connections),
  ]);
}

export function connectionFaults(connections: readonly TypedConnection[]): (readonly [string, OwnFault])[] {
  return connections.flatMap((connection, index) =>
    (["port", "throughput", "window"] as const).flatMap((name) => {
      const fault = numberFault(connection[name]);
      return fault === null ? [] : [[`connections[${index}].${name}`, fault] as const];
    }),
  );
}

/** Whether it can be sent. */
export function isSendable(typed: TypedOperator): boolean {
  return ownFaults(typed).size === 0 && parsePrefixes(typed.prefixes).misread.length === 0;
}

export function writtenOperator(typed: TypedOperator, isNew: boolean): Written {
  const { code, name, prefixes, price, receipts, connections } = typed;
  return {
    code: code.trim().toLowerCase(),
    is_new: isNew,
    name: name.trim(),
    prefixes: [...parsePrefixes(prefixes).prefixes],
    price: price.trim() === "" ? null : whole(price),
    receipts: receipts === "yes",
    connections: connections.map(writtenConnection),
  };
}

export function writtenConnection(one: TypedConnection): Written["connections"][number] {
  return {
    was: one.was,
    host: one.host.trim(),
    port: whole(one.port),
    system_id: one.systemId.trim(),
    password: one.was !== null && one.password === "" ? null : one.password,
    bind: one.bind,
    window: whole(one.window),
    throughput: whole(one.throughput),
    ...(one.route === "" ? {} : { route: one.route }),
  };
}

/** What is no number was found before. */
function whole(text: string): number {
  return parseWholeNumber(text) ?? -1;
}
