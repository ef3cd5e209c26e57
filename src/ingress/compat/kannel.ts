/** `GET|POST /cgi-bin/sendsms` as Kannel's smsbox answers it (docs/behaviour.md#kannels-door). */

import { unreachable } from "../../core/assert.ts";
import type { Tx } from "../../db/write.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import type { KeptReply } from "../../domain/submission/idempotency.ts";
import type { AcceptedBatch } from "../../domain/submission/open.ts";
import type { IntakeRefusal } from "../../domain/submission/refusals.ts";
import type { SubmissionAnswer } from "../../domain/submission/submit.ts";
import type { Exchange } from "../http/exchange.ts";
import type { FailureCode } from "../http/failures.ts";
import { NOT_FOUND, problem } from "../http/problem.ts";
import { type PlainWords, withRetry, wordsAnswer } from "./answers.ts";
import { type Arguments, queryOf, textOf } from "./arguments.ts";
import { joined, mediaType, shortBody } from "./bodies.ts";
import type { DoorDeps } from "./deps.ts";
import { followBatch } from "./following.ts";
import type { Caller } from "./gate.ts";
import { CHARSET, type KannelRequest, readKannelRequest, SENDER_MISSING } from "./kannel-request.ts";
import { xmlArguments } from "./kannel-xml.ts";

const ACCEPTED = { status: 202, text: "0: Accepted for delivery" };
const QUEUED = { status: 202, text: "3: Queued for later delivery" };
const UNAUTHORIZED = { status: 403, text: "Authorization failed for sendsms" };
const NOT_ROUTABLE = { status: 403, text: "Not routable. Do not try again." };
const UNPAID = { status: 402, text: "Not enough credit, rejected" };
const LATER = { status: 503, text: "Temporal failure, try again later." };
const UNKNOWN_TYPE = { status: 400, text: "Invalid content-type" };
const MARKUP = { status: 415, text: "Unsupported content-type, rejected" };
const TOO_LONG = { status: 400, text: CHARSET };
const MISSING_NUMBER = "Missing receiver number, rejected";
const MISSING_NUMBERS = "Missing receiver(s) number(s), rejected";

export type KannelContext = Caller & { readonly exchange: Exchange };

/** Answers one request. */
export async function sendsms(deps: DoorDeps, context: KannelContext): Promise<Response> {
  const { exchange, request } = context;
  const isKnown = request.method === "GET" || request.method === "POST";
  if (!deps.settings.now().compat.kannel || !isKnown) return problem(exchange, NOT_FOUND);
  exchange.route = "/cgi-bin/sendsms";
  const answer = (words: PlainWords, failure: FailureCode | null) =>
    wordsAnswer(exchange, words, failure, "text/html");
  const asked = request.method === "GET" ? inQuery(request) : await posted(deps, request);
  if ("status" in asked) return answer(asked, "VALIDATION_FAILED");
  const { args, missing } = asked;
  const name = textOf(args, "username", "user") ?? "";
  const user = deps.gate.userOf(context, name, textOf(args, "password", "pass") ?? "");
  if (!user) return answer(UNAUTHORIZED, "UNAUTHORIZED");
  exchange.caller = { keyId: user.name };
  if (!deps.gate.take(user)) return answer(LATER, "RATE_LIMITED");
  const { callback_http: mayBePlain } = deps.settings.now().compat;
  const read = readKannelRequest(args, user, { nowMs: deps.clock.nowMs(), mayBePlain, missing });
  if (asked.isMarkup && args.has("to")) return answer(MARKUP, "VALIDATION_FAILED");
  if (typeof read === "string") return answer({ status: 400, text: read }, "VALIDATION_FAILED");
  const { wanted } = read;
  const reply = (batch: AcceptedBatch, tx: Tx) => replyTo(deps, user, read, batch, tx);
  const submitted = await deps.submit({ user, wanted, replyTo: reply });
  const { words, failure } = wordsOf(submitted);
  return withRetry(answer(words, failure), submitted);
}

/** The words for a batch, and who is told of its messages; a receiver who was rejected is told of at once. */
function replyTo(
  { clock, isLinkUp, callbacks }: DoorDeps,
  { name, accountId }: CompatUser,
  { wanted, callback }: KannelRequest,
  batch: AcceptedBatch,
  tx: Tx,
): KeptReply {
  if (batch.sums.accepted === 0) return NOT_ROUTABLE;
  if (callback) {
    const { receivers, sender } = wanted;
    const follower = { callback, accountId, user: name, sender, receivers };
    followBatch(tx, batch, follower, (callback.mask & 16) !== 0, clock.nowMs());
    tx.afterCommit(callbacks.wake);
  }
  return isLinkUp() ? ACCEPTED : QUEUED;
}

function wordsOf(answer: SubmissionAnswer): { words: PlainWords; failure: FailureCode | null } {
  switch (answer.kind) {
    case "accepted":
    case "repeated":
      return { words: answer.reply, failure: null };
    case "in progress":
    case "key reused":
      return { words: LATER, failure: "REQUEST_IN_PROGRESS" };
    case "refused":
      return { words: refusalWords(answer.refusal), failure: answer.refusal.code };
    default:
      return unreachable(answer, "answer to a submission");
  }
}

function refusalWords({ code, faults }: IntakeRefusal): PlainWords {
  const malformed = (text: string) => ({ status: 400, text });
  switch (code) {
    case "SENDER_NOT_APPROVED":
      return malformed(SENDER_MISSING);
    case "BATCH_EMPTY":
      return malformed(MISSING_NUMBERS);
    case "SCHEDULE_INVALID":
      return malformed("Deferred field misformed, rejected");
    case "BATCH_BODY_EMPTY":
      return malformed(CHARSET);
    case "VALIDATION_FAILED": {
      const path = faults?.[0]?.path ?? "";
      if (path === "/message_class") return UNAUTHORIZED;
      if (path === "/sender") return malformed(SENDER_MISSING);
      return malformed(path.startsWith("/recipients") ? MISSING_NUMBERS : CHARSET);
    }
    case "ACCOUNT_SUSPENDED":
      return UNAUTHORIZED;
    case "INSUFFICIENT_FUNDS":
    case "CREDIT_LIMIT_EXCEEDED":
    case "WALLET_IN_DEBIT":
      return UNPAID;
    case "CONFIGURATION_ERROR":
    case "SERVICE_UNAVAILABLE":
    case "STORAGE_FULL":
    case "RESTORING":
    case "RATE_LIMITED":
      return LATER;
    default:
      return unreachable(code, "refusal of a submission");
  }
}

/** What was asked, however it was brought. */
type Asked = {
  readonly args: Arguments;
  /** What is said where no receiver is named. */
  readonly missing: string;
  /** The text is a page, which is no text message. */
  readonly isMarkup: boolean;
};

function inQuery(request: Request): Asked {
  return { args: queryOf(request.url), missing: MISSING_NUMBER, isMarkup: false };
}

/** Headers that stand for arguments of the same name. */
const HEADER = /^x-kannel-(.+)$/i;

/** Bodies whose other arguments stand in `X-Kannel-` headers; "" is a request that does not say what it brings. */
const TEXTS = ["text/plain", "application/octet-stream", ""];
const PAGES = ["text/html", "text/vnd.wap.wml"];

/** A form, Kannel's XML, or a text whose other arguments stand in headers; or the refusal of another body. */
async function posted(deps: DoorDeps, request: Request): Promise<Asked | PlainWords> {
  const type = mediaType(request.headers);
  const isForm = type === "application/x-www-form-urlencoded";
  const isXml = type === "text/xml";
  if (!isForm && !isXml && !TEXTS.includes(type) && !PAGES.includes(type)) return UNKNOWN_TYPE;
  const body = await shortBody(request, deps.clock);
  if (body === null) return TOO_LONG;
  if (isForm) return { ...inQuery(request), args: joined(body, queryOf(request.url)) };
  if (isXml) return { args: xmlArguments(body), missing: MISSING_NUMBERS, isMarkup: false };
  const args = new Map<string, Uint8Array>([["text", body]]);
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(request.headers.get("content-type") ?? "")?.[1];
  if (charset) args.set("charset", Buffer.from(charset));
  for (const [name, value] of request.headers) {
    const argument = HEADER.exec(name)?.[1];
    if (argument !== undefined) args.set(argument.toLowerCase(), Buffer.from(value));
  }
  return { args, missing: MISSING_NUMBERS, isMarkup: PAGES.includes(type) };
}
