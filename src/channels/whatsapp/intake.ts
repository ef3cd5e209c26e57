/** What a batch of WhatsApp comes to: the number it goes by, the template that its body is the text of, values, prices by class. */
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { deriveCached, type Settings } from "../../config/in-force.ts";
import { assert } from "../../core/assert.ts";
import { accepted, toRefusal, refuse, withFaults } from "../../core/failures.ts";
import type { Log } from "../../core/log.ts";
import type { Xof } from "../../core/money.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/read.ts";
import type { Store } from "../../db/store.ts";
import type { Account } from "../../domain/accounts/accounts.ts";
import { priceFor } from "../../domain/accounts/prices.ts";
import { isTestSender } from "../../domain/accounts/senders.ts";
import type { NewBatch } from "../../domain/messages/insert.ts";
import type { ChannelRequest, ChannelTerms, IntakeChannel } from "../../domain/submission/channel.ts";
import { prefixTable } from "../../domain/submission/prefixes.ts";
import type { IntakeOutcome } from "../../domain/submission/refusals.ts";
import { phrase } from "../../i18n/phrase.ts";
import { type Attributes, compileTemplate, render, attributeReader } from "../../text/template.ts";
import { type BatchNote, DIRECT, noteText, readNote } from "./batch-note.ts";
import { toSandboxRoute, matchSandboxTemplate } from "./built-in.ts";
import { findDirectStop } from "./direct-prices.ts";
import { filled, preparePieces } from "./filling.ts";
import { META_CATEGORIES, type Matcher, type TemplateMatch, templateMatcher } from "./match-template.ts";
import { isServed, type NumberRoute, routeOf } from "./route.ts";
import { toPriceFault } from "./template-prices.ts";
import { type TemplateRecord, findTemplate, readTemplatesVersion, readTemplates } from "./template-rows.ts";
import { isTooLong, normalizeValue, findValueFault } from "./values.ts";

type WhatsappIntakeDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
  readonly log: Log;
};

export function createWhatsAppChannel(deps: WhatsappIntakeDeps): IntakeChannel {
  const { settings, store, log } = deps;
  const book = templateBook(store.read);
  const prefixes = deriveCached(() => settings.now().operators, prefixTable);
  const route = ({ id }: Account, sender: string) =>
    routeOf(store.read, settings.now(), id, sender) ??
    (isSandbox(id) ? toSandboxRoute(store.read, id, sender) : null);
  return {
    carry: (account, request) => {
      const by = route(account, request.sender);
      if (by === null) {
        log.error("a batch was refused: no number is configured", { channel: "WHATSAPP" });
        return { ok: false, refusal: { ...toRefusal("CONFIGURATION_ERROR.channel"), isFinal: true } };
      }
      const { body, messageClass } = request;
      if (priceBy(deps, by, account, messageClass) === null) {
        return refuse("CONFIGURATION_ERROR.price");
      }
      const kept = (note: BatchNote | null) =>
        accepted({
          body,
          chargeOn: "delivered",
          channelNote: note === null ? null : noteText(note),
        } as const);
      if (!by.isRegistered) return kept(null);
      const found = matched(store.read, bookFor(account, request.sender, book), by, request);
      return found.ok ? kept(found.value) : found;
    },
    termsOf: (account, batch) => {
      const by = route(account, batch.sender);
      if (by === null) return NOWHERE;
      return {
        owner: ownerBy(by, settings.now().defaults.region, prefixes()),
        routeOf: pricesBy(deps, by, account, batch),
        textFor: textsOf(batch),
        encodings: ["UTF8"],
        warnings: warningsOf(store.read, batch),
      };
    },
  };
}

/** Of a batch that was taken before the last number left the configuration: nothing has a price. */
const NOWHERE: ChannelTerms = {
  owner: () => "whatsapp",
  routeOf: () => null,
  textFor: () => null,
  encodings: ["UTF8"],
  warnings: () => [],
};

/**
 * What a sender's body may be the text of. In a sandbox a number without templates has those that are always there; the sender of all
 * sandboxes has them beside the number's own, so that what the pages show can be tried wherever it is read.
 */
function bookFor({ id }: Account, sender: string, book: TemplateBook): TemplateBook {
  if (!isSandbox(id)) return book;
  return (wabaId) => (wanted) => {
    const match = book(wabaId)(wanted);
    if (match.kind === "no templates") return matchSandboxTemplate(wanted);
    if (match.kind === "template" || !isTestSender(id, sender)) return match;
    const builtIn = matchSandboxTemplate(wanted);
    return builtIn.kind === "template" ? builtIn : match;
  };
}

/** The template that the body is the text of, or why there is none. */
function matched(
  read: Reader,
  book: TemplateBook,
  { operator, number }: NumberRoute,
  { body, otherTags, messageClass, template: named }: ChannelRequest,
): IntakeOutcome<BatchNote> {
  const { pieces } = compileTemplate(body, otherTags);
  const match = book(number.waba_id)({ pieces, messageClass, named });
  if (match.kind === "template") {
    const { wabaId, name, language } = match.template;
    const note = { kind: "template", wabaId, name, language } as const;
    return accepted(otherTags.length === 0 ? note : { ...note, otherTags });
  }
  const mayBeFree = number.direct_send && named === null && match.kind !== "unusable";
  const unsendable = (words: ReturnType<typeof wordsOf>) =>
    withFaults(refuse("VALIDATION_FAILED.no_template"), [{ path: "/body", ...words }]);
  if (!mayBeFree || messageClass === "MARKETING") return unsendable(wordsOf(match));
  const pricedAs = findDirectStop(read, { operator, messageClass });
  if (pricedAs === null) return accepted({ kind: "direct", lifeSeconds: DIRECT[messageClass].longest });
  const message = phrase("fault.direct_stopped", { why: toPriceFault(pricedAs) });
  return unsendable({ message, template: null, expected: null, found: null });
}

function wordsOf(match: Exclude<TemplateMatch<TemplateRecord>, { kind: "template" }>) {
  if (match.kind === "no templates") {
    return { message: phrase("fault.no_templates"), template: null, expected: null, found: null };
  }
  const { name, language } = match.template;
  const template = { name, language };
  if (match.kind === "unusable") {
    const message = phrase("fault.template_unusable", { ...template, why: match.why });
    return { message, template, expected: null, found: null };
  }
  const { expected, found } = match;
  const message = phrase("fault.template_differs", { ...template, expected, found });
  return { message, template, expected, found };
}

/** A move of its template that Meta has announced, which its class does not survive. */
function warningsOf(read: Reader, { channelNote, messageClass }: NewBatch): ChannelTerms["warnings"] {
  const note = readNote(channelNote);
  if (note?.kind !== "template") return () => [];
  const { wabaId, name, language } = note;
  const { movesTo = null, movesAtMs = null } = findTemplate(read, wabaId, name, language) ?? {};
  if (movesTo === null || movesAtMs === null || movesTo === META_CATEGORIES[messageClass]) return () => [];
  const detail = phrase("warning.template_moves", { name, language, category: movesTo, at: movesAtMs });
  return (recipients) => [{ code: "TEMPLATE_MOVES", detail, tag: "", nearest: null, recipients }];
}

/** Of a number that no library knows yet, an operator's prefix has to tell that it is one. */
function ownerBy(
  { operator, number }: NumberRoute,
  region: string,
  ownerOfPrefix: ReturnType<typeof prefixTable>,
): ChannelTerms["owner"] {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const ownCode = getCountryCallingCode(region);
  return (digits, isKnown) =>
    isServed(digits, number, ownCode) && (isKnown || ownerOfPrefix(digits) !== null) ? operator : null;
}

/** One message, one segment; null for a class without a price. */
function pricesBy(
  deps: WhatsappIntakeDeps,
  by: NumberRoute,
  account: Account,
  { messageClass }: NewBatch,
): ChannelTerms["routeOf"] {
  const price = priceBy(deps, by, account, messageClass);
  return () => (price === null ? null : { price, maxSegments: 1 });
}

/** Null, and the log says so, for a class that has no price by a number. */
function priceBy(
  { store, log }: WhatsappIntakeDeps,
  { operator, number }: NumberRoute,
  account: Account,
  messageClass: NewBatch["messageClass"],
): Xof | null {
  const price = priceFor(store.read, account.id, operator, messageClass, number.price[messageClass]);
  if (price !== null) return price;
  log.error("a batch was refused: the number has no price for its class", { operator, class: messageClass });
  return null;
}

function textsOf({ body, otherTags, channelNote, messageClass }: NewBatch): ChannelTerms["textFor"] {
  const template = compileTemplate(body, otherTags);
  const note = readNote(channelNote);
  const sent = (rendered: string) =>
    ({ written: rendered, rendered, encoding: "UTF8", segments: 1 }) as const;
  if (note?.kind === "template") {
    const pieces = preparePieces(template.pieces);
    return (attributes) => {
      const valueAt = valuesFor(attributes);
      return findValueFault(pieces, valueAt, messageClass === "OTP") ?? sent(filled(pieces, valueAt));
    };
  }
  return (attributes) => {
    const rendered = render(template, attributes);
    if (rendered === null) return "RENDERED_BODY_TOO_LONG";
    if (rendered.trim() === "") return "RENDERED_BODY_EMPTY";
    return note !== null && isTooLong(rendered) ? "RENDERED_BODY_TOO_LONG" : sent(rendered);
  };
}

/** What a recipient brings for the places of a template, as it is sent. */
function valuesFor(attributes: Attributes | null): (place: string) => string {
  const valueFor = attributes === null ? () => undefined : attributeReader(attributes);
  const values = new Map<string, string>();
  return (place) => {
    const known = values.get(place);
    if (known !== undefined) return known;
    const value = valueFor(place) ?? null;
    const text = value === null ? "" : normalizeValue(String(value)).normalize("NFC");
    values.set(place, text);
    return text;
  };
}

// The templates of accounts as they were read last, ready to be compared with bodies.

type TemplateBook = (wabaId: string) => Matcher<TemplateRecord>;

/** Makes an account's page anew when its templates were written since. */
function templateBook(read: Reader): TemplateBook {
  const pages = new Map<string, { readonly mark: unknown; readonly match: Matcher<TemplateRecord> }>();
  return (wabaId) => {
    const mark = readTemplatesVersion(read, wabaId);
    const page = pages.get(wabaId);
    if (page !== undefined && page.mark === mark) return page.match;
    const match = templateMatcher(readTemplates(read, wabaId));
    pages.set(wabaId, { mark, match });
    return match;
  };
}
