/** The page "Alarms": what is wrong, since when, what was told to whom; silence a rule, try the channels. */
import { type Static, Type as t } from "typebox";
import { isoOrNull, isoUtc } from "../../base/clock.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { AlarmTrial } from "../../operations/context.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import {
  type AlarmDeliveryView,
  type AlarmView,
  alarmTrials,
  alarmViews,
  alertList,
  alertSilence,
} from "../../upkeep/alarms/alarm-commands.ts";
import { silences } from "../../upkeep/alarms/alarm-rows.ts";
import { pastAlarms } from "../../upkeep/alarms/past-alarms.ts";
import { tellsMoney } from "../alarm-money.ts";
import { namedFacts, namedSubject, namingOf } from "../named.ts";
import type { Asked } from "./asked.ts";
import { route } from "./route.ts";
import { INSTANT, WORD } from "./shapes.ts";

const SILENCE = t.Object({ rule: WORD, until: INSTANT });

/** An alarm that lasts, in the words of whoever looks. */
type AlarmShown = Omit<AlarmView, "since" | "detail" | "action"> & {
  readonly since: string;
  readonly detail: string | null;
  readonly action: string | null;
};

export type AlarmsView = {
  /** What lasts. */
  readonly alarms: readonly AlarmShown[];
  readonly rules: readonly {
    readonly rule: string;
    readonly is_enabled: boolean;
    /** Until when nothing is told of it; null where it is told. */
    readonly silenced_until: string | null;
    /** After how long, or from how much on, it is told: the numbers of its rule in the configuration. */
    readonly limits: Readonly<Record<string, number>>;
  }[];
  /** Channels that the configuration names, with whom they reach; of a webhook its host alone, for its path may be a secret. */
  readonly channels: readonly {
    readonly channel: "webhook" | "email" | "sms";
    readonly to: readonly string[];
  }[];
  readonly history: readonly {
    readonly rule: string;
    readonly subject: string | null;
    readonly detail: string;
    readonly since: string;
    readonly ended_at: string | null;
  }[];
  /** What was told to whom, and what waits; the newest first. */
  readonly deliveries: readonly (Omit<AlarmDeliveryView, "error"> & { readonly error: string | null })[];
};

/** What of a rule's settings is a number. */
export function limitsOf(
  settings: Readonly<Record<string, number | boolean>>,
): AlarmsView["rules"][number]["limits"] {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
  );
}

/** Of what an account has nothing is told to those who may see no money: neither now, nor of what was. */
function alarmsPage({ context, inTheirWords, seesMoney }: Asked): AdminOutcome<AlarmsView> {
  const { store, clock, config } = context;
  const listed = alertList(context);
  if (!listed.ok) return listed;
  const nowMs = clock.nowMs();
  const silenced = silences(store.read);
  const isHidden = (rule: string): boolean => !seesMoney && tellsMoney(rule);
  const told = (words: Phrase | null) => words && inTheirWords(words);
  const naming = namingOf(context);
  const views = alarmViews(store.read, nowMs, namedFacts(naming));
  const untilOf = (rule: string) => {
    const untilMs = silenced.get(rule) ?? 0;
    return isoOrNull(untilMs > nowMs ? untilMs : null);
  };
  const { webhook, email, sms } = config.alerts;
  return done({
    alarms: views.flatMap(({ since, ...alarm }) =>
      since === null || isHidden(alarm.rule)
        ? []
        : [{ ...alarm, since, detail: told(alarm.detail), action: told(alarm.action) }],
    ),
    rules: Object.entries(config.alerts.rules).map(([rule, settings]) => ({
      ...{ rule, is_enabled: settings.enabled, limits: limitsOf(settings) },
      silenced_until: untilOf(rule),
    })),
    channels: [
      ...(webhook === "" ? [] : [{ channel: "webhook" as const, to: [new URL(webhook).host] }]),
      ...(email.length === 0 ? [] : [{ channel: "email" as const, to: email }]),
      ...(sms.length === 0 ? [] : [{ channel: "sms" as const, to: sms }]),
    ],
    history: pastAlarms(store.read, MOST_SHOWN, namedFacts(naming))
      .filter(({ rule }) => !isHidden(rule))
      .map(({ rule, subject, detail, sinceMs, endedAtMs }) => ({
        rule,
        subject: subject === "" ? null : namedSubject(naming, subject),
        detail: inTheirWords(detail),
        since: isoUtc(sinceMs),
        ended_at: isoOrNull(endedAtMs),
      })),
    deliveries: listed.value.deliveries
      .filter(({ rule }) => !isHidden(rule))
      .map((one) => ({
        ...one,
        error: told(one.error),
        subject: one.subject && namedSubject(naming, one.subject),
      })),
  });
}

const MOST_SHOWN = 100;

/** What a channel made of a test, in the words of whoever asked. */
type AlarmTried = Omit<AlarmTrial, "outcome"> & { readonly outcome: string };

/** Tells every channel a test; what came of each. */
async function tryChannels({
  context,
  inTheirWords,
}: Asked): Promise<AdminOutcome<{ readonly channels: readonly AlarmTried[] }>> {
  const tried = await alarmTrials(context);
  if (!tried.ok) return tried;
  const { channels } = tried.value;
  return done({ channels: channels.map((one) => ({ ...one, outcome: inTheirWords(one.outcome) })) });
}

function silenceRule({ context }: Asked, { rule, until }: Static<typeof SILENCE>) {
  return alertSilence(context, rule, until);
}

export const ALARM_ROUTES = {
  "GET /alarms": route({ operation: "alarms.read" }, alarmsPage),
  "POST /alarms/silence": route({ operation: "alarms.change", body: SILENCE }, (asked, { body }) =>
    silenceRule(asked, body),
  ),
  "POST /alarms/test": route({ operation: "alarms.change" }, tryChannels),
};
