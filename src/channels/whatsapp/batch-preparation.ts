/**
 * Prepares a batch for WhatsApp: the number that sends it, the template that its body is the text of, values, prices
 * by class; and lists the templates that it may use.
 */
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { type Config, toWhatsAppOperator } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Xof } from "../../core/money.ts";
import { accepted, refuse, toRefusal, withFaults } from "../../core/refusals.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import { type Account, accountById } from "../../domain/accounts/accounts.ts";
import { findPrice } from "../../domain/accounts/prices.ts";
import { isRegistered, isTestSender, listSenders } from "../../domain/accounts/senders.ts";
import type { NewBatch } from "../../domain/messages/insert.ts";
import type { ChannelRequest, ChannelTerms, IntakeChannel } from "../../domain/submission/intake-channel.ts";
import { prefixTable } from "../../domain/submission/phone-numbers.ts";
import type { IntakeOutcome } from "../../domain/submission/request.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { type Attributes, attributeReader, compileTemplate, render } from "../../text/template.ts";
import { findDirectStop, toPriceFault } from "./category-prices.ts";
import type { NumberConfig } from "./cloud-api.ts";
import {
  type BatchNote,
  DIRECT,
  type Matcher,
  META_CATEGORIES,
  noteText,
  readNote,
  type TemplateMatch,
  templateMatcher,
} from "./match-template.ts";
import { findTemplate, readTemplates, readTemplatesVersion, type TemplateRecord } from "./template-rows.ts";
import {
  filled,
  findValueFault,
  isTooLong,
  normalizeValue,
  preparePieces,
  readTemplate,
} from "./template-text.ts";

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

/** For a batch that was accepted before the last number left the configuration: nothing has a price. */
const NOWHERE: ChannelTerms = {
  owner: () => "whatsapp",
  routeOf: () => null,
  textFor: () => null,
  encodings: ["UTF8"],
  warnings: () => [],
};

/**
 * The templates that a sender's body may be the text of. In a sandbox a number without templates has the built-in ones; the sender of all
 * sandboxes has them beside the number's own, so that the examples in the pages work everywhere.
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

/** Warns of a change of its template's category that Meta has announced, after which its class no longer fits. */
function warningsOf(read: Reader, { channelNote, messageClass }: NewBatch): ChannelTerms["warnings"] {
  const note = readNote(channelNote);
  if (note?.kind !== "template") return () => [];
  const { wabaId, name, language } = note;
  const { movesTo = null, movesAtMs = null } = findTemplate(read, wabaId, name, language) ?? {};
  if (movesTo === null || movesAtMs === null || movesTo === META_CATEGORIES[messageClass]) return () => [];
  const detail = phrase("warning.template_moves", { name, language, category: movesTo, at: movesAtMs });
  return (recipients) => [{ code: "TEMPLATE_MOVES", detail, tag: "", nearest: null, recipients }];
}

/** The operator of a number in a served country; where no library knows the number yet, an operator's prefix has to show that it is one. */
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

/** The price of a class by a number; null, and logged, where there is none. */
function priceBy(
  { store, log }: WhatsappIntakeDeps,
  { operator, number }: NumberRoute,
  account: Account,
  messageClass: NewBatch["messageClass"],
): Xof | null {
  const price = findPrice(store.read, account.id, operator, messageClass, number.price[messageClass]);
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

/** The values of a recipient for the placeholders of a template, as they are sent. */
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

// The templates of accounts as they were read last, prepared for comparing with bodies.

type TemplateBook = (wabaId: string) => Matcher<TemplateRecord>;

/** Rebuilds an account's page when its templates were written since. */
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

// What test keys use where no number is configured, or no template of it is known yet: four built-in templates,
// and a number of no telephone, which costs nothing (docs/behaviour.md#test-keys).

const CODE_BUTTON = { type: "BUTTONS", buttons: [{ type: "URL", text: "Copier le code" }] };

const LISTED = [
  {
    name: "code_de_verification",
    category: "AUTHENTICATION",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "*{{1}}* est votre code de vérification." }, CODE_BUTTON],
  },
  {
    name: "commande_prete",
    category: "UTILITY",
    parameter_format: "NAMED",
    components: [{ type: "BODY", text: "Bonjour {{nom}}, votre commande {{commande}} est prête." }],
  },
  {
    name: "offre_du_jour",
    category: "MARKETING",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "Bonjour {{1}}, profitez de {{2}} dès aujourd'hui chez nous." }],
  },
  {
    name: "rendez_vous",
    category: "UTILITY",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "Bonjour {{1}}, nous vous attendons le {{2}} à {{3}}. À bientôt !" }],
  },
];

const NEVER_MOVED = { isPriceStopped: false, movesTo: null, movesAtMs: null };

/** The four built-in templates, as any others are stored, by name. */
const BUILT_IN_TEMPLATES: readonly TemplateRecord[] = LISTED.flatMap((each) => {
  const template = readTemplate({ ...each, language: "fr", status: "APPROVED" });
  return template === null ? [] : [{ ...template, wabaId: "", ...NEVER_MOVED, firstSeenMs: 0, syncedMs: 0 }];
});

const matchSandboxTemplate: Matcher<TemplateRecord> = templateMatcher(BUILT_IN_TEMPLATES);

/** The operator code of the number of no telephone. */
const SANDBOX_NUMBER = toWhatsAppOperator("test");

/** The number that a sandbox sends by where there is none: it knows the sender of all sandboxes. */
function toSandboxRoute(read: Reader, accountId: number, sender: string): NumberRoute {
  return {
    operator: SANDBOX_NUMBER,
    isRegistered: isRegistered(read, accountId, sender, SANDBOX_NUMBER),
    number: {
      phone_number_id: "0",
      waba_id: "",
      token: "-",
      throughput: 1,
      recipients_per_day: 0,
      portfolio: "",
      direct_send: false,
      countries: [],
      enabled: true,
      price: { OTP: 0, TRANSACTIONAL: 0, MARKETING: 0 },
    },
  };
}

/** The number that a batch is sent by. */
type NumberRoute = {
  readonly operator: string;
  readonly number: NumberConfig;
  /** False: no number knows the sender, and this one is where its messages fail. */
  readonly isRegistered: boolean;
};

/**
 * The first number of the configuration that a sender is registered with, else the first of all; null where there is none
 * (docs/behaviour.md#routes-of-whatsapp).
 */
function routeOf(
  read: Reader,
  { whatsapp }: Pick<Config, "whatsapp">,
  accountId: number,
  sender: string,
): NumberRoute | null {
  let first: NumberRoute | null = null;
  for (const [code, number] of Object.entries(whatsapp.numbers)) {
    const operator = toWhatsAppOperator(code);
    if (isRegistered(read, accountId, sender, operator)) return { operator, number, isRegistered: true };
    first ??= { operator, number, isRegistered: false };
  }
  return first;
}

/** Whether a number, as E.164 digits, is in a served country. None configured: only that of the region is. */
function isServed(digits: string, { countries }: NumberConfig, ownCode: string): boolean {
  const codes = countries.length === 0 ? [ownCode] : countries;
  return codes.some((code) => digits.startsWith(code));
}

// Lists the templates that an account's senders may send, for `GET /templates`
// (docs/behaviour.md#templates-of-whatsapp).

type ClientTemplate = {
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly body: string;
  readonly parameters: readonly string[];
  readonly parameter_format: string;
  readonly quality: string | null;
  /** The operator code of the number that sends it. */
  readonly number: string;
  readonly is_usable: boolean;
  readonly why_not: string | null;
  /** The category that Meta has announced for it, and from when on it has it; both null where it has not. */
  readonly moves_to: string | null;
  readonly moves_at: string | null;
  readonly synced_at: string;
  readonly is_sandbox: boolean;
};

type ListTemplates = (accountId: number) => readonly ClientTemplate[];

/**
 * Lists the templates of the numbers that an approved sender of an account is registered with, in the order of the
 * configuration, each by name and language. Nothing where there is no such number. A sandbox has all numbers, and the built-in
 * templates in the place of one without templates, or where there is none.
 */
export function createListTemplates(settings: Settings, { read }: Pick<Store, "read">): ListTemplates {
  const known = (accountId: number): ReadonlySet<string> =>
    new Set(
      listSenders(read, accountId)
        .filter(({ status }) => status === "APPROVED")
        .flatMap(({ operators }) => operators),
    );
  const ofNumbers = (isListed: (number: string) => boolean) =>
    Object.entries(settings.now().whatsapp.numbers).flatMap(([code, { waba_id }]) => {
      const number = toWhatsAppOperator(code);
      return isListed(number) ? [{ number, templates: readTemplates(read, waba_id) }] : [];
    });
  const inSandbox = (accountId: number) => {
    const syncedMs = accountById(read, accountId)?.createdAtMs ?? 0;
    const builtIn = BUILT_IN_TEMPLATES.map((template) => ({ ...template, syncedMs }));
    const numbers = ofNumbers(() => true);
    return numbers.length === 0
      ? [{ number: SANDBOX_NUMBER, templates: builtIn }]
      : numbers.map((one) => (one.templates.length === 0 ? { ...one, templates: builtIn } : one));
  };
  return (accountId) => {
    const registered = known(accountId);
    const pages = isSandbox(accountId) ? inSandbox(accountId) : ofNumbers((number) => registered.has(number));
    return pages.flatMap(({ number, templates }) =>
      templates.map((template) => viewOf(template, number, isSandbox(accountId))),
    );
  };
}

function viewOf(template: TemplateRecord, number: string, is_sandbox: boolean): ClientTemplate {
  const { name, language, status, category, body, parameters, format, quality, whyNot } = template;
  return {
    name,
    language,
    status,
    category,
    body,
    parameters,
    parameter_format: format,
    quality,
    number,
    is_usable: whyNot === null,
    why_not: whyNot && english(whyNot),
    moves_to: template.movesTo,
    moves_at: isoOrNull(template.movesAtMs),
    synced_at: isoUtc(template.syncedMs),
    is_sandbox,
  };
}
