/** The page "Alarms": what is wrong, since when, who was notified; silence a rule, test the channels. */

import { done } from "../../../admin/operations/refusal.ts";
import { isoOrNull, isoUtc } from "../../../core/clock.ts";
import {
  ALERT_OPERATIONS,
  alertList,
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

/** The numeric settings of a rule. */
export function listLimits(
  settings: Readonly<Record<string, number | boolean>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
  );
}

/** Alerts about an account's balance, past ones too, are hidden from those who may see no money. */
function alertsPage(asked: PageContext) {
  const { context, seesMoney } = asked;
  const { store, clock, config } = context;
  const listed = alertList(context);
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
    /** Ongoing alerts. */
    alarms: views.flatMap(({ since, ...alarm }) =>
      since === null || isHidden(alarm.rule) ? [] : [{ ...alarm, since }],
    ),
    rules: Object.entries(config.alerts.rules).map(([rule, settings]) => ({
      rule,
      is_enabled: settings.enabled,
      /** Its delays and thresholds: the numbers of its rule in the configuration. */
      limits: listLimits(settings),
      /** Until when its notifications are silenced; null where they are not. */
      silenced_until: untilOf(rule),
    })),
    /** Configured channels, with whom they reach; of a webhook its host alone, for its path may be a secret. */
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
    /** Notifications sent and waiting; the newest first. */
    deliveries: listed.value.deliveries
      .filter(({ rule }) => !isHidden(rule))
      .map((one) => ({
        ...one,
        subject: one.subject && resolveSubjectName(naming, one.subject),
      })),
  };
  return told(asked, done(page));
}

export type AlertsView = Extract<ReturnType<typeof alertsPage>, { readonly ok: true }>["value"];

const MAX_SHOWN = 100;

export const ALERT_ROUTES = {
  "GET /alarms": route("alarms.read", alertsPage),
  ...operationRoutes({
    "POST /alarms/silence": ALERT_OPERATIONS["alert silence"],
    "POST /alarms/test": TRY_CHANNELS,
  }),
};
