/** The ways by which alarms are told, and what is said over them. */
import type { Clock } from "../../base/clock.ts";
import { isoUtc } from "../../base/clock.ts";
import type { Config } from "../../config/config.ts";
import { derived, type Settings } from "../../config/in-force.ts";
import type { PostEnd } from "../../https/post.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import { readEndpointUrl } from "../../webhooks/endpoint-url.ts";
import { outbound, wayRules } from "../../webhooks/outbound.ts";
import { messageHeaders } from "../../webhooks/signature.ts";
import type { AlarmNews } from "./lifecycle.ts";
import type { RuleName } from "./rules.ts";
import { alarmWords } from "./texts.ts";

/** Where an alarm comes from: the name of the machine, and where its health is shown. */
export type AlarmSource = { readonly host: string; readonly url: string };

/** An alarm as every channel tells it. */
export type AlarmBody = {
  readonly rule: RuleName | "test";
  readonly state: AlarmNews["state"];
  readonly subject: string;
  readonly since: string;
  readonly detail: string;
  readonly action: string;
  readonly host: string;
  readonly url: string;
};

export function alarmBody(
  { rule, state, subject, sinceMs, facts }: Omit<AlarmNews, "rule"> & { readonly rule: RuleName | "test" },
  language: Config["alerts"]["language"],
  { host, url }: AlarmSource,
): AlarmBody {
  const words = alarmWords(language, rule, facts);
  return { rule, state, subject, since: isoUtc(sinceMs), ...words, host, url };
}

/** The channels that the configuration has. */
export function channelsOf({ webhook }: Config["alerts"]): readonly string[] {
  return webhook === "" ? [] : ["webhook"];
}

/** Tells one letter over one channel. Never rejects. */
export type TellAlarm = (
  channel: string,
  letter: { readonly eventId: string; readonly body: string },
  stop?: AbortSignal,
) => Promise<PostEnd>;

export type ChannelDeps = {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly https: HttpsNetwork;
};

export function tellAlarms({ settings, clock, https }: ChannelDeps): TellAlarm {
  // An alarm goes to whom the administrator says, who may well be in a private network.
  const way = derived(
    () => wayRules(settings),
    (rules) => outbound({ ...rules, allow_private_targets: true }, clock, https),
  );
  return async (channel, { eventId, body }, stop) => {
    const { webhook, secret } = settings.now().alerts;
    const read = readEndpointUrl(webhook);
    if (channel !== "webhook" || "fault" in read) return gone(`${channel} is not configured any more`);
    const keys = [{ key: keyOf(secret), expiresAtMs: Number.POSITIVE_INFINITY }];
    return way().post(read.target, messageHeaders(keys, eventId, body, clock.nowMs()), body, stop);
  };
}

/** An answer that is not asked for again. */
function gone(error: string): PostEnd {
  return { status: 410, retryAfter: null, error };
}

/** `whsec_` stands before the base64 of a key, as in Standard Webhooks; any other text is one as it stands. */
function keyOf(secret: string): Uint8Array {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}
