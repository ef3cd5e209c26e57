/**
 * HTTP interfaces for clients that were written for Kannel or Jasmin, so that they move over by changing an address.
 *
 * Requests of Kannel's clients are read and answered in Kannel's words here, those of Jasmin's in `jasmin`; both are submitted
 * by `submission`. Callers have credentials that open nothing else (`auth`). The callbacks that clients want for their messages
 * are stored with the batch (`callback-subscriptions`), derived from the feed and posted (`callbacks`).
 * Off unless the configuration says otherwise. No log line holds a query string: the text and the password stand there.
 */
import type { Settings } from "../../config/live-config.ts";
import { unreachable } from "../../core/assert.ts";
import { type Clock, isoUtc } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import type { AcceptedBatch } from "../../domain/submission/commit-batch.ts";
import type { StoredReply } from "../../domain/submission/idempotency.ts";
import type { IntakeRefusal } from "../../domain/submission/request.ts";
import type { SubmissionAnswer, Submit } from "../../domain/submission/submit.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import type { FailureCode } from "../http/error-codes.ts";
import { NOT_FOUND, problem } from "../http/problem.ts";
import type { KnownCaller, RequestContext } from "../http/request-context.ts";
import { createRoutes } from "../http/router.ts";
import { type Caller, createCompatAuth } from "./auth.ts";
import { isCallbackUrlAllowed } from "./callback-request.ts";
import { type Callback, subscribeBatch } from "./callback-subscriptions.ts";
import { startCallbacks } from "./callbacks.ts";
import { balance, type JasminContext, ping, rate, send } from "./jasmin.ts";
import { readXmlArguments } from "./kannel-xml.ts";
import {
  type Arguments,
  addRetryAfter,
  decodeCharset,
  joined,
  mediaType,
  readQuery,
  readText,
  shortBody,
  type TextAnswer,
  toTextAnswer,
} from "./request.ts";
import { type CompatDoorDeps, compatSubmit, createRateQuery, type Wanted } from "./submission.ts";

// `GET|POST /cgi-bin/sendsms` as Kannel's smsbox answers it (docs/behaviour.md#kannels-door).

// Reads a request written for Kannel's smsbox, and refuses in its words (docs/behaviour.md#kannels-door).

type KannelRequest = { readonly wanted: Wanted; readonly callback: Callback | null };

/** A request, or the text of its refusal, which is a 400. */
type KannelRead = KannelRequest | string;

const SENDER_MISSING = "Sender missing and no global set, rejected";
const CHARSET = "Charset or body misformed, rejected";
const DLR_URL = "DLR-URL field misformed, rejected";

/** Stands for a number that is not given. */
const UNDEFINED = -1;
const ANY = Number.POSITIVE_INFINITY;

/** Masks above 63 mean nothing; smsbox takes them up to here. */
const HIGHEST_MASK = 66;

/** A numeric argument: the values that smsbox accepts, and those accepted here. */
type Field = {
  readonly name: string;
  readonly words: string;
  readonly highest: number;
  /** Accepts a value here; values that would change the kind of message are refused. Absent: all that smsbox accepts. */
  readonly isTaken?: (value: number) => boolean;
};

/** In the order in which smsbox checks them. */
const FIELDS: readonly Field[] = [
  // Class 1 is what a text without a class is: kept on the phone. playSMS sends it with each.
  { name: "mclass", words: "MClass", highest: 3, isTaken: (value) => value === 1 },
  { name: "pid", words: "PID", highest: 255, isTaken: (value) => value === 0 },
  { name: "rpi", words: "RPI", highest: 2 },
  { name: "alt-dcs", words: "Alt-DCS", highest: 1 },
  { name: "mwi", words: "MWI", highest: 7, isTaken: () => false },
  { name: "coding", words: "Coding", highest: 2, isTaken: (value) => value !== 1 },
  { name: "compress", words: "Compress", highest: 1, isTaken: (value) => value === 0 },
  { name: "validity", words: "Validity", highest: ANY },
  { name: "deferred", words: "Deferred", highest: ANY },
  { name: "priority", words: "Priority", highest: 3 },
];

/** Reads a request, checking in the order of smsbox. `missing`: the refusal where no receiver is named. */
function readKannelRequest(
  args: Arguments,
  user: CompatUser,
  given: { readonly nowMs: number; readonly mayBePlain: boolean; readonly missing: string },
): KannelRead {
  const to = readText(args, "to");
  if (to === undefined) return given.missing;
  const receivers = [...new Set(to.split(/[\s]+/).filter((one) => one !== ""))];
  if (receivers.length === 0) return "Empty receiver number not allowed, rejected";
  if ((args.get("udh")?.length ?? 0) > 0) return "UDH field misformed, rejected";
  const sender = readText(args, "from") || user.sender;
  if (!sender) return SENDER_MISSING;
  if (!isAccount(readText(args, "account") ?? "")) return "Account field misformed or too long, rejected";
  // Spaces are encoded as browsers do, and as smsbox sends it.
  const url = (readText(args, "dlr-url", "dlrurl") ?? "").replaceAll(" ", "%20");
  if (url !== "" && !isCallbackUrlAllowed(url, given.mayBePlain)) return DLR_URL;
  const mask = numberIn(args, "dlr-mask", "dlrmask");
  if (mask < UNDEFINED || mask > HIGHEST_MASK) return "DLR-Mask field misformed, rejected";
  const misformed = FIELDS.find((field) => !isTaken(field, numberIn(args, field.name)));
  if (misformed) return `${misformed.words} field misformed, rejected`;
  const charset = readText(args, "charset") || (numberIn(args, "coding") === 2 ? "UTF-16BE" : "UTF-8");
  const text = decodeCharset(args.get("text") ?? new Uint8Array(), charset);
  if (text === null || text.includes("\0")) return CHARSET;
  if (text.trim() === "") return "Empty text not allowed, rejected.";
  const deferred = numberIn(args, "deferred");
  const isLater = deferred > 0;
  return {
    wanted: {
      protocol: "kannel",
      sender,
      text,
      receivers,
      scheduledAt: isLater ? isoUtc(given.nowMs + deferred * 60_000) : null,
      askedTime: isLater ? String(deferred) : null,
    },
    callback: url !== "" && mask > 0 ? { protocol: "kannel", url, mask, method: "GET" } : null,
  };
}

function isTaken({ highest, isTaken }: Field, value: number): boolean {
  if (value === UNDEFINED) return true;
  return value > UNDEFINED && value <= highest && (isTaken?.(value) ?? true);
}

/** Whether smsbox accepts a text as the name of an account, which is then ignored. */
function isAccount(text: string): boolean {
  return text.length <= 64 && !/[[\]\n\r]/.test(text);
}

/** Reads a number as `sscanf` does: leading digits, and none where there are no digits. */
function numberIn(args: Arguments, ...names: readonly string[]): number {
  const digits = /^\s*([+-]?\d{1,9})/.exec(readText(args, ...names) ?? "")?.[1];
  return digits === undefined ? UNDEFINED : Number(digits);
}

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

type KannelContext = Caller & { readonly exchange: RequestContext };

/** Answers one request. */
async function sendsms(deps: CompatDoorDeps, context: KannelContext): Promise<Response> {
  const { exchange, request } = context;
  const isKnown = request.method === "GET" || request.method === "POST";
  if (!deps.settings.now().compat.kannel || !isKnown) return problem(exchange, NOT_FOUND);
  exchange.route = "/cgi-bin/sendsms";
  const answer = (words: TextAnswer, failure: FailureCode | null) =>
    toTextAnswer(exchange, words, failure, "text/html");
  const asked = request.method === "GET" ? inQuery(request) : await posted(deps, request);
  if ("status" in asked) return answer(asked, "VALIDATION_FAILED");
  const { args, missing } = asked;
  const name = readText(args, "username", "user") ?? "";
  const user = deps.gate.userOf(context, name, readText(args, "password", "pass") ?? "");
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
  return addRetryAfter(answer(words, failure), submitted);
}

/** The reply for a batch; subscribes its callbacks, of which those about rejected receivers are due at once. */
function replyTo(
  { clock, isLinkUp, callbacks }: CompatDoorDeps,
  { name, accountId }: CompatUser,
  { wanted, callback }: KannelRequest,
  batch: AcceptedBatch,
  tx: Tx,
): StoredReply {
  if (batch.sums.accepted === 0) return NOT_ROUTABLE;
  if (callback) {
    const { receivers, sender } = wanted;
    const follower = { callback, accountId, user: name, sender, receivers };
    subscribeBatch(tx, batch, follower, (callback.mask & 16) !== 0, clock.nowMs());
    tx.afterCommit(callbacks.wake);
  }
  return isLinkUp() ? ACCEPTED : QUEUED;
}

function wordsOf(answer: SubmissionAnswer): { words: TextAnswer; failure: FailureCode | null } {
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

function refusalWords({ code, faults }: IntakeRefusal): TextAnswer {
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

/** The arguments of a request, in whatever form they came. */
type Asked = {
  readonly args: Arguments;
  /** The refusal where no receiver is named. */
  readonly missing: string;
  /** The text is markup (a page), which is no text message. */
  readonly isMarkup: boolean;
};

function inQuery(request: Request): Asked {
  return { args: readQuery(request.url), missing: MISSING_NUMBER, isMarkup: false };
}

/** Headers that stand for arguments of the same name. */
const HEADER = /^x-kannel-(.+)$/i;

/** Media types of bodies whose other arguments stand in `X-Kannel-` headers; "" is a request without a type. */
const TEXTS = ["text/plain", "application/octet-stream", ""];
const PAGES = ["text/html", "text/vnd.wap.wml"];

/** Reads a POST: a form, Kannel's XML, or a text whose other arguments stand in headers; refuses other bodies. */
async function posted(deps: CompatDoorDeps, request: Request): Promise<Asked | TextAnswer> {
  const type = mediaType(request.headers);
  const isForm = type === "application/x-www-form-urlencoded";
  const isXml = type === "text/xml";
  if (!isForm && !isXml && !TEXTS.includes(type) && !PAGES.includes(type)) return UNKNOWN_TYPE;
  const body = await shortBody(request, deps.clock);
  if (body === null) return TOO_LONG;
  if (isForm) return { ...inQuery(request), args: joined(body, readQuery(request.url)) };
  if (isXml) return { args: readXmlArguments(body), missing: MISSING_NUMBERS, isMarkup: false };
  const args = new Map<string, Uint8Array>([["text", body]]);
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(request.headers.get("content-type") ?? "")?.[1];
  if (charset) args.set("charset", Buffer.from(charset));
  for (const [name, value] of request.headers) {
    const argument = HEADER.exec(name)?.[1];
    if (argument !== undefined) args.set(argument.toLowerCase(), Buffer.from(value));
  }
  return { args, missing: MISSING_NUMBERS, isMarkup: PAGES.includes(type) };
}

export type CompatDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly https: HttpsNetwork;
  readonly submit: Submit;
  readonly isLinkUp: () => boolean;
};

/** Starts callbacks, and returns the routes of both interfaces for their listener and the stop of the callbacks. */
export function startCompat(deps: CompatDeps) {
  const callbacks = startCallbacks(deps);
  const own = {
    callbacks,
    gate: createCompatAuth(deps),
    submit: compatSubmit(deps),
    rateOf: createRateQuery(deps),
  };
  const doors: CompatDoorDeps = { ...deps, ...own };
  return { sets: () => setsOf(deps, doors), stop: callbacks.stop };
}

type Answer = (doors: CompatDoorDeps, context: JasminContext) => Response | Promise<Response>;

const PATHS: readonly (readonly [path: string, answer: Answer])[] = [
  ["/cgi-bin/sendsms", sendsms],
  ["/send", send],
  ["/rate", rate],
  ["/balance", balance],
  ["/ping", ping],
];

function setsOf(deps: CompatDeps, doors: CompatDoorDeps) {
  const exchanges = { ...deps, tally: deps.store.tally };
  return PATHS.map(([path, answer]) => {
    const set = createRoutes<KnownCaller>(path, exchanges, null);
    const asked = ({ request, server }: Caller, exchange: JasminContext["exchange"]) =>
      answer(doors, { request, server, exchange });
    // Elysia does not read the body here: it is read with the limits of this room.
    set.all("", ({ request, server, exchange }) => asked({ request, server }, exchange), {
      detail: { hide: true },
      parse: "none",
    });
    return set;
  });
}
