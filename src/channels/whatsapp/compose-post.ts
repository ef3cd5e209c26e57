/** Composes posts from templates: whether a batch may be posted, what the post contains, how long Meta tries. */

import { toWhatsAppNumber } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { SendingGate } from "../../dispatch/sending-gate.ts";
import type { QueuedBatch, QueuedMessage } from "../../domain/messages/queue.ts";
import { readMessageClass } from "../../domain/messages/segments.ts";
import { normalizeText } from "../../text/segments.ts";
import { compileTemplate } from "../../text/template.ts";
import { findDirectStop, readDirectVersion } from "./category-prices.ts";
import type { NumberConfig, PostContent } from "./cloud-api.ts";
import { type BatchNote, DIRECT, META_CATEGORIES, readBatchNote } from "./match-template.ts";
import { findTemplate, readTemplatesVersion, type TemplateRecord } from "./template-rows.ts";
import { comparable, extractValues, preparePieces, splitTemplate } from "./template-text.ts";

/** Answers, from the templates, what is to be posted and whether. */
export type PostComposer = {
  /** Whether the messages of a batch may be posted: their template may be paused, gone, or of another category. */
  readonly checkGate: (read: Reader, batch: QueuedBatch) => SendingGate;
  /** The post for a message of a batch that may leave; null where the template does not allow one any more. */
  readonly postOf: (read: Reader, batch: QueuedBatch, message: QueuedMessage) => PostContent | "waits" | null;
  /** Returns another value whenever something of a number's templates was written: then held batches may leave. */
  readonly readCursor: (read: Reader, number: NumberConfig) => unknown;
  /** How long Meta tries to deliver a batch's messages, in milliseconds; null where that is not known. */
  readonly lifeMs: (read: Reader, batchId: number) => number | null;
};

/** How long a template that was read is used from memory. */
const HOLDS_MS = 5000;
const HELD: SendingGate = { kind: "held", untilMs: null };

/** Meta takes no shorter life of text without a template, in seconds. */
const MIN_LIFE = 30;

const GIVEN_UP: SendingGate = {
  kind: "given_up",
  error: { code: "TEMPLATE_UNAVAILABLE", operatorCode: null },
};

/** Composes from the templates that were read last (docs/behaviour.md#templates-of-whatsapp). */
export function createPostComposer({
  settings,
  clock,
}: {
  readonly settings: Settings;
  readonly clock: Clock;
}): PostComposer {
  const numberOf = (operator: string): NumberConfig | null =>
    settings.now().whatsapp.numbers[toWhatsAppNumber(operator) ?? ""] ?? null;
  const standingOf = (read: Reader, batch: QueuedBatch): Standing => {
    const number = numberOf(batch.operator);
    return number === null
      ? { kind: "gone" }
      : standing(read, batch, number, readBatchNote(read, batch.batchId));
  };
  const markBy = marks();
  return {
    checkGate: (read, batch) => {
      const at = standingOf(read, batch);
      if (at.kind === "gone") return GIVEN_UP;
      if (at.kind === "waits") return HELD;
      return { kind: "open", untilMs: Math.min(batch.expiresAt, clock.nowMs() + HOLDS_MS) };
    },
    postOf: (read, batch, message) => {
      const at = standingOf(read, batch);
      switch (at.kind) {
        case "gone":
          return null;
        case "waits":
          return "waits";
        case "direct":
          return directPost(batch, message, clock.nowMs());
        case "template":
          return templatePost(at, batch, message);
      }
    },
    readCursor: (read, { waba_id }) =>
      markBy(waba_id, readTemplatesVersion(read, waba_id), readDirectVersion(read)),
    lifeMs: (read, batchId) => lifeOf(read, readBatchNote(read, batchId)),
  };
}

/** Returns, by account, one object as long as both are the same, and another after that. */
function marks(): (wabaId: string, one: unknown, other: unknown) => unknown {
  const made = new Map<string, readonly [one: unknown, other: unknown]>();
  return (wabaId, one, other) => {
    const last = made.get(wabaId);
    if (last !== undefined && last[0] === one && last[1] === other) return last;
    const mark = [one, other] as const;
    made.set(wabaId, mark);
    return mark;
  };
}

type Standing =
  | { readonly kind: "gone" | "waits" | "direct" }
  | {
      readonly kind: "template";
      readonly template: TemplateRecord;
      /** The batch's body, text and placeholders in turn. */
      readonly pieces: readonly string[];
    };

/** Statuses after which a template is not sent any more. Others may change. */
const GONE: readonly string[] = ["DISABLED", "DELETED", "PENDING_DELETION", "REJECTED"];

function standing(read: Reader, batch: QueuedBatch, number: NumberConfig, note: BatchNote | null): Standing {
  if (note === null) return { kind: "gone" };
  if (note.kind === "direct") {
    if (!number.direct_send) return { kind: "gone" };
    return { kind: findDirectStop(read, batch) === null ? "direct" : "waits" };
  }
  const template = findTemplate(read, number.waba_id, note.name, note.language);
  if (template === null || GONE.includes(template.status)) return { kind: "gone" };
  const { pieces } = compileTemplate(batch.body, note.otherTags);
  if (template.category !== META_CATEGORIES[batch.messageClass] || !isTextOf(template, pieces)) {
    return { kind: "gone" };
  }
  if (isHeld(template)) return { kind: "waits" };
  return template.whyNot === null ? { kind: "template", template, pieces } : { kind: "gone" };
}

/** Whether a batch waits for its template, or for text without one, to be released by Meta or by a person. */
export function isWaitingForTemplate(
  read: Reader,
  { batchId, operator }: Pick<QueuedBatch, "batchId" | "operator">,
  wabaId: string,
): boolean {
  const note = readBatchNote(read, batchId);
  if (note === null) return false;
  if (note.kind === "direct")
    return findDirectStop(read, { operator, messageClass: readMessageClass(read, batchId) }) !== null;
  const template = findTemplate(read, wabaId, note.name, note.language);
  return template !== null && !GONE.includes(template.status) && isHeld(template);
}

function isHeld({ status, isPriceStopped }: TemplateRecord): boolean {
  return status !== "APPROVED" || isPriceStopped;
}

/** Whether a template still has the text it had when the batch was accepted: Meta lets it be changed. */
function isTextOf({ body, format }: TemplateRecord, pieces: readonly string[]): boolean {
  return comparable(splitTemplate(body), format) === comparable(pieces, format);
}

/** The post for a text that is a filled-in template; null where the template gives another text. */
export function composePost(template: TemplateRecord, text: string): PostContent | null {
  const found = extractValues(preparePieces(splitTemplate(template.body)), normalizeText(text));
  return found === null || found.some((value) => value.trim() === "") ? null : postWith(template, found);
}

function templatePost(
  { template, pieces }: Extract<Standing, { kind: "template" }>,
  { body }: QueuedBatch,
  { text }: QueuedMessage,
): PostContent | null {
  const found = template.parameters.length === 0 ? [] : extractValues(preparePieces(pieces), text ?? body);
  return found === null ? null : postWith(template, found);
}

/** `found`: the values of its parameters, in their order. */
function postWith(
  { name, language, parameters, format, copiesCode }: TemplateRecord,
  found: readonly string[],
): PostContent | null {
  if (found.length !== parameters.length) return null;
  const named = parameters.map((parameter, place) => ({ name: parameter, text: found[place] ?? "" }));
  const values =
    format === "NAMED"
      ? named
      : named
          .sort((one, other) => Number(one.name) - Number(other.name))
          .map((value) => ({ name: null, text: value.text }));
  const copiedCode = copiesCode ? (values[0]?.text ?? null) : null;
  return { kind: "template", name, language, values, copiedCode };
}

function directPost(
  { messageClass, body, expiresAt }: QueuedBatch,
  { text }: QueuedMessage,
  nowMs: number,
): PostContent | null {
  if (messageClass === "MARKETING") return null;
  const { category, longest } = DIRECT[messageClass];
  const leftSeconds = Math.floor((expiresAt - nowMs) / 1000);
  const ttlSeconds = Math.max(MIN_LIFE, Math.min(longest, leftSeconds));
  return { kind: "direct", text: text ?? body, category, ttlSeconds };
}

function lifeOf(read: Reader, note: BatchNote | null): number | null {
  if (note === null) return null;
  if (note.kind === "direct") return note.lifeSeconds * 1000;
  const template = findTemplate(read, note.wabaId, note.name, note.language);
  return template?.ttlSeconds ? template.ttlSeconds * 1000 : null;
}
