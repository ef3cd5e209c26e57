/** Operations on alerts: list, test and silence. */

import { change } from "../../admin/operations/change.ts";
import type { AdminContext, TestNotification } from "../../admin/operations/context.ts";
import { operation } from "../../admin/operations/operation.ts";
import { readFutureInstant, text, word } from "../../admin/operations/parameters.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "../../admin/operations/refusal.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { readAlerts, silence, silences } from "./alert-records.ts";
import { renderAlert } from "./alert-texts.ts";
import { latestDeliveries, type NotificationRecord, noteTest, purgeNotifications } from "./notifications.ts";
import { type AlertFacts, RULE_NAMES, type RuleName } from "./rules.ts";

export type AlertView = {
  readonly rule: string;
  /** What it is about; null for a rule that does not fire, or has a single subject. */
  readonly subject: string | null;
  readonly state: "firing" | "silenced" | "ok";
  readonly since: string | null;
  readonly detail: Phrase | null;
  readonly action: Phrase | null;
};

/** Converts facts for display. */
type Facts = (facts: AlertFacts) => AlertFacts;

/**
 * Every current alert, and every rule without one. `named`: converts facts for display; commands take codes all the
 * same.
 */
export function toAlertViews(read: Reader, nowMs: number, named: Facts = (facts) => facts): AlertView[] {
  const silenced = silences(read);
  const firing = Map.groupBy(
    readAlerts(read).filter(({ isFiring }) => isFiring),
    ({ rule }) => rule,
  );
  return RULE_NAMES.flatMap((rule): AlertView[] => {
    const isSilenced = (silenced.get(rule) ?? 0) > nowMs;
    const lasting = firing.get(rule) ?? [];
    const nothing = { subject: null, since: null, detail: null, action: null };
    if (lasting.length === 0) return [{ rule, ...nothing, state: isSilenced ? "silenced" : "ok" }];
    return lasting.map(({ subject, sinceMs, facts }) => ({
      rule,
      subject: subject === "" ? null : subject,
      state: isSilenced ? "silenced" : "firing",
      since: isoUtc(sinceMs),
      detail: renderAlert(rule, named(facts)).detail,
      action: renderAlert(rule, facts).action,
    }));
  });
}

export function alertList({ store, clock }: AdminContext) {
  const alerts = toAlertViews(store.read, clock.nowMs());
  return done({ alerts, deliveries: latestDeliveries(store.read, MAX_DELIVERIES).map(deliveryView) });
}

/** How many deliveries are shown. */
const MAX_DELIVERIES = 20;

/** A past or pending notification, as shown. */
function deliveryView({ recipient, subject, atMs, endedAtMs, attempts, ...rest }: NotificationRecord) {
  const { channel, rule, state, outcome, error, by } = rest;
  return {
    channel,
    recipient: recipient === "" ? null : recipient,
    rule,
    subject: subject === "" ? null : subject,
    state,
    at: isoUtc(atMs),
    outcome: outcome === "given up" ? "given_up" : (outcome ?? "waiting"),
    ended_at: isoOrNull(endedAtMs),
    // Failed attempts are counted as they fail; the last, successful one is added.
    attempts: attempts + (outcome === "told" ? 1 : 0),
    error,
    /** Who asked for a test; null for an alert. */
    by,
  };
}

/** Sends a test over every channel now, and records the results with the notifications. */
async function testChannels(
  context: AdminContext,
): Promise<AdminOutcome<{ readonly channels: readonly TestNotification[] }>> {
  const { server, store, newId, actor: by } = context;
  if (!server) return serverNotRunning(store.directory);
  const channels = await server.testAlerts();
  if (channels.length === 0) return done({ channels });
  const eventId = newId();
  return change(context, (tx, atMs) => {
    for (const { channel, recipient, delivered, outcome } of channels)
      noteTest(tx, { channel, recipient, eventId, by, atMs, error: delivered ? null : outcome });
    purgeNotifications(tx, atMs);
    const failed = channels.filter(({ delivered }) => !delivered).length;
    const detail = { told: channels.length - failed, failed };
    return done({ value: { channels }, audit: { action: "alert test", subject: "alerts", detail } });
  });
}

/** The same for the command: refused where there is no channel or one did not take it. */
async function alertTest(
  context: AdminContext,
): Promise<AdminOutcome<{ readonly channels: readonly TestNotification[] }>> {
  const tried = await testChannels(context);
  if (!tried.ok) return tried;
  const { channels } = tried.value;
  if (channels.length === 0) return refuse("NO_CHANNEL");
  const failed = channels.find(({ delivered }) => !delivered);
  if (failed) return refuse("ALARM_NOT_TOLD", { address: addressText(failed), error: failed.outcome });
  return done({ channels });
}

function addressText({ channel, recipient }: TestNotification): string {
  return recipient === "" ? channel : `${channel} ${recipient}`;
}

/** Silences a rule until a time; a past time ends an earlier silence. */
function alertSilence(
  context: AdminContext,
  name: string,
  until: string,
): Promise<AdminOutcome<{ readonly rule: string; readonly until: string }>> {
  return change(context, (tx, nowMs) => {
    const rule = findRule(name);
    if (rule === null) return refuse("RULE_UNKNOWN", { rule: name, known: RULE_NAMES.join(", ") });
    const time = readFutureInstant(until, context.config.defaults.timezone, nowMs);
    if (!time.ok) return time;
    const untilMs = time.value;
    // A past time ends a silence. Without one to end it is taken for a mistake, such as a wrong year.
    if (untilMs <= nowMs && (silences(tx).get(rule) ?? 0) <= nowMs) {
      return refuse("INVALID_TIME.not_silenced", { until: untilMs, rule });
    }
    silence(tx, rule, untilMs);
    const value = { rule, until: isoUtc(untilMs) };
    const detail = { until: value.until };
    return done({ value, audit: { action: "alert silence", subject: rule, detail } });
  });
}

function findRule(name: string): RuleName | null {
  return RULE_NAMES.find((rule) => rule === name) ?? null;
}

export const ALERT_OPERATIONS = {
  "alert list": operation({
    does: "reads",
    params: {},
    run: alertList,
  }),
  "alert test": operation({
    needsServer: true,
    params: {},
    run: alertTest,
  }),
  "alert silence": operation({
    may: "alarms.change",
    params: { rule: word("RULE", text("RULE", 100)), until: text("TIME", 40) },
    run: (context, { rule, until }) => alertSilence(context, rule, until),
  }),
};

/** For the console alone, which shows each channel's result, including refusals. */
export const TRY_CHANNELS = operation({
  may: "alarms.change",
  needsServer: true,
  params: {},
  run: testChannels,
});
