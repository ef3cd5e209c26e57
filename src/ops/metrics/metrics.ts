/**
 * Metrics for Prometheus: `GET /metrics`, on its own address and nowhere else.
 *
 * `catalogue.ts` lists every metric; this file gathers the figures at each scrape and writes them out (`exposition`). Rooms count
 * events as they happen, in the registry of `core/metrics-registry.ts`; what must be counted in the database is counted at a
 * scrape and cached (`database-figures.ts`). An administrator loads `prometheus-rules.yml` and `grafana-dashboard.json` into
 * Prometheus and Grafana; they use metrics of the catalogue alone. This room only reads.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { SessionStatus } from "../../channels/sms/operator-session.ts";
import { REROUTE_WHYS, REROUTES } from "../../channels/sms/route-marks.ts";
import {
  type OperatorRouteStatus,
  type OperatorStatus,
  ROUTE_SEGMENTS,
} from "../../channels/sms/smpp-worker.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-worker.ts";
import { STATUS_NAMES } from "../../channels/whatsapp/post-facts.ts";
import { POST_RESULTS, WHATSAPP_POSTS } from "../../channels/whatsapp/post-messages.ts";
import { STATUS_RESULTS, WHATSAPP_STATUSES } from "../../channels/whatsapp/status-handler.ts";
import { NEWS_FIELDS } from "../../channels/whatsapp/template-updates.ts";
import { WHATSAPP_UNKNOWN } from "../../channels/whatsapp/webhook.ts";
import { parseListen } from "../../config/listen.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import type { HttpServer, Serve, ServeOptions } from "../../core/http-server.ts";
import { errorText, type Log } from "../../core/log.ts";
import { type Histograms, LIMITED, LIMITS, type MetricsRegistry } from "../../core/metrics-registry.ts";
import { settleWithin } from "../../core/shutdown-plan.ts";
import { commit, version } from "../../core/version.ts";
import { DATABASE_FILE } from "../../db/connections.ts";
import type { Store } from "../../db/store.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/message-class.ts";
import { lastCheck } from "../../domain/ledger/books-check.ts";
import { MESSAGES, REJECTIONS } from "../../domain/messages/message-metrics.ts";
import { STATUSES } from "../../domain/messages/message-status.ts";
import { REJECTION_REASONS } from "../../domain/submission/rejections.ts";
import { isLoopbackPeer, isOwnHost } from "../../ingress/http/peer.ts";
import { BIND_REFUSALS } from "../../ingress/smpp/binds.ts";
import {
  SMPP_BINDS_REFUSED,
  SMPP_RECEIPT_RESULTS,
  SMPP_RECEIPTS,
  SMPP_SUBMIT_RESULTS,
  SMPP_SUBMITS,
} from "../../ingress/smpp/smpp-metrics.ts";
import type { DispatchFigures } from "../../webhooks/dispatcher.ts";
import { METRICS, type Metric, measureLoopDelay } from "./catalogue.ts";
import { createDatabaseFigures, type DatabaseFigures } from "./database-figures.ts";

export type MetricsDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: {
    readonly serve: Serve;
    readonly spaceOf: (directory: string) => { readonly freeBytes: number };
  };
  readonly operators: () => readonly OperatorStatus[];
  readonly routes: () => readonly OperatorRouteStatus[];
  readonly numbers: () => readonly NumberStatus[];
  readonly webhookFigures: () => DispatchFigures;
  /** How many sessions of an SMPP user are bound. */
  readonly smppSessionsOf: (userId: number) => number;
  /** When the newest backup was made; null where there is none. */
  readonly backupAtMs: () => number | null;
};

/** How long until a taken address is tried again: monitoring must not stop the sending. */
const AGAIN_MS = 30_000;
/** How long a scrape waits for database figures; later ones appear in the next scrape. */
const PATIENCE_MS = 5000;

/** Listens on the configured address, retrying until it is free. */
export function startMetrics(deps: MetricsDeps): { readonly stop: () => Promise<void> } {
  const { settings, clock, log, machine, store } = deps;
  const { listen } = settings.now().metrics;
  const address = parseListen(listen);
  if (!address) return { stop: async () => {} };
  const answer = answering(deps);
  const unwatch = measureLoopDelay(clock, store.tally);
  let server: HttpServer | null = null;
  let cancel: Cancel = () => {};
  const tryToListen = (failedBefore: boolean): void => {
    try {
      server = machine.serve({ at: address, maxRequestBodySize: 0, fetch: answer });
      log.info("metrics", { url: `${server.url.origin}/metrics` });
    } catch (error) {
      if (!failedBefore) log.warn("the metrics cannot be answered", { listen, error: errorText(error) });
      cancel = clock.after(AGAIN_MS, () => tryToListen(true));
    }
  };
  tryToListen(false);
  return {
    stop: async () => {
      unwatch();
      cancel();
      await server?.stop(true);
    },
  };
}

/** Headers of every answer: no sniffing, no use by other origins. */
const ANSWER_HEADERS = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };
const PLAIN = { ...ANSWER_HEADERS, "content-type": "text/plain; charset=utf-8" };

function answering(deps: MetricsDeps): ServeOptions["fetch"] {
  const slow = createDatabaseFigures(deps.store.read, deps.clock);
  const isForeign = (request: Request, address: string | null): boolean =>
    isLoopbackPeer({ address, isDirect: true, proto: null }) &&
    !isOwnHost(request.headers.get("host"), deps.settings.now().server.public_url);
  return async (request, server) => {
    // With a foreign Host header the URL may be anything.
    if (isForeign(request, server.requestIP(request)?.address ?? null)) {
      const words = "ask by an address, by localhost, or by the name in public_url\n";
      return new Response(words, { status: 421, headers: PLAIN });
    }
    const path = new URL(request.url).pathname;
    if (path !== "/metrics")
      return new Response("the metrics are at /metrics\n", { status: 404, headers: PLAIN });
    if (request.method !== "GET" && request.method !== "HEAD")
      return new Response("only GET\n", { status: 405, headers: { ...PLAIN, allow: "GET, HEAD" } });
    try {
      const text = await tell(deps, slow);
      return new Response(request.method === "HEAD" ? null : text, {
        headers: { ...ANSWER_HEADERS, "content-type": EXPOSITION_TYPE },
      });
    } catch (error) {
      deps.log.error("the metrics could not be told", { error: errorText(error) });
      return new Response("the figures could not be read: see the log\n", { status: 500, headers: PLAIN });
    }
  };
}

async function tell(deps: MetricsDeps, count: () => Promise<DatabaseFigures>): Promise<string> {
  const { store, clock, machine } = deps;
  const counted: { figures: DatabaseFigures | null } = { figures: null };
  const counting = count().then((figures) => {
    counted.figures = figures;
  });
  await settleWithin(clock, PATIENCE_MS, counting);
  const check = lastCheck(store.read);
  const families = gather(store.tally, clock, {
    operators: deps.operators(),
    routes: deps.routes(),
    numbers: deps.numbers(),
    webhooks: deps.webhookFigures(),
    smppSessionsOf: deps.smppSessionsOf,
    slow: counted.figures,
    databaseBytes: bytesOf(join(store.directory, DATABASE_FILE)),
    walBytes: bytesOf(join(store.directory, `${DATABASE_FILE}-wal`)),
    diskFreeBytes: orNull(() => machine.spaceOf(store.directory).freeBytes),
    ledgerDifferences: check && check.failure === null ? check.differences : null,
    backupAtMs: deps.backupAtMs(),
  });
  return exposition(families);
}

/** The size of a file; null where it does not exist, such as the log of a database just closed. */
function bytesOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function orNull(look: () => number): number | null {
  try {
    return look();
  } catch {
    return null;
  }
}

// Gathers all metric families from counters and from the current state of the rooms.

/** What is looked up at each scrape. A figure that does not exist is null and is left out. */
type Surroundings = {
  readonly operators: readonly OperatorStatus[];
  readonly routes: readonly OperatorRouteStatus[];
  readonly numbers: readonly NumberStatus[];
  readonly webhooks: DispatchFigures;
  readonly smppSessionsOf: MetricsDeps["smppSessionsOf"];
  readonly slow: DatabaseFigures | null;
  readonly databaseBytes: number | null;
  readonly walBytes: number | null;
  readonly diskFreeBytes: number | null;
  readonly ledgerDifferences: number | null;
  readonly backupAtMs: number | null;
};

function gather(tally: MetricsRegistry, clock: Clock, around: Surroundings): Family[] {
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
    ...routeFamilies(tally, around.routes),
    ...smppFamilies(tally, slow?.smppUsers ?? [], around.smppSessionsOf),
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

/** The counters of a metric; `begin` creates those that exist from the start. */
function counted(tally: MetricsRegistry, metric: Metric, begin: () => void = () => {}): Family {
  begin();
  return { metric, samples: tally.counters(metric.name).all() };
}

function measured(metric: Metric, tally: MetricsRegistry, labels: readonly string[]): Family {
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

/** The families of the queue; an empty queue has no oldest message. */
function queueFamilies(codes: readonly string[], slow: DatabaseFigures | null, nowMs: number): Family[] {
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
  const each = (metric: Metric, figure: (status: SessionStatus) => number): Family => ({
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

function smppFamilies(
  tally: MetricsRegistry,
  users: DatabaseFigures["smppUsers"],
  sessionsOf: MetricsDeps["smppSessionsOf"],
): Family[] {
  return [
    {
      metric: METRICS.smppSessions,
      samples: users.map(({ id, systemId }) => ({ labels: [systemId], value: sessionsOf(id) })),
    },
    counted(tally, METRICS.smppSubmits, () => {
      for (const { systemId } of users)
        for (const result of SMPP_SUBMIT_RESULTS) tally.counters(SMPP_SUBMITS).of(systemId, result);
    }),
    {
      metric: METRICS.smppReceiptsWaiting,
      samples: users.map(({ systemId, receiptsWaiting }) => ({ labels: [systemId], value: receiptsWaiting })),
    },
    counted(tally, METRICS.smppReceipts, () => {
      for (const { systemId } of users)
        for (const result of SMPP_RECEIPT_RESULTS) tally.counters(SMPP_RECEIPTS).of(systemId, result);
    }),
    counted(tally, METRICS.smppBindsRefused, () => {
      for (const reason of BIND_REFUSALS) tally.counters(SMPP_BINDS_REFUSED).of(reason);
    }),
  ];
}

function routeFamilies(tally: MetricsRegistry, operators: readonly OperatorRouteStatus[]): Family[] {
  const all = operators.flatMap(({ operator, routes }) => routes.map((status) => ({ operator, ...status })));
  return [
    {
      metric: METRICS.routeAble,
      samples: all.map(({ operator, route, why }) => ({
        labels: [operator, route],
        value: why === null ? 1 : 0,
      })),
    },
    counted(tally, METRICS.routeSegments, () => {
      for (const { operator, route, classes } of all)
        for (const messageClass of classes) tally.counters(ROUTE_SEGMENTS).of(operator, route, messageClass);
    }),
    counted(tally, METRICS.reroutes, () => {
      for (const { operator, route } of all)
        for (const why of Object.values(REROUTE_WHYS)) tally.counters(REROUTES).of(operator, route, why);
    }),
  ];
}

// The text that Prometheus reads (prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4).

/** One sample, with the values of its metric's labels in order. */
type MetricSample = { readonly labels: readonly string[]; readonly value: number };

/** One histogram: the count of values in each bucket, not cumulated; those above all bounds come last. */
type HistogramSample = {
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  readonly counts: Readonly<Float64Array>;
  readonly sum: number;
};

/** A metric with its current samples. */
type Family =
  | { readonly metric: Metric; readonly samples: readonly MetricSample[] }
  | { readonly metric: Metric; readonly histograms: readonly HistogramSample[] };

const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Writes all families that have samples, each under its HELP and TYPE lines. */
export function exposition(families: readonly Family[]): string {
  return families
    .map((family) => ({ metric: family.metric, lines: linesOf(family) }))
    .filter(({ lines }) => lines.length > 0)
    .map(
      ({ metric: { name, help, kind }, lines }) =>
        `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${kind}\n${lines.join("\n")}\n`,
    )
    .join("");
}

function linesOf(family: Family): string[] {
  const { name, labels: names } = family.metric;
  if ("samples" in family)
    return family.samples.map(({ labels, value }) => lineOf(name, names, labels, value));
  return family.histograms.flatMap(({ labels, bounds, counts, sum }) => {
    let below = 0;
    const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, place) => {
      below += counts[place] ?? 0;
      return lineOf(`${name}_bucket`, [...names, "le"], [...labels, numberText(bound)], below);
    });
    return [
      ...buckets,
      lineOf(`${name}_sum`, names, labels, sum),
      lineOf(`${name}_count`, names, labels, below),
    ];
  });
}

function lineOf(name: string, names: readonly string[], labels: readonly string[], value: number): string {
  const pairs = names.map((label, place) => `${label}="${escapedLabel(labels[place] ?? "")}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escapedLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
