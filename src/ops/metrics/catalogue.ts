/** Every metric: what it counts or measures, and its labels. The rules and the dashboard beside this file use only these. */
import { REROUTES } from "../../channels/sms/route-marks.ts";
import { ROUTE_SEGMENTS, SUBMIT_SECONDS } from "../../channels/sms/smpp-worker.ts";
import { WHATSAPP_POSTS } from "../../channels/whatsapp/post-messages.ts";
import { WHATSAPP_STATUSES } from "../../channels/whatsapp/status-handler.ts";
import { WHATSAPP_UNKNOWN } from "../../channels/whatsapp/webhook.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { LIMITED, LONG_SECONDS, type MetricsRegistry, SHORT_SECONDS } from "../../core/metrics-registry.ts";
import { COMMIT_SECONDS } from "../../db/writer.ts";
import { MESSAGES, RECEIPT_SECONDS, REJECTIONS } from "../../domain/messages/message-metrics.ts";
import { HTTP_REQUEST_SECONDS, HTTP_REQUESTS } from "../../ingress/http/request-context.ts";
import { SMPP_BINDS_REFUSED, SMPP_RECEIPTS, SMPP_SUBMITS } from "../../ingress/smpp/smpp-metrics.ts";

/** How much later than due the event loop ran a timer. */
const LOOP_HOLD_SECONDS = "bendre_loop_hold_seconds";

/** The interval of the timer that detects a blocked event loop; its cost is not measurable. */
const LOOK_MS = 50;

/** Measures how long the event loop is blocked, until the returned function is called. */
export function measureLoopDelay(clock: Clock, tally: MetricsRegistry): () => void {
  const holds = tally.histograms(LOOP_HOLD_SECONDS, SHORT_SECONDS).of();
  let cancel: Cancel = () => {};
  const wait = (): void => {
    const dueMs = clock.steadyMs() + LOOK_MS;
    cancel = clock.after(LOOK_MS, () => {
      holds.observe(Math.max(0, clock.steadyMs() - dueMs) / 1000);
      wait();
    });
  };
  wait();
  return () => cancel();
}

export type Metric = {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  /** Bucket bounds of a histogram, in seconds. */
  readonly bounds: readonly number[];
};

function metric(kind: Metric["kind"], name: string, help: string, ...labels: readonly string[]): Metric {
  const bounds = kind !== "histogram" ? [] : name === RECEIPT_SECONDS ? LONG_SECONDS : SHORT_SECONDS;
  return { name, kind, help, labels, bounds };
}

export const METRICS = {
  messages: metric(
    "counter",
    MESSAGES,
    "Messages, each time that one reaches a status.",
    ...["operator", "class", "status"],
  ),
  rejections: metric("counter", REJECTIONS, "Recipients that were dropped from a submission.", "reason"),
  limited: metric(
    "counter",
    LIMITED,
    "Requests that were refused because there were too many, by of what.",
    "limit",
  ),
  unanswered: metric(
    "gauge",
    "bendre_unanswered_messages",
    "Messages whose submit got no answer and that wait for one.",
  ),
  queue: metric(
    "gauge",
    "bendre_queue_messages",
    "Messages that leave when their operator takes them.",
    ...["operator", "class"],
  ),
  oldest: metric(
    "gauge",
    "bendre_queue_oldest_seconds",
    "For how long the oldest message of the queue waits.",
    ...["operator", "class"],
  ),
  submitSeconds: metric("histogram", SUBMIT_SECONDS, "From a submit_sm to its answer in time.", "operator"),
  receiptSeconds: metric(
    "histogram",
    RECEIPT_SECONDS,
    "From the last claim of a message to the receipt that ended it.",
    "operator",
  ),
  linkUp: metric(
    "gauge",
    "bendre_link_up",
    "1 while a connection to an operator is bound, else 0.",
    ...["operator", "connection"],
  ),
  routeAble: metric(
    "gauge",
    "bendre_route_able",
    "1 while a route to an operator takes messages, else 0.",
    ...["operator", "route"],
  ),
  routeSegments: metric(
    "counter",
    ROUTE_SEGMENTS,
    "Segments that a route accepted.",
    ...["operator", "route", "class"],
  ),
  reroutes: metric(
    "counter",
    REROUTES,
    "Messages that left a route for another: it refused them, or said later too often.",
    ...["operator", "route", "why"],
  ),
  windowUsed: metric(
    "gauge",
    "bendre_link_window_used",
    "submit_sm of a connection that have no answer yet.",
    ...["operator", "connection"],
  ),
  submits: metric(
    "counter",
    "bendre_submits_total",
    "submit_sm by what came of them.",
    ...["operator", "connection", "result"],
  ),
  unmatched: metric(
    "counter",
    "bendre_receipts_unmatched_total",
    "Receipts that named no known message when they came.",
  ),
  receiptsRefused: metric(
    "counter",
    "bendre_receipts_refused_total",
    "Of those, receipts that were not kept, because storage.unmatched_receipts of their SMSC account were.",
    ...["operator", "connection"],
  ),
  numberUp: metric(
    "gauge",
    "bendre_whatsapp_number_up",
    "1 while messages may leave by a number of WhatsApp, else 0.",
    "operator",
  ),
  numberRate: metric(
    "gauge",
    "bendre_whatsapp_number_rate",
    "Messages a second that a number of WhatsApp may send after Meta's complaints.",
    "operator",
  ),
  numberUsers: metric(
    "gauge",
    "bendre_whatsapp_users_of_day",
    "Different users whom the numbers of a portfolio wrote to in the last day.",
    "operator",
  ),
  postsOpen: metric(
    "gauge",
    "bendre_whatsapp_posts_open",
    "Posts of a number that Meta has not answered yet.",
    "operator",
  ),
  posts: metric(
    "counter",
    WHATSAPP_POSTS,
    "Posts to WhatsApp by what came of them.",
    ...["operator", "result"],
  ),
  whatsappStatuses: metric(
    "counter",
    WHATSAPP_STATUSES,
    "Statuses of WhatsApp by what became of them.",
    ...["result", "status"],
  ),
  whatsappUnknown: metric(
    "counter",
    WHATSAPP_UNKNOWN,
    "What calls of the Cloud API brought that was not understood.",
    "field",
  ),
  smppSessions: metric("gauge", "bendre_smpp_user_sessions", "Bound sessions of an SMPP user.", "user"),
  smppSubmits: metric(
    "counter",
    SMPP_SUBMITS,
    "submit_sm and data_sm of an SMPP user, by what they were answered.",
    ...["user", "result"],
  ),
  smppReceiptsWaiting: metric(
    "gauge",
    "bendre_smpp_user_receipts_waiting",
    "Receipts, and texts that came in, that wait to be delivered to an SMPP user.",
    "user",
  ),
  smppReceipts: metric(
    "counter",
    SMPP_RECEIPTS,
    "Attempts to deliver these to an SMPP user, by what came of them.",
    ...["user", "result"],
  ),
  smppBindsRefused: metric(
    "counter",
    SMPP_BINDS_REFUSED,
    "Binds of SMPP users that were refused, by why.",
    "reason",
  ),
  webhookAttempts: metric(
    "counter",
    "bendre_webhook_attempts_total",
    "Attempts to tell an endpoint an event.",
    "result",
  ),
  webhookBacklog: metric(
    "gauge",
    "bendre_webhook_backlog_events",
    "Events that wait to be told to enabled endpoints.",
  ),
  requests: metric(
    "counter",
    HTTP_REQUESTS,
    "Requests that were answered.",
    ...["method", "route", "status"],
  ),
  requestSeconds: metric("histogram", HTTP_REQUEST_SECONDS, "From the head of a request to its answer."),
  commitSeconds: metric("histogram", COMMIT_SECONDS, "How long a commit of the database takes."),
  loopHold: metric("histogram", LOOP_HOLD_SECONDS, "How much later than asked the event loop came round."),
  databaseBytes: metric("gauge", "bendre_database_bytes", "Size of the database file."),
  walBytes: metric("gauge", "bendre_wal_bytes", "Size of its write-ahead log."),
  diskFree: metric("gauge", "bendre_disk_free_bytes", "What the disk of the data directory has left."),
  ledgerDifferences: metric(
    "gauge",
    "bendre_ledger_differences",
    "Differences that the last check of the books found.",
  ),
  backupAge: metric("gauge", "bendre_backup_age_seconds", "How old the newest backup is."),
  build: metric("gauge", "bendre_build_info", "1, with what runs.", ...["version", "commit"]),
} satisfies Readonly<Record<string, Metric>>;
