/**
 * Small runs written by hand, for the tests of rules: a baseline in which every promise is kept, told step by step, so that a test
 * can say what went otherwise.
 */
import type { Observation, Seen } from "../observation.ts";

export type Scene = {
  /** Everything seen so far. */
  readonly observations: Observation[];
  /** Moves true time on; a second unless said. */
  readonly wait: (ms?: number) => void;
  readonly see: (seen: Seen) => void;
  /** A request by an account, and what came of it a moment later; null: nothing did. */
  readonly ask: (asked: Asking, answer: Answering | null) => number;
  /** A command and its outcome; null: broken off. */
  readonly command: (
    name: string,
    args: Readonly<Record<string, string>>,
    outcome: { readonly data: unknown } | { readonly code: string; readonly detail?: string } | null,
  ) => number;
};

export type Asking = {
  readonly client: string;
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type Answering = {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What an answer says of its key's limit. */
const LIMIT = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "99", "x-ratelimit-reset": "1" };

/** An empty run, whose time begins at 0. */
export function scene(): Scene {
  const observations: Observation[] = [];
  let atMs = 0;
  let id = 0;
  const see = (seen: Seen) => observations.push({ ...seen, atMs });
  const wait = (ms = 1000) => {
    atMs += ms;
  };
  return {
    observations,
    wait,
    see: (seen) => void see(seen),
    ask: ({ client, method = "GET", path, headers = {}, body }, answer) => {
      id += 1;
      const words = body === undefined ? null : JSON.stringify(body);
      const all = { "x-request-id": `r-${id}`, authorization: `Bearer ${keyOf(client)}`, ...headers };
      see({ kind: "request", id, client, method, path: `/public/v1${path}`, headers: all, body: words });
      wait(20);
      if (answer === null) see({ kind: "no answer", id });
      else {
        const answered = { "x-request-id": `r-${id}`, ...LIMIT, ...answer.headers };
        see({
          kind: "answer",
          id,
          status: answer.status,
          headers: answered,
          body: JSON.stringify(answer.json),
        });
      }
      return id;
    },
    command: (name, args, outcome) => {
      id += 1;
      see({ kind: "command", id, name, args });
      wait(10);
      if (outcome === null) see({ kind: "no outcome", id });
      else if ("data" in outcome) see({ kind: "outcome", id, ok: true, data: outcome.data });
      else see({ kind: "outcome", id, ok: false, code: outcome.code, detail: outcome.detail ?? "" });
      return id;
    },
  };
}

/** The key of an account of these scenes. */
export function keyOf(client: string): string {
  return `bdr_${client}_secret`;
}

/** An id that ends in a number, of 26 characters. */
export function idOf(n: number): string {
  return `01J${String(n).padStart(23, "0")}`;
}

export const SETTINGS = {
  defaults: { region: "BF", timezone: "Africa/Ouagadougou" },
  operators: {
    orange: {
      prefixes: ["22607"],
      price: 15,
      connections: [{ host: "one.invalid", port: 2775, system_id: "b" }],
    },
    moov: {
      prefixes: ["22670"],
      price: 20,
      connections: [{ host: "two.invalid", port: 2775, system_id: "b" }],
    },
  },
};

/** A first life with one configuration and the accounts named, each with a key and money. */
export function opening(names: readonly string[] = ["alpha"], funds = 10_000): Scene {
  const run = scene();
  run.see({ kind: "settings", document: SETTINGS });
  run.see({ kind: "life", life: 1, what: "starting" });
  run.see({ kind: "life", life: 1, what: "ready" });
  for (const [n, name] of names.entries()) {
    run.wait();
    run.command(
      "account create",
      { name, billing: "prepaid" },
      { data: { account_id: idOf(900 + n), name } },
    );
    run.command(
      "key create",
      { ACCOUNT: name, name: "main", scopes: "all" },
      { data: { key_id: name, api_key: keyOf(name) } },
    );
    if (funds > 0) {
      const data = { balance: funds, reserved: 0, spendable: funds, credit_limit: 0 };
      run.command(
        "wallet topup",
        { ACCOUNT: name, AMOUNT: String(funds), reference: `first ${name}` },
        { data },
      );
    }
  }
  run.wait();
  return run;
}

/** The sender of `SUBMISSION` is approved for an account, and these operators know it. */
export function registered(run: Scene, ACCOUNT: string, ...operators: readonly string[]): void {
  run.command("sender approve", { ACCOUNT, NAME: SUBMISSION.sender }, { data: {} });
  for (const operator of operators) {
    run.command("sender register", { ACCOUNT, NAME: SUBMISSION.sender, operator }, { data: {} });
  }
}

export const SUBMISSION = {
  sender: "BENDRE",
  body: "Bonjour {name}",
  message_class: "TRANSACTIONAL",
  recipients: [
    { msisdn: "07000001", attributes: { name: "Awa" } },
    { msisdn: "+22670000002", attributes: { name: "Ali" } },
  ],
};

/** The answer that `SUBMISSION` deserves: two segments, 15 and 20 XOF. */
export function accepted(batchId: string, changes: Readonly<Record<string, unknown>> = {}): Answering {
  const data = {
    batch_id: batchId,
    status: "QUEUED",
    accepted: 2,
    rejected: 0,
    rejections: [],
    reserved_amount: 35,
    currency: "XOF",
    total_segments: 2,
  };
  return { status: 202, json: { data: { ...data, ...changes } } };
}

/** A batch of `SUBMISSION` as a fetch shows it once everybody has it. */
export function settled(batchId: string, changes: Readonly<Record<string, unknown>> = {}): Answering {
  const counts = { total: 2, queued: 2, submitted: 2, sent: 2, delivered: 2, failed: 0, cancelled: 0 };
  const data = {
    batch_id: batchId,
    status: "SETTLED",
    accepted: 2,
    rejected: 0,
    rejections: [],
    sender: "BENDRE",
    channel: "SMS",
    message_class: "TRANSACTIONAL",
    counts,
    failure: null,
    reserved_amount: 35,
    charged_amount: 35,
    released_amount: 0,
    currency: "XOF",
    total_segments: 2,
  };
  return { status: 200, json: { data: { ...data, ...changes } } };
}

/** A message of the batch as the feed shows it, delivered. */
export function delivered(batchId: string, index: number, changes: Readonly<Record<string, unknown>> = {}) {
  const price = index === 0 ? 15 : 20;
  return {
    message_id: idOf(500 + index),
    batch_id: batchId,
    index,
    sender: "BENDRE",
    channel: "SMS",
    msisdn: index === 0 ? "+22607000001" : "+22670000002",
    operator: index === 0 ? "orange" : "moov",
    message_class: "TRANSACTIONAL",
    status: "DELIVERED",
    is_final: true,
    encoding: "GSM7",
    segments: 1,
    amount: price,
    reserved_amount: 0,
    currency: "XOF",
    error: null,
    status_changed_at: `2026-01-01T00:00:0${index}.000000Z`,
    ...changes,
  };
}

/** A page of the feed with these rows, the last one. */
export function page(messages: readonly unknown[]): Answering {
  return {
    status: 200,
    json: { data: { messages, next_status_changed_since: "2026-01-02", has_more: false } },
  };
}

/** What a test says otherwise about the whole run. */
export type Otherwise = {
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly batch?: Readonly<Record<string, unknown>>;
  /** Of the first message, and of the second. */
  readonly rows?: readonly [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  readonly wallet?: Readonly<Record<string, unknown>>;
  readonly entries?: (entries: readonly SceneEntry[]) => readonly SceneEntry[];
  /** More that happens before the submission, and between it and rest. */
  readonly before?: (run: Scene) => void;
  readonly during?: (run: Scene) => void;
  readonly after?: (run: Scene) => void;
};

export type SceneEntry = {
  readonly kind: string;
  readonly amount: number;
  readonly change: number;
  readonly balance: number;
  readonly cause: string;
  readonly batch_id: string | null;
};

export const SUBMIT: Asking = {
  client: "alpha",
  method: "POST",
  path: "/batches",
  headers: { "idempotency-key": "k1" },
  body: SUBMISSION,
};

/** A whole run in which every promise is kept: one batch of `SUBMISSION`, and everything that is asked at rest. */
export function wholeRun(otherwise: Otherwise = {}): Scene {
  const run = opening();
  const batchId = idOf(1);
  otherwise.before?.(run);
  run.ask(SUBMIT, accepted(batchId, otherwise.answer));
  run.wait();
  otherwise.during?.(run);
  run.wait();
  run.see({ kind: "rest" });
  run.ask({ client: "alpha", path: `/batches/${batchId}` }, settled(batchId, otherwise.batch));
  const rows = [0, 1].map((index) => delivered(batchId, index, otherwise.rows?.[index]));
  run.ask({ client: "alpha", path: "/messages?status_changed_since=2025-01-01T00:00:00Z" }, page(rows));
  const wallet = { balance: 9965, reserved: 0, credit_limit: 0, spendable: 9965, ...otherwise.wallet };
  run.ask({ client: "alpha", path: "/account/balance" }, { status: 200, json: { data: wallet } });
  run.command("wallet show", { ACCOUNT: "alpha" }, { data: wallet });
  const entries = otherwise.entries?.(entriesOf(batchId)) ?? entriesOf(batchId);
  const closing_balance = entries.at(-1)?.balance ?? 0;
  const not_entered_yet = { charged: 0, released: 0 };
  const statement = { opening_balance: 0, entries, closing_balance, not_entered_yet };
  run.command("wallet statement", { ACCOUNT: "alpha" }, { data: statement });
  run.command("ledger check", {}, { data: { entries: 4 } });
  otherwise.after?.(run);
  return run;
}

function entriesOf(batchId: string): readonly SceneEntry[] {
  const of = (kind: string, amount: number, change: number, balance: number, cause: string) => ({
    kind,
    amount,
    change,
    balance,
    cause,
    batch_id: cause.startsWith("batch:") ? batchId : null,
  });
  return [
    of("TOPUP", 10_000, 10_000, 10_000, `topup:${idOf(900)}:first alpha`),
    of("RESERVE", 35, 0, 10_000, `batch:${batchId}:reserve`),
    of("CHARGE", 35, -35, 9965, `batch:${batchId}:charge:1`),
  ];
}
