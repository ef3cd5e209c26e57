/** Command `bendre smsc`: prints the simulated operator's events for people or as JSON, and takes typed commands. */
import { readFile } from "node:fs/promises";
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { errorText, jsonLog, terminalLog } from "../core/log.ts";
import { escapeControls, escapeLines, printableJson } from "../core/terminal-text.ts";
import { EXACT_ENGLISH, type Phrase, phrase } from "../i18n/phrase.ts";
import { english, withTexts } from "../i18n/text.ts";
import { STATUS, statusLabel } from "../smpp/status.ts";
import type { SmscEvent, SmscStats } from "./events.ts";
import type { SmscSettings } from "./flags.ts";
import { parseSmscInvocation, smscUsage } from "./invocation.ts";
import { type Smsc, type SmscOptions, startSmsc } from "./server.ts";
import { obeyLine } from "./typed-commands.ts";
import type { Say } from "./usage.ts";

/** Separates the lines of one event. */
const BELOW = "\n              ";

/** An event as text for a person, each line rendered by `say`; null for events that would only be noise. */
export function eventLine(event: SmscEvent, say: (line: Phrase) => string = english): string | null {
  const lines = linesOf(event);
  if (lines.length === 0) return null;
  const said = lines.map((line) => escapeControls(say(line))).join(BELOW);
  return `${new Date(event.atMs).toISOString().slice(11, 23)}  ${said}`;
}

/** An event as a document for a program, in English. */
function eventDocument(event: SmscEvent): unknown {
  if (event.kind !== "stopped") return withTexts(event, EXACT_ENGLISH);
  const { broken, ...stats } = event.stats;
  return { ...event, stats: { ...stats, violationsByKind: byWords(broken) } };
}

function byWords(broken: SmscStats["broken"]): Readonly<Record<string, number>> {
  return Object.fromEntries(broken.map(({ what, times }) => [english(what), times]));
}

function linesOf(event: SmscEvent): readonly Phrase[] {
  switch (event.kind) {
    case "listening":
      return [phrase("simulator.listening", { address: `127.0.0.1:${event.port}` })];
    case "bound": {
      const { link, systemId, bind } = event;
      return [phrase("simulator.bound", { link, system_id: printable(systemId), bind })];
    }
    case "bind_refused": {
      const { link, systemId, status } = event;
      const params = { link, system_id: printable(systemId), status: statusLabel(status) };
      return [phrase("simulator.bind_refused", params)];
    }
    case "closed":
      return [phrase("simulator.of_link", { link: event.link, what: event.why })];
    case "submit":
      return submitLines(event);
    case "text":
      return [textLine(event)];
    case "outcome":
      return [outcomeLine(event)];
    case "acknowledged":
      return event.status === STATUS.ROK
        ? []
        : [phrase("simulator.acknowledged", { status: statusLabel(event.status) })];
    case "quirk":
      return [phrase("simulator.of_link", { link: event.link, what: event.what })];
    case "garbage":
      return [phrase("simulator.garbage", { link: event.link, garbage: event.garbage })];
    case "violation":
      return [phrase("simulator.violation", { link: event.link, what: event.what })];
    case "stopped":
      return summary(event.stats);
  }
}

/** The summary of the whole run, the broken rules last. */
function summary(stats: SmscStats): readonly Phrase[] {
  const { violations, broken } = stats;
  return [
    phrase("simulator.stopped", {
      submits: stats.submits,
      accepted: stats.accepted,
      refused: stats.refused,
      unanswered: stats.unanswered,
    }),
    phrase("simulator.stopped.texts", { texts: stats.texts, incomplete: stats.incompleteTexts }),
    phrase("simulator.stopped.receipts", {
      sent: stats.receiptsSent,
      acknowledged: stats.receiptsAcknowledged,
      waiting: stats.receiptsWaiting,
    }),
    phrase("simulator.stopped.most", {
      unanswered: stats.mostUnansweredOnLink,
      submits: stats.mostInASecondOnLink,
    }),
    broken.length === 0
      ? phrase("simulator.stopped.no_violations")
      : phrase("simulator.stopped.violations", { violations }),
    ...broken.map(({ what, times }) => phrase("simulator.stopped.violation", { times, what })),
  ];
}

/** The lines of a submit that did not simply succeed; the text itself is shown when a handset has it. */
function submitLines({ from, to, status }: Extract<SmscEvent, { kind: "submit" }>): readonly Phrase[] {
  if (status === STATUS.ROK) return [];
  const between = { from: address(from), to: address(to) };
  return [
    status === null
      ? phrase("simulator.submit.unanswered", between)
      : phrase("simulator.submit.refused", { ...between, status: statusLabel(status) }),
  ];
}

function textLine({ from, to, parts, alphabet, text }: Extract<SmscEvent, { kind: "text" }>): Phrase {
  const params = { from: address(from), to: address(to), alphabet, text: printable(text) };
  return parts === 1
    ? phrase("simulator.text", params)
    : phrase("simulator.text.parts", { ...params, parts });
}

function outcomeLine({ stat, to, id, receipts }: Extract<SmscEvent, { kind: "outcome" }>): Phrase {
  const params = { stat: stat.padEnd(7), to: address(to), id };
  switch (receipts) {
    case 0:
      return phrase("simulator.outcome.no_receipt", params);
    case 1:
      return phrase("simulator.outcome", params);
    default:
      return phrase("simulator.outcome.twice", params);
  }
}

function address(text: string): string {
  return /^\d{7,}$/.test(text) ? `+${text}` : printable(text);
}

/** Makes a text one printable line. If it holds terminal control characters, the whole line is escaped. */
function printable(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "⏎");
}

/** The lines of a stream of UTF-8, however it is chunked; the last one with or without its newline. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Resolves at the first SIGINT or SIGTERM; the second has its ordinary effect, which ends the process. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => {
      for (const signal of SIGNALS) process.off(signal, heard);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, heard);
  });
}

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
  /** Typed input, in pieces of any size. Read with --control only. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Ends reading of the input. Without this an input that stays open would keep the process alive after the operator stopped. */
  readonly endInput?: () => void;
  /** Renders in the reader's language; English where it is absent. */
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
 * Runs each typed line, and reports what is wrong with it. The end of the input ends nothing else. Returns a function that ends reading.
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
