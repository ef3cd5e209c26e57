/** What clients submitted: the tries under one key of one API key, whatever became of them. */
import type { Account } from "./accounts.ts";
import type { Exchange } from "./exchanges.ts";
import { canonical, type Json, list, member, number, text } from "./json.ts";
import type { Channel } from "./text.ts";

export type Submission = {
  readonly account: Account;
  readonly apiKey: string;
  readonly idempotencyKey: string;
  /** By body: tries of equal JSON values are one, in the order they were first tried. */
  readonly bodies: readonly SubmittedBody[];
};

export type SubmittedBody = {
  readonly request: SubmittedRequest;
  readonly tries: readonly Exchange[];
};

/** What a body asks for, as far as it can be read. */
export type SubmittedRequest = {
  readonly sender: string;
  readonly body: string;
  readonly messageClass: string;
  readonly channel: Channel;
  /** By WhatsApp, and no template says it. */
  readonly isFree: boolean;
  /** How messages of WhatsApp go on as an SMS; null: not at all. */
  readonly fallback: { readonly afterMs: number; readonly body: string } | null;
  readonly scheduledAt: string | null;
  readonly timezone: string | null;
  readonly recipients: readonly {
    readonly msisdn: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
};

const SUBMIT_PATH = "/public/v1/batches";

/**
 * Submissions that came with a key of an account and an idempotency key, in the order of their first tries. `isOfTemplate`: whether a
 * template says a body.
 */
export function submissionsOf(
  exchanges: readonly Exchange[],
  accounts: Iterable<Account>,
  isOfTemplate: (body: string) => boolean,
): readonly Submission[] {
  const owners = new Map(
    [...accounts].flatMap((account) => account.keys.map((key) => [key.apiKey, account])),
  );
  const found = new Map<string, { account: Account; apiKey: string; key: string; tries: Exchange[] }>();
  for (const exchange of exchanges) {
    const { method, path, apiKey, headers } = exchange;
    const key = headers["idempotency-key"];
    const account = apiKey === null ? undefined : owners.get(apiKey);
    if (method !== "POST" || path !== SUBMIT_PATH || apiKey === null || !account || key === undefined)
      continue;
    const name = `${apiKey} ${key}`;
    const entry = found.get(name) ?? { account, apiKey, key, tries: [] };
    entry.tries.push(exchange);
    found.set(name, entry);
  }
  return [...found.values()].map(({ account, apiKey, key, tries }) => ({
    account,
    apiKey,
    idempotencyKey: key,
    bodies: bodiesOf(tries, isOfTemplate),
  }));
}

function bodiesOf(
  tries: readonly Exchange[],
  isOfTemplate: (body: string) => boolean,
): readonly SubmittedBody[] {
  const isOne = tries.every(({ body }, index) => index === 0 || body === tries[0]?.body);
  const same = isOne ? [tries] : [...Map.groupBy(tries, wordsOf).values()];
  return same.map((each) => ({ request: requestOf(each[0]?.json, isOfTemplate), tries: each }));
}

/** Equal JSON values have equal texts. */
function wordsOf({ json, body }: Exchange): string {
  return json === undefined ? `not JSON: ${body}` : canonical(json);
}

function requestOf(json: Json, isOfTemplate: (body: string) => boolean): SubmittedRequest {
  const body = text(json, "body") ?? "";
  const channel = text(json, "channel") === "WHATSAPP" ? "WHATSAPP" : "SMS";
  return {
    sender: text(json, "sender") ?? "",
    body,
    messageClass: text(json, "message_class") ?? "",
    channel,
    isFree: channel === "WHATSAPP" && !isOfTemplate(body),
    fallback: fallbackOf(json),
    scheduledAt: text(json, "scheduled_at"),
    timezone: text(json, "timezone"),
    recipients: list(json, "recipients").map((recipient) => ({
      msisdn: text(recipient, "msisdn") ?? "",
      attributes: (member(recipient, "attributes") ?? {}) as Record<string, unknown>,
    })),
  };
}

/** Without a text of its own the SMS says what `body` says, without the marks that only WhatsApp shows. */
function fallbackOf(json: Json): SubmittedRequest["fallback"] {
  const seconds = number(json, "fallback", "after_seconds");
  if (seconds === null) return null;
  const body = text(json, "fallback", "body") ?? (text(json, "body") ?? "").replace(/\*(\S[^*]*)\*/g, "$1");
  return { afterMs: seconds * 1000, body };
}
