/** What reports and the pages about the appliance itself show: figures that a month could have. */

import type { Contract } from "../../src/console/ui/api/contract.ts";
import { renderMilli } from "../../src/core/money.ts";

type Report = Contract["GET /reports/delivery"]["answer"];
type Operators = Contract["GET /operators"]["answer"];
type Margin = Contract["GET /reports/margin"]["answer"];
type Volume = Contract["GET /reports/volume"]["answer"];
type Figures = Report["totals"];

const DAY_MS = 86_400_000;
const LAST_DAY = Date.parse("2026-11-23");

const OPERATORS = [
  { code: "orange", name: "Orange Burkina", part: 0.52, share: 0.968, seconds: 4.1 },
  { code: "moov", name: "Moov Africa", part: 0.36, share: 0.941, seconds: 6.8 },
  { code: "telecel", name: "Telecel Faso", part: 0.12, share: 0.902, seconds: 11.5 },
];

const DAYS = Array.from({ length: 31 }, (_, index) =>
  new Date(LAST_DAY - (30 - index) * DAY_MS).toISOString().slice(0, 10),
);

/** Something that goes up and down, the same each time; about 1. */
const wave = (place: number, seed: number) =>
  1 + 0.18 * Math.sin(place * 0.9 + seed) + 0.07 * Math.sin(place * 2.3 + 2 * seed);

function figuresOf(accepted: number, share: number, seconds: number): Figures {
  const sent = Math.round(accepted * 0.995);
  const delivered = Math.round(sent * share);
  return {
    accepted,
    sent,
    delivered,
    delivered_share: Math.round((delivered / sent) * 10_000) / 10_000,
    failed: Math.round((accepted - delivered) * 0.8),
    without_receipt: sent - delivered - Math.round((sent - delivered) * 0.8),
    cancelled: 0,
    receipt_seconds: { p50: seconds, p90: seconds * 6.2, p99: seconds * 41 },
    segments: Math.round(accepted * 1.3),
    charged: Math.round(accepted * 1.3) * 15,
  };
}

const dayOf = (place: number, seed: number, part: number) => {
  const weekend = new Date(LAST_DAY - (30 - place) * DAY_MS).getUTCDay() % 6 === 0 ? 0.4 : 1;
  return Math.round(84_000 * part * weekend * wave(place, seed));
};
/** One operator had a bad day. */
const shareOf = (place: number, seed: number, share: number) =>
  share - (seed === 2 && place > 21 && place < 25 ? 0.17 : 0) - 0.012 * (wave(place, seed + 3) - 1);

function report(query: URLSearchParams): Report {
  const by = (query.get("by") ?? "day") as Report["by"];
  const totals = figuresOf(2_184_310, 0.951, 5.3);
  const frame = {
    from: DAYS[0] ?? "",
    to: DAYS[30] ?? "",
    timezone: "Africa/Ouagadougou",
    totals,
    days: DAYS,
    operators: OPERATORS.map(({ code, name }) => ({ code, name })),
    errors: {
      ABSENT_SUBSCRIBER: "Le téléphone n’a pas pu être joint.",
      UNKNOWN_SUBSCRIBER: "Le numéro n’est pas en service.",
      NETWORK_ERROR: "Le réseau de l’opérateur n’a pas pu remettre le message.",
    },
  };
  if (by === "day") {
    const rows = DAYS.map((key, place) => ({
      key,
      ...figuresOf(dayOf(place, 1, 1), shareOf(place, 2, 0.951), 5.3 * wave(place, 4)),
    }));
    return { ...frame, by, rows, lines: [{ key: null, ...lineOf(rows) }] };
  }
  const keys = OPERATORS.map(({ code, part, share, seconds }, seed) => ({
    code,
    part,
    share,
    seconds,
    days: DAYS.map((_, place) =>
      figuresOf(dayOf(place, seed, part), shareOf(place, seed, share), seconds * wave(place, seed)),
    ),
  }));
  const errors: Readonly<Record<string, string>> = {
    orange: "ABSENT_SUBSCRIBER",
    moov: "UNKNOWN_SUBSCRIBER",
    telecel: "NETWORK_ERROR",
  };
  const name = (code: string) =>
    by === "operator"
      ? code
      : by === "error"
        ? (errors[code] ?? code)
        : `${by.toUpperCase()}-${code.toUpperCase()}`;
  return {
    ...frame,
    by,
    rows: keys.map(({ code, part, share, seconds }) => ({
      key: name(code),
      ...figuresOf(Math.round(2_184_310 * part), share, seconds),
    })),
    lines: keys.map(({ code, days }) => ({ key: name(code), ...lineOf(days) })),
  };
}

function lineOf(days: readonly Figures[]) {
  return {
    accepted: days.map(({ accepted }) => accepted),
    share: days.map(({ delivered_share: share }) => share),
    p50: days.map(({ receipt_seconds: { p50 } }) => p50),
    p90: days.map(({ receipt_seconds: { p90 } }) => p90),
  };
}

/** A day of an appliance, busy from eight to eight, or a month of it. */
function volumeSample(query: URLSearchParams): Volume {
  const span = (query.get("span") ?? "24h") as Volume["span"];
  const count = span === "24h" ? 24 : 30;
  const points = Array.from({ length: count }, (_, place) => {
    const hour = (place + 10) % 24;
    const accepted =
      span === "30d"
        ? dayOf(place + 1, 1, 1)
        : Math.round((hour > 7 && hour < 20 ? 6800 : 310) * wave(place, 1));
    const failed = Math.round(accepted * 0.04 * wave(place, 2));
    const isLast = place === count - 1;
    const underWay = isLast ? Math.round(accepted * 0.2) : 0;
    const withoutReceipt = Math.round(accepted * (isLast ? 0.15 : 0.02));
    return {
      at:
        span === "30d"
          ? (DAYS[place + 1] ?? "")
          : new Date(Date.parse("2026-11-23T09:00:00Z") - (23 - place) * 3_600_000).toISOString(),
      delivered: accepted - failed - underWay - withoutReceipt,
      failed,
      without_receipt: withoutReceipt,
      cancelled: 0,
      under_way: underWay,
    };
  });
  return { span, timezone: "Africa/Ouagadougou", points };
}

/** Routes of two operators, one of them without a cost. By operator there is nothing yet, as before a cost is set. */
function marginSample(query: URLSearchParams): Margin {
  const by = (query.get("by") ?? "route") as Margin["by"];
  const frame = {
    by,
    from: DAYS[0] ?? "",
    to: DAYS[30] ?? "",
    timezone: "Africa/Ouagadougou",
    operators: OPERATORS.map(({ code, name }) => ({ code, name })),
    has_routes: true,
    without_cost: ["moov/agg"],
  };
  const known = (key: string, segments: number, costMilli: number) => {
    const left = segments * 15_000 - segments * costMilli;
    return {
      key,
      segments,
      charged: segments * 15,
      cost: renderMilli(segments * costMilli),
      unknown_cost_segments: 0,
      margin: renderMilli(left),
      margin_share: Math.round((left / (segments * 15_000)) * 10_000) / 10_000,
    };
  };
  const isUnknown = { cost: null, margin: null, margin_share: null };
  const lost = {
    key: "moov/agg",
    segments: 2140,
    charged: 32_100,
    unknown_cost_segments: 2140,
    ...isUnknown,
  };
  const none = { segments: 0, charged: 0, cost: "0.000", unknown_cost_segments: 0 };
  if (by === "operator") {
    const totals = { ...none, margin: "0.000", margin_share: null };
    return { ...frame, totals, rows: [], unknown_outcomes: [] };
  }
  if (by === "day") {
    const rows = DAYS.map((day, place) => known(day, dayOf(place, 1, 1), 9250));
    const all = rows.reduce((sum, { segments }) => sum + segments, 0);
    return { ...frame, totals: known("", all, 9250), rows, unknown_outcomes: [] };
  }
  return {
    ...frame,
    totals: {
      segments: 1_842_310,
      charged: 27_634_650,
      cost: "17095422.500",
      unknown_cost_segments: 2140,
      margin: null,
      margin_share: null,
    },
    rows: [
      known("orange/direct", 1_204_800, 9000),
      known("moov/direct", 613_205, 9500),
      known("orange/agg", 22_165, 15_125),
      lost,
    ],
    unknown_outcomes: [{ operator: "orange", route: "direct", segments: 12 }],
  };
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;
const SINCE = "2026-11-23T09:20:00.000Z";

/** An operator whose best route does not answer: the next carries what has waited long enough for it. */
function operatorsSample(): Operators {
  const connection = {
    operator: "orange",
    kind: "smpp",
    port: 2775,
    bind: "transceiver",
    state: "BOUND",
    since: "2026-11-21T04:12:00.000Z",
    was_bound: true,
    reconnect_in_seconds: null,
    window: 20,
    throughput: 60,
    rate: 60,
    accepted: 86_400,
    refused: 12,
    throttled: 0,
    postponed: 0,
    unanswered: 3,
    answered_late: 1,
    receipts_matched: 80_122,
    receipts_unmatched: 0,
    receipts_refused: 0,
    paused: null,
    paused_since: null,
    paused_by: null,
    refusing: null,
    last_error: null,
    last_error_at: null,
  } as const;
  const route = {
    operator: "orange",
    share: 100,
    message_classes: CLASSES,
    away_since: null,
    ill: null,
    rate: 0,
  } as const;
  const able = { is_able: true, why: null } as const;
  return {
    operators: [
      { code: "orange", name: "Orange Burkina", prefixes: ["22605", "22607"], receipts: true, price: 15 },
    ],
    server: "running",
    queues: [{ operator: "orange", is_configured: true, waiting: 214, oldest_at: SINCE, scheduled: 0 }],
    routes: [
      {
        ...route,
        route: "direct",
        order: 1,
        is_able: false,
        why: "silent",
        away_since: SINCE,
        carries: [],
        segments_last_hour: 41_200,
      },
      {
        ...route,
        ...able,
        route: "agg",
        order: 2,
        message_classes: ["OTP", "TRANSACTIONAL"],
        rate: 42,
        carries: ["OTP", "TRANSACTIONAL"],
        segments_last_hour: 9120,
      },
      { ...route, ...able, route: "spare", order: 3, carries: [], segments_last_hour: 0 },
    ],
    connections: [
      { ...connection, connection: 1, host: "smsc.orange.example", in_flight: 20, sent_last_second: 0 },
      { ...connection, connection: 2, host: "smpp.agg.example", in_flight: 4, sent_last_second: 42 },
      { ...connection, connection: 3, host: "smpp.spare.example", in_flight: 0, sent_last_second: 0 },
    ],
    numbers: [],
    smsc_accounts: [],
  };
}

/** What a route about the appliance answers; undefined of every other. */
export function applianceSample(name: string): unknown {
  const [route = "", query = ""] = name.split("?");
  switch (route) {
    case "GET /operators/orange/delivery":
      return report(new URLSearchParams("by=day")) satisfies Report;
    case "GET /reports/delivery":
      return report(new URLSearchParams(query)) satisfies Report;
    case "GET /operators":
      return operatorsSample();
    case "GET /reports/margin":
      return marginSample(new URLSearchParams(query));
    case "GET /reports/volume":
      return volumeSample(new URLSearchParams(query));
    default:
      return undefined;
  }
}
