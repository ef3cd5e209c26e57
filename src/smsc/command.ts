import { type Chance, systemChance } from "../base/chance.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { errorText, jsonLog } from "../base/log.ts";
import { eventLine } from "./event-line.ts";
import type { SmscEvent } from "./events.ts";
import type { SmscSettings } from "./flags.ts";
import { invocationOf, smscUsage } from "./invocation.ts";
import { type Smsc, startSmsc } from "./server.ts";
import { untilSignal } from "./until-signal.ts";

/** What the command sees of its process. */
export type SmscIo = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Resolves when the operator is to stop. */
  readonly untilStop: () => Promise<void>;
};

const PROCESS: SmscIo = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  clock: systemClock,
  chance: systemChance,
  untilStop: untilSignal,
};

/**
 * `bendre smsc`: runs the simulated operator until it is told to stop. Resolves with the exit code: 0, 1 when the
 * port cannot be had, 2 for a wrong invocation.
 */
export async function runSmsc(words: readonly string[], io: SmscIo = PROCESS): Promise<number> {
  const invocation = invocationOf(words);
  switch (invocation.kind) {
    case "help":
      io.out(smscUsage());
      return 0;
    case "wrong":
      io.err(`bendre smsc: ${invocation.problem}\n\n${smscUsage()}`);
      return 2;
    case "run":
      return run(invocation.settings, io);
  }
}

async function run(settings: SmscSettings, io: SmscIo): Promise<number> {
  const { clock, chance } = io;
  const { port, users, quirks, defaultAlphabet } = settings;
  const log = jsonLog(clock, (line) => io.err(`${line}\n`), "warn");
  const onEvent = (event: SmscEvent): void => {
    const line = lineFor(event, settings);
    if (line !== null) io.out(`${line}\n`);
  };
  const stopAsked = io.untilStop();
  let smsc: Smsc;
  try {
    smsc = await startSmsc({ clock, chance, log, port, users, quirks, defaultAlphabet, onEvent });
  } catch (error) {
    io.err(`bendre smsc: port ${port} cannot be listened on (${errorText(error)})\n`);
    return 1;
  }
  await stopAsked;
  await smsc.stop();
  return 0;
}

function lineFor(event: SmscEvent, { quiet, json }: SmscSettings): string | null {
  if (quiet && event.kind !== "listening") return null;
  return json ? JSON.stringify(event) : eventLine(event);
}
