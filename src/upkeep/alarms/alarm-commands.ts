/** What an administrator asks of alarms, and says about them. */
import { isoUtc } from "../../base/clock.ts";
import { change } from "../../operations/change.ts";
import type { AdminContext, AlarmTrial } from "../../operations/context.ts";
import { type AdminOutcome, done, refuse, serverNotRunning } from "../../operations/refusal.ts";
import { readTime } from "../../operations/typed-values.ts";
import type { Reader } from "../../store/read.ts";
import { alarmStates, silence, silences } from "./alarm-rows.ts";
import { RULE_NAMES, type RuleName } from "./rules.ts";
import { type AlarmLanguage, alarmWords } from "./texts.ts";

export type AlarmView = {
  readonly rule: string;
  /** Whom or what it is about; null of a rule of which nothing fires, or that has only one. */
  readonly subject: string | null;
  readonly state: "firing" | "silenced" | "ok";
  readonly since: string | null;
  readonly detail: string | null;
  readonly action: string | null;
};

/** Every alarm that lasts, and every rule of which nothing does. */
export function alarmViews(read: Reader, language: AlarmLanguage, nowMs: number): AlarmView[] {
  const silenced = silences(read);
  const firing = Map.groupBy(
    alarmStates(read).filter(({ isFiring }) => isFiring),
    ({ rule }) => rule,
  );
  return RULE_NAMES.flatMap((rule): AlarmView[] => {
    const isSilenced = (silenced.get(rule) ?? 0) > nowMs;
    const lasting = firing.get(rule) ?? [];
    const nothing = { subject: null, since: null, detail: null, action: null };
    if (lasting.length === 0) return [{ rule, ...nothing, state: isSilenced ? "silenced" : "ok" }];
    return lasting.map(({ subject, sinceMs, facts }) => ({
      rule,
      subject: subject === "" ? null : subject,
      state: isSilenced ? "silenced" : "firing",
      since: isoUtc(sinceMs),
      ...alarmWords(language, rule, facts),
    }));
  });
}

export function alertList({
  store,
  config,
  clock,
}: AdminContext): AdminOutcome<{ readonly alerts: readonly AlarmView[] }> {
  return done({ alerts: alarmViews(store.read, config.alerts.language, clock.nowMs()) });
}

/** Tells every channel a test now. */
export async function alertTest({
  server,
  store,
}: AdminContext): Promise<AdminOutcome<{ readonly channels: readonly AlarmTrial[] }>> {
  if (!server) return serverNotRunning(store.directory);
  const channels = await server.testAlarms();
  if (channels.length === 0)
    return refuse("NO_CHANNEL", "the configuration names no channel for alarms: set webhook in [alerts]");
  const failed = channels.find(({ delivered }) => !delivered);
  if (failed) return refuse("ALARM_NOT_TOLD", `${failed.channel}: ${failed.outcome}`);
  return done({ channels });
}

/** Tells nothing of a rule until a time; one that is past ends an earlier silence. */
export function alertSilence(
  context: AdminContext,
  name: string,
  until: string,
): Promise<AdminOutcome<{ readonly rule: string; readonly until: string }>> {
  return change(context, (tx) => {
    const rule = ruleOf(name);
    if (rule === null)
      return refuse(
        "RULE_UNKNOWN",
        `there is no rule ${JSON.stringify(name)}; known: ${RULE_NAMES.join(", ")}`,
      );
    const time = readTime(until);
    if (!time.ok) return time;
    const untilMs = time.value.beginMs;
    silence(tx, rule, untilMs);
    const value = { rule, until: isoUtc(untilMs) };
    const detail = { until: value.until };
    return done({ value, audit: { action: "alert silence", subject: rule, detail } });
  });
}

function ruleOf(name: string): RuleName | null {
  return RULE_NAMES.find((rule) => rule === name) ?? null;
}
