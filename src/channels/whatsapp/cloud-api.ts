/**
 * Calls Meta's Cloud API, or the server that the configuration names in its place, and reads its JSON. A post is
 * never retried here: the outcome of one that may have arrived is unknown. The token stands in the header of the
 * request and nowhere else.
 */
import type { Config } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import { parseWhole } from "../../core/parse-number.ts";
import { isRecord } from "../../core/request-shape.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import { parseTarget } from "../../https/https-request.ts";
import { type Ask, type AskEnd, asker } from "../../https/post.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { pickDecisiveCode } from "./meta-errors.ts";

type CloudDeps = {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly https: HttpsNetwork;
  /** The PEM text of a file, or null for none. */
  readonly readPem: (file: string) => string | null;
};

export type CloudClient = {
  /** Posts a message by a number. Never rejects. */
  readonly post: (
    number: Pick<NumberConfig, "phone_number_id" | "token">,
    body: string,
    stop?: AbortSignal,
  ) => Promise<PostAnswer>;
  /**
   * Reads a path behind the version, or a whole address that an answer named: no other server than the configured one is
   * called, and no token goes there. Never rejects.
   */
  readonly get: (path: string | URL, token: string, stop?: AbortSignal) => Promise<AskEnd>;
};

export type NumberConfig = Config["whatsapp"]["numbers"][string];

const MAX_ANSWER_OCTETS = 65_536;
const MAX_READ_OCTETS = 4_194_304;

export function cloudClient({ settings, clock, https, readPem }: CloudDeps): CloudClient {
  const way = deriveCached(
    () => settings.now().whatsapp,
    (whatsapp): Ask =>
      asker({
        clock,
        resolve: https.resolve,
        own: https.ownAddresses,
        request: https.request,
        // Only whoever writes the configuration names this address, and http only to this machine.
        allowPrivate: () => true,
        ca: readPem(whatsapp.ca_file),
        timeoutMs: whatsapp.response_timeout_seconds * 1000,
        isNeverTwice: true,
      }),
  );
  const unsent = (error: Phrase): AskEnd => ({ status: null, retryAfter: null, error, isUnsent: true });
  const ask = async (
    path: string | URL,
    request: Parameters<Ask>[1],
    token: string,
    stop?: AbortSignal,
  ): Promise<AskEnd> => {
    const { api, version } = settings.now().whatsapp;
    if (path instanceof URL && path.origin !== URL.parse(api)?.origin) {
      return unsent(phrase("network.other_server"));
    }
    const target = parseTarget(path instanceof URL ? path.href : `${api}/${version}/${path}`);
    if (target === null) return unsent(phrase("network.no_api_address"));
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return way()(target, { ...request, headers }, stop);
  };
  return {
    post: async (number, body, stop) => {
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body, wholeUpTo: MAX_ANSWER_OCTETS } as const;
      return readAnswer(await ask(`${number.phone_number_id}/messages`, request, number.token, stop));
    },
    get: (path, token, stop) =>
      ask(path, { method: "GET", headers: {}, body: null, wholeUpTo: MAX_READ_OCTETS }, token, stop),
  };
}

/** The result of one post. */
export type PostAnswer =
  /**
   * `isHeld`: Meta keeps it back for the quality of its template, and sends or drops it later. `waId`: what Meta calls the user, in
   * digits, which need not be the number that was written to; null where it does not say.
   */
  | {
      readonly kind: "accepted";
      readonly wamid: string;
      readonly isHeld: boolean;
      readonly waId: string | null;
    }
  /** `code`: Meta's, the decisive one where there are two; null where the answer has none that can be read. */
  | { readonly kind: "refused"; readonly code: number | null; readonly httpStatus: number }
  /** Certainly not read: there was no connection. */
  | { readonly kind: "not_read"; readonly error: Phrase }
  /** It may have been read, and no answer came. */
  | { readonly kind: "unanswered"; readonly error: Phrase };

const HELD: readonly unknown[] = ["held_for_quality_assessment", "paused"];

/** Reads how a request ended. Pure. */
export function readAnswer(end: AskEnd): PostAnswer {
  const { status, error } = end;
  if (status === null) {
    const why = error ?? phrase("link.no_post_answer");
    return { kind: end.isUnsent === true ? "not_read" : "unanswered", error: why };
  }
  const body = readFields(jsonOf(end.answer ?? ""));
  if (status >= 200 && status < 300) {
    const [message] = Array.isArray(body.messages) ? body.messages.map(readFields) : [];
    const id = message?.id;
    // An answer that was cut off, or is another server's: the post was read all the same.
    if (typeof id !== "string" || id === "")
      return { kind: "unanswered", error: phrase("link.unreadable_post_answer") };
    const [contact] = readList(body.contacts).map(readFields);
    const isHeld = HELD.includes(message?.message_status);
    return { kind: "accepted", wamid: id, isHeld, waId: readWaId(contact?.wa_id) };
  }
  const { code, error_subcode: subcode } = readFields(body.error);
  // In an answer Meta's codes are numbers; a text in their place is another server's.
  const numberOf = (value: unknown): number | null => (typeof value === "number" ? readInteger(value) : null);
  const codes = { code: numberOf(code), subcode: numberOf(subcode) };
  return { kind: "refused", code: pickDecisiveCode(codes), httpStatus: status };
}

// Renders what is posted for one message, in Meta's form.

/** The value of a template's parameter. `name`: of a template whose parameters have names; null where they are numbered. */
type TemplateValue = { readonly name: string | null; readonly text: string };

export type PostContent =
  | {
      readonly kind: "template";
      readonly name: string;
      readonly language: string;
      readonly values: readonly TemplateValue[];
      /** The code that the button copies; null: the template has no such button. */
      readonly copiedCode: string | null;
    }
  /** Free text, which some accounts may send without a template. */
  | {
      readonly kind: "direct";
      readonly text: string;
      readonly category: "utility" | "authentication";
      readonly ttlSeconds: number;
    };

/** The body of the request. `to`: the number with or without "+". */
export function renderPostBody(to: string, what: PostContent, opaque: string): string {
  const head = { messaging_product: "whatsapp", recipient_type: "individual", to: to.replace("+", "") };
  return JSON.stringify({ ...head, ...saidOf(what), biz_opaque_callback_data: opaque });
}

function saidOf(what: PostContent): object {
  if (what.kind === "direct") {
    const { text, category, ttlSeconds } = what;
    return { type: "text", text: { body: text }, category, ttl_seconds: ttlSeconds };
  }
  const { name, language, values, copiedCode } = what;
  const parameters = values.map((value) => ({
    type: "text",
    ...(value.name === null ? {} : { parameter_name: value.name }),
    text: value.text,
  }));
  const components = [
    ...(parameters.length === 0 ? [] : [{ type: "body", parameters }]),
    ...(copiedCode === null ? [] : [buttonWith(copiedCode)]),
  ];
  const template = { name, language: { code: language, policy: "deterministic" } };
  return { type: "template", template: { ...template, ...(components.length === 0 ? {} : { components }) } };
}

function buttonWith(code: string): object {
  return { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: code }] };
}

/** Encodes what comes back with every status of a post: the message's id and the number of the post. */
export function encodeOpaque(messageUlid: string, n: number): string {
  return `${messageUlid}.${n}`;
}

/** Decodes it; null for what is not ours. */
export function decodeOpaque(opaque: string): { readonly messageUlid: string; readonly n: number } | null {
  const [, messageUlid = "", digits = ""] = /^([0-9A-HJKMNP-TV-Z]{26})\.([1-9]\d{0,5})$/.exec(opaque) ?? [];
  return messageUlid === "" ? null : { messageUlid, n: Number(digits) };
}

// Reads Meta's JSON without trusting its shape. Pure.

export type Fields = Readonly<Record<string, unknown>>;

/** The value of a JSON text; null where it does not parse. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The fields of an object; none where it is no object. */
export function readFields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The year 2100, in seconds: a later time is in another unit. */
const LATEST_SECONDS = 4_102_444_800;

/** Seconds since the epoch, as a number or in digits, as epoch milliseconds; null for anything else, and for times out of range. */
export function readTime(value: unknown): number | null {
  const seconds = readInteger(value);
  return seconds !== null && seconds > 0 && seconds < LATEST_SECONDS ? seconds * 1000 : null;
}

/** A whole number from 0 on, as a number or in digits; null for anything else. */
export function readInteger(value: unknown): number | null {
  if (typeof value === "string") return parseWhole(value);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The wa_id of a user who shows a number, in digits; null for anything else. */
export function readWaId(value: unknown): string | null {
  return typeof value === "string" && /^\d{5,15}$/.test(value) ? value : null;
}

/** The elements of an array; none where it is no array. */
export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
