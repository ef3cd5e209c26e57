/** The thread that tells endpoints: it reads the feed, makes and signs events, and posts them, so that sending is not held up by it. */
import { systemChance } from "../core/chance.ts";
import { systemClock } from "../core/clock.ts";
import { afterSending } from "../core/thread.ts";
import { openOnDisk } from "../db/open-database.ts";
import { systemHttps } from "../https/resolve.ts";
import { teller } from "./teller.ts";
import type { FromThread, ToThread } from "./telling-words.ts";

declare const self: Worker;

afterSending();
const machine = { https: systemHttps, openDatabase: openOnDisk };
const tell = teller({ clock: systemClock, chance: systemChance, machine }, (said: FromThread) =>
  self.postMessage(said),
);
self.onmessage = ({ data }: MessageEvent<ToThread>) => tell(data);
