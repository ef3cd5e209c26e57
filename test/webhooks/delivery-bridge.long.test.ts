import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SettingsHolder, settingsHolder } from "../../src/config/live-config.ts";
import { systemClock, wait } from "../../src/core/clock.ts";
import { type StartThread, startThread } from "../../src/core/thread.ts";
import { trustedClock } from "../../src/core/trusted-clock.ts";
import type { Dispatcher } from "../../src/webhooks/dispatcher.ts";
import { startDeliveryBridge } from "../../src/webhooks/webhooks.ts";
import type { ToThread } from "../../src/webhooks/worker-protocol.ts";
import { configOf, document } from "../config/sample.ts";
import { TEST_AUTHORITY } from "../kit/certificates.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { type Rig, webhookRig } from "./rig.ts";

/** Longer than anything here takes on a machine that others use as well. */
const PATIENCE_MS = 30_000;

let rig: Rig;
let receiver: Receiver;
let directory: string;
let settings: SettingsHolder;
let threads: Worker[];
let telling: Dispatcher | null;
const log = testLog();
const watchClock = () => () => {};

beforeEach(async () => {
  rig = await webhookRig();
  receiver = await startReceiver();
  directory = mkdtempSync(join(tmpdir(), "bendre-telling-"));
  const ca_file = join(directory, "ca.pem");
  writeFileSync(ca_file, TEST_AUTHORITY);
  const webhooks = { allow_private_targets: true, ca_file };
  settings = settingsHolder(configOf(document({ webhooks })), { pems: new Map([[ca_file, TEST_AUTHORITY]]) });
  threads = [];
  telling = null;
});
afterEach(async () => {
  await telling?.stop(0);
  receiver.close();
  await rig.close();
  rmSync(directory, { recursive: true });
});

const counted: StartThread = (path) => {
  const thread = startThread(path);
  threads.push(thread);
  return thread;
};

function start(begin: StartThread = counted): Dispatcher {
  const { store } = rig.books;
  telling = startDeliveryBridge({ settings, store, clock: systemClock, watchClock, log, startThread: begin });
  return telling;
}

async function endpoint(): Promise<string> {
  const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
  const url = `https://127.0.0.1:${receiver.port}/hook`;
  await rig.books.store.write((tx) => tx.run("UPDATE webhook_endpoints SET url = ? WHERE ulid = ?", url, id));
  return id;
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 10) {
    if (waited > PATIENCE_MS) throw new Error("it does not come");
    await wait(systemClock, 10);
  }
}

const deliver = async (count: number) => rig.deliver(...(await rig.batch(count)));
const cursor = (id: string) => rig.row(id).feedCursorUs;

describe("the thread that tells endpoints", () => {
  test("is told at once that a clock which was doubted is believed, so that no try is due by a time that was left", async () => {
    await endpoint();
    const wall = testClock();
    const clock = trustedClock(wall);
    const asked: ToThread[] = [];
    const silent = {
      postMessage: (word: ToThread) => asked.push(word),
      addEventListener: () => {},
      terminate: () => {},
    } as unknown as Worker;
    const { store } = rig.books;
    const { watch: watchClock } = clock;
    const stopping = startDeliveryBridge({
      settings,
      store,
      clock,
      watchClock,
      log,
      startThread: () => silent,
    });
    wall.setBy(48 * 3_600_000);
    expect(clock.doubt()?.kind).toBe("jumped");
    asked.length = 0;
    clock.accept();
    await wall.advance(10);
    expect(asked.at(-1)).toMatchObject({ kind: "time", time: { doubt: null } });
    const stopped = stopping.stop(0);
    await wall.advance(10_000);
    await stopped;
  });

  test("is not there while no endpoint is enabled, and tells what happens once there is one", async () => {
    const dispatcher = start();
    await deliver(1);
    expect(threads).toEqual([]);
    const id = await endpoint();
    dispatcher.wake();
    await until(() => dispatcher.figures().endpoints === 1);
    const before = cursor(id);
    await deliver(3);
    await receiver.until(3);
    expect(threads.length).toBe(1);
    await until(() => cursor(id) > before && dispatcher.figures().delivered === 3);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
    await dispatcher.stop(1000);
    telling = null;
    expect(rig.row(id).lastSuccessAt).not.toBeNull();
  });

  test("goes by the settings that are in force, and says in the log what failed", async () => {
    await endpoint();
    const dispatcher = start();
    await until(() => dispatcher.figures().endpoints === 1);
    const { webhooks } = settings.now();
    settings.replace({ ...settings.now(), webhooks: { ...webhooks, allow_private_targets: false } });
    await deliver(1);
    await until(() => dispatcher.figures().failed === 1);
    expect(receiver.received).toEqual([]);
    const line = log.lines.findLast(({ message }) => message === "webhook attempt failed");
    expect(line?.error).toBe("the address 127.0.0.1 is not allowed: loopback");
    // What the thread counts is written down by the process, a moment later.
    await until(() => rig.count("webhook_retries") === 1);
  });

  test("is started again when it failed, and tells what it had not told", async () => {
    await endpoint();
    const dispatcher = start();
    await until(() => dispatcher.figures().endpoints === 1);
    threads[0]!.terminate();
    await until(() => log.lines.some(({ message }) => message === "the thread that tells endpoints failed"));
    await deliver(2);
    await receiver.until(2);
    expect(threads.length).toBe(2);
  });

  test("is ended in time at a stop, also where it does not answer any more", async () => {
    await endpoint();
    let ended = 0;
    const deaf = { postMessage: () => {}, addEventListener: () => {}, terminate: () => ended++ };
    const dispatcher = start(() => deaf as unknown as Worker);
    const began = systemClock.steadyMs();
    await dispatcher.stop(10);
    telling = null;
    expect(systemClock.steadyMs() - began).toBeLessThan(10_000);
    expect(ended).toBe(1);
  });

  test("tells nothing as told that could not be written down", async () => {
    const id = await endpoint();
    const { write } = rig.books.store;
    let refused = 0;
    const store = {
      ...rig.books.store,
      write: ((job, durable) => {
        if (refused > 2) return write(job, durable);
        refused += 1;
        return Promise.reject(new Error("database or disk is full"));
      }) as typeof write,
    };
    telling = startDeliveryBridge({
      settings,
      store,
      clock: systemClock,
      watchClock,
      log,
      startThread: counted,
    });
    const before = cursor(id);
    await deliver(1);
    await receiver.until(1);
    await until(() => cursor(id) > before);
    expect(refused).toBe(3);
    expect(receiver.received.length).toBe(1);
    expect(log.lines.some(({ error }) => error === "Error: database or disk is full")).toBe(true);
  });
});
