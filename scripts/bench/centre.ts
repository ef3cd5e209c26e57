/**
 * The simulated operator of a measurement, in a process of its own: what `bendre smsc` runs, asked and told by messages instead of
 * lines. The first argument is its port, 0 for a free one, the second its quirks as JSON.
 */
import { systemChance } from "../../src/core/chance.ts";
import { systemClock } from "../../src/core/clock.ts";
import { jsonLog } from "../../src/core/log.ts";
import { startSmsc } from "../../src/simulator/server.ts";
import { wallMs } from "./kit/clock.ts";

/** What the operator has seen since it was asked to begin anew; times in milliseconds since the epoch. */
export type Seen = {
  readonly bound: number;
  readonly submits: number;
  readonly acknowledged: number;
  readonly firstSubmitMs: number;
  readonly lastSubmitMs: number;
  readonly lastAcknowledgedMs: number;
  /** When each number was first sent to; empty unless asked for. */
  readonly arrivals: Readonly<Record<string, number>>;
};

export type CentreQuestion = "seen" | "arrivals" | "anew";

let bound = 0;
let submits = 0;
let acknowledged = 0;
let [firstSubmitMs, lastSubmitMs, lastAcknowledgedMs] = [0, 0, 0];
const arrivals = new Map<string, number>();

const smsc = await startSmsc({
  clock: systemClock,
  chance: systemChance,
  log: jsonLog(
    systemClock,
    (line) => process.stderr.write(`${line}\n`),
    () => "warn",
  ),
  port: Number(process.argv[2]),
  quirks: JSON.parse(process.argv[3] ?? "{}"),
  onEvent: (event) => {
    switch (event.kind) {
      case "bound":
        bound += 1;
        return;
      case "submit":
        lastSubmitMs = wallMs();
        if (submits === 0) firstSubmitMs = lastSubmitMs;
        submits += 1;
        if (!arrivals.has(event.to)) arrivals.set(event.to, lastSubmitMs);
        return;
      case "acknowledged":
        acknowledged += 1;
        lastAcknowledgedMs = wallMs();
    }
  },
});

process.on("message", (question: CentreQuestion) => {
  if (question === "anew") {
    submits = acknowledged = 0;
    firstSubmitMs = lastSubmitMs = lastAcknowledgedMs = 0;
    arrivals.clear();
  }
  const seen: Seen = {
    bound,
    submits,
    acknowledged,
    firstSubmitMs,
    lastSubmitMs,
    lastAcknowledgedMs,
    arrivals: question === "arrivals" ? Object.fromEntries(arrivals) : {},
  };
  process.send?.(seen);
});
process.on("SIGTERM", () => process.exit());
process.send?.({ port: smsc.port });
