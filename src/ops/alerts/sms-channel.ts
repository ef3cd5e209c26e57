/**
 * Alarms by SMS: a text of the house over an operator that works, claimed in the commit that notes it with its letters. What a process
 * that died may have sent goes by the policy of unanswered submits.
 */

import type { SmppWorkers } from "../../channels/sms/lines.ts";
import { readLastUnmatchedId } from "../../channels/sms/parked-receipts.ts";
import { listAlertTextTimes, claimTestMessage, type TestMessageRow, readTestMessage } from "../../channels/sms/trial-rows.ts";
import type { Settings } from "../../config/in-force.ts";
import { type Clock, wait } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Store } from "../../db/store.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { readAlerts } from "./alarm-rows.ts";
import { failed, type SendNotification, NOTIFIED } from "./channel.ts";
import type { PendingDelivery } from "./errands.ts";
import { recordTestMessage } from "./letter-rows.ts";
import { renderAlertSms } from "./sms-text.ts";
import type { AlertSource } from "./texts.ts";
import { rankOperators } from "./ways.ts";

/** What SMS needs of the operators. */
export type SmsPort = {
  /** The operator that a number (E.164 without "+") is of; null for none. */
  readonly ownerOf: (digits: string) => string | null;
  readonly trials: SmppWorkers["trials"];
};

export type SmsChannelDeps = {
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

export function createSmsNotifier(deps: SmsChannelDeps): SendNotification {
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
