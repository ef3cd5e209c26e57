/**
 * The channels of alerts (webhook, email, SMS): how each delivers one notification to one address, and its text. What fails is retried
 * by the notifier of alerts.ts.
 */

import type { SmppWorkers } from "../../channels/sms/smpp-worker.ts";
import {
  claimTestMessage,
  listAlertTextTimes,
  readTestMessage,
  type TestMessageRow,
} from "../../channels/sms/test-messages.ts";
import { readLastUnmatchedId } from "../../channels/sms/unmatched-receipts.ts";
import type { Config } from "../../config/config.ts";
import { deriveCached, type Settings } from "../../config/live-config.ts";
import { type Clock, isoUtc, wait } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Store } from "../../db/store.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import { type Phrase, phrase, said, type Text } from "../../i18n/phrase.ts";
import { renderIn, t } from "../../i18n/text.ts";
import { REGIONS } from "../../i18n/values.ts";
import { countSeptets } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import { createEndpointClient, readEndpointRules } from "../../webhooks/endpoint-client.ts";
import { readEndpointUrl } from "../../webhooks/endpoint-request.ts";
import { toSignedHeaders } from "../../webhooks/payload.ts";
import type { SendMail } from "../mail/mail.ts";
import { readAlerts } from "./alert-records.ts";
import { type AlertLanguage, type AlertSource, renderAlert } from "./alert-texts.ts";
import {
  type AddressOfChannel,
  type ChannelName,
  type NotificationEvent,
  type PendingDelivery,
  recordTestMessage,
} from "./notifications.ts";

/** An alert as the webhook sends it. */
type AlertBody = Pick<NotificationEvent, "rule" | "state" | "subject"> & {
  readonly since: string;
  readonly detail: Text;
  readonly action: Text;
  readonly host: string;
  readonly url: string;
};

function toAlertBody(
  { rule, state, subject, sinceMs, facts }: NotificationEvent,
  language: Config["alerts"]["language"],
  { host, url }: AlertSource,
): AlertBody {
  const { detail, action } = renderAlert(rule, facts);
  // Programs get values unformatted.
  const reader = { locale: language, timeZone: null };
  return {
    rule,
    state,
    subject,
    since: isoUtc(sinceMs),
    detail: t(detail, reader),
    action: t(action, reader),
    host,
    url,
  };
}

export const CHANNELS: readonly ChannelName[] = ["webhook", "email", "sms"];

/** The addresses that the configuration names. */
export function listAddresses({ webhook, email, sms }: Config["alerts"]): readonly AddressOfChannel[] {
  return [
    ...(webhook === "" ? [] : [{ channel: "webhook", recipient: "" } as const]),
    ...email.map((recipient) => ({ channel: "email", recipient }) as const),
    ...sms.map((recipient) => ({ channel: "sms", recipient }) as const),
  ];
}

export type ChannelDeps = SmsChannelDeps & {
  readonly machine: { readonly https: HttpsNetwork; readonly sendMail: SendMail };
};

export function createNotificationSender(deps: ChannelDeps): SendNotification {
  const byWebhook = createWebhookNotifier(deps);
  const byMail = createMailNotifier(deps);
  const bySms = createSmsNotifier(deps);
  return async (to, delivery, stop) => {
    const isKnown = listAddresses(deps.settings.now().alerts).some(
      ({ channel, recipient }) => channel === to.channel && recipient === to.recipient,
    );
    if (!isKnown) return failed(phrase("alarm.untold.not_configured"), { isFinal: true });
    switch (to.channel) {
      case "webhook":
        return byWebhook(to, delivery, stop);
      case "email":
        return byMail(to, delivery, stop);
      case "sms":
        return bySms(to, delivery, stop);
    }
  };
}

const GONE = 410;

function createWebhookNotifier({ settings, clock, machine, source }: ChannelDeps): SendNotification {
  // The receiver is the administrator's choice and may be in a private network.
  const client = deriveCached(
    () => readEndpointRules(settings),
    (rules) => createEndpointClient({ ...rules, allow_private_targets: true }, clock, machine.https),
  );
  return async (_, { eventId, event }, stop) => {
    const { webhook, secret, language } = settings.now().alerts;
    const read = readEndpointUrl(webhook);
    if ("fault" in read) return failed(read.fault, { isFinal: true });
    const body = JSON.stringify(toAlertBody(event, language, source));
    const keys = [{ key: readSigningKey(secret), expiresAtMs: Number.POSITIVE_INFINITY }];
    const end = await client().post(
      read.target,
      toSignedHeaders(keys, eventId, body, clock.nowMs()),
      body,
      stop,
    );
    if (end.error === null) return DELIVERED;
    return failed(end.error, { isFinal: end.status === GONE, retryAfter: end.retryAfter });
  };
}

function createMailNotifier({ settings, clock, machine, source }: ChannelDeps): SendNotification {
  return async ({ recipient }, { eventId, event, starts }, stop) => {
    const { alerts, defaults } = settings.now();
    const { from, ca_file, ...server } = alerts.smtp;
    const content = renderAlertMail({ event, starts }, alerts.language, defaults.timezone, source);
    const messageId = `${eventId}@${from.slice(from.indexOf("@") + 1)}`;
    const mail = { from, to: recipient, ...content, messageId, date: new Date(clock.nowMs()) };
    const ca = ca_file === "" ? null : settings.pem(ca_file);
    const error = await machine.sendMail({ ...server, ca }, mail, stop);
    return error === null ? DELIVERED : failed(error);
  };
}

/** `whsec_` stands before the base64 of a key, as in Standard Webhooks; any other text is one as it stands. */
function readSigningKey(secret: string): Uint8Array {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}

// The text of an alert by mail. Pure.

/** Subject and text; times are shown in a timezone. */
function renderAlertMail(
  { event, starts }: Pick<PendingDelivery, "event" | "starts">,
  language: AlertLanguage,
  timezone: string,
  { host, url }: AlertSource,
): { readonly subject: string; readonly text: string } {
  const say = (what: Phrase): string => renderIn(language, what);
  const { rule, state, sinceMs, atMs } = event;
  const { title, detail, action } = renderAlert(rule, event.facts);
  const isTest = rule === "test";
  const isOver = state === "end";
  const standing = phrase(isTest ? "alarm.state.test" : `alarm.state.${state}`);
  const when = (epochMs: number) => zoned(epochMs, language, timezone);
  const about = isTest
    ? [say(detail), "", say(action)]
    : [
        ...(isOver ? [say(phrase("alarm.mail.over")), ""] : []),
        ...(state === "repeat" ? [say(phrase("alarm.mail.still")), ""] : []),
        say(detail),
        "",
        say(phrase("alarm.mail.since", { at: when(sinceMs) })),
        ...(isOver ? [say(phrase("alarm.mail.until", { at: when(atMs) }))] : []),
        ...(isOver ? [say(phrase("alarm.mail.lasted", { time: lasted(atMs - sinceMs) }))] : []),
        ...(starts > 1 ? [say(phrase("alarm.mail.often", { starts }))] : []),
        ...(isOver ? [] : [say(phrase("alarm.mail.action", { action }))]),
      ];
  const foot = [
    say(phrase("alarm.mail.machine", { host })),
    say(phrase("alarm.mail.health", { url })),
    ...(isTest ? [] : [say(phrase("alarm.mail.more", { rule }))]),
  ];
  return {
    subject: say(phrase("alarm.mail.subject", { host, state: standing, title })),
    text: `${[...about, "", ...foot].join("\n")}\n`,
  };
}

function zoned(epochMs: number, language: AlertLanguage, timezone: string): string {
  const format = { dateStyle: "full", timeStyle: "medium", timeZone: timezone } as const;
  return `${new Intl.DateTimeFormat(REGIONS[language], format).format(epochMs)} (${timezone})`;
}

function lasted(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Alerts by SMS: a test message over a working operator, claimed in the commit that records it with its notifications. What a crashed
// process may have sent follows the policy of unanswered submits.

/** What the SMS channel needs of the operators. */
export type SmsPort = {
  /** The operator that owns a number (E.164 without "+"); null for none. */
  readonly ownerOf: (digits: string) => string | null;
  readonly testSender: SmppWorkers["testSender"];
};

type SmsChannelDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly texting: SmsPort;
  readonly source: AlertSource;
};

const HOUR_MS = 3_600_000;
/** Polling interval for the outcome of a text, and how long it is polled: operators answer within their timeout or not at all. */
const POLL_MS = 100;
const MAX_POLL_MS = 120_000;
/** The most operators tried with one alert in one attempt. */
const MAX_OPERATORS = 3;

function createSmsNotifier(deps: SmsChannelDeps): SendNotification {
  const { settings, store, clock, source } = deps;
  return async ({ recipient }, delivery, stop) => {
    const { alerts, defaults, delivery: policy } = settings.now();
    const before = readEarlierText(store, delivery);
    if (before && mayHaveArrived(before, policy.unanswered.TRANSACTIONAL)) return DELIVERED;
    const times = listAlertTextTimes(store.read, recipient, clock.nowMs() - HOUR_MS);
    const oldest = times.at(-alerts.sms_per_hour);
    if (oldest !== undefined) return { kind: "throttled", untilMs: oldest + HOUR_MS };
    const text = renderAlertSms(delivery, alerts.language, defaults.timezone, source.host);
    const operators = listOperatorsFor(deps, recipient, delivery, before?.operator ?? null).slice(
      0,
      MAX_OPERATORS,
    );
    const refusals: Phrase[] = [];
    for (const operator of operators) {
      const row = await sendBy(deps, { operator, recipient, text }, delivery, stop);
      if (stop?.aborted) return failed(phrase("alarm.untold.stopped"));
      if (row !== null && mayHaveArrived(row, policy.unanswered.TRANSACTIONAL)) return DELIVERED;
      refusals.push(toRefusal(operator, row));
      // Outcome unknown: another operator is tried at the next attempt, not at once.
      if (row === null || row.outcome === null || row.outcome === "unanswered") break;
    }
    return failed(joinPhrases(refusals) ?? phrase("alarm.untold.no_way"));
  };
}

function toRefusal(operator: string, row: TestMessageRow | null): Phrase {
  switch (row?.outcome) {
    case "refused":
    case "not_sent":
      return phrase(`alarm.untold.by.${row.outcome}`, { operator });
    default:
      return phrase("alarm.untold.by.unanswered", { operator });
  }
}

/** Joins phrases; null for none. */
function joinPhrases([first, ...others]: readonly Phrase[]): Phrase | null {
  if (first === undefined) return null;
  return others.reduce((one, other) => phrase("alarm.untold.and", { one, other }), first);
}

function readEarlierText(
  { read }: Store,
  { notifications }: Pick<PendingDelivery, "notifications">,
): TestMessageRow | null {
  const ids = notifications.flatMap(({ testId }) => testId ?? []);
  return ids.length === 0 ? null : readTestMessage(read, Math.max(...ids));
}

/** Accepted, or outcome unknown where the policy is to wait: not sent again. */
function mayHaveArrived({ outcome }: TestMessageRow, unanswered: "resend" | "wait"): boolean {
  if (outcome === "accepted") return true;
  return (outcome === null || outcome === "unanswered") && unanswered === "wait";
}

function listOperatorsFor(
  { settings, store, texting }: SmsChannelDeps,
  recipient: string,
  { event }: Pick<PendingDelivery, "event">,
  failedOver: string | null,
): string[] {
  const owner = texting.ownerOf(recipient.slice(1));
  const withAlert = new Set(
    [
      ...readAlerts(store.read).filter(({ isFiring }) => isFiring),
      ...(event.state === "end" ? [] : [event]),
    ].map(({ facts }) => facts.operator),
  );
  return rankOperators(
    Object.keys(settings.now().operators).map((code) => {
      const sender = texting.testSender(code);
      return {
        code,
        isOwner: code === owner,
        works: sender !== null && sender.obstacle(null) === null,
        hasAlert: withAlert.has(code),
        hasFailed: code === failedOver,
      };
    }),
  );
}

type AlertSms = { readonly operator: string; readonly recipient: string; readonly text: string };

/** The outcome; null where it could not be offered. */
async function sendBy(
  deps: SmsChannelDeps,
  { operator, recipient: msisdn, text }: AlertSms,
  { notifications }: Pick<PendingDelivery, "notifications">,
  stop?: AbortSignal,
): Promise<TestMessageRow | null> {
  const { settings, store, clock, newId, texting } = deps;
  const testSender = texting.testSender(operator);
  if (testSender === null) return null;
  const sender = settings.now().alerts.sms_sender;
  const ulid = newId();
  const claimedAtMs = clock.nowMs();
  const id = await store.write((tx) => {
    const unmatchedBefore = readLastUnmatchedId(tx);
    const claimed = { ulid, operator, msisdn, sender, claimedAtMs, unmatchedBefore };
    const testId = claimTestMessage(tx, { ...claimed, actor: "alarms", isAlert: true });
    for (const notification of notifications) recordTestMessage(tx, notification.id, testId);
    return testId;
  });
  const withdraw = testSender.offer({ id, msisdn, sender, text, route: null });
  const untilMs = clock.steadyMs() + MAX_POLL_MS;
  const readRow = () => readTestMessage(store.read, id);
  while (readRow()?.outcome === null && clock.steadyMs() < untilMs && !stop?.aborted)
    await wait(clock, POLL_MS);
  await withdraw();
  return readRow();
}

/** Why a number gets no more for now. */
export function toRateLimited(untilMs: number): Phrase {
  return phrase("alarm.untold.too_many", { until: untilMs });
}

// The text of an alert by SMS: one segment of the GSM alphabet. Pure.

/** Host names are cut here; their beginning says most. */
const MAX_OF_HOST = 20;

/** Host, state, since when, title, and the URL while the alert lasts. Times are shown in a timezone. */
export function renderAlertSms(
  { event, starts }: Pick<PendingDelivery, "event" | "starts">,
  language: AlertLanguage,
  timezone: string,
  host: string,
): string {
  const { rule, state, sinceMs, atMs, facts } = event;
  const say = (what: Phrase): string => inGsm(renderIn(language, what));
  const title = say(renderAlert(rule, facts).title);
  const machine = inGsm(host).slice(0, MAX_OF_HOST);
  if (rule === "test")
    return fitTitle(title, (short) =>
      say(phrase("alarm.sms.test", { host: machine, state: phrase("alarm.state.test"), title: short })),
    );
  const head = {
    host: machine,
    state: phrase(`alarm.state.${state}`),
    often: starts > 1 ? ` x${starts}` : "",
    since: formatShortTime(sinceMs, timezone),
  };
  if (state !== "end")
    return fitTitle(title, (short) => say(phrase("alarm.sms.lasts", { ...head, title: short })));
  const until = formatShortTime(atMs, timezone);
  return fitTitle(title, (short) => say(phrase("alarm.sms.over", { ...head, until, title: short })));
}

/** Fits the text into one segment by cutting the end of the title. */
function fitTitle(title: string, textWith: (title: string) => string): string {
  let short = title;
  while (short !== "" && split(textWith(short)).parts.length > 1) short = short.slice(0, -1);
  return textWith(short);
}

/** Day, month and time, as in 02/03 09:12. */
function formatShortTime(epochMs: number, timezone: string): string {
  const two = "2-digit" as const;
  const format = {
    day: two,
    month: two,
    hour: two,
    minute: two,
    hourCycle: "h23",
    timeZone: timezone,
  } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(epochMs).replace(",", "");
}

/** A text in the GSM alphabet: other characters are transliterated, lose their accent, or become "?". */
function inGsm(text: string): string {
  const isGsm = (character: string) => countSeptets(character.charCodeAt(0)) > 0;
  return [
    ...text
      .replaceAll(/[\u00a0\u202f]/g, " ")
      .replaceAll("’", "'")
      .replaceAll("\u2212", "-")
      .normalize("NFC"),
  ]
    .map((character) => (isGsm(character) ? character : ([...character.normalize("NFD")].find(isGsm) ?? "?")))
    .join("");
}

// Ranks the operators for an alert to a number. Pure.

/** An operator's current state. */
type OperatorNow = {
  readonly code: string;
  /** The operator owns the number. */
  readonly isOwner: boolean;
  /** A sending connection is up and not paused. */
  readonly works: boolean;
  /** An alert about this operator lasts, or is the one to send. */
  readonly hasAlert: boolean;
  /** It refused this alert before. */
  readonly hasFailed: boolean;
};

/**
 * Ranks working operators: the number's owner first, since not every operator carries texts to others; those with an alert or a
 * failed attempt last.
 */
export function rankOperators(operators: readonly OperatorNow[]): string[] {
  const rank = ({ isOwner, hasAlert, hasFailed }: OperatorNow) =>
    (hasFailed ? 4 : 0) + (hasAlert ? 2 : 0) + (isOwner ? 0 : 1);
  return operators
    .filter(({ works }) => works)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ code }) => code);
}

// The interface of an alert channel: addresses and delivery results.

export type DeliveryResult =
  | { readonly kind: "delivered" }
  /** It may not be delivered yet: its number had as many texts as it may have in an hour. */
  | { readonly kind: "throttled"; readonly untilMs: number }
  | {
      readonly kind: "failed";
      readonly error: Phrase;
      /** Retrying is useless. */
      readonly isFinal: boolean;
      /** What `Retry-After` asked for. */
      readonly retryAfter: string | null;
    };

const DELIVERED: DeliveryResult = { kind: "delivered" };

/** A failed result; text of the other side may be passed as it is. */
function failed(
  error: Phrase | string,
  more: { readonly isFinal?: boolean; readonly retryAfter?: string | null } = {},
): DeliveryResult {
  const why = typeof error === "string" ? said(error) : error;
  return { kind: "failed", error: why, isFinal: false, retryAfter: null, ...more };
}

/** Delivers one notification to one address. Rejects only where the database cannot be written. */
export type SendNotification = (
  to: AddressOfChannel,
  delivery: Pick<PendingDelivery, "event" | "starts" | "notifications"> & { readonly eventId: string },
  stop?: AbortSignal,
) => Promise<DeliveryResult>;
