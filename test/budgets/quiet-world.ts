/**
 * A whole appliance on a real database in a world where nothing goes wrong and everything is counted: what a message costs in
 * statements, rows, commits, octets of the log and turns, which no machine makes faster or slower.
 */
import { heapStats } from "bun:jsc";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../src/admin/commands.ts";
import { type App, startApp } from "../../src/app/app.ts";
import type { Platform } from "../../src/app/platform.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { ServeOptions } from "../../src/core/http-server.ts";
import { DATABASE_FILE } from "../../src/db/connections.ts";
import { openOnDisk } from "../../src/db/disk.ts";
import { said } from "../../src/i18n/phrase.ts";
import { systemSpaceOf } from "../../src/ops/disk-monitor.ts";
import { configOf, connection, document, operator } from "../config/sample.ts";
import { logFrames } from "../kit/log-frames.ts";
import { statementBook } from "../kit/statement-book.ts";
import { seededChance } from "../kit/test-chance.ts";
import { testLog } from "../kit/test-log.ts";
import { scheduler } from "../sim/world/scheduler.ts";
import { simulatedThreads } from "../sim/world/threads.ts";
import { type Spent, spent } from "./cost.ts";
import { type QuickCentre, quickCentre } from "./quick-centre.ts";

export type QuietWorld = {
  readonly centre: QuickCentre;
  /** Events that the endpoint was told. */
  readonly told: () => number;
  readonly admin: (name: string, args: Readonly<Record<string, string>>) => Record<string, unknown>;
  /** Asks over HTTP; the data of the answer. */
  readonly post: (path: string, apiKey: string, body: unknown) => Record<string, unknown>;
  /** Lets time pass. */
  readonly rest: (ms: number) => void;
  readonly until: (what: string, isSo: () => boolean) => void;
  /** What the work costs. */
  readonly costOf: (work: () => void) => Spent;
  readonly close: () => void;
};

/** Without it nothing would ever wait for a commit, and so share the next. */
const COMMIT_MS = 0.5;
const MAX_STEPS = 5_000_000;
const START_MS = Date.UTC(2026, 2, 2, 9);

export function quietWorld(): QuietWorld {
  const directory = mkdtempSync(join(tmpdir(), "bendre-budget-"));
  const time = scheduler();
  let turns = 0;
  const counted = (callback: () => void) => () => {
    turns += 1;
    callback();
  };
  const clock: Clock = {
    nowMs: () => Math.floor(START_MS + time.nowMs()),
    steadyMs: () => {
      // Asking takes a moment, so that what takes long in steps is seen to.
      time.spend(0.001);
      return time.nowMs();
    },
    doubt: () => null,
    after: (delayMs, callback) => time.after(Math.max(1, Math.ceil(delayMs)), counted(callback)),
    soon: (callback) => time.soon(counted(callback)),
  };
  const frames = logFrames(join(directory, DATABASE_FILE));
  const book = statementBook(openOnDisk, (path) => {
    if (!path.endsWith(DATABASE_FILE)) return;
    frames.committed();
    time.spend(COMMIT_MS);
  });
  const centre = quickCentre(time, clock.nowMs);
  const endpoint = receiver(time);
  let served: ServeOptions["fetch"] | null = null;
  const chance = seededChance(1);
  const machine: Platform = {
    dial: centre.dial,
    listenSmpp: () => {
      throw new Error("nobody listens for SMPP in this world");
    },
    serve: (options) => {
      if (!("unix" in options.at)) served = options.fetch;
      return {
        url: new URL("http://127.0.0.1:8080"),
        port: 8080,
        pendingRequests: 0,
        stop: () => Promise.resolve(),
      };
    },
    https: endpoint.network,
    sendMail: async () => said("there is no mail in this world"),
    startThread: simulatedThreads({
      time,
      chance,
      clock,
      https: endpoint.network,
      openDatabase: book.openDatabase,
      isAlive: () => true,
    }),
    openDatabase: book.openDatabase,
    spaceOf: systemSpaceOf,
  };
  const until: QuietWorld["until"] = (what, isSo) => {
    time.settle();
    for (let steps = 0; !isSo(); steps++) {
      if (steps > MAX_STEPS || !time.step()) throw new Error(`it never came: ${what}`);
    }
  };
  /** The value of a promise, once time has passed that it needs. */
  const now = <T>(what: string, promise: Promise<T>): T => {
    let outcome: { readonly value: T } | null = null;
    let failure: { readonly error: unknown } | null = null;
    promise.then(
      (value) => {
        outcome = { value };
      },
      (error) => {
        failure = { error };
      },
    );
    until(what, () => outcome !== null || failure !== null);
    if (failure !== null) throw (failure as { error: unknown }).error;
    return (outcome as unknown as { value: T }).value;
  };
  const config = configOf(
    document({
      storage: { directory },
      api: { requests_per_second: 100_000, burst: 1_000_000 },
      operators: {
        orange: operator({
          prefixes: ["22670"],
          price: 15,
          connections: [connection({ throughput: 100_000, window: 100 })],
        }),
      },
    }),
  );
  const app: App = now(
    "the start",
    startApp(settingsHolder(config), { clock, chance, log: testLog(), machine }),
  );
  let keys = 0;
  return {
    centre,
    told: endpoint.told,
    admin: (name, args) => {
      const outcome = now(name, runCommand(app.context("test"), name, args));
      if (!outcome.ok) throw new Error(`${name}: ${JSON.stringify(outcome.refusal)}`);
      return outcome.value as Record<string, unknown>;
    },
    post: (path, apiKey, body) => {
      keys += 1;
      const request = requestOf(
        path,
        { authorization: `Bearer ${apiKey}`, "idempotency-key": `key-${keys}` },
        body,
      );
      if (served === null) throw new Error("nothing is served");
      const answer = now(path, Promise.resolve(served(request, PEER)));
      const text = now("its body", answer.text());
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return (JSON.parse(text) as { data: Record<string, unknown> }).data;
    },
    rest: (ms) => {
      const untilMs = time.nowMs() + ms;
      time.settle();
      while (time.nextMs() <= untilMs) time.step();
      time.spend(Math.max(0, untilMs - time.nowMs()));
    },
    until,
    costOf: (work) => {
      Bun.gc(true);
      book.reset();
      frames.reset();
      turns = 0;
      const promises = livePromises();
      work();
      return spent({
        booked: book.booked(),
        frames: frames.frames(),
        turns,
        promises: livePromises() - promises,
      });
    },
    close: () => {
      now("the stop", app.stop());
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function requestOf(path: string, headers: Readonly<Record<string, string>>, body: unknown): Request {
  const octets = new TextEncoder().encode(JSON.stringify(body));
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(octets);
      controller.close();
    },
  });
  const json = { "content-type": "application/json", ...headers };
  return new Request(`http://127.0.0.1:8080/public/v1${path}`, {
    method: "POST",
    headers: json,
    body: stream,
  });
}

const PEER = {
  requestIP: () => ({ address: "127.0.0.1", family: "IPv4", port: 40_000 }),
} as unknown as Bun.Server<undefined>;

/** All that were made, as long as no garbage is collected: true of what takes little memory. */
function livePromises(): number {
  return heapStats().objectTypeCounts.Promise ?? 0;
}

/** An endpoint that takes every event within a millisecond. */
function receiver(time: ReturnType<typeof scheduler>) {
  let told = 0;
  const network: Platform["https"] = {
    ownAddresses: () => new Set(["192.0.2.1"]),
    resolve: () => Promise.resolve(["93.184.216.34"]),
    request: () =>
      new Promise((resolve) => {
        time.after(1, () => {
          told += 1;
          resolve(new Response(null, { status: 204 }));
        });
      }),
  };
  return { network, told: () => told };
}
