/** Alert rules for Prometheus over the metrics of `catalogue.ts` alone. */
import { METRICS } from "./catalogue.ts";

type AlertRule = {
  readonly alert: string;
  readonly expr: string;
  /** How long the condition must hold. */
  readonly for: string;
  readonly severity: "critical" | "warning";
  readonly summary: string;
  /** What to do. */
  readonly action: string;
};

const { messages, queue, oldest, linkUp, submits, unmatched } = METRICS;
const { receiptSeconds, webhookBacklog, requests, commitSeconds, loopHold } = METRICS;
const { diskFree, ledgerDifferences, backupAge, build } = METRICS;

const RULES: readonly AlertRule[] = [
  {
    alert: "BendreDown",
    expr: `absent(${build.name})`,
    for: "1m",
    severity: "critical",
    summary: "Bendre does not answer.",
    action: "Look at the unit: systemctl status bendre, journalctl -u bendre.",
  },
  {
    alert: "BendreOperatorDown",
    expr: `max by (operator) (${linkUp.name}) == 0`,
    for: "30s",
    severity: "critical",
    summary: "No connection to {{ $labels.operator }} is bound.",
    action: "bendre operator status names the last error of each connection.",
  },
  {
    alert: "BendreLinkDown",
    expr: `${linkUp.name} == 0 and on (operator) max by (operator) (${linkUp.name}) == 1`,
    for: "1m",
    severity: "warning",
    summary: "Connection {{ $labels.connection }} to {{ $labels.operator }} is down.",
    action: "bendre operator status names its last error.",
  },
  {
    alert: "BendreOtpWaits",
    expr: `${oldest.name}{class="OTP"} > 60`,
    for: "30s",
    severity: "critical",
    summary: "One-time codes for {{ $labels.operator }} wait.",
    action: "bendre queue show and bendre operator status tell what holds them.",
  },
  {
    alert: "BendreTransactionalWaits",
    expr: `${oldest.name}{class="TRANSACTIONAL"} > 900`,
    for: "1m",
    severity: "warning",
    summary: "Transactional messages for {{ $labels.operator }} wait.",
    action: "bendre queue show and bendre operator status tell what holds them.",
  },
  {
    alert: "BendreQueueGrows",
    expr: `${queue.name} > 10000 and deriv(${queue.name}[30m]) > 0`,
    for: "30m",
    severity: "warning",
    summary: "More comes in for {{ $labels.operator }} ({{ $labels.class }}) than leaves.",
    action: "Ask the operator for more throughput, or spread campaigns over the day.",
  },
  {
    alert: "BendreDeliveredShareFalls",
    expr:
      `sum by (operator) (rate(${messages.name}{status="DELIVERED"}[1h])) / ` +
      `sum by (operator) (rate(${messages.name}{status="SENT"}[1h])) < 0.6 ` +
      `and sum by (operator) (increase(${messages.name}{status="SENT"}[1h])) > 200`,
    for: "15m",
    severity: "warning",
    summary: "Less than 60 % of what {{ $labels.operator }} takes is delivered.",
    action: "bendre message trace of some that failed shows the operator's own code: ask the operator.",
  },
  {
    alert: "BendreOperatorThrottles",
    expr: `sum by (operator) (rate(${submits.name}{result="throttled"}[5m])) > 0`,
    for: "10m",
    severity: "warning",
    summary: "{{ $labels.operator }} asks for less.",
    action: "Set the throughput of its connections to what the contract says.",
  },
  {
    alert: "BendreReceiptsUnmatched",
    expr:
      `increase(${unmatched.name}[15m]) > 50 ` +
      `and increase(${unmatched.name}[15m]) > 0.01 * sum(increase(${receiptSeconds.name}_count[15m]))`,
    for: "1m",
    severity: "warning",
    summary: "Receipts come that name no message.",
    action: "bendre operator receipts lists them: are the ids of the operator in another form?",
  },
  {
    alert: "BendreWebhookBacklog",
    expr: `${webhookBacklog.name} > 10000`,
    for: "30m",
    severity: "warning",
    summary: "Customers are not told what happens.",
    action: "bendre webhook list names the endpoints that fail.",
  },
  {
    alert: "BendreErrors",
    expr: `sum(rate(${requests.name}{status=~"5.."}[5m])) > 0.1`,
    for: "5m",
    severity: "warning",
    summary: "Requests are answered with an error of the server.",
    action: "GET /health says what is wrong; the log has each of them.",
  },
  {
    alert: "BendreCommitsSlow",
    expr: `histogram_quantile(0.99, rate(${commitSeconds.name}_bucket[5m])) > 1`,
    for: "10m",
    severity: "warning",
    summary: "The disk takes more than a second for a commit.",
    action: "Look for what else writes to the disk, and at its health.",
  },
  {
    alert: "BendreLoopHeld",
    expr: `histogram_quantile(0.99, rate(${loopHold.name}_bucket[5m])) > 0.25`,
    for: "10m",
    severity: "warning",
    summary: "The appliance answers late: its processor is busy.",
    action: "Give it more of a processor, or move what else runs there.",
  },
  {
    alert: "BendreDiskLow",
    expr: `${diskFree.name} < 512 * 1024 * 1024`,
    for: "1m",
    severity: "critical",
    summary: "The disk of the data directory is nearly full.",
    action: "Make room: on a full disk nothing is accepted.",
  },
  {
    alert: "BendreBooksDiffer",
    expr: `${ledgerDifferences.name} > 0`,
    for: "0s",
    severity: "critical",
    summary: "Balances and entries of the ledger differ.",
    action: "bendre ledger check names each difference.",
  },
  {
    alert: "BendreBackupOld",
    expr: `${backupAge.name} > 26 * 3600`,
    for: "10m",
    severity: "warning",
    summary: "The newest backup is older than a day.",
    action: "bendre backup create says what is in its way.",
  },
];

/** A file of rules as Prometheus loads it. YAML takes texts as JSON writes them. */
export function alertRules(): string {
  const rules = RULES.map(
    ({ alert, expr, for: lasts, severity, summary, action }) => `      - alert: ${alert}
        expr: ${JSON.stringify(expr)}
        for: ${lasts}
        labels:
          severity: ${severity}
        annotations:
          summary: ${JSON.stringify(summary)}
          description: ${JSON.stringify(action)}
`,
  );
  return `groups:\n  - name: bendre\n    rules:\n${rules.join("")}`;
}
