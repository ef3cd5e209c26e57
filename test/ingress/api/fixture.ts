import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClientCancel } from "../../../src/admin/operations/batches.ts";
import { intakeChannels } from "../../../src/app/channels.ts";
import { createListTemplates } from "../../../src/channels/whatsapp/batch-preparation.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createHealth, type HealthCheck, type Readiness, readiness } from "../../../src/core/health.ts";
import { idFactory, type NewId } from "../../../src/core/ids.ts";
import { openStore, type Store } from "../../../src/db/store.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey, keyUses, SCOPES, type Scope } from "../../../src/domain/accounts/api-keys.ts";
import { MESSAGE_CLASSES } from "../../../src/domain/accounts/message-class.ts";
import { approveSender, registerSender, requestSender } from "../../../src/domain/accounts/senders.ts";
import { openWallet } from "../../../src/domain/ledger/wallet.ts";
import { messageIds } from "../../../src/domain/messages/insert.ts";
import { stages } from "../../../src/domain/messages/staged-recipients.ts";
import { quoter } from "../../../src/domain/submission/quote.ts";
import { rejectionCounts } from "../../../src/domain/submission/rejections.ts";
import {
  rejectedTooMany,
  type Submit,
  type SubmitDeps,
  submitter,
} from "../../../src/domain/submission/submit.ts";
import { type Resolve, systemHttps } from "../../../src/https/address-guard.ts";
import type { ApiDeps } from "../../../src/ingress/api/deps.ts";
import { createEndpointClient } from "../../../src/webhooks/endpoint-client.ts";
import { registration } from "../../../src/webhooks/registration.ts";
import { openSecretSeal } from "../../../src/webhooks/signing.ts";
import { createClientTestEvents } from "../../../src/webhooks/test-events.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type HttpServer, startHttp } from "../../kit/start-http.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type TestClock, testClock } from "../../kit/test-clock.ts";
import { type LogLine, testLog } from "../../kit/test-log.ts";

export type Tenant = { readonly accountId: number; readonly keyId: string; readonly apiKey: string };

export type HttpFixture = {
  readonly http: HttpServer;
  readonly store: Store;
  readonly clock: TestClock;
  readonly lines: readonly LogLine[];
  /** What submissions are accepted with, and a validator can be built on. */
  readonly intake: SubmitDeps;
  readonly services: ApiDeps["services"];
  readonly newId: NewId;
  readonly ready: Readiness;
  /** An account with 1,000,000 XOF, the sendable sender ACME and a key. */
  readonly tenant: (scopes?: readonly Scope[]) => Promise<Tenant>;
  readonly key: (accountId: number, scopes: readonly Scope[], expiresAtMs?: number) => Promise<Tenant>;
  readonly close: () => Promise<void>;
};

export type FixtureChanges = {
  readonly api?: Readonly<Record<string, number>>;
  readonly policy?: Readonly<Record<string, number>>;
  /** Beside orange, which owns 22670. */
  readonly operators?: Readonly<Record<string, unknown>>;
  readonly whatsapp?: Readonly<Record<string, unknown>>;
  /** Stands in for the real submission, which it is given. */
  readonly submit?: (real: Submit) => Submit;
  /** What each write of a submission waits for. */
  readonly beforeWrite?: () => Promise<unknown> | undefined;
  /** What names of webhook endpoints resolve to; without it none does. */
  readonly resolve?: Resolve;
  /** Endpoints may be on this machine, signed for by the tests' authority, and tests of them are really posted. */
  readonly areReceiversHere?: boolean;
  /** What `GET /health` looks at; nothing without it. */
  readonly checks?: readonly HealthCheck[];
};

/** The HTTP door on a free port of the loopback, with real rooms behind it and a clock that stands still. */
export async function httpFixture(changes: FixtureChanges = {}): Promise<HttpFixture> {
  const directory = mkdtempSync(join(tmpdir(), "bendre-http-"));
  const clock = testClock();
  const log = testLog();
  const chance = seededChance(1);
  const newId = idFactory(clock, chance);
  const store = openStore(directory, clock);
  const config = configOf(
    document({
      server: { listen: "127.0.0.1:0" },
      api: { requests_per_second: 1000, burst: 1000, ...changes.api },
      operators: { orange: operator({ prefixes: ["22670"], price: 15 }), ...changes.operators },
      ...(changes.whatsapp ? { whatsapp: changes.whatsapp } : {}),
      ...(changes.policy ? { policy: changes.policy } : {}),
    }),
  );
  const waiting: Store = {
    ...store,
    write: async (...job) => {
      await changes.beforeWrite?.();
      return store.write(...job);
    },
  };
  const intake: SubmitDeps = {
    settings: settingsHolder(config),
    store,
    clock,
    newId,
    messageIds: messageIds(store.read),
    stages: stages(),
    rejected: rejectionCounts(),
    log,
    channels: intakeChannels({ settings: settingsHolder(config), store, log }),
    onQueued: () => {},
    notNow: () => null,
    takeFastPathSlot: () => null,
    isStopping: () => false,
    onValidating: () => {},
  };
  const submit = submitter({ ...intake, store: waiting });
  const ready = readiness();
  const health = createHealth(clock, ready, changes.checks ?? []);
  const seal = openSecretSeal(directory, chance);
  const { areReceiversHere = false } = changes;
  const way = { ...config.webhooks, allow_private_targets: areReceiversHere, authorities: TEST_AUTHORITY };
  // Its time limit runs while the clock of the fixture stands still.
  const resolve = changes.resolve ?? (() => Promise.reject(new Error("no such name")));
  const { post } = createEndpointClient(way, systemClock, { ...systemHttps, resolve });
  const services: ApiDeps["services"] = {
    submitBatch: changes.submit?.(submit) ?? submit,
    cancelBatch: createClientCancel((actor) => ({ store, clock, actor, server: null })),
    rejectedTooMany: (accountId) => rejectedTooMany(intake, accountId),
    quoteBatch: quoter({ ...intake, store: waiting }),
    listTemplates: createListTemplates(settingsHolder(config), store),
    testWebhook: createClientTestEvents({ store, clock, newId, log, seal, post: () => post }).test,
    webhooks: registration({
      store,
      clock,
      chance,
      newId,
      seal,
      resolve,
      own: () => new Set(),
      allowPrivate: () => areReceiversHere,
    }),
  };
  const http = await startHttp({
    settings: settingsHolder(config),
    clock,
    log,
    newId,
    store,
    readiness: ready,
    health,
    services,
    keyUses: keyUses(),
  });
  const key: HttpFixture["key"] = (accountId, scopes, expiresAtMs) =>
    store.write((tx) => ({
      accountId,
      ...createKey(
        tx,
        chance,
        { accountId, name: "test", scopes, expiresAtMs: expiresAtMs ?? null },
        clock.nowMs(),
      ),
    }));
  return {
    http,
    store,
    clock,
    lines: log.lines,
    intake,
    services,
    newId,
    ready,
    key,
    tenant: async (scopes = SCOPES) => {
      const accountId = await store.write((tx) => {
        const nowMs = clock.nowMs();
        const id = createAccount(
          tx,
          {
            ulid: newId(),
            name: "Faso Shop",
            timezone: "Africa/Ouagadougou",
            billingMode: "PREPAID",
            creditLimit: 0,
            chargeOn: null,
            classes: MESSAGE_CLASSES,
          },
          nowMs,
        );
        if (!tx.get("SELECT 1 FROM wallets WHERE account_id = ?", id)) openWallet(tx, id);
        tx.run("UPDATE wallets SET funds = 1000000 WHERE account_id = ?", id);
        requestSender(tx, id, "ACME", nowMs);
        const sender = tx.get<{ id: number }>("SELECT id FROM senders WHERE account_id = ?", id)!;
        approveSender(tx, sender.id);
        registerSender(tx, sender.id, "orange", nowMs);
        return id;
      });
      return key(accountId, scopes);
    },
    close: async () => {
      await http.stop();
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** A submission that is accepted, with `changes` over it. */
export function submission(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    sender: "ACME",
    body: "Bonjour",
    message_class: "TRANSACTIONAL",
    recipients: [{ msisdn: "70123456" }],
    ...changes,
  };
}

/** Sends a submission; a text goes out as it is. */
export function submitTo(
  { http }: HttpFixture,
  { apiKey }: Tenant,
  idempotencyKey: string,
  body: unknown = submission(),
): Promise<Response> {
  return fetch(`${http.url}/public/v1/batches`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export function getFrom({ http }: HttpFixture, { apiKey }: Tenant, path: string): Promise<Response> {
  return fetch(`${http.url}/public/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
}

type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly is_retryable: boolean;
  readonly request_id: string;
  readonly errors?: readonly { path: string; message: string }[];
};

export async function problemOf(response: Response): Promise<Problem> {
  return (await response.json()) as Problem;
}

/** "422 VALIDATION_FAILED". */
export async function verdict(response: Response): Promise<string> {
  return `${response.status} ${(await problemOf(response)).code}`;
}

export type RawConnection = {
  readonly send: (bytes: string | Uint8Array) => void;
  /** All that came, once it holds `text` or the connection was closed. */
  readonly until: (text: string) => Promise<string>;
  /**
   * All that came, once the server has closed the connection.
   * @throws Error when it did so because nothing moved any more: it does that with every connection, 40 seconds later.
   */
  readonly closed: () => Promise<string>;
  readonly end: () => void;
};

/** A server that means to close a connection is not still about it after this. */
const MAX_REST_MS = 20_000;

/** A socket to speak HTTP on by hand. */
export function rawConnection({ http }: HttpFixture): RawConnection {
  const socket = connect(http.port, "127.0.0.1");
  let received = "";
  let isClosed = false;
  let activeAt = performance.now();
  let restedMs = 0;
  const waiters: (() => void)[] = [];
  const tell = () => {
    for (const waiter of waiters.splice(0)) waiter();
  };
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    activeAt = performance.now();
    tell();
  });
  socket.on("close", () => {
    isClosed = true;
    restedMs = performance.now() - activeAt;
    tell();
  });
  socket.on("error", () => {});
  const when = async (isMet: () => boolean): Promise<string> => {
    while (!isMet() && !isClosed) await new Promise<void>((resolve) => waiters.push(resolve));
    return received;
  };
  return {
    send: (bytes) => socket.write(bytes),
    until: (text) => when(() => received.includes(text)),
    closed: async () => {
      const answer = await when(() => false);
      if (restedMs > MAX_REST_MS) throw new Error("closed because nothing moved, not with the answer");
      return answer;
    },
    end: () => socket.destroy(),
  };
}
