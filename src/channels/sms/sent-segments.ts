/**
 * Stores how segments left for an operator, for the timelines of messages and for matching receipts, and the submits
 * that it has not accepted: refused, to be sent again later, or of unknown outcome.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type OpenMessage, openMessage } from "../../domain/messages/awaiting-outcome.ts";
import type { PartTrace } from "../../domain/messages/facts.ts";
import { readPartsWith } from "../../domain/messages/segments.ts";
import { type TracedPart, tracedParts } from "../../domain/messages/trace.ts";
import { ESM_UDHI, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import { isWithPartner } from "./partner-posts.ts";

/** One submit_sm as it left. */
export type SentSegment = AccountParameters & {
  /** The attempt it belongs to, from 1. */
  readonly attempt: number;
  /** The connection's place in the operator's list, from 1, and the PDU's number on it. */
  readonly connection: number;
  readonly sequence: number;
  readonly writtenAtMs: number;
  /** The highest number of an unmatched receipt at that time: those up to it came before, and can't be about this segment. */
  readonly unmatchedBefore?: number;
};

/** A sent segment as it is stored beside the segments that were accepted. */
export function toPartTrace(
  tx: Tx,
  { pduParameters, account, route, unmatchedBefore, ...left }: SentSegment,
): PartTrace {
  return {
    ...left,
    unmatchedBefore: unmatchedBefore ?? null,
    pduParametersId: savePduParameters(tx, { pduParameters, account, route }),
  };
}

/** What a submit carried: one segment, or all of a message in one. */
type Carried = {
  readonly messageId: number;
  readonly firstPart: number;
  readonly lastPart: number;
  readonly operator: string;
};

/** The end of a submit that was not accepted within its time. */
type Unaccepted = Carried & {
  /** Null where it is not known, as after a crash. */
  readonly sentSegment: SentSegment | null;
  /** Where `sentSegment` is not known: the attempt that it belongs to, from 1, as far as that is. */
  readonly attempt?: number | null;
  readonly end:
    | { readonly kind: "refused" | "postponed"; readonly commandStatus: number }
    /** `recipientKey`: the `numberKey` of the number it went to. `unmatchedBefore` is used where there is no sent segment. */
    | {
        readonly kind: "unanswered";
        readonly writtenAtMs: number;
        readonly recipientKey: string;
        readonly unmatchedBefore: number | null;
        /** What its segments cost if it was accepted after all; null of an operator without routes. */
        readonly cost: CostIfAccepted | null;
      };
};

/** The cost of a submit of unknown outcome, as route-costs.ts has it. */
type CostIfAccepted = {
  readonly route: string;
  readonly day: string;
  readonly costMilli: number | null;
};

const OUTCOMES = { refused: "REFUSED", postponed: "PUT_OFF", unanswered: "UNANSWERED" } as const;

/** Notes a submit that was not accepted. Those that are to be sent again later, by the same status and route, share one row. */
export function recordUnaccepted(tx: Tx, { sentSegment, end, ...carried }: Unaccepted, nowMs: number): void {
  const cost = end.kind === "unanswered" ? end.cost : null;
  const submit = {
    ...carried,
    commandStatus: end.kind === "unanswered" ? null : end.commandStatus,
    attempt: sentSegment?.attempt ?? carried.attempt ?? null,
    connection: sentSegment?.connection ?? null,
    sequence: sentSegment?.sequence ?? null,
    pduParametersId: sentSegment ? savePduParameters(tx, sentSegment) : null,
    nowMs,
  };
  if (end.kind === "postponed") {
    const again = tx.run(
      `UPDATE unaccepted_submits SET times = times + 1, attempt = $attempt, connection = $connection,
         sequence = $sequence, pdu_parameters_id = $pduParametersId, ended_at = $nowMs
       WHERE message_id = $messageId AND first_part = $firstPart AND outcome = 'PUT_OFF'
         AND command_status = $commandStatus ${(sentSegment?.route ?? "") === "" ? "" : OF_SAME_ROUTE}`,
      submit,
    );
    if (again > 0) return;
  }
  tx.run(
    `INSERT INTO unaccepted_submits (message_id, first_part, last_part, operator, outcome, command_status, attempt,
       connection, sequence, pdu_parameters_id, written_at, ended_at, number_key, unmatched_before, route, cost_day, cost_milli)
     VALUES ($messageId, $firstPart, $lastPart, $operator, $outcome, $commandStatus, $attempt,
       $connection, $sequence, $pduParametersId, $writtenAtMs, $nowMs, $recipientKey, $unmatchedBefore, $route, $day, $costMilli)`,
    {
      ...submit,
      outcome: OUTCOMES[end.kind],
      writtenAtMs: end.kind === "unanswered" ? end.writtenAtMs : (sentSegment?.writtenAtMs ?? nowMs),
      recipientKey: end.kind === "unanswered" ? end.recipientKey : null,
      unmatchedBefore:
        sentSegment?.unmatchedBefore ?? (end.kind === "unanswered" ? end.unmatchedBefore : null),
      route: cost?.route ?? null,
      day: cost?.day ?? null,
      costMilli: cost?.costMilli ?? null,
    },
  );
}

/** Where there are routes: how often each of them said it is told apart. */
const OF_SAME_ROUTE = `AND (SELECT route FROM submit_pdu_parameters WHERE id = unaccepted_submits.pdu_parameters_id)
  = (SELECT route FROM submit_pdu_parameters WHERE id = $pduParametersId)`;

/** First segments of the submits of an attempt, by its number, that ended otherwise than accepted. */
export function listUnacceptedSegments(read: Reader, messageId: number, attempt: number): number[] {
  return read
    .all<{ part: number }>(
      "SELECT first_part AS part FROM unaccepted_submits WHERE message_id = ? AND attempt = ?",
      messageId,
      attempt,
    )
    .map(({ part }) => part);
}

/** How a segment left, for its timeline; null where that was not noted. `pduParameters` are the PDU's fields as JSON. */
export type TracedSubmit = {
  readonly attempt: number | null;
  readonly connection: number | null;
  readonly sequence: number | null;
  readonly writtenAt: number | null;
  readonly pduParameters: string | null;
  /** The route that it left by; null where the operator had none. */
  readonly route: string | null;
};

export type TracedAccepted = TracedPart & TracedSubmit;

/** The segments of a message that an operator accepted, in the order of acceptance, with the PDUs that they left in. */
export function tracedAccepted(read: Reader, messageId: number): TracedAccepted[] {
  return tracedParts(read, messageId).map((part) => ({
    ...part,
    ...readPduParameters(read, part.pduParametersId),
  }));
}

export type TracedUnaccepted = TracedSubmit & {
  readonly firstPart: number;
  readonly lastPart: number;
  readonly outcome: "REFUSED" | "PUT_OFF" | "UNANSWERED";
  readonly commandStatus: number | null;
  readonly times: number;
  readonly endedAt: number;
  /** 1: the outcome is unknown. */
  readonly isInDoubt: number;
};

/** The submits that were not accepted within their time, in order. */
export function tracedUnaccepted(read: Reader, messageId: number): TracedUnaccepted[] {
  return read.all<TracedUnaccepted>(
    `SELECT u.first_part AS firstPart, u.last_part AS lastPart, u.outcome, u.command_status AS commandStatus, u.times,
       u.attempt, u.connection, u.sequence, u.written_at AS writtenAt, u.ended_at AS endedAt, s.fields AS pduParameters,
       nullif(s.route, '') AS route, u.number_key IS NOT NULL AS isInDoubt
     FROM unaccepted_submits u LEFT JOIN submit_pdu_parameters s ON s.id = u.pdu_parameters_id WHERE u.message_id = ? ORDER BY u.id`,
    messageId,
  );
}

/** Deletes the ends of submits that were not accepted, by their messages' ids as a JSON list. */
export function forgetSubmits(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM unaccepted_submits WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

/** The fields of a submit_sm that a batch's messages share (SMPP 3.4 section 4.4.1), as a timeline shows them. */
export type PduParameters = {
  readonly service_type: string;
  readonly source_addr_ton: number;
  readonly source_addr_npi: number;
  readonly source_addr: string;
  readonly dest_addr_ton: number;
  readonly dest_addr_npi: number;
  readonly esm_class: number;
  readonly priority_flag: number;
  readonly registered_delivery: number;
  readonly data_coding: number;
  /** How a text longer than one part travels. */
  readonly long_message: "no" | "udh" | "sar" | "payload";
};

/** The parameters of a PDU as stored text: equal for all PDUs with the same fields. Pure, and fast for one with the fields of the last. */
export function toPduParameters(message: ShortMessage): string {
  if (lastText !== "" && looksLike(message, lastMessage)) return lastText;
  lastText = textOf(message);
  lastMessage = message;
  return lastText;
}

/** In their place, of a post to another Bendre. */
export const POST_PARAMETERS = '{"kind":"post"}';

let lastMessage: ShortMessage = shortMessage({});
let lastText = "";

function looksLike(one: ShortMessage, other: ShortMessage): boolean {
  return (
    one.sourceAddr === other.sourceAddr &&
    one.serviceType === other.serviceType &&
    one.sourceAddrTon === other.sourceAddrTon &&
    one.sourceAddrNpi === other.sourceAddrNpi &&
    one.destAddrTon === other.destAddrTon &&
    one.destAddrNpi === other.destAddrNpi &&
    one.esmClass === other.esmClass &&
    one.priorityFlag === other.priorityFlag &&
    one.registeredDelivery === other.registeredDelivery &&
    one.dataCoding === other.dataCoding &&
    carriage(one) === carriage(other)
  );
}

function textOf(message: ShortMessage): string {
  const pduParameters: PduParameters = {
    service_type: message.serviceType,
    source_addr_ton: message.sourceAddrTon,
    source_addr_npi: message.sourceAddrNpi,
    source_addr: message.sourceAddr,
    dest_addr_ton: message.destAddrTon,
    dest_addr_npi: message.destAddrNpi,
    esm_class: message.esmClass,
    priority_flag: message.priorityFlag,
    registered_delivery: message.registeredDelivery,
    data_coding: message.dataCoding,
    long_message: carriage(message),
  };
  return JSON.stringify(pduParameters);
}

function carriage({ esmClass, tlvs }: ShortMessage): PduParameters["long_message"] {
  if (tlvs.messagePayload !== undefined) return "payload";
  if (tlvs.sarMsgRefNum !== undefined) return "sar";
  return esmClass & ESM_UDHI ? "udh" : "no";
}

/** The rows of parameters that are durable, as a writer caches them, by account and route: few are ever made. */
type KnownParameters = {
  readonly ids: Map<string, Map<string, number>>;
  readonly ways: Map<number, SentWay>;
};

/** The SMSC account that submits with the parameters of a row left over, null where that was not noted, and their route, "" for none. */
type SentWay = { readonly account: string | null; readonly route: string };

const NO_WAY: SentWay = { account: null, route: "" };

const parametersOf = new WeakMap<Tx, KnownParameters>();

function knownParameters(tx: Tx): KnownParameters {
  const known = parametersOf.get(tx) ?? { ids: new Map(), ways: new Map() };
  parametersOf.set(tx, known);
  return known;
}

/**
 * The parameters of a PDU as they are stored, with the SMSC account of the submits that have them, as `smscAccount` writes it, and the
 * route that they left by; "" of an operator without routes.
 */
type AccountParameters = {
  readonly pduParameters: string;
  readonly account: string;
  readonly route: string;
};

/** The row of the parameters of submits over an SMSC account by a route, written where it is new. */
function savePduParameters(tx: Tx, { pduParameters: fields, account, route }: AccountParameters): number {
  const { ids, ways } = knownParameters(tx);
  const way = route === "" ? account : `${account} ${route}`;
  const remembered = ids.get(way)?.get(fields);
  if (remembered !== undefined) return remembered;
  const row = { account, route, fields };
  const id =
    tx.get<{ id: number }>(
      "SELECT id FROM submit_pdu_parameters WHERE account = $account AND route = $route AND fields = $fields",
      row,
    )?.id ??
    tx.insert(
      "INSERT INTO submit_pdu_parameters (account, route, fields) VALUES ($account, $route, $fields)",
      row,
    );
  tx.afterCommit(() => {
    ids.set(way, (ids.get(way) ?? new Map()).set(fields, id));
    ways.set(id, { account, route });
  });
  return id;
}

/** A route that accepted some of a text, and what. */
type AcceptingRoute = { readonly route: string; readonly parts: ReadonlySet<number> };

/**
 * The route that accepted the most of a text, of several the last; "" where its operator had no routes then, null where none is known to
 * have accepted any.
 */
export function findAcceptingRoute(read: Reader, messageId: number): AcceptingRoute | null {
  const routes = new Map<string, Set<number>>();
  for (const { part, pduParametersId } of tracedParts(read, messageId)) {
    if (pduParametersId === null) continue;
    const route = readRouteOfParameters(read, pduParametersId);
    routes.set(route, (routes.get(route) ?? new Set()).add(part));
  }
  let most: AcceptingRoute | null = null;
  for (const [route, parts] of routes) if (parts.size >= (most?.parts.size ?? 0)) most = { route, parts };
  return most;
}

/** The last attempt of which something left, and the route that it left by: "" where that is not known, as after a crash. */
export function findLastRoute(
  read: Reader,
  messageId: number,
): { readonly attempt: number; readonly route: string } | null {
  const accepted = tracedParts(read, messageId).map(({ attempt, pduParametersId }) => ({
    attempt: attempt ?? 0,
    route: pduParametersId === null ? "" : readRouteOfParameters(read, pduParametersId),
  }));
  const unaccepted = read.all<{ attempt: number; route: string }>(
    `SELECT coalesce(u.attempt, 0) AS attempt, coalesce(nullif(u.route, ''), s.route, '') AS route
     FROM unaccepted_submits u LEFT JOIN submit_pdu_parameters s ON s.id = u.pdu_parameters_id
     WHERE u.message_id = ?`,
    messageId,
  );
  const left = [...accepted, ...unaccepted];
  const attempt = Math.max(0, ...left.map((one) => one.attempt));
  const routes = left.filter((one) => one.attempt === attempt).map(({ route }) => route);
  return attempt === 0 ? null : { attempt, route: routes.find((route) => route !== "") ?? "" };
}

function readRouteOfParameters(read: Reader, id: number): string {
  return read.get<{ route: string }>("SELECT route FROM submit_pdu_parameters WHERE id = ?", id)?.route ?? "";
}

/** Which way submits with the parameters of a row left. */
export function readSentWay(tx: Tx, id: number | null): SentWay {
  if (id === null) return NO_WAY;
  const { ways } = knownParameters(tx);
  const remembered = ways.get(id);
  if (remembered !== undefined) return remembered;
  const way = tx.get<SentWay>("SELECT account, route FROM submit_pdu_parameters WHERE id = ?", id) ?? NO_WAY;
  tx.afterCommit(() => ways.set(id, way));
  return way;
}

/** Whether anything ever left over an SMSC account. */
export function hasSubmitted(read: Reader, account: string): boolean {
  return read.known("SELECT 1 FROM submit_pdu_parameters WHERE account = ? LIMIT 1", account) !== null;
}

const NO_PARAMETERS = { pduParameters: null, route: null };

/** The parameters of a row, as JSON, and their route. */
function readPduParameters(read: Reader, id: number | null): Pick<TracedSubmit, "pduParameters" | "route"> {
  if (id === null) return NO_PARAMETERS;
  return (
    read.get<Pick<TracedSubmit, "pduParameters" | "route">>(
      "SELECT fields AS pduParameters, nullif(route, '') AS route FROM submit_pdu_parameters WHERE id = ?",
      id,
    ) ?? NO_PARAMETERS
  );
}

// Submits of unknown outcome: the operator may have them, and nothing has shown it yet. Each is settled by its
// response, by a receipt that names it, or by its age.

/** Settles the outcome of one submit: its response came after all, whatever it said. */
export function resolveByResponse(tx: Tx, messageId: number, firstPart: number, attempt: number): void {
  tx.run(
    `UPDATE unaccepted_submits SET number_key = NULL
     WHERE message_id = ? AND first_part = ? AND attempt = ? AND number_key IS NOT NULL`,
    messageId,
    firstPart,
    attempt,
  );
}

/** Settles the outcome of a post: its feed tells of it. One that a process left behind has no attempt. */
export function resolveByPartner(tx: Tx, messageId: number, attempt: number): void {
  tx.run(
    `UPDATE unaccepted_submits SET number_key = NULL
     WHERE message_id = ? AND number_key IS NOT NULL AND (attempt = ? OR attempt IS NULL)`,
    messageId,
    attempt,
  );
}

/** Settles the outcome of one submit: a receipt named it. */
export function resolveByReceipt(tx: Tx, unacceptedId: number): void {
  tx.run("UPDATE unaccepted_submits SET number_key = NULL WHERE id = ?", unacceptedId);
}

/** Notes that the acceptance of a submit, which a receipt has shown, is in the book of costs, by what route and under which id. */
export function noteBooked(
  tx: Tx,
  unacceptedId: number,
  booked: { readonly route: string; readonly costMilli: number | null; readonly remoteKey: string },
): void {
  tx.run(
    "UPDATE unaccepted_submits SET route = $route, cost_milli = $costMilli, booked_key = $remoteKey WHERE id = $id",
    { id: unacceptedId, ...booked },
  );
}

/** Hands the unanswered submits of a renamed route to its new name; how many. */
export function renameUnansweredRoute(
  tx: Tx,
  renamed: { readonly operator: string; readonly from: string; readonly to: string },
): number {
  return tx.run(
    `UPDATE unaccepted_submits SET route = $to
     WHERE operator = $operator AND route = $from AND number_key IS NOT NULL`,
    renamed,
  );
}

/** An unanswered submit by a route, and whether a receipt has shown that it was accepted. */
export type UnansweredByRoute = Ends & {
  readonly id: number;
  readonly operator: string;
  readonly attempt: number | null;
  readonly route: string;
  readonly costDay: string;
  readonly costMilli: number | null;
  /** 1: its outcome is unknown. */
  readonly isInDoubt: number;
  /** The form of the receipt's id for which it is in the book of costs; null while it is not, or is by its response. */
  readonly bookedKey: string | null;
};

/** The unanswered submits of a message by routes, the oldest first. */
export function listUnansweredByRoute(read: Reader, messageId: number): UnansweredByRoute[] {
  return read.all<UnansweredByRoute>(
    `SELECT id, first_part AS firstPart, last_part AS lastPart, operator, attempt, route, cost_day AS costDay,
       cost_milli AS costMilli, number_key IS NOT NULL AS isInDoubt, booked_key AS bookedKey
     FROM unaccepted_submits WHERE message_id = ? AND route IS NOT NULL ORDER BY id`,
    messageId,
  );
}

/** Notes for which id a submit is in the book of costs; null: it is by its response, or is not any more. */
export function changeBookedKey(
  tx: Tx,
  { id }: Pick<UnansweredByRoute, "id">,
  bookedKey: string | null,
): void {
  tx.run("UPDATE unaccepted_submits SET booked_key = ? WHERE id = ?", bookedKey, id);
}

/** Makes unknown again the outcome of a segment's newest unanswered submit: the receipt that settled it was another's. */
export function reopenUnknownOutcome(
  tx: Tx,
  messageId: number,
  firstPart: number,
  recipientKey: string,
): void {
  tx.run(
    `UPDATE unaccepted_submits SET number_key = $recipientKey WHERE id =
       (SELECT max(id) FROM unaccepted_submits
        WHERE message_id = $messageId AND first_part = $firstPart AND outcome = 'UNANSWERED' AND number_key IS NULL)`,
    { messageId, firstPart, recipientKey },
  );
}

/** Ends up to `limit` unknown outcomes from before `beforeMs`: no receipt is expected for them any more. Returns how many. */
export function deleteOldUnknownOutcomes(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `UPDATE unaccepted_submits SET number_key = NULL WHERE id IN
       (SELECT id FROM unaccepted_submits WHERE number_key IS NOT NULL AND ended_at < ?
        ORDER BY ended_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}

type Ends = { readonly firstPart: number; readonly lastPart: number };

/** What a submit carried, in which attempt; null where that was not noted. */
type OfAttempt = Ends & { readonly attempt: number | null };

/** A message's submits that carried a segment which no attempt by their route got accepted. */
function stillNeeded<Submit extends OfAttempt>(
  read: Reader,
  messageId: number,
  submits: readonly Submit[],
): Submit[] {
  const accepted = new Map<number, ReadonlySet<number>>();
  const acceptedWith = (attempt: number): ReadonlySet<number> => {
    const known = accepted.get(attempt) ?? readPartsWith(read, messageId, attempt);
    accepted.set(attempt, known);
    return known;
  };
  const isMissing = ({ firstPart, lastPart, attempt }: OfAttempt): boolean => {
    const parts = acceptedWith(attempt ?? 0);
    for (let part = firstPart; part <= lastPart; part++) if (!parts.has(part)) return true;
    return false;
  };
  return submits.filter(isMissing);
}

/** Whether a message has a submit of unknown outcome that it still needs, or is with another Bendre, which has not sent it yet. */
export function hasUnknownOutcome(read: Reader, messageId: number): boolean {
  const unknown = read.all<OfAttempt>(
    `SELECT first_part AS firstPart, last_part AS lastPart, attempt FROM unaccepted_submits
     WHERE message_id = ? AND number_key IS NOT NULL`,
    messageId,
  );
  return stillNeeded(read, messageId, unknown).length > 0 || isWithPartner(read, messageId);
}

/** A response that was no acceptance. */
type Refusal = { readonly outcome: "REFUSED" | "PUT_OFF"; readonly commandStatus: number };

/** What an operator said of segments that it has not accepted: a refusal before anything else. Null where it said nothing. */
export function lastRefusal(read: Reader, messageId: number): Refusal | null {
  const refusals = read.all<Refusal & OfAttempt>(
    `SELECT outcome, command_status AS commandStatus, first_part AS firstPart, last_part AS lastPart, attempt
     FROM unaccepted_submits u WHERE message_id = ? AND command_status IS NOT NULL
     ORDER BY outcome = 'REFUSED' DESC, id DESC`,
    messageId,
  );
  return stillNeeded(read, messageId, refusals)[0] ?? null;
}

/** The command_status of the first refusal of a message; null where nothing of it was refused. */
export function firstRefusal(read: Reader, messageId: number): number | null {
  return (
    read.get<{ commandStatus: number }>(
      `SELECT command_status AS commandStatus FROM unaccepted_submits
       WHERE message_id = ? AND outcome = 'REFUSED' ORDER BY id LIMIT 1`,
      messageId,
    )?.commandStatus ?? null
  );
}

/** How often a route said "later" of a message. */
export function countPostponed(read: Reader, messageId: number, route: string): number {
  return (
    read.get<{ times: number | null }>(
      `SELECT sum(u.times) AS times FROM unaccepted_submits u JOIN submit_pdu_parameters s ON s.id = u.pdu_parameters_id
       WHERE u.message_id = $messageId AND u.outcome = 'PUT_OFF' AND s.route = $route`,
      { messageId, route },
    )?.times ?? 0
  );
}

/** A submit that the operator may have, while nothing has shown it. */
export type UnknownOutcome = {
  readonly id: number;
  readonly messageId: number;
  readonly firstPart: number;
  readonly lastPart: number;
  /** The operator code it was sent under. */
  readonly operator: string;
  /** The attempt that it belongs to, from 1; null where that was not noted. */
  readonly attempt: number | null;
  /** Unmatched receipts with a number up to this one came before it left; null where that is not known, as after a crash. */
  readonly unmatchedBefore: number | null;
  /** The row of its PDU parameters; null where that is not known. */
  readonly pduParametersId: number | null;
  /** The route that it left by; "" where that is not known, as after a crash, null of an operator without routes. */
  readonly route: string | null;
  /** What its segments cost if they were accepted, and on which day. */
  readonly costDay: string | null;
  readonly costMilli: number | null;
  /** The form of the id for which it is in the book of costs although its outcome is unknown; null: it is not. */
  readonly bookedKey: string | null;
};

/** More messages to one number than this are not told apart, and each of them costs a look at its text. */
const MAX_MESSAGES_TO_ONE_NUMBER = 12;

/** The submits of unknown outcome of a family to numbers that end alike, oldest first; none where they are of too many messages. */
export function findUnknownOutcomes(
  read: Reader,
  operators: readonly string[],
  key: string,
): UnknownOutcome[] {
  const codes = JSON.stringify(operators);
  const messages = read.all(
    `SELECT DISTINCT message_id FROM unaccepted_submits
     WHERE operator IN (SELECT value FROM json_each(?)) AND number_key = ? LIMIT ?`,
    codes,
    key,
    MAX_MESSAGES_TO_ONE_NUMBER + 1,
  );
  if (messages.length > MAX_MESSAGES_TO_ONE_NUMBER) return [];
  return read.all<UnknownOutcome>(
    `SELECT id, message_id AS messageId, first_part AS firstPart, last_part AS lastPart, operator,
       attempt, unmatched_before AS unmatchedBefore, pdu_parameters_id AS pduParametersId, route, cost_day AS costDay,
       cost_milli AS costMilli, booked_key AS bookedKey
     FROM unaccepted_submits WHERE operator IN (SELECT value FROM json_each(?)) AND number_key = ? ORDER BY id`,
    codes,
    key,
  );
}

/** The submits of unknown outcome of a family, to whatever number, up to `limit` of them in no order. */
export function sampleUnknownOutcomes(
  read: Reader,
  operators: readonly string[],
  limit: number,
): Pick<UnknownOutcome, "messageId" | "unmatchedBefore" | "pduParametersId">[] {
  return read.all(
    `SELECT message_id AS messageId, unmatched_before AS unmatchedBefore, pdu_parameters_id AS pduParametersId FROM unaccepted_submits
     WHERE operator IN (SELECT value FROM json_each(?)) AND number_key IS NOT NULL LIMIT ?`,
    JSON.stringify(operators),
    limit,
  );
}

/** Segments of submits by routes whose outcome is unknown at this moment, by operator and route. */
export function countUnknownByRoute(
  read: Reader,
): { readonly operator: string; readonly route: string; readonly segments: number }[] {
  return read.all(
    `SELECT operator, route, sum(last_part - first_part + 1) AS segments FROM unaccepted_submits
     WHERE number_key IS NOT NULL AND route IS NOT NULL AND booked_key IS NULL GROUP BY operator, route`,
  );
}

/** Whether a submit under an operator's code has an unknown outcome. */
export function hasUnknownOutcomes(read: Reader, operator: string): boolean {
  return (
    read.get("SELECT 1 FROM unaccepted_submits WHERE operator = ? AND number_key IS NOT NULL", operator) !==
    null
  );
}

/** A message that an operator may or may not have. `since`: when its first answer was overdue. */
export type MessageInDoubt = OpenMessage & { readonly since: number };

/** The position at which a page of `messagesInDoubt` ends. */
export type UnknownOutcomeCursor = { readonly endedAt: number; readonly rowId: number };

/**
 * A page of up to `limit` submits of unknown outcome after a cursor, the oldest first, with the messages that are still
 * undecided, each once: at the first of its submits. `last` is null when there are no more.
 */
export function messagesInDoubt(
  read: Reader,
  operator: string | null,
  after: UnknownOutcomeCursor,
  limit: number,
): { readonly messages: MessageInDoubt[]; readonly last: UnknownOutcomeCursor | null } {
  const rows = read.all<UnknownOutcomeCursor & { messageId: number; isFirst: number }>(
    `SELECT id AS rowId, ended_at AS endedAt, message_id AS messageId,
       NOT EXISTS (SELECT 1 FROM unaccepted_submits earlier
         WHERE earlier.message_id = u.message_id AND earlier.id < u.id AND earlier.number_key IS NOT NULL) AS isFirst
     FROM unaccepted_submits u WHERE number_key IS NOT NULL AND (ended_at, id) > (?, ?)
     ORDER BY ended_at, id LIMIT ?`,
    after.endedAt,
    after.rowId,
    limit,
  );
  const messages = rows.flatMap(({ endedAt: since, messageId, isFirst }) => {
    const message = isFirst === 1 ? openMessage(read, messageId) : null;
    return message && (operator ?? message.operator) === message.operator ? [{ ...message, since }] : [];
  });
  return { messages, last: rows.length < limit ? null : (rows.at(-1) ?? null) };
}
