/**
 * `bendre demo`: the whole appliance in one process with a simulated operator, a temporary database and a client of its own.
 *
 * Begin here: `stage` sets it up, `api` is a client over HTTP, `once` and `live` send and watch, `report` prints.
 */

import { systemMachine } from "../app/platform.ts";
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { idFactory } from "../core/ids.ts";
import { errorText, jsonLog, terminalLog } from "../core/log.ts";
import { ignoreProxies } from "../core/proxies.ts";
import { phrase } from "../i18n/phrase.ts";
import type { HandsetText } from "../simulator/handset.ts";
import type { Quirks } from "../simulator/quirks.ts";
import { untilSignal } from "../simulator/until-signal.ts";
import { showLive } from "./live.ts";
import { sendOnce } from "./once.ts";
import { chatLine, type DemoWords, ENGLISH_WORDS, handsetLine, operatorName, type Print } from "./report.ts";
import { startStage } from "./stage.ts";
import type { ShownText } from "./verdict.ts";

export type DemoOptions = {
  /** Send one batch, print what became of it, and end. */
  readonly once: boolean;
  /** Habits of all operators, to see a bad day. */
  readonly quirks?: Partial<Quirks>;
  /** With `once`: how long the batch may take. */
  readonly patienceMs?: number;
};

/** What the demonstration sees of its process. */
export type DemoIo = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` goes to a terminal; absent: it does not. */
  readonly errIsTerminal?: boolean;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly untilStop: () => Promise<void>;
  /** Its reader's words; English where they are absent. */
  readonly say?: DemoWords;
};

export const DEMO_PROCESS: DemoIo = {
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
};

/** To watch: answers and receipts take their time. */
const LEISURELY: Partial<Quirks> = {
  responseDelayMs: 150,
  responseJitterMs: 200,
  receiptDelayMs: 1200,
  receiptJitterMs: 2500,
};
const BRISK: Partial<Quirks> = { receiptDelayMs: 100, receiptJitterMs: 200 };
const LEISURELY_CHAT_MS = 2000;
const BRISK_CHAT_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * `bendre demo` (docs/administration.md#1-the-executable): simulated operators, a temporary database, an account with
 * money, a key and a sendable sender. Resolves with the exit code; with `once`, 0 only if all was delivered and the
 * money adds up.
 */
export async function runDemo(options: DemoOptions, io: DemoIo = DEMO_PROCESS): Promise<number> {
  ignoreProxies();
  const { clock, chance } = io;
  const logTo = io.errIsTerminal === true ? terminalLog : jsonLog;
  const log = logTo(
    clock,
    (line) => io.err(`${line}\n`),
    () => "warn",
  );
  const newId = idFactory(clock, chance);
  const say = io.say ?? ENGLISH_WORDS;
  const print: Print = (line) => io.out(`${typeof line === "string" ? line : say.line(line)}\n`);
  const texts: HandsetText[] = [];
  const chats: ShownText[] = [];
  const untilStop = io.untilStop();
  try {
    const stage = await startStage({
      edges: { clock, chance, log, machine: systemMachine },
      quirks: { ...(options.once ? BRISK : LEISURELY), ...options.quirks },
      onEvent: (operator, event) => {
        if (event.kind === "violation") {
          print(phrase("simulator.demo.breach", { operator: operatorName(operator), what: event.what }));
        }
        if (event.kind !== "text") return;
        texts.push(event);
        print(handsetLine(event));
      },
      chatDelayMs: options.once ? BRISK_CHAT_MS : LEISURELY_CHAT_MS,
      onChat: (chat) => {
        chats.push({ ...chat, parts: 1 });
        print(chatLine(chat));
      },
    });
    try {
      if (!options.once) return await showLive({ stage, clock, log, newId, print, untilStop });
      const patienceMs = options.patienceMs ?? PATIENCE_MS;
      const rehearsal = sendOnce({ stage, clock, newId, texts, chats, say, print, patienceMs });
      return await Promise.race([rehearsal, untilStop.then(() => 1)]);
    } finally {
      await stage.stop();
    }
  } catch (error) {
    io.err(`bendre demo: ${errorText(error)}\n`);
    return 1;
  }
}
