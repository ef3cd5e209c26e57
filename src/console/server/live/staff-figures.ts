/**
 * Computes the figures of the start page for staff: alerts, troubles, connections, queues, and share delivered beside that
 * of a week before.
 */
import type { AdminContext } from "../../../admin/operations/context.ts";
import { refusingView } from "../../../admin/operations/operators.ts";
import { operatorCodes, operatorNames } from "../../../config/config.ts";
import { isoOrNull, isoUtc } from "../../../core/clock.ts";
import type { Phrase, Reader } from "../../../i18n/phrase.ts";
import { renderTo } from "../../../i18n/text.ts";
import { readAlerts, silences } from "../../../ops/alerts/alert-records.ts";
import { renderAlert } from "../../../ops/alerts/alert-texts.ts";
import {
  type DeliveryHour,
  deliveryHours,
  hoursSinceStored,
  toEpochHour,
} from "../../../ops/alerts/delivery-rates.ts";
import type { DatabaseFigures } from "../../../ops/metrics/database-figures.ts";
import { createNameResolver, resolveFactNames, revealsBalance, toNamedCheck } from "../display-names.ts";
import type { DayFiguresProgress } from "./day-figures.ts";
import type { LiveAlert, LiveConnection, LiveQueue, LiveShare, StaffLive } from "./live-view.ts";
import { deriveTroubles } from "./troubles.ts";

const HOURS_A_WEEK = 168;

/** What staff see first. `queues` and `day` are counted elsewhere, for that takes time; null where amounts may not be shown. */
export function staffFigures(
  context: AdminContext,
  reader: Reader,
  {
    queues: counted,
    day,
    seesMoney,
  }: {
    readonly queues: DatabaseFigures["queues"];
    readonly day: DayFiguresProgress;
    readonly seesMoney: boolean;
  },
): StaffLive {
  const { store, clock, server, config } = context;
  const nowMs = clock.nowMs();
  const translate = (phrase: Phrase): string => renderTo(reader, phrase);
  const connections = [...linksOf(server, translate), ...numbersOf(server)];
  const queues = counted.map(
    ({ operator, messageClass, messages, postponed, oldestMs }): LiveQueue => ({
      operator,
      messages,
      postponed,
      message_class: messageClass,
      oldest_at: isoUtc(oldestMs),
    }),
  );
  const alarms = readLiveAlerts(context, translate, nowMs).filter(
    ({ rule }) => seesMoney || !revealsBalance(rule),
  );
  const naming = createNameResolver(context);
  const found = server?.standing?.health.report().checks ?? [];
  const checks = found.map((check) => toNamedCheck(check, naming, translate));
  return {
    kind: "staff",
    at: isoUtc(nowMs),
    connections,
    queues,
    alarms,
    names: operatorNames(config),
    shares: deriveDeliveryShares(hoursNow(store, nowMs), nowMs, operatorCodes(config)),
    charged_today: seesMoney ? day.charged : null,
    messages_today: day.accepted,
    troubles: deriveTroubles({ connections, queues, alarms, checks, configured: operatorCodes(config) }),
  };
}

/** The recorded hours, with what ended since. */
function hoursNow({ read, tally }: AdminContext["store"], nowMs: number): readonly DeliveryHour[] {
  return [...deliveryHours(read), ...hoursSinceStored(tally, nowMs)];
}

type Server = AdminContext["server"];
type Translate = (phrase: Phrase) => string;

function linksOf(server: Server, translate: Translate): LiveConnection[] {
  const operators = server?.operatorStatus() ?? [];
  return operators.flatMap(({ operator, connections }) =>
    connections.map(
      (link, place): LiveConnection => ({
        operator,
        connection: place + 1,
        state: link.state,
        since: isoOrNull(link.paused?.atMs ?? link.boundAtMs ?? link.downSinceMs),
        sent_last_second: link.lastSecond,
        rate: link.granted,
        in_flight: link.inFlight,
        window: link.window,
        paused: link.paused?.reason ?? null,
        next_attempt_at: isoOrNull(link.nextAttemptAtMs),
        last_error: link.lastError,
        refusing: refusingIn(translate, link.refusing),
      }),
    ),
  );
}

/** WhatsApp numbers as connections: messages leave by both. */
function numbersOf(server: Server): LiveConnection[] {
  return (server?.numberStatus() ?? []).map((number) => ({
    operator: number.operator,
    connection: 0,
    state: number.isEnabled ? number.state : "DISABLED",
    since: isoOrNull(number.paused?.atMs ?? number.downSinceMs),
    sent_last_second: number.lastSecond,
    rate: number.granted,
    in_flight: number.open,
    window: number.mostOpen,
    paused: number.paused?.reason ?? null,
    next_attempt_at: null,
    last_error: number.lastError,
    refusing: null,
  }));
}

function refusingIn(
  translate: Translate,
  refusing: Parameters<typeof refusingView>[0],
): LiveConnection["refusing"] {
  const view = refusingView(refusing);
  return view && { code: view.code, answer: translate(view.answer), answers: view.answers };
}

/**
 * Share delivered by operator in this hour and the one before, beside that of the week before; configured operators also where nothing
 * is known yet. Pure.
 */
export function deriveDeliveryShares(
  hours: readonly DeliveryHour[],
  nowMs: number,
  configured: readonly string[] = [],
): LiveShare[] {
  const now = toEpochHour(nowMs);
  const known = Map.groupBy(hours, ({ operator }) => operator);
  const all = new Map([...configured.map((code) => [code, known.get(code) ?? []] as const), ...known]);
  return [...all].map(([operator, all]) => ({
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

function readLiveAlerts(context: AdminContext, translate: Translate, nowMs: number): LiveAlert[] {
  const { read } = context.store;
  const silenced = silences(read);
  const named = resolveFactNames(createNameResolver(context));
  return readAlerts(read)
    .filter(({ rule, isFiring }) => isFiring && (silenced.get(rule) ?? 0) <= nowMs)
    .map(({ rule, subject, facts, sinceMs }) => {
      const { title, detail } = renderAlert(rule, named(facts));
      // Commands to be typed keep codes.
      const { action } = renderAlert(rule, facts);
      return {
        rule,
        subject,
        title: translate(title),
        detail: translate(detail),
        advice: translate(action),
        since: isoUtc(sinceMs),
      };
    });
}
