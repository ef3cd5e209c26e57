/** How people sign in and out: `sign-in-contract.ts` says what each route takes and answers. */
import type { Clock } from "../../core/clock.ts";
import { type Invocation, quoteShellWord, renderCommand } from "../../core/invocation.ts";
import type { Store } from "../../db/store.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import type { LinkEnd } from "../../domain/accounts/link-view.ts";
import type { Role, UserLanguage } from "../../domain/accounts/roles.ts";
import { endSession } from "../../domain/accounts/sessions.ts";
import type { Asker, Factor, SignIn, SignInDeps, SignInOutcome } from "../../domain/accounts/sign-in.ts";
import { deriveLinkEnd, redeemLink, viewLink } from "../../domain/accounts/user-links.ts";
import { userById } from "../../domain/accounts/users.ts";
import { findBodyHeadFault, readBody } from "../../ingress/http/body.ts";
import { parseJson } from "../../ingress/http/json.ts";
import { jsonAnswer } from "../../ingress/http/problem.ts";
import type { RequestContext } from "../../ingress/http/request-context.ts";
import type { createRoutes, Server } from "../../ingress/http/router.ts";
import {
  type Guard,
  type RequestOrigin,
  type RequestOrigins,
  type RequiredSession,
  renderExpiredCookie,
  renderSessionCookie,
} from "./guard.ts";
import { resolveLanguage, type SignedInCaller } from "./principal.ts";
import { type ConsoleCode, refusal } from "./refusals.ts";
import type { AnswerOf, DeadLink, SignInRoute } from "./sign-in-contract.ts";

export type SignInRouteDeps = SignInDeps & {
  readonly clock: Clock;
  readonly store: Pick<Store, "read" | "write" | "tally">;
  readonly guard: Guard;
  readonly origins: RequestOrigins;
  readonly signIn: SignIn;
  /** How the server was started, for commands that it names. */
  readonly started: () => Invocation | null;
};

/** A set of routes of the console, to be filled. */
export type ConsoleRoutes = ReturnType<typeof createRoutes<SignedInCaller>>;

/** Who may call the routes of this file; all others need a signed-in caller. */
export const OPEN_ROUTES: Readonly<Partial<Record<string, RequiredSession>>> = {
  "/console/api/sign-in": "ANYBODY",
  "/console/api/second-factor": "PASSWORD",
  "/console/api/sign-out": "ANYBODY",
  "/console/api/link/look": "ANYBODY",
  "/console/api/link/use": "ANYBODY",
};

/** One request at these routes. */
export type Call = {
  readonly exchange: RequestContext<SignedInCaller>;
  readonly request: Request;
  readonly origin: RequestOrigin;
  readonly asker: Asker;
  readonly form: Form;
};

const AGENT_CHARACTERS = 200;

/** Adds a route that takes a form with the given names, perhaps none. */
export function formRoute<Name extends SignInRoute>(
  routes: ConsoleRoutes,
  { clock, origins }: Pick<SignInRouteDeps, "clock" | "origins">,
  name: Name,
  fields: readonly string[] | null,
  answer: (call: Call) => Promise<Response> | Response,
): void {
  const [method = "", path = ""] = name.split(" ");
  const handler = async ({
    exchange,
    request,
    server,
  }: {
    readonly exchange: RequestContext<SignedInCaller>;
    readonly request: Request;
    readonly server: Server | null;
  }): Promise<Response> => {
    const form = fields === null ? {} : await readForm(exchange, request, clock, fields);
    if (form instanceof Response) return form;
    const origin = origins.of(request, server);
    const agent = (request.headers.get("user-agent") ?? "")
      .replaceAll(/\p{Cc}/gu, "")
      .slice(0, AGENT_CHARACTERS);
    const asker = { address: origin.address ?? "", agent, requestId: exchange.requestId };
    return answer({ exchange, request, origin, asker, form });
  };
  routes.route(method, path, handler, { parse: "none" });
}

/** A successful answer, as the contract has it. */
export function answered<Name extends SignInRoute>(
  value: AnswerOf<Name>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer(200, JSON.stringify(value), headers);
}

/** The answer to a service's refusal. */
export function refuseForm(
  { exchange, request }: Pick<Call, "exchange" | "request">,
  code: ConsoleCode,
  retrySeconds?: number,
): Response {
  const headers = retrySeconds === undefined ? {} : { "retry-after": String(retrySeconds) };
  const language = resolveLanguage(request.headers, exchange.caller?.principal.language ?? null);
  return refusal(exchange, code, language, { headers });
}

function linkRefused({ exchange, request }: Call, end: LinkEnd, started: Invocation | null): Response {
  const language = resolveLanguage(request.headers, null);
  return refusal(exchange, "LINK_INVALID", language, { more: { link: deadLink(end, started, language) } });
}

/** The second factor in a form; null where it has none, or two. */
export function readFactor({ code, recoveryCode }: Form): Factor | null {
  if (code !== undefined && recoveryCode === undefined) return { code };
  return code === undefined && recoveryCode !== undefined ? { recoveryCode } : null;
}

export function signInRoutes(routes: ConsoleRoutes, deps: SignInRouteDeps): void {
  const { clock, store, guard, signIn, origins } = deps;
  /** Whether a role may sign in from where a call comes from. */
  const fromThere = (call: Call) => (role: Role) => origins.mayComeFrom(call.origin, role);
  formRoute(routes, deps, "POST /sign-in", ["login", "password"], async (call) => {
    const { login = "", password = "" } = call.form;
    const outcome = await signIn.withPassword(call.asker, { login, password }, fromThere(call));
    return letIn(call, outcome, answeredStep);
  });
  formRoute(routes, deps, "POST /second-factor", ["code", "recoveryCode"], async (call) => {
    const factor = readFactor(call.form);
    const { caller } = call.exchange;
    if (!factor || !caller) return refuseForm(call, "VALIDATION_FAILED");
    return letIn(call, await signIn.withFactor(call.asker, caller.session, factor), answeredNothing);
  });
  formRoute(routes, deps, "POST /sign-out", null, async (call) => {
    const session = guard.sessionOf(call.request, call.origin);
    if (session)
      await store.write((tx) => {
        const user = userById(tx, session.userId);
        const isEnded = endSession(tx, session.userId, session.id);
        if (!user || !isEnded) return;
        const detail = { address: call.asker.address, request_id: call.asker.requestId };
        const who = { actor: user.login, subject: user.login };
        recordAudit(tx, { atMs: clock.nowMs(), ...who, action: "sign out", detail });
      });
    return answered<"POST /sign-out">({}, { "set-cookie": renderExpiredCookie(call.origin.isTls) });
  });
  formRoute(routes, deps, "POST /link/look", ["secret"], (call) => {
    const limit = signIn.tryLink(call.asker);
    if (!limit.ok) return refuseForm(call, limit.refusal.code, limit.retrySeconds);
    const found = viewLink(deps, call.form.secret ?? "", fromThere(call));
    if (found.ok) return answered<"POST /link/look">(found.value);
    return linkRefused(call, deriveLinkEnd(store.read, call.form.secret ?? ""), deps.started());
  });
  const ofLink = ["secret", "login", "password", "code", "proposal"];
  formRoute(routes, deps, "POST /link/use", ofLink, async (call) => {
    const limit = signIn.tryLink(call.asker);
    if (!limit.ok) return refuseForm(call, limit.refusal.code, limit.retrySeconds);
    const { secret = "", login, password = "", code = "", proposal = "" } = call.form;
    const form = { secret, login, password, code, proposal };
    const used = await redeemLink(deps, signIn, call.asker, form, fromThere(call));
    if (!used.ok) return refuseForm(call, used.refusal.code, used.retrySeconds);
    const { recoveryCodes, token } = used.value;
    const cookie = { "set-cookie": renderSessionCookie(token, call.origin.isTls) };
    return answered<"POST /link/use">({ recoveryCodes }, cookie);
  });
}

const answeredStep = (cookie: Readonly<Record<string, string>>) =>
  answered<"POST /sign-in">({ step: "SECOND_FACTOR" }, cookie);
const answeredNothing = (cookie: Readonly<Record<string, string>>) =>
  answered<"POST /second-factor">({}, cookie);

function letIn(
  call: Call,
  outcome: SignInOutcome<{ readonly token: string }>,
  answer: (cookie: Readonly<Record<string, string>>) => Response,
): Response {
  if (!outcome.ok) return refuseForm(call, outcome.refusal.code, outcome.retrySeconds);
  return answer({ "set-cookie": renderSessionCookie(outcome.value.token, call.origin.isTls) });
}

/** An example address, to be replaced by one's own. */
const SOMEBODY = { en: "you@example.com", fr: "vous@exemple.com" };

/**
 * What is said of a link that is no longer valid. Where the server's files lie is shown to whoever had a link of staff, and to no
 * stranger.
 */
function deadLink(end: LinkEnd, started: Invocation | null, language: UserLanguage): DeadLink {
  const create = `user create ${SOMEBODY[language]} --role OWNER`;
  const { why } = end;
  switch (why) {
    case "FIRST_RAN_OUT":
      return { why, login: null, command: renderCommand(started, create) };
    case "NOBODY_YET":
      return { why, login: null, command: `bendre ${create}${started ? " --config FILE" : ""}` };
    case "STAFF_RAN_OUT": {
      const command = renderCommand(started, `user link ${quoteShellWord(end.login)}`);
      return { why, login: end.login, command };
    }
    case "CLIENT_RAN_OUT":
      return { why, login: end.login, command: null };
    case "UNKNOWN":
      return { why, login: null, command: null };
  }
}

/** Forms are small. */
const MAX_BYTES = 8192;
const MAX_CHARACTERS = 1000;

type Form = Readonly<Record<string, string | undefined>>;

/** Reads a form: an object of texts, of the accepted names and no others. Or returns the refusal. */
async function readForm(
  exchange: RequestContext,
  request: Request,
  clock: Clock,
  names: readonly string[],
): Promise<Form | Response> {
  const language = resolveLanguage(request.headers, null);
  const close = { connection: "close" };
  const fault = findBodyHeadFault(request.headers, MAX_BYTES);
  if (fault !== null)
    return refusal(exchange, "VALIDATION_FAILED", language, { detail: fault.detail, headers: close });
  const body = await readBody(request, MAX_BYTES, clock);
  if (!body.ok) {
    const { detail } = body.refusal;
    return refusal(exchange, "VALIDATION_FAILED", language, { detail, headers: close });
  }
  const json = parseJson(body.value);
  const fields = json.ok ? fieldsOf(json.value, names) : null;
  return fields ?? refusal(exchange, "VALIDATION_FAILED", language);
}

function fieldsOf(value: unknown, names: readonly string[]): Form | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const isText = (field: unknown): field is string =>
    typeof field === "string" && field.length <= MAX_CHARACTERS;
  if (!entries.every(([name, field]) => names.includes(name) && isText(field))) return null;
  return Object.fromEntries(entries.flatMap(([name, field]) => (isText(field) ? [[name, field]] : [])));
}
