/** `/send`, `/rate`, `/balance` and `/ping` as Jasmin's HTTP API answers them (docs/behaviour.md#jasmins-door). */
import { unreachable } from "../../core/assert.ts";
import { isoUtc } from "../../core/clock.ts";
import type { Tx } from "../../db/writer.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import { readBalance } from "../../domain/ledger/wallet.ts";
import { messagesOfBatch } from "../../domain/messages/batch-messages.ts";
import type { AcceptedBatch } from "../../domain/submission/commit-batch.ts";
import type { StoredReply } from "../../domain/submission/idempotency.ts";
import type { IntakeRefusal } from "../../domain/submission/request.ts";
import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import { readSmppTime } from "../../smpp/times.ts";
import { decodeGsm } from "../../text/gsm-alphabet.ts";
import type { FailureCode } from "../http/error-codes.ts";
import { NOT_FOUND, problem } from "../http/problem.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Caller } from "./auth.ts";
import { isCallbackUrlAllowed } from "./callback-request.ts";
import { type Callback, subscribeBatch } from "./callback-subscriptions.ts";
import {
  type Arguments,
  addRetryAfter,
  decodeCharset,
  joined,
  mediaType,
  readQuery,
  readText,
  shortBody,
  toTextAnswer,
} from "./request.ts";
import type { CompatDoorDeps, Wanted } from "./submission.ts";

export type JasminContext = Caller & { readonly exchange: RequestContext };

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
export async function send(deps: CompatDoorDeps, context: JasminContext): Promise<Response> {
  const { exchange, request } = context;
  if (!isOpen(deps, request, ["GET", "POST"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/send";
  const refuse = ({ status, text, failure }: No) =>
    toTextAnswer(exchange, { status, text: `Error "${text}"` }, failure);
  const call = await readCall(deps, context, SEND_FIELDS);
  if ("text" in call) return refuse(call);
  const { args, user } = call;
  const { callback_http: mayBePlain } = deps.settings.now().compat;
  const read = readSend(args, user, { nowMs: deps.clock.nowMs(), mayBePlain });
  if ("fault" in read) return refuse(malformed(read.fault));
  const { wanted } = read;
  const reply = (batch: AcceptedBatch, tx: Tx) => replyTo(deps, user, read, batch, tx);
  const submitted = await deps.submit({ user, wanted, replyTo: reply });
  const said = answered(submitted, user.name);
  if ("failure" in said) return addRetryAfter(refuse(said), submitted);
  return toTextAnswer(exchange, said, said.status === 200 ? null : NO_ROUTE.failure);
}

function replyTo(
  { callbacks, clock }: CompatDoorDeps,
  { name, accountId }: CompatUser,
  { wanted, callback }: JasminRequest,
  batch: AcceptedBatch,
  tx: Tx,
): StoredReply {
  const [message] = messagesOfBatch(tx, batch.id);
  if (!message) return { status: NO_ROUTE.status, text: `Error "${NO_ROUTE.text}"` };
  if (callback) {
    const { receivers, sender } = wanted;
    const follower = { callback, accountId, user: name, sender, receivers };
    subscribeBatch(tx, batch, follower, false, clock.nowMs());
    tx.afterCommit(callbacks.wake);
  }
  return { status: 200, text: `Success "${message.ulid}"` };
}

function answered(answer: SubmissionAnswer, user: string): StoredReply | No {
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

/** `GET|POST /rate`: what a segment to a number costs, and how many a text takes; nothing else is checked, as in Jasmin. */
export async function rate(deps: CompatDoorDeps, context: JasminContext): Promise<Response> {
  const { exchange, request } = context;
  if (!isOpen(deps, request, ["GET", "POST"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/rate";
  const call = await readCall(deps, context, RATE_FIELDS);
  if ("text" in call) return told(exchange, call);
  const { args, user } = call;
  const hasText = args.has("content") || args.has("hex-content");
  const read = hasText ? textIn(args) : { text: "" };
  if ("fault" in read) return told(exchange, malformed(read.fault));
  const found = deps.rateOf(user, readText(args, "to") ?? "", read.text);
  return found === null
    ? told(exchange, NO_ROUTE)
    : json(exchange, { unit_rate: found.price, submit_sm_count: found.segments });
}

/** `GET|POST /balance`: what the account can spend. Messages are not counted beforehand, so their number is not defined. */
export async function balance(deps: CompatDoorDeps, context: JasminContext): Promise<Response> {
  const { exchange, request } = context;
  if (!isOpen(deps, request, ["GET", "POST"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/balance";
  const call = await readCall(deps, context, LOGIN_FIELDS);
  if ("text" in call) return told(exchange, call);
  const { user } = call;
  const { spendable } = readBalance(deps.store.read, user.accountId, deps.clock.nowMs());
  return json(exchange, { balance: spendable, sms_count: "ND" });
}

/** `GET /ping`. */
export function ping(deps: CompatDoorDeps, { exchange, request }: JasminContext): Response {
  if (!isOpen(deps, request, ["GET"])) return problem(exchange, NOT_FOUND);
  exchange.route = "/ping";
  return toTextAnswer(exchange, { status: 200, text: "Jasmin/PONG" }, null);
}

function isOpen({ settings }: CompatDoorDeps, request: Request, methods: readonly string[]): boolean {
  return settings.now().compat.jasmin && methods.includes(request.method);
}

/** The arguments of a call, and the user who asks and may at this moment; or the refusal. */
async function readCall(
  deps: CompatDoorDeps,
  context: JasminContext,
  fields: Readonly<Record<string, Field>>,
): Promise<{ readonly args: Arguments; readonly user: CompatUser } | No> {
  const args = await argumentsOf(deps, context.request);
  if (args === null) return malformed("the body cannot be read");
  const fault = faultIn(args, fields);
  if (fault !== null) return malformed(fault);
  const name = readText(args, "username") ?? "";
  const user = deps.gate.userOf(context, name, readText(args, "password") ?? "");
  if (!user) return no(403, `Authentication failure for username:${name}`, "UNAUTHORIZED");
  context.exchange.caller = { keyId: user.name };
  return deps.gate.take(user) ? { args, user } : TOO_FAST;
}

function json(exchange: RequestContext, value: unknown): Response {
  return toTextAnswer(exchange, { status: 200, text: JSON.stringify(value) }, null, "application/json");
}

/** The answer of a refusal: a text in JSON. */
function told(exchange: RequestContext, { status, text, failure }: No): Response {
  return toTextAnswer(exchange, { status, text: JSON.stringify(text) }, failure, "application/json");
}

/** The arguments of the URL, a form, or a JSON object; null for any other body. */
async function argumentsOf({ clock }: CompatDoorDeps, request: Request): Promise<Arguments | null> {
  const query = readQuery(request.url);
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

// Reads a request written for Jasmin's HTTP API, and refuses in its words (docs/behaviour.md#jasmins-door).

type JasminRequest = { readonly wanted: Wanted; readonly callback: Callback | null };

type Field = { readonly isNeeded?: boolean; readonly pattern?: RegExp };

const LOGIN = {
  username: { isNeeded: true, pattern: /^.{1,16}$/s },
  password: { isNeeded: true, pattern: /^.{1,16}$/s },
} satisfies Record<string, Field>;

const CODING = /^(0|1|2|3|4|5|6|7|8|9|10|13|14)$/;

const LOGIN_FIELDS: Readonly<Record<string, Field>> = LOGIN;

/** In the order in which Jasmin checks them. */
const RATE_FIELDS: Readonly<Record<string, Field>> = {
  to: { isNeeded: true, pattern: /^\+?\d+$/ },
  from: {},
  coding: { pattern: CODING },
  ...LOGIN,
  priority: { pattern: /^[0-3]$/ },
  "validity-period": { pattern: /^\d+$/ },
  tags: { pattern: /^[-a-zA-Z0-9,]*$/ },
  content: {},
  "hex-content": {},
};

const SEND_FIELDS: Readonly<Record<string, Field>> = {
  ...RATE_FIELDS,
  sdt: { pattern: /^\d{15}[+\-R]$/ },
  dlr: { pattern: /^(yes|no)$/ },
  "dlr-url": { pattern: /^https?:\/\/.*$/s },
  "dlr-level": { pattern: /^[1-3]$/ },
  "dlr-method": { pattern: /^(get|post)$/i },
  custom_tlvs: {},
};

/** Why the arguments do not fit, in Jasmin's words; null when they do. */
function faultIn(args: Arguments, fields: Readonly<Record<string, Field>>): string | null {
  // Where fields have defaults, Jasmin sees arguments even in a request without any.
  if (args.size === 0 && fields === LOGIN_FIELDS)
    return "Mandatory arguments not found, please refer to the HTTPAPI specifications.";
  const [first = ""] = args.keys();
  if (args.size > 0 && !Object.hasOwn(fields, first)) return `Argument [${first}] is unknown.`;
  for (const [name, { isNeeded, pattern }] of Object.entries(fields)) {
    const value = readText(args, name);
    if (value === undefined) {
      if (isNeeded) return `Mandatory argument [${name}] is not found.`;
    } else if (pattern && !pattern.test(value)) {
      return `Argument [${name}] has an invalid value: [${name === "password" ? "" : value}].`;
    }
  }
  for (const name of args.keys()) if (!Object.hasOwn(fields, name)) return `Argument [${name}] is unknown.`;
  return null;
}

/**
 * The charset of a data_coding; other codings are no text. 2 says nothing of the octets: early plugins of playSMS write UTF-8 with it.
 */
const CHARSETS: Readonly<Record<string, string>> = {
  "0": "utf-8",
  "1": "ascii",
  "2": "utf-8",
  "3": "iso-8859-1",
  "6": "iso-8859-5",
  "7": "iso-8859-8",
  "8": "utf-16be",
};

/** The text of a request whose arguments are valid, or why it has none. */
function textIn(args: Arguments): { readonly text: string } | { readonly fault: string } {
  const coding = readText(args, "coding") ?? "0";
  const content = args.get("content");
  const hex = readText(args, "hex-content");
  if (content && hex !== undefined) {
    return { fault: "content and hex-content cannot be used both in same request." };
  }
  if (!content && hex === undefined) return { fault: "content or hex-content not present." };
  if (hex !== undefined && !/^([0-9a-fA-F]{2})*$/.test(hex)) {
    return { fault: `Invalid hex-content data: '${hex}'` };
  }
  const octets = content ?? Buffer.from(hex ?? "", "hex");
  const charset = CHARSETS[coding];
  const text =
    coding === "0" && !content
      ? decodeGsm(octets)
      : charset === undefined
        ? null
        : decodeCharset(octets, charset);
  return text === null || text.includes("\0")
    ? { fault: `Argument [coding] has an invalid value: [${coding}].` }
    : { text };
}

/** Reads a request to send whose arguments are valid; or why it can't be read. */
function readSend(
  args: Arguments,
  user: CompatUser,
  { nowMs, mayBePlain }: { readonly nowMs: number; readonly mayBePlain: boolean },
): JasminRequest | { readonly fault: string } {
  const read = textIn(args);
  if ("fault" in read) return read;
  const sdt = readText(args, "sdt");
  const dueMs = sdt === undefined ? null : readSmppTime(sdt, nowMs);
  if (sdt !== undefined && dueMs === null) return { fault: `Argument [sdt] has an invalid value: [${sdt}].` };
  const url = readText(args, "dlr-url");
  if (url !== undefined && !isCallbackUrlAllowed(url, mayBePlain)) {
    return { fault: `Argument [dlr-url] has an invalid value: [${url}].` };
  }
  const sender = readText(args, "from") || user.sender;
  if (!sender) return { fault: sourceMismatch(user.name) };
  const method = (readText(args, "dlr-method") ?? "POST").toUpperCase() === "GET" ? "GET" : "POST";
  const mask = Number(readText(args, "dlr-level") ?? "1");
  const receivers = [readText(args, "to") ?? ""];
  return {
    wanted: {
      protocol: "jasmin",
      sender,
      text: read.text,
      receivers,
      scheduledAt: dueMs === null || dueMs <= nowMs ? null : isoUtc(dueMs),
      askedTime: askedTimeOf(sdt, dueMs),
    },
    callback: url === undefined ? null : { protocol: "jasmin", url, mask, method },
  };
}

/** A relative time as it is written, else the instant, whatever its offset. */
function askedTimeOf(sdt: string | undefined, dueMs: number | null): string | null {
  if (sdt === undefined || dueMs === null) return null;
  return sdt.endsWith("R") ? sdt : isoUtc(dueMs);
}

function sourceMismatch(user: string): string {
  return `Value filter failed for user [${user}] (source_address filter mismatch).`;
}
