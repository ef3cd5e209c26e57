/** A Grafana dashboard over the metrics of `catalogue.ts` alone. It asks for its data source at import. */
import { METRICS } from "./catalogue.ts";

type Query = { readonly expr: string; readonly legend: string };

type Panel = {
  readonly title: string;
  readonly kind: "timeseries" | "stat";
  readonly unit: string;
  readonly queries: readonly Query[];
};

const { messages, rejections, queue, oldest, linkUp, windowUsed, submits } = METRICS;
const { numberUp, numberRate, numberUsers, posts, postsOpen } = METRICS;
const { submitSeconds, receiptSeconds, unmatched, receiptsRefused, unanswered } = METRICS;
const { whatsappStatuses, whatsappUnknown, limited } = METRICS;
const { webhookAttempts, webhookBacklog, requests, requestSeconds, commitSeconds, loopHold } = METRICS;
const { databaseBytes, walBytes, diskFree, ledgerDifferences, backupAge, build } = METRICS;

const RATE = "$__rate_interval";

function quantile(name: string, share: number, by: readonly string[] = []): string {
  return `histogram_quantile(${share}, sum by (${["le", ...by].join(", ")}) (rate(${name}_bucket[${RATE}])))`;
}

function rate(name: string, by: string, only = ""): string {
  return `sum by (${by}) (rate(${name}${only}[${RATE}]))`;
}

function lines(title: string, unit: string, ...queries: readonly Query[]): Panel {
  return { title, kind: "timeseries", unit, queries };
}

function figure(title: string, unit: string, expr: string, legend = ""): Panel {
  return { title, kind: "stat", unit, queries: [{ expr, legend }] };
}

const PANELS: readonly Panel[] = [
  figure("Running", "none", build.name, "{{version}} {{commit}}"),
  figure("Connections bound", "none", `sum(${linkUp.name})`),
  figure("Waiting", "none", `sum(${queue.name})`),
  figure("Unanswered", "none", unanswered.name),
  figure("Differences in the books", "none", ledgerDifferences.name),
  figure("Age of the newest backup", "s", backupAge.name),
  lines("Messages by status", "ops", { expr: rate(messages.name, "status"), legend: "{{status}}" }),
  lines("Delivered by operator", "ops", {
    expr: rate(messages.name, "operator", '{status="DELIVERED"}'),
    legend: "{{operator}}",
  }),
  lines("The queue", "none", { expr: queue.name, legend: "{{operator}} {{class}}" }),
  lines("The oldest that waits", "s", { expr: oldest.name, legend: "{{operator}} {{class}}" }),
  lines("Answers to submits", "ops", {
    expr: rate(submits.name, "operator, result"),
    legend: "{{operator}} {{result}}",
  }),
  lines("Window used", "none", { expr: windowUsed.name, legend: "{{operator}} {{connection}}" }),
  lines(
    "From submit to answer",
    "s",
    { expr: quantile(submitSeconds.name, 0.5, ["operator"]), legend: "{{operator}} half" },
    { expr: quantile(submitSeconds.name, 0.99, ["operator"]), legend: "{{operator}} 99 %" },
  ),
  lines(
    "From submit to receipt",
    "s",
    { expr: quantile(receiptSeconds.name, 0.5, ["operator"]), legend: "{{operator}} half" },
    { expr: quantile(receiptSeconds.name, 0.9, ["operator"]), legend: "{{operator}} 90 %" },
  ),
  lines(
    "Receipts without a message",
    "ops",
    { expr: `rate(${unmatched.name}[${RATE}])`, legend: "receipts" },
    { expr: rate(receiptsRefused.name, "operator"), legend: "{{operator}} asked for later" },
  ),
  lines("Posts to WhatsApp", "ops", {
    expr: rate(posts.name, "operator, result"),
    legend: "{{operator}} {{result}}",
  }),
  lines(
    "Numbers of WhatsApp",
    "none",
    { expr: numberUp.name, legend: "{{operator}} sends" },
    { expr: numberRate.name, legend: "{{operator}} a second" },
    { expr: postsOpen.name, legend: "{{operator}} unanswered" },
  ),
  lines("Users of the day", "none", { expr: numberUsers.name, legend: "{{operator}}" }),
  lines("Statuses of WhatsApp", "ops", {
    expr: rate(whatsappStatuses.name, "result, status"),
    legend: "{{result}} {{status}}",
  }),
  lines("Not understood of WhatsApp", "ops", {
    expr: rate(whatsappUnknown.name, "field"),
    legend: "{{field}}",
  }),
  lines("Recipients dropped", "ops", { expr: rate(rejections.name, "reason"), legend: "{{reason}}" }),
  lines("Requests", "reqps", { expr: rate(requests.name, "route, status"), legend: "{{route}} {{status}}" }),
  lines("Refused by limits", "reqps", { expr: rate(limited.name, "limit"), legend: "{{limit}}" }),
  lines("Time of a request", "s", { expr: quantile(requestSeconds.name, 0.99), legend: "99 %" }),
  lines("Webhook attempts", "ops", { expr: rate(webhookAttempts.name, "result"), legend: "{{result}}" }),
  lines("Events that wait", "none", { expr: webhookBacklog.name, legend: "events" }),
  lines(
    "Commits and the event loop",
    "s",
    { expr: quantile(commitSeconds.name, 0.99), legend: "commit, 99 %" },
    { expr: quantile(loopHold.name, 0.99), legend: "hold of the loop, 99 %" },
  ),
  lines(
    "What is kept",
    "bytes",
    { expr: databaseBytes.name, legend: "database" },
    { expr: walBytes.name, legend: "its log" },
    { expr: diskFree.name, legend: "free on the disk" },
  ),
];

/** The input that Grafana asks for at import. */
const SOURCE = "DS_PROMETHEUS";

/** Places of a row of Grafana's grid, and how many a panel of each kind takes. */
const GRID = 24;
const SIZES = { stat: { w: 4, h: 4 }, timeseries: { w: 12, h: 8 } } as const;

/** The dashboard as Grafana imports it. */
export function dashboard(): object {
  const datasource = { type: "prometheus", uid: `\${${SOURCE}}` };
  let [x, y] = [0, 0];
  const panels = PANELS.map(({ title, kind, unit, queries }, place) => {
    const { w, h } = SIZES[kind];
    if (x + w > GRID || (x > 0 && PANELS[place - 1]?.kind !== kind)) {
      y += SIZES[PANELS[place - 1]?.kind ?? kind].h;
      x = 0;
    }
    const gridPos = { x, y, w, h };
    x += w;
    return {
      id: place + 1,
      title,
      type: kind,
      datasource,
      gridPos,
      fieldConfig: { defaults: { unit }, overrides: [] },
      targets: queries.map(({ expr, legend }, number) => ({
        refId: String.fromCharCode(65 + number),
        expr,
        legendFormat: legend,
        datasource,
      })),
    };
  });
  return {
    __inputs: [{ name: SOURCE, label: "Prometheus", type: "datasource", pluginId: "prometheus" }],
    title: "Bendre",
    uid: "bendre",
    schemaVersion: 38,
    tags: ["bendre"],
    time: { from: "now-6h", to: "now" },
    refresh: "30s",
    panels,
  };
}
