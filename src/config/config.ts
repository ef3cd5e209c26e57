import type { Static } from "typebox";
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

/** What an operator's table says about a command_status, in place of the usual classification. */
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
 * What a connection binds to, as an operator sees it: receipts belong to this, whatever session or operator code they
 * come by (docs/behaviour.md#whose-receipts).
 */
export function smscAccount({
  host,
  port,
  system_id,
}: Pick<ConnectionConfig, "host" | "port" | "system_id">): string {
  return `${system_id}@${host.toLowerCase()}:${port}`;
}

/** Every operator with what each of its connections binds to. */
export function operatorAccounts({ operators }: Pick<Config, "operators">) {
  return Object.entries(operators).flatMap(([operator, { connections }]) =>
    connections.map((connection) => ({ operator, account: smscAccount(connection) })),
  );
}

/** The longest message, in segments, that an operator takes: the least among its connections that can submit. */
export function operatorMaxSegments(operator: Pick<OperatorConfig, "connections">): number {
  return Math.min(...operator.connections.filter(canSubmit).map((connection) => connection.max_segments));
}

/** An operator's `responses` table by command_status. */
export function responseActions(
  operator: Pick<OperatorConfig, "responses">,
): ReadonlyMap<number, ResponseAction> {
  return new Map(Object.entries(operator.responses).map(([code, action]) => [Number(code), action]));
}
