/** All that is kept about one number, in one document for the person whose it is (docs/administration.md#one-persons-data). */

import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { causePhrase } from "../../core/import-row.ts";
import type { Reader } from "../../db/reader.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { EVERYWHERE } from "../../domain/accounts/suppressions.ts";
import { batchById } from "../../domain/messages/batches.ts";
import type { MessageTo } from "../../domain/messages/number-records.ts";
import type { AdminContext } from "../operations/context.ts";
import { type AboutNumber, gatherNumberData, readSoughtNumber } from "../operations/erasure/number-data.ts";
import { operation } from "../operations/operation.ts";
import { MSISDN, optional, REASON } from "../operations/parameters.ts";
import { done } from "../operations/refusal.ts";
import { recordTextAccess } from "../operations/revealed-texts.ts";
import { messageTrace } from "./message-trace.ts";

/** The most messages shown, newest first; `messages_in_all` counts all. */
const MAX_MESSAGES = 5000;

async function messagesIn(context: AdminContext, rows: readonly MessageTo[]) {
  const pause = createYielder(context.clock);
  const shown = [];
  for (const { ulid } of rows) {
    const traced = messageTrace(context, ulid, { text: true, hex: false, pcap: false });
    if (!traced.ok) continue;
    // Which way a text went to its operator is the seller's business.
    const { route_hold: _, events, ...message } = traced.value;
    shown.push({ ...message, events: events.map(({ route: __, ...told }) => told) });
    await pause();
  }
  return shown;
}

function viewOf(
  { store: { read }, clock }: AdminContext,
  msisdn: string,
  about: AboutNumber,
  messages: Awaited<ReturnType<typeof messagesIn>>,
) {
  return {
    msisdn,
    exported_at: isoUtc(clock.nowMs()),
    messages_in_all: about.messages.length,
    messages,
    rejections: about.rejections.map(({ batchId, position, reason }) => ({
      batch_id: batchUlid(read, batchId),
      index: position,
      reason_code: reason,
    })),
    /** Unreadable rows of files. */
    unreadable_rows: about.unreadable.map(({ batchId, line, written, cause, cells }) => ({
      batch_id: batchUlid(read, batchId),
      line,
      written,
      cause: causePhrase(cause) ?? cause?.code ?? "",
      attributes: cells,
    })),
    suppressions: about.suppressions.map(({ accountId, messageClass, source, createdAtMs, note }) => ({
      account_id: listName(read, accountId),
      message_class: messageClass,
      source,
      created_at: isoUtc(createdAtMs),
      note,
    })),
    /** Marketing preferences that the user set in WhatsApp itself, for each of our numbers. */
    preferences: about.preferences.map(({ operator, saidAt, isStop }) => ({
      operator,
      said_at: isoUtc(saidAt),
      value: isStop === 1 ? "stop" : "resume",
    })),
    /** Whose it is, said of the number itself: by hand or by an import. */
    ported: about.ported.map(({ operator, isByHand, sinceMs, source }) => ({
      operator,
      by: isByHand ? "override" : "import",
      since: isoUtc(sinceMs),
      source,
    })),
    inbound_texts: about.inboundTexts.map(
      ({ operator, destination, text, octets, receivedAt, times, keyword }) => ({
        received_at: isoUtc(receivedAt),
        operator,
        destination,
        text,
        octets: octets === null ? null : Buffer.from(octets).toString("hex"),
        times,
        keyword,
      }),
    ),
    inbound_segments: about.segments.map(({ operator, destination, part, total, octets, receivedAt }) => ({
      received_at: isoUtc(receivedAt),
      operator,
      destination,
      part,
      parts: total,
      octets: Buffer.from(octets).toString("hex"),
    })),
    receipts: about.receipts.map(({ operator, remoteId, rawState, receivedAt, text }) => ({
      received_at: isoUtc(receivedAt),
      operator,
      id: remoteId,
      stat: rawState,
      text,
    })),
    operator_tests: about.tests.map(({ operator, sender, claimedAtMs, receiptAtMs }) => ({
      at: isoUtc(claimedAtMs),
      operator,
      sender,
      receipt_at: isoOrNull(receiptAtMs),
    })),
    remembered_answers: about.answers.map(({ createdAt, status, text }) => ({
      answered_at: isoUtc(createdAt),
      status,
      answer: text,
    })),
    waiting_events: about.events.map(({ eventId, type, body }) => ({ event_id: eventId, type, body })),
    /** Callbacks to clients of Kannel and Jasmin about its messages: `due_at` is null where none is due yet. */
    waiting_callbacks: [
      ...about.callbacks.map(({ messageUlid, protocol, method, url, body, attempts, dueAt }) => ({
        message_id: messageUlid,
        protocol,
        method,
        url,
        body,
        attempts,
        due_at: isoUtc(dueAt),
      })),
      ...about.follows.map(({ messageUlid, protocol, method, url }) => ({
        message_id: messageUlid,
        protocol,
        method,
        url,
        body: "",
        attempts: 0,
        due_at: null,
      })),
    ],
    /** What SMPP users were answered of its messages, parts of texts to it that wait or are over, and receipts that wait. */
    smpp_answers: about.smppFollows.map(({ replyId, destination, submittedAtMs }) => ({
      id: replyId,
      destination,
      submitted_at: isoUtc(submittedAtMs),
    })),
    smpp_parts: about.smppParts.map(({ replyId, destination, state, octets, receivedAtMs }) => ({
      id: replyId,
      destination,
      state: state ?? "ENROUTE",
      octets: octets === null ? null : Buffer.from(octets).toString("hex"),
      received_at: isoUtc(receivedAtMs),
    })),
    smpp_receipts: about.smppReceipts.map(({ replyId, state }) => ({ id: replyId, stat: state })),
    audit_entries: about.audit.map(({ atMs, actor, action, subject, detail }) => ({
      at: isoUtc(atMs),
      actor,
      action,
      subject,
      detail: JSON.parse(detail) as unknown,
    })),
    /** Batches that are still being validated. */
    validating: [...new Set(about.submitted.map(({ batchId }) => batchId))].map((id) => batchUlid(read, id)),
  };
}

/** Null: the appliance-wide list. */
function listName(read: Reader, accountId: number): string | null {
  return accountId === EVERYWHERE ? null : accountUlid(read, accountId);
}

function batchUlid(read: Reader, id: number): string | null {
  return batchById(read, id)?.ulid ?? null;
}

export const DATA_EXPORT_OPERATIONS = {
  /** Exports everything about a number: messages with texts and events, inbound texts, its lists. Recorded first, with any reason. */
  "data export": operation({
    params: { msisdn: MSISDN, reason: optional(REASON) },
    run: async (context, { msisdn: typed, reason }) => {
      const number = readSoughtNumber(context, typed);
      if (!number.ok) return number;
      const about = await gatherNumberData(context, number.value);
      const messages = await messagesIn(context, about.messages.slice(0, MAX_MESSAGES));
      const { msisdn } = number.value;
      const shown = { action: "data export", subject: msisdn, detail: { messages: messages.length } };
      const noted = await recordTextAccess(context, shown, reason);
      return noted.ok ? done(viewOf(context, msisdn, about, messages)) : noted;
    },
  }),
};
