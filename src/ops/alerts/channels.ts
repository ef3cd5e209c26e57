/** The channels of alarms (webhook, email, SMS): how each delivers a notification, and its text. */

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
import { createEndpointClient, wayRules } from "../../webhooks/endpoint-client.ts";
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

/** An alarm as the webhook sends it. */
type AlarmBody = Pick<NotificationEvent, "rule" | "state" | "subject"> & {
  readonly since: string;
  readonly detail: Text;
  readonly action: Text;
  readonly host: string;
  readonly url: string;
};

function alarmBody(
  { rule, state, subject, sinceMs, facts }: NotificationEvent,
  language: Config["alerts"]["language"],
  { host, url }: AlertSource,
): AlarmBody {
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
  const byWebhook = webhookTeller(deps);
  const byMail = mailTeller(deps);
  const bySms = createSmsNotifier(deps);
  return async (to, errand, stop) => {
    const isKnown = listAddresses(deps.settings.now().alerts).some(
      ({ channel, recipient }) => channel === to.channel && recipient === to.recipient,
    );
    if (!isKnown) return failed(phrase("alarm.untold.not_configured"), { isFinal: true });
    switch (to.channel) {
      case "webhook":
        return byWebhook(to, errand, stop);
      case "email":
        return byMail(to, errand, stop);
      case "sms":
        return bySms(to, errand, stop);
    }
  };
}

const GONE = 410;

function webhookTeller({ settings, clock, machine, source }: ChannelDeps): SendNotification {
  // The receiver is the administrator's choice and may be in a private network.
  const way = deriveCached(
    () => wayRules(settings),
    (rules) => createEndpointClient({ ...rules, allow_private_targets: true }, clock, machine.https),
  );
  return async (_, { eventId, news }, stop) => {
    const { webhook, secret, language } = settings.now().alerts;
    const read = readEndpointUrl(webhook);
    if ("fault" in read) return failed(read.fault, { isFinal: true });
    const body = JSON.stringify(alarmBody(news, language, source));
    const keys = [{ key: keyOf(secret), expiresAtMs: Number.POSITIVE_INFINITY }];
    const end = await way().post(
      read.target,
      toSignedHeaders(keys, eventId, body, clock.nowMs()),
      body,
      stop,
    );
    if (end.error === null) return NOTIFIED;
    return failed(end.error, { isFinal: end.status === GONE, retryAfter: end.retryAfter });
  };
}

function mailTeller({ settings, clock, machine, source }: ChannelDeps): SendNotification {
  return async ({ recipient }, { eventId, news, starts }, stop) => {
    const { alerts, defaults } = settings.now();
    const { from, ca_file, ...server } = alerts.smtp;
    const words = alarmMail({ news, starts }, alerts.language, defaults.timezone, source);
    const messageId = `${eventId}@${from.slice(from.indexOf("@") + 1)}`;
    const mail = { from, to: recipient, ...words, messageId, date: new Date(clock.nowMs()) };
    const ca = ca_file === "" ? null : settings.pem(ca_file);
    const error = await machine.sendMail({ ...server, ca }, mail, stop);
    return error === null ? NOTIFIED : failed(error);
  };
}

/** `whsec_` stands before the base64 of a key, as in Standard Webhooks; any other text is one as it stands. */
function keyOf(secret: string): Uint8Array {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}

// The text of an alarm by mail. Pure.

/** Subject and text; times are shown in a timezone. */
function alarmMail(
  { news, starts }: Pick<PendingDelivery, "news" | "starts">,
  language: AlertLanguage,
  timezone: string,
  { host, url }: AlertSource,
): { readonly subject: string; readonly text: string } {
  const say = (what: Phrase): string => renderIn(language, what);
  const { rule, state, sinceMs, atMs } = news;
  const { title, detail, action } = renderAlert(rule, news.facts);
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

// Alarms by SMS: a test message over a working operator, claimed in the commit that records it with its notifications. What a crashed
// process may have sent follows the policy of unanswered submits.

/** What the SMS channel needs of the operators. */
export type SmsPort = {
  /** The operator that owns a number (E.164 without "+"); null for none. */
  readonly ownerOf: (digits: string) => string | null;
  readonly trials: SmppWorkers["testSender"];
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
const LOOK_MS = 100;
const MAX_LOOK_MS = 120_000;
/** The most operators tried with one alarm in one attempt. */
const MAX_WAYS = 3;

function createSmsNotifier(deps: SmsChannelDeps): SendNotification {
  const { settings, store, clock, source } = deps;
  return async ({ recipient }, errand, stop) => {
    const { alerts, defaults, delivery } = settings.now();
    const before = textBefore(store, errand);
    if (before && mayHaveArrived(before, delivery.unanswered.TRANSACTIONAL)) return NOTIFIED;
    const times = listAlertTextTimes(store.read, recipient, clock.nowMs() - HOUR_MS);
    const oldest = times.at(-alerts.sms_per_hour);
    if (oldest !== undefined) return { kind: "later", untilMs: oldest + HOUR_MS };
    const text = renderAlertSms(errand, alerts.language, defaults.timezone, source.host);
    const ways = waysFor(deps, recipient, errand, before?.operator ?? null).slice(0, MAX_WAYS);
    const refusals: Phrase[] = [];
    for (const operator of ways) {
      const came = await sendOver(deps, { operator, recipient, text }, errand, stop);
      if (stop?.aborted) return failed(phrase("alarm.untold.stopped"));
      if (came !== null && mayHaveArrived(came, delivery.unanswered.TRANSACTIONAL)) return NOTIFIED;
      refusals.push(refusalOver(operator, came));
      // Outcome unknown: another operator is tried at the next attempt, not at once.
      if (came === null || came.outcome === null || came.outcome === "unanswered") break;
    }
    return failed(allOf(refusals) ?? phrase("alarm.untold.no_way"));
  };
}

function refusalOver(operator: string, came: TestMessageRow | null): Phrase {
  switch (came?.outcome) {
    case "refused":
    case "not_sent":
      return phrase(`alarm.untold.by.${came.outcome}`, { operator });
    default:
      return phrase("alarm.untold.by.unanswered", { operator });
  }
}

/** Joins phrases; null for none. */
function allOf([first, ...others]: readonly Phrase[]): Phrase | null {
  if (first === undefined) return null;
  return others.reduce((one, other) => phrase("alarm.untold.and", { one, other }), first);
}

function textBefore({ read }: Store, { letters }: Pick<PendingDelivery, "letters">): TestMessageRow | null {
  const ids = letters.flatMap(({ testId }) => testId ?? []);
  return ids.length === 0 ? null : readTestMessage(read, Math.max(...ids));
}

/** Accepted, or outcome unknown where the policy is to wait: not sent again. */
function mayHaveArrived({ outcome }: TestMessageRow, unanswered: "resend" | "wait"): boolean {
  if (outcome === "accepted") return true;
  return (outcome === null || outcome === "unanswered") && unanswered === "wait";
}

function waysFor(
  { settings, store, texting }: SmsChannelDeps,
  recipient: string,
  { news }: Pick<PendingDelivery, "news">,
  failedOver: string | null,
): string[] {
  const owner = texting.ownerOf(recipient.slice(1));
  const alarmed = new Set(
    [
      ...readAlerts(store.read).filter(({ isFiring }) => isFiring),
      ...(news.state === "end" ? [] : [news]),
    ].map(({ facts }) => facts.operator),
  );
  return rankOperators(
    Object.keys(settings.now().operators).map((code) => {
      const line = texting.trials(code);
      return {
        code,
        isOwner: code === owner,
        works: line !== null && line.obstacle() === null,
        isAlarmed: alarmed.has(code),
        hasFailed: code === failedOver,
      };
    }),
  );
}

type AlertSms = { readonly operator: string; readonly recipient: string; readonly text: string };

/** The outcome; null where it could not be offered. */
async function sendOver(
  deps: SmsChannelDeps,
  { operator, recipient: msisdn, text }: AlertSms,
  { letters }: Pick<PendingDelivery, "letters">,
  stop?: AbortSignal,
): Promise<TestMessageRow | null> {
  const { settings, store, clock, newId, texting } = deps;
  const line = texting.trials(operator);
  if (line === null) return null;
  const sender = settings.now().alerts.sms_sender;
  const ulid = newId();
  const claimedAtMs = clock.nowMs();
  const id = await store.write((tx) => {
    const unmatchedBefore = readLastUnmatchedId(tx);
    const claimed = { ulid, operator, msisdn, sender, claimedAtMs, unmatchedBefore };
    const testId = claimTestMessage(tx, { ...claimed, actor: "alarms", isAlert: true });
    for (const letter of letters) recordTestMessage(tx, letter.id, testId);
    return testId;
  });
  const takeBack = line.offer({ id, msisdn, sender, text });
  const untilMs = clock.steadyMs() + MAX_LOOK_MS;
  const row = () => readTestMessage(store.read, id);
  while (row()?.outcome === null && clock.steadyMs() < untilMs && !stop?.aborted) await wait(clock, LOOK_MS);
  await takeBack();
  return row();
}

/** Why a number gets no more for now. */
export function tooMany(untilMs: number): Phrase {
  return phrase("alarm.untold.too_many", { until: untilMs });
}

// The text of an alarm by SMS: one segment of the GSM alphabet. Pure.

/** Host names are cut here; their beginning says most. */
const MAX_OF_HOST = 20;

/** Host, state, since when, title, and the URL while the alarm lasts. Times are shown in a timezone. */
export function renderAlertSms(
  { news, starts }: Pick<PendingDelivery, "news" | "starts">,
  language: AlertLanguage,
  timezone: string,
  host: string,
): string {
  const { rule, state, sinceMs, atMs, facts } = news;
  const say = (what: Phrase): string => inGsm(renderIn(language, what));
  const title = say(renderAlert(rule, facts).title);
  const machine = inGsm(host).slice(0, MAX_OF_HOST);
  if (rule === "test")
    return fitted(title, (kept) =>
      say(phrase("alarm.sms.test", { host: machine, state: phrase("alarm.state.test"), title: kept })),
    );
  const head = {
    host: machine,
    state: phrase(`alarm.state.${state}`),
    often: starts > 1 ? ` x${starts}` : "",
    since: when(sinceMs, timezone),
  };
  if (state !== "end")
    return fitted(title, (kept) => say(phrase("alarm.sms.lasts", { ...head, title: kept })));
  const until = when(atMs, timezone);
  return fitted(title, (kept) => say(phrase("alarm.sms.over", { ...head, until, title: kept })));
}

/** Fits the text into one segment by cutting the end of the title. */
function fitted(title: string, textWith: (title: string) => string): string {
  let kept = title;
  while (kept !== "" && split(textWith(kept)).parts.length > 1) kept = kept.slice(0, -1);
  return textWith(kept);
}

/** Day, month and time, as in 02/03 09:12. */
function when(epochMs: number, timezone: string): string {
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
  const has = (character: string) => countSeptets(character.charCodeAt(0)) > 0;
  return [
    ...text
      .replaceAll(/[\u00a0\u202f]/g, " ")
      .replaceAll("’", "'")
      .normalize("NFC"),
  ]
    .map((character) => (has(character) ? character : ([...character.normalize("NFD")].find(has) ?? "?")))
    .join("");
}

// Ranks the operators for an alarm to a number. Pure.

/** An operator's current state. */
type OperatorNow = {
  readonly code: string;
  /** The operator owns the number. */
  readonly isOwner: boolean;
  /** A sending connection is up and not paused. */
  readonly works: boolean;
  /** An alarm about this operator lasts, or is the one to send. */
  readonly isAlarmed: boolean;
  /** It refused this alarm before. */
  readonly hasFailed: boolean;
};

/**
 * Ranks working operators: the number's owner first, since not every operator carries texts to others; those with an alarm or a
 * failed attempt last.
 */
export function rankOperators(operators: readonly OperatorNow[]): string[] {
  const rank = ({ isOwner, isAlarmed, hasFailed }: OperatorNow) =>
    (hasFailed ? 4 : 0) + (isAlarmed ? 2 : 0) + (isOwner ? 0 : 1);
  return operators
    .filter(({ works }) => works)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ code }) => code);
}

// The interface of an alert channel: addresses and delivery results.

export type DeliveryResult =
  | { readonly kind: "told" }
  /** It may not be delivered yet. */
  | { readonly kind: "later"; readonly untilMs: number }
  | {
      readonly kind: "failed";
      readonly error: Phrase;
      /** Retrying is useless. */
      readonly isFinal: boolean;
      /** What `Retry-After` asked for. */
      readonly retryAfter: string | null;
    };

const NOTIFIED: DeliveryResult = { kind: "told" };

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
  errand: Pick<PendingDelivery, "news" | "starts" | "letters"> & { readonly eventId: string },
  stop?: AbortSignal,
) => Promise<DeliveryResult>;
