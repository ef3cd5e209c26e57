import type { Static } from "typebox";
import { toChannel, WHATSAPP_CODES } from "../core/channels.ts";
import { getOwn, toRecord } from "../core/own-value.ts";
import type { ConfigSchema } from "./schema.ts";

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The configuration as the file writes it, every default filled in (docs/administration.md#2-configuration). */
export type Config = DeepReadonly<Static<typeof ConfigSchema>>;

export type OperatorConfig = Config["operators"][string];
export type ConnectionConfig = OperatorConfig["connections"][number];
export type RouteConfig = OperatorConfig["routes"][string];

/** What an operator's table sets for a command_status, in place of the usual classification. */
export type ResponseAction = OperatorConfig["responses"][string];

/** Whether messages can leave by a connection. */
export function canSubmit(connection: Pick<ConnectionConfig, "bind">): boolean {
  return connection.bind !== "receiver";
}

/** Whether receipts and replies can come in by a connection. */
export function canReceive(connection: Pick<ConnectionConfig, "bind">): boolean {
  return connection.bind !== "transmitter";
}

/**
 * What a connection binds to, as an operator sees it: receipts belong to this, whatever session or operator code they come by
 * (docs/behaviour.md#whose-receipts).
 */
export function smscAccount({
  host,
  port,
  system_id,
}: Pick<ConnectionConfig, "host" | "port" | "system_id">): string {
  return `${system_id}@${host.toLowerCase()}:${port}`;
}

/** Every operator with what each of its SMPP connections binds to. */
export function operatorAccounts({ operators }: Pick<Config, "operators">) {
  return Object.entries(operators).flatMap(([operator, { connections }]) =>
    connections
      .filter(({ kind }) => kind === "smpp")
      .map((connection) => ({ operator, account: smscAccount(connection) })),
  );
}

/**
 * The longest message of a class, in segments, that an operator takes: the least among its connections that can submit, and whose
 * route carries the class. It is judged before a route is chosen.
 */
export function operatorMaxSegments(
  { routes, connections }: Pick<OperatorConfig, "connections" | "routes">,
  messageClass: MessageClass,
): number {
  const carrying = connections.filter(
    (connection) =>
      canSubmit(connection) && (getOwn(routes, connection.route)?.classes.includes(messageClass) ?? true),
  );
  return Math.min(...carrying.map((connection) => connection.max_segments));
}

/** A class of a message, as the configuration writes it. */
type MessageClass = RouteConfig["classes"][number];

/** The code of an operator's route, as commands and pauses name it: "orange/agg". No operator's code has a slash. */
export function routeCode(operator: string, route: string): string {
  return `${operator}/${route}`;
}

/** The codes of all routes of a configuration. */
export function routeCodes({ operators }: Pick<Config, "operators">): string[] {
  return Object.entries(operators).flatMap(([operator, { routes }]) =>
    Object.keys(routes).map((route) => routeCode(operator, route)),
  );
}

/** A `responses` table by command_status. */
export function responseActions({
  responses,
}: Pick<OperatorConfig, "responses">): ReadonlyMap<number, ResponseAction> {
  return new Map(Object.entries(responses).map(([code, action]) => [Number(code), action]));
}

/** The tables of an operator's routes, each over the operator's own; that of an operator without routes is under "". */
export function responseTables(
  operator: Pick<OperatorConfig, "responses" | "routes">,
): ReadonlyMap<string, ReadonlyMap<number, ResponseAction>> {
  const own = responseActions(operator);
  const ofRoutes = Object.entries(operator.routes).map(
    ([name, route]) => [name, new Map([...own, ...responseActions(route)])] as const,
  );
  return new Map([["", own], ...ofRoutes]);
}

/** Whether what leaves by a route brings receipts; "" of an operator without routes. */
export function bringsReceipts(
  { receipts, routes }: Pick<OperatorConfig, "receipts" | "routes">,
  route: string,
) {
  return getOwn(routes, route)?.receipts ?? receipts;
}

type Named = Pick<ConnectionConfig, "host" | "port" | "system_id" | "bind">;

/**
 * A name for each of an operator's connections, in their order: what it binds to and as what, and which of those that are alike.
 * It stays when others are added before it or removed, and whatever other settings of it change.
 */
export function connectionNames(connections: readonly Named[]): string[] {
  const seen = new Map<string, number>();
  return connections.map((connection) => {
    const plain = `${connection.bind} ${smscAccount(connection)}`;
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return count === 1 ? plain : `${plain} (${count})`;
  });
}

/** What operators are called, by their codes. */
export function operatorNames({ operators }: Pick<Config, "operators">): Readonly<Record<string, string>> {
  return toRecord(Object.entries(operators).map(([code, { name }]) => [code, name || code]));
}

/** The codes under which messages leave: of the operators, then of WhatsApp's numbers, in the order of the configuration. */
export function operatorCodes({ operators, whatsapp }: Pick<Config, "operators" | "whatsapp">): string[] {
  return [...Object.keys(operators), ...Object.keys(whatsapp.numbers).map(toWhatsAppOperator)];
}

/** The operator code of a number: `whatsapp:main` is that of `[whatsapp.numbers.main]`. */
export function toWhatsAppOperator(code: string): string {
  return `${WHATSAPP_CODES}${code}`;
}

/** The code of the number that an operator's code names; null where it is an operator of another channel. */
export function toWhatsAppNumber(operator: string): string | null {
  return toChannel(operator) === "WHATSAPP" ? operator.slice(WHATSAPP_CODES.length) : null;
}

/** The seller, as named on printed documents. */
type Seller = Pick<Config["seller"], "name" | "address" | "tax_numbers">;

/** Null where the configuration names nobody. */
export function readSeller({ seller }: Pick<Config, "seller">): Seller | null {
  const { name, address, tax_numbers } = seller;
  return name === "" ? null : { name, address, tax_numbers };
}

/** The PEM files that customers are served over TLS with: the door's own, or those of the HTTP server; "" where there are none. */
export function smppCertificate({ smpp_server, server }: Pick<Config, "smpp_server" | "server">): {
  readonly tls_certificate: string;
  readonly tls_key: string;
} {
  return smpp_server.tls_certificate === "" ? server : smpp_server;
}

/** Whether customers may bind over SMPP. */
export function isSmppServed({ smpp_server: { listen, tls_listen } }: Pick<Config, "smpp_server">): boolean {
  return listen !== "" || tls_listen !== "";
}
