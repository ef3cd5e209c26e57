/** `/send`, `/rate`, `/balance` and `/ping` as Jasmin's HTTP API answers them (docs/behaviour.md#jasmins-door). */

import { unreachable } from "../../core/assert.ts";
import type { Tx } from "../../db/write.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import { balanceOf } from "../../domain/ledger/wallet.ts";
import { messagesOfBatch } from "../../domain/messages/batch-messages.ts";
import type { KeptReply } from "../../domain/submission/idempotency.ts";
import type { AcceptedBatch } from "../../domain/submission/open.ts";
import type { IntakeRefusal } from "../../domain/submission/refusals.ts";
import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import type { Exchange } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";
import { NOT_FOUND, problem } from "../http/problem.ts";
import { withRetry, wordsAnswer } from "./answers.ts";
import { type Arguments, queryOf, textOf } from "./arguments.ts";
import { joined, mediaType, shortBody } from "./bodies.ts";
import type { DoorDeps } from "./deps.ts";
import { followBatch } from "./following.ts";
import type { Caller } from "./gate.ts";
import {
  faultIn,
  type JasminRequest,
  LOGIN_FIELDS,
  RATE_FIELDS,
  readSend,
  SEND_FIELDS,
  sourceMismatch,
  textIn,
} from "./jasmin-request.ts";

export type JasminContext = Caller & { readonly exchange: Exchange };

/** A refusal in Jasmin's words, and what the log calls it. */
type No = { readonly status: number; readonly text: string; readonly failure: FailureCode };

const no = (status: number, text: string, failure: FailureCode): No => ({ status, text, failure });
const malformed = (text: string): No => no(400, text, "VALIDATION_FAILED");
const NO_ROUTE = no(412, "No route found", "NOT_FOUND");
const UNPAID = no(403, "Cannot charge submit_sm, check RouterPB log file for details", "INSUFFICIENT_FUNDS");
const TOO_FAST = no(403, "User throughput exceeded", "RATE_LIMITED");
const FAILED = no(
  500,
  "Cannot send submit_sm, check SMPPClientManagerPB log file for details",
  "SERVICE_UNAVAILABLE",
);

/** `GET|POST /send`. */
export async function send(deps: DoorDeps, context: JasminContext): Promise<Response> {
  const { exchange, request } = context;
  if (!isOpen(deps, request, ["GET", "POST"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/send";
  const refuse = ({ status, text, failure }: No) =>
    wordsAnswer(exchange, { status, text: `Error "${text}"` }, failure);
  const args = await argumentsOf(deps, request);
  if (args === null) return refuse(malformed("the body cannot be read"));
  const fault = faultIn(args, SEND_FIELDS);
  if (fault !== null) return refuse(malformed(fault));
  const user = admitted(deps, context, args);
  if ("text" in user) return refuse(user);
  const { callback_http: mayBePlain } = deps.settings.now().compat;
  const read = readSend(args, user, { nowMs: deps.clock.nowMs(), mayBePlain });
  if ("fault" in read) return refuse(malformed(read.fault));
  const { wanted } = read;
  const reply = (batch: AcceptedBatch, tx: Tx) => replyTo(deps, user, read, batch, tx);
  const submitted = await deps.submit({ user, wanted, replyTo: reply });
  const said = answered(submitted, user.name);
  if ("failure" in said) return withRetry(refuse(said), submitted);
  return wordsAnswer(exchange, said, said.status === 200 ? null : NO_ROUTE.failure);
}

function replyTo(
  { callbacks, clock }: DoorDeps,
  { name, accountId }: CompatUser,
  { wanted, callback }: JasminRequest,
  batch: AcceptedBatch,
  tx: Tx,
): KeptReply {
  const [message] = messagesOfBatch(tx, batch.id);
  if (!message) return { status: NO_ROUTE.status, text: `Error "${NO_ROUTE.text}"` };
  if (callback) {
    const { receivers, sender } = wanted;
    const follower = { callback, accountId, user: name, sender, receivers };
    followBatch(tx, batch, follower, false, clock.nowMs());
    tx.afterCommit(callbacks.wake);
  }
  return { status: 200, text: `Success "${message.ulid}"` };
}

function answered(answer: SubmissionAnswer, user: string): KeptReply | No {
  switch (answer.kind) {
    case "accepted":
    case "repeated":
      return answer.reply;
    case "in progress":
    case "key reused":
      return TOO_FAST;
    case "refused":
      return refusalWords(answer.refusal, user);
    default:
      return unreachable(answer, "answer to a submission");
  }
}

function refusalWords({ code, faults }: IntakeRefusal, user: string): No {
  switch (code) {
    case "SENDER_NOT_APPROVED":
      return malformed(sourceMismatch(user));
    case "VALIDATION_FAILED":
      if (faults?.[0]?.path === "/message_class")
        return malformed(`Authorization failed for user [${user}] (Cannot send MT messages).`);
      if (faults?.[0]?.path === "/sender") return malformed(sourceMismatch(user));
      return malformed(`Value filter failed for user [${user}] (content filter mismatch).`);
    case "SCHEDULE_INVALID":
      return malformed(`Value filter failed for user [${user}] (schedule_delivery_time filter mismatch).`);
    case "BATCH_EMPTY":
    case "BATCH_BODY_EMPTY":
      return malformed(`Value filter failed for user [${user}] (content filter mismatch).`);
    case "ACCOUNT_SUSPENDED":
      return no(403, `Authentication failure for username:${user}`, code);
    case "INSUFFICIENT_FUNDS":
    case "CREDIT_LIMIT_EXCEEDED":
    case "WALLET_IN_DEBIT":
      return { ...UNPAID, failure: code };
    case "RATE_LIMITED":
      return TOO_FAST;
    case "CONFIGURATION_ERROR":
    case "SERVICE_UNAVAILABLE":
    case "STORAGE_FULL":
    case "RESTORING":
      return { ...FAILED, failure: code };
    default:
      return unreachable(code, "refusal of a submission");
  }
}

/** `GET|POST /rate`: what a segment to a number costs, and how many a text takes; nothing else is asked, as Jasmin asks nothing else. */
export async function rate(deps: DoorDeps, context: JasminContext): Promise<Response> {
  const { exchange, request } = context;
  if (!isOpen(deps, request, ["GET", "POST"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/rate";
  const args = await argumentsOf(deps, request);
  if (args === null) return told(exchange, malformed("the body cannot be read"));
  const fault = faultIn(args, RATE_FIELDS);
  if (fault !== null) return told(exchange, malformed(fault));
  const user = admitted(deps, context, args);
  if ("text" in user) return told(exchange, user);
  const hasText = args.has("content") || args.has("hex-content");
  const read = hasText ? textIn(args) : { text: "" };
  if ("fault" in read) return told(exchange, malformed(read.fault));
  const found = deps.rateOf(user, textOf(args, "to") ?? "", read.text);
  return found === null
    ? told(exchange, NO_ROUTE)
    : json(exchange, { unit_rate: found.price, submit_sm_count: found.segments });
}

/** `GET|POST /balance`: what the account can spend. Messages are not counted beforehand, so their number is not defined. */
export async function balance(deps: DoorDeps, context: JasminContext): Promise<Response> {
  const { exchange, request } = context;
  if (!isOpen(deps, request, ["GET", "POST"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/balance";
  const args = await argumentsOf(deps, request);
  if (args === null) return told(exchange, malformed("the body cannot be read"));
  const fault = faultIn(args, LOGIN_FIELDS);
  if (fault !== null) return told(exchange, malformed(fault));
  const user = admitted(deps, context, args);
  if ("text" in user) return told(exchange, user);
  const { spendable } = balanceOf(deps.store.read, user.accountId, deps.clock.nowMs());
  return json(exchange, { balance: spendable, sms_count: "ND" });
}

/** `GET /ping`. */
export function ping(deps: DoorDeps, { exchange, request }: JasminContext): Response {
  if (!isOpen(deps, request, ["GET"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/ping";
  return wordsAnswer(exchange, { status: 200, text: "Jasmin/PONG" }, null);
}

function isOpen({ settings }: DoorDeps, request: Request, methods: readonly string[]): boolean {
  return settings.now().compat.jasmin && methods.includes(request.method);
}

/** Who asks, and may at this moment. */
function admitted(deps: DoorDeps, context: JasminContext, args: Arguments): CompatUser | No {
  const name = textOf(args, "username") ?? "";
  const user = deps.gate.userOf(context, name, textOf(args, "password") ?? "");
  if (!user) return no(403, `Authentication failure for username:${name}`, "UNAUTHORIZED");
  context.exchange.caller = { keyId: user.name };
  return deps.gate.take(user) ? user : TOO_FAST;
}

function json(exchange: Exchange, value: unknown): Response {
  return wordsAnswer(exchange, { status: 200, text: JSON.stringify(value) }, null, "application/json");
}

/** Refusals of these are texts in JSON. */
function told(exchange: Exchange, { status, text, failure }: No): Response {
  return wordsAnswer(exchange, { status, text: JSON.stringify(text) }, failure, "application/json");
}

/** Those of the URL, of a form, or of a JSON object; null for a body that is neither. */
async function argumentsOf({ clock }: DoorDeps, request: Request): Promise<Arguments | null> {
  const query = queryOf(request.url);
  if (request.method === "GET") return query;
  const body = await shortBody(request, clock);
  if (body === null) return null;
  if (mediaType(request.headers) !== "application/json") return joined(body, query);
  const object = parsed(Buffer.from(body).toString("utf8"));
  if (object === null) return null;
  const written = Object.entries(object).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [name, Buffer.from(text)] as const;
  });
  return new Map<string, Uint8Array>([...query, ...written]);
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
