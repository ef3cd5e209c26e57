/**
 * Timeline of one message: claims, submits, responses, receipts and money, with its PDUs rebuilt from the fields kept, on
 * request in hex or as a capture. Texts are masked unless asked for.
 */

import { answerLabel, answerMeaning, answerPhrase } from "../../channels/sms/partner-reasons.ts";
import { type PduSources, rebuildPdus } from "../../channels/sms/rebuilt-pdus.ts";
import {
  POST_PARAMETERS,
  type TracedAccepted,
  type TracedSubmit,
  type TracedUnaccepted,
  tracedAccepted,
  tracedUnaccepted,
} from "../../channels/sms/sent-segments.ts";
import { readReference, uncountedReference } from "../../channels/sms/submit-sm.ts";
import { readBatchNote } from "../../channels/whatsapp/match-template.ts";
import { type PostTrace, readPostTraces } from "../../channels/whatsapp/posts.ts";
import { toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import { toChannel } from "../../core/channels.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { CURRENCY } from "../../core/money.ts";
import { toLaneOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { toMessageEncoding } from "../../domain/messages/encodings.ts";
import { reservedOf } from "../../domain/messages/message-money.ts";
import { type RoutedNote, readRouted } from "../../domain/messages/rerouting.ts";
import {
  type TracedMessage,
  type TracedNote,
  tracedMessage,
  tracedNotes,
} from "../../domain/messages/trace.ts";
import { type CaseOf, type Phrase, phrase } from "../../i18n/phrase.ts";
import { encodePdu } from "../../smpp/pdu.ts";
import { statusPhrase } from "../../smpp/status.ts";
import { split } from "../../text/segments.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { MESSAGE, optional, REASON, typedAs, word, YES } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { recordTextAccess } from "../operations/revealed-texts.ts";
import { pcapng } from "./pcapng.ts";
import { deriveRouteHold } from "./queue.ts";

/** A PDU as far as it is kept, its fields named as in SMPP 3.4. */
type PduView = Readonly<Record<string, string | number | Phrase | null>>;

/** One thing that happened to a message. */
export type TraceEvent = {
  readonly at: string;
  readonly event: Phrase;
  /** The segment it concerns, or several; null: the whole message. */
  readonly part: string | null;
  /** The connection's place in the operator's list, from 1. */
  readonly connection: number | null;
  /** The route that a submit left by; null where the operator had none. No client reads it. */
  readonly route: string | null;
  readonly detail: Phrase;
  readonly pdu: PduView | null;
};

/** What a trace shows in addition. */
type TraceShown = { readonly text: boolean; readonly hex: boolean; readonly pcap: boolean };

/** The whole timeline of one message, in time order. Texts are masked unless asked for. */
export function messageTrace(
  context: AdminContext,
  messageId: string,
  shown: TraceShown,
): AdminOutcome<TraceView> {
  const message = tracedMessage(context.store.read, messageId.toUpperCase());
  if (!message) return refuse("MESSAGE_NOT_FOUND", { id: messageId });
  return done(traceView(context, message, shown));
}

/** The command: records first that the text is shown, with the reason if one was given. */
async function messageTraceFor(
  context: AdminContext,
  messageId: string,
  shown: TraceShown,
  reason: string | null,
): Promise<AdminOutcome<TraceView>> {
  const traced = messageTrace(context, messageId, shown);
  if (!traced.ok || !shown.text) return traced;
  const { message_id: subject, account_id } = traced.value;
  const noted = await recordTextAccess(
    context,
    { action: "message trace", subject, detail: { account_id } },
    reason,
  );
  return noted.ok ? traced : noted;
}

export type TraceView = Readonly<ReturnType<typeof traceView>>;

function traceView(context: AdminContext, message: TracedMessage, { text: showText, hex, pcap }: TraceShown) {
  const { store, config } = context;
  const { read } = store;
  const routeHold = deriveRouteHold(context, message);
  const parts = split(message.text).parts;
  const shown: ShownTexts = (first, last) => textOf(parts.slice(first - 1, last).join(""), showText);
  const accepted = tracedAccepted(read, message.id);
  const unaccepted = tracedUnaccepted(read, message.id);
  const connections = config.operators[message.operator]?.connections;
  const alphabetOf = (connection: number) => connections?.[connection - 1]?.default_alphabet ?? "gsm";
  const reference = readReference(read, message.id) ?? uncountedReference(message.id);
  const kept = { message, accepted, unaccepted, reference, alphabetOf, showText };
  const isSms = message.channel === "SMS";
  const events = [
    ...ownEvents(message),
    ...(isSms ? [] : postEvents(readPostTraces(read, message.id))),
    ...accepted.flatMap((part) => (isOfNumber(part) ? statusEvents(part) : partEvents(message, part, shown))),
    ...unaccepted.flatMap((submit) => unacceptedEvents(message, submit, shown)),
    ...readRouted(read, message.id).map(routedEvent),
    ...tracedNotes(read, message.id).map(noteEvent),
  ];
  events.sort((a, b) => a.atMs - b.atMs || a.rank - b.rank);
  return {
    message_id: message.ulid,
    account_id: accountUlid(read, message.accountId),
    batch_id: message.batchUlid,
    channel: message.channel,
    operator: message.operator,
    /** Its template; null for an SMS, and for free text. */
    template: isSms ? null : templateOfBatch(read, message.batchId),
    message_class: message.messageClass,
    sender: message.sender,
    msisdn: message.msisdn,
    text: textOf(message.text, showText),
    encoding: toMessageEncoding(toChannel(toLaneOperator(message.operator)), message.encoding),
    segments: message.segments,
    status: message.status,
    is_final: message.isFinal === 1,
    attempts: message.attempts,
    resends: message.resends,
    reserved_amount: reservedOf(message),
    amount: message.amount,
    currency: CURRENCY,
    /** Why no route of its operator carries it now; absent where one does, or it waits for something else. No client reads it. */
    ...(routeHold && { route_hold: routeHold }),
    events: events.map(({ atMs, rank: _, ...rest }) => ({ at: isoUtc(atMs), ...rest })),
    ...(hex && { pdus: pduRows(kept) }),
    /** A capture file in Base64. */
    ...(pcap && { pcap: pduCapture(kept) }),
  };
}

type ShownTexts = (firstPart: number, lastPart: number) => string | Phrase;

function textOf(text: string, showText: boolean): string | Phrase {
  return showText ? text : phrase("message.text_hidden", { characters: [...text].length });
}

/** An event with its time, and its rank among those of the same millisecond. */
type Timed = Omit<TraceEvent, "at"> & { readonly atMs: number; readonly rank: number };

function event(
  atMs: number,
  name: CaseOf<"message.event">,
  detail: Phrase,
  more: {
    part?: string | null;
    connection?: number | null;
    route?: string | null;
    pdu?: PduView;
    rank?: number;
  } = {},
): Timed {
  const { part = null, connection = null, route = null, pdu = null, rank = RANK.other } = more;
  return { atMs, rank, event: phrase(`message.event.${name}`), part, connection, route, detail, pdu };
}

const RANK = {
  accepted: 0,
  claimed: 1,
  submit: 2,
  answer: 3,
  sent: 4,
  other: 5,
  receipt: 6,
  end: 7,
  money: 8,
} as const;

/** A note, shown once at its first time, however often it repeated. */
function noteEvent({ at, lastAt, times, what, detail }: TracedNote): Timed {
  const again = phrase("message.detail.times", { detail, times, last: lastAt });
  return event(at, what, times === 1 ? detail : again);
}

const REROUTED_WHY = {
  REFUSED: "message.detail.rerouted.refused",
  LATER: "message.detail.rerouted.later",
  UNANSWERED: "message.detail.rerouted.unanswered",
  SILENT: "message.detail.rerouted.silent",
} as const;

/** It left a route for another. */
function routedEvent({ attempt, route, why, atMs }: RoutedNote): Timed {
  const detail = phrase(REROUTED_WHY[why], { attempt });
  return event(atMs, "rerouted", detail, { route });
}

function ownEvents(message: TracedMessage): Timed[] {
  const whole = reservedOf(message);
  const events = [
    event(message.createdAt, "accepted", phrase("message.detail.reserved", { reserved: whole }), {
      rank: RANK.accepted,
    }),
  ];
  if (message.submittedAt !== null) {
    const claim = { claim: message.attempts };
    const detail = phrase(message.attempts > 1 ? "message.detail.claim.last" : "message.detail.claim", claim);
    events.push(event(message.submittedAt, "claimed", detail, { rank: RANK.claimed }));
  }
  if (message.sentAt !== null) {
    const has = phrase(isOfNumber(message) ? "message.detail.with_meta" : "message.detail.with_operator");
    events.push(event(message.sentAt, "SENT", has, { rank: RANK.sent }));
  }
  const { finalizedAt: endedAt, status } = message;
  if (endedAt !== null && status !== "QUEUED" && status !== "SUBMITTED") {
    const why = [message.errorCode, message.operatorCode].filter((one) => one !== null).join(" ");
    const detail =
      why === "" ? phrase("message.detail.final") : phrase("message.detail.final.because", { why });
    events.push(event(endedAt, status, detail, { rank: RANK.end }));
  }
  const squaredAt = message.sentAt !== null && message.chargeOn === "accepted" ? message.sentAt : endedAt;
  if (message.isMoneyClosed === 1 && squaredAt !== null) {
    const released = whole - message.amount;
    const detail =
      released > 0
        ? phrase("message.detail.charged.released", { charged: message.amount, released })
        : phrase("message.detail.charged", { charged: message.amount });
    events.push(event(squaredAt, "squared", detail, { rank: RANK.money }));
  }
  return events;
}

function partEvents(message: TracedMessage, part: TracedAccepted, shown: ShownTexts): Timed[] {
  const events: Timed[] = [];
  const at = { part: String(part.part), connection: part.connection, route: part.route };
  if (isPost(part) && part.writtenAt !== null) {
    const id = phrase("message.detail.id", { id: part.remoteId });
    events.push(event(part.writtenAt, "post", POSTED, { ...at, rank: RANK.submit }));
    events.push(event(part.sentAt, "accepted_by_operator", id, { ...at, rank: RANK.answer }));
  } else if (part.writtenAt !== null) {
    const pdu = submitPdu(message, part, shown(part.part, part.part));
    events.push(event(part.writtenAt, "submit_sm", submitPhrase(pdu), { ...at, pdu, rank: RANK.submit }));
    const answer = { command: "submit_sm_resp", sequence_number: part.sequence, command_status: 0 };
    const more = { ...at, pdu: { ...answer, message_id: part.remoteId }, rank: RANK.answer };
    const taken = phrase("message.detail.taken", { answer: statusPhrase(0), id: part.remoteId });
    events.push(event(part.sentAt, "submit_sm_resp", taken, more));
  } else {
    const id = phrase("message.detail.id", { id: part.remoteId });
    events.push(event(part.sentAt, "accepted_by_operator", id, at));
  }
  if (part.receiptAt !== null) {
    const words = [part.receiptState ?? part.state, part.receiptCode && `err ${part.receiptCode}`];
    const pdu = {
      command: "deliver_sm",
      sequence_number: part.receiptSequence,
      stat: part.receiptState,
      err: part.receiptCode,
      message_id: part.remoteId,
    };
    const told = words.filter(Boolean).join(", ");
    const detail = phrase("message.detail.receipt", { told, state: part.state });
    const more = { part: at.part, connection: part.receiptConnection, rank: RANK.receipt };
    events.push(event(part.receiptAt, "receipt", detail, isPost(part) ? more : { ...more, pdu }));
  }
  return events;
}

const POSTED = phrase("message.detail.post_to_bendre");

/** Whether it left as a post to another Bendre. */
function isPost({ pduParameters }: TracedSubmit): boolean {
  return pduParameters === POST_PARAMETERS;
}

/** Whether it leaves by a WhatsApp number: what WhatsApp did not deliver may fall back to SMS. */
function isOfNumber({ operator }: { readonly operator: string }): boolean {
  return toWhatsAppNumber(toLaneOperator(operator)) !== null;
}

/** The WhatsApp posts, with the result of each. When Meta answered or sent a status is not kept. */
function postEvents(posts: readonly PostTrace[]): Timed[] {
  return posts.flatMap(({ n, number, postedMs, state, code, wamid, told, readMs }) => {
    const statuses = STATUSES_TOLD.filter(([bit]) => (told & bit) !== 0).map(([, name]) => name);
    const by = { n, number: toWhatsAppOperator(number), state: phrase(`message.post.${state}`) };
    const parts = [
      phrase("message.post", by),
      ...(code === null ? [] : [phrase("message.post.code", { code })]),
      ...(wamid === null ? [] : [phrase("message.detail.id", { id: wamid })]),
      ...(statuses.length === 0 ? [] : [phrase("message.post.told", { statuses: statuses.join(", ") })]),
    ];
    const post = event(postedMs, "post", phrase("parts", { parts }), { rank: RANK.submit });
    return readMs === null
      ? [post]
      : [post, event(readMs, "read", phrase("message.detail.by_recipient"), { rank: RANK.receipt })];
  });
}

const STATUSES_TOLD = [
  [1, "sent"],
  [2, "delivered"],
  [4, "read"],
  [8, "failed"],
] as const;

/** The status that changed the state of a WhatsApp message. */
function statusEvents({ receiptAt, state }: TracedAccepted): Timed[] {
  return receiptAt === null
    ? []
    : [event(receiptAt, "status", phrase("message.detail.status", { state }), { rank: RANK.receipt })];
}

function templateOfBatch(read: Reader, batchId: number) {
  const note = readBatchNote(read, batchId);
  return note?.kind === "template" ? { name: note.name, language: note.language } : null;
}

function unacceptedEvents(message: TracedMessage, submit: TracedUnaccepted, shown: ShownTexts): Timed[] {
  const { firstPart, lastPart, commandStatus } = submit;
  const part = firstPart === lastPart ? String(firstPart) : `${firstPart}-${lastPart}`;
  const at = { part, connection: submit.connection, route: submit.route };
  const events: Timed[] = [];
  if (isPost(submit)) {
    events.push(event(submit.writtenAt ?? submit.endedAt, "post", POSTED, { ...at, rank: RANK.submit }));
  } else if (submit.pduParameters !== null && submit.writtenAt !== null) {
    const pdu = submitPdu(message, submit, shown(firstPart, lastPart));
    events.push(event(submit.writtenAt, "submit_sm", submitPhrase(pdu), { ...at, pdu, rank: RANK.submit }));
  }
  const more = { ...at, rank: RANK.answer };
  if (commandStatus === null) {
    const detail = phrase(submit.isInDoubt ? "message.detail.in_doubt" : "message.detail.settled");
    return [...events, event(submit.endedAt, "no_answer", detail, more)];
  }
  const detail = unacceptedPhrase(submit, answerPhrase(commandStatus));
  if (isPost(submit)) return [...events, event(submit.endedAt, "submit_sm_resp", detail, more)];
  const answer = {
    command: "submit_sm_resp",
    sequence_number: submit.sequence,
    command_status: commandStatus,
  };
  return [...events, event(submit.endedAt, "submit_sm_resp", detail, { ...more, pdu: answer })];
}

function unacceptedPhrase({ outcome, times }: TracedUnaccepted, answer: Phrase): Phrase {
  if (outcome === "REFUSED") return phrase("message.detail.refused", { answer });
  return times > 1
    ? phrase("message.detail.put_off.times", { answer, times })
    : phrase("message.detail.put_off", { answer });
}

function submitPdu(
  message: TracedMessage,
  { sequence, pduParameters }: TracedSubmit,
  text: string | Phrase,
): PduView {
  return {
    command: "submit_sm",
    sequence_number: sequence,
    ...fieldsOf(pduParameters),
    destination_addr: message.msisdn.slice(1),
    text,
  };
}

function fieldsOf(pduParameters: string | null): PduView {
  const fields: unknown = pduParameters === null ? null : JSON.parse(pduParameters);
  if (typeof fields !== "object" || fields === null) return {};
  const known: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string" || typeof value === "number") known[name] = value;
  }
  return known;
}

function submitPhrase(pdu: PduView): Phrase {
  const field = (name: string): string | number => {
    const value = pdu[name];
    return typeof value === "string" || typeof value === "number" ? value : "?";
  };
  return phrase("message.detail.submit", {
    sequence: field("sequence_number"),
    source: field("source_addr"),
    source_ton: field("source_addr_ton"),
    source_npi: field("source_addr_npi"),
    destination: field("destination_addr"),
    destination_ton: field("dest_addr_ton"),
    destination_npi: field("dest_addr_npi"),
    esm_class: field("esm_class"),
    data_coding: field("data_coding"),
    registered_delivery: field("registered_delivery"),
  });
}

/** Whether a capture is wanted: the command line writes it into the typed file. */
const CAPTURE = typedAs({ value: "FILE" }, YES);

export const MESSAGE_TRACE_OPERATIONS = {
  // Without a permission: the console shows no text without asking for a reason.
  "message trace": operation({
    does: (isGiven) => (isGiven("show_text") ? "changes" : "reads"),
    params: {
      message: word("MESSAGE", MESSAGE),
      show_text: YES,
      reason: optional(REASON),
      hex: YES,
      pcap: CAPTURE,
    },
    run: (context, { message, show_text, reason, hex, pcap }) =>
      messageTraceFor(context, message, { text: show_text, hex, pcap }, reason),
  }),
};

/** The PDUs of a message as rows, rebuilt from what is kept of them. */
function pduRows(of: PduSources) {
  return rebuildPdus(of).map(({ atMs, way, connection, pdu, assumed }) => ({
    at: isoUtc(atMs),
    way,
    connection,
    command: pdu.command,
    sequence_number: pdu.sequence,
    hex: (
      Buffer.from(encodePdu(pdu))
        .toString("hex")
        .match(/.{1,8}/g) ?? []
    ).join(" "),
    /** The fields that were not kept and are assumed. */
    assumed,
  }));
}

/** The same as a capture file (pcapng.ts), in Base64; what was assumed stands beside each packet. */
function pduCapture(of: PduSources): string {
  const pieces = rebuildPdus(of).map(({ atMs, way, connection, pdu, assumed }) => ({
    atMs,
    toServer: way === "sent",
    connection: (connection ?? 1) - 1,
    octets: encodePdu(pdu),
    comment: assumed,
  }));
  const about = `Message ${of.message.ulid}: PDUs made again from what is kept of them. Addresses, ports and packets are made up.`;
  return Buffer.from(pcapng(pieces, about)).toString("base64");
}

/**
 * Why a postponed message waits: the operator's last answer, how many there were, and when the next try is due. Null for a message that
 * does not wait, or that its operator never postponed.
 */
export function deriveMessageWait({ store, clock }: AdminContext, messageId: string) {
  const message = tracedMessage(store.read, messageId.toUpperCase());
  if (message?.status !== "QUEUED") return null;
  const putOff = tracedUnaccepted(store.read, message.id).filter(({ outcome }) => outcome === "PUT_OFF");
  const last = putOff.toSorted((a, b) => a.endedAt - b.endedAt).at(-1);
  if (last === undefined || last.commandStatus === null) return null;
  return {
    /** The last answer, as manuals write it and in words. */
    code: answerLabel(last.commandStatus),
    answer: answerMeaning(last.commandStatus),
    times: putOff.reduce((sum, { times }) => sum + times, 0),
    last_at: isoUtc(last.endedAt),
    /** Null once it is due. */
    again_at: isoOrNull(message.notBefore > clock.nowMs() ? message.notBefore : null),
  };
}
