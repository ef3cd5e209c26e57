/** The ways by which alarms are told, and what is said over them. */

import type { SmppWorkers } from "../../channels/sms/smpp-workers.ts";
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
import type { HttpsNetwork } from "../../https/resolve.ts";
import { type Phrase, phrase, said, type Text } from "../../i18n/phrase.ts";
import { renderIn, t } from "../../i18n/text.ts";
import { REGIONS } from "../../i18n/values.ts";
import { countSeptets } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import { createEndpointClient, wayRules } from "../../webhooks/endpoint-client.ts";
import { readEndpointUrl } from "../../webhooks/endpoint-request.ts";
import { toSignedHeaders } from "../../webhooks/signing.ts";
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

/** An alarm as programs are told it. */
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
  // Programs read values as they are.
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

/** Whom the configuration names. */
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
  // An alarm goes to whom the administrator says, who may well be in a private network.
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

// What an alarm says by mail. Pure.

/** Its subject and its text; times are those of a zone. */
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

// Alarms by SMS: a text of the house over an operator that works, claimed in the commit that notes it with its letters. What a process
// that died may have sent goes by the policy of unanswered submits.

/** What SMS needs of the operators. */
export type SmsPort = {
  /** The operator that a number (E.164 without "+") is of; null for none. */
  readonly ownerOf: (digits: string) => string | null;
  readonly trials: SmppWorkers["trials"];
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
/** Between two looks at what came of a text, and how long it is looked for: operators answer within their time or not at all. */
const LOOK_MS = 100;
const MAX_LOOK_MS = 120_000;
/** So many operators are given one alarm in one go. */
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
      // In doubt: another goes at the next attempt, not at once.
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

/** One after the other; null of none. */
function allOf([first, ...others]: readonly Phrase[]): Phrase | null {
  if (first === undefined) return null;
  return others.reduce((one, other) => phrase("alarm.untold.and", { one, other }), first);
}

function textBefore({ read }: Store, { letters }: Pick<PendingDelivery, "letters">): TestMessageRow | null {
  const ids = letters.flatMap(({ trialId }) => trialId ?? []);
  return ids.length === 0 ? null : readTestMessage(read, Math.max(...ids));
}

/** Taken, or in doubt where a doubt is waited for: it is not sent once more. */
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
        works: line !== null && line.hindrance() === null,
        isAlarmed: alarmed.has(code),
        hasFailed: code === failedOver,
      };
    }),
  );
}

type AlertSms = { readonly operator: string; readonly recipient: string; readonly text: string };

/** What came of it; null where it could not be offered. */
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
    const parkedBefore = readLastUnmatchedId(tx);
    const claimed = { ulid, operator, msisdn, sender, claimedAtMs, parkedBefore };
    const trialId = claimTestMessage(tx, { ...claimed, actor: "alarms", isAlarm: true });
    for (const letter of letters) recordTestMessage(tx, letter.id, trialId);
    return trialId;
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

// What an alarm says by SMS: one segment of the GSM alphabet. Pure.

/** Names of machines may be long, and say most at their beginning. */
const MAX_OF_HOST = 20;

/** The machine, how it stands, since when, what; and where to look while it lasts. Times are those of a zone. */
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

/** All of it in one segment, the end of the title cut off where there is no room for it. */
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

/** A text in the GSM alphabet: what is not in it is written as it was before there was such, loses its accent, or is "?". */
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

// Over which operators an alarm goes to a number. Pure.

/** What is known of an operator at this moment. */
type OperatorNow = {
  readonly code: string;
  /** The number is one of its own. */
  readonly isOwner: boolean;
  /** A connection that sends is up and may send. */
  readonly works: boolean;
  /** An alarm of its own lasts, or this is one. */
  readonly isAlarmed: boolean;
  /** It was given this alarm before, and did not take it. */
  readonly hasFailed: boolean;
};

/**
 * Those that work: the owner of the number first, since not every operator carries texts to others; those that something is wrong
 * with, or that did not take it before, last.
 */
export function rankOperators(operators: readonly OperatorNow[]): string[] {
  const rank = ({ isOwner, isAlarmed, hasFailed }: OperatorNow) =>
    (hasFailed ? 4 : 0) + (isAlarmed ? 2 : 0) + (isOwner ? 0 : 1);
  return operators
    .filter(({ works }) => works)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ code }) => code);
}

// What a channel for alarms is: whom it tells, and what came of it.

export type DeliveryResult =
  | { readonly kind: "told" }
  /** It may not be told yet. */
  | { readonly kind: "later"; readonly untilMs: number }
  | {
      readonly kind: "failed";
      readonly error: Phrase;
      /** It is of no use to try again. */
      readonly isFinal: boolean;
      /** What `Retry-After` asked for. */
      readonly retryAfter: string | null;
    };

const NOTIFIED: DeliveryResult = { kind: "told" };

/** What somebody else said may be given as it is. */
function failed(
  error: Phrase | string,
  more: { readonly isFinal?: boolean; readonly retryAfter?: string | null } = {},
): DeliveryResult {
  const why = typeof error === "string" ? said(error) : error;
  return { kind: "failed", error: why, isFinal: false, retryAfter: null, ...more };
}

/** Tells one address one thing. Never rejects, but where the database cannot be written. */
export type SendNotification = (
  to: AddressOfChannel,
  errand: Pick<PendingDelivery, "news" | "starts" | "letters"> & { readonly eventId: string },
  stop?: AbortSignal,
) => Promise<DeliveryResult>;
