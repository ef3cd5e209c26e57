/** The moments at which a process ends: by the clock, or by what it was just doing. */
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type Clock, wait } from "../../src/core/clock.ts";
import type { Seen } from "../sim/observation.ts";
import type { Recorder } from "./recorder.ts";

export type Moment =
  /** After its start, ready or not. */
  | { readonly at: "start"; readonly afterMs: number }
  | { readonly at: "ready"; readonly afterMs: number }
  /** The so-many-th write to the database's log after it was ready: within a commit. */
  | { readonly at: "log write"; readonly count: number }
  /** The so-many-th of what was seen of it after it was ready. */
  | { readonly at: "seen"; readonly what: SeenMoment; readonly count: number }
  /** So long after a large submission left its client. */
  | { readonly at: "large submission"; readonly afterMs: number };

/** A 202; a submit_sm at the centre; a deliver_sm_resp at the centre; an event at the receiver. */
export type SeenMoment = "accepted" | "submit" | "receipt taken" | "event";

const SUBMIT_SM = 0x0000_0004;
const DELIVER_SM_RESP = 0x8000_0005;
/** A body above this is read and staged in steps. */
const LARGE_OCTETS = 16_384;

/** Resolves when the moment has come. `ready` resolves when the life is. */
export async function moment(
  clock: Clock,
  recorder: Recorder,
  log: string,
  ready: Promise<unknown>,
  { ...awaited }: Moment,
): Promise<void> {
  if (awaited.at === "start") return await wait(clock, awaited.afterMs);
  await ready;
  switch (awaited.at) {
    case "ready":
      return await wait(clock, awaited.afterMs);
    case "log write":
      return await written(log, awaited.count);
    case "seen":
      return await seen(recorder, IS[awaited.what], awaited.count);
    case "large submission":
      await seen(recorder, isLargeSubmission, 1);
      return await wait(clock, awaited.afterMs);
  }
}

const commandOf = ({ octets }: Seen & { kind: "pdu" }): number =>
  new DataView(octets.buffer, octets.byteOffset).getUint32(4);

const IS: Readonly<Record<SeenMoment, (one: Seen) => boolean>> = {
  accepted: (one) => one.kind === "answer" && one.status === 202,
  submit: (one) => one.kind === "pdu" && one.from === "appliance" && commandOf(one) === SUBMIT_SM,
  "receipt taken": (one) =>
    one.kind === "pdu" && one.from === "appliance" && commandOf(one) === DELIVER_SM_RESP,
  event: (one) => one.kind === "event",
};

function isLargeSubmission(one: Seen): boolean {
  return one.kind === "request" && one.method === "POST" && (one.body?.length ?? 0) > LARGE_OCTETS;
}

function seen(recorder: Recorder, is: (one: Seen) => boolean, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const forget = recorder.watch((one) => {
      if (!is(one)) return;
      left -= 1;
      if (left > 0) return;
      forget();
      resolve();
    });
  });
}

/** The directory is watched, for the log of the database comes and goes. */
function written(log: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const name = basename(log);
    const watcher = watch(dirname(log), (_, file) => {
      if (file !== name) return;
      left -= 1;
      if (left > 0) return;
      watcher.close();
      resolve();
    });
  });
}
