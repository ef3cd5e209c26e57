/** The page "Messages": find them, see the life of one, read its text for a reason. */
import { type Static, Type as t } from "typebox";
import { describeInvalidNumber } from "../../../admin/operations/msisdn.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { MESSAGE_TEXT_OPERATIONS } from "../../../admin/operations/revealed-texts.ts";
import {
  type FindView,
  findByNumberPart,
  messageFind,
  messagesByReference,
  parsePartOfNumber,
} from "../../../admin/reports/message-search.ts";
import { deriveMessageWait, messageTrace, type TraceEvent } from "../../../admin/reports/message-trace.ts";
import { refused } from "../../../core/refusals.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { readReferences } from "../../../domain/messages/batches.ts";
import { errorObject, errorPhrase } from "../../../domain/messages/message-status.ts";
import { tracedMessage } from "../../../domain/messages/trace.ts";
import { type Phrase, paramsIn } from "../../../i18n/phrase.ts";
import { hideMoney, type MaybeMoney } from "./money-visibility.ts";
import {
  canReadBatchTexts,
  canReadTexts,
  type PageContext,
  requireOwnBatch,
  requireOwnMessage,
  resolveReadReason,
  told,
} from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { ACCOUNT, filters, ID, INSTANT, LIMIT, REASON_TO_READ, WORD } from "./schemas.ts";

const MESSAGES_QUERY = t.Object({
  ...filters({
    number: WORD,
    message: ID,
    reference: WORD,
    account: ACCOUNT,
    batch: ID,
    status: WORD,
    error: WORD,
    operator: WORD,
    sender: WORD,
    class: WORD,
    from: INSTANT,
    to: INSTANT,
    before: ID,
  }).properties,
  limit: LIMIT,
});
const MESSAGE_PATH = t.Object({ message: ID });

/** A page of messages. */
type MessagesView = {
  readonly messages: readonly MaybeMoney<FindView["messages"][number]>[];
  /** The message to continue the search from; null when nothing is left. */
  readonly next: string | null;
  readonly is_more: boolean;
  /** Everything accepted since then was searched; null of a search by a client's own name. */
  readonly searched_back_to: string | null;
};

/** Messages newest first; a message's own id and a name that its client gave it are found directly. */
async function messagesPage(
  asked: PageContext,
  { message, reference, class: messageClass, ...filters }: QueryOf<typeof MESSAGES_QUERY>,
): Promise<AdminOutcome<MessagesView>> {
  const { context } = asked;
  for (const [own, id] of [
    [requireOwnMessage, filters.before],
    [requireOwnMessage, message],
    [requireOwnBatch, filters.batch],
  ] as const) {
    const found = id === null ? done(null) : own(asked, id);
    if (!found.ok) return found;
  }
  if (reference !== null) {
    const named = await messagesByReference(context, reference, filters.account, filters.limit);
    if (!named.ok) return named;
    const messages = named.value.messages.map((message) => rowFor(asked, message));
    return done({ messages, next: null, is_more: named.value.is_more, searched_back_to: null });
  }
  const found = await messageFind(context, { ...filters, messageClass });
  if (!found.ok) return found;
  const { next, searched_back_to } = found.value;
  const messages = found.value.messages.map((message) => rowFor(asked, message));
  return done({ messages, next, is_more: next !== null, searched_back_to });
}

const PART_QUERY = t.Object({
  typed: WORD,
  ...filters({ account: ACCOUNT }).properties,
  limit: LIMIT,
});

/** Messages among the last ones whose number contains what was typed. */
async function partPage(asked: PageContext, { typed, ...wanted }: QueryOf<typeof PART_QUERY>) {
  const { context } = asked;
  const part = parsePartOfNumber(context.config, typed);
  if (part === null) return refused("INVALID_MSISDN", describeInvalidNumber(context.config, typed));
  const found = await findByNumberPart(context, part, wanted);
  if (!found.ok) return found;
  const messages = found.value.messages.map((message) => rowFor(asked, message));
  return done({ ...found.value, messages });
}

/** A message of a list: why it failed in their words, amounts where they may see them. */
function rowFor({ seesMoney, translate }: PageContext, message: FindView["messages"][number]) {
  const { error } = message;
  const shown = error && { ...error, detail: translate(errorPhrase(error.code)) };
  return hideMoney(seesMoney, { ...message, error: shown });
}

/** Whether an event only says that a segment was claimed or accepted: shown once, where the operator accepted all of them. */
function isOfDetail({ event: { code }, pdu }: TraceEvent): boolean {
  return (
    code === "message.event.claimed" || (code === "message.event.submit_sm_resp" && pdu?.command_status === 0)
  );
}

const EVENT = "message.event.";

/**
 * The events that a client reads: which way a text went is the seller's business. A message that another route carries goes back to the
 * queue, and no more is told: neither what a route refused it with, nor by which connections it left.
 */
function eventsOfClient(events: readonly TraceEvent[]): readonly TraceEvent[] {
  if (events.every(({ route }) => route === null)) return events;
  const isRerouted = events.some(({ event: { code } }) => code === REROUTED);
  return events
    .filter(
      ({ event: { code }, pdu }) =>
        code !== REROUTED && !(isRerouted && code === ANSWERED && pdu?.command_status !== 0),
    )
    .map((event) => ({ ...event, connection: null, route: null }));
}

const REROUTED = "message.event.rerouted";
const ANSWERED = "message.event.submit_sm_resp";

/** An event by its name, and the segment that it is about. */
function lifeEvent(event: TraceEvent) {
  const { at, connection, route, detail } = event;
  const { part: noted, state } = notedPart(detail);
  return {
    at,
    event: event.event.code.slice(EVENT.length),
    part: event.part,
    connection,
    ...(route !== null && { route }),
    detail,
    is_of_detail: isOfDetail(event),
    segment: event.part ?? noted,
    segment_state: state,
  };
}

function notedPart(detail: Phrase): { readonly part: string | null; readonly state: string | null } {
  const again = paramsIn(detail, "message.detail.times")?.detail;
  if (again !== undefined) return notedPart(again);
  const of =
    paramsIn(detail, "message.note.part") ??
    paramsIn(detail, "message.note.part_as") ??
    paramsIn(detail, "message.note.part_state");
  const state = paramsIn(detail, "message.note.part_state")?.state;
  return { part: of === null ? null : String(of.part), state: state === undefined ? null : String(state) };
}

/** The life of a message: screening, each submit, answer and receipt, money; never its text. */
function messageLife(asked: PageContext, { message: id }: Static<typeof MESSAGE_PATH>) {
  const { context, seesMoney } = asked;
  const own = requireOwnMessage(asked, id);
  if (!own.ok) return own;
  const traced = messageTrace(context, id, { text: false, hex: false, pcap: false });
  if (!traced.ok) return traced;
  const { text: _, events, pdus: __, pcap: ___, route_hold: routeHold, ...message } = traced.value;
  const life = (asked.account === null ? events : eventsOfClient(events)).map(lifeEvent);
  const shown = seesMoney
    ? life
    : life
        .filter(({ event }) => event !== "squared")
        .map((event) => (event.event === "accepted" ? { ...event, detail: "" } : event));
  const view = {
    ...hideMoney(seesMoney, message),
    account: accountByUlid(context.store.read, message.account_id)?.name ?? "",
    batch_client_reference:
      readReferences(context.store.read, [message.batch_id]).get(message.batch_id) ?? null,
    operator_name: context.config.operators[message.operator]?.name ?? message.operator,
    error: errorOf(asked, id),
    wait: deriveMessageWait(context, id),
    /** Why no route carries it, for staff; null where one does. */
    ...(asked.account === null && { route_hold: routeHold ?? null }),
    events: shown,
    /** Whether its text is shown without a reason. */
    is_text_free: isTextFree(asked, id),
  };
  return told(asked, done(view));
}

/** Why it did not arrive, and whether a retry may help; null where it did, or is under way. */
function errorOf({ context }: PageContext, id: string) {
  const message = tracedMessage(context.store.read, id.toUpperCase());
  const error = message && errorObject(message.errorCode, message.operatorCode);
  return error && { ...error, detail: errorPhrase(error.code) };
}

/** Whether the text of a message is shown without a reason. */
function isTextFree(asked: PageContext, message: string): boolean {
  const batch = tracedMessage(asked.context.store.read, message.toUpperCase())?.batchId;
  return batch === undefined ? canReadTexts(asked) : canReadBatchTexts(asked, batch);
}

/** The text of a message; staff give a reason, which is audited, unless they sent its batch. */
async function textOfMessage(
  asked: PageContext,
  { message, ...body }: Static<typeof MESSAGE_PATH> & Static<typeof REASON_TO_READ>,
) {
  const own = requireOwnMessage(asked, message);
  if (!own.ok) return own;
  const reason = resolveReadReason(isTextFree(asked, message), body);
  return MESSAGE_TEXT_OPERATIONS["message text"].run(asked.context, { message, reason });
}

export const MESSAGE_ROUTES = {
  "GET /messages": route("messages.read", messagesPage, { query: MESSAGES_QUERY }),
  "GET /messages-with-part": route("messages.read", partPage, { query: PART_QUERY }),
  "GET /messages/:message": route("messages.read", messageLife, { params: MESSAGE_PATH }),
  "POST /messages/:message/text": route("messages.text", textOfMessage, {
    params: MESSAGE_PATH,
    body: REASON_TO_READ,
  }),
};
