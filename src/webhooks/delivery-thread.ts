/** Entry of the delivery thread: it reads the feed, renders and signs events, and posts them, so that sending is not held up by it. */
import { systemChance } from "../core/chance.ts";
import { systemClock } from "../core/clock.ts";
import { lowerThreadPriority } from "../core/thread.ts";
import { openOnDisk } from "../db/disk.ts";
import { systemHttps } from "../https/address-guard.ts";
import { runDeliveryWorker } from "./delivery-worker.ts";
import type { FromThread, ToThread } from "./worker-protocol.ts";

declare const self: Worker;

lowerThreadPriority();
const machine = { https: systemHttps, openDatabase: openOnDisk };
const tell = runDeliveryWorker({ clock: systemClock, chance: systemChance, machine }, (said: FromThread) =>
  self.postMessage(said),
);
self.onmessage = ({ data }: MessageEvent<ToThread>) => tell(data);
