/**
 * What the commands of both simulators do with their process: read the words behind the name, print events for people or as JSON,
 * take typed commands, and stop.
 */
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { errorText, jsonLog, type Log, terminalLog } from "../core/log.ts";
import { escapeControls, escapeLines, printableJson } from "../core/terminal-text.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { Say, SimulatorInvocation } from "./usage.ts";

/** What a simulator sees of its process. */
export type SimulatorIo = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` goes to a terminal; absent: it does not. */
  readonly errIsTerminal?: boolean;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Resolves when the simulator is to stop. */
  readonly untilStop: () => Promise<void>;
  /** Typed input, in pieces of any size. Read with --control only. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Ends reading of the input. Without this an input that stays open would keep the process alive after the simulator stopped. */
  readonly endInput?: () => void;
  /** Renders in the reader's language; English where it is absent. */
  readonly say?: Say;
};

export const SIMULATOR_PROCESS: SimulatorIo = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  errIsTerminal: process.stderr.isTTY === true,
  clock: systemClock,
  chance: systemChance,
  untilStop: untilSignal,
  input: () => process.stdin,
  endInput: () => void process.stdin.destroy(),
};

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Resolves at the first SIGINT or SIGTERM; the second has its ordinary effect, which ends the process. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => {
      for (const signal of SIGNALS) process.off(signal, heard);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, heard);
  });
}

/** A log of warnings for a process: lines for a terminal, else JSON. */
export function warningLog({
  clock,
  err,
  errIsTerminal,
}: Pick<SimulatorIo, "clock" | "err" | "errIsTerminal">): Log {
  const logTo = errIsTerminal === true ? terminalLog : jsonLog;
  return logTo(
    clock,
    (line) => err(`${line}\n`),
    () => "warn",
  );
}

/** A command of a simulator: how it is called, read, started, shown and told what to do. */
type SimulatorCommand<Settings, Event, Running> = {
  readonly name: string;
  readonly read: (words: readonly string[]) => SimulatorInvocation<Settings>;
  readonly usage: (say: Say | undefined) => string;
  /** Resolves with a phrase when a file that the settings name cannot be read. @throws when the port cannot be had. */
  readonly start: (settings: Settings, onEvent: (event: Event) => void) => Promise<Running | Phrase>;
  /** What a person reads of an event; nothing of one that would only be noise. */
  readonly lines: (event: Event) => readonly Phrase[];
  /** What a program reads of it, in English. */
  readonly document: (event: Event) => unknown;
  readonly obey: (running: Running, line: string) => Phrase | null;
  /** The exit code once it has stopped; absent: 0. */
  readonly exitCode?: (settings: Settings, running: Running) => number;
};

/** The settings that both simulators have. */
type SharedSettings = {
  readonly port: number;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly control: boolean;
};

type SimulatorEvent = { readonly kind: string; readonly atMs: number };

/**
 * Runs a simulator until it is told to stop. Resolves with the exit code: that of the command, 1 when the port or a file cannot be
 * had, 2 for a wrong invocation.
 */
export async function runSimulator<
  Settings extends SharedSettings,
  Event extends SimulatorEvent,
  Running extends { readonly stop: () => Promise<void> },
>(
  command: SimulatorCommand<Settings, Event, Running>,
  words: readonly string[],
  io: Omit<SimulatorIo, "chance">,
): Promise<number> {
  const { say = english } = io;
  const complain = (problem: string) => io.err(`bendre ${command.name}: ${problem}\n`);
  const invocation = command.read(words);
  if (invocation.kind === "help") {
    io.out(command.usage(io.say));
    return 0;
  }
  if (invocation.kind === "wrong") {
    io.err(`${command.usage(io.say)}\n`);
    complain(escapeLines(say(invocation.problem)));
    return 2;
  }
  const { settings } = invocation;
  const { port, quiet, json, control } = settings;
  const stopAsked = io.untilStop();
  const started = command.start(settings, (event) => {
    if (quiet && event.kind !== "listening" && event.kind !== "stopped") return;
    const line = json ? printableJson(command.document(event)) : eventLine(event, command.lines, say);
    if (line !== null) io.out(`${line}\n`);
  });
  const running = await started.catch((error: unknown) =>
    phrase("simulator.port_taken", { port, error: errorText(error) }),
  );
  if ("code" in running) {
    complain(escapeLines(say(running)));
    return 1;
  }
  const endTyping = control ? runTypedCommands(io, (line) => command.obey(running, line)) : null;
  await stopAsked;
  endTyping?.();
  await running.stop();
  return command.exitCode?.(settings, running) ?? 0;
}

/** Separates the lines of one event. */
const BELOW = "\n              ";

/** An event as text for a person, each of its `lines` rendered by `say`; null for events without any. */
export function eventLine<Event extends SimulatorEvent>(
  event: Event,
  lines: (event: Event) => readonly Phrase[],
  say: Say = english,
): string | null {
  const said = lines(event).map((line) => escapeControls(say(line)));
  return said.length === 0
    ? null
    : `${new Date(event.atMs).toISOString().slice(11, 23)}  ${said.join(BELOW)}`;
}

/** A command that a person may type to a running simulator. */
export type TypedCommand<Running> = {
  /** The arguments behind its name, for the help. */
  readonly words: string;
  /** Null when done, else what is wrong. */
  readonly run: (running: Running, rest: string) => Phrase | null;
};

export type TypedCommands<Running> = ReadonlyMap<string, TypedCommand<Running>>;

/** Runs one command line typed by a person. Null when done, else what is wrong with it. */
export function obeyLine<Running>(
  commands: TypedCommands<Running>,
  running: Running,
  line: string,
): Phrase | null {
  const [, name = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  if (name === "") return null;
  const command = commands.get(name);
  if (command) return command.run(running, rest);
  return phrase("simulator.typed.unknown", { name, known: [...commands.keys()].join(", ") });
}

/**
 * Runs each typed line, and reports what is wrong with it. The end of the input ends nothing else. Returns a function that ends reading.
 */
function runTypedCommands(
  { input, endInput, err, say = english }: Pick<SimulatorIo, "input" | "endInput" | "err" | "say">,
  obey: (line: string) => Phrase | null,
): () => void {
  let isEnded = false;
  const readAll = async (): Promise<void> => {
    for await (const line of readLines(input())) {
      const problem = obey(line);
      if (problem !== null) err(`${escapeLines(say(problem))}\n`);
    }
  };
  readAll().catch((error: unknown) => {
    if (!isEnded) err(`${escapeLines(errorText(error))}\n`);
  });
  return () => {
    isEnded = true;
    endInput?.();
  };
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
