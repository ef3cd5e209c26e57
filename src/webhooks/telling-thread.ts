/** The thread that tells endpoints: it reads the feed, makes and signs events, and posts them, so that sending is not held up by it. */
import { setPriority } from "node:os";
import { systemChance } from "../base/chance.ts";
import { systemClock } from "../base/clock.ts";
import { systemHttps } from "../https/resolve.ts";
import { openOnDisk } from "../store/open-database.ts";
import { teller } from "./teller.ts";
import type { FromThread, ToThread } from "./telling-words.ts";

declare const self: Worker;

/** Sending comes before telling: where both want a core, this thread has a third of the other's share (setpriority(2), of one thread). */
const NICE = 5;
try {
  setPriority(0, NICE);
} catch {
  // A system that forbids it has it tell as it sends.
}

const machine = { https: systemHttps, openDatabase: openOnDisk };
const tell = teller({ clock: systemClock, chance: systemChance, machine }, (said: FromThread) =>
  self.postMessage(said),
);
self.onmessage = ({ data }: MessageEvent<ToThread>) => tell(data);
