import { readFile } from "node:fs/promises";
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { escapeLines, printableJson } from "../core/escape-controls.ts";
import { errorText, jsonLog, terminalLog } from "../core/log.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import { eventDocument, eventLine } from "./event-line.ts";
import type { SmscEvent } from "./events.ts";
import type { Say } from "./help.ts";
import { parseSmscInvocation, smscUsage } from "./invocation.ts";
import { readLines } from "./lines-of.ts";
import { type Smsc, type SmscOptions, startSmsc } from "./server.ts";
import type { SmscSettings } from "./smsc-settings.ts";
import { obeyLine } from "./typed-commands.ts";
import { untilSignal } from "./until-signal.ts";

/** What the command sees of its process. */
export type SmscIo = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` goes to a terminal; absent: it does not. */
  readonly errIsTerminal?: boolean;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Resolves when the operator is to stop. */
  readonly untilStop: () => Promise<void>;
  /** What is typed, in pieces of any size. Looked at with --control only. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Nothing more is read of it. Without this an input that stays open would keep the process alive behind its end. */
  readonly endInput?: () => void;
  /** In its reader's language; English where it is absent. */
  readonly say?: Say;
};

export const SMSC_PROCESS: SmscIo = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  errIsTerminal: process.stderr.isTTY === true,
  clock: systemClock,
  chance: systemChance,
  untilStop: untilSignal,
  input: () => process.stdin,
  endInput: () => {
    process.stdin.destroy();
  },
};

type Tls = NonNullable<SmscOptions["tls"]> | null;

const BROKEN_RULES = 3;

/**
 * `bendre smsc`: runs the simulated operator until it is told to stop. Resolves with the exit code: 0, 1 when the
 * port or a file cannot be had, 2 for a wrong invocation, 3 when --strict saw rules broken.
 */
export async function runSmsc(words: readonly string[], io: SmscIo = SMSC_PROCESS): Promise<number> {
  const invocation = parseSmscInvocation(words);
  switch (invocation.kind) {
    case "help":
      io.out(smscUsage(io.say));
      return 0;
    case "wrong":
      io.err(`${smscUsage(io.say)}\nbendre smsc: ${escapeLines(sayFor(io)(invocation.problem))}\n`);
      return 2;
    case "run":
      return run(invocation.settings, io);
  }
}

async function run(settings: SmscSettings, io: SmscIo): Promise<number> {
  const { clock, chance } = io;
  const { port, users, quirks, defaultAlphabet, strict: isStrict } = settings;
  const logTo = io.errIsTerminal === true ? terminalLog : jsonLog;
  const log = logTo(
    clock,
    (line) => io.err(`${line}\n`),
    () => "warn",
  );
  const onEvent = (event: SmscEvent): void => {
    const line = lineFor(event, settings, sayFor(io));
    if (line !== null) io.out(`${line}\n`);
  };
  const stopAsked = io.untilStop();
  let tls: Tls;
  try {
    tls = await tlsOf(settings);
  } catch (error) {
    io.err(`bendre smsc: ${escapeLines(errorText(error))}\n`);
    return 1;
  }
  let smsc: Smsc;
  try {
    smsc = await startSmsc({
      clock,
      chance,
      log,
      port,
      users,
      quirks,
      defaultAlphabet,
      isStrict,
      tls,
      onEvent,
    });
  } catch (error) {
    io.err(`bendre smsc: ${sayFor(io)(phrase("simulator.port_taken", { port, error: errorText(error) }))}\n`);
    return 1;
  }
  const endTyping = settings.control ? runTypedCommands(io, (line) => obeyLine(smsc, line)) : null;
  await stopAsked;
  endTyping?.();
  await smsc.stop();
  return settings.strict && smsc.stats().violations > 0 ? BROKEN_RULES : 0;
}

async function tlsOf({ tlsKey, tlsCertificate }: SmscSettings): Promise<Tls> {
  if (tlsKey === null || tlsCertificate === null) return null;
  return { key: await readFile(tlsKey, "utf8"), certificate: await readFile(tlsCertificate, "utf8") };
}

/**
 * Has each line that is typed obeyed, and tells what is wrong with it. The end of what is typed ends nothing else. What it gives ends it.
 */
export function runTypedCommands(
  io: Pick<SmscIo, "input" | "endInput" | "err" | "say">,
  obeyLine: (line: string) => Phrase | null,
): () => void {
  const say = sayFor(io);
  let isEnded = false;
  const obey = async (): Promise<void> => {
    for await (const line of readLines(io.input())) {
      const problem = obeyLine(line);
      if (problem !== null) io.err(`${escapeLines(say(problem))}\n`);
    }
  };
  obey().catch((error: unknown) => {
    if (!isEnded) io.err(`${escapeLines(errorText(error))}\n`);
  });
  return () => {
    isEnded = true;
    io.endInput?.();
  };
}

function sayFor({ say = english }: Pick<SmscIo, "say">): Say {
  return say;
}

function lineFor(event: SmscEvent, { quiet, json }: SmscSettings, say: Say): string | null {
  if (quiet && event.kind !== "listening" && event.kind !== "stopped") return null;
  return json ? printableJson(eventDocument(event)) : eventLine(event, say);
}
