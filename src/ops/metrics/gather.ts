/** All that is known at this moment, put together from what the rooms count and what they have. */

import type { OperatorStatus } from "../../channels/sms/lines.ts";
import type { LinkStatus } from "../../channels/sms/link.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-status.ts";
import { POST_RESULTS, WHATSAPP_POSTS } from "../../channels/whatsapp/posting.ts";
import { STATUS_RESULTS, WHATSAPP_STATUSES } from "../../channels/whatsapp/status-desk.ts";
import { STATUS_NAMES } from "../../channels/whatsapp/statuses.ts";
import { NEWS_FIELDS } from "../../channels/whatsapp/template-news.ts";
import { WHATSAPP_UNKNOWN } from "../../channels/whatsapp/webhook.ts";
import type { Clock } from "../../core/clock.ts";
import type { CountBook, Histograms } from "../../core/count-book.ts";
import { LIMITED, LIMITS } from "../../core/limited.ts";
import { commit, version } from "../../core/version.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/classes.ts";
import { MESSAGES, REJECTIONS } from "../../domain/messages/message-tally.ts";
import { STATUSES } from "../../domain/messages/status.ts";
import { REJECTION_REASONS } from "../../domain/submission/rejection-reasons.ts";
import type { DispatchFigures } from "../../webhooks/dispatcher.ts";
import { METRICS, type Metric } from "./catalogue.ts";
import type { Family, MetricSample } from "./exposition.ts";
import type { SlowFigures } from "./slow-figures.ts";

/** What is looked up at the moment of asking. A figure that does not exist is null, and told of no more than that. */
export type Surroundings = {
  readonly operators: readonly OperatorStatus[];
  readonly numbers: readonly NumberStatus[];
  readonly webhooks: DispatchFigures;
  readonly slow: SlowFigures | null;
  readonly databaseBytes: number | null;
  readonly walBytes: number | null;
  readonly diskFreeBytes: number | null;
  readonly ledgerDifferences: number | null;
  readonly backupAtMs: number | null;
};

export function gather(tally: CountBook, clock: Clock, around: Surroundings): Family[] {
  const nowMs = clock.nowMs();
  const { operators, numbers, webhooks, slow } = around;
  const codes = operators.map(({ operator }) => operator);
  const ways = [...codes, ...numbers.map(({ operator }) => operator)];
  return [
    counted(tally, METRICS.messages, () => {
      for (const code of ways)
        for (const messageClass of MESSAGE_CLASSES)
          for (const status of STATUSES) tally.counters(MESSAGES).of(code, messageClass, status);
    }),
    counted(tally, METRICS.rejections, () => {
      for (const reason of REJECTION_REASONS) tally.counters(REJECTIONS).of(reason);
    }),
    counted(tally, METRICS.limited, () => {
      for (const limit of LIMITS) tally.counters(LIMITED).of(limit);
    }),
    known(METRICS.unanswered, slow?.unanswered ?? null),
    ...queueFamilies(ways, slow, nowMs),
    measured(METRICS.submitSeconds, tally, codes),
    measured(METRICS.receiptSeconds, tally, ways),
    ...linkFamilies(operators),
    {
      metric: METRICS.webhookAttempts,
      samples: [
        { labels: ["delivered"], value: webhooks.delivered },
        { labels: ["failed"], value: webhooks.failed },
      ],
    },
    known(METRICS.webhookBacklog, slow?.webhookBacklog ?? null),
    counted(tally, METRICS.requests),
    measured(METRICS.requestSeconds, tally, [""]),
    measured(METRICS.commitSeconds, tally, [""]),
    measured(METRICS.loopHold, tally, [""]),
    known(METRICS.databaseBytes, around.databaseBytes),
    known(METRICS.walBytes, around.walBytes),
    ...numberFamilies(numbers),
    counted(tally, METRICS.posts, () => {
      for (const { operator } of numbers)
        for (const result of POST_RESULTS) tally.counters(WHATSAPP_POSTS).of(operator, result);
    }),
    counted(tally, METRICS.whatsappStatuses, () => {
      for (const result of STATUS_RESULTS)
        for (const status of STATUS_NAMES) tally.counters(WHATSAPP_STATUSES).of(result, status);
    }),
    counted(tally, METRICS.whatsappUnknown, () => {
      for (const field of ["messages", ...NEWS_FIELDS, "other"]) tally.counters(WHATSAPP_UNKNOWN).of(field);
    }),
    known(METRICS.diskFree, around.diskFreeBytes),
    known(METRICS.ledgerDifferences, around.ledgerDifferences),
    known(
      METRICS.backupAge,
      around.backupAtMs === null ? null : Math.max(0, nowMs - around.backupAtMs) / 1000,
    ),
    { metric: METRICS.build, samples: [{ labels: [version(), commit()], value: 1 }] },
  ];
}

function numberFamilies(numbers: readonly NumberStatus[]): Family[] {
  const each = (metric: Metric, figure: (status: NumberStatus) => number): Family => ({
    metric,
    samples: numbers.map((status) => ({ labels: [status.operator], value: figure(status) })),
  });
  return [
    each(METRICS.numberUp, ({ state, isEnabled, paused }) =>
      state === "BOUND" && isEnabled && !paused ? 1 : 0,
    ),
    each(METRICS.numberRate, ({ granted }) => granted),
    each(METRICS.numberUsers, ({ usersOfDay }) => usersOfDay),
    each(METRICS.postsOpen, ({ open }) => open),
  ];
}

function known(metric: Metric, value: number | null): Family {
  return { metric, samples: value === null ? [] : [{ labels: [], value }] };
}

/** The counters of a metric; `begin` makes those that are there from the beginning. */
function counted(tally: CountBook, metric: Metric, begin: () => void = () => {}): Family {
  begin();
  return { metric, samples: tally.counters(metric.name).all() };
}

function measured(metric: Metric, tally: CountBook, labels: readonly string[]): Family {
  const histograms: Histograms = tally.histograms(metric.name, metric.bounds);
  for (const label of labels) histograms.of(label);
  const { bounds } = histograms;
  return {
    metric,
    histograms: histograms.all().map(({ label, histogram: { counts, sum } }) => ({
      labels: metric.labels.length === 0 ? [] : [label],
      bounds,
      counts,
      sum: sum(),
    })),
  };
}

/** A queue in which nothing waits has no oldest message. */
function queueFamilies(codes: readonly string[], slow: SlowFigures | null, nowMs: number): Family[] {
  if (slow === null) return [];
  const all = new Map<string, MetricSample>();
  for (const code of codes)
    for (const messageClass of MESSAGE_CLASSES)
      all.set(`${code} ${messageClass}`, { labels: [code, messageClass], value: 0 });
  const oldest: MetricSample[] = [];
  for (const { operator, messageClass, messages, oldestMs } of slow.queues) {
    const labels = [operator, messageClass];
    all.set(labels.join(" "), { labels, value: messages });
    oldest.push({ labels, value: Math.max(0, nowMs - oldestMs) / 1000 });
  }
  return [
    { metric: METRICS.queue, samples: [...all.values()] },
    { metric: METRICS.oldest, samples: oldest },
  ];
}

const RESULTS = ["accepted", "refused", "throttled", "postponed", "unanswered"] as const;

function linkFamilies(operators: readonly OperatorStatus[]): Family[] {
  const links = operators.flatMap(({ operator, connections }) =>
    connections.map((status, place) => ({ labels: [operator, String(place + 1)], status })),
  );
  const each = (metric: Metric, figure: (status: LinkStatus) => number): Family => ({
    metric,
    samples: links.map(({ labels, status }) => ({ labels, value: figure(status) })),
  });
  return [
    each(METRICS.linkUp, ({ state }) => (state === "BOUND" ? 1 : 0)),
    each(METRICS.windowUsed, ({ inFlight }) => inFlight),
    {
      metric: METRICS.submits,
      samples: links.flatMap(({ labels, status: { tally } }) =>
        RESULTS.map((result) => ({ labels: [...labels, result], value: tally[result] })),
      ),
    },
    each(METRICS.receiptsRefused, ({ tally }) => tally.receiptsRefused),
    known(
      METRICS.unmatched,
      links.reduce((sum, { status }) => sum + status.tally.receiptsUnmatched, 0),
    ),
  ];
}
