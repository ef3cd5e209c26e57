/** How the messages of a batch fall back where its channel does not reach (docs/behaviour.md#fallback). */

import type { Config } from "../../config/config.ts";
import type { ChargeOn, Xof } from "../../core/money.ts";
import { accepted, refuse, withFaults } from "../../core/refusals.ts";
import { toLane } from "../../core/sandbox.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { compileTemplate } from "../../text/template.ts";
import type { Account } from "../accounts/accounts.ts";
import type { Fallback } from "../messages/batch-fallback.ts";
import { toStoredEncoding } from "../messages/encodings.ts";
import type { FallbackLeg } from "../messages/fallback-legs.ts";
import type { NewBatch } from "../messages/insert.ts";
import { costOf } from "../messages/message-money.ts";
import type { ChannelTerms, WeighedText } from "./intake-channel.ts";
import { normaliseNumber } from "./phone-numbers.ts";
import type { RequestRecipient } from "./recipients.ts";
import type { RejectionReason } from "./rejections.ts";
import type { BatchRequest, IntakeOutcome } from "./request.ts";
import { deriveExpiry } from "./schedule.ts";

/** The outcome of a post without an answer stays unknown for at least this long before it is given up. */
const MIN_DOUBT_MS = 600_000;

type Timed = {
  readonly config: Config;
  readonly account: Account;
  /** When the batch is to leave. */
  readonly plannedAt: number;
  readonly chargeOn: ChargeOn;
};

/** Reads the fallback of a request, or of its account for every batch; null where messages have none. */
export function readFallback(
  request: BatchRequest,
  { config, account, plannedAt, chargeOn }: Timed,
): IntakeOutcome<Fallback | null> {
  const { channel, fallback, messageClass, body, otherTags } = request;
  if (channel === "SMS") {
    if (fallback === undefined || fallback === null) return accepted(null);
    return wrong("/fallback", phrase("fault.fallback.of_sms"));
  }
  const seconds = fallback === undefined ? account.fallbackSeconds : (fallback?.after_seconds ?? null);
  if (seconds === null) return accepted(null);
  const longest = config.delivery.validity_minutes[messageClass] * 60;
  if (seconds > longest && fallback) {
    const message = phrase("fault.fallback.longest", { longest, message_class: messageClass });
    return wrong("/fallback/after_seconds", message);
  }
  const text = fallbackText(request);
  const tags = compileTemplate(body, otherTags).tags;
  const strange = compileTemplate(text, otherTags).tags.find((tag) => !tags.includes(tag));
  if (strange !== undefined) return wrong("/fallback/body", phrase("fault.fallback.tag", { tag: strange }));
  const afterMs = Math.min(seconds, longest) * 1000;
  const firstExpiresAt = deriveExpiry(config, account, messageClass, plannedAt);
  const validityMs = Math.max(
    firstExpiresAt - plannedAt,
    deriveExpiry(config, account, messageClass, firstExpiresAt) - firstExpiresAt,
  );
  return accepted({ afterMs, body: text, chargeOn, firstExpiresAt, validityMs });
}

/** The SMS text of a request with a fallback, as it is written. */
export function fallbackText({ fallback, body }: Pick<BatchRequest, "fallback" | "body">): string {
  return fallback?.body ?? withoutMarks(body);
}

function wrong(path: string, message: Phrase): IntakeOutcome<never> {
  return withFaults(refuse("VALIDATION_FAILED.fallback"), [{ path, message }]);
}

/** Until when messages of a batch with a fallback are worth sending at all: it may begin when the first leg is given up. */
export function deriveLastExpiry({ firstExpiresAt, afterMs, validityMs }: Fallback): number {
  return firstExpiresAt + Math.max(afterMs, MIN_DOUBT_MS) + validityMs;
}

/** Marks may stand around others, each of its kind once where anybody sees it. */
const MAX_LAYERS = 8;

/** A text of WhatsApp without the marks that only it shows. */
function withoutMarks(body: string): string {
  let text = body;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = text.split("\n").map(withoutLayer).join("\n");
    if (next === text) break;
    text = next;
  }
  return text;
}

/** No mark opens behind one of these, and none closes before one of those: marks stand around words, and not within one. */
const BEFORE_OPENING = /[\p{L}\p{N}{*_~]/u;
const BEHIND_CLOSING = /[\p{L}\p{N}}]/u;

/** A line without its outermost `*bold*`, `_italic_` and `~struck~`, in time that grows with its length alone. */
function withoutLayer(line: string): string {
  const characters = [...line];
  /** By mark, the places where one closes, the first at the end. */
  const closing = new Map<string, number[]>([
    ["*", []],
    ["_", []],
    ["~", []],
  ]);
  for (let at = characters.length - 1; at > 0; at--) {
    const isClosing = /\S/.test(characters[at - 1] ?? "") && !BEHIND_CLOSING.test(characters[at + 1] ?? "");
    if (isClosing) closing.get(characters[at] ?? "")?.push(at);
  }
  let shown = "";
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const places = closing.get(character);
    const isOpening =
      places !== undefined &&
      !BEFORE_OPENING.test(characters[at - 1] ?? "") &&
      /\S/.test(characters[at + 1] ?? "");
    if (isOpening) {
      while ((places.at(-1) ?? Number.POSITIVE_INFINITY) < at + 2) places.pop();
      const end = places.at(-1);
      if (end !== undefined) {
        shown += characters.slice(at + 1, end).join("");
        at = end;
        continue;
      }
    }
    shown += character;
  }
  return shown;
}

/** A fallback with its text as it would be sent, and that text before it was rewritten. */
export type PlannedFallback = FallbackLeg & Pick<WeighedText, "rendered" | "written">;

/** Plans the fallback of a recipient: why there can be no message at all, or null where the fallback does not reach. */
export type PlanFallback = (
  msisdn: string,
  recipient: RequestRecipient,
) => PlannedFallback | RejectionReason | "no price" | null;

/** Plans the fallbacks of a batch, by the terms of the channel that carries them. */
export function createFallbackPlanner(
  {
    accountId,
    fallback,
    otherTags,
  }: Pick<NewBatch, "accountId" | "otherTags"> & { readonly fallback: Fallback },
  { owner, routeOf, textFor }: ChannelTerms,
  region: string,
): PlanFallback {
  const plain = compileTemplate(fallback.body, otherTags).hasTags ? null : textFor(null);
  const wayOf = (operator: string, text: WeighedText | null): ReturnType<PlanFallback> => {
    const route = routeOf(operator);
    if (!route) return "no price";
    if (text === null || text.segments > route.maxSegments) return "TOO_MANY_SEGMENTS";
    const { rendered, written, encoding, segments } = text;
    return {
      operator: toLane(accountId, operator),
      encoding: toStoredEncoding(encoding),
      segments,
      price: route.price,
      text: rendered === fallback.body ? null : rendered,
      rendered,
      written,
    };
  };
  return (msisdn, recipient) => {
    const number = normaliseNumber(msisdn, region, owner);
    if (number.kind !== "routable") return null;
    const text = plain ?? textFor(recipient.attributes);
    return typeof text === "string" ? text : wayOf(number.operator, text);
  };
}

/** What the dearer of two legs costs more than the first: it is reserved besides. */
export function deriveExcessReservation(
  first: Parameters<typeof costOf>[0],
  second: Parameters<typeof costOf>[0] | null,
): Xof {
  return second === null ? 0 : Math.max(0, costOf(second) - costOf(first));
}
