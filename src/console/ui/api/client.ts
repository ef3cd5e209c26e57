/** The typed client: a route's name says what it takes and what it answers, so that a changed field does not compile. */
import type { DeadLink } from "../../server/sign-in-contract.ts";
import { askServer } from "../browser.ts";
import type { Answer, Contract } from "./contract.ts";

/** Why something was refused, as the server words it; `UNREACHABLE` and `INTERNAL` are the client's own. */
export type Problem = {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** What to do about a link that is no longer valid. */
  readonly link?: DeadLink;
};

export type ApiAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

/** What may be left out may also be undefined: neither an address nor JSON has it then. */
type Loosely<Fields> = {
  readonly [Key in keyof Fields]: Record<never, never> extends Pick<Fields, Key>
    ? Fields[Key] | undefined
    : Fields[Key];
};

type Part<Of, Name extends string> = Of extends { readonly [Key in Name]: infer Value }
  ? { readonly [Key in Name]: Loosely<Value> }
  : Readonly<Record<never, never>>;

/** The input of a route. */
type Asking<Route> = Part<Route, "params"> & Part<Route, "query"> & Part<Route, "body">;

/** The input of a route as an argument, which may be left out where there is none; `None` may stand in its place. */
export type Given<Name extends keyof Contract, None = never> =
  Record<never, never> extends Asking<Contract[Name]>
    ? [asking?: Asking<Contract[Name]> | None]
    : [asking: Asking<Contract[Name]> | None];

/** The query of a route. */
export type Query<Name extends keyof Contract> =
  Asking<Contract[Name]> extends { readonly query: infer Asked } ? Asked : never;

type Loose = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
};

/**
 * Calls a route of the console. Never throws: an error is an answer. Where the second factor is wanted again, it is asked for,
 * and the route called once more.
 */
export async function callApi<Name extends keyof Contract>(
  name: Name,
  ...[asking]: Given<Name>
): Promise<ApiAnswer<Answer<Name>>> {
  const answer = await askOnce(name, asking as Loose);
  const isUnconfirmed = !answer.ok && answer.problem.code === "SECOND_FACTOR_NEEDED";
  return isUnconfirmed && (await confirmAgain(name)) ? askOnce(name, asking as Loose) : answer;
}

async function askOnce<Name extends keyof Contract>(
  name: Name,
  { params = {}, query = {}, body }: Loose = {},
): Promise<ApiAnswer<Answer<Name>>> {
  const [method = "GET", pattern = ""] = name.split(" ");
  try {
    const response = await askServer(`/console/api${filled(pattern, params)}${queryText(query)}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (response.ok) {
      const text = await response.text();
      return { ok: true, value: (text === "" ? {} : JSON.parse(text)) as Answer<Name> };
    }
    return { ok: false, problem: await problemOf(response) };
  } catch {
    return { ok: false, problem: { status: 0, code: "UNREACHABLE", detail: "" } };
  }
}

function filled(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function queryText(query: Readonly<Record<string, string | number | null | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

let tellSignedOut = () => {};

/** Registers a callback for when the server no longer knows the session. */
export function onSignedOut(callback: () => void): void {
  tellSignedOut = callback;
}

let confirmAgain = (_route: string): Promise<boolean> => Promise.resolve(false);

/** Registers a callback that asks for the second factor for a route; it resolves with whether that was given. */
export function onUnconfirmed(callback: (route: string) => Promise<boolean>): void {
  confirmAgain = callback;
}

/** Fields of a refusal; none where something else than the appliance answered. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === "object" && told !== null ? { ...told } : {};
  } catch {
    return {};
  }
}

/** Parses an answer of the server to a request that was not made by `callApi`. */
export function answerOf<Value>(status: number, text: string): ApiAnswer<Value> {
  if (status === 0) return { ok: false, problem: { status, code: "UNREACHABLE", detail: "" } };
  if (status >= 200 && status < 300) return { ok: true, value: JSON.parse(text) as Value };
  return { ok: false, problem: problemIn(status, text) };
}

/** A session that ended meanwhile leads back to signing in. */
async function problemOf(response: Response): Promise<Problem> {
  return problemIn(response.status, await response.text());
}

function problemIn(status: number, text: string): Problem {
  if (status === 401) tellSignedOut();
  const fields = fieldsOf(text);
  const code = typeof fields.code === "string" ? fields.code : "INTERNAL";
  const detail = typeof fields.detail === "string" ? fields.detail : "";
  return { status, code, detail, ...(fields.link !== undefined && { link: fields.link as DeadLink }) };
}
