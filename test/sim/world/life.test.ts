import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openOnDisk } from "../../../src/db/disk.ts";
import { systemSpaceOf } from "../../../src/ops/disk-monitor.ts";
import { configOf, document } from "../../config/sample.ts";
import type { Observation, Observe } from "../observation.ts";
import { carrierNetwork } from "./carrier-network.ts";
import { clientNetwork } from "./client-network.ts";
import { commandLine } from "./command-line.ts";
import { httpNetwork } from "./http-network.ts";
import { startLife } from "./life.ts";
import { receiverNetwork } from "./receiver-network.ts";
import { scheduler } from "./scheduler.ts";

/** One life without operators: started, asked, left alone for ten minutes, stopped. What was logged and seen. */
function oneLife(seed: number): { readonly seen: readonly Observation[]; readonly log: readonly string[] } {
  const directory = mkdtempSync(join(tmpdir(), "bendre-life-"));
  const time = scheduler();
  const seen: Observation[] = [];
  const log: string[] = [];
  const observe: Observe = (what) => {
    seen.push({ ...what, atMs: time.nowMs() });
  };
  const http = httpNetwork(time, seed, observe);
  const life = startLife(
    {
      time,
      seed,
      observe,
      http,
      clients: clientNetwork(time, seed, observe),
      openDatabase: openOnDisk,
      spaceOf: systemSpaceOf,
      wall: { startMs: Date.UTC(2026, 2, 2, 9), setByMs: 0 },
      isBusy: () => false,
      carriers: carrierNetwork({ time, seed, observe, centres: new Map() }),
      receivers: receiverNetwork({ time, seed, receivers: new Map() }),
      nameless: (text) => text.replaceAll(directory, "DIRECTORY"),
      logged: (_life, line) => log.push(line),
      ready: () => {},
      ended: () => {},
    },
    1,
    configOf(document({ storage: { directory } })),
  );
  const until = (isOver: () => boolean) => {
    while (!isOver() && time.step());
  };
  time.settle();
  until(life.isReady);
  void commandLine(http, observe, directory)("account create", { name: "Faso Shop", billing: "prepaid" });
  const headers = { authorization: "Bearer nonsense" };
  void http.ask({ client: "nobody", method: "GET", path: "/public/v1/account/balance", headers, body: null });
  const fromMs = time.nowMs();
  until(() => time.nowMs() > fromMs + 600_000);
  life.stop();
  until(() => !life.isAlive());
  rmSync(directory, { recursive: true });
  return { seen, log };
}

test("an appliance starts, answers, waits and stops in a time of its own, and a second time to the letter", () => {
  const once = oneLife(7);
  expect(once.seen.flatMap((each) => (each.kind === "life" ? [each.what] : []))).toEqual([
    "starting",
    "ready",
    "stopping",
    "stopped",
  ]);
  expect(once.seen.filter(({ kind }) => kind === "answer")).toMatchObject([{ status: 401 }]);
  expect(once.seen.filter(({ kind }) => kind === "outcome")).toMatchObject([{ ok: true }]);
  expect(oneLife(7)).toEqual(once);
  expect(oneLife(8).log).not.toEqual(once.log);
});
