/**
 * Loaded into every thread of an appliance that is profiled, before the thread's own program: samples it, and writes the samples into the
 * directory that is named at the end.
 */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { type FromThread, SAMPLE_MICROSECONDS, THREADS, type ToThreads, threadFile } from "./seen.ts";

/** The runtime tells preloaded programs no number of their thread. */
const thread = crypto.randomUUID();
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
session.post("Profiler.start");
const channel = new BroadcastChannel(THREADS);
const say = (said: FromThread): void => channel.postMessage(said);

channel.onmessage = (event) => {
  const data = event.data as ToThreads | FromThread;
  switch (data.turn) {
    case "begin":
      session.post("Profiler.stop", () => session.post("Profiler.start"));
      say({ turn: "begun", thread });
      return;
    case "end":
      session.post("Profiler.stop", (_error, { profile }) => {
        writeFileSync(join(data.directory, threadFile(thread)), JSON.stringify(profile));
        say({ turn: "ended", thread });
      });
  }
};
