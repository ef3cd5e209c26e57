/** The ways by which alarms are told, and what is said over them. */
import type { Config } from "../../config/config.ts";
import { deriveCached } from "../../config/in-force.ts";
import { isoUtc } from "../../core/clock.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import { type Phrase, phrase, type Text } from "../../i18n/phrase.ts";
import { renderIn, t } from "../../i18n/text.ts";
import { REGIONS } from "../../i18n/values.ts";
import { readEndpointUrl } from "../../webhooks/endpoint-url.ts";
import { createEndpointClient, wayRules } from "../../webhooks/outbound.ts";
import { toSignedHeaders } from "../../webhooks/signature.ts";
import type { SendMail } from "../mail/mail.ts";
import { failed, type SendNotification, NOTIFIED } from "./channel.ts";
import type { PendingDelivery } from "./errands.ts";
import type { AddressOfChannel, ChannelName, NotificationEvent } from "./letter-rows.ts";
import { type SmsChannelDeps, createSmsNotifier } from "./sms-channel.ts";
import { type AlertLanguage, type AlertSource, renderAlert } from "./texts.ts";

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
    const end = await way().post(read.target, toSignedHeaders(keys, eventId, body, clock.nowMs()), body, stop);
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
