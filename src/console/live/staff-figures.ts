import { isoOrNull, isoUtc } from "../../base/clock.ts";
import type { SlowFigures } from "../../metrics/slow-figures.ts";
import type { AdminContext } from "../../operations/context.ts";
import { refusingView } from "../../operations/operators.ts";
import type { Reader } from "../../store/read.ts";
import { alarmStates, silences } from "../../upkeep/alarms/alarm-rows.ts";
import { type DeliveryHour, deliveryHours, hourOf } from "../../upkeep/alarms/shares.ts";
import { alarmWords } from "../../upkeep/alarms/texts.ts";
import { inFrench } from "../../words/in-french.ts";
import type { DayFiguresSoFar } from "./day-figures.ts";
import type { LiveAlarm, LiveConnection, LiveQueue, LiveShare, StaffLive } from "./live-view.ts";

const HOURS_A_WEEK = 168;

/** What staff see first. `queues` and `day` are counted by others, for that takes time; null where amounts may not be shown. */
export function staffFigures(
  context: AdminContext,
  language: "en" | "fr",
  {
    queues,
    day,
    seesMoney,
  }: { readonly queues: SlowFigures["queues"]; readonly day: DayFiguresSoFar; readonly seesMoney: boolean },
): StaffLive {
  const { store, clock } = context;
  const nowMs = clock.nowMs();
  return {
    kind: "staff",
    at: isoUtc(nowMs),
    connections: connectionsOf(context, language),
    queues: queues.map(
      ({ operator, messageClass, messages, oldestMs }): LiveQueue => ({
        ...{ operator, messages, message_class: messageClass },
        oldest_at: isoUtc(oldestMs),
      }),
    ),
    shares: sharesNow(deliveryHours(store.read), nowMs),
    charged_today: seesMoney ? day.charged : null,
    messages_today: day.accepted,
    alarms: alarmsNow(store.read, language, nowMs),
  };
}

function connectionsOf({ server }: AdminContext, language: "en" | "fr"): LiveConnection[] {
  const operators = server?.operatorStatus() ?? [];
  return operators.flatMap(({ operator, connections }) =>
    connections.map(
      (link, place): LiveConnection => ({
        operator,
        connection: place + 1,
        state: link.state,
        since: isoOrNull(link.boundAtMs ?? link.downSinceMs),
        sent_last_second: link.lastSecond,
        rate: link.granted,
        in_flight: link.inFlight,
        window: link.window,
        paused: link.paused?.reason ?? null,
        last_error: link.lastError && said(link.lastError, language),
        refusing: refusingIn(language, link.refusing),
      }),
    ),
  );
}

function refusingIn(
  language: "en" | "fr",
  refusing: Parameters<typeof refusingView>[0],
): LiveConnection["refusing"] {
  const view = refusingView(refusing);
  return view && { code: view.code, answer: said(view.answer, language), answers: view.answers };
}

function said(english: string, language: "en" | "fr"): string {
  return language === "fr" ? (inFrench(english) ?? english) : english;
}

/** The share of each operator in this hour and the one before, beside that of the week before them. Pure. */
export function sharesNow(hours: readonly DeliveryHour[], nowMs: number): LiveShare[] {
  const now = hourOf(nowMs);
  return [...Map.groupBy(hours, ({ operator }) => operator)].map(([operator, all]) => ({
    operator,
    last_hour: shareOf(all.filter(({ hour }) => hour >= now - 1)),
    last_week: shareOf(all.filter(({ hour }) => hour < now - 1 && hour >= now - 1 - HOURS_A_WEEK)),
  }));
}

function shareOf(hours: readonly DeliveryHour[]): number | null {
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  const ended = hours.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0);
  return ended === 0 ? null : delivered / ended;
}

function alarmsNow(read: Reader, language: "en" | "fr", nowMs: number): LiveAlarm[] {
  const silenced = silences(read);
  return alarmStates(read)
    .filter(({ rule, isFiring }) => isFiring && (silenced.get(rule) ?? 0) <= nowMs)
    .map(({ rule, facts, sinceMs }) => {
      const { title, detail, action } = alarmWords(language, rule, facts);
      return { rule, title, detail, advice: action, since: isoUtc(sinceMs) };
    });
}
