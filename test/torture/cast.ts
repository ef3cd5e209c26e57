/** Who takes part in a run of torture, and the configuration that all its lives share. */
import type { AccountPlan, CentreHabits, CentrePlan, ReceiverHabits, ReceiverPlan } from "../sim/plan.ts";

/** A sender that every account owns, registered everywhere. */
export const SENDER = "TORTURE";

/** Beginnings of numbers, of all operators. */
export const PREFIXES = ["22605", "22674", "22676", "22670", "22671", "22678"] as const;

/** Prompt and honest: what is shown here is that deaths lose and double nothing. */
const HABITS: CentreHabits = {
  responseMs: [1, 15],
  receiptMs: [5, 200],
  swallow: 0,
  ignore: 0,
  doubleResponse: 0,
  contradict: 0,
  // Of a refusal for good, a message whose other submit is in doubt would wait for an hour; throttling slows down for long.
  refuse: 0.01,
  refusals: [0x08],
  noReceipt: 0,
  earlyReceipt: 0.02,
  doubleReceipt: 0.02,
  foreignReceipt: 0,
  intermediateReceipt: 0.02,
  undelivered: 0.05,
  undeliveredAs: ["UNDELIV", "EXPIRED", "REJECTD", "DELETED"],
  refuseBind: 0,
  deafToEnquire: 0,
  ids: "decimal",
  marks: "both",
};

/** SMSC accounts. Two operators share the second. */
export const CENTRES: readonly [CentrePlan, ...CentrePlan[]] = [
  { name: "sahel", habits: HABITS },
  { name: "mouhoun", habits: { ...HABITS, ids: "hex then decimal", responseMs: [2, 40] } },
];

const RECEIVER_HABITS: ReceiverHabits = {
  answerMs: [0, 20],
  fail: 0.01,
  failures: [500, 502],
  broken: 0,
  silent: 0,
};

export const RECEIVERS: readonly [Receiving, ...Receiving[]] = [
  { name: "kola", habits: RECEIVER_HABITS },
  { name: "baobab", habits: RECEIVER_HABITS },
];
type Receiving = Omit<ReceiverPlan, "url">;

const ALL_EVENTS = [
  "MESSAGE_TERMINAL",
  "BATCH_ACCEPTED",
  "BATCH_SETTLED",
  "BATCH_REJECTED",
  "BATCH_FAILED",
  "BATCH_CANCELLED",
];

const account = (name: string, own: Partial<AccountPlan>): AccountPlan => ({
  name,
  billing: "prepaid",
  creditLimit: 0,
  funds: 1_000_000_000,
  timezone: "Africa/Ouagadougou",
  chargeOn: null,
  senders: [SENDER],
  endpoints: [],
  setUp: [],
  ...own,
});

/** Whoever has little money soon gets a 402. */
export const POOR = account("Petit Marche", { funds: 30_000 });

/** Client companies that can pay: one is charged for what is delivered, one pays later. */
export const RICH: readonly [AccountPlan, ...AccountPlan[]] = [
  account("Faso Colis", { endpoints: [{ receiver: "kola", events: ALL_EVENTS }] }),
  account("Banque du Mil", { chargeOn: "delivered" }),
  account("Radio Karite", {
    billing: "postpaid",
    creditLimit: 1_000_000_000,
    funds: 0,
    endpoints: [{ receiver: "baobab", events: ["BATCH_ACCEPTED", "BATCH_SETTLED", "BATCH_CANCELLED"] }],
  }),
];

export const ACCOUNTS: readonly [AccountPlan, ...AccountPlan[]] = [...RICH, POOR];

/** What one connection may have unanswered: as many are in doubt after a kill, at most. */
export const WINDOW = 20;

const connection = (centre: string, bind: string) => ({
  host: `${centre}.invalid`,
  port: 2775,
  system_id: "bendre",
  password: "secret",
  bind,
  window: WINDOW,
  throughput: 10_000,
  response_timeout_seconds: 2,
  reconnect_seconds: 1,
  enquire_link_seconds: 2,
});

/**
 * The configuration as the plan and the auditor know it: centres by their names. What the file's bounds allow is set so that nothing
 * waits long.
 */
export const DOCUMENT = {
  api: { requests_per_second: 10_000, burst: 100_000 },
  policy: {
    marketing_hours: "00:00-24:00",
    marketing_per_day: 0,
    marketing_per_week: 0,
    recipients_per_day: 0,
  },
  delivery: {
    receipt_timeout_hours: 1,
    unanswered: { OTP: "resend", TRANSACTIONAL: "resend", MARKETING: "resend", wait_hours: 1 },
  },
  webhooks: {
    allow_private_targets: true,
    timeout_seconds: 2,
    retry_seconds: [1, 1, 1, 2, 2, 2, 3, 3, 5, 5, 10, 10],
    probe_seconds: [1, 1, 2],
  },
  operators: {
    orange: {
      prefixes: ["22605", "22674", "22676"],
      price: 15,
      connections: [connection("sahel", "transceiver"), connection("sahel", "transceiver")],
    },
    moov: {
      prefixes: ["22670", "22671"],
      price: 12,
      connections: [connection("mouhoun", "transmitter"), connection("mouhoun", "receiver")],
    },
    telecel: { prefixes: ["22678"], price: 18, connections: [connection("mouhoun", "transceiver")] },
  },
};
