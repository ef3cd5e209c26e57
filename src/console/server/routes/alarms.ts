/** The page "Alarms": what is wrong, since when, who was notified; silence a rule, test the channels. */

import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { isoOrNull, isoUtc } from "../../../core/clock.ts";
import type { Told } from "../../../i18n/phrase.ts";
import {
  ALERT_OPERATIONS,
  type AlertView,
  alertList,
  type NotificationView,
  TRY_CHANNELS,
  toAlertViews,
} from "../../../ops/alerts/alert-operations.ts";
import { readPastAlerts, silences } from "../../../ops/alerts/alert-records.ts";
import {
  createNameResolver,
  resolveFactNames,
  resolveSubjectName,
  revealsBalance,
} from "../display-names.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, told } from "./request-context.ts";
import { route } from "./route.ts";

/** An ongoing alarm, in the reader's words. */
type AlarmShown = Told<AlertView> & { readonly since: string };

export type AlarmsView = {
  /** Ongoing alarms. */
  readonly alarms: readonly AlarmShown[];
  readonly rules: readonly {
    readonly rule: string;
    readonly is_enabled: boolean;
    /** Until when its notifications are silenced; null where they are not. */
    readonly silenced_until: string | null;
    /** Its delays and thresholds: the numbers of its rule in the configuration. */
    readonly limits: Readonly<Record<string, number>>;
  }[];
  /** Configured channels, with whom they reach; of a webhook its host alone, for its path may be a secret. */
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
  /** Notifications sent and waiting; the newest first. */
  readonly deliveries: readonly Told<NotificationView>[];
};

/** The numeric settings of a rule. */
export function limitsOf(
  settings: Readonly<Record<string, number | boolean>>,
): AlarmsView["rules"][number]["limits"] {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
  );
}

/** Alarms about an account's balance, past ones too, are hidden from those who may see no money. */
function alarmsPage(asked: PageContext): AdminOutcome<AlarmsView> {
  const { context, seesMoney } = asked;
  const { store, clock, config } = context;
  const listed = alertList(context);
  if (!listed.ok) return listed;
  const nowMs = clock.nowMs();
  const silenced = silences(store.read);
  const isHidden = (rule: string): boolean => !seesMoney && revealsBalance(rule);
  const naming = createNameResolver(context);
  const views = toAlertViews(store.read, nowMs, resolveFactNames(naming));
  const untilOf = (rule: string) => {
    const untilMs = silenced.get(rule) ?? 0;
    return isoOrNull(untilMs > nowMs ? untilMs : null);
  };
  const { webhook, email, sms } = config.alerts;
  const page = {
    alarms: views.flatMap(({ since, ...alarm }) =>
      since === null || isHidden(alarm.rule) ? [] : [{ ...alarm, since }],
    ),
    rules: Object.entries(config.alerts.rules).map(([rule, settings]) => ({
      rule,
      is_enabled: settings.enabled,
      limits: limitsOf(settings),
      silenced_until: untilOf(rule),
    })),
    channels: [
      ...(webhook === "" ? [] : [{ channel: "webhook" as const, to: [new URL(webhook).host] }]),
      ...(email.length === 0 ? [] : [{ channel: "email" as const, to: email }]),
      ...(sms.length === 0 ? [] : [{ channel: "sms" as const, to: sms }]),
    ],
    history: readPastAlerts(store.read, MAX_SHOWN, resolveFactNames(naming))
      .filter(({ rule }) => !isHidden(rule))
      .map(({ rule, subject, detail, sinceMs, endedAtMs }) => ({
        rule,
        subject: subject === "" ? null : resolveSubjectName(naming, subject),
        detail,
        since: isoUtc(sinceMs),
        ended_at: isoOrNull(endedAtMs),
      })),
    deliveries: listed.value.deliveries
      .filter(({ rule }) => !isHidden(rule))
      .map((one) => ({
        ...one,
        subject: one.subject && resolveSubjectName(naming, one.subject),
      })),
  };
  return told(asked, done(page));
}

const MAX_SHOWN = 100;

export const ALARM_ROUTES = {
  "GET /alarms": route("alarms.read", alarmsPage),
  ...operationRoutes({
    "POST /alarms/silence": ALERT_OPERATIONS["alert silence"],
    "POST /alarms/test": TRY_CHANNELS,
  }),
};
