/** Routes that do one operation each: what the path names is taken from it, everything else from the query or the body. */
import { type TSchema, type TUnsafe, Type as t } from "typebox";
import type {
  AnyOperation,
  JsonOf,
  Named,
  Operation,
  Parameter,
  Parameters,
  ValueOf,
} from "../../../admin/operations/operation.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import type { Told } from "../../../i18n/phrase.ts";
import {
  canReadTexts,
  type PageContext,
  requireOwnBatch,
  requireOwnInbound,
  requireOwnKey,
  requireOwnMessage,
  requireOwnSmppUser,
  requireOwnUser,
  requireOwnWebhook,
  resolveAccountFilter,
  resolveReadReason,
  told,
} from "./request-context.ts";
import type { Route } from "./route.ts";

/** What a path names: `/accounts/:account/keys` names an account. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type JsonIn<O> = O extends Operation<infer P, infer _> ? JsonOf<P> : never;

type PathOf<Name extends string> = { readonly [Key in NamesIn<Name>]: string };
type RestOf<Name extends string, O> = Omit<JsonIn<O>, NamesIn<Name>>;
type Schema<Value> = keyof Value extends never ? undefined : TUnsafe<Value>;

/** A route that does an operation. */
type OperationRoute<Name extends string, O> = Route<
  Schema<PathOf<Name>>,
  Name extends `GET ${string}` ? Schema<RestOf<Name, O>> : undefined,
  Name extends `GET ${string}` | `DELETE ${string}` ? undefined : Schema<RestOf<Name, O>>,
  Told<ValueOf<O>>
>;

/** How large a request may be, and how often it may come. */
type Bounds = Pick<Route, "mostBytes" | "rateLimit">;

/** The routes of operations, each under its method and path. `bounds`: of those with other bounds than usual. */
export function operationRoutes<const Table extends Readonly<Record<string, AnyOperation>>>(
  table: Table,
  bounds: { readonly [Name in keyof Table & string]?: Bounds } = {},
): { readonly [Name in keyof Table & string]: OperationRoute<Name, Table[Name]> } {
  const routes = Object.entries(table).map(([name, operation]) => [
    name,
    { ...routeOf(name, operation), ...bounds[name] },
  ]);
  return Object.fromEntries(routes);
}

function routeOf(name: string, { may, params, run }: AnyOperation): Route {
  if (may === undefined) throw new Error(`${name} is for nobody of the console`);
  const [method = "", path = ""] = name.split(" ");
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, key = ""]) => key);
  const schemaOf = (keys: readonly string[]): TSchema | undefined =>
    keys.length === 0
      ? undefined
      : t.Object(Object.fromEntries(keys.flatMap((key) => schemaIn(params, key))));
  const isBrought = (key: string): boolean => !inPath.includes(key) && !params[key]?.isTypedAlone;
  const rest = schemaOf(Object.keys(params).filter(isBrought));
  const named = schemaOf(inPath);
  return {
    operation: may,
    ...(named && { params: named }),
    ...(rest && (method === "GET" ? { query: rest } : { body: rest })),
    run: async (asked, brought) => {
      const json = { ...record(brought.query), ...record(brought.body), ...record(brought.params) };
      const values = valuesFor(asked, params, json);
      return values.ok ? told(asked, await run(asked.context, values.value)) : values;
    },
  };
}

function schemaIn(params: Parameters, key: string): [string, TSchema][] {
  const parameter = params[key];
  return parameter === undefined ? [] : [[key, parameter.schema]];
}

/** Values of parameters: absent ones take their default, and what is named must belong to the caller. */
function valuesFor(
  asked: PageContext,
  params: Parameters,
  json: Readonly<Record<string, unknown>>,
): AdminOutcome<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(params)) {
    const brought = parameter.isTypedAlone ? undefined : json[key];
    const value = ownValue(asked, parameter, valueBrought(parameter, brought));
    if (!value.ok) return value;
    values[key] = value.value;
  }
  return done(values);
}

/** What is absent, or null, takes the default; where that is undefined, null is a value of its own. */
function valueBrought({ otherwise }: Parameter<unknown>, brought: unknown): unknown {
  return brought === undefined || (brought === null && otherwise?.value !== undefined)
    ? otherwise?.value
    : brought;
}

function ownValue(
  asked: PageContext,
  { names, isToRead }: Parameter<unknown>,
  value: unknown,
): AdminOutcome<unknown> {
  if (isToRead) {
    const reason = typeof value === "string" ? { reason: value } : {};
    return done(resolveReadReason(canReadTexts(asked), reason));
  }
  // A confined user who names no account asks about their own.
  if (names === "account") return resolveAccountFilter(asked, typeof value === "string" ? value : undefined);
  if (names === undefined || value === null || value === undefined) return done(value);
  const own = OWN[names](asked, String(value));
  return own.ok ? done(value) : own;
}

/** Refuses another account's things as if they did not exist. */
const OWN: Readonly<
  Record<Exclude<Named, "account">, (asked: PageContext, id: string) => AdminOutcome<unknown>>
> = {
  batch: requireOwnBatch,
  message: requireOwnMessage,
  inbound: requireOwnInbound,
  webhook: requireOwnWebhook,
  key: requireOwnKey,
  user: requireOwnUser,
  smpp_user: requireOwnSmppUser,
};

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
